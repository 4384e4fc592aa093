import { API_VERBS, type ApiVerb, clausesOf, VERB_TYPES, type VerbType } from '../../../fixtures/ledger/index.ts';
import type { Exchange } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clause,
  clusterRoles,
  configMaps,
  defineType,
  grantHere,
  type Kind,
  leases,
  match,
  must,
  named,
  on,
  secrets,
  should,
} from '../../harness/index.ts';
import { authorized, forbidden } from '../decisions.ts';
import { entitled } from '../persons.ts';

type Ask = (actor: Actor) => Promise<Exchange>;

/** Nothing has this label: what a DELETE of a collection with it deletes. */
const NOTHING = '?labelSelector=touchstone%2Fnobody-has-this';

/** Requests for a type as HTTP names them, by the verb that each is authorized as (2/authorization, table of verbs). */
function requestsOf(kind: Kind): Readonly<Record<ApiVerb, Readonly<Record<string, Ask>>>> {
  const on =
    (method: string, name = '', query = ''): Ask =>
    async (actor) =>
      actor.request(method, `${await actor.pathOf(kind, name)}${query}`);
  const oneOf = ({ space }: Actor) => `?fieldSelector=metadata.name%3D${space.nameOf(kind, 'doc')}`;
  const watched =
    (name = '', query = '?'): Ask =>
    async (actor) => {
      const path = await actor.pathOf(kind, name);
      return (await actor.openStream(`${actor.name} watches`, `${path}${query}&watch=true`)).opening;
    };
  const labels = { metadata: { labels: { by: 'patch' } } };
  return {
    create: { 'POST of a collection': (actor) => actor.create(kind) },
    update: { 'PUT of an object': (actor) => actor.update(kind, named('doc')) },
    patch: {
      'PATCH of an object': (actor) => actor.patch(kind, 'doc', 'merge', labels),
      'a JSON patch': (actor) => actor.patch(kind, 'doc', 'json', []),
      // Types of one's own take no strategic merge patch, which is no matter of rights.
      'a strategic merge patch': (actor) => actor.patch(kind, 'doc', 'strategic', labels),
      'an apply of what is there': (actor) => actor.apply(kind, named('doc')),
    },
    get: { 'GET of an object': on('GET', 'doc'), 'HEAD of an object': on('HEAD', 'doc') },
    list: {
      'GET of a collection': on('GET'),
      'HEAD of a collection': on('HEAD'),
      'GET of a collection with a selector': on('GET', '', NOTHING),
      'GET of what is called so in a collection': async (actor) => on('GET', '', oneOf(actor))(actor),
    },
    watch: {
      'GET of a collection with watch': watched(),
      'GET with watch of what is called so': async (actor) => watched('', oneOf(actor))(actor),
    },
    delete: { 'DELETE of an object': on('DELETE', 'doc') },
    deletecollection: { 'DELETE of a collection': on('DELETE', '', NOTHING) },
  };
}

/** Those for config maps, and a watch of one. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, Ask>>>> = {
  ...requestsOf(configMaps),
  watch: {
    ...requestsOf(configMaps).watch,
    'GET of an object with watch': async (actor) => {
      const path = await actor.pathOf(configMaps, 'doc');
      return (await actor.openStream(`${actor.name} watches`, `${path}?watch=true`)).opening;
    },
  },
};

/** The types beside config maps; those of a check's own are made for it. */
const TYPES: Readonly<Record<VerbType, (admin: Actor) => Promise<Kind> | Kind>> = {
  clusterroles: () => clusterRoles,
  leases: () => leases,
  secrets: () => secrets,
  custom: (admin) => defineType(admin, admin.dialect, () => ({ type: 'object' })),
};

for (const type of VERB_TYPES) {
  check(
    `AUTHZ-VERB-01.3/${type}`,
    `several may one verb each on ${type} → the requests of that verb are authorized, and those of no other, nor an apply of what is not there`,
    [
      ...clausesOf('AUTHZ-VERB-01', type),
      `PATCH-TYPE-03/${type}`,
      `APPLY-PERMISSION-01/${type}`,
      `APPLY-PERMISSION-02/${type}`,
    ],
    type === 'custom' ? ['impersonation', 'custom-types'] : ['impersonation'],
    async ({ admin, person, dialect }) => {
      const kind = await TYPES[type](admin);
      const requests = requestsOf(kind);
      await admin.given(kind, named('doc'));
      const may = API_VERBS.map((verb) => [verb, person(verb)] as const);
      await Promise.all(
        may.map(([verb, somebody]) => {
          const rules = [on(kind, dialect, verb)];
          return entitled(admin, somebody, kind.namespaced ? { here: rules } : { everywhere: rules });
        }),
      );
      const both = person('patch-and-create');
      const two = [on(kind, dialect, 'patch', 'create')];
      await entitled(admin, both, kind.namespaced ? { here: two } : { everywhere: two });
      const rest = person('all-but-create');
      // To create something else is no right to create this.
      const another = { ...on(kind, dialect, 'create'), resourceNames: [admin.space.nameOf(kind, 'another')] };
      const others = [on(kind, dialect, ...API_VERBS.filter((verb) => verb !== 'create')), another];
      await entitled(admin, rest, kind.namespaced ? { here: others } : { everywhere: others });
      await clause(`APPLY-PERMISSION-02/${type}`, async () => {
        const patcher = may.find(([held]) => held === 'patch')?.[1] as Actor;
        for (const somebody of [patcher, rest])
          for (const query of [{}, { dryRun: 'All' }, { force: true }])
            must('creating needs create', await somebody.apply(kind, named('new'), query), forbidden);
        must('what is there may be applied', await rest.apply(kind, named('doc')), authorized);
        must('nothing is made', await admin.get(kind, 'new'), match.status(404));
        must('by both it is', await both.apply(kind, named('new', kind.least(dialect))), match.created);
        await admin.prepare((each) => each.delete(kind, 'new'));
      });
      for (const verb of API_VERBS) {
        const patching = [`PATCH-TYPE-03/${type}`, `APPLY-PERMISSION-01/${type}`] as const;
        const rules = verb === 'patch' ? patching : [];
        await clause([`AUTHZ-VERB-01/${verb}/${type}`, ...rules], async () => {
          for (const [words, ask] of Object.entries(requests[verb]))
            for (const [held, somebody] of may) {
              const outcome = held === verb ? authorized : forbidden;
              must(`${words} by a right to ${held}`, await ask(somebody), outcome);
            }
          if (verb !== 'patch') return;
          for (const [held, somebody] of may)
            if (held !== 'patch')
              must(
                `an apply of what is not there by a right to ${held}`,
                await somebody.apply(kind, named('new')),
                forbidden,
              );
        });
      }
    },
  );
}

for (const verb of Object.keys(REQUESTS)) {
  check(
    `AUTHZ-VERB-01.2/${verb}`,
    `the admin grants ${verb} alone → the requests of that verb are authorized, and those of no other`,
    ['AUTHZ-VERB-01'],
    async ({ admin, stranger, dialect }) => {
      await admin.given(configMaps, named('doc'));
      await grantHere(admin, stranger, dialect, [on(configMaps, dialect, verb)]);
      for (const [words, ask] of Object.entries(REQUESTS[verb] ?? {})) {
        must(`${words} is ${verb}`, await should(() => ask(stranger), authorized));
      }
      for (const [other, requests] of Object.entries(REQUESTS)) {
        if (other === verb) continue;
        for (const [words, ask] of Object.entries(requests)) {
          must(`${words} is ${other}, not ${verb}`, await ask(stranger), forbidden);
        }
      }
    },
  );
}

const PATCHES = {
  json: [{ op: 'add', path: '/data', value: { by: 'json' } }],
  merge: { data: { by: 'merge' } },
  strategic: { data: { by: 'strategic' } },
} as const;

check(
  'PATCH-TYPE-03.1',
  'the admin grants patch alone → a patch of every type is authorized on an object that is there',
  ['PATCH-TYPE-03'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('doc'));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'patch')]);
    for (const [type, patch] of Object.entries(PATCHES)) {
      const patched = () => stranger.patch(configMaps, 'doc', type as keyof typeof PATCHES, patch);
      must(`a ${type} patch`, await should(patched, authorized));
    }
    const applied = await stranger.apply(configMaps, named('doc', { data: { applied: 'yes' } }));
    must('an apply', applied, authorized);
  },
);

check(
  'PATCH-TYPE-03.2',
  'the admin grants every verb but patch → a patch of no type is authorized',
  ['PATCH-TYPE-03'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('doc'));
    const others = Object.keys(REQUESTS).filter((verb) => verb !== 'patch');
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, ...others)]);
    must('the grant is followed', await should(() => stranger.get(configMaps, 'doc'), authorized));
    for (const [type, patch] of Object.entries(PATCHES)) {
      must(`a ${type} patch`, await stranger.patch(configMaps, 'doc', type as keyof typeof PATCHES, patch), forbidden);
    }
    must('an apply', await stranger.apply(configMaps, named('doc', { data: { applied: 'yes' } })), forbidden);
  },
);
