import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { HistoryEntry } from '../../history/format.ts';
import { judge } from './index.ts';

const PLACE = '/api/v1/namespaces/n/configmaps';

/** One operation on the one object of a history, with what it was answered. */
interface Step {
  readonly act: 'create' | 'write' | 'get' | 'miss' | 'delete';
  /** Of its answer; 0 where it has none. */
  readonly version: number;
  readonly uid: string;
  readonly start: number;
  readonly end: number;
}

/** Whether some order of the steps explains their answers: every one is tried. The versions of writes rise in it. */
function explained(steps: readonly Step[]): boolean {
  const search = (left: readonly Step[], version: number, uid: string): boolean => {
    if (left.length === 0) return true;
    const earliestEnd = Math.min(...left.map(({ end }) => end));
    // Somebody whom nobody saw may have removed an object of which nobody says anything any more.
    const gone = uid === '' || left.every((step) => step.act === 'miss' || step.uid !== uid);
    return left.some((step) => {
      if (step.start > earliestEnd) return false;
      const rest = left.filter((other) => other !== step);
      if (step.act === 'create') return gone && step.version > version && search(rest, step.version, step.uid);
      if (step.act === 'miss') return gone && search(rest, version, '');
      if (uid !== step.uid) return false;
      if (step.act === 'write') return step.version > version && search(rest, step.version, uid);
      return step.act === 'delete' ? search(rest, version, '') : step.version === version && search(rest, version, uid);
    });
  };
  return search(steps, 0, '');
}

function entryOf({ act, version, uid, start, end }: Step, at: number): HistoryEntry {
  const about = { type: 'operation', client: `c${at}`, number: at + 1, start, end } as const;
  const object = { metadata: { name: 'a', namespace: 'n', uid, resourceVersion: String(version) } };
  const path = `${PLACE}/a`;
  if (act === 'miss') return { ...about, method: 'GET', path, status: 404, answer: '{"kind":"Status"}' };
  if (act === 'delete') {
    const answer = JSON.stringify({ kind: 'Status', status: 'Success', details: { uid } });
    return { ...about, method: 'DELETE', path, status: 200, answer };
  }
  const answer = JSON.stringify(object);
  if (act === 'get') return { ...about, method: 'GET', path, status: 200, answer };
  const body = '{"metadata":{"name":"a"}}';
  return act === 'create'
    ? { ...about, method: 'POST', path: PLACE, body, status: 201, answer }
    : { ...about, method: 'PUT', path, body, status: 200, answer };
}

/** A life of an object: created, written, perhaps removed, perhaps created once more; and reads of what it was. */
const histories: fc.Arbitrary<readonly Step[]> = fc
  .record({
    writes: fc.nat({ max: 2 }),
    removed: fc.boolean(),
    again: fc.boolean(),
    reads: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
    times: fc.array(fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 5 })), { minLength: 9, maxLength: 9 }),
  })
  .map(({ writes, removed, again, reads, times }) => {
    const made: Omit<Step, 'start' | 'end'>[] = [{ act: 'create', version: 1, uid: 'u1' }];
    for (let at = 0; at < writes; at += 1) made.push({ act: 'write', version: at + 2, uid: 'u1' });
    const states = [...made];
    if (removed) made.push({ act: 'delete', version: 0, uid: 'u1' });
    if (again) {
      const next = { act: 'create' as const, version: writes + 3, uid: 'u2' };
      made.push(next);
      states.push(next);
    }
    for (const read of reads) {
      const state = states[read];
      made.push(state ? { ...state, act: 'get' } : { act: 'miss', version: 0, uid: '' });
    }
    return made.map((step, at) => {
      const [start, length] = times[at] ?? [0, 0];
      // No two moments are one: what ends when another begins is neither before it nor after it.
      return { ...step, start: start + at / 100, end: start + length + at / 100 + 0.001 };
    });
  });

const foresaw = (read: Step, write: Step) =>
  read.act === 'get' && read.version === write.version && read.end < write.start;

describe('the judge and the trial of every order', () => {
  it('agree on one object', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        // An update to a state that was read before it began is one that changes nothing: somebody else made that state.
        fc.pre(!steps.some((write) => write.act === 'write' && steps.some((read) => foresaw(read, write))));
        const found = judge(steps.map(entryOf)).flatMap(({ guarantee, finding }) =>
          ['linearizable', 'never-returns'].includes(guarantee.name) ? finding.violations : [],
        );
        assert.equal(found.length === 0, explained(steps), JSON.stringify(found));
      }),
      { numRuns: 3_000, seed: 17 },
    );
  });
});
