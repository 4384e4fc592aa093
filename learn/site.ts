import { type StatementKey, statementFacts } from '../fixtures/ledger/index.ts';
import { statementKeys } from '../fixtures/ledger/statements.ts';
import type { Scenario } from './scenario.ts';

/** The files of the page by their names: a folder that works from any web server and from a disk. */
export type Site = ReadonlyMap<string, string>;

/** Statements that the server names in what it tells of a merge. */
const MERGE_RULES = '1/server-side-apply-rules/';

/** The page with stories, in the order of what they show in the specification. @param page what tools/learnPage.mjs makes: all but the stories */
export function siteOf(page: Readonly<Record<string, string>>, scenarios: readonly Scenario[]): Site {
  const order = Object.keys(statementKeys);
  const place = ({ statements: [first = ''] }: Scenario) => order.indexOf(first);
  const sorted = [...scenarios].sort((one, other) => place(one) - place(other));
  const stories = sorted.map((scenario) => ({
    ...scenario,
    statements: scenario.statements.map((key) => statementFacts(key as StatementKey)),
  }));
  const rules = Object.keys(statementKeys).filter((key) => key.startsWith(MERGE_RULES));
  const lines = Object.fromEntries(rules.map((key) => [key, statementFacts(key as StatementKey).line]));
  const data = `touchstoneStories = ${inScript(stories)};\ntouchstoneStatements = ${inScript(lines)};\n`;
  return new Map([...Object.entries(page), ['stories.js', data]]);
}

/** JSON as a script may have it: nothing in it ends the script or a line. */
function inScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
