import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CheckResult } from './checkResult.ts';
import type { ExchangeRecorded } from './events.ts';
import { resultOf } from './results.ts';
import { CutLink, fragmentOf, readFragment } from './storyLink.ts';
import { linkOfCheck, storiesOfRun, storyOfCheck } from './storyOfCheck.ts';
import { sampleRun } from './testing/sampleRun.ts';

const RUN = resultOf(sampleRun([{ outcome: 'fail', broken: ['it is refused'], statuses: [201] }]));
const FAILED = RUN.checks[0] as CheckResult;
const [SENT] = FAILED.exchanges as [ExchangeRecorded];

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly actor?: string;
  readonly at?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer?: object;
}
const N = '/api/v1/namespaces/touchstone-r-1';

/** A check that failed at the exchange of a number. */
function checkOf(asked: readonly Asked[], broken = 1): CheckResult {
  const exchanges = asked.map(
    (
      { method = 'GET', path = `${N}/configmaps`, body, actor = 'author', at = 1, headers = {}, answer = {} },
      index,
    ) => ({
      ...SENT,
      number: index + 1,
      actor,
      at,
      request: { method, path, headers, ...(body === undefined ? {} : { body }) },
      response: { status: 200, headers: {}, body: JSON.stringify(answer), size: 2 },
    }),
  );
  const assertions = FAILED.assertions.map((each) => ({ ...each, exchange: broken }));
  return { ...FAILED, exchanges, assertions };
}
/** A part of the answer to the first request. */
const at = (path: string) => `\${s1.${path}}`;
const storyOf = (check: CheckResult) => storyOfCheck(check, check.assertions[0]);

describe('the story of a check that failed', () => {
  it('makes the namespace that nobody made, and tells at which step the check failed', () => {
    const steps = storyOf(checkOf([{}]))?.steps ?? [];
    assert.deepEqual(
      steps.map(({ request }) => `${request?.who} ${request?.method} ${request?.path}`),
      ['admin POST /api/v1/namespaces', `admin GET ${N}/configmaps`],
    );
    assert.match(steps[1]?.look ?? '', /^Here the check failed: it is refused\. The target answered 200\./);
  });

  it('refers to what an answer made up, in bodies and parameters, and nowhere else', () => {
    const answer = { metadata: { uid: 'u-1', resourceVersion: '12', continue: 'a+b' } };
    const later = `${N}/configmaps?continue=a%2Bb&limit=12`;
    const body = '{"metadata":{"uid":"u-1","resourceVersion":"12"},"data":{"n":"12"}}';
    const steps = storyOf(checkOf([{ answer }, { method: 'PUT', path: later, body }]))?.steps ?? [];
    const request = steps.at(-1)?.request;
    const version = at('metadata.resourceVersion');
    assert.equal(request?.path, `${N}/configmaps?continue=${at('metadata.continue')}&limit=12`);
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      metadata: { uid: at('metadata.uid'), resourceVersion: version },
      data: { n: '12' },
    });
  });

  it('keeps the last of requests that were repeated until something held, and the time that passed', () => {
    const steps = storyOf(checkOf([{}, { path: `${N}/pods`, at: 100 }, { path: `${N}/pods`, at: 2600 }]))?.steps ?? [];
    assert.equal(steps.length, 3);
    assert.equal(steps[2]?.wait, 2000);
  });

  it('gives the rights of the stranger to the stranger of the story', () => {
    const body = '{"roleRef":{},"subjects":[{"kind":"User","name":"plain-user"}]}';
    const granted = { method: 'POST', path: `${N}/rolebindings`, body, actor: 'admin' };
    const steps = storyOf(checkOf([granted, { actor: 'stranger' }]))?.steps ?? [];
    assert.match(steps[1]?.request?.body ?? '', /"name": "stranger"/);
    assert.equal(steps[2]?.request?.who, 'stranger');
  });

  it('is none where a server in a tab could not be asked the same', () => {
    assert.equal(storyOf(checkOf([{ actor: 'ada' }])), undefined);
    assert.ok(storyOf(checkOf([{ actor: 'ada', headers: { 'impersonate-user': 'ada' } }])));
    assert.equal(storyOf(checkOf([{ body: 'base64:AAAA' }])), undefined);
    assert.equal(storyOf(checkOf([{ body: '{"a": … (70000 characters)' }])), undefined);
    const note = { type: 'note', check: 'c', variant: '', at: 1, title: 'a server is started', detail: '' } as const;
    assert.equal(storyOf({ ...checkOf([{}]), notes: [note] }), undefined);
  });

  it('stands in the link of its card, at the step that failed', () => {
    const check = checkOf([{}, { path: `${N}/pods` }, { path: `${N}/secrets` }], 2);
    const [page, fragment = ''] = (linkOfCheck(RUN.header, check) ?? '').split(/(?=#)/);
    assert.equal(page, 'learn/index.html');
    const { at, changed } = readFragment(fragment);
    assert.deepEqual([at, changed?.title, changed?.steps.length], [2, FAILED.title, 4]);
    assert.throws(() => readFragment(fragment.slice(0, -20)), CutLink);
    const other = { target: { ...RUN.header.target, dialect: 'of-a-file' } };
    assert.equal(linkOfCheck(other, check), undefined);
  });

  it('is refused where a link holds something else', () => {
    for (const other of ['words', 7, [], { steps: [] }, { steps: [1] }, { steps: [{ title: 'a', request: {} }] }]) {
      const fragment = fragmentOf({ name: undefined, at: 0, dialect: 'kubernetes', changed: other as never });
      assert.throws(() => readFragment(fragment), CutLink, JSON.stringify(other));
    }
  });

  it('is told of each check of a run that failed', () => {
    assert.deepEqual(Object.keys(storiesOfRun(RUN)), [FAILED.id]);
    assert.deepEqual(storiesOfRun(resultOf(sampleRun([{ outcome: 'pass' }, { outcome: 'warn', broken: ['a'] }]))), {});
  });
});
