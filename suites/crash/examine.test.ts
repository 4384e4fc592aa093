import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventEntry, OperationEntry } from '../../history/format.ts';
import { type CrashRun, FOLLOWERS, REPLAYER } from './crashRun.ts';
import { examineCrashes, judgeCrashes, PROMISES, type Promised } from './examine.ts';
import { historyOf } from './history.ts';
import { COLLECTION } from './writer.ts';

type Told = readonly [type: string, version: number, name: string, mark: string, lastMark?: string];

const object = (version: number, name: string, mark: string, lastMark = mark) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'crash', uid: `uid-${name}`, resourceVersion: String(version) },
  data: { first: mark, last: lastMark },
});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly status: number | undefined;
  readonly answer?: object | undefined;
  readonly start?: number | undefined;
}

/** A run as it goes well: two writes answered, one cut off that was made, one that was not, one refused, a deletion. */
class Script {
  log: Told[] = [
    ['ADDED', 11, 'a', 'w-1'],
    ['ADDED', 12, 'b', 'w-2'],
    ['MODIFIED', 14, 'a', 'w-3'],
    ['DELETED', 15, 'b', 'w-2'],
  ];
  followers: (readonly Told[])[] = FOLLOWERS.map(() => this.log);
  last: Told[] = [['', 14, 'a', 'w-3']];
  lastVersion = 15;
  readonly operations: OperationEntry[] = [];

  constructor() {
    this.write('POST', 'a', 'w-1', 201, object(11, 'a', 'w-1'));
    this.write('POST', 'b', 'w-2', 201, object(12, 'b', 'w-2'));
    this.write('PUT', 'a', 'w-3', undefined);
    this.write('PUT', 'b', 'w-4', undefined);
    this.write('POST', 'a', 'w-5', 409, { kind: 'Status' });
    this.write('DELETE', 'b', undefined, 200, { kind: 'Status', details: { uid: 'uid-b' } });
    this.read('a', 200, object(14, 'a', 'w-3'));
    this.list(12, [object(11, 'a', 'w-1'), object(12, 'b', 'w-2')], 2.5);
    this.list(15, [object(14, 'a', 'w-3')]);
  }
  write(method: string, name: string, mark: string | undefined, status: number | undefined, answer?: object): void {
    const body = mark && JSON.stringify({ metadata: { name }, data: { first: mark, last: mark } });
    this.#add({ method, path: method === 'POST' ? COLLECTION : `${COLLECTION}/${name}`, body, status, answer });
  }
  read(name: string, status: number, answer: object): void {
    this.#add({ method: 'GET', path: `${COLLECTION}/${name}`, status, answer });
  }
  list(version: number, items: object[], start?: number): void {
    const answer = { kind: 'ConfigMapList', metadata: { resourceVersion: String(version) }, items };
    this.#add({ method: 'GET', path: COLLECTION, status: 200, answer, start });
  }
  #add({ start, answer, ...rest }: Asked): void {
    const number = this.operations.length + 1;
    const times = { start: start ?? number * 10, end: (start ?? number * 10) + 5 };
    const about = { type: 'operation' as const, client: 'writer-1', number };
    this.operations.push({ ...about, ...times, ...rest, answer: JSON.stringify(answer) });
  }

  run(): CrashRun {
    const events: EventEntry[] = [];
    const watches = [...this.followers, this.log].map((told, at): OperationEntry => {
      const number = 1_000 + at;
      for (const [type, ...sight] of told)
        events.push({ type: 'event', number, event: JSON.stringify({ type, object: object(...sight) }) });
      const client = [...FOLLOWERS, REPLAYER][at] as string;
      const path = `${COLLECTION}?watch=true&resourceVersion=10`;
      return { type: 'operation', client, number, start: 0, end: 1, method: 'GET', path, status: 200 };
    });
    return {
      first: { version: '10', items: [] },
      last: { version: String(this.lastVersion), items: this.last.map(([, ...sight]) => object(...sight)) },
      history: historyOf([...this.operations, ...watches], events),
      // All but the list that began before what it shows was written.
      entries: this.operations.filter(({ start }) => start >= 10),
      deaths: 1,
      forgotten: false,
    };
  }
}

/** The promises that a run breaks, by name. */
const broken = (script: Script): Promised[] =>
  Object.entries(examineCrashes(script.run())).flatMap(([name, { violations }]) =>
    violations.length > 0 ? [name as Promised] : [],
  );

/** A run in which something went wrong. */
function brokenWhen(change: (script: Script) => void): Promised[] {
  const script = new Script();
  change(script);
  return broken(script);
}

describe('what is judged of a server that was killed', () => {
  it('is in order where nothing went wrong, and was looked at', () => {
    const findings = examineCrashes(new Script().run());
    for (const [name, { violations, cases }] of Object.entries(findings)) {
      assert.deepEqual(violations, [], name);
      assert.ok(cases > 0, name);
    }
  });
  const faults: readonly [string, Promised, (script: Script) => void][] = [
    ['an acknowledged write is lost', 'acknowledged-kept', (script) => script.log.shift()],
    [
      'an acknowledged write has another version',
      'acknowledged-kept',
      (script) => {
        script.log[0] = ['ADDED', 10.5, 'a', 'w-1'];
      },
    ],
    ['an acknowledged deletion is lost', 'acknowledged-kept', (script) => script.log.pop()],
    ['a refused write is there', 'nothing-else', (script) => script.log.push(['MODIFIED', 16, 'a', 'w-5'])],
    ['a write that nobody made is there', 'nothing-else', (script) => script.log.push(['MODIFIED', 16, 'a', 'x'])],
    [
      'a write that was cut off is there by half',
      'nothing-else',
      (script) => {
        script.log[2] = ['MODIFIED', 14, 'a', 'w-3', 'w-1'];
      },
    ],
    ['a write is there twice', 'nothing-else', (script) => script.log.push(['MODIFIED', 16, 'a', 'w-3'])],
    ['an object is deleted by nobody', 'nothing-else', (script) => script.log.push(['DELETED', 16, 'a', 'w-3'])],
    ['a version is given twice', 'versions-once', (script) => script.log.push(['MODIFIED', 15, 'a', 'w-4'])],
    [
      'a version was seen as something else before',
      'versions-once',
      (script) => script.read('b', 200, object(14, 'b', 'w-4')),
    ],
    ['a read shows what then was lost', 'reads-true', (script) => script.read('b', 200, object(13, 'b', 'w-4'))],
    [
      'a read is older than what was answered',
      'reads-true',
      (script) => {
        script.write('PUT', 'a', 'w-6', 200, object(16, 'a', 'w-6'));
        script.log.push(['MODIFIED', 16, 'a', 'w-6']);
        script.read('a', 200, object(14, 'a', 'w-3'));
      },
    ],
    ['what was answered is not found, and was never deleted', 'reads-true', (script) => script.read('a', 404, {})],
    ['a list leaves something out', 'reads-true', (script) => script.list(15, [])],
    [
      'a list shows something twice gone',
      'reads-true',
      (script) => script.list(15, [object(14, 'a', 'w-3'), object(12, 'b', 'w-2')]),
    ],
    ['the end is another', 'reads-true', (script) => script.last.pop()],
    [
      'a follower misses a change',
      'watch-resumed',
      (script) => {
        script.followers = [script.log.slice(1), script.log];
      },
    ],
    [
      'a follower is told a change twice',
      'watch-resumed',
      (script) => {
        script.followers = [script.log, [...script.log, script.log[3] as Told]];
      },
    ],
    [
      'a follower cannot resume',
      'watch-resumed',
      (script) => {
        script.followers = [[['ERROR', 0, '', '']], script.log];
      },
    ],
  ];
  for (const [what, promise, change] of faults) {
    it(`breaks ${promise} when ${what}`, () =>
      assert.ok(brokenWhen(change).includes(promise), String(brokenWhen(change))));
  }
  describe('where no watch tells what was before its end', () => {
    /** Sentences of what does not hold of the requests alone. */
    const unheld = (change: (script: Script) => void) => {
      const script = new Script();
      change(script);
      const judged = judgeCrashes({ ...script.run(), forgotten: true });
      return judged.filter(({ finding }) => finding.violations.length > 0).map(({ sentence }) => sentence);
    };

    it('is in order where nothing went wrong', () =>
      assert.deepEqual(
        unheld(() => {}),
        [],
      ));
    for (const [what, last] of [
      ['lost', []],
      ['another', [['', 11, 'a', 'w-1']]],
      ['a later one, and one that is deleted is there', [...new Script().last, ['', 12, 'b', 'w-2']]],
    ] as const satisfies readonly (readonly [string, readonly Told[]])[]) {
      it(`is not where an acknowledged write is ${what} in the end`, () => {
        const sentences = unheld((script) => {
          script.write('PUT', 'a', 'w-6', 200, object(16, 'a', 'w-6'));
          script.last = [...last];
        });
        assert.ok(sentences.includes(PROMISES['acknowledged-kept']));
      });
    }
  });
});
