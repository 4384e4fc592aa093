import { check, clusterRoles, match, must, named, should } from '../../harness/index.ts';

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
  'two selectors of a cluster role match roles → it is given the rules of all that any of them matches',
  ['RBAC-AGGREGATE-01'],
  async ({ author, space }) => {
    const [one, two] = [{ [`touchstone/${space.prefix}-one`]: 'true' }, { [`touchstone/${space.prefix}-two`]: 'true' }];
    await author.given(clusterRoles, labelled('first', one));
    await author.given(clusterRoles, labelled('second', two));
    await author.given(clusterRoles, labelled('both', { ...one, ...two }));
    await author.given(clusterRoles, labelled('neither', { touchstone: 'else' }));
    const clusterRoleSelectors = [{ matchLabels: one }, { matchLabels: two }];
    await author.given(clusterRoles, named('all', { rules: [], aggregationRule: { clusterRoleSelectors } }));
    const gathered = await should(() => author.get(clusterRoles, 'all'), holding('first', 'second', 'both'));
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
