import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { play } from './play.ts';
import { isSequence, storyOfSequence } from './storyOfSequence.ts';

const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';
const KEPT = {
  format: 'touchstone.sequence/1',
  about: 'a stale replacement is taken',
  servers: ['reference', 'https://other.example'],
  steps: [
    { as: 'admin', method: 'POST', path: CONFIG_MAPS, body: { metadata: { name: 'one-{id}' } }, keep: 'one' },
    {
      as: 'admin',
      method: 'PUT',
      path: `${CONFIG_MAPS}/one-{id}`,
      body: { $of: 'one', data: { a: '1' } },
      keep: 's-2',
    },
    {
      as: { user: 'eve', groups: ['a', 'system:masters'] },
      method: 'GET',
      path: `${CONFIG_MAPS}?resourceVersion=<<s-2.metadata.resourceVersion>>`,
    },
    { as: { user: 'eve' }, method: 'GET', path: CONFIG_MAPS },
    { as: 'nobody', method: 'GET', path: '/version', headers: { accept: 'application/json' } },
    { as: 'admin', method: 'PUT', path: `${CONFIG_MAPS}/one-{id}`, body: { $of: 'one', data: null, immutable: true } },
  ],
};

describe('a kept sequence', () => {
  it('is played as a story, with its names, its references and whom it acts as', async () => {
    const text = JSON.stringify(KEPT);
    assert.ok(isSequence(text));
    const story = storyOfSequence('shortest-1', text);
    assert.equal(story.title, KEPT.about);
    for (const dialect of ['kubernetes', 'cluster']) {
      const { steps } = await play(story, { dialect });
      assert.deepEqual(
        steps.map(({ answer }) => answer?.code),
        [201, 201, 201, 200, 200, 403, 200, 409],
        dialect,
      );
      assert.match(steps[4]?.request?.path ?? '', /resourceVersion=\d+$/);
      assert.equal(JSON.parse(steps[3]?.answer?.body ?? '{}').data.a, '1');
    }
  });

  it('is told from a story, and named where it is faulty', () => {
    assert.equal(isSequence('title: a story'), false);
    assert.equal(isSequence('null'), false);
    assert.throws(() => storyOfSequence('x', JSON.stringify({ ...KEPT, steps: [{ method: 'GET' }] })), /x: steps: /);
  });
});

describe('a story that waits', () => {
  it('lets time pass for a version that is to come, until it is refused or there', async () => {
    const story = storyOfSequence(
      'waiting',
      JSON.stringify({
        ...KEPT,
        steps: [{ as: 'admin', method: 'GET', path: `${CONFIG_MAPS}?resourceVersion=99999999`, keep: 'late' }],
      }),
    );
    const { steps } = await play(story, { dialect: 'kubernetes' });
    const [, , waiting] = steps;
    assert.equal(waiting?.answer?.code, 504);
    assert.match(waiting?.answer?.body ?? '', /Too large resource version/);
  });
});
