import {
  atRelease,
  check,
  clause,
  clausesOf,
  configMaps,
  deprecatedEndpoints,
  match,
  must,
  named,
} from '../../harness/index.ts';
import { notWarned, warned } from '../warnings.ts';
import { cronJobs, everyVerb, nightly } from './everyVerb.ts';
import { defineOldType } from './oldType.ts';

check(
  'DEPRECATED-WARNING-01.1',
  'the watcher lists what is deprecated → each answer warns, in the form of RFC 7234',
  clausesOf('DEPRECATED-WARNING-01', 'list'),
  async ({ watcher, target }) => {
    for (const { served } of deprecatedEndpoints(target)) {
      const path = served.startsWith('v1/') ? `/api/${served}` : `/apis/${served}`;
      const answer = await watcher.request('GET', `${path}?limit=1`);
      // What is only ever created has nothing to list.
      if (answer.status !== 405) must(`${served} warns`, answer, warned);
    }
  },
);

check(
  'DEPRECATED-WARNING-01.2',
  'the author does all there is with a version that release 1.24 calls deprecated → each answer warns',
  clausesOf('DEPRECATED-WARNING-01'),
  { needs: ['releases'], setup: atRelease('1.24') },
  async ({ author }) => {
    for (const [verb, answer] of await everyVerb(author, cronJobs, nightly)) {
      await clause(`DEPRECATED-WARNING-01/${verb}`, async () => {
        must(`${verb} is served`, answer, match.success);
        must(`${verb} warns`, answer, warned);
      });
    }
    await clause('DEPRECATED-WARNING-01/refused', async () => {
      must('what is not there warns', await author.get(cronJobs, 'not-there'), match.status(404), warned);
      const invalid = await author.create(cronJobs, { ...named('wrong'), spec: {} });
      must('what is refused warns', invalid, match.refusal, warned);
    });
  },
);

check(
  'DEPRECATED-WARNING-02.1',
  'the author does all there is with a version that is not deprecated → no answer warns',
  ['DEPRECATED-WARNING-02'],
  async ({ author }) => {
    for (const [verb, answer] of await everyVerb(author, configMaps, {})) must(`${verb} is silent`, answer, notWarned);
    must('so is the version', await author.request('GET', '/version'), notWarned);
  },
);

check(
  'DEPRECATED-WARNING-03.1',
  'the author does all there is with a deprecated version of a custom type → each answer warns, and no other',
  ['DEPRECATED-WARNING-03', 'DEPRECATED-WARNING-02'],
  async ({ author }) => {
    const { old, current } = await defineOldType(author);
    for (const [verb, answer] of await everyVerb(author, old, { size: 1 })) {
      must(`${verb} is served`, answer, match.success);
      must(`${verb} warns`, answer, warned);
    }
    for (const [verb, answer] of await everyVerb(author, current, { size: 1 })) {
      must(`${verb} of the current version is silent`, answer, notWarned);
    }
  },
);
