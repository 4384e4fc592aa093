import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { embedded } from '../../cli/reach.ts';
import { ROOT } from '../../cli/root.ts';
import { launch } from '../../suites/harness/starting/launch.ts';
import { detect } from '../../suites/harness/target/detect.ts';
import type { TargetFile } from '../../suites/harness/target/target.ts';
import { type Bundles, bundle } from './bundles.ts';
import { keyOf, type MachineMutant, type Module } from './mutants.ts';
import type { PoolParts } from './pool.ts';

/** All that putting checks to mutants takes: bundles, and whom the checks take the reference for. */
export interface Ready {
  /** Numbers of the mutants by their keys, from 1. */
  readonly numbers: ReadonlyMap<string, number>;
  /** For a pool whose processes run the mutants, and for one whose processes keep what is met. */
  readonly mutated: PoolParts;
  readonly recording: PoolParts;
}

/** Bundles the reference with these mutants and the checks, gives them to `use`, and takes them away again. */
export async function withMutants<T>(
  modules: readonly Module[],
  mutants: readonly MachineMutant[],
  use: (ready: Ready) => Promise<T>,
): Promise<T> {
  const numbers = new Map(mutants.map((mutant, index) => [keyOf(mutant), index + 1]));
  // Inside the checkout, where what stays outside a bundle is found.
  const folder = join(ROOT, 'dist', `.machine-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const stop = () => process.exit(130);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const [bundles, file] = await Promise.all([bundle(ROOT, modules, numbers, folder), soundTarget()]);
    const { mutated, recording, judge }: Bundles = bundles;
    const parts = { judge, mutants: mutants.length, root: ROOT, file, scratch: join(folder, 'judges') };
    return await use({
      numbers,
      mutated: { ...parts, bundle: mutated },
      recording: { ...parts, bundle: recording },
    });
  } finally {
    remove();
  }
}

/** Dialect and capabilities of the reference as it should be. */
async function soundTarget(): Promise<TargetFile> {
  const { serve } = embedded('kubernetes');
  const sound = await launch(serve, 120_000);
  try {
    const target = await detect({ ...sound.ready, mode: 'embedded' });
    return { target, run: { id: 'machine', seed: 'machine', strict: true, verdictsOnly: true }, serve };
  } finally {
    await sound.stop();
  }
}
