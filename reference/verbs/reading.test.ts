import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import type { ListAnswer } from '../contracts/answer.ts';
import { Entry } from '../contracts/entry.ts';
import type { RangeResult, Store } from '../contracts/store.ts';
import { delegate, UnreadableObject } from '../contracts/store.ts';
import { type Fixture, readingFixture } from '../testing/readingFixture.ts';
import { get } from './get.ts';
import { list } from './list.ts';

async function refused(run: Promise<unknown>): Promise<ApiError> {
  try {
    await run;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
  return assert.fail('it was not refused');
}
async function listed(fixture: Fixture, query = '', namespace = 'n'): Promise<ListAnswer> {
  const answer = await list(fixture.call('list', query, { namespace }));
  assert.equal(answer.kind, 'list');
  return answer as ListAnswer;
}
const names = (answer: ListAnswer) => answer.entries.map(({ object }) => object.metadata.name);
/** Lets what a promise waits for run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('get', () => {
  it('answers the object for no version, 0, its own and an older one', async () => {
    const fixture = readingFixture();
    const old = fixture.put('n', 'a', { text: '1' });
    const now = fixture.put('n', 'a', { text: '2' });
    for (const query of [
      '',
      'resourceVersion=',
      'resourceVersion=0',
      `resourceVersion=${now}`,
      `resourceVersion=${old}`,
    ]) {
      const answer = await get(fixture.call('get', query, { namespace: 'n', name: 'a' }));
      assert.equal(answer.kind === 'entry' && answer.entry.object.text, '2');
    }
  });
  it('is 404 for what is not there, and 500 without reason for what is no version', async () => {
    const fixture = readingFixture();
    const absent = await refused(get(fixture.call('get', '', { namespace: 'n', name: 'a' })));
    assert.equal(`${absent.code} ${absent.message}`, '404 things.g.example.com "a" not found');
    const wrong = await refused(get(fixture.call('get', 'resourceVersion=-1', { namespace: 'n', name: 'a' })));
    assert.deepEqual(
      [wrong.code, wrong.reason, wrong.message],
      [500, '', 'resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax'],
    );
  });
  it('waits three seconds for a version of the future, then is 504', async () => {
    const fixture = readingFixture();
    const current = fixture.put('n', 'a');
    const reading = refused(
      get(fixture.call('get', 'resourceVersion=9000000000000000000', { namespace: 'n', name: 'a' })),
    );
    await settle();
    fixture.clock.advance(2_999);
    const early = await Promise.race([reading, settle().then(() => 'waiting')]);
    assert.equal(early, 'waiting');
    fixture.clock.advance(1);
    const error = await reading;
    assert.equal(error.message, `Timeout: Too large resource version: 9000000000000000000, current: ${current}`);
    assert.deepEqual(
      [error.code, error.reason, error.details],
      [
        504,
        'Timeout',
        {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      ],
    );
  });
  it('answers when the version comes in time', async () => {
    const fixture = readingFixture();
    const first = fixture.put('n', 'a', { text: '1' });
    const reading = get(fixture.call('get', `resourceVersion=${first + 1}`, { namespace: 'n', name: 'a' }));
    await settle();
    fixture.put('n', 'a', { text: '2' });
    const answer = await reading;
    assert.equal(answer.kind === 'entry' && answer.entry.object.text, '2');
  });
});

describe('list: versions', () => {
  /** Three revisions: a and b at the first, b gone at the second, c there at the third. */
  const history = () => {
    const fixture = readingFixture();
    fixture.put('n', 'a');
    const first = fixture.put('n', 'b');
    fixture.remove('n', 'b');
    const last = fixture.put('n', 'c');
    return { fixture, first, last };
  };
  const rows: [string, (first: number) => string, 'present' | 'past'][] = [
    ['unset', () => '', 'present'],
    ['0', () => 'resourceVersion=0', 'present'],
    ['version', (v) => `resourceVersion=${v}`, 'present'],
    ['limit', () => 'limit=5', 'present'],
    ['limit, 0', () => 'limit=5&resourceVersion=0', 'present'],
    ['limit, version', (v) => `limit=5&resourceVersion=${v}`, 'past'],
    ['Exact', (v) => `resourceVersion=${v}&resourceVersionMatch=Exact`, 'past'],
    ['Exact, limit', (v) => `resourceVersion=${v}&resourceVersionMatch=Exact&limit=5`, 'past'],
    ['NotOlderThan, 0', () => 'resourceVersion=0&resourceVersionMatch=NotOlderThan', 'present'],
    ['NotOlderThan', (v) => `resourceVersion=${v}&resourceVersionMatch=NotOlderThan`, 'present'],
    ['NotOlderThan, limit', (v) => `resourceVersion=${v}&resourceVersionMatch=NotOlderThan&limit=5`, 'present'],
  ];
  for (const [title, query, state] of rows) {
    it(`${title}: the ${state} state`, async () => {
      const { fixture, first, last } = history();
      const answer = await listed(fixture, query(first));
      assert.deepEqual(names(answer), state === 'past' ? ['a', 'b'] : ['a', 'c']);
      assert.deepEqual(answer.metadata, { resourceVersion: String(state === 'past' ? first : last) });
    });
  }
  const faults: [string, string, number, string][] = [
    [
      'match alone',
      'resourceVersionMatch=Exact',
      422,
      'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'Exact at 0',
      'resourceVersion=0&resourceVersionMatch=Exact',
      422,
      'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'unknown match',
      'resourceVersion=5&resourceVersionMatch=Newest',
      422,
      'Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
    ],
    ['initial events', 'sendInitialEvents=false', 422, 'Forbidden: sendInitialEvents is forbidden for list'],
    [
      'malformed',
      'resourceVersion=1e3',
      400,
      'invalid resource version: resourceVersion: Invalid value: "1e3": strconv.ParseUint: parsing "1e3": invalid syntax',
    ],
    [
      'too long',
      'resourceVersion=18446744073709551616',
      400,
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    [
      'forgotten',
      'resourceVersion=1&resourceVersionMatch=Exact',
      410,
      'The resourceVersion for the provided list is too old.',
    ],
    ['forgotten, limit', 'resourceVersion=1&limit=1', 410, 'The resourceVersion for the provided list is too old.'],
    ['limit', 'limit=9223372036854775808', 400, 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['timeout before limit', 'limit=x&timeoutSeconds=', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      'label selector',
      'labelSelector=a%3D%3D%3Db',
      400,
      "unable to parse requirement: found '=', expected: identifier",
    ],
    ['field selector', 'fieldSelector=a', 400, "invalid selector: 'a'; can't understand 'a'"],
    [
      'field',
      'fieldSelector=spec.x%3D1',
      400,
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ];
  for (const [title, query, code, message] of faults) {
    it(`${title}: ${code}`, async () => {
      const error = await refused(listed(history().fixture, query));
      assert.equal(error.code, code);
      assert.ok(error.message.endsWith(message), error.message);
    });
  }
  it('a 422 names the options and each fault', async () => {
    const error = await refused(listed(readingFixture(), 'continue=x&resourceVersionMatch=Exact'));
    assert.equal(
      error.message,
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
    );
    assert.deepEqual(
      [error.details?.kind, error.details?.group, error.details?.causes?.length],
      ['ListOptions', 'meta.k8s.io', 2],
    );
  });
  it('an exact version of the future is waited for, then 504', async () => {
    const fixture = readingFixture();
    const reading = refused(listed(fixture, 'resourceVersion=9000000000&resourceVersionMatch=Exact'));
    await settle();
    fixture.clock.advance(3_000);
    assert.equal((await reading).code, 504);
  });
});

describe('list: selection', () => {
  it('runs over all namespaces in order, or over one', async () => {
    const fixture = readingFixture();
    for (const [namespace, name] of [
      ['n', 'b'],
      ['m', 'z'],
      ['n', 'a'],
      ['n-1', 'a'],
    ] as const)
      fixture.put(namespace, name);
    const all = await listed(fixture, '', '');
    assert.deepEqual(
      all.entries.map(({ object }) => `${object.metadata.namespace}/${object.metadata.name}`),
      ['m/z', 'n-1/a', 'n/a', 'n/b'],
    );
    assert.deepEqual(names(await listed(fixture)), ['a', 'b']);
    assert.deepEqual(names(await listed(fixture, '', 'none')), []);
    assert.deepEqual(names(await listed(fixture, 'fieldSelector=metadata.namespace!%3Dn', '')), ['z', 'a']);
  });
  it('by labels and by fields, of the state asked for', async () => {
    const fixture = readingFixture();
    const then = fixture.put('n', 'a', { labels: { app: 'x' } });
    fixture.put('n', 'a', { labels: { app: 'y' } });
    fixture.put('n', 'b', { labels: { app: 'x' } });
    assert.deepEqual(names(await listed(fixture, 'labelSelector=app%3Dx')), ['b']);
    assert.deepEqual(names(await listed(fixture, 'fieldSelector=metadata.name%3Da')), ['a']);
    assert.deepEqual(names(await listed(fixture, 'fieldSelector=metadata.name%3Da&labelSelector=app%3Dx')), []);
    const past = await listed(
      fixture,
      `fieldSelector=metadata.name%3Da&labelSelector=app%3Dx&resourceVersion=${then}&resourceVersionMatch=Exact`,
    );
    assert.deepEqual([names(past), past.metadata.resourceVersion], [['a'], String(then)]);
    assert.deepEqual(names(await listed(fixture, 'fieldSelector=metadata.name%3Da&limit=1&resourceVersion=1')), ['a']);
  });
  it('by the fields of the type, and by no other', async () => {
    const selectableFields = new Map([['text', (object: ApiObject) => String(object.text)]]);
    const fixture = readingFixture({ version: { selectableFields } });
    fixture.put('n', 'a', { text: 'x' });
    fixture.put('n', 'b', { text: 'y' });
    assert.deepEqual(names(await listed(fixture, 'fieldSelector=text%3Dy')), ['b']);
    assert.deepEqual(names(await listed(fixture, 'fieldSelector=text!%3Dy,metadata.name!%3Dz')), ['a']);
    assert.equal(
      (await refused(listed(fixture, 'fieldSelector=other%3Dy'))).message,
      'field label not supported: other',
    );
    const custom = readingFixture({ type: { custom: true } });
    assert.equal((await refused(listed(custom, 'fieldSelector=a%3Db'))).message, 'field label not supported: a');
  });
});

describe('list: chunks', () => {
  const five = () => {
    const fixture = readingFixture();
    for (const name of ['a', 'b', 'c', 'd', 'e']) fixture.put('n', name);
    return fixture;
  };
  it('show one snapshot, and count what remains', async () => {
    const fixture = five();
    const one = await listed(fixture, 'limit=2');
    assert.deepEqual([names(one), one.metadata.remainingItemCount], [['a', 'b'], 3]);
    fixture.remove('n', 'c');
    fixture.put('n', 'd', { text: 'changed' });
    fixture.put('n', 'cc');
    const two = await listed(fixture, `limit=2&continue=${one.metadata.continue}`);
    assert.deepEqual([names(two), two.metadata.remainingItemCount], [['c', 'd'], 1]);
    assert.equal(two.entries[1]?.object.text, '');
    const three = await listed(fixture, `limit=2&resourceVersion=0&continue=${two.metadata.continue}`);
    assert.deepEqual(names(three), ['e']);
    assert.deepEqual(three.metadata, { resourceVersion: one.metadata.resourceVersion });
    assert.deepEqual(names(await listed(fixture, `continue=${one.metadata.continue}`)), ['c', 'd', 'e']);
  });
  it('count nothing under a selector, and go on while anything is left to look at', async () => {
    const fixture = readingFixture();
    for (const [name, app] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', 'y'],
    ] as const)
      fixture.put('n', name, { labels: { app } });
    const one = await listed(fixture, 'limit=2&labelSelector=app%3Dx');
    assert.deepEqual(names(one), ['a', 'c']);
    assert.equal(one.metadata.remainingItemCount, undefined);
    const two = await listed(fixture, `limit=2&labelSelector=app%3Dx&continue=${one.metadata.continue}`);
    assert.deepEqual([names(two), two.metadata.continue], [[], undefined]);
  });
  it('are the same for who asks in the same moment, and their tokens last no longer than history', async () => {
    const fixture = five();
    const token = async () => (await listed(fixture, 'limit=2')).metadata.continue;
    const first = await token();
    fixture.clock.advance(99);
    assert.equal(await token(), first);
    fixture.clock.advance(1);
    assert.notEqual(await token(), first);
    fixture.clock.advance(5 * 60_000 - 101);
    await listed(fixture, `limit=2&continue=${first}`);
    fixture.clock.advance(1);
    await refused(listed(fixture, `limit=2&continue=${first}`));
  });
  it('of a custom type end with an empty token', async () => {
    const fixture = readingFixture({ type: { custom: true } });
    fixture.put('n', 'a');
    assert.equal((await listed(fixture, 'limit=2')).metadata.continue, '');
  });
  it('expire with the history, and can then go on in the newest state', async () => {
    for (const changed of [true, false]) {
      const fixture = five();
      const one = await listed(fixture, 'limit=2');
      fixture.clock.advance(1);
      if (changed) fixture.remove('n', 'd');
      fixture.clock.advance(5 * 60_000);
      const error = await refused(listed(fixture, `limit=2&continue=${one.metadata.continue}`));
      assert.deepEqual([error.code, error.reason], [410, 'Expired']);
      assert.match(error.message, /^The provided continue parameter is too old to display a consistent list result\./);
      const rest = await listed(fixture, `limit=1&continue=${error.continueToken}`);
      assert.deepEqual(names(rest), ['c']);
      assert.equal(rest.metadata.resourceVersion, String(fixture.store.revision()));
      const end = await listed(fixture, `continue=${rest.metadata.continue}`);
      assert.deepEqual(names(end), changed ? ['e'] : ['d', 'e']);
    }
  });
  it('go on across namespaces', async () => {
    const fixture = readingFixture();
    for (const [namespace, name] of [
      ['m', 'x'],
      ['m', 'y'],
      ['n', 'a'],
    ] as const)
      fixture.put(namespace, name);
    const one = await listed(fixture, 'limit=2', '');
    assert.deepEqual(names(await listed(fixture, `limit=2&continue=${one.metadata.continue}`, '')), ['a']);
  });
  const tokens: [string, string][] = [
    ['abc', "invalid character 'i' looking for beginning of value"],
    ['!!!', 'illegal base64 data at input byte 0'],
    ['abcde', 'illegal base64 data at input byte 4'],
    ['ab=', 'illegal base64 data at input byte 2'],
    ['e30', 'server does not recognize this encoded version '],
    [encode('null'), 'server does not recognize this encoded version '],
    [encode('[]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    [encode('{"v":5}'), 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
    [encode('{"rv":"5"}'), 'json: cannot unmarshal string into Go struct field continueToken.rv of type int64'],
    [encode('{"v":"meta.k8s.io/v9","rv":5}'), 'server does not recognize this encoded version meta.k8s.io/v9'],
    [encode('{"v":"meta.k8s.io/v1"}'), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encode('{"v":"meta.k8s.io/v1","rv":5}'), 'encoded start key empty (version meta.k8s.io/v1)'],
    [encode('{"v":"meta.k8s.io/v1","rv":5,"start":"../a"}'), '../a'],
    [encode('{"v":"meta.k8s.io/v1","rv":5,"start":"a//b"}'), 'a//b'],
  ];
  function encode(text: string): string {
    return Buffer.from(text).toString('base64url');
  }
  for (const [token, why] of tokens) {
    it(`refuse the token ${token.slice(0, 12)}: ${why.slice(0, 40)}`, async () => {
      const error = await refused(listed(five(), `limit=2&continue=${encodeURIComponent(token)}`));
      assert.equal(error.code, 400);
      assert.equal(error.message, `invalid continue token: continue key is not valid: ${why}`);
    });
  }
  it('go on with their own query only, unless the service is followed', async () => {
    for (const follow of ['spec', 'service'] as const) {
      const fixture = readingFixture({ follow });
      for (const name of ['a', 'b', 'c']) fixture.put('n', name);
      const token = (await listed(fixture, 'limit=1')).metadata.continue;
      const other = listed(fixture, `limit=1&continue=${token}&labelSelector=!x`);
      if (follow === 'service') assert.deepEqual(names(await other), ['b']);
      else assert.equal((await refused(other)).code, 400);
      const version = listed(fixture, `limit=1&continue=${token}&resourceVersion=5`);
      assert.equal((await refused(version)).message, 'specifying resource version is not allowed when using continue');
    }
  });
  it('leave a limit aside for any version where the service is followed', async () => {
    for (const follow of ['spec', 'service'] as const) {
      const fixture = readingFixture({ follow });
      for (const name of ['a', 'b', 'c']) fixture.put('n', name);
      assert.equal((await listed(fixture, 'limit=1&resourceVersion=0')).entries.length, follow === 'spec' ? 1 : 3);
    }
  });
});

describe('objects that cannot be read', () => {
  const broken = (store: Store): Store => {
    const breakIt = (entry: Entry) =>
      entry.key.endsWith('/bad')
        ? new Entry(entry.key, entry.createRevision, entry.modRevision, () => {
            throw new UnreadableObject(entry.key, 'decryption failed');
          })
        : entry;
    return {
      ...delegate(store),
      get: async (key: string) => {
        const entry = await store.get(key);
        return entry && breakIt(entry);
      },
      range: async (query: Parameters<Store['range']>[0]) => {
        const result: RangeResult = await store.range(query);
        return { ...result, entries: result.entries.map(breakIt) };
      },
    };
  };
  it('fail their get and every list that holds them, with a reason of their own', async () => {
    const fixture = readingFixture({ around: broken });
    fixture.put('n', 'bad');
    fixture.put('n', 'good');
    const one = await refused(get(fixture.call('get', '', { namespace: 'n', name: 'bad' })));
    assert.deepEqual([one.code, one.reason], [500, 'StoreReadError']);
    const all = await refused(listed(fixture));
    assert.equal(all.message, 'failed to read one or more things.g.example.com from the storage');
    assert.deepEqual([all.code, all.reason], [500, 'StoreReadError']);
    assert.deepEqual(all.details?.causes, [
      { reason: 'UnexpectedServerResponse', field: '/g.example.com/things/n/bad', message: 'decryption failed' },
    ]);
    assert.deepEqual(names(await listed(fixture, 'fieldSelector=metadata.name%3Dgood')), ['good']);
  });
});
