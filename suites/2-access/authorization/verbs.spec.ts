import type { Exchange } from '../../harness/index.ts';
import { type Actor, check, configMaps, grantHere, must, named, on, should } from '../../harness/index.ts';
import { authorized, forbidden } from '../decisions.ts';

type Ask = (actor: Actor) => Promise<Exchange>;
const onItem =
  (method: string, query = ''): Ask =>
  async (actor) =>
    actor.request(method, `${await actor.pathOf(configMaps, 'doc')}${query}`);
const onCollection =
  (method: string, query = ''): Ask =>
  async (actor) =>
    actor.request(method, `${await actor.pathOf(configMaps)}${query}`);
const watched =
  (path: (actor: Actor) => Promise<string>): Ask =>
  async (actor) =>
    (await actor.openStream(`${actor.name} watches`, await path(actor))).opening;

/** Requests as HTTP names them, by the verb that each is authorized as (2/authorization, table of verbs). */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, Ask>>>> = {
  create: { 'POST of a collection': (actor) => actor.create(configMaps) },
  update: { 'PUT of an object': (actor) => actor.update(configMaps, named('doc')) },
  patch: { 'PATCH of an object': (actor) => actor.patch(configMaps, 'doc', 'merge', { data: { by: 'patch' } }) },
  get: { 'GET of an object': onItem('GET'), 'HEAD of an object': onItem('HEAD') },
  list: { 'GET of a collection': onCollection('GET'), 'HEAD of a collection': onCollection('HEAD') },
  watch: {
    'GET of a collection with watch': watched(async (actor) => `${await actor.pathOf(configMaps)}?watch=true`),
    'GET of an object with watch': watched(async (actor) => `${await actor.pathOf(configMaps, 'doc')}?watch=true`),
  },
  delete: { 'DELETE of an object': onItem('DELETE') },
  deletecollection: { 'DELETE of a collection': onCollection('DELETE') },
};

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
