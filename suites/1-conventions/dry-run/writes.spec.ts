import { SUBJECTS } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  clusterRoles,
  configMaps,
  type Exchange,
  match,
  must,
  named,
  objectIn,
  secrets,
} from '../../harness/index.ts';
import { services } from '../server-side-apply-rules/services.ts';
import { SUBJECT } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const dryRun = { dryRun: 'All' };

check(
  'DRYRUN-CREATE-01.2',
  'the author creates as a dry run → the object is answered and not there',
  ['DRYRUN-CREATE-01'],
  async ({ author }) => {
    const created = await author.create(configMaps, named('dry', { data: { a: '1' } }), dryRun);
    must(
      'it is answered',
      created,
      match.created,
      match.field('data', { a: '1' }),
      match.field('metadata.name', 'dry'),
    );
    must('it is not there', await author.get(configMaps, 'dry'), match.status(404));
  },
);

check(
  'DRYRUN-UPDATE-01.1',
  'the author replaces as a dry run → the object as it would be, and the stored one stays',
  ['DRYRUN-UPDATE-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    const written = await author.update(configMaps, { ...live, data: { a: '2' } }, dryRun);
    must('it is answered', written, match.status(200), match.field('data', { a: '2' }));
    must('the stored one is as it was', await author.get(configMaps, 'doc'), match.body(live));
  },
);

for (const type of ['merge', 'strategic', 'json'] as const) {
  check(
    `DRYRUN-PATCH-01.1/${type}`,
    `the author sends a ${type} patch as a dry run → merged, and the stored one stays`,
    ['DRYRUN-PATCH-01'],
    async ({ author }) => {
      const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
      const patch = type === 'json' ? [{ op: 'add', path: '/data/b', value: '2' }] : { data: { b: '2' } };
      const patched = await author.patch(configMaps, 'doc', type, patch, dryRun);
      must('it is answered', patched, match.status(200), match.field('data', { a: '1', b: '2' }));
      must('the stored one is as it was', await author.get(configMaps, 'doc'), match.body(live));
    },
  );
}

check(
  'DRYRUN-DELETE-01.1',
  'the author deletes as a dry run → the object stays, without deletionTimestamp',
  ['DRYRUN-DELETE-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc'));
    must('it is answered', await author.delete(configMaps, 'doc', dryRun), match.status(200, 202));
    must('it stays as it was', await author.get(configMaps, 'doc'), match.status(200), match.body(live));
  },
);

for (const [title, body] of Object.entries({
  'empty options': {},
  'a kind alone': { kind: 'DeleteOptions', apiVersion: 'v1' },
  'another option': { propagationPolicy: 'Background' },
})) {
  check(
    `DRYRUN-DELETE-02.1/${title}`,
    `the author deletes an item and a collection as a dry run, with ${title} as the body → all stays as it was`,
    ['DRYRUN-DELETE-02'],
    async ({ author }) => {
      const live = await author.given(configMaps, named('doc', { metadata: { name: 'doc', labels: { app: 'dry' } } }));
      must('it is answered', await author.delete(configMaps, 'doc', dryRun, body), match.success);
      must('it stays as it was', await author.get(configMaps, 'doc'), match.status(200), match.body(live));
      const all = await author.deleteAll(configMaps, { ...dryRun, labelSelector: 'app=dry' }, body);
      must('the collection is answered', all, match.success);
      must('it stays too', await author.get(configMaps, 'doc'), match.status(200), match.body(live));
      // In no namespace.
      const wide = await author.given(clusterRoles, { metadata: { name: 'doc', labels: { app: 'dry' } } });
      must('of the cluster too', await author.delete(clusterRoles, 'doc', dryRun, body), match.success);
      const roles = await author.deleteAll(clusterRoles, { ...dryRun, labelSelector: 'app=dry' }, body);
      must('and its collection', roles, match.success);
      must('it stays', await author.get(clusterRoles, 'doc'), match.status(200), match.body(wide));
      for (const kind of [configMaps, clusterRoles]) {
        for (const preconditions of [{ uid: '00000000-0000-0000-0000-000000000000' }, { resourceVersion: '1' }]) {
          const tried = await author.delete(kind, 'doc', dryRun, { ...body, preconditions });
          must(`what it says of ${Object.keys(preconditions)} is looked at`, tried, match.refusal);
        }
      }
    },
  );
}

check(
  'DRYRUN-STAGES-01.2',
  'the author sends as a dry run what would be refused → refused with the same status',
  ['DRYRUN-STAGES-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('taken'));
    const stale = { ...live, metadata: { ...live.metadata, resourceVersion: `${live.metadata.resourceVersion}0` } };
    const invalid = named('bad', { data: { a: 1 } as never });
    const both = async (send: (query: object) => ReturnType<typeof author.get>) => {
      const real = await send({});
      must('the real one is refused', real, match.refusal);
      must('so is the dry run', await send(dryRun), match.status(real.status));
    };
    await both((query) => author.create(configMaps, named('taken'), { ...query }));
    await both((query) => author.create(configMaps, invalid, { ...query }));
    await both((query) => author.update(configMaps, stale, { ...query }));
  },
);

check(
  'DRYRUN-EFFECT-01.1',
  'the author creates as a dry run and then really → no event of the first, and the second succeeds',
  ['DRYRUN-EFFECT-01'],
  async ({ author, watcher }) => {
    const stream = await watcher.watch(configMaps);
    await author.create(configMaps, named('doc', { data: { dry: 'yes' } }), dryRun);
    const real = await author.create(configMaps, named('doc'));
    must('the name is free', real, match.created);
    const events = must('the real one is told', await stream.upTo(match.event('ADDED', 'doc')));
    must('as it was written', events.at(-1)?.object, match.equal(objectIn(real)));
  },
);

/** Where a service of each type keeps what was allocated for it. */
const ALLOCATED = {
  clusterIP: (spec: Allocated) => ({ clusterIP: spec.clusterIP, ports: [{ name: 'a', port: 80 }] }),
  nodePort: ({ ports: [port] = [] }: Allocated) => ({
    type: 'NodePort',
    ports: [{ name: 'a', port: 80, nodePort: port?.nodePort }],
  }),
} as const;
type Allocated = { readonly clusterIP?: string; readonly ports?: readonly { readonly nodePort?: number }[] };

for (const what of ['clusterIP', 'nodePort'] as const) {
  check(
    `DRYRUN-EFFECT-01.6/${what}`,
    `the author creates a Service with a ${what} that is free as a dry run, and then really → it is free still`,
    ['DRYRUN-EFFECT-01'],
    async ({ author }) => {
      let real: Exchange | undefined;
      // Others may take it in between: then another one is tried.
      for (const name of ['a', 'b', 'c']) {
        const type = what === 'nodePort' ? 'NodePort' : 'ClusterIP';
        const free = { spec: { type, clusterIP: undefined, ports: [{ name: 'a', port: 80 }] } };
        const first = await author.given(services, named(`${name}-first`, free));
        await author.prepare((each) => each.delete(services, `${name}-first`));
        const spec = ALLOCATED[what](first.spec as Allocated);
        const dry = await author.create(services, named(name, { spec }), dryRun);
        if (!dry.succeeded) continue;
        real = await author.create(services, named(name, { spec }));
        if (real.succeeded) break;
      }
      if (real) must('what was tried is not taken', real, match.created);
    },
  );
}

for (const type of SUBJECTS) {
  check(
    `DRYRUN-VALUE-03.1/${type}`,
    `the author writes ${type} in every way with a dryRun that there is not → 4xx, and nothing is stored`,
    clausesOf('DRYRUN-VALUE-03', type),
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      for (const write of writer.writes) {
        await clause(`DRYRUN-VALUE-03/${write}/${type}`, async () => {
          for (const dryRun of ['Some', 'all', 'true', 'All,All']) {
            must('there is no such value', await writer.send(write, { query: { dryRun } }), match.refusal);
          }
          if (write === 'post') must('nothing is stored', await writer.get('made'), match.status(404));
          must('what is stored stays as it was', await writer.get('doc'), match.body(live));
        });
      }
    },
  );
}

check(
  'DRYRUN-ADMISSION-01.1',
  'the author creates a secret as a dry run → built-in admission lets it pass',
  ['DRYRUN-ADMISSION-01'],
  async ({ author }) => {
    must('it passes as the real one would', await author.create(secrets, named('dry'), dryRun), match.created);
    must('the real one passes', await author.create(secrets, named('dry')), match.created);
  },
);
