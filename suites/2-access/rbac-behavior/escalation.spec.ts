import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { Exchange, Matcher } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  grantEverywhere,
  grantHere,
  groupOf,
  type Kind,
  match,
  must,
  named,
  on,
  type Rule,
  roleBindings,
  roles,
  secrets,
  should,
  userSubject,
} from '../../harness/index.ts';
import { forbidden } from '../decisions.ts';
import { entitled, type Given } from '../persons.ts';
import { BEYOND, CHANGING, CREATING, HELD, HELD_PATHS, PATHS_BEYOND, PATHS_WITHIN, WITHIN } from './escalation.ts';

const writing = ['create', 'update', 'patch', 'get', 'delete'] as const;

/** The rights of who writes roles of a kind, and holds some permissions at the scope of these. */
function writerOf(kind: Kind, dialect: Dialect): Given {
  const rules = [on(kind, dialect, ...writing), ...HELD];
  return kind.namespaced ? { here: rules } : { everywhere: [...rules, ...HELD_PATHS] };
}
function beyond(kind: Kind, dialect: Dialect): (readonly [string, readonly Rule[]])[] {
  const rows = Object.entries(BEYOND).map(([what, rules]) => [what, rules(dialect)] as const);
  return kind.namespaced ? rows : [...rows, ...Object.entries(PATHS_BEYOND)];
}
const within = (kind: Kind) => Object.entries(kind.namespaced ? WITHIN : { ...WITHIN, ...PATHS_WITHIN });

/** Not every server creates by PUT: one that does not refuses it whatever the object holds. */
const notCreated = (way: string): Matcher<Exchange> => (way === 'PUT' ? match.refusal : forbidden);
const created = (way: string): Matcher<Exchange> =>
  way === 'PUT' ? match.either(match.success, match.status(404, 405)) : match.success;

for (const kind of [roles, clusterRoles]) {
  check(
    `somebody creates ${kind.plural} with more than they hold, in every way → 403 and nothing is there; with what they hold → created`,
    ['RBAC-ESCALATION-01', 'RBAC-ESCALATION-02'],
    async ({ admin, person, dialect }) => {
      const eve = person('eve');
      await entitled(admin, eve, writerOf(kind, dialect));
      for (const [way, create] of Object.entries(CREATING)) {
        for (const [what, rules] of beyond(kind, dialect))
          must(`${what} by ${way}`, await create(eve, kind, `more-${way}`.toLowerCase(), { rules }), notCreated(way));
        must(`nothing came of ${way}`, await admin.get(kind, `more-${way}`.toLowerCase()), match.status(404));
        for (const [index, [what, rules]] of within(kind).entries())
          must(
            `${what} by ${way}`,
            await create(eve, kind, `same-${way}-${index}`.toLowerCase(), { rules }),
            created(way),
          );
      }
    },
  );

  check(
    `somebody changes ${kind.plural} into ones with more than they hold, in every way → 403 and they stay; into what they hold → changed`,
    ['RBAC-ESCALATION-01', 'RBAC-ESCALATION-02'],
    async ({ admin, person, dialect }) => {
      const eve = person('eve');
      await entitled(admin, eve, writerOf(kind, dialect));
      for (const [index, [way, change]] of Object.entries(CHANGING).entries()) {
        const name = `mine-${index}`;
        const live = await admin.given(kind, named(name, { rules: [HELD[0] as never] }));
        for (const [what, rules] of beyond(kind, dialect))
          must(`${what} by ${way}`, await change(eve, kind, live, name, { rules }), forbidden);
        must(`nothing came of ${way}`, await admin.get(kind, name), match.body(live));
        for (const [what, rules] of within(kind)) {
          const { resourceVersion: _, ...metadata } = live.metadata;
          must(`${what} by ${way}`, await change(eve, kind, { ...live, metadata }, name, { rules }), match.success);
        }
      }
    },
  );

  check(
    `somebody writes to ${kind.plural} that hold more than they do, without touching the rules → 403`,
    ['RBAC-ESCALATION-01'],
    async ({ admin, person, dialect }) => {
      const eve = person('eve');
      await entitled(admin, eve, writerOf(kind, dialect));
      const live = await admin.given(kind, named('more', { rules: [on(secrets, dialect, 'list') as never] }));
      const labels = { metadata: { labels: { ...live.metadata.labels, touched: 'true' } } };
      must('by a merge patch', await eve.patch(kind, 'more', 'merge', labels), forbidden);
      const metadata = { ...live.metadata, ...labels.metadata };
      must('by PUT', await eve.update(kind, { ...live, metadata }), forbidden);
      must('it is as it was', await admin.get(kind, 'more'), match.body(live));
    },
  );
}

check(
  'somebody writes a cluster role that gathers roles with more than they hold, in every way → 403',
  ['RBAC-ESCALATION-01'],
  async ({ admin, person, dialect, space }) => {
    const eve = person('eve');
    await entitled(admin, eve, writerOf(clusterRoles, dialect));
    const labels = { [`touchstone/${space.prefix}`]: 'true' };
    await admin.given(clusterRoles, { metadata: { name: 'gathered', labels }, rules: [on(secrets, dialect, 'list')] });
    for (const matchLabels of [labels, { [`${dialect.rbacLabelDomain}/bootstrapping`]: 'rbac-defaults' }]) {
      const content = { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } };
      for (const [way, create] of Object.entries(CREATING)) {
        const name = `all-${way}`.toLowerCase();
        must(`created by ${way}`, await create(eve, clusterRoles, name, { ...content, rules: [] }), notCreated(way));
        must(`nothing came of ${way}`, await admin.get(clusterRoles, name), match.status(404));
      }
      for (const [index, [way, change]] of Object.entries(CHANGING).entries()) {
        const name = `mine-${index}`;
        const live = await admin.prepare((actor) => actor.apply(clusterRoles, named(name), { force: true }));
        const sent = await change(eve, clusterRoles, live.json as object, name, content);
        must(`added by ${way}`, sent, forbidden);
        must(
          `nothing came of ${way}`,
          await admin.get(clusterRoles, name),
          match.field('aggregationRule', match.absent),
        );
      }
    }
  },
);

check(
  'somebody holds permissions in one namespace and writes roles elsewhere and of the cluster → 403; with all of them everywhere → written',
  ['RBAC-ESCALATION-02'],
  async ({ admin, person, dialect }) => {
    const [eve, ada] = [person('eve'), person('ada')];
    const writes = [on(roles, dialect, ...writing), on(clusterRoles, dialect, ...writing)];
    await entitled(admin, eve, { here: HELD, everywhere: writes });
    await entitled(admin, ada, { everywhere: [...writes, ...HELD] });
    const same = { rules: HELD as never[] };
    must('here they hold it', await eve.create(roles, named('eves', same)), match.status(201));
    must('not in another namespace', await eve.elsewhere().create(roles, named('eves', same)), forbidden);
    must('not in the cluster', await eve.create(clusterRoles, named('eves', same)), forbidden);
    must('who holds it in the cluster', await ada.create(clusterRoles, named('adas', same)), match.status(201));
    must('holds it in each namespace', await ada.elsewhere().create(roles, named('adas', same)), match.status(201));
  },
);

/** What is almost the verb `escalate` on the roles of a kind: who is given it beside writing may not escalate. */
const ALMOST_ESCALATE = (kind: Kind, dialect: Dialect): Readonly<Record<string, Given & { readonly there?: Rule }>> => {
  const other = kind === roles ? clusterRoles : roles;
  const right = on(kind, dialect, 'escalate');
  return {
    'on the other kind of role': { everywhere: [on(other, dialect, 'escalate')] },
    'on another role by name': { everywhere: [{ ...right, resourceNames: ['another'] }] },
    'on bindings': {
      everywhere: [on(roleBindings, dialect, 'escalate'), on(clusterRoleBindings, dialect, 'escalate')],
    },
    'in another group': { everywhere: [{ ...right, apiGroups: ['', groupOf(configMaps, dialect)] }] },
    'by the verb bind': { everywhere: [on(kind, dialect, 'bind', 'impersonate')] },
    'by a word with a star': { everywhere: [on(kind, dialect, 'escal*')] },
    ...(kind === roles ? { 'in another namespace': { there: right } } : { 'in a namespace': { here: [right] } }),
  };
};

for (const kind of [roles, clusterRoles]) {
  check(
    `somebody may almost escalate ${kind.plural} → 403, in every way of writing`,
    ['RBAC-ESCALATION-03', 'RBAC-ESCALATION-01'],
    async ({ admin, person, dialect }) => {
      const rules = [on(secrets, dialect, 'list') as never];
      const live = await admin.given(kind, named('mine', { rules: [] }));
      for (const [index, [what, given]] of Object.entries(ALMOST_ESCALATE(kind, dialect)).entries()) {
        const eve = person(`eve-${index}`);
        const write = on(kind, dialect, ...writing);
        if (given.there) await entitled(admin.elsewhere(), eve, { here: [given.there] });
        await entitled(admin, eve, { ...given, everywhere: [...(given.everywhere ?? []), write] });
        for (const [way, create] of Object.entries(CREATING))
          must(`escalate ${what}, by ${way}`, await create(eve, kind, 'more', { rules }), notCreated(way));
        for (const [way, change] of Object.entries(CHANGING))
          must(`escalate ${what}, by ${way}`, await change(eve, kind, live, 'mine', { rules }), forbidden);
      }
      must('it is as it was', await admin.get(kind, 'mine'), match.body(live));
    },
  );

  check(
    `somebody has the verb escalate on ${kind.plural} → they write one with more than they have, in every way, and no more of it is theirs`,
    ['RBAC-ESCALATION-03'],
    async ({ admin, person, dialect }) => {
      const [ada, bea] = [person('ada'), person('bea')];
      const all = on(kind, dialect, ...writing, 'escalate');
      await entitled(admin, ada, kind.namespaced ? { here: [all] } : { everywhere: [all] });
      const rules = [on(secrets, dialect, 'list') as never];
      for (const [way, create] of Object.entries(CREATING))
        must(`created by ${way}`, await create(ada, kind, `new-${way}`.toLowerCase(), { rules }), created(way));
      const { resourceVersion: _, ...metadata } = (await admin.given(kind, named('old'))).metadata;
      for (const [way, change] of Object.entries(CHANGING))
        must(`changed by ${way}`, await change(ada, kind, { rules, metadata }, 'old', { rules }), match.success);
      must('they have none of that themselves', await ada.list(secrets), forbidden);
      const byName = { ...on(kind, dialect, 'escalate'), resourceNames: [admin.space.nameOf(kind, 'old')] };
      await entitled(admin, bea, { everywhere: [on(kind, dialect, 'patch'), byName] });
      const more = { rules: [on(secrets, dialect, 'watch')] };
      must('by the name of one, that one', await bea.patch(kind, 'old', 'merge', more), match.status(200));
      must('and no other', await bea.patch(kind, 'new-post', 'merge', more), forbidden);
    },
  );
}

/** Bindings, by what they are and what they name. */
const BINDINGS: Readonly<Record<string, { readonly kind: Kind; readonly role: Kind }>> = {
  'a role binding of a role': { kind: roleBindings, role: roles },
  'a role binding of a cluster role': { kind: roleBindings, role: clusterRoles },
  'a cluster binding': { kind: clusterRoleBindings, role: clusterRoles },
};
const refTo = (actor: Actor, role: Kind, name: string) => ({
  apiGroup: groupOf(roles, actor.dialect),
  kind: role.kind,
  name: actor.space.nameOf(role, name),
});

for (const [what, { kind, role }] of Object.entries(BINDINGS)) {
  check(
    `somebody writes ${what} with more than they hold, in every way → 403 and nothing changes; with what they hold → written`,
    ['RBAC-ESCALATION-04'],
    async ({ admin, person, dialect }) => {
      const eve = person('eve');
      const holds = on(configMaps, dialect, 'list');
      const writes = on(kind, dialect, ...writing);
      await entitled(admin, eve, kind.namespaced ? { here: [writes, holds] } : { everywhere: [writes, holds] });
      await admin.given(role, named('more', { rules: [holds, on(secrets, dialect, 'list')] as never[] }));
      await admin.given(role, named('same', { rules: [holds] as never[] }));
      const subjects = [userSubject(eve, dialect)];
      for (const [name, outcome, made] of [
        ['more', () => forbidden, notCreated],
        ['same', () => match.success, created],
      ] as const) {
        const roleRef = refTo(admin, role, name);
        for (const [way, create] of Object.entries(CREATING)) {
          const word = `${name}-${way}`.toLowerCase();
          must(`${name}, created by ${way}`, await create(eve, kind, word, { roleRef, subjects }), made(way));
          if (name === 'more') must(`nothing came of ${way}`, await admin.get(kind, word), match.status(404));
        }
        const live = await admin.given(kind, named(`${name}-live`, { roleRef, subjects: [] }));
        const { resourceVersion: _, ...metadata } = live.metadata;
        for (const [way, change] of Object.entries(CHANGING)) {
          const answer = await change(eve, kind, { ...live, metadata }, `${name}-live`, { subjects });
          must(`${name}, given to themselves by ${way}`, answer, outcome());
        }
        if (name === 'more') must('it is as it was', await admin.get(kind, 'more-live'), match.body(live));
      }
      if (kind.namespaced && role === clusterRoles) {
        await entitled(admin.elsewhere(), eve, { here: [writes] }, 'eve-elsewhere');
        const there = { roleRef: refTo(admin, role, 'same'), subjects };
        must('held here is not held there', await eve.elsewhere().create(kind, named('same', there)), forbidden);
      }
    },
  );
}

/** What is almost the verb `bind` on a role `lent`: who is given it beside writing bindings may not bind it. */
const almostBind = (
  role: Kind,
  kind: Kind,
  actor: Actor,
): Readonly<Record<string, Given & { readonly there?: Rule }>> => {
  const { dialect } = actor;
  const right = on(role, dialect, 'bind');
  const named = { ...right, resourceNames: [actor.space.nameOf(role, 'kept')] };
  return {
    'on a role of that name of the other kind': {
      everywhere: [
        {
          ...on(role === roles ? clusterRoles : roles, dialect, 'bind'),
          resourceNames: ['lent', actor.space.nameOf(clusterRoles, 'lent')],
        },
      ],
    },
    'on another role': { everywhere: [named] },
    'on bindings': { everywhere: [on(kind, dialect, 'bind')] },
    'in another group': { everywhere: [{ ...right, apiGroups: [''] }] },
    'by the verb escalate': { everywhere: [on(role, dialect, 'escalate')] },
    'by a word with a star': { everywhere: [on(role, dialect, 'bin*')] },
    ...(kind.namespaced ? { 'in another namespace': { there: right } } : { 'in a namespace': { here: [right] } }),
  };
};

for (const [what, { kind, role }] of Object.entries(BINDINGS)) {
  check(
    `somebody may almost bind, and writes ${what} → 403, in every way of writing`,
    ['RBAC-ESCALATION-05', 'RBAC-ESCALATION-04'],
    async ({ admin, person, dialect }) => {
      const rules = [on(secrets, dialect, 'list')] as never[];
      for (const name of ['lent', 'kept']) await admin.given(role, named(name, { rules }));
      const roleRef = refTo(admin, role, 'lent');
      const live = await admin.given(kind, named('live', { roleRef, subjects: [] }));
      for (const [index, [almost, given]] of Object.entries(almostBind(role, kind, admin)).entries()) {
        const eve = person(`eve-${index}`);
        if (given.there) await entitled(admin.elsewhere(), eve, { here: [given.there] });
        await entitled(admin, eve, {
          ...given,
          everywhere: [...(given.everywhere ?? []), on(kind, dialect, ...writing)],
        });
        const subjects = [userSubject(eve, dialect)];
        for (const [way, create] of Object.entries(CREATING))
          must(`bind ${almost}, by ${way}`, await create(eve, kind, 'new', { roleRef, subjects }), notCreated(way));
        for (const [way, change] of Object.entries(CHANGING))
          must(`bind ${almost}, by ${way}`, await change(eve, kind, live, 'live', { subjects }), forbidden);
      }
      must('it is as it was', await admin.get(kind, 'live'), match.body(live));
    },
  );

  check(
    `somebody has the verb bind on one role, and writes ${what} → they bind that one in every way, and no other`,
    ['RBAC-ESCALATION-05'],
    async ({ admin, person, dialect }) => {
      const rules = [on(secrets, dialect, 'list')] as never[];
      for (const name of ['lent', 'kept']) await admin.given(role, named(name, { rules }));
      const ada = person('ada');
      const lent = { ...on(role, dialect, 'bind'), resourceNames: [admin.space.nameOf(role, 'lent')] };
      const given = [on(kind, dialect, ...writing), lent];
      await entitled(admin, ada, kind.namespaced ? { here: given } : { everywhere: given });
      const subjects = [userSubject(ada, dialect)];
      const roleRef = refTo(admin, role, 'lent');
      must(
        'another',
        await ada.create(kind, named('kept', { roleRef: refTo(admin, role, 'kept'), subjects })),
        forbidden,
      );
      must('they have nothing of it yet', await ada.list(secrets), forbidden);
      for (const [way, create] of Object.entries(CREATING))
        must(
          `created by ${way}`,
          await create(ada, kind, `new-${way}`.toLowerCase(), { roleRef, subjects }),
          created(way),
        );
      const { resourceVersion: _, ...metadata } = (await admin.given(kind, named('live', { roleRef }))).metadata;
      for (const [way, change] of Object.entries(CHANGING))
        must(`changed by ${way}`, await change(ada, kind, { roleRef, metadata }, 'live', { subjects }), match.success);
      must('what was bound is theirs', await should(() => ada.list(secrets), match.status(200)));
    },
  );
}

check(
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
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')]);
    must('the grant is followed', await should(() => stranger.list(configMaps), match.status(200)));
    const more = { rules: [on(secrets, dialect, 'list')] as never[] };
    const same = { rules: [on(configMaps, dialect, 'list')] as never[] };
    const bound = (role: string) => ({
      roleRef: { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: role },
      subjects: [userSubject(stranger, dialect)],
    });
    must('a role with more', await stranger.create(roles, named('more', more)), forbidden);
    must('a cluster role with more', await stranger.create(clusterRoles, named('more', more)), forbidden);
    must('a role with the same', await stranger.create(roles, named('same', same)), match.status(201));
    must('which they change into more', await stranger.patch(roles, 'same', 'merge', more), forbidden);
    for (const kind of [roleBindings, clusterRoleBindings])
      must(
        `cluster-admin by one of ${kind.plural}`,
        await stranger.create(kind, named('all', bound('cluster-admin'))),
        forbidden,
      );
    const widest = `${await admin.pathOf(clusterRoleBindings)}/cluster-admin`;
    const merge = { headers: { 'content-type': 'application/merge-patch+json' }, body: bound('cluster-admin') };
    must('the default binding of it', await stranger.request('PATCH', `${widest}?dryRun=All`, merge), forbidden);
    const given = [on(roles, dialect, 'escalate'), on(clusterRoles, dialect, 'bind')];
    await grantHere(admin, stranger, dialect, given, 'verbs');
    const lend = () => stranger.create(roleBindings, named('view', bound('view')));
    must('with bind they may', await should(lend, match.status(201)));
    must('with escalate too', await stranger.patch(roles, 'same', 'merge', more), match.status(200));
    must('in that namespace only', await stranger.create(clusterRoles, named('more', more)), forbidden);
  },
);
