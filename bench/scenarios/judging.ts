import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventEntry, HistoryEntry, ObjectSight, OperationEntry } from '../../history/format.ts';
import { historyIn } from '../../history/reader.ts';
import { HistoryFile } from '../../history/writer.ts';
import { Draws } from '../../suites/crash/plan.ts';
import { Judge } from '../../suites/guarantees/index.ts';
import { type BenchScenario, type FigureRow, megabytes, perSecond } from './scenario.ts';

const FEW = 100_000;
const MANY = 1_000_000;
const WATCHES = 3;
const PLACE = '/api/v1/namespaces/n/configmaps';

/** What judging a history costs, in time and in CPU of all threads of this process: one in memory, and a long one from its file. */
export const judging: BenchScenario = {
  name: 'judging a history',
  async run() {
    const entries = [...history(FEW, 50)];
    const events = entries.length - FEW;
    const short = new Judge();
    const memory = stopwatch();
    for (const entry of entries) short.take(entry);
    sound(short);
    const inMemory = memory();
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-judging-'));
    try {
      const path = join(folder, 'history-0.ndjson');
      const written = new HistoryFile(path, { by: 'bench', began: new Date(0).toISOString() });
      for (const entry of history(MANY, 5_000)) written.write(entry);
      written.close();
      const long = new Judge();
      const file = stopwatch();
      for await (const chunk of historyIn(path)) for (const entry of chunk) long.take(entry);
      sound(long);
      const fromFile = file();
      const rows: FigureRow[] = [
        {
          name: `judge ${FEW.toLocaleString('en')} operations and ${events.toLocaleString('en')} events`,
          figure: rates(FEW, inMemory),
        },
        {
          name: `judge ${MANY.toLocaleString('en')} operations from a file`,
          figure: `${rates(MANY, fromFile)}, ${megabytes(process.memoryUsage().rss)}`,
        },
      ];
      return rows;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Seconds, as they passed and of CPU. */
interface Took {
  readonly passed: number;
  readonly cpu: number;
}
function stopwatch(): () => Took {
  const [began, cpu] = [performance.now(), process.cpuUsage().user];
  return () => ({ passed: (performance.now() - began) / 1e3, cpu: (process.cpuUsage().user - cpu) / 1e6 });
}
const rates = (operations: number, { passed, cpu }: Took): string =>
  `${perSecond(operations / passed)} operations, ${perSecond(operations / cpu)} of CPU`;

/** Throws where a guarantee is found broken: the history keeps all of them. */
function sound(judge: Judge): void {
  for (const { guarantee, finding } of judge.findings()) {
    if (finding.broken > 0) throw new Error(`${guarantee.name}: ${finding.violations[0]?.sentence}`);
  }
}

/** What eight clients and some watches see of so many objects: two of five write, one of twenty removes, the rest read. */
function* history(operations: number, objects: number): Generator<HistoryEntry> {
  const draws = new Draws(1);
  const present = new Map<number, ObjectSight>();
  let number = 0;
  let version = 10;
  let uids = 0;
  let time = 0;
  const operation = (method: string, path: string, status: number): OperationEntry => {
    number += 1;
    time = Math.round((time + 0.1) * 1_000) / 1_000;
    return {
      type: 'operation',
      client: `c${number % 8}`,
      number,
      start: time,
      end: Math.round((time + 2) * 1_000) / 1_000,
      method,
      path,
      status,
    };
  };
  for (let at = 0; at < WATCHES; at += 1) yield operation('GET', `${PLACE}?watch=true&resourceVersion=${version}`, 200);
  while (number < operations) {
    const which = draws.below(objects);
    const known = present.get(which);
    const path = `${PLACE}/o${which}`;
    const act = draws.below(20);
    if (known && act >= 9) {
      yield { ...operation('GET', path, 200), seen: { object: known } };
      continue;
    }
    version += 1;
    if (known && act === 0) {
      present.delete(which);
      yield { ...operation('DELETE', path, 200), seen: { removed: known.uid } };
      yield* told('DELETED', { ...known, version: String(version) }, time);
      continue;
    }
    uids += known ? 0 : 1;
    const mark = `w${version}`;
    const digest = (version * 7_919).toString(16);
    const uid = known?.uid ?? `uid-${uids}`;
    const object: ObjectSight = { name: `o${which}`, namespace: 'n', uid, version: String(version), digest, mark };
    present.set(which, object);
    const sent = { name: object.name, mark, ...(known ? { version: known.version } : {}) };
    yield { ...(known ? operation('PUT', path, 200) : operation('POST', PLACE, 201)), sent, seen: { object } };
    yield* told(known ? 'MODIFIED' : 'ADDED', object, time);
  }
}
function* told(type: string, object: ObjectSight, time: number): Generator<EventEntry> {
  for (let watch = 1; watch <= WATCHES; watch += 1) {
    yield { type: 'event', number: watch, at: Math.round((time + 3) * 1_000) / 1_000, seen: { type, object } };
  }
}
