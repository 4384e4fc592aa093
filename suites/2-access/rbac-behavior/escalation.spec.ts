import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  API_VERBS,
  type BindingKind,
  CHANGES,
  type ClauseName,
  CREATIONS,
  type Creation,
  clausesOf,
  GIVING,
  HELD_OTHERWISE,
  NEARLY,
  type Nearly,
  type OTHERS_BOUND,
  PATH_STEPS,
  PATHS_HELD,
  ROLE_KINDS,
  STEPS,
  UNNOTICED,
} from '../../../fixtures/ledger/index.ts';
import type { Exchange, JsonObject, Matcher } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clause,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  type GrantedRule,
  grantEverywhere,
  grantHere,
  groupOf,
  type Kind,
  leases,
  match,
  must,
  named,
  objectIn,
  on,
  roleBindings,
  roles,
  secrets,
  should,
  userSubject,
} from '../../harness/index.ts';
import { forbidden } from '../decisions.ts';
import { entitled, type Given } from '../persons.ts';
import { defaultBindingOf } from './defaultBinding.ts';
import {
  BEYOND,
  CHANGING,
  CREATING,
  HELD,
  HELD_BY_WIDE_RULES,
  HELD_PATHS,
  HOLDINGS,
  PATH_HOLDINGS,
  PATHS_BEYOND,
  PATHS_WITHIN,
  rowsOf,
  WIDE_BEYOND,
  WITHIN,
  WITHIN_WIDE_RULES,
} from './escalation.ts';

const writing = ['create', 'update', 'patch', 'get', 'delete'] as const;

/** The rights of who writes roles of a kind, and holds some permissions at the scope of these. */
function writerOf(kind: Kind, dialect: Dialect): Given {
  const rules = [on(kind, dialect, ...writing), ...HELD];
  return kind.namespaced ? { here: rules } : { everywhere: [...rules, ...HELD_PATHS] };
}
function beyond(kind: Kind, dialect: Dialect): (readonly [string, readonly GrantedRule[]])[] {
  const rows = rowsOf(BEYOND).map(([what, rules]) => [what, rules(dialect)] as const);
  return kind.namespaced ? rows : [...rows, ...rowsOf(PATHS_BEYOND)];
}
const within = (kind: Kind) => Object.entries(kind.namespaced ? WITHIN : { ...WITHIN, ...PATHS_WITHIN });
const told = (word: string): string => word.replaceAll('-', ' ');

/** Not every server creates by PUT: one that does not refuses it whatever the object holds. */
const notCreated = (way: Creation): Matcher<Exchange> => (way === 'put-anew' ? match.refusal : forbidden);
const created = (way: Creation): Matcher<Exchange> =>
  way === 'put-anew' ? match.either(match.success, match.status(404, 405)) : match.success;

/** Creates what goes beyond the rights of somebody under a name that the server gives, and as a dry run. */
async function unnoticed(eve: Actor, kind: Kind, clauseOf: (manner: string) => ClauseName, content: object) {
  await clause(clauseOf('generated'), async () => {
    const draft = { metadata: { generateName: `${eve.space.prefix}-any-` }, ...content };
    must('under a name that the server gives', await eve.create(kind, draft), forbidden);
  });
  await clause(clauseOf('dry-run'), async () => {
    must('by a dry run', await eve.create(kind, named('tried', { ...content }), { dryRun: 'All' }), forbidden);
  });
}

for (const type of ROLE_KINDS) {
  const kind = type === 'roles' ? roles : clusterRoles;
  const steps = type === 'roles' ? STEPS : [...STEPS, ...PATH_STEPS];

  check(
    `RBAC-ESCALATION-01.1/${type}`,
    `somebody creates ${type} with more than they hold, in every way → 403 and nothing is there; with what they hold → created`,
    [
      ...clausesOf('RBAC-ESCALATION-01', type, [...CREATIONS, ...steps, ...UNNOTICED]),
      ...clausesOf('RBAC-ESCALATION-02', type, CREATIONS),
    ],
    async ({ admin, person, dialect }) => {
      const eve = person('eve');
      await entitled(admin, eve, writerOf(kind, dialect));
      for (const [way, create] of rowsOf(CREATING)) {
        for (const [step, rules] of beyond(kind, dialect)) {
          await clause([`RBAC-ESCALATION-01/${type}/${way}`, `RBAC-ESCALATION-01/${type}/${step}`], async () => {
            const name = `more-${way}-${step}`;
            must(`${told(step)}, by ${way}`, await create(eve, kind, name, { rules }), notCreated(way));
            must('nothing came of it', await admin.get(kind, name), match.status(404));
          });
        }
        await clause(`RBAC-ESCALATION-02/${type}/${way}`, async () => {
          for (const [index, [what, rules]] of within(kind).entries())
            must(`${what}, by ${way}`, await create(eve, kind, `same-${way}-${index}`, { rules }), created(way));
        });
      }
      await unnoticed(eve, kind, (manner) => `RBAC-ESCALATION-01/${type}/${manner}`, {
        rules: [on(secrets, dialect, 'list')],
      });
    },
  );

  check(
    `RBAC-ESCALATION-01.2/${type}`,
    `somebody changes ${type} into ones with more than they hold, in every way → 403 and they stay; into what they hold → changed`,
    [
      ...clausesOf('RBAC-ESCALATION-01', type, [...CHANGES, ...steps, 'untouched']),
      ...clausesOf('RBAC-ESCALATION-02', type, CHANGES),
    ],
    async ({ admin, person, dialect }) => {
      const eve = person('eve');
      await entitled(admin, eve, writerOf(kind, dialect));
      for (const [way, change] of rowsOf(CHANGING)) {
        const name = `mine-${way}`;
        const live = await admin.given(kind, named(name, { rules: [HELD[0] as never] }));
        for (const [step, rules] of beyond(kind, dialect)) {
          await clause([`RBAC-ESCALATION-01/${type}/${way}`, `RBAC-ESCALATION-01/${type}/${step}`], async () =>
            must(`${told(step)}, by ${way}`, await change(eve, kind, live, name, { rules }), forbidden),
          );
        }
        await clause(`RBAC-ESCALATION-01/${type}/${way}`, async () =>
          must(`nothing came of ${way}`, await admin.get(kind, name), match.body(live)),
        );
        await clause(`RBAC-ESCALATION-02/${type}/${way}`, async () => {
          for (const [what, rules] of within(kind)) {
            const now = way === 'put' ? objectIn(await admin.get(kind, name)) : live;
            must(`${what}, by ${way}`, await change(eve, kind, now, name, { rules }), match.success);
          }
        });
      }
      const live = await admin.given(kind, named('more', { rules: [on(secrets, dialect, 'list') as never] }));
      await clause(`RBAC-ESCALATION-01/${type}/untouched`, async () => {
        const labels = { metadata: { labels: { ...live.metadata.labels, touched: 'true' } } };
        must('its label, by a merge patch', await eve.patch(kind, 'more', 'merge', labels), forbidden);
        const metadata = { ...live.metadata, ...labels.metadata };
        must('its label, by PUT', await eve.update(kind, { ...live, metadata }), forbidden);
        must('it is as it was', await admin.get(kind, 'more'), match.body(live));
      });
    },
  );
}

check(
  'RBAC-ESCALATION-01.3',
  'somebody writes a cluster role that gathers roles with more than they hold, in every way → 403',
  clausesOf('RBAC-ESCALATION-01', 'gathering'),
  async ({ admin, person, dialect, space }) => {
    const eve = person('eve');
    await entitled(admin, eve, writerOf(clusterRoles, dialect));
    const labels = { [`touchstone/${space.prefix}`]: 'true' };
    await admin.given(clusterRoles, { metadata: { name: 'gathered', labels }, rules: [on(secrets, dialect, 'list')] });
    const selectors = [labels, { [`${dialect.rbacLabelDomain}/bootstrapping`]: 'rbac-defaults' }];
    for (const [index, matchLabels] of selectors.entries()) {
      const content = { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } };
      for (const [way, create] of rowsOf(CREATING)) {
        const name = `all-${way}-${index}`;
        await clause(`RBAC-ESCALATION-01/gathering/${way}`, async () => {
          must(`created by ${way}`, await create(eve, clusterRoles, name, { ...content, rules: [] }), notCreated(way));
          must('nothing came of it', await admin.get(clusterRoles, name), match.status(404));
        });
      }
      for (const [way, change] of rowsOf(CHANGING)) {
        const name = `mine-${way}-${index}`;
        const live = await admin.given(clusterRoles, named(name));
        await clause(`RBAC-ESCALATION-01/gathering/${way}`, async () => {
          must(`added by ${way}`, await change(eve, clusterRoles, live, name, content), forbidden);
          const after = await admin.get(clusterRoles, name);
          must('nothing came of it', after, match.field('aggregationRule', match.absent));
        });
      }
    }
  },
);

check(
  'RBAC-ESCALATION-02.1',
  'somebody holds permissions in one namespace and writes roles elsewhere and of the cluster → 403; with all of them everywhere → written',
  clausesOf('RBAC-ESCALATION-02', ['elsewhere', 'of-the-cluster', 'from-the-cluster']),
  async ({ admin, person, dialect }) => {
    const [eve, ada] = [person('eve'), person('ada')];
    const writes = [on(roles, dialect, ...writing), on(clusterRoles, dialect, ...writing)];
    await entitled(admin, eve, { here: HELD, everywhere: writes });
    await entitled(admin, ada, { everywhere: [...writes, ...HELD] });
    const same = { rules: HELD as never[] };
    must('here they hold it', await eve.create(roles, named('eves', same)), match.created);
    await clause('RBAC-ESCALATION-02/elsewhere', async () =>
      must('not in another namespace', await eve.elsewhere().create(roles, named('eves', same)), forbidden),
    );
    await clause('RBAC-ESCALATION-02/of-the-cluster', async () =>
      must('not in the cluster', await eve.create(clusterRoles, named('eves', same)), forbidden),
    );
    await clause('RBAC-ESCALATION-02/from-the-cluster', async () => {
      must('who holds it in the cluster', await ada.create(clusterRoles, named('adas', same)), match.created);
      must('holds it in each namespace', await ada.elsewhere().create(roles, named('adas', same)), match.created);
    });
  },
);

for (const type of ROLE_KINDS) {
  const kind = type === 'roles' ? roles : clusterRoles;

  check(
    `RBAC-ESCALATION-01.5/${type}`,
    `somebody holds rules of many permissions each and writes ${type} with more, by one step each → 403; with what they hold → written`,
    [...clausesOf('RBAC-ESCALATION-01', `wide-${type}`), ...clausesOf('RBAC-ESCALATION-02', `wide-${type}`)],
    async ({ admin, person, dialect }) => {
      const eve = person('eve');
      const rights = [on(kind, dialect, ...writing), ...HELD_BY_WIDE_RULES];
      await entitled(admin, eve, kind.namespaced ? { here: rights } : { everywhere: rights });
      const live = await admin.given(kind, named('mine', { rules: [HELD[0] as never] }));
      const rows = [...rowsOf(BEYOND), ...rowsOf(WIDE_BEYOND)];
      for (const [index, [step, rulesIn]] of rows.entries()) {
        const rules = rulesIn(dialect) as never[];
        await clause(`RBAC-ESCALATION-01/wide-${type}/${step}`, async () => {
          must(`${told(step)}, created`, await eve.create(kind, named(`more-${index}`, { rules })), forbidden);
          must('nothing came of it', await admin.get(kind, `more-${index}`), match.status(404));
          must(`${told(step)}, changed`, await eve.patch(kind, 'mine', 'merge', { rules }), forbidden);
          must('it is as it was', await admin.get(kind, 'mine'), match.body(live));
        });
      }
      await clause(`RBAC-ESCALATION-02/wide-${type}`, async () => {
        for (const [index, [what, held]] of Object.entries(WITHIN_WIDE_RULES).entries()) {
          const rules = held as never[];
          must(`${what}, created`, await eve.create(kind, named(`same-${index}`, { rules })), match.success);
          must(`${what}, changed`, await eve.patch(kind, 'mine', 'merge', { rules }), match.success);
        }
      });
    },
  );
}

for (const type of ROLE_KINDS) {
  const kind = type === 'roles' ? roles : clusterRoles;

  check(
    `RBAC-ESCALATION-02.2/${type}`,
    `somebody holds by *, by several rules or by several roles what ${type} give → written; what they do not → 403`,
    [
      ...clausesOf('RBAC-ESCALATION-01', type, [...HELD_OTHERWISE, ...PATHS_HELD, 'by-a-longer-word']),
      ...clausesOf('RBAC-ESCALATION-02', type, [...HELD_OTHERWISE, ...PATHS_HELD, 'by-everything']),
    ],
    async ({ admin, person, dialect }) => {
      const holdings = kind.namespaced ? rowsOf(HOLDINGS) : [...rowsOf(HOLDINGS), ...rowsOf(PATH_HOLDINGS)];
      for (const [how, { roles: given, within, beyond }] of holdings) {
        const eve = person(`eve-${how}`);
        for (const [index, rules] of [[on(kind, dialect, ...writing)], ...given].entries()) {
          const rights = kind.namespaced ? { here: rules } : { everywhere: rules };
          await entitled(admin, eve, rights, `${eve.name}-${index}`);
        }
        await admin.given(kind, named(`${how}-old`));
        for (const [word, rows] of [['02', within] as const, ['01', beyond] as const]) {
          if (rows.length === 0) continue;
          await clause(`RBAC-ESCALATION-${word}/${type}/${how}`, async () => {
            for (const [index, rules] of rows.entries()) {
              const draft = named(`${how}-${word}-${index}`, { rules: rules as never[] });
              const outcome = word === '02' ? match.success : forbidden;
              must(`role ${index + 1}, created`, await eve.create(kind, draft), outcome);
              must(`role ${index + 1}, changed`, await eve.patch(kind, `${how}-old`, 'merge', { rules }), outcome);
            }
          });
        }
      }
    },
  );
}

type Almost = Readonly<Record<Nearly, Given & { readonly there?: GrantedRule }>>;

/** What is almost the verb `escalate` on the roles of a kind: who is given it beside writing may not escalate. */
function almostEscalate(kind: Kind, dialect: Dialect): Almost {
  const right = on(kind, dialect, 'escalate');
  return {
    'other-kind': { everywhere: [on(kind === roles ? clusterRoles : roles, dialect, 'escalate')] },
    'other-name': { everywhere: [{ ...right, resourceNames: ['another'] }] },
    bindings: { everywhere: [on(roleBindings, dialect, 'escalate'), on(clusterRoleBindings, dialect, 'escalate')] },
    'other-group': { everywhere: [{ ...right, apiGroups: ['', groupOf(leases, dialect)] }] },
    'other-verb': { everywhere: [on(kind, dialect, 'bind', 'impersonate', ...API_VERBS)] },
    star: { everywhere: [on(kind, dialect, 'escal*')] },
    elsewhere: kind === roles ? { there: right } : { here: [right] },
  };
}

for (const type of ROLE_KINDS) {
  const kind = type === 'roles' ? roles : clusterRoles;

  check(
    `RBAC-ESCALATION-03.1/${type}`,
    `somebody may almost escalate ${type} → 403, in every way of writing`,
    clausesOf('RBAC-ESCALATION-03', type, NEARLY),
    async ({ admin, person, dialect }) => {
      const rules = [on(secrets, dialect, 'list') as never];
      const live = await admin.given(kind, named('mine', { rules: [] }));
      for (const [nearly, { there, ...given }] of rowsOf(almostEscalate(kind, dialect))) {
        const eve = person(`eve-${nearly}`);
        if (there) await entitled(admin.elsewhere(), eve, { here: [there] });
        await entitled(admin, eve, {
          ...given,
          everywhere: [...(given.everywhere ?? []), on(kind, dialect, ...writing)],
        });
        await clause(`RBAC-ESCALATION-03/${type}/${nearly}`, async () => {
          for (const [way, create] of rowsOf(CREATING))
            must(`${told(nearly)}, by ${way}`, await create(eve, kind, 'more', { rules }), notCreated(way));
          for (const [way, change] of rowsOf(CHANGING))
            must(`${told(nearly)}, by ${way}`, await change(eve, kind, live, 'mine', { rules }), forbidden);
        });
      }
    },
  );

  check(
    `RBAC-ESCALATION-03.2/${type}`,
    `somebody has the verb escalate on ${type} → they write one with more than they have, in every way, and no more of it is theirs`,
    clausesOf('RBAC-ESCALATION-03', type, [...GIVING, 'by-name']),
    async ({ admin, person, dialect }) => {
      const [ada, bea] = [person('ada'), person('bea')];
      const all = on(kind, dialect, ...writing, 'escalate');
      await entitled(admin, ada, kind.namespaced ? { here: [all] } : { everywhere: [all] });
      const rules = [on(secrets, dialect, 'list') as never];
      for (const [way, create] of rowsOf(CREATING))
        await clause(`RBAC-ESCALATION-03/${type}/${way}`, async () =>
          must(`created by ${way}`, await create(ada, kind, `new-${way}`, { rules }), created(way)),
        );
      await admin.given(kind, named('old'));
      for (const [way, change] of rowsOf(CHANGING)) {
        const live = await admin.given(kind, named(`old-${way}`));
        await clause(`RBAC-ESCALATION-03/${type}/${way}`, async () => {
          const answer = await change(ada, kind, live, `old-${way}`, { rules });
          must(`changed by ${way}`, answer, match.success);
        });
      }
      must('they have none of that themselves', await ada.list(secrets), forbidden);
      const byName = { ...on(kind, dialect, 'escalate'), resourceNames: [admin.space.nameOf(kind, 'old')] };
      await entitled(admin, bea, { everywhere: [on(kind, dialect, 'patch'), byName] });
      await clause(`RBAC-ESCALATION-03/${type}/by-name`, async () => {
        const more = { rules: [on(secrets, dialect, 'watch')] };
        must('by the name of one, that one', await bea.patch(kind, 'old', 'merge', more), match.status(200));
        must('and no other', await bea.patch(kind, 'old-put', 'merge', more), forbidden);
      });
    },
  );
}

const BINDINGS: Readonly<Record<BindingKind, { readonly kind: Kind; readonly role: Kind }>> = {
  'rolebinding-of-role': { kind: roleBindings, role: roles },
  'rolebinding-of-clusterrole': { kind: roleBindings, role: clusterRoles },
  clusterrolebinding: { kind: clusterRoleBindings, role: clusterRoles },
};
/** Subjects of a binding that are others than its writer alone. */
function boundBeside(writer: Actor): Readonly<Record<(typeof OTHERS_BOUND)[number], readonly JsonObject[]>> {
  const apiGroup = groupOf(roles, writer.dialect);
  const group = { kind: 'Group', name: 'touchstone-none', apiGroup };
  const account = { kind: 'ServiceAccount', name: 'touchstone-none', namespace: 'default' };
  return {
    nobody: [],
    'a-group': [group],
    'an-account': [account],
    several: [group, account, userSubject(writer, writer.dialect)],
  };
}
const refTo = (actor: Actor, role: Kind, name: string) => ({
  apiGroup: groupOf(roles, actor.dialect),
  kind: role.kind,
  name: actor.space.nameOf(role, name),
});

for (const [what, { kind, role }] of rowsOf(BINDINGS)) {
  for (const name of ['more', 'same'] as const) {
    check(
      `RBAC-ESCALATION-04.1/${told(what)}/${name}`,
      `somebody writes a ${told(what)} with ${name === 'more' ? 'more than' : 'what'} they hold, in every way → ${name === 'more' ? '403, and nothing changes' : 'written'}`,
      clausesOf('RBAC-ESCALATION-04', what, name),
      async ({ admin, person, dialect }) => {
        const eve = person('eve');
        const holds = on(configMaps, dialect, 'list');
        const given = [on(kind, dialect, ...writing), holds];
        await entitled(admin, eve, kind.namespaced ? { here: given } : { everywhere: given });
        const more = name === 'more' ? [on(secrets, dialect, 'list')] : [];
        await admin.given(role, named('bound', { rules: [holds, ...more] as never[] }));
        const [subjects, roleRef] = [[userSubject(eve, dialect)], refTo(admin, role, 'bound')];
        for (const [way, create] of rowsOf(CREATING)) {
          await clause(`RBAC-ESCALATION-04/${what}/${name}/${way}`, async () => {
            const outcome = name === 'more' ? notCreated(way) : created(way);
            must(`created by ${way}`, await create(eve, kind, `new-${way}`, { roleRef, subjects }), outcome);
            if (name === 'more') must('nothing came of it', await admin.get(kind, `new-${way}`), match.status(404));
          });
        }
        for (const [way, change] of rowsOf(CHANGING)) {
          const live = await admin.given(kind, named(`live-${way}`, { roleRef, subjects: [] }));
          await clause(`RBAC-ESCALATION-04/${what}/${name}/${way}`, async () => {
            const answer = await change(eve, kind, live, `live-${way}`, { subjects });
            must(`given to themselves by ${way}`, answer, name === 'more' ? forbidden : match.success);
            if (name === 'more') must('nothing came of it', await admin.get(kind, `live-${way}`), match.body(live));
          });
        }
        if (name === 'same') return;
        await unnoticed(eve, kind, (manner) => `RBAC-ESCALATION-04/${what}/more/${manner}`, { roleRef, subjects });
        for (const [whom, others] of rowsOf(boundBeside(eve))) {
          await clause(`RBAC-ESCALATION-04/${what}/more/${whom}`, async () => {
            const content = { roleRef, subjects: others };
            for (const [way, create] of rowsOf(CREATING))
              must(`${told(whom)}, by ${way}`, await create(eve, kind, `${whom}-${way}`, content), notCreated(way));
            must('nothing came of it', await admin.get(kind, `${whom}-post`), match.status(404));
            // A binding for its writer would give them the role.
            const before = whom === 'nobody' ? boundBeside(eve)['a-group'] : [];
            const live = await admin.given(kind, named(`live-${whom}`, { roleRef, subjects: before }));
            for (const [way, change] of rowsOf(CHANGING)) {
              const answer = await change(eve, kind, live, `live-${whom}`, { subjects: others });
              must(`${told(whom)}, changed by ${way}`, answer, forbidden);
            }
          });
        }
      },
    );
  }
}

check(
  'RBAC-ESCALATION-04.2',
  'somebody holds in one namespace what a cluster role gives, and binds it in another → 403',
  ['RBAC-ESCALATION-04/elsewhere'],
  async ({ admin, person, dialect }) => {
    const [eve, holds] = [person('eve'), on(configMaps, dialect, 'list')];
    await entitled(admin, eve, { here: [holds], everywhere: [on(roleBindings, dialect, 'create')] });
    await admin.given(clusterRoles, named('lister', { rules: [holds] as never[] }));
    const binding = { roleRef: refTo(admin, clusterRoles, 'lister'), subjects: [userSubject(eve, dialect)] };
    must('where they hold it', await eve.create(roleBindings, named('mine', binding)), match.created);
    must('where they do not', await eve.elsewhere().create(roleBindings, named('mine', binding)), forbidden);
  },
);

/** What is almost the verb `bind` on a role `lent`: who is given it beside writing bindings may not bind it. */
function almostBind(role: Kind, kind: Kind, { dialect, space }: Actor): Almost {
  const right = on(role, dialect, 'bind');
  const other = { ...on(role === roles ? clusterRoles : roles, dialect, 'bind') };
  return {
    'other-kind': { everywhere: [{ ...other, resourceNames: ['lent', space.nameOf(clusterRoles, 'lent')] }] },
    'other-name': { everywhere: [{ ...right, resourceNames: [space.nameOf(role, 'kept')] }] },
    bindings: { everywhere: [on(kind, dialect, 'bind')] },
    'other-group': { everywhere: [{ ...right, apiGroups: ['', groupOf(leases, dialect)] }] },
    'other-verb': { everywhere: [on(role, dialect, 'escalate', 'impersonate', 'get', 'list', 'watch')] },
    star: { everywhere: [on(role, dialect, 'bin*')] },
    elsewhere: kind.namespaced ? { there: right } : { here: [right] },
  };
}

for (const [what, { kind, role }] of rowsOf(BINDINGS)) {
  check(
    `RBAC-ESCALATION-05.1/${told(what)}`,
    `somebody may almost bind a role, and writes a ${told(what)} → 403, in every way of writing`,
    clausesOf('RBAC-ESCALATION-05', what, NEARLY),
    async ({ admin, person, dialect }) => {
      const rules = [on(secrets, dialect, 'list')] as never[];
      for (const name of ['lent', 'kept']) await admin.given(role, named(name, { rules }));
      const roleRef = refTo(admin, role, 'lent');
      const live = await admin.given(kind, named('live', { roleRef, subjects: [] }));
      for (const [nearly, { there, ...given }] of rowsOf(almostBind(role, kind, admin))) {
        const eve = person(`eve-${nearly}`);
        if (there) await entitled(admin.elsewhere(), eve, { here: [there] });
        await entitled(admin, eve, {
          ...given,
          everywhere: [...(given.everywhere ?? []), on(kind, dialect, ...writing)],
        });
        const subjects = [userSubject(eve, dialect)];
        await clause(`RBAC-ESCALATION-05/${what}/${nearly}`, async () => {
          for (const [way, create] of rowsOf(CREATING))
            must(`${told(nearly)}, by ${way}`, await create(eve, kind, 'new', { roleRef, subjects }), notCreated(way));
          for (const [way, change] of rowsOf(CHANGING))
            must(`${told(nearly)}, by ${way}`, await change(eve, kind, live, 'live', { subjects }), forbidden);
        });
      }
    },
  );

  check(
    `RBAC-ESCALATION-05.2/${told(what)}`,
    `somebody has the verb bind on one role, and writes a ${told(what)} → they bind that one in every way, and no other`,
    clausesOf('RBAC-ESCALATION-05', what, GIVING),
    async ({ admin, person, dialect }) => {
      const rules = [on(secrets, dialect, 'list')] as never[];
      for (const name of ['lent', 'kept']) await admin.given(role, named(name, { rules }));
      const ada = person('ada');
      const lent = { ...on(role, dialect, 'bind'), resourceNames: [admin.space.nameOf(role, 'lent')] };
      const given = [on(kind, dialect, ...writing), lent];
      await entitled(admin, ada, kind.namespaced ? { here: given } : { everywhere: given });
      const subjects = [userSubject(ada, dialect)];
      const [roleRef, kept] = [refTo(admin, role, 'lent'), refTo(admin, role, 'kept')];
      must('another', await ada.create(kind, named('kept', { roleRef: kept, subjects })), forbidden);
      must('they have nothing of it yet', await ada.list(secrets), forbidden);
      for (const [way, create] of rowsOf(CREATING))
        await clause(`RBAC-ESCALATION-05/${what}/${way}`, async () =>
          must(`created by ${way}`, await create(ada, kind, `new-${way}`, { roleRef, subjects }), created(way)),
        );
      for (const [way, change] of rowsOf(CHANGING)) {
        const live = await admin.given(kind, named(`live-${way}`, { roleRef }));
        await clause(`RBAC-ESCALATION-05/${what}/${way}`, async () =>
          must(`changed by ${way}`, await change(ada, kind, live, `live-${way}`, { subjects }), match.success),
        );
      }
      must('what was bound is theirs', await should(() => ada.list(secrets), match.status(200)));
    },
  );
}

check(
  'RBAC-ESCALATION-01.4',
  'the stranger, with credentials of their own, creates and changes roles and bindings beyond what they have → 403',
  ['RBAC-ESCALATION-01', 'RBAC-ESCALATION-02', 'RBAC-ESCALATION-03', 'RBAC-ESCALATION-04', 'RBAC-ESCALATION-05'],
  async ({ admin, stranger, dialect }) => {
    const kinds = [roles, clusterRoles, roleBindings, clusterRoleBindings];
    await grantEverywhere(
      admin,
      stranger,
      dialect,
      kinds.map((kind) => on(kind, dialect, ...writing)),
      'writing',
    );
    await grantHere(admin, stranger, dialect, HELD);
    must('the grant is followed', await should(() => stranger.get(configMaps, 'none'), match.status(404)));
    const more = { rules: [on(secrets, dialect, 'list')] as never[] };
    const same = { rules: HELD as never[] };
    const bound = (role: string) => ({
      roleRef: { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: role },
      subjects: [userSubject(stranger, dialect)],
    });
    for (const kind of [roles, clusterRoles])
      for (const [step, rules] of beyond(kind, dialect))
        must(
          `one of ${kind.plural} with ${told(step)}`,
          await stranger.create(kind, named(`more-${step}`, { rules: rules as never[] })),
          forbidden,
        );
    const made = await stranger.create(roles, named('same', same));
    must('a role with the same', made, match.created);
    for (const [way, change] of rowsOf(CHANGING))
      must(
        `which they change into more by ${way}`,
        await change(stranger, roles, made.json as object, 'same', more),
        forbidden,
      );
    const narrow = await admin.given(clusterRoles, named('narrow', { rules: [] }));
    const paths = { rules: PATHS_BEYOND['another-path'] as never[] };
    for (const [what, content] of Object.entries({ more, paths }))
      for (const [way, change] of rowsOf(CHANGING))
        must(
          `a cluster role with ${what}, by ${way}`,
          await change(stranger, clusterRoles, narrow, 'narrow', content),
          forbidden,
        );
    for (const kind of [roleBindings, clusterRoleBindings])
      must(
        `cluster-admin by one of ${kind.plural}`,
        await stranger.create(kind, named('all', bound('cluster-admin'))),
        forbidden,
      );
    const widest = `${await admin.pathOf(clusterRoleBindings)}/${await defaultBindingOf(admin, 'cluster-admin')}`;
    const merge = { headers: { 'content-type': 'application/merge-patch+json' }, body: bound('cluster-admin') };
    must('the default binding of it', await stranger.request('PATCH', `${widest}?dryRun=All`, merge), forbidden);
    const given = [on(roles, dialect, 'escalate'), on(clusterRoles, dialect, 'bind')];
    await grantHere(admin, stranger, dialect, given, 'verbs');
    const lend = () => stranger.create(roleBindings, named('view', bound('view')));
    must('with bind they may', await should(lend, match.created));
    const widen = () => stranger.patch(roles, 'same', 'merge', more);
    must('with escalate too', await should(widen, match.status(200)));
    must('in that namespace only', await stranger.create(clusterRoles, named('more', more)), forbidden);
  },
);
