import { HistoryFault } from '../lifecycle/fault.ts';
import { judge } from '../lifecycle/judge.ts';
import { judgementText } from '../lifecycle/judgementText.ts';
import { readHistory } from '../lifecycle/readHistory.ts';
import type { Judged } from './played.ts';

/**
 * Holds a release history against the deprecation policy, as `touchstone lifecycle check` does.
 * @param text the history as a file has it; one that is none is told with the lines of what is wrong
 */
export function judged(text: string): Judged {
  try {
    const history = readHistory(text);
    const report = judge(history);
    return { kept: report.findings.length === 0, text: judgementText(history, report) };
  } catch (error) {
    if (error instanceof HistoryFault) return { kept: false, text: error.message };
    throw error;
  }
}
