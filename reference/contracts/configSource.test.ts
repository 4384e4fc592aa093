import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentFault, FileFault } from '../ports/files.ts';
import { VirtualClock } from '../time.ts';
import { configSource, followConfig } from './configSource.ts';

/** A file that a test writes, and what became of it. */
function followed() {
  const disk: { text: string | undefined } = { text: 'one' };
  const read = () => {
    if (disk.text === undefined) throw new FileFault('there is no such file');
    return disk.text;
  };
  const parse = (text: string) => {
    if (text === 'bad') throw new ContentFault('it is bad');
    return text;
  };
  const clock = new VirtualClock();
  const taken: string[] = [];
  const reports: boolean[] = [];
  const timer = followConfig(
    configSource({ read }, 'file', parse),
    clock,
    (config) => {
      if (config === 'refused') throw new ContentFault('not now');
      taken.push(config);
    },
    (success) => reports.push(success),
  );
  return { disk, clock, taken, reports, timer };
}

describe('a configuration that follows its file', () => {
  it('is taken anew when the file changes, and only then', () => {
    const { disk, clock, taken, reports } = followed();
    clock.advance(300_000);
    assert.deepEqual(taken, []);
    disk.text = 'two';
    clock.advance(1_000);
    clock.advance(300_000);
    assert.deepEqual([taken, reports], [['two'], [true]]);
  });
  for (const text of ['bad', 'refused', undefined]) {
    it(`stays when the file is ${text ?? 'gone'}, which is tried again every 60 seconds`, () => {
      const { disk, clock, taken, reports } = followed();
      disk.text = text;
      clock.advance(60_000);
      assert.deepEqual([taken, reports], [[], [false]]);
      clock.advance(60_000);
      assert.deepEqual(reports, [false, false]);
      disk.text = 'good';
      clock.advance(1_000);
      assert.deepEqual([taken, reports], [['good'], [false, false, true]]);
    });
  }
  it('is left alone after the end', () => {
    const { disk, clock, taken, timer } = followed();
    timer.cancel();
    disk.text = 'two';
    clock.advance(300_000);
    assert.deepEqual(taken, []);
  });
});
