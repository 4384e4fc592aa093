import type { Exchange } from '../../harness/index.ts';
import {
  check,
  clause,
  configMaps,
  difference,
  type Matcher,
  match,
  must,
  objectIn,
  should,
} from '../../harness/index.ts';

/** The status of a failing check is not given: any answer but a success. */
const failing: Matcher<Exchange> = {
  allows: 'an answer that is no success',
  differences: ({ status, failure }) =>
    status >= 300 ? [] : [difference('status', 'one of a failure', failure ?? status)],
};

/** A server that goes on for a while when it is told to end. */
const DELAYED = { flags: ['--shutdown-delay-duration=20s'], ended: true, apart: true };

check(
  'HEALTH-SHUTDOWN-01.1',
  'the server is told to end, with a delay → it says that it is not ready, is alive, and serves on',
  ['HEALTH-SHUTDOWN-01', 'HEALTH-PATH-02'],
  ['launch'],
  async ({ start }) => {
    const server = await start(DELAYED);
    const admin = server.as('admin');
    must('it is ready', await should(() => admin.request('GET', '/readyz'), match.status(200)));
    const path = await admin.pathOf(configMaps);
    const body = await admin.fill(configMaps, { metadata: { name: 'touchstone-late' } });
    server.tellToEnd();
    must('it is ready no longer', await should(() => admin.request('GET', '/readyz'), failing));
    must('it serves on', await admin.request('GET', '/api/v1/namespaces'), match.status(200));
    const made = must('writes too', await admin.request('POST', path, { body }), match.created);
    const changed = { body: { ...objectIn(made), data: { a: 'b' } } };
    must('and changes', await admin.request('PUT', `${path}/${body.metadata.name}`, changed), match.status(200));
    must('and ends', await admin.request('DELETE', `${path}/${body.metadata.name}`), match.status(200));
    must('it is alive', await admin.request('GET', '/livez'), match.status(200));
    must('one check says why', await admin.request('GET', '/readyz/shutdown'), failing);
    must('told check by check', await admin.request('GET', '/readyz?verbose'), failing);
    must('without another check it is the same', await admin.request('GET', '/readyz?exclude=ping'), failing);
  },
);

check(
  'HEALTH-GRACE-01.1',
  'the server is given time to start → it is alive from the beginning, and ready once it is',
  ['HEALTH-GRACE-01'],
  { setup: { flags: ['--livez-grace-period=1h'] } },
  async ({ admin }) => {
    must('it is alive', await admin.request('GET', '/livez'), match.status(200));
    must('by each check', await admin.request('GET', '/livez?verbose'), match.status(200));
    must('it becomes ready', await should(() => admin.request('GET', '/readyz'), match.status(200)));
  },
);

check(
  'HEALTH-EXCLUDE-01.2',
  'the server is told to end, and the check that says so is excluded → it is ready by the others',
  ['HEALTH-EXCLUDE-01', 'HEALTH-EXCLUDE-01/alone'],
  ['launch'],
  async ({ start }) => {
    const server = await start(DELAYED);
    const admin = server.as('admin');
    must('it is ready', await should(() => admin.request('GET', '/readyz'), match.status(200)));
    server.tellToEnd();
    must('it is ready no longer', await should(() => admin.request('GET', '/readyz'), failing));
    const without = await admin.request('GET', '/readyz?verbose&exclude=shutdown');
    must('a check that is skipped does not count', without, match.status(200));
    must('and is told', without.text.includes('[+]shutdown excluded: ok'), match.equal(true));
    await clause('HEALTH-EXCLUDE-01/alone', async () => {
      must('nor without verbose', await admin.request('GET', '/readyz?exclude=shutdown'), match.status(200));
      const others = '/readyz?exclude=ping&exclude=shutdown&exclude=log';
      must('nor among others', await admin.request('GET', others), match.status(200));
    });
  },
);
