import {
  check,
  configMaps,
  grantEverywhere,
  grantHere,
  groupOf,
  leases,
  match,
  must,
  named,
  on,
  roleBindings,
  roles,
  secrets,
  should,
} from '../../harness/index.ts';
import { about, mayI, mayThey, mayTheyIn, no, review, yes } from '../reviews.ts';

check(
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
  'the stranger reviews paths → it agrees with what the request meets',
  ['REVIEW-SELF-01'],
  async ({ admin, stranger, dialect }) => {
    const path = '/touchstone/granted';
    await grantEverywhere(admin, stranger, dialect, [{ verbs: ['get'], nonResourceURLs: [path] }]);
    must('the request is allowed', await should(() => stranger.request('GET', path), match.status(404)));
    must('so says the review', await mayI(stranger, { verb: 'get', path }), yes);
    must('another method is not', await mayI(stranger, { verb: 'post', path }), no);
    must('another path is not', await mayI(stranger, { verb: 'get', path: '/touchstone/other' }), no);
  },
);

check(
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
    must('the group alone may', await mayThey(admin, { groups: [group] }, question), yes, neverBoth);
    must('somebody else may not', await mayThey(admin, { user: 'touchstone-nobody', groups: ['none'] }, question), no);
    const other = about(leases, admin, 'list', { namespace: await admin.namespace() });
    must('nor may the user do something else', await mayThey(admin, { user }, other), no);
  },
);

check(
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
  'the stranger asks for the rules that hold in a namespace → what roles of it and of the cluster grant',
  ['REVIEW-RULES-01'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list', 'get')]);
    await grantEverywhere(admin, stranger, dialect, [{ verbs: ['get'], nonResourceURLs: ['/touchstone/granted'] }]);
    await grantHere(admin.elsewhere(), stranger, dialect, [on(secrets, dialect, 'list')]);
    const namespace = await stranger.namespace();
    const ask = () => review(stranger, 'SelfSubjectRulesReview', { namespace });
    const held = match.including({ resources: match.containing('configmaps'), verbs: match.containing('list') });
    const followed = match.both(match.status(201), match.field('status.resourceRules', match.containing(held)));
    const answer = must('a role of the namespace', await should(ask, followed));
    const paths = match.including({ nonResourceURLs: match.containing('/touchstone/granted') });
    must('a role of the cluster', answer, match.field('status.nonResourceRules', match.containing(paths)));
    const other = match.including({ resources: match.containing('secrets') });
    must('none of another namespace', answer, match.field('status.resourceRules', match.not(match.containing(other))));
  },
);

check(
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
      must(`a ${kind} is allowed now`, await should(ask, match.status(201)));
    }
  },
);

check(
  'the stranger asks about themselves, without any grant → answered',
  ['REVIEW-PERMISSION-01'],
  async ({ stranger }) => {
    const namespace = await stranger.namespace();
    must('may I', await mayI(stranger, about(configMaps, stranger, 'list', { namespace })), no);
    must('what may I', await review(stranger, 'SelfSubjectRulesReview', { namespace }), match.status(201));
  },
);
