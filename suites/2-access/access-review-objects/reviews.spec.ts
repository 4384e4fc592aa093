import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import {
  type BoundSubject,
  clausesOf,
  REVIEW_MANNERS,
  type ReviewManner,
  SCOPES_OF_RULES,
  type ScopeOfRules,
} from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  authorizationWebhook,
  check,
  clause,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  givenAccount,
  grantEverywhere,
  grantHere,
  groupOf,
  isRecord,
  type JsonObject,
  leases,
  load,
  match,
  must,
  named,
  on,
  roleBindings,
  roles,
  should,
  unsupported,
} from '../../harness/index.ts';
import { asks, attributesIn, byFile, known, NOWHERE, RBAC } from '../authorizers.ts';
import { entitled } from '../persons.ts';
import { about, mayI, mayThey, mayTheyIn, no, type ReviewedAttributes, review, reviewsPaths, yes } from '../reviews.ts';

check(
  'REVIEW-SELF-01.1',
  'the stranger reviews what they may do → it agrees with what the request meets',
  ['REVIEW-SELF-01'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('doc'));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'get')]);
    const there = { namespace: await stranger.namespace(), name: 'doc' };
    must('the request is allowed', await should(() => stranger.get(configMaps, 'doc'), match.status(200)));
    must('so says the review', await mayI(stranger, about(configMaps, stranger, 'get', there)), yes);
    must('another is not allowed', await stranger.delete(configMaps, 'doc'), match.status(403));
    must('so says the review of that', await mayI(stranger, about(configMaps, stranger, 'delete', there)), no);
  },
);

check(
  'REVIEW-SELF-01.2',
  'the stranger reviews paths → it agrees with what the request meets',
  ['REVIEW-SELF-01'],
  async ({ admin, stranger, dialect }) => {
    await reviewsPaths(admin);
    const path = '/touchstone/reviewed';
    await grantEverywhere(admin, stranger, dialect, [{ verbs: ['get'], nonResourceURLs: [path] }]);
    must('the request is allowed', await should(() => stranger.request('GET', path), match.status(404)));
    must('so says the review', await mayI(stranger, { verb: 'get', path }), yes);
    must('another method is not', await mayI(stranger, { verb: 'post', path }), no);
    must('another path is not', await mayI(stranger, { verb: 'get', path: '/touchstone/other' }), no);
  },
);

/** Questions that differ from what is granted, which is to get the config map `doc` here, in one attribute each. */
const OTHERS: Readonly<Record<string, object>> = {
  name: { name: 'other' },
  'name, none': { name: undefined },
  verb: { verb: 'delete' },
  'verb, every': { verb: '*' },
  resource: { resource: 'secrets' },
  'resource, every': { resource: '*' },
  group: { group: 'apps' },
  'group, every': { group: '*' },
  subresource: { subresource: 'status' },
  namespace: { namespace: 'default' },
  'namespace, none': { namespace: undefined },
};

for (const [kind, clauses] of [
  ['SelfSubjectAccessReview', 'REVIEW-SELF-01'],
  ['SubjectAccessReview', 'REVIEW-SUBJECT-01'],
  ['LocalSubjectAccessReview', 'REVIEW-LOCAL-01'],
] as const) {
  check(
    `${clauses}.3/${kind}`,
    `a ${kind} asks for what is granted, and for what differs in one attribute → yes, and no for each other`,
    [clauses],
    async ({ admin, person, dialect }) => {
      const [ada, group] = [person('ada', { groups: ['touchstone-readers'] }), 'touchstone-readers'];
      const apiGroup = groupOf(roles, dialect);
      const rule = { ...on(configMaps, dialect, 'get'), resourceNames: ['doc'] };
      await admin.given(roles, named('reading', { rules: [rule] as never[] }));
      const roleRef = { apiGroup, kind: 'Role', name: 'reading' };
      const subjects = [{ kind: 'Group', name: group, apiGroup }];
      await admin.given(roleBindings, named('reading', { roleRef, subjects }));
      const here = await admin.namespace();
      const question = { verb: 'get', group: '', resource: 'configmaps', name: 'doc', namespace: here };
      const ask = (more: object, groups: readonly string[] = [group]) => {
        const asked = { ...question, ...more };
        if (kind === 'SelfSubjectAccessReview') return mayI(groups.length > 0 ? ada : person('bea'), asked);
        const whom = { user: ada.user, groups };
        return kind === 'SubjectAccessReview' ? mayThey(admin, whom, asked) : mayTheyIn(admin, here, whom, asked);
      };
      must('what is granted', await should(() => ask({}), yes));
      for (const [what, more] of Object.entries(OTHERS)) {
        // A review of one namespace is about that: another one is refused, and none may be taken for it.
        if (kind === 'LocalSubjectAccessReview' && what.startsWith('namespace')) continue;
        must(`another ${what}`, await ask(more), no);
      }
      must('somebody outside of the group', await ask({}, []), no);
      must('the request agrees', await ada.get(configMaps, 'doc'), match.status(404));
      must('and that for another name', await ada.get(configMaps, 'other'), match.status(403));
      await admin.prepare((actor) => actor.delete(roleBindings, 'reading'));
      must('what is granted no more', await should(() => ask({}), no));
    },
  );
}

check(
  'REVIEW-SELF-01.5',
  'somebody has a right in namespace default alone → reviews say so of it, and neither of all namespaces nor of another one',
  ['REVIEW-SELF-01', 'REVIEW-SUBJECT-01'],
  ['impersonation'],
  async ({ admin, person, dialect, space }) => {
    const ada = person('ada');
    const there = admin.in('default');
    const rules = [on(configMaps, dialect, 'list'), { ...on(configMaps, dialect, 'get'), resourceNames: ['doc'] }];
    await grantHere(there, ada, dialect, rules, `${space.prefix}-reading`);
    const asking = {
      'of oneself': (question: ReviewedAttributes) => mayI(ada, question),
      'of somebody': (question: ReviewedAttributes) => mayThey(admin, { user: ada.user }, question),
    };
    const here = await admin.namespace();
    for (const [whose, ask] of Object.entries(asking)) {
      for (const [verb, more] of [
        ['list', {}],
        ['get', { name: 'doc' }],
      ] as const) {
        const question = about(configMaps, admin, verb, more);
        const within = (namespace: string) => ask({ ...question, namespace } as ReviewedAttributes);
        must(`${verb} there, ${whose}`, await should(() => within('default'), yes));
        must(`${verb} in all namespaces, ${whose}`, await ask(question), no);
        must(`${verb} in namespace "", ${whose}`, await within(''), no);
        must(`${verb} in another, ${whose}`, await within(here), no);
      }
    }
    must('the request agrees', await ada.listEverywhere(configMaps), match.status(403));
  },
);

/** A review sent in some manner, and what its answer says. */
async function reviewed(actor: Actor, kind: string, spec: object, namespace: string, manner: ReviewManner) {
  const apiVersion = `${groupName(actor.dialect, 'authorization')}/v1`;
  const isLocal = kind === 'LocalSubjectAccessReview';
  const within = isLocal ? `/namespaces/${namespace}` : '';
  const metadata = isLocal ? { namespace } : {};
  const query = manner.startsWith('dry-run') ? '?dryRun=All' : '';
  const path = `/apis/${apiVersion}${within}/${kind.toLowerCase()}s${query}`;
  const whole = { apiVersion, kind, metadata, spec };
  if (manner.endsWith('with-status')) {
    const post = (status: object) => actor.request('POST', path, { body: { ...whole, status } });
    const [yes, no] = [await post({ allowed: true }), await post({ allowed: false, denied: true })];
    // The answer alone is in the status: a server may refuse to be given one.
    if (yes.status >= 400 && no.status >= 400) unsupported('it takes no review with a status');
    must(`a ${kind}, ${manner}`, yes, match.created);
    const allowed = isRecord(yes.json) && isRecord(yes.json.status) ? yes.json.status.allowed === true : false;
    const same = match.field('status.allowed', allowed ? true : match.empty);
    must('it answers the same whatever status is posted', no, match.created, same);
    return yes.json;
  }
  const text = Object.entries(whole)
    .map(([member, value]) => `${member}: ${JSON.stringify(value)}\n`)
    .join('');
  const answer = await actor.request('POST', path, {
    headers: {
      ...(manner === 'yaml' ? { accept: 'application/yaml' } : {}),
      'content-type': manner === 'yaml-body' ? 'application/yaml' : 'application/json',
    },
    body: manner === 'yaml-body' ? text : whole,
  });
  must(`a ${kind}, ${manner}`, answer, match.created);
  return manner === 'yaml' ? load(answer.text) : answer.json;
}

const REVIEWS = {
  SelfSubjectAccessReview: 'REVIEW-SELF-01',
  SubjectAccessReview: 'REVIEW-SUBJECT-01',
  LocalSubjectAccessReview: 'REVIEW-LOCAL-01',
} as const;

check(
  'REVIEW-SELF-01.3',
  'reviews of each kind are written in YAML, wanted in YAML and tried by a dry run → yes to what is granted, and no to something else',
  [...clausesOf('REVIEW-SELF-01'), ...clausesOf('REVIEW-SUBJECT-01'), ...clausesOf('REVIEW-LOCAL-01')],
  ['impersonation'],
  async ({ admin, person, dialect }) => {
    const ada = person('ada');
    await entitled(admin, ada, { here: [{ ...on(configMaps, dialect, 'get'), resourceNames: ['doc'] }] });
    const namespace = await admin.namespace();
    const question = { verb: 'get', group: '', resource: 'configmaps', name: 'doc', namespace };
    for (const [kind, id] of Object.entries(REVIEWS)) {
      const [asking, whom] = kind === 'SelfSubjectAccessReview' ? [ada, {}] : [admin, { user: ada.user }];
      for (const manner of REVIEW_MANNERS) {
        await clause(`${id}/${manner}`, async () => {
          const ask = (more: object) =>
            reviewed(asking, kind, { ...whom, resourceAttributes: { ...question, ...more } }, namespace, manner);
          must('what is granted', await ask({}), match.at('status.allowed', true));
          for (const [what, more] of Object.entries(OTHERS)) {
            if (kind === 'LocalSubjectAccessReview' && what.startsWith('namespace')) continue;
            must(`another ${what}`, await ask(more), match.at('status.allowed', match.empty));
          }
        });
      }
    }
  },
);

/** Names that are numbers, truths, nothing and times for who forgets that they are texts, and others that mean the same. */
const LOOKALIKES = {
  '1234': '01234',
  '1e3': '1000',
  true: 'True',
  null: '~',
  '2030-01-01': '2030-01-01T00:00:00Z',
} as const;

check(
  'REVIEW-SUBJECT-01.2',
  'reviews in YAML and as a dry run ask for users whose names look like other values, and for such as mean the same → yes to who has the right, and no to the others',
  [...clausesOf('REVIEW-SUBJECT-01'), ...clausesOf('REVIEW-LOCAL-01')],
  async ({ admin, dialect }) => {
    const apiGroup = groupOf(roles, dialect);
    await admin.given(roles, named('reading', { rules: [on(configMaps, dialect, 'get')] as never[] }));
    const roleRef = { apiGroup, kind: 'Role', name: 'reading' };
    const subjects = Object.keys(LOOKALIKES).map((name) => ({ kind: 'User', name, apiGroup }));
    await admin.given(roleBindings, named('reading', { roleRef, subjects }));
    const namespace = await admin.namespace();
    const question = { verb: 'get', group: '', resource: 'configmaps', namespace };
    // A server may see roles and bindings a moment after they were stored.
    must('what is granted', await should(() => mayThey(admin, { user: '1234' }, question), yes));
    for (const [kind, id] of Object.entries(REVIEWS).filter(([kind]) => !kind.startsWith('Self'))) {
      for (const manner of REVIEW_MANNERS) {
        await clause(`${id}/${manner}`, async () => {
          const ask = (user: string) =>
            reviewed(admin, kind, { user, resourceAttributes: question }, namespace, manner);
          for (const [user, other] of Object.entries(LOOKALIKES)) {
            must(`${user} may`, await ask(user), match.at('status.allowed', true));
            must(`${other} is somebody else`, await ask(other), match.at('status.allowed', match.empty));
          }
        });
      }
    }
  },
);

const denying = byFile([asks('denying'), RBAC]);

check(
  'REVIEW-STATUS-01.1',
  'reviews are asked of a server with an authorizer that allows, denies or has no opinion → allowed or not, and denied, never both',
  ['REVIEW-STATUS-01'],
  { setup: denying },
  async ({ admin, someone, services }) => {
    const hook = await services.get(authorizationWebhook, 'denying');
    const namespace = await admin.namespace();
    for (const [decision, isAllowed, isDenied] of [
      ['allow', true, match.empty],
      ['deny', match.empty, true],
      // Nobody's opinion is a denial too (2/authorization/2).
      ['no opinion', match.empty, match.either(match.empty, match.equal(true))],
    ] as const) {
      const user = `denying-${decision.replace(' ', '-')}`;
      hook.decide(user, decision);
      const question = about(configMaps, admin, 'list', { namespace });
      const itself = await known({ someone, services }, user, ['touchstone-self']);
      const path = { verb: 'get', path: NOWHERE };
      for (const answer of [
        await mayThey(admin, { user }, question),
        await mayTheyIn(admin, namespace, { user }, question),
        await mayThey(admin, { user }, path),
        // Who is denied everything may not ask about themselves either.
        ...(decision === 'deny' ? [] : [await mayI(itself, question), await mayI(itself, path)]),
      ]) {
        const seen = must(`a review of "${decision}"`, answer, match.created);
        must('allowed', seen, match.field('status.allowed', isAllowed));
        must('denied', seen, match.field('status.denied', isDenied));
      }
    }
  },
);

check(
  'REVIEW-SUBJECT-01.4',
  'reviews describe a user with groups and extra, and what is asked in full → an authorizer is asked just that',
  ['REVIEW-SUBJECT-01', 'REVIEW-LOCAL-01'],
  { setup: denying },
  async ({ admin, services }) => {
    const hook = await services.get(authorizationWebhook, 'denying');
    const namespace = await admin.namespace();
    const attributes = { group: 'apps', resource: 'deployments', subresource: 'scale', name: 'doc', namespace };
    const extra = { scopes: ['reading', 'writing'], 'example.com/places': ['here'] };
    for (const kind of ['SubjectAccessReview', 'LocalSubjectAccessReview']) {
      const user = `described-${kind.toLowerCase()}`;
      hook.decide(user, 'allow');
      const spec = { user, groups: ['staff', 'guests'], extra, resourceAttributes: { ...attributes, verb: 'patch' } };
      const within = kind === 'LocalSubjectAccessReview' ? namespace : '';
      must('it is allowed', await review(admin, kind, spec, within), yes);
      const [asked] = hook.asked(user);
      must(`the groups of a ${kind}`, asked?.spec.groups, match.equal(['staff', 'guests']));
      must('its extra', asked?.spec.extra, match.equal(extra));
      must('what it asks', asked && attributesIn(asked), match.including({ ...attributes, verb: 'patch' }));
    }
  },
);

check(
  'REVIEW-SELF-01.4',
  'an account is bound by its group and reviews itself → it is told what its group has, and no more when that is taken away',
  ['REVIEW-SELF-01', 'REVIEW-RULES-01'],
  ['service-account-tokens'],
  async ({ admin, someone, dialect, space }) => {
    const robot = someone('robot', await givenAccount(admin, 'robot'));
    const namespace = await admin.namespace();
    const apiGroup = groupOf(roles, dialect);
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: [`${space.prefix}-of-accounts`] }];
    await admin.given(roles, named('group', { rules: rules as never[] }));
    const subjects = [{ kind: 'Group', name: `system:serviceaccounts:${namespace}`, apiGroup }];
    await admin.given(roleBindings, named('group', { subjects, roleRef: { apiGroup, kind: 'Role', name: 'group' } }));
    const question = { verb: 'get', group: '', resource: `${space.prefix}-of-accounts`, namespace };
    const tells = (is: boolean) =>
      match.field(
        'status',
        told(`${is ? '' : 'not '}of accounts`, (text) => text.includes(`${space.prefix}-of-accounts`) === is),
      );
    const rulesOf = () => review(robot, 'SelfSubjectRulesReview', { namespace });
    must('what its group has', await should(() => mayI(robot, question), yes));
    must('as a rule', await should(rulesOf, match.both(match.created, tells(true))));
    await admin.prepare((actor) => actor.delete(roleBindings, 'group'));
    must('no more', await should(() => mayI(robot, question), no));
    must('nor as a rule', await should(rulesOf, match.both(match.created, tells(false))));
  },
);

check(
  'REVIEW-SUBJECT-01.1',
  'the admin reviews for a user and for a group → each has what a binding gives them',
  ['REVIEW-SUBJECT-01', 'REVIEW-SUBJECT-02', 'REVIEW-STATUS-01'],
  async ({ admin, dialect, space }) => {
    const [user, group] = [`${space.prefix}-user`, `${space.prefix}-group`];
    await admin.given(roles, named('listing', { rules: [on(configMaps, dialect, 'list')] as never[] }));
    const apiGroup = groupOf(roles, dialect);
    await admin.given(roleBindings, {
      ...named('listing'),
      roleRef: { apiGroup, kind: 'Role', name: 'listing' },
      subjects: [
        { kind: 'User', name: user, apiGroup },
        { kind: 'Group', name: group, apiGroup },
      ],
    });
    const question = about(configMaps, admin, 'list', { namespace: await admin.namespace() });
    const neverBoth = match.field('status.denied', match.empty);
    must('the user may', await should(() => mayThey(admin, { user }, question), match.both(yes, neverBoth)));
    must(
      'a member may',
      await mayThey(admin, { user: 'touchstone-nobody', groups: [group] }, question),
      yes,
      neverBoth,
    );
    for (const groups of [
      ['first', group],
      ['first', 'second', group],
      [group, 'first'],
      ['first', group, 'third', 'fourth'],
      [...Array.from({ length: 20 }, (_, at) => `other-${at}`), group],
    ]) {
      const whom = { user: 'touchstone-nobody', groups };
      must(`a member of ${groups.length} groups may`, await mayThey(admin, whom, question), yes);
      const within = await mayTheyIn(admin, await admin.namespace(), whom, question);
      must('and so says a review of the namespace', within, yes);
    }
    must('the group alone may', await mayThey(admin, { groups: [group] }, question), yes, neverBoth);
    must('somebody else may not', await mayThey(admin, { user: 'touchstone-nobody', groups: ['none'] }, question), no);
    const other = about(leases, admin, 'list', { namespace: await admin.namespace() });
    must('nor may the user do something else', await mayThey(admin, { user }, other), no);
  },
);

check(
  'REVIEW-SUBJECT-02.1',
  'the admin reviews for a group that v1beta1 would name in spec.group → it counts for nobody',
  ['REVIEW-SUBJECT-02'],
  async ({ admin, dialect, space }) => {
    const group = `${space.prefix}-group`;
    await admin.given(roles, named('listing', { rules: [on(configMaps, dialect, 'list')] as never[] }));
    const apiGroup = groupOf(roles, dialect);
    const roleRef = { apiGroup, kind: 'Role', name: 'listing' };
    await admin.given(roleBindings, {
      ...named('listing'),
      roleRef,
      subjects: [{ kind: 'Group', name: group, apiGroup }],
    });
    const here = await admin.namespace();
    const question = about(configMaps, admin, 'list', { namespace: here });
    const whom = { user: 'touchstone-nobody', groups: [group] };
    must('as groups it does', await should(() => mayThey(admin, whom, question), yes));
    const old = { user: 'touchstone-nobody', group: [group] };
    const unheard = match.either(no, match.refusal);
    const spec = { ...old, resourceAttributes: question };
    must('as group it does not', await review(admin, 'SubjectAccessReview', spec), unheard);
    must('nor within its namespace', await review(admin, 'LocalSubjectAccessReview', spec, here), unheard);
  },
);

check(
  'REVIEW-LOCAL-01.1',
  'the admin reviews within a namespace → it is answered for that namespace, and another one is refused',
  ['REVIEW-LOCAL-01'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')]);
    const [here, there] = [await admin.namespace(), await admin.elsewhere().namespace()];
    const ask = (within: string, asked: string) =>
      mayTheyIn(admin, within, { user: stranger.user }, about(configMaps, admin, 'list', { namespace: asked }));
    must('here they may', await should(() => ask(here, here), yes));
    must('there they may not', await ask(there, there), no);
    must('what is asked is the namespace of the path', await ask(there, here), match.refusal);
  },
);

check(
  'REVIEW-RULES-01.1',
  'the stranger asks for the rules that hold in a namespace → what roles of it and of the cluster grant them, and nothing else',
  ['REVIEW-RULES-01'],
  async ({ admin, stranger, dialect, space }) => {
    const rule = (resource: string) => ({
      verbs: ['list'],
      apiGroups: [''],
      resources: [`${space.prefix}-${resource}`],
    });
    const path = `/touchstone/${space.prefix}`;
    const one = { ...rule('named'), resourceNames: [`${space.prefix}-one`] };
    const part = { ...rule('parts/status'), verbs: ['patch'] };
    const own = { ...rule('owned'), apiGroups: [`${space.prefix}.example.com`] };
    await grantHere(admin, stranger, dialect, [rule('mine'), one, part, own]);
    await grantEverywhere(admin, stranger, dialect, [rule('wide'), { verbs: ['get'], nonResourceURLs: [path] }]);
    await grantHere(admin.elsewhere(), stranger, dialect, [rule('elsewhere')]);
    const apiGroup = groupOf(roles, dialect);
    await admin.given(roles, named('others', { rules: [rule('others')] as never[] }));
    await admin.given(roleBindings, {
      ...named('others'),
      roleRef: { apiGroup, kind: 'Role', name: 'others' },
      subjects: [{ kind: 'User', name: `${stranger.user}-other`, apiGroup }],
    });
    const namespace = await stranger.namespace();
    // How the answer is divided is not in the text: what has to be there is looked for wherever it stands.
    const telling = (word: string, is = true) =>
      match.field(
        'status',
        told(`${is ? '' : 'not '}${word}`, (text) => text.includes(word) === is),
      );
    const ask = () => review(stranger, 'SelfSubjectRulesReview', { namespace });
    const mine = match.both(match.created, telling(`${space.prefix}-mine`));
    const answer = must('a role of the namespace', await should(ask, mine));
    must('a role of the cluster', answer, telling(`${space.prefix}-wide`));
    must('the name that a rule is for', answer, telling(`${space.prefix}-one`));
    must('a part of objects', answer, telling(`${space.prefix}-parts/status`));
    must('what is of another group', answer, telling(`${space.prefix}-owned`));
    must('the group', answer, telling(`${space.prefix}.example.com`));
    must('its paths', answer, telling(path));
    must('what everybody may', answer, telling('selfsubjectaccessreviews'));
    must('none of another namespace', answer, telling(`${space.prefix}-elsewhere`, false));
    must('none of another user', answer, telling(`${space.prefix}-others`, false));
  },
);

const told = (word: string, holds: (text: string) => boolean) =>
  match.valueMatcher(`an answer that tells ${word}`, (value) => holds(JSON.stringify(value) ?? ''));

check(
  'REVIEW-PERMISSION-01.1',
  'the stranger asks about others → forbidden, until the right to create such reviews is granted',
  ['REVIEW-PERMISSION-01'],
  async ({ admin, stranger, dialect }) => {
    const namespace = await stranger.namespace();
    const question = about(configMaps, stranger, 'list', { namespace });
    const asking = {
      SubjectAccessReview: () => mayThey(stranger, { user: 'touchstone-nobody' }, question),
      LocalSubjectAccessReview: () => mayTheyIn(stranger, namespace, { user: 'touchstone-nobody' }, question),
    };
    for (const [kind, ask] of Object.entries(asking)) must(`a ${kind}`, await ask(), match.status(403));
    const apiGroups = [`authorization.${dialect.apiDomain}`];
    const resources = Object.keys(asking).map((kind) => `${kind.toLowerCase()}s`);
    await grantEverywhere(admin, stranger, dialect, [{ verbs: ['create'], apiGroups, resources }]);
    for (const [kind, ask] of Object.entries(asking)) {
      must(`a ${kind} is allowed now`, await should(ask, match.created));
    }
  },
);

check(
  'REVIEW-PERMISSION-01.2',
  'somebody may create reviews of access within one namespace → they are answered there, and forbidden elsewhere and for all',
  ['REVIEW-PERMISSION-01'],
  ['impersonation'],
  async ({ admin, person, dialect }) => {
    const bea = person('bea');
    const apiGroups = [`authorization.${dialect.apiDomain}`];
    const resources = ['localsubjectaccessreviews', 'subjectaccessreviews'];
    await grantHere(admin, bea, dialect, [{ verbs: ['create'], apiGroups, resources }]);
    const ask = async (at: typeof admin) => {
      const namespace = await at.namespace();
      return mayTheyIn(bea, namespace, { user: 'touchstone-nobody' }, about(configMaps, admin, 'list', { namespace }));
    };
    must('here', await should(() => ask(admin), match.created));
    must('elsewhere', await ask(admin.elsewhere()), match.status(403));
    const everywhere = about(configMaps, admin, 'list', { namespace: await admin.namespace() });
    must('for all', await mayThey(bea, { user: 'touchstone-nobody' }, everywhere), match.status(403));
  },
);

check(
  'REVIEW-RULES-01.2',
  'somebody in a group asks for the rules that hold in a namespace → those that the group has there too, and none of another group',
  ['REVIEW-RULES-01'],
  ['impersonation'],
  async ({ admin, person, dialect, space }) => {
    const apiGroup = groupOf(roles, dialect);
    const namespace = await admin.namespace();
    for (const group of ['staff', 'guests']) {
      const rule = { verbs: ['list'], apiGroups: [''], resources: [`${space.prefix}-of-${group}`] };
      await admin.given(roles, named(group, { rules: [rule] as never[] }));
      const roleRef = { apiGroup, kind: 'Role', name: group };
      const subjects = [{ kind: 'Group', name: `${space.prefix}-${group}`, apiGroup }];
      await admin.given(roleBindings, named(group, { roleRef, subjects }));
    }
    const ada = person('ada', { groups: [`${space.prefix}-staff`] });
    const tells = (word: string, is: boolean) =>
      match.field(
        'status',
        told(`${is ? '' : 'not '}${word}`, (text) => text.includes(word) === is),
      );
    const ask = () => review(ada, 'SelfSubjectRulesReview', { namespace });
    const answer = must('what their group has', await should(ask, tells(`${space.prefix}-of-staff`, true)));
    must('not what another has', answer, tells(`${space.prefix}-of-guests`, false));
  },
);

/** Binds a subject to what tells one rule, in each way; out: the name of what each rule is about. */
async function boundInEveryWay(
  by: Actor,
  dialect: Dialect,
  subject: JsonObject,
): Promise<Record<ScopeOfRules, string>> {
  const apiGroup = groupOf(roles, dialect);
  const word = String(subject.kind).toLowerCase();
  const about = (way: ScopeOfRules) => `${by.space.prefix}-${way}-of-${word}`;
  for (const way of SCOPES_OF_RULES) {
    const name = `${way}-${word}`;
    const kind = way === 'role' ? roles : clusterRoles;
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: [about(way)] }];
    const role = await by.given(kind, named(name, { rules: rules as never[] }));
    const roleRef = { apiGroup, kind: kind.kind, name: role.metadata.name };
    const bindings = way === 'cluster-role' ? clusterRoleBindings : roleBindings;
    await by.given(bindings, { ...named(name), roleRef, subjects: [subject] });
  }
  return Object.fromEntries(SCOPES_OF_RULES.map((way) => [way, about(way)])) as Record<ScopeOfRules, string>;
}

/** That the rules of somebody are told by whatever binds them. */
async function tellsEach(by: Actor, subject: BoundSubject, bound: Readonly<Record<ScopeOfRules, string>>) {
  const namespace = await by.namespace();
  for (const way of SCOPES_OF_RULES) {
    const tells = match.field(
      'status',
      told(bound[way], (text) => text.includes(bound[way])),
    );
    await clause(`REVIEW-RULES-01/${way}/${subject}`, async () => {
      const ask = () => review(by, 'SelfSubjectRulesReview', { namespace });
      must(`what a ${way} gives to a ${subject}`, await should(ask, match.both(match.created, tells)));
    });
  }
}

check(
  'REVIEW-RULES-01.4',
  'somebody and their group are bound here and everywhere, to roles and cluster roles → the rules of each are told',
  clausesOf('REVIEW-RULES-01', ['user', 'group']),
  ['impersonation'],
  async ({ admin, person, dialect, space }) => {
    const apiGroup = groupOf(roles, dialect);
    const ada = person('ada', { groups: [`${space.prefix}-staff`] });
    const users = await boundInEveryWay(admin, dialect, { kind: 'User', name: String(ada.user), apiGroup });
    const groups = await boundInEveryWay(admin, dialect, { kind: 'Group', name: `${space.prefix}-staff`, apiGroup });
    await tellsEach(ada, 'user', users);
    await tellsEach(ada, 'group', groups);
  },
);

check(
  'REVIEW-RULES-01.5',
  'an account is bound here and everywhere, to roles and cluster roles → the rules of each are told',
  clausesOf('REVIEW-RULES-01', 'account'),
  ['service-account-tokens'],
  async ({ admin, someone, dialect }) => {
    const robot = someone('robot', await givenAccount(admin, 'robot'));
    const subject = { kind: 'ServiceAccount', name: 'robot', namespace: await admin.namespace() };
    await tellsEach(robot, 'account', await boundInEveryWay(admin, dialect, subject));
  },
);

check(
  'REVIEW-RULES-01.3',
  'somebody who has rules of several verbs, groups, types, names and paths asks for them → each of all is told',
  clausesOf('REVIEW-RULES-01', ['lists', 'paths']),
  ['impersonation'],
  async ({ admin, person, dialect, space }) => {
    const several = (what: string) => ['one', 'two', 'three'].map((each) => `${space.prefix}-${what}-${each}`);
    const lists = {
      verbs: several('verb'),
      apiGroups: several('group').map((group) => `${group}.example.com`),
      resources: several('type'),
      resourceNames: several('name'),
    };
    const paths = { verbs: several('method'), nonResourceURLs: several('path').map((path) => `/touchstone/${path}`) };
    const ada = person('ada');
    const more = { ...lists, verbs: several('other') };
    await grantHere(admin, ada, dialect, [lists, more]);
    await grantEverywhere(admin, ada, dialect, [paths]);
    const namespace = await ada.namespace();
    const ask = () => review(ada, 'SelfSubjectRulesReview', { namespace });
    const telling = (words: readonly string[]) =>
      match.field(
        'status',
        told(words.join(', '), (text) => words.every((word) => text.includes(`"${word}"`))),
      );
    for (const [name, rule] of [
      ['REVIEW-RULES-01/lists', lists],
      ['REVIEW-RULES-01/lists', more],
      ['REVIEW-RULES-01/paths', paths],
    ] as const) {
      await clause(name, async () => {
        for (const [member, words] of Object.entries(rule))
          must(`each of the ${member}`, await should(ask, match.both(match.created, telling(words))));
      });
    }
  },
);

/** What a rule of a review gives: each member names what it is about, and names that are not there are all names. */
interface ToldRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
/** Whether one of the rules that an answer tells gives a single action, which is told as a rule too. */
const gives = (action: ToldRule) =>
  match.valueMatcher('rules that give it', (status) => {
    const rules = Object.values(isRecord(status) ? status : {}).flatMap((each) => (Array.isArray(each) ? each : []));
    const has = (member: keyof ToldRule, rule: ToldRule) =>
      (rule[member] ?? []).some((word) => word === '*' || word === action[member]?.[0]);
    return rules.filter(isRecord).some((rule: ToldRule) => {
      if (action.nonResourceURLs) return has('nonResourceURLs', rule) && has('verbs', rule);
      const isNamed = (rule.resourceNames ?? []).length === 0 || has('resourceNames', rule);
      return isNamed && (['verbs', 'apiGroups', 'resources'] as const).every((member) => has(member, rule));
    });
  });

check(
  'REVIEW-RULES-01.6',
  'somebody has rules of which each two differ in two attributes → what they may is told, and nothing that is made of an attribute of each',
  ['REVIEW-RULES-01/apart'],
  ['impersonation'],
  async ({ admin, person, dialect, space }) => {
    const group = `${space.prefix}.example.com`;
    const first = {
      verbs: ['get'],
      apiGroups: [group],
      resources: ['first'],
      resourceNames: ['one'],
    };
    // Each differs from the first in two attributes.
    const others: readonly ToldRule[] = [
      { ...first, verbs: ['delete'], resourceNames: ['two'] },
      { ...first, verbs: ['patch'], resources: ['second'] },
      { ...first, resources: ['third'], resourceNames: ['three'] },
      { ...first, apiGroups: [`other.${group}`], verbs: ['update'] },
    ];
    const here = [`/touchstone/${space.prefix}/here`, `/touchstone/${space.prefix}/there`];
    const paths = here.map((path, at) => ({ verbs: [at === 0 ? 'get' : 'put'], nonResourceURLs: [path] }));
    const ada = person('ada');
    await grantHere(admin, ada, dialect, [first, ...others] as never[]);
    await grantEverywhere(admin, ada, dialect, paths);
    const namespace = await ada.namespace();
    const ask = () => review(ada, 'SelfSubjectRulesReview', { namespace });
    const told = [first, ...others, ...paths].map((rule) => match.field('status', gives(rule)));
    const answer = must('what each rule gives', await should(ask, match.both(match.created, ...told)));
    const granted = new Set([first, ...others].map((rule) => JSON.stringify(rule)));
    for (const other of others) {
      for (const member of ['verbs', 'apiGroups', 'resources', 'resourceNames'] as const) {
        for (const [from, to] of [
          [first, other],
          [other, first],
        ]) {
          const mixed = { ...from, [member]: to?.[member] };
          if (!granted.has(JSON.stringify(mixed)))
            must(`not ${JSON.stringify(mixed)}`, answer, match.field('status', match.not(gives(mixed))));
        }
      }
    }
    for (const [at, path] of paths.entries()) {
      const mixed = { ...path, verbs: paths[1 - at]?.verbs ?? [] };
      must(`not ${JSON.stringify(mixed)}`, answer, match.field('status', match.not(gives(mixed))));
    }
  },
);

check(
  'REVIEW-PERMISSION-01.3',
  'the stranger asks about themselves, without any grant → answered',
  ['REVIEW-PERMISSION-01'],
  async ({ stranger }) => {
    const namespace = await stranger.namespace();
    must('may I', await mayI(stranger, about(configMaps, stranger, 'list', { namespace })), no);
    must('what may I', await review(stranger, 'SelfSubjectRulesReview', { namespace }), match.created);
  },
);
