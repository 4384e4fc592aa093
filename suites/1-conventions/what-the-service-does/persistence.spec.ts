import { runCrashes } from '../../crash/crashRun.ts';
import { judgeCrashes } from '../../crash/examine.ts';
import { crashPlan } from '../../crash/plan.ts';
import type { ApiObject, Exchange } from '../../harness/index.ts';
import { check, configMaps, match, must, named, objectIn, unsupported } from '../../harness/index.ts';

/** A server that keeps its objects in a folder of the check. */
const KEEPS = { folders: ['data'], data: 'data' };
/** Milliseconds in which a watch shows what was written before. */
const PATIENCE = 15_000;
/** Metadata of which each part can be lost by itself. */
const KEPT = {
  labels: { empty: '', 'touchstone.example/Part': 'A.b_c' },
  annotations: { empty: '', text: ' ü☂𝄞\n' },
  finalizers: ['touchstone.example/b', 'touchstone.example/a'],
};
const versionOf = ({ json }: Exchange) =>
  (json as { metadata?: { resourceVersion?: string } } | undefined)?.metadata?.resourceVersion ?? '';

check(
  'STORE-PERSIST-01.1',
  'the author writes, the server is stopped and started again → all is there, and versions go on',
  ['STORE-PERSIST-01'],
  async ({ start }) => {
    const server = await start(KEEPS);
    const author = server.as('admin');
    const draft = (name: string, word: string) => named(name, { data: { word } });
    const made = await author.create(configMaps, {
      metadata: { name: 'made', ...KEPT },
      data: { word: 'one', empty: '', lines: 'a\r\nb', text: 'ü☂𝄞' },
    });
    const held = await author.create(configMaps, { metadata: { name: 'held', ...KEPT } });
    must('it is held', held, match.created);
    must('and waits', await author.delete(configMaps, 'held'), match.success);
    const waiting = await author.get(configMaps, 'held');
    const first = await author.create(configMaps, draft('changed', 'one'));
    const changed = await author.update(configMaps, { ...objectIn(first), data: { word: 'two' } });
    const gone = await author.create(configMaps, draft('gone', 'one'));
    const namespace = await author.namespace();
    must('it is created', gone, match.created);
    must('and deleted', await author.delete(configMaps, 'gone'), match.status(200));
    await server.end('stop');
    must('it starts again', await server.again(), match.starts);

    const reader = server.as('admin').in(namespace);
    const read = (name: string) => reader.get(configMaps, name);
    must('what was created is as it was', await read('made'), match.status(200), match.body(made.json as ApiObject));
    must('what waits is as it was', await read('held'), match.status(200), match.body(waiting.json as ApiObject));
    must(
      'what was changed is as it was',
      await read('changed'),
      match.status(200),
      match.body(changed.json as ApiObject),
    );
    must('what was deleted is gone', await read('gone'), match.status(404));
    for (const name of ['made', 'held'])
      await reader.patch(configMaps, name, 'merge', { metadata: { finalizers: null } });
    const later = await reader.create(configMaps, draft('later', 'one'));
    const before = [made, first, changed, gone].map(versionOf);
    must('a new version is no old one', before.includes(versionOf(later)), match.equal(false));
  },
);

check(
  'STORE-CRASH-01.1',
  'the server is killed while clients write, and started again → nothing acknowledged is lost',
  ['STORE-CRASH-01'],
  async ({ start, seed }, info) => {
    // It is started four times, and a server may take its time for that.
    info.setTimeout(240_000);
    const server = await start({ ...KEEPS, apart: true });
    let lives = 0;
    const run = await runCrashes(
      {
        kill: () => server.end('kill'),
        begin: async () => {
          if (lives++ > 0) must('it starts again', await server.again(), match.starts);
          return server.ready;
        },
      },
      crashPlan(seed, 2, 3),
      PATIENCE,
    );
    if (!/^\d+$/.test(run.first.version))
      unsupported('the versions of the target are no numbers, so that nothing tells which came first');
    for (const { sentence, finding } of judgeCrashes(run)) must(sentence, finding.violations, match.size(0));
  },
);
