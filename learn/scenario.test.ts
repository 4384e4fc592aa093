import assert from 'node:assert/strict';
import test from 'node:test';
import { filledIn, named } from './placeholders.ts';
import { play } from './play.ts';
import { readScenario } from './scenario.ts';

const story = (step: string) => `title: t\nabout: a\nstatements: []\nsteps:\n  - title: s\n    ${step}\n`;

test('a step is read with what it leaves out filled in', () => {
  const { steps } = readScenario('x', story('request: POST /api\n    wait: 2\n    body: {a: 1}\n    expect: 201'));
  assert.deepEqual(steps[0], {
    id: undefined,
    title: 's',
    look: '',
    wait: 2000,
    request: {
      who: 'admin',
      method: 'POST',
      path: '/api',
      type: 'application/json',
      body: '{\n  "a": 1\n}',
      headers: {},
    },
    expect: 201,
    holds: {},
    carries: {},
    reads: undefined,
    lacks: undefined,
    says: undefined,
    told: undefined,
  });
});

test('a fault names the file and the field', () => {
  for (const [step, said] of [
    ['request: GET', /x: steps\[0\]\.request: a method and a path/],
    ['request: GET /api', /x: steps\[0\]\.expect: a number/],
    ['request: GET /api\n    expect: 200\n    who: root', /x: steps\[0\]\.who: one of/],
    ['reqest: GET /api', /x: steps\[0\]\.reqest: there is no such field/],
    ['look: 1', /x: steps\[0\]\.look: a text/],
  ] as const) {
    assert.throws(() => readScenario('x', story(step)), said);
  }
  assert.throws(() => readScenario('x', 'title: t\nabout: a\nstatements: []\nsteps: []'), /x: steps: a story has/);
  assert.throws(() => readScenario('x', 'title: [\n'), /x: line \d+: /);
  assert.throws(() => readScenario('x', '[]'), /x: the file holds no object/);
});

test('names of the dialect and parts of earlier answers are filled in, each as its place wants it', () => {
  const request = {
    who: 'admin',
    method: 'GET',
    path: '/apis/x.{api_domain}?c=\u0024{page.meta.token}',
    type: '',
    body: '',
    headers: { 'x-of': '\u0024{page.meta.token}' },
  };
  const words = named(
    { ...request, body: '{"a": "\u0024{page.meta.token}", "b": "{other}"}' },
    { api_domain: 'k8s.io' },
  );
  const filled = filledIn(words, new Map([['page', { meta: { token: 'a"&b' } }]]));
  assert.equal(filled.path, '/apis/x.k8s.io?c=a%22%26b');
  assert.equal(filled.headers['x-of'], 'a"&b');
  assert.equal(filled.body, '{"a": "a\\"&b", "b": "{other}"}');
  assert.equal(filledIn(request, new Map()).path, '/apis/x.{api_domain}?c=');
});

test('what a webhook of a story is told to answer stands in its answer', async () => {
  const configuration = {
    metadata: { name: 'w' },
    webhooks: [
      {
        name: 'warns.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: 'https://warns.example.com/' },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      },
    ],
  };
  const text = (answers: object) =>
    JSON.stringify({
      title: 't',
      about: 'a',
      statements: [],
      webhooks: [{ host: 'warns.example.com', answers }],
      steps: [
        {
          title: 'register',
          request: 'POST /apis/admissionregistration.{api_domain}/v1/validatingwebhookconfigurations',
          body: configuration,
          expect: 201,
        },
        {
          title: 'create',
          request: 'POST /api/v1/namespaces/default/configmaps',
          body: { metadata: { name: 'a' } },
          expect: 201,
        },
      ],
    });
  const created = async (answers: object) => {
    const { steps } = await play(readScenario('x', text(answers)), { dialect: 'cluster' });
    return steps[1]?.answer;
  };
  assert.match((await created({ response: { warnings: ['careful'] } }))?.headers.warning ?? '', /careful/);
  assert.equal((await created({ response: { allowed: false } }))?.code, 400);
  assert.equal((await created({ review: { kind: 'Status' } }))?.code, 500);
  assert.equal((await created({ text: 'no JSON' }))?.code, 500);
  assert.throws(
    () => readScenario('x', text({ words: 1 })),
    /x: webhooks\[0\]\.answers\.words: there is no such field/,
  );
});
