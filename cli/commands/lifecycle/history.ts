import { HistoryFault } from '../../../lifecycle/fault.ts';
import type { ApiHistory } from '../../../lifecycle/history.ts';
import { readHistory } from '../../../lifecycle/readHistory.ts';
import { inputName, readInput } from '../../input.ts';
import { UsageError } from '../../usageError.ts';

/** Reads the one history that a command names. Throws UsageError with everything that is wrong with it. */
export function namedHistory(
  words: readonly string[],
  usage: string,
): { readonly path: string; readonly history: ApiHistory } {
  const [path, ...more] = words;
  if (path === undefined || more.length > 0) throw new UsageError(`This takes one release history: ${usage}.`);
  const text = readInput(path, 'release history');
  try {
    return { path, history: readHistory(text) };
  } catch (error) {
    if (!(error instanceof HistoryFault)) throw error;
    throw new UsageError(`${inputName(path)} is no release history:\n${error.message}`);
  }
}
