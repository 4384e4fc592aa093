import {
  API_VERBS,
  type ClauseName,
  clausesOf,
  METHODS_OF_PATHS,
  RIGHTS,
  RIGHTS_AGAIN,
  RIGHTS_GONE,
  STATUS_VERBS,
  type StatusVerb,
  VERBS_OF_EVERY_SUBRESOURCE,
  VERBS_OF_SUBRESOURCES,
} from '../../../fixtures/ledger/index.ts';
import type { Exchange } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clause,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  difference,
  givenAccount,
  grantEverywhere,
  grantHere,
  type Matcher,
  MINUTE,
  match,
  must,
  named,
  namespaces,
  on,
  PATCH_TYPES,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  should,
  userSubject,
} from '../../harness/index.ts';
import { NOWHERE } from '../authorizers.ts';
import { authorized, forbidden } from '../decisions.ts';
import { entitled } from '../persons.ts';
import { CHANGING } from '../rbac-behavior/escalation.ts';
import { about, mayThey, no, yes } from '../reviews.ts';

check(
  'AUTHZ-ATTRIBUTE-02.1',
  'each of several may send one method to a path, and one the same in upper case → that method is authorized, and no other',
  clausesOf('AUTHZ-ATTRIBUTE-02'),
  ['impersonation'],
  async ({ admin, person }) => {
    for (const granted of [...METHODS_OF_PATHS, 'upper-case'] as const) {
      const verb = granted === 'upper-case' ? 'GET' : granted;
      const somebody = person(granted);
      await entitled(admin, somebody, { everywhere: [{ verbs: [verb], nonResourceURLs: [NOWHERE] }] });
      await clause(`AUTHZ-ATTRIBUTE-02/${granted}`, async () => {
        for (const method of METHODS_OF_PATHS) {
          const answer = await somebody.request(method.toUpperCase(), NOWHERE);
          must(`${method} by a right to ${verb}`, answer, method === verb ? authorized : forbidden);
        }
      });
    }
  },
);

/** Ways in which a client may ask for a watch, or seem to; servers differ in which of them they take for one. */
const SPELLINGS = [
  'watch=1',
  'watch=True',
  'watch=TRUE',
  'watch=t',
  'watch=yes',
  'watch',
  'watch=',
  'watch=0',
  'watch=false',
  'watch=true&watch=false',
  'watch=false&watch=true',
];
const isList: Matcher<Exchange> = {
  allows: 'a list, or no success',
  differences: ({ status, json }) =>
    status !== 200 || (json as { kind?: unknown } | undefined)?.kind === 'ConfigMapList'
      ? []
      : [difference('body', 'a list', 'something else')],
};
const isNoList: Matcher<Exchange> = {
  allows: 'no list',
  differences: ({ text }) =>
    text.includes('"ConfigMapList"') ? [difference('body', 'events, or nothing', 'a list')] : [],
};

/** Judges what comes of each spelling to somebody who may list alone, and to somebody who may watch alone. */
async function spells(admin: Actor, lists: Actor, watches: Actor): Promise<void> {
  await admin.given(configMaps, named('doc'));
  await entitled(admin, lists, { here: [on(configMaps, admin.dialect, 'list')] });
  await entitled(admin, watches, { here: [on(configMaps, admin.dialect, 'watch')] });
  const path = await admin.pathOf(configMaps);
  const asked = async (spelling: string) => {
    // What comes may be events, one a line, and so no JSON as a whole.
    const headers = { accept: 'application/json, */*;q=0.1' };
    const ask = (actor: Actor) => actor.request('GET', `${path}?${spelling}&timeoutSeconds=1`, { headers });
    return [spelling, ...(await Promise.all([ask(lists), ask(watches)]))] as const;
  };
  for (const [spelling, listed, watched] of await Promise.all(SPELLINGS.map(asked))) {
    must(`${spelling} by a right to list`, listed, isList);
    must(`${spelling} by a right to watch`, watched, isNoList);
  }
}

check(
  'AUTHZ-VERB-01.1',
  'who may list alone and who may watch alone spell watch in other ways → the one gets lists and the other none, whatever is taken for a watch',
  ['AUTHZ-VERB-01', 'AUTHZ-VERB-01/spelled/acted-as'],
  ['impersonation'],
  async ({ admin, person }) => {
    await clause('AUTHZ-VERB-01/spelled/acted-as', () => spells(admin, person('lists'), person('watches')));
  },
);

check(
  'AUTHZ-VERB-01.6',
  'two accounts show their own tokens, of which one may list alone and the other watch alone, and spell watch in other ways → the one gets lists and the other none',
  ['AUTHZ-VERB-01', 'AUTHZ-VERB-01/spelled/by-oneself'],
  ['service-account-tokens'],
  async ({ admin, someone }) => {
    const account = async (name: string) => someone(name, await givenAccount(admin, name));
    await clause('AUTHZ-VERB-01/spelled/by-oneself', async () =>
      spells(admin, await account('lists'), await account('watches')),
    );
  },
);

/** Requests for the status of the namespace of the check, by the verb that each is authorized as. */
const OF_STATUS: Readonly<Record<StatusVerb, Readonly<Record<string, (actor: Actor) => Promise<Exchange>>>>> = {
  get: {
    GET: async (actor) => actor.request('GET', await own(actor, 'status')),
    HEAD: async (actor) => actor.request('HEAD', await own(actor, 'status')),
  },
  update: { PUT: async (actor) => actor.request('PUT', await own(actor, 'status'), { body: {} }) },
  patch: Object.fromEntries(
    Object.entries(PATCH_TYPES).map(([type, contentType]) => [
      `a ${type} patch`,
      async (actor: Actor) => {
        const path = `${await own(actor, 'status')}${type === 'apply' ? '?fieldManager=touchstone' : ''}`;
        const body = type === 'json' ? [] : {};
        return actor.request('PATCH', path, { headers: { 'content-type': contentType }, body });
      },
    ]),
  ),
};

check(
  'AUTHZ-VERB-01.4',
  'several may one verb each on the status of a type → its requests of that verb are authorized, and those of no other',
  clausesOf('AUTHZ-VERB-01', 'status'),
  ['impersonation'],
  async ({ admin, person }) => {
    const may = API_VERBS.map((verb) => [verb, person(verb)] as const);
    const rule = { apiGroups: [''], resources: ['namespaces/status'] };
    await Promise.all(
      may.map(([verb, somebody]) => entitled(admin, somebody, { everywhere: [{ ...rule, verbs: [verb] }] })),
    );
    for (const verb of STATUS_VERBS)
      await clause(`AUTHZ-VERB-01/${verb}/status`, async () => {
        for (const [words, ask] of Object.entries(OF_STATUS[verb]))
          for (const [held, somebody] of may)
            must(`${words} by a right to ${held}`, await ask(somebody), held === verb ? authorized : forbidden);
      });
  },
);

/** What asks for a subresource by each verb, and for what it is a subresource of. */
const SUBRESOURCES: Readonly<
  Record<
    (typeof VERBS_OF_SUBRESOURCES)[number],
    {
      readonly type: string;
      readonly subresource: string;
      readonly ask: (actor: Actor, at: string) => Promise<Exchange>;
    }
  >
> = {
  get: {
    type: 'namespaces',
    subresource: 'status',
    ask: async (actor, at) => actor.request('GET', await own(actor, at)),
  },
  update: {
    type: 'namespaces',
    subresource: 'status',
    ask: async (actor, at) => actor.request('PUT', await own(actor, at), { body: {} }),
  },
  patch: {
    type: 'namespaces',
    subresource: 'status',
    ask: async (actor, at) =>
      actor.request('PATCH', await own(actor, at), { headers: { 'content-type': PATCH_TYPES.merge }, body: {} }),
  },
  create: {
    type: 'serviceaccounts',
    subresource: 'token',
    ask: async (actor, at) =>
      actor.request('POST', await actor.pathOf(serviceAccounts, ...(at === '' ? [] : (['robot', at] as const))), {
        body: {},
      }),
  },
};
/** The namespace of the check, or a subresource of it. */
async function own(actor: Actor, subresource: string): Promise<string> {
  return actor.pathOf(namespaces, await actor.namespace(), subresource);
}

check(
  'RBAC-RULE-02.1',
  'somebody may do each verb on a type, and somebody on a subresource of it → neither may by that on the other',
  clausesOf('RBAC-RULE-02', VERBS_OF_SUBRESOURCES),
  ['impersonation'],
  async ({ admin, person }) => {
    await admin.given(serviceAccounts, named('robot'));
    for (const verb of VERBS_OF_SUBRESOURCES) {
      const { type, subresource, ask } = SUBRESOURCES[verb];
      const [whole, part] = [person(`${verb}-whole`), person(`${verb}-part`)];
      const rule = { verbs: [verb], apiGroups: [''] };
      await entitled(admin, whole, { everywhere: [{ ...rule, resources: [type] }] });
      await entitled(admin, part, { everywhere: [{ ...rule, resources: [`${type}/${subresource}`] }] });
      await clause(`RBAC-RULE-02/${verb}`, async () => {
        must('the type by a right on it', await ask(whole, ''), authorized);
        must('its subresource by the same', await ask(whole, subresource), forbidden);
        must('the subresource by a right on it', await ask(part, subresource), authorized);
        must('the type by the same', await ask(part, ''), forbidden);
      });
    }
  },
);

/** What discovery lists as `apps/v1/deployments/scale`, in its parts; the core group as `v1/pods/log`. */
function subresourcesIn(served: readonly string[]) {
  return served.flatMap((each) => {
    const parts = each.split('/');
    const [group, , resource = '', subresource] = /^v\d/.test(parts[0] ?? '') ? ['', ...parts] : parts;
    return subresource === undefined ? [] : [{ group: group ?? '', resource, subresource }];
  });
}

check(
  'RBAC-RULE-02.4',
  'somebody may everything on all types that have subresources → nothing on any subresource by that',
  clausesOf('RBAC-RULE-02', VERBS_OF_EVERY_SUBRESOURCE),
  ['impersonation'],
  async ({ admin, person, target }) => {
    const all = subresourcesIn(target.served);
    const ada = person('ada');
    const resources = [...new Set(all.map(({ resource }) => resource))];
    await entitled(admin, ada, { everywhere: [{ verbs: ['*'], apiGroups: ['*'], resources }] });
    const namespace = await admin.namespace();
    for (const word of VERBS_OF_EVERY_SUBRESOURCE) {
      await clause(`RBAC-RULE-02/${word}`, async () => {
        const verb = word.replace('every-', '');
        const ask = (each: (typeof all)[number]) =>
          mayThey(admin, { user: ada.user }, { verb, ...each, namespace, name: 'any' });
        const answers = await Promise.all(all.map(async (each) => [each, await ask(each)] as const));
        for (const [{ resource, subresource }, answer] of answers)
          must(`${verb} ${resource}/${subresource}`, answer, no);
        must('what it belongs to', await ask({ ...(all[0] ?? { group: '', resource: 'pods' }), subresource: '' }), yes);
      });
    }
  },
);

check(
  'RBAC-RULE-08.1',
  'roles and bindings that give a right are changed in every way and deleted → the right is gone soon after, whichever it was',
  clausesOf('RBAC-RULE-08', ['changed', 'deleted', 'put', 'json', 'strategic', 'apply']),
  ['impersonation'],
  async ({ admin, person, dialect }) => {
    await Promise.all(
      RIGHTS.map(async (right) => {
        const [plural, fate] = right.split('/');
        const name = right.replace('/', '-');
        const somebody = person(name);
        const wide = plural === 'clusterroles' || plural === 'clusterrolebindings';
        const grant = wide ? grantEverywhere : grantHere;
        await grant(admin, somebody, dialect, [on(configMaps, dialect, 'list')], name);
        const [role, binding] = wide ? [clusterRoles, clusterRoleBindings] : [roles, roleBindings];
        const isRole = plural === role.plural;
        await clause(`RBAC-RULE-08/${right}` as ClauseName, async () => {
          must('the right is there', await should(() => somebody.list(configMaps), match.status(200)));
          const subjects = [{ ...userSubject(somebody, dialect), name: `${somebody.user}-other` }];
          const change = isRole ? { rules: [on(secrets, dialect, 'list')] } : { subjects };
          const kind = isRole ? role : binding;
          const live = (await admin.get(kind, name)).json as object;
          const write = CHANGING[(fate === 'changed' ? 'merge' : fate) as keyof typeof CHANGING];
          await admin.prepare((actor) =>
            fate === 'deleted' ? actor.delete(kind, name) : write(actor, kind, live, name, change),
          );
          must('it is gone', await should(() => somebody.list(configMaps), forbidden));
          if (isRole && fate !== 'deleted')
            must('another is there', await should(() => somebody.list(secrets), match.status(200)));
          if (isRole || fate === 'deleted') return;
          const question = about(configMaps, admin, 'list', { namespace: await admin.namespace() });
          const other = () => mayThey(admin, { user: `${somebody.user}-other` }, question);
          must('whom it names now has the right', await should(other, yes));
        });
      }),
    );
  },
);

check(
  'RBAC-RULE-08.4',
  'roles and bindings that give a right are deleted and made anew under their names → the right is gone, and there again',
  clausesOf('RBAC-RULE-08', 'again'),
  ['impersonation'],
  async ({ admin, person, dialect }) => {
    await Promise.all(
      RIGHTS_AGAIN.map(async (right) => {
        const [plural] = right.split('/');
        const name = right.replace('/', '-');
        const somebody = person(name);
        const wide = plural === 'clusterroles' || plural === 'clusterrolebindings';
        await (wide ? grantEverywhere : grantHere)(admin, somebody, dialect, [on(configMaps, dialect, 'list')], name);
        const [role, binding] = wide ? [clusterRoles, clusterRoleBindings] : [roles, roleBindings];
        const kind = plural === role.plural ? role : binding;
        await clause(`RBAC-RULE-08/${right}` as ClauseName, async () => {
          must('the right is there', await should(() => somebody.list(configMaps), match.status(200)));
          const { metadata: _, ...content } = (await admin.get(kind, name)).json as { readonly metadata: unknown };
          await admin.prepare((actor) => actor.delete(kind, name));
          must('it is gone', await should(() => somebody.list(configMaps), forbidden));
          await admin.given(kind, { ...content, ...named(name) });
          must('it is there again', await should(() => somebody.list(configMaps), match.status(200)));
        });
      }),
    );
  },
);

check(
  'RBAC-RULE-08.3',
  'all roles or bindings of a namespace are deleted at once, and the namespace is → the rights by them are gone soon after',
  clausesOf('RBAC-RULE-08', ['collection', 'namespace']),
  ['impersonation', 'controllers'],
  async ({ admin, person, dialect }) => {
    await Promise.all(
      RIGHTS_GONE.map(async (right) => {
        const [plural, fate] = right.split('/');
        const name = right.replace('/', '-');
        const { metadata } = await admin.given(namespaces, { metadata: { name } });
        const [at, somebody] = [admin.in(metadata.name), person(name).in(metadata.name)];
        await grantHere(at, somebody, dialect, [on(configMaps, dialect, 'list')], name);
        await clause(`RBAC-RULE-08/${right}`, async () => {
          must('the right is there', await should(() => somebody.list(configMaps), match.status(200)));
          await admin.prepare(() =>
            fate === 'namespace'
              ? at.request('DELETE', `/api/v1/namespaces/${metadata.name}`)
              : at.deleteAll(plural === 'roles' ? roles : roleBindings),
          );
          // A controller empties a namespace that is deleted, type by type, and those of other checks beside it.
          const patience = fate === 'namespace' ? { within: MINUTE } : {};
          must('it is gone', await should(() => somebody.list(configMaps), forbidden, patience));
        });
      }),
    );
  },
);
