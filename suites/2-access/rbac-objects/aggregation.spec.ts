import type { Creation } from '../../../fixtures/ledger/index.ts';
import type { Exchange } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  clusterRoleBindings,
  clusterRoles,
  groupOf,
  match,
  must,
  named,
  roleBindings,
  should,
} from '../../harness/index.ts';
import { CHANGING, CREATING, rowsOf } from '../rbac-behavior/escalation.ts';
import { mayThey, no, reviewsPaths, yes } from '../reviews.ts';

const rule = (name: string) => ({ verbs: ['get'], apiGroups: ['touchstone.example'], resources: [name] });
/** The rules of a role hold one for each of these resources. */
const holding = (...names: readonly string[]) =>
  match.both(
    match.status(200),
    ...names.map((name) =>
      match.field('rules', match.containing(match.including({ resources: match.containing(name) }))),
    ),
  );
const lacking = (name: string) =>
  match.field(
    'rules',
    match.oneOf(match.empty, match.not(match.containing(match.including({ resources: match.containing(name) })))),
  );

/** A role that is gathered by a label. */
const labelled = (name: string, labels: object, resource = name) => ({
  metadata: { name, labels },
  rules: [rule(resource)],
});

check(
  'RBAC-AGGREGATE-01.1',
  'three selectors of a cluster role match roles → it is given the rules of all that any of them matches',
  ['RBAC-AGGREGATE-01'],
  async ({ author, space }) => {
    const label = (name: string) => ({ [`touchstone/${space.prefix}-${name}`]: 'true' });
    const [one, two, three] = [label('one'), label('two'), label('three')];
    await author.given(clusterRoles, labelled('first', one));
    await author.given(clusterRoles, labelled('second', two));
    await author.given(clusterRoles, labelled('both', { ...one, ...two }));
    await author.given(clusterRoles, labelled('neither', { touchstone: 'else' }));
    await author.given(clusterRoles, labelled('third', three));
    const clusterRoleSelectors = [one, two, three].map((matchLabels) => ({ matchLabels }));
    await author.given(clusterRoles, named('all', { rules: [], aggregationRule: { clusterRoleSelectors } }));
    const gathered = await should(() => author.get(clusterRoles, 'all'), holding('first', 'second', 'third', 'both'));
    must('the rules of each', gathered);
    must('and no others', await author.get(clusterRoles, 'all'), lacking('neither'));
  },
);

check(
  'RBAC-AGGREGATE-02.1',
  'a role that a selector matches is created, changed and deleted later → the rules follow',
  ['RBAC-AGGREGATE-02'],
  async ({ author, space }) => {
    const labels = { [`touchstone/${space.prefix}`]: 'true' };
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    await author.given(clusterRoles, named('all', { rules: [], aggregationRule }));
    await author.given(clusterRoles, labelled('part', labels, 'before'));
    const all = () => author.get(clusterRoles, 'all');
    must('created: its rules are added', await should(all, holding('before')));
    await author.prepare((actor) => actor.patch(clusterRoles, 'part', 'merge', { rules: [rule('after')] }));
    must('changed: so are they', await should(all, match.both(holding('after'), lacking('before'))));
    await author.prepare((actor) => actor.delete(clusterRoles, 'part'));
    must('deleted: they are taken out', await should(all, lacking('after')));
  },
);

check(
  'RBAC-AGGREGATE-01.2',
  'a selector of two labels, a role that is given and loses its label, and rules that somebody writes into the aggregate → it has what matches, and that alone',
  ['RBAC-AGGREGATE-01', 'RBAC-AGGREGATE-02'],
  async ({ author, space }) => {
    const [one, two] = [`touchstone/${space.prefix}-one`, `touchstone/${space.prefix}-two`];
    await author.given(clusterRoles, labelled('half', { [one]: 'true' }));
    await author.given(clusterRoles, labelled('otherwise', { [one]: 'true', [two]: 'false' }));
    await author.given(clusterRoles, labelled('whole', { [one]: 'true', [two]: 'true' }));
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [one]: 'true', [two]: 'true' } }] };
    await author.given(clusterRoles, named('all', { rules: [rule('written')], aggregationRule }));
    const all = () => author.get(clusterRoles, 'all');
    const others = match.both(lacking('half'), lacking('otherwise'), lacking('written'));
    must('what has both labels is in it, and no more', await should(all, match.both(holding('whole'), others)));
    const labels = (value: string | null) => ({ metadata: { labels: { [two]: value } } });
    await author.prepare((actor) => actor.patch(clusterRoles, 'half', 'merge', labels('true')));
    must('one that is given the label comes in', await should(all, holding('whole', 'half')));
    await author.prepare((actor) => actor.patch(clusterRoles, 'whole', 'merge', labels(null)));
    must('one that loses it goes out', await should(all, match.both(holding('half'), lacking('whole'))));
    await author.prepare((actor) => actor.patch(clusterRoles, 'all', 'merge', { rules: [rule('written')] }));
    must('what somebody writes there goes', await should(all, match.both(holding('half'), lacking('written'))));
    const wider = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [one]: 'true' } }] } };
    await author.prepare((actor) => actor.patch(clusterRoles, 'all', 'merge', wider));
    must('another selector gathers others', await should(all, holding('half', 'whole', 'otherwise')));
  },
);

check(
  'RBAC-AGGREGATE-01.3',
  'an aggregate loses its aggregationRule → it has the rules that somebody writes, and gathers no others',
  ['RBAC-AGGREGATE-01'],
  async ({ author, space }) => {
    const labels = { [`touchstone/${space.prefix}`]: 'true' };
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    await author.given(clusterRoles, labelled('first', labels));
    for (const name of ['ended', 'goes-on'])
      await author.given(clusterRoles, named(name, { rules: [], aggregationRule }));
    const ended = () => author.get(clusterRoles, 'ended');
    must('it gathers', await should(ended, holding('first')));
    const plain = { aggregationRule: null, rules: [rule('written')] };
    await author.prepare((actor) => actor.patch(clusterRoles, 'ended', 'merge', plain));
    await author.given(clusterRoles, labelled('second', labels));
    const other = await should(() => author.get(clusterRoles, 'goes-on'), holding('first', 'second'));
    must('another one goes on gathering', other);
    must('this one has what was written', await ended(), holding('written'), lacking('first'), lacking('second'));
  },
);

check(
  'RBAC-AGGREGATE-01.4',
  'selectors of a cluster role have expressions, alone and beside labels → it is given the rules of what meets all of one selector',
  ['RBAC-AGGREGATE-01'],
  async ({ author, space }) => {
    const [key, other] = [`touchstone/${space.prefix}-a`, `touchstone/${space.prefix}-b`];
    const roles = {
      front: { [key]: 'front', [other]: '' },
      back: { [key]: 'back', [other]: 'x' },
      side: { [key]: 'side' },
      bare: { [other]: 'x' },
    };
    for (const [name, labels] of Object.entries(roles)) await author.given(clusterRoles, labelled(name, labels));
    const expression = (operator: string, of: string, values?: readonly string[]) => ({ key: of, operator, values });
    const here = expression('Exists', key);
    for (const [name, selector, expected] of [
      ['in', { matchExpressions: [expression('In', key, ['front', 'side'])] }, ['front', 'side']],
      ['not-in', { matchExpressions: [here, expression('NotIn', key, ['front'])] }, ['back', 'side']],
      ['exists', { matchExpressions: [here, expression('Exists', other)] }, ['front', 'back']],
      ['absent', { matchExpressions: [here, expression('DoesNotExist', other)] }, ['side']],
      ['beside', { matchLabels: { [other]: 'x' }, matchExpressions: [here] }, ['back']],
    ] as const) {
      await author.given(
        clusterRoles,
        named(name, { rules: [], aggregationRule: { clusterRoleSelectors: [selector] } }),
      );
      const gathered = await should(() => author.get(clusterRoles, name), holding(...expected));
      must('the rules of what it selects', gathered);
      const rest = Object.keys(roles).filter((each) => !(expected as readonly string[]).includes(each));
      must('and no others', await author.get(clusterRoles, name), match.both(...rest.map(lacking)));
    }
  },
);

for (const name of ['admin', 'edit', 'view']) {
  check(
    `RBAC-AGGREGATE-03.1/${name}`,
    `a cluster role carries the label of ${name} → that default role has its rules`,
    ['RBAC-AGGREGATE-03'],
    async ({ author, dialect, space }) => {
      const label = `rbac.authorization.${dialect.apiDomain}/aggregate-to-${name}`;
      // Of this check alone: the default role is everybody's.
      const resource = `${space.prefix}-${name}`;
      await author.given(clusterRoles, labelled('more', { [label]: 'true' }, resource));
      await author.given(clusterRoles, labelled('other', { [label]: 'false' }, `${resource}-not`));
      const path = `${await author.pathOf(clusterRoles)}/${name}`;
      const role = () => author.request('GET', path);
      must('its rules are added', await should(role, holding(resource)));
      must('those under another value are not', await role(), lacking(`${resource}-not`));
    },
  );
}

/** Not every server creates by PUT. */
const created = (way: Creation) =>
  way === 'put-anew' ? match.either(match.success, match.status(404, 405)) : match.success;

check(
  'RBAC-AGGREGATE-04.1',
  'an aggregationRule of four selectors is written in every way → the role is given the rules of all that any of them matches',
  clausesOf('RBAC-AGGREGATE-04', 'aggregate'),
  async ({ author, space }) => {
    const label = (name: string) => ({ [`touchstone/${space.prefix}-${name}`]: 'true' });
    const parts = ['first', 'second', 'third', 'fourth'];
    for (const name of parts) await author.given(clusterRoles, labelled(name, label(name)));
    const aggregationRule = { clusterRoleSelectors: parts.map((name) => ({ matchLabels: label(name) })) };
    const filled = async (name: string) =>
      must('it has the rules of all four', await should(() => author.get(clusterRoles, name), holding(...parts)));
    const made = rowsOf(CREATING).map(([way, create]) =>
      clause(`RBAC-AGGREGATE-04/aggregate/${way}`, async () => {
        const answer = await create(author, clusterRoles, `all-${way}`, { rules: [], aggregationRule });
        must('it is written', answer, created(way));
        if (answer.succeeded) await filled(`all-${way}`);
      }),
    );
    const changed = rowsOf(CHANGING).map(([way, change]) =>
      clause(`RBAC-AGGREGATE-04/aggregate/${way}`, async () => {
        const live = await author.given(clusterRoles, named(`mine-${way}`, { rules: [] }));
        must(
          'it is written',
          await change(author, clusterRoles, live, `mine-${way}`, { aggregationRule }),
          match.success,
        );
        await filled(`mine-${way}`);
      }),
    );
    await Promise.all([...made, ...changed]);
  },
);

type Gathered = ReturnType<typeof labelled>;
/** How a role that is gathered comes to be. */
const MAKING: Readonly<Record<Creation, (author: Actor, role: Gathered) => Promise<Exchange>>> = {
  post: (author, role) => author.create(clusterRoles, role),
  'put-anew': (author, role) => author.update(clusterRoles, role),
  'apply-anew': (author, role) => author.apply(clusterRoles, role),
};

check(
  'RBAC-AGGREGATE-04.2',
  'a role that is gathered is created and given other rules in every way → the aggregate follows',
  clausesOf('RBAC-AGGREGATE-04', 'member'),
  async ({ author, space }) => {
    const labels = { [`touchstone/${space.prefix}`]: 'true' };
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    await author.given(clusterRoles, labelled('early', labels));
    await author.given(clusterRoles, named('all', { rules: [], aggregationRule }));
    const all = () => author.get(clusterRoles, 'all');
    must('what there was is in it', await should(all, holding('early')));
    const made = rowsOf(MAKING).map(([way, make]) =>
      clause(`RBAC-AGGREGATE-04/member/${way}`, async () => {
        const answer = await make(author, labelled(`made-${way}`, labels));
        must('the role is written', answer, created(way));
        if (answer.succeeded) must('its rules are added', await should(all, holding('early', `made-${way}`)));
      }),
    );
    const changed = rowsOf(CHANGING).map(([way, change]) =>
      clause(`RBAC-AGGREGATE-04/member/${way}`, async () => {
        const live = await author.given(clusterRoles, labelled(`part-${way}`, labels, `before-${way}`));
        must('its rules are added', await should(all, holding('early', `before-${way}`)));
        const content = { rules: [rule(`after-${way}`)] };
        must('it is written', await change(author, clusterRoles, live, `part-${way}`, content), match.success);
        const follows = match.both(holding('early', `after-${way}`), lacking(`before-${way}`));
        must('the aggregate follows', await should(all, follows));
      }),
    );
    await Promise.all([...made, ...changed]);
  },
);

/** Rules of one role that grant in every way that there is, and no two the same. */
const SHAPES = {
  several: { verbs: ['get', 'list'], apiGroups: ['touchstone.example', ''], resources: ['firsts', 'seconds'] },
  named: { verbs: ['get'], apiGroups: ['touchstone.example'], resources: ['nameds'], resourceNames: ['one', 'two'] },
  part: { verbs: ['update'], apiGroups: ['touchstone.example'], resources: ['parts/status'] },
  paths: { verbs: ['get'], nonResourceURLs: ['/touchstone/gathered', '/touchstone/below/*'] },
} as const;

check(
  'RBAC-AGGREGATE-04.4',
  'a role of several rules, some for names and for paths, is gathered → each rule is shown and granted as it is',
  clausesOf('RBAC-AGGREGATE-04', 'whole'),
  async ({ admin, space }) => {
    const labels = { [`touchstone/${space.prefix}`]: 'true' };
    const rules = Object.values(SHAPES);
    await admin.given(clusterRoles, { metadata: { name: 'part', labels }, rules });
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    const all = await admin.given(clusterRoles, named('all', { rules: [], aggregationRule }));
    const apiGroup = groupOf(roleBindings, admin.dialect);
    const ada = `${space.prefix}-ada`;
    await admin.given(clusterRoleBindings, {
      ...named('all'),
      roleRef: { apiGroup, kind: 'ClusterRole', name: all.metadata.name },
      subjects: [{ kind: 'User', name: ada, apiGroup }],
    });
    const may = (verb: string, resource: string, more: object = {}) =>
      mayThey(admin, { user: ada }, { verb, group: 'touchstone.example', resource, ...more });
    await clause('RBAC-AGGREGATE-04/whole', async () => {
      must('all is gathered', await should(() => admin.get(clusterRoles, 'all'), holding('parts/status')));
      const shown = JSON.stringify(((await admin.get(clusterRoles, 'all')).json as { rules: unknown }).rules);
      for (const word of rules.flatMap((each) => Object.values(each).flat()))
        must(`"${word}" is shown`, shown.includes(JSON.stringify(word)), match.equal(true));
      must('what is granted by several words', await should(() => may('list', 'seconds'), yes));
      must('in each group', await may('get', 'firsts', { group: '' }), yes);
      must('one name', await may('get', 'nameds', { name: 'two' }), yes);
      must('and no other', await may('get', 'nameds', { name: 'three' }), no);
      must('what is of parts', await may('update', 'parts', { subresource: 'status' }), yes);
      must('and not of the whole', await may('update', 'parts'), no);
      must('no verb of another rule', await may('update', 'firsts'), no);
      await reviewsPaths(admin);
      const mayAsk = (path: string) => mayThey(admin, { user: ada }, { verb: 'get', path });
      must('a path', await mayAsk('/touchstone/gathered'), yes);
      must('a path below another', await mayAsk('/touchstone/below/this'), yes);
      must('and no other path', await mayAsk('/touchstone/gathered/this'), no);
    });
  },
);

check(
  'RBAC-AGGREGATE-04.3',
  'an aggregate gathers another, and somebody is bound to it → they may what the roles at its end grant, as long as these are there',
  clausesOf('RBAC-AGGREGATE-04', ['nested', 'rights']),
  async ({ admin, space }) => {
    const [inner, outer] = [`touchstone/${space.prefix}-inner`, `touchstone/${space.prefix}-outer`];
    const gathering = (label: string) => ({ clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] });
    await admin.given(clusterRoles, labelled('part', { [inner]: 'true' }));
    await admin.given(clusterRoles, labelled('other', { [outer]: 'true' }));
    const metadata = { name: 'middle', labels: { [outer]: 'true' } };
    await admin.given(clusterRoles, { metadata, rules: [], aggregationRule: gathering(inner) });
    const all = await admin.given(clusterRoles, named('all', { rules: [], aggregationRule: gathering(outer) }));
    const apiGroup = groupOf(roleBindings, admin.dialect);
    const ada = `${space.prefix}-ada`;
    await admin.given(roleBindings, {
      ...named('all'),
      roleRef: { apiGroup, kind: 'ClusterRole', name: all.metadata.name },
      subjects: [{ kind: 'User', name: ada, apiGroup }],
    });
    const namespace = await admin.namespace();
    const may = (resource: string) => () =>
      mayThey(admin, { user: ada }, { verb: 'get', group: 'touchstone.example', resource, namespace });
    await clause('RBAC-AGGREGATE-04/nested', async () => {
      const gathered = await should(() => admin.get(clusterRoles, 'all'), holding('part', 'other'));
      must('it has what the other gathered', gathered);
    });
    await clause('RBAC-AGGREGATE-04/rights', async () => {
      must('what is gathered is granted', await should(may('other'), yes));
      must('and nothing else', await may('neither')(), no);
      await admin.prepare((actor) => actor.delete(clusterRoles, 'other'));
      must('when it is gone it is not', await should(may('other'), no));
    });
  },
);
