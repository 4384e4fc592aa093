import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fixture } from '../testing/fieldsFixture.ts';
import type { FieldTrace } from './mergeTrace.ts';

/** What a write tells of the fields that it moved. */
function told(write: (note: (trace: FieldTrace) => void) => void): string[] {
  const traces: FieldTrace[] = [];
  write((trace) => traces.push(trace));
  assert.ok(traces.length > 0, 'the write told nothing');
  return traces.flatMap((trace) =>
    trace.decisions().map(({ field, outcome, managers, rule }) => {
      assert.match(rule, /^1\/server-side-apply-rules\/(4|11)$/);
      return `${trace.manager} ${outcome} ${field}${managers.length > 0 ? ` of ${managers.join(',')}` : ''}`;
    }),
  );
}

describe('the account of a write that is no apply', () => {
  it('tells what it changed, what it took from others, and what went', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', labels: { x: '1', y: '1' } });
    fixture.apply('b', { note: 'n' });
    const lines = told((note) => fixture.put('c', { size: 1, note: 'm', labels: { x: '1', w: '1' } }, { note }));
    assert.deepEqual(lines, [
      'c transferred .spec.note of b,a',
      'c set .spec.labels.w',
      'c removed .spec.labels.y of a',
    ]);
  });

  it('tells of a creation and of a reset of the records', () => {
    const fixture = new Fixture();
    assert.deepEqual(
      told((note) => fixture.put('c', { note: 'm' }, { note })),
      ['c set .spec.note'],
    );
    fixture.apply('a', { labels: { x: '1' } });
    const lines = told((note) =>
      fixture.change('d', (live) => ({ ...live, metadata: { ...live.metadata, managedFields: [{}] } }), { note }),
    );
    assert.equal(lines[0], 'd cleared .metadata.managedFields of a,c');
  });

  it('does not tell of owners that an apply makes up for what nobody has a record of', () => {
    const fixture = new Fixture();
    fixture.put('c', { note: 'm' });
    fixture.change('c', (live) => ({ ...live, metadata: { ...live.metadata, managedFields: [] } }));
    fixture.live = { ...fixture.live!, metadata: { ...fixture.live!.metadata, managedFields: undefined } };
    const traces: FieldTrace[] = [];
    fixture.apply('a', { note: 'm' }, { more: { note: (trace) => traces.push(trace) } });
    assert.deepEqual(traces, []);
  });
});
