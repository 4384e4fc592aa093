import { runCrashes } from '../../crash/crashRun.ts';
import { examineCrashes, PROMISES, type Promised } from '../../crash/examine.ts';
import { crashPlan } from '../../crash/plan.ts';
import type { ApiObject, Exchange } from '../../harness/index.ts';
import { check, match, must } from '../../harness/index.ts';

/** A server that keeps its objects in a folder of the check. */
const KEEPS = { flags: ['--data-dir={data}'], folders: ['data'] };
/** Milliseconds in which a watch shows what was written before. */
const PATIENCE = 15_000;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, word: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { word },
});
const versionOf = ({ json }: Exchange) =>
  (json as { metadata?: { resourceVersion?: string } } | undefined)?.metadata?.resourceVersion ?? '';

check(
  'the author writes, the server is stopped and started again → all is there, and versions go on',
  ['STORE-PERSIST-01'],
  async ({ start }) => {
    const server = await start(KEEPS);
    const author = server.as('admin');
    const made = await author.request('POST', CONFIG_MAPS, { body: configMap('made', 'one') });
    const first = await author.request('POST', CONFIG_MAPS, { body: configMap('changed', 'one') });
    const changed = await author.request('PUT', `${CONFIG_MAPS}/changed`, { body: configMap('changed', 'two') });
    const gone = await author.request('POST', CONFIG_MAPS, { body: configMap('gone', 'one') });
    must('it is created', gone, match.status(201));
    must('and deleted', await author.request('DELETE', `${CONFIG_MAPS}/gone`), match.status(200));
    await server.end('stop');
    must('it starts again', await server.again(), match.starts);

    const reader = server.as('admin');
    const read = (name: string) => reader.request('GET', `${CONFIG_MAPS}/${name}`);
    must('what was created is as it was', await read('made'), match.status(200), match.body(made.json as ApiObject));
    must(
      'what was changed is as it was',
      await read('changed'),
      match.status(200),
      match.body(changed.json as ApiObject),
    );
    must('what was deleted is gone', await read('gone'), match.status(404));
    const later = await reader.request('POST', CONFIG_MAPS, { body: configMap('later', 'one') });
    const before = [made, first, changed, gone].map(versionOf);
    must('a new version is no old one', before.includes(versionOf(later)), match.equal(false));
  },
);

check(
  'the server is killed while clients write, and started again → nothing acknowledged is lost',
  ['STORE-CRASH-01'],
  async ({ start, seed }) => {
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
    for (const [name, { violations }] of Object.entries(examineCrashes(run))) {
      must(PROMISES[name as Promised], violations, match.size(0));
    }
  },
);
