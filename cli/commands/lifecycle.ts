import { suggestion } from '../nearest.ts';
import { UsageError } from '../usageError.ts';
import { check } from './lifecycle/check.ts';
import { plot } from './lifecycle/plot.ts';
import { upgrade } from './lifecycle/upgrade.ts';

const TABLE: Readonly<Record<string, (argv: readonly string[]) => number>> = { check, plot, upgrade };

/** `touchstone lifecycle check|plot|upgrade`: the deprecation policy at work. Throws UsageError. */
export function lifecycle(argv: readonly string[]): number {
  const [name, ...rest] = argv;
  if (name === undefined) {
    throw new UsageError('lifecycle is check, plot or upgrade: touchstone lifecycle check FILE.');
  }
  const act = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
  if (!act) throw new UsageError(`There is no command lifecycle ${name}.${suggestion(name, Object.keys(TABLE))}`);
  return act(rest);
}
