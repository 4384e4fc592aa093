import { ledger, type StatementKey, statementFacts } from '../fixtures/ledger/index.ts';
import { statementKeys } from '../fixtures/ledger/statements.ts';
import { NEWEST_RELEASE, OLDEST_RELEASE } from '../fixtures/releases/lifecycles.ts';
import { DESIGN } from '../reports/design.ts';
import type { LinkedStory } from '../reports/storyLink.ts';
import type { Scenario } from './scenario.ts';

/** The files of the page by their names: a folder that works from any web server and from a disk. */
export type Site = ReadonlyMap<string, string>;

/** Statements that the server names in what it tells of a merge. */
const MERGE_RULES = '1/server-side-apply-rules/';

/**
 * The page with stories, in the order of what they show in the specification, and with the design of all pages.
 * @param page what tools/learnPage.mjs makes: all but these
 * @param own stories of a run, by their names
 */
export function siteOf(
  page: Readonly<Record<string, string>>,
  scenarios: readonly Scenario[],
  own: Readonly<Record<string, LinkedStory>> = {},
): Site {
  const order = Object.keys(statementKeys);
  const place = ({ statements: [first = ''] }: Scenario) => order.indexOf(first);
  const sorted = [...scenarios].sort((one, other) => place(one) - place(other));
  const stories = sorted.map((scenario) => ({
    ...scenario,
    statements: scenario.statements.map((key) => statementFacts(key as StatementKey)),
  }));
  const further = Object.entries(own).map(([name, story]) => ({
    name,
    title: name,
    isOwn: true,
    about: '',
    flags: [],
    webhooks: [],
    ...story,
    statements: [],
  }));
  const rules = Object.keys(statementKeys).filter((key) => key.startsWith(MERGE_RULES));
  const lines = Object.fromEntries(rules.map((key) => [key, statementFacts(key as StatementKey).line]));
  const facts = { stories: [...stories, ...further], lines, requirements: firstRequirements(), releases: releases() };
  const data = Object.entries(facts).map(([name, value]) => `touchstone_${name} = ${inScript(value)};\n`);
  return new Map([...Object.entries(page), ['design.css', DESIGN], ['stories.js', data.join('') + TOO_OLD]]);
}

/** The first requirement of each statement that a check can judge. */
function firstRequirements(): Record<string, string> {
  const own: Record<string, string> = {};
  const others: Record<string, string> = {};
  for (const { id, from, checkedBy } of Object.values(ledger)) {
    if (checkedBy !== 'suite') continue;
    // One that comes from it before all else is nearer to it.
    for (const [place, key] of from.entries()) (place === 0 ? own : others)[key] ??= id;
  }
  return { ...others, ...own };
}

function releases(): string[] {
  return Array.from({ length: NEWEST_RELEASE - OLDEST_RELEASE + 1 }, (_, index) => `1.${NEWEST_RELEASE - index}`);
}

/** Tells people whose browser cannot read the scripts behind this one; itself in words of the oldest. */
const TOO_OLD = `window.addEventListener('error', function (event) {
  var said = document.getElementById('said');
  if (window.touchstone || !said || !event.message) return;
  said.textContent = 'This browser cannot run the page, perhaps as it is too old: ' + event.message;
}, true);
`;

/** JSON as a script may have it: nothing in it ends the script or a line. */
function inScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
