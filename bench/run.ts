import { cpus } from 'node:os';
import { UsageError } from '../cli/usageError.ts';
import { startReference } from './processes.ts';
import { admission } from './scenarios/admission.ts';
import { apply } from './scenarios/apply.ts';
import { collections } from './scenarios/collections.ts';
import { fanOut } from './scenarios/fanOut.ts';
import { forks } from './scenarios/forks.ts';
import { growth } from './scenarios/growth.ts';
import { informers } from './scenarios/informers.ts';
import { judging } from './scenarios/judging.ts';
import { largeCollection } from './scenarios/largeCollection.ts';
import { learnPage } from './scenarios/learnPage.ts';
import { packaged } from './scenarios/packaged.ts';
import { type BenchScenario, type FigureRow, megabytes, milliseconds } from './scenarios/scenario.ts';
import { singleObjects } from './scenarios/singleObjects.ts';
import { soak } from './scenarios/soak.ts';
import { stops } from './scenarios/stops.ts';
import { stores } from './scenarios/stores.ts';
import { sideBySide } from './sideBySide.ts';

const SCENARIOS: readonly BenchScenario[] = [
  singleObjects,
  apply,
  admission,
  collections,
  largeCollection,
  fanOut,
  stores,
  growth,
  informers,
  forks,
  packaged,
  learnPage,
  judging,
  stops,
  soak,
];

/** Measures all, or those whose names contain one of the words given, and prints one table. */
async function main(words: readonly string[]): Promise<void> {
  const duration = Number(process.env.BENCH_SECONDS ?? 5) * 1000;
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load program included\n`);
  const rows: FigureRow[] = words.length === 0 ? await startUp() : [];
  for (const scenario of SCENARIOS) {
    if (words.length > 0 && !words.some((word) => scenario.name.includes(word))) continue;
    const reference = await startReference();
    try {
      rows.push(...(await scenario.run({ reference, milliseconds: duration })));
    } finally {
      await reference.stop();
    }
  }
  const width = Math.max(...rows.map((row) => row.name.length));
  const figures = Math.max(...rows.map((row) => row.figure.length));
  for (const row of rows) {
    console.log(`${row.name.padEnd(width)}  ${row.figure.padEnd(figures)}  ${row.ratio ?? ''}`.trimEnd());
  }
}

/** From process start until ready, best of five, and the memory of an idle reference. */
async function startUp(): Promise<FigureRow[]> {
  const times: number[] = [];
  let memory = 0;
  for (let round = 0; round < 5; round++) {
    const reference = await startReference();
    times.push(reference.readyAfter);
    memory = await reference.memory();
    await reference.stop();
  }
  times.sort((a, b) => a - b);
  return [
    {
      name: 'process start to ready',
      figure: `${milliseconds(times[0] ?? 0)} best, ${milliseconds(times[2] ?? 0)} median`,
    },
    { name: 'resident memory, idle', figure: megabytes(memory) },
  ];
}

try {
  const words = process.argv.slice(2);
  // Names of scenarios, or what two servers are called.
  await (words.some((word) => word.startsWith('-')) ? sideBySide(words) : main(words));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
