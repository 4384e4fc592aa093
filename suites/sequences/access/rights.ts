import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { PARTIAL, TABLE } from '../areas/crossed.ts';
import { defining, PATCH } from '../areas/objects.ts';
import { type Rule, rolePath } from '../areas/roles.ts';
import type { RowArea, RowStep, RowSteps } from '../rowArea.ts';
import type { Person, Step } from '../step.ts';
import { type SequenceType, TYPES } from '../types.ts';
import {
  account,
  accountSubject,
  bindingBody,
  bindingPath,
  groupSubject,
  makeRole,
  post,
  remove,
  reviewStep,
  userSubject,
} from './people.ts';
import { makeAccount, makeToken } from './requests.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'json', 'merge', 'strategic', 'apply', 'delete', 'sweep'];
const PATCHES = ['json', 'merge', 'strategic', 'apply'];
const WRITES = ['create', 'update', ...PATCHES, 'delete', 'sweep'];
const REVIEWS = ['review', 'local', 'self'];
/** Who has a right beside others of the cluster, so that it is for a type that nobody else asks about. */
const SHARED = ['accounts-here', 'accounts', 'everybody'];

/**
 * Roles and bindings of every kind, by which somebody may do one thing: it is asked for, and what is almost it, by
 * requests and by reviews, and again once what granted it has changed.
 */
export const RIGHTS: RowArea = {
  name: 'rights',
  together: 48,
  crossing: {
    dimensions: {
      role: ['Role', 'ClusterRole', 'gathered', 'two'],
      binding: ['RoleBinding', 'ClusterRoleBinding'],
      subject: ['user', 'group', 'account', 'token', 'second', ...SHARED],
      verb: VERBS,
      type: ['configmaps', 'secrets', 'leases', 'events', 'widgets', 'planets', 'unserved'],
      sub: ['none', 'status', 'log'],
      verbs: ['exact', 'star', 'several', 'near'],
      groups: ['exact', 'star', 'several', 'near'],
      resources: ['exact', 'star', 'several', 'near'],
      names: ['any', 'one', 'several', 'empty', 'near'],
      rule: ['alone', 'behind', 'before', 'split'],
      granted: ['post', 'yaml', 'put', ...PATCHES, 'late', 'subjects-put', 'subjects-json', 'subjects-merge'],
      asked: ['request', ...REVIEWS],
      manner: ['plain', 'yaml', 'table', 'partial', 'dry-run', 'strict'],
      near: ['verb-sub', 'type-group', 'name-place', 'scope-everything', 'person-case', 'longer-kind'],
      gone: ['kept', 'role', 'binding', 'rules', 'subjects', 'verb', 'again', 'label'],
    },
    deeply: [['role', 'binding', 'subject']],
    ends: [
      { at: { verbs: ['near'] }, with: [['verb'], ['role']] },
      { at: { groups: ['near'] }, with: [['type'], ['asked']] },
      { at: { resources: ['near'] }, with: [['type', 'sub'], ['asked']] },
      { at: { names: ['near'] }, with: [['verb'], ['asked']] },
      { at: { rule: ['split'] }, with: [['verb'], ['role'], ['asked']] },
      { at: { type: ['planets'], binding: ['RoleBinding'] }, with: [['verb'], ['role']] },
      { at: { names: ['one', 'several'], verb: ['create', 'list', 'watch', 'sweep'] }, with: [['verb'], ['asked']] },
    ],
    never: [
      { role: ['Role'], binding: ['ClusterRoleBinding'] },
      { role: ['Role'], type: ['planets'] },
      { type: ['planets'], asked: ['local'] },
      { subject: SHARED, type: ['configmaps', 'secrets', 'leases', 'events', 'widgets', 'planets'] },
      { subject: SHARED, groups: ['star'] },
      { subject: SHARED, near: ['type-group', 'scope-everything'] },
      { sub: ['status', 'log'], verb: ['list', 'watch', 'create', 'delete', 'sweep', 'apply', 'strategic'] },
      { asked: ['request'], manner: ['dry-run', 'strict'], verb: ['get', 'list', 'watch'] },
      { asked: REVIEWS, manner: ['table', 'partial', 'strict'] },
      { manner: ['strict'], verb: ['delete', 'sweep'] },
      { manner: ['table', 'partial'], verb: WRITES },
      { manner: ['table', 'partial'], sub: ['status', 'log'] },
      { verb: ['strategic'], type: ['widgets', 'planets'] },
      // What gathers a role is followed, and not written.
      { role: ['gathered'], granted: ['put', ...PATCHES] },
      { role: ['Role', 'ClusterRole', 'two'], gone: ['label'] },
      // Who shows a token of their own is acted as in no review.
      { subject: ['token'], asked: ['review', 'local'] },
      { role: ['two'], gone: ['role', 'binding', 'rules', 'subjects', 'verb', 'again'] },
    ],
  },
  byControllers: { role: ['gathered'] },
  plain: {
    ...{ role: 'ClusterRole', binding: 'ClusterRoleBinding', subject: 'user', verb: 'get', type: 'configmaps' },
    ...{ sub: 'none', verbs: 'exact', groups: 'exact', resources: 'exact', names: 'any', rule: 'alone' },
    ...{ granted: 'post', asked: 'request', manner: 'plain', near: 'verb-sub', gone: 'kept' },
  },
  shared: [...defining(typeOf('Widget')), ...defining(typeOf('Planet'))],
  steps: stepsOf,
  names: [
    [{ role: ['gathered'] }, 'RBAC-AGGREGATE-01', 'RBAC-AGGREGATE-02'],
    [{ role: ['gathered'], gone: ['role', 'rules', 'verb', 'label'] }, 'RBAC-AGGREGATE-02'],
    [{ role: ['two'] }, 'RBAC-RULE-07'],
    [{ role: ['Role'] }, 'RBAC-BINDING-01'],
    [{ binding: ['RoleBinding'] }, 'RBAC-BINDING-01', 'RBAC-BINDING-02'],
    [{ subject: ['group', 'account', 'second'] }, 'RBAC-SUBJECT-01'],
    [{ subject: ['account', 'token', 'accounts-here', 'accounts'] }, 'RBAC-SUBJECT-02'],
    [{ subject: ['token'] }, 'IDENTITY-ATTRIBUTES-01'],
    [{ subject: ['everybody'] }, 'RBAC-SUBJECT-03', 'IDENTITY-ATTRIBUTES-02'],
    [{ verb: VERBS }, 'AUTHZ-VERB-01'],
    [{ verb: PATCHES }, 'PATCH-TYPE-03'],
    [{ sub: ['status', 'log'] }, 'RBAC-RULE-02'],
    [{ question: ['sub'] }, 'RBAC-RULE-02'],
    [{ verbs: ['star', 'near'] }, 'RBAC-RULE-04'],
    [{ groups: ['star', 'near'] }, 'RBAC-RULE-04'],
    [{ resources: ['star', 'near'] }, 'RBAC-RULE-04'],
    [{ verbs: ['several'] }, 'RBAC-RULE-01'],
    [{ groups: ['several'] }, 'RBAC-RULE-01'],
    [{ resources: ['several'] }, 'RBAC-RULE-01'],
    [{ names: ['one', 'several', 'empty', 'near'] }, 'RBAC-RULE-03', 'AUTHZ-ATTRIBUTE-03'],
    [{ rule: ['behind', 'before', 'split'] }, 'RBAC-RULE-07', 'RBAC-RULE-01'],
    [{ manner: ['yaml', 'table', 'partial', 'dry-run', 'strict'] }, 'AUTHZ-ATTRIBUTE-03'],
    [{ manner: ['dry-run'] }, 'DRYRUN-AUTHORIZATION-01'],
    [{ asked: ['review'] }, 'REVIEW-SUBJECT-01', 'REVIEW-SUBJECT-02'],
    [{ asked: ['local'] }, 'REVIEW-LOCAL-01'],
    [{ asked: ['self'] }, 'REVIEW-SELF-01'],
    [{ time: ['after'] }, 'RBAC-RULE-08'],
    [{ granted: ['put', ...PATCHES, 'late'] }, 'RBAC-RULE-08', 'RBAC-BINDING-03'],
    [{ granted: ['subjects-put', 'subjects-json', 'subjects-merge'] }, 'RBAC-RULE-08', 'CRB-SUBJECTS-01'],
    [{ question: ['place', 'everywhere'] }, 'RBAC-BINDING-01', 'RBAC-BINDING-02', 'AUTHZ-ATTRIBUTE-01'],
    [{ question: ['person', 'case', 'longer', 'kind'] }, 'RBAC-SUBJECT-01', 'RBAC-SUBJECT-02'],
    [{ question: ['verb'] }, 'AUTHZ-VERB-01', 'RBAC-RULE-01', 'AUTHZ-ATTRIBUTE-01'],
    [{ question: ['type', 'group'] }, 'RBAC-RULE-01', 'AUTHZ-ATTRIBUTE-01'],
    [{ question: ['name'] }, 'RBAC-RULE-03'],
    [{ differs: ['stored'] }, 'REQUEST-STAGES-01'],
    [{ differs: ['code'] }, 'ERROR-FORBIDDEN-01', 'AUTHZ-DEFAULT-01'],
    [{ differs: ['denied'] }, 'REVIEW-STATUS-01'],
  ],
  usual: ['RBAC-RULE-01', 'AUTHZ-ATTRIBUTE-01'],
};

function typeOf(kind: string): SequenceType {
  const found = TYPES.find((type) => type.kind === kind);
  if (!found) throw new Error(`there is no type ${kind}`);
  return found;
}

/** What is asked for, in full. */
interface Asked {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly sub: string;
  readonly name: string;
  /** Empty in all namespaces, and where there are none. */
  readonly namespace: string;
  readonly kind: string;
}

const KINDS: Readonly<Record<string, readonly [group: string, kind: string, next: string]>> = {
  configmaps: ['', 'ConfigMap', 'secrets'],
  secrets: ['', 'Secret', 'configmaps'],
  leases: ['coordination.{domain}', 'Lease', 'configmaps'],
  // Events are served in two groups.
  events: ['', '', 'pods'],
  widgets: ['{id}.seq.example', 'Widget', 'planets'],
  planets: ['{id}.seq.example', 'Planet', 'widgets'],
};
const wordOf = (verb: string): string =>
  PATCHES.includes(verb) ? 'patch' : verb === 'sweep' ? 'deletecollection' : verb;
/** The other group of a type that is in two. */
const OTHER_GROUPS: Readonly<Record<string, string>> = { events: 'events.{domain}' };
/** The verb that is most easily taken for another. */
const NEXT: Readonly<Record<string, string>> = {
  ...{ get: 'list', list: 'watch', watch: 'get', create: 'update', update: 'merge', json: 'update' },
  ...{ merge: 'create', strategic: 'get', apply: 'create', delete: 'sweep', sweep: 'delete' },
};
const NEXT_OF_SUBRESOURCE: Readonly<Record<string, string>> = {
  ...{ get: 'update', update: 'merge', json: 'update', merge: 'get' },
};

function stepsOf(row: Row, at: string): RowSteps {
  const exact = askedFor(row, at);
  const name = `{id}-${at}`;
  const person = personOf(row, at);
  const names = { role: name, binding: name };
  const rules = rulesOf(row, exact, at);
  const kind = row.role === 'Role' || (row.role === 'two' && row.binding === 'RoleBinding') ? 'Role' : 'ClusterRole';
  const binding = row.binding as string;
  const subjects = subjectsOf(row, at);
  const item = `${rolePath(kind)}/${names.role}`;
  const bindingItem = `${bindingPath(binding)}/${names.binding}`;
  const role = granting(row, kind, names.role, rules);
  const bound = bindingSteps(row, binding, names.binding, { kind, name: names.role }, subjects);
  const second: Step[] =
    row.role === 'two'
      ? [
          makeRole('ClusterRole', `${name}-2`, [
            { verbs: ['get'], apiGroups: ['other.example'], resources: ['things'] },
          ]),
          post(
            bindingPath(binding),
            bindingBody(binding, `${name}-2`, { kind: 'ClusterRole', name: `${name}-2` }, subjects),
          ),
        ]
      : [];
  const there = exact.kind !== '' && exact.verb !== 'create' ? [making(exact)] : [];
  const gathered = row.role === 'gathered' ? `{id}-of-${at}` : '';
  const from = gathered === '' ? item : `${rolePath('ClusterRole')}/${gathered}`;
  const change = changing(row, { from, binding: bindingItem, verbs: rules, gathered: gathered !== '' });
  const ask = (question: string, asked: Asked, who: Person = person): RowStep[] => {
    const step = asking(row, asked, who);
    if (step === undefined) return [];
    const as = row.subject === 'token' && who === person ? { token: `<<token-${at}.status.token>>` } : step.as;
    return [{ ...step, as, question }];
  };
  return {
    prepare: [
      ...(row.subject === 'token' ? [makeAccount(`a${at}`), makeToken(`a${at}`, `token-${at}`)] : []),
      ...there,
      ...(row.granted === 'late' ? [...bound, ...role] : [...role, ...bound]),
      ...second,
    ],
    ask: [
      ...nearOf(row, exact, at, person).flatMap(([question, asked, who]) => ask(question, asked, who)),
      ...ask('exact', exact),
    ],
    change,
    again: change.length === 0 || takesAway(exact.verb, row) ? [] : ask('exact', exact),
  };
}

/** Whether the object that is asked for may be gone by now. */
const takesAway = (verb: string, { asked, manner }: Row): boolean =>
  ['delete', 'sweep', 'create'].includes(verb) && asked === 'request' && manner !== 'dry-run';

function askedFor({ verb = '', type = '', sub = '' }: Row, at: string): Asked {
  const [group, kind] = KINDS[type] ?? [`g${at}.seq.example`, ''];
  const plural = type === 'unserved' ? 'things' : type;
  const namespace = type === 'planets' ? '' : '{ns}';
  return { verb, group, plural, sub: sub === 'none' ? '' : sub, name: `{id}-${at}`, namespace, kind };
}

function personOf({ subject = '' }: Row, at: string): Person {
  if (['account', 'token', 'accounts-here', 'accounts'].includes(subject)) return account(`a${at}`);
  return subject === 'group' ? { user: '{id}-any', groups: ['{id}-none', `{id}-${at}-g`] } : { user: `{id}-${at}-u` };
}

function subjectsOf({ subject = '' }: Row, at: string): JsonObject[] {
  if (subject === 'account' || subject === 'token') return [accountSubject(`a${at}`)];
  if (subject === 'accounts-here') return [groupSubject('system:serviceaccounts:{ns}')];
  if (subject === 'accounts') return [groupSubject('system:serviceaccounts')];
  if (subject === 'everybody') return [groupSubject('system:authenticated')];
  if (subject === 'group') return [groupSubject(`{id}-${at}-g`)];
  const user = userSubject(`{id}-${at}-u`);
  return subject === 'second' ? [groupSubject('{id}-first'), accountSubject('first'), user] : [user];
}

function rulesOf(row: Row, asked: Asked, at: string): Rule[] {
  const word = wordOf(asked.verb);
  const resource = asked.sub === '' ? asked.plural : `${asked.plural}/${asked.sub}`;
  const chosen = <T>(value: string | undefined, table: Readonly<Record<string, T>>): T => table[value ?? ''] as T;
  const names = chosen<readonly string[] | undefined>(row.names, {
    one: [asked.name],
    several: [`{id}-other`, asked.name],
    empty: [],
    near: [asked.name.slice(0, -1), `${asked.name}x`, '*'],
  });
  const rule: Rule = {
    verbs: chosen(row.verbs, {
      exact: [word],
      star: ['*'],
      several: ['use', word],
      near: [`${word.slice(0, 2)}*`, word.toUpperCase(), `${word}s`],
    }),
    apiGroups: chosen(row.groups, {
      exact: [asked.group],
      star: ['*'],
      several: ['other.example', asked.group],
      near: asked.group === '' ? ['core', 'v1'] : ['', `x.${asked.group}`, asked.group.slice(1)],
    }),
    resources: chosen(row.resources, {
      exact: [resource],
      star: ['*'],
      several: ['others', resource],
      near:
        asked.sub === ''
          ? [`${asked.plural}/status`, asked.plural.slice(0, -1), `${asked.plural}x`, `${asked.plural.slice(0, 3)}*`]
          : [asked.plural, `${asked.plural}/other`, asked.sub, `other/${asked.sub}`],
    }),
    ...(names === undefined ? {} : { resourceNames: names }),
  };
  const other: Rule = { verbs: ['use'], apiGroups: [`h${at}.seq.example`], resources: ['others'] };
  if (row.rule === 'behind') return [other, rule];
  if (row.rule === 'before') return [rule, other];
  // What one rule says of verbs is nothing for what another says of resources.
  if (row.rule === 'split')
    return [
      { ...rule, verbs: ['use'] },
      { ...rule, resources: ['others'] },
    ];
  return [rule];
}

const patch = (path: string, kind: keyof typeof PATCH, body: Json): Step => ({
  as: 'admin',
  method: 'PATCH',
  path: kind === 'apply' ? `${path}?fieldManager=f&force=true` : path,
  headers: { 'content-type': PATCH[kind] },
  body,
});

/** How a role comes to hold its rules. */
function granting(row: Row, kind: 'Role' | 'ClusterRole', name: string, rules: readonly Rule[]): Step[] {
  const { granted = '' } = row;
  const whole = makeRole(kind, name, rules);
  if (row.role === 'gathered') {
    const label = name.replace('{id}-', '');
    const part = makeRole('ClusterRole', `{id}-of-${label}`, rules);
    const labelled = {
      ...(part.body as JsonObject),
      metadata: { name: `{id}-of-${label}`, labels: { [`{id}-${label}`]: 'yes' } },
    };
    const gathers: JsonObject = {
      ...(makeRole('ClusterRole', name, []).body as JsonObject),
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { '{id}-none': 'yes' } }, { matchLabels: { [`{id}-${label}`]: 'yes' } }],
      },
    };
    const steps = [post(part.path, labelled), post(part.path, gathers)];
    return granted === 'yaml' ? steps.reverse() : steps;
  }
  if (granted === 'yaml') return [{ ...whole, form: 'yaml' }];
  if (granted !== 'put' && !PATCHES.includes(granted)) return [whole];
  const before = makeRole(kind, name, []);
  const item = `${whole.path}/${name}`;
  const body = whole.body as JsonObject;
  if (granted === 'put') return [before, { as: 'admin', method: 'PUT', path: item, body }];
  if (granted === 'json')
    return [before, patch(item, 'json', [{ op: 'add', path: '/rules', value: body.rules as Json }])];
  if (granted === 'apply') return [before, patch(item, 'apply', body)];
  return [before, patch(item, granted as 'merge' | 'strategic', { rules: body.rules as Json })];
}

/** How a binding comes to hold its subjects. */
function bindingSteps(
  { granted = '' }: Row,
  kind: string,
  name: string,
  role: { readonly kind: string; readonly name: string },
  subjects: readonly JsonObject[],
): Step[] {
  const path = bindingPath(kind);
  const whole = bindingBody(kind, name, role, subjects);
  if (!granted.startsWith('subjects-'))
    return [{ ...post(path, whole), ...(granted === 'yaml' ? { form: 'yaml' } : {}) }];
  const before = post(path, bindingBody(kind, name, role, [userSubject('{id}-former')]));
  const item = `${path}/${name}`;
  if (granted === 'subjects-put') return [before, { as: 'admin', method: 'PUT', path: item, body: whole }];
  if (granted === 'subjects-merge') return [before, patch(item, 'merge', { subjects: [...subjects] })];
  return [before, patch(item, 'json', [{ op: 'replace', path: '/subjects', value: [...subjects] }])];
}

/** What becomes of what granted a right. */
function changing(
  { gone = '' }: Row,
  at: { readonly from: string; readonly binding: string; readonly verbs: readonly Rule[]; readonly gathered: boolean },
): Step[] {
  const without = at.verbs.map((rule): Rule => ({ ...rule, verbs: ['use'] }));
  if (gone === 'role') return [remove(at.from)];
  if (gone === 'binding') return [remove(at.binding)];
  if (gone === 'rules') return [patch(at.from, 'merge', { rules: [] })];
  if (gone === 'verb')
    return [patch(at.from, 'json', [{ op: 'replace', path: '/rules', value: without as unknown as Json }])];
  if (gone === 'label') return [patch(at.from, 'merge', { metadata: { labels: null } })];
  if (gone === 'subjects') return [patch(at.binding, 'merge', { subjects: [userSubject('{id}-later')] })];
  // Taken away and given back.
  if (gone === 'again') {
    return [patch(at.from, 'merge', { rules: [] }), patch(at.from, 'merge', { rules: at.verbs as unknown as Json })];
  }
  return [];
}

/** Questions that differ from the one that is granted in one thing. */
function nearOf(row: Row, exact: Asked, at: string, person: Person): readonly [string, Asked, Person?][] {
  const [, , next = 'others'] = KINDS[row.type ?? ''] ?? [];
  const verb = (exact.sub === '' ? NEXT : NEXT_OF_SUBRESOURCE)[exact.verb] ?? 'get';
  const elsewhere = { ...exact, namespace: '{ns2}' };
  const others: Readonly<Record<string, readonly [string, Asked, Person?][]>> = {
    'verb-sub': [
      ['verb', { ...exact, verb }],
      ['sub', { ...exact, verb: inSubresource(exact.verb), sub: exact.sub === '' ? 'status' : '' }],
      ['sub', { ...exact, verb: inSubresource(exact.verb), sub: 'other' }],
    ],
    'type-group': [
      ['type', { ...exact, plural: next, kind: '' }],
      ['group', { ...exact, group: OTHER_GROUPS[exact.plural] ?? (exact.group === '' ? 'apps' : ''), kind: '' }],
    ],
    'name-place': [
      ['name', { ...exact, name: `${exact.name}x` }],
      ['name', { ...exact, name: '' }],
      ['place', elsewhere],
    ],
    'scope-everything': [['everywhere', { ...exact, namespace: '', name: '' }]],
    'person-case': [
      ['person', exact, { user: `{id}-${at}-v`, groups: ['{id}-none'] }],
      [
        'case',
        exact,
        other(person, (text) => text.toUpperCase().replaceAll('{ID}', '{id}').replaceAll('{NS}', '{ns}')),
      ],
    ],
    'longer-kind': [
      ['longer', exact, other(person, (text) => `${text}x`)],
      // The name of a group for a user, and that of a user for a group.
      ['kind', exact, { user: person.groups?.at(-1) ?? '{id}-any', groups: [person.user] }],
    ],
  };
  return others[row.near ?? ''] ?? [];
}

/** Subresources are read, updated and patched. */
const inSubresource = (verb: string): string =>
  verb === 'update' || verb === 'json' || verb === 'merge' ? verb : 'get';

/** Somebody called almost so; groups that all accounts have stay as they are. */
function other({ user, groups = [] }: Person, as: (text: string) => string): Person {
  const own = groups.filter((group) => !group.startsWith('system:'));
  const shared = groups.filter((group) => group.startsWith('system:'));
  if (own.length > 0) return { user, groups: [...own.map(as), ...shared] };
  return user.startsWith('system:')
    ? { user: user.replace(/[^:]+$/, as), groups: [] }
    : { user: as(user), groups: [...groups] };
}

const rootOf = (group: string): string => (group === '' ? '/api/v1' : `/apis/${group}/v1`);
const apiVersionOf = (group: string): string => (group === '' ? 'v1' : `${group}/v1`);
const collectionOf = ({ group, plural, namespace }: Asked): string =>
  `${rootOf(group)}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}`;

const objectOf = ({ group, kind, name }: Asked): JsonObject => ({
  apiVersion: apiVersionOf(group),
  kind: kind === '' ? 'Thing' : kind,
  metadata: { name, labels: { seq: '{id}', own: name } },
});
const making = (asked: Asked): Step => post(collectionOf(asked), objectOf(asked));

/** A question, in the manner of a row; undefined where it cannot be asked so. */
function asking(row: Row, asked: Asked, as: Person): Step | undefined {
  const { asked: how = '', manner = '' } = row;
  if (REVIEWS.includes(how)) return reviewing(row, asked, as);
  const collection = collectionOf(asked);
  const many = ['list', 'watch', 'create', 'sweep'].includes(asked.verb);
  if ((many && asked.sub !== '') || (!many && asked.name === '')) return undefined;
  if (asked.name === '' && asked.verb === 'create') return undefined;
  const item = `${collection}/${asked.name}${asked.sub === '' ? '' : `/${asked.sub}`}`;
  const method = METHODS[asked.verb] ?? 'PATCH';
  const query = [
    ...(asked.verb === 'watch' ? ['watch=true', 'timeoutSeconds=1'] : []),
    ...(many && asked.verb !== 'create' ? [`labelSelector=own%3D${asked.name || '{id}'}`] : []),
    ...(manner === 'dry-run' && method !== 'GET' ? ['dryRun=All'] : []),
    ...(manner === 'strict' && method !== 'GET' && method !== 'DELETE' ? ['fieldValidation=Strict'] : []),
    ...(asked.verb === 'apply' ? ['fieldManager=f', 'force=true'] : []),
  ];
  const path = many ? collection : item;
  const body = bodyOf(asked);
  const isPatch = method === 'PATCH';
  const accept = ACCEPT[manner];
  return {
    as,
    method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    ...(isPatch || accept !== undefined
      ? {
          headers: {
            ...(isPatch ? { 'content-type': PATCH[asked.verb as keyof typeof PATCH] } : {}),
            ...(accept === undefined ? {} : { accept }),
          },
        }
      : {}),
    ...(body === undefined ? {} : { body }),
    ...(manner === 'yaml' && body !== undefined && !isPatch ? { form: 'yaml' } : {}),
    ...(asked.verb === 'watch' ? { open: true } : {}),
  };
}
const METHODS: Readonly<Record<string, string>> = {
  ...{ get: 'GET', list: 'GET', watch: 'GET', create: 'POST', update: 'PUT', delete: 'DELETE', sweep: 'DELETE' },
};
const ACCEPT: Readonly<Record<string, string>> = {
  yaml: 'application/yaml',
  table: TABLE,
  partial: PARTIAL('PartialObjectMetadata'),
};
function bodyOf(asked: Asked): Json | undefined {
  if (asked.verb === 'json') return [{ op: 'add', path: '/metadata/labels/z', value: '1' }];
  if (asked.verb === 'merge' || asked.verb === 'strategic') return { metadata: { labels: { z: '1' } } };
  return ['create', 'update', 'apply'].includes(asked.verb) ? objectOf(asked) : undefined;
}

function reviewing(row: Row, asked: Asked, as: Person): Step | undefined {
  const step = reviewOf(row, asked, as);
  if (step === undefined) return undefined;
  const path = row.manner === 'dry-run' ? `${step.path}?dryRun=All` : step.path;
  return row.manner === 'yaml' ? { ...step, form: 'yaml', headers: { accept: 'application/yaml' } } : { ...step, path };
}

function reviewOf({ asked: how = '' }: Row, asked: Asked, as: Person): Step | undefined {
  const resourceAttributes: JsonObject = {
    verb: wordOf(asked.verb),
    group: asked.group,
    resource: asked.plural,
    ...(asked.sub === '' ? {} : { subresource: asked.sub }),
    ...(['list', 'watch', 'create', 'sweep'].includes(asked.verb) || asked.name === '' ? {} : { name: asked.name }),
    ...(asked.namespace === '' ? {} : { namespace: asked.namespace }),
  };
  const whom: JsonObject = { user: as.user, groups: [...(as.groups ?? []), 'system:authenticated'] };
  if (how === 'self') return reviewStep('SelfSubjectAccessReview', { resourceAttributes }, as);
  if (how === 'local') {
    if (asked.namespace === '') return undefined;
    return reviewStep('LocalSubjectAccessReview', { ...whom, resourceAttributes }, 'admin', asked.namespace);
  }
  return reviewStep('SubjectAccessReview', { ...whom, resourceAttributes }, 'admin');
}
