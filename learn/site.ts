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
 * The page with stories, in the order of what they show in the specification, and with the design of all pages. What the
 * list of stories says of each is loaded at first; what a search needs beside it, when somebody searches; each story itself,
 * when it is opened, from a script of its own.
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
  const scripts = new Map(sorted.map((scenario, index) => [scenario, `story_${index + 1}`]));
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
  const shown = new Set([...sorted.flatMap(({ statements }) => statements), ...order.filter(isMergeRule)]);
  const facts = {
    stories: [...[...scripts].map(([scenario, script]) => listed(scenario, script)), ...further],
    statements: Object.fromEntries([...shown].map((key) => [key, sectionAndLine(key)])),
    releases: releases(),
  };
  return new Map([
    ...Object.entries(page),
    ['design.css', DESIGN],
    ['stories.js', assigned(facts) + TOO_OLD],
    ['search.js', assigned({ search: Object.fromEntries(sorted.map((one) => [one.name, foundBy(one)])) })],
    ['requirements.js', assigned({ requirements: firstRequirements() })],
    ...[...scripts].map(([scenario, script]) => [`${script}.js`, assigned({ [script]: scenario })] as const),
  ]);
}

const isMergeRule = (key: string) => key.startsWith(MERGE_RULES);

/** What the list shows of a story, and the script that has the rest. */
const listed = ({ name, title, about, statements }: Scenario, script: string) => ({
  name,
  title,
  about,
  statements,
  script,
});

/** What a search finds a story by, beside what the list shows of it. */
const foundBy = ({ question = '', steps }: Scenario): string =>
  [question, ...steps.flatMap((step) => [step.title, step.look, step.request?.path ?? ''])].join('\n');

function sectionAndLine(key: string): readonly [section: string, line: string] {
  const { section, line } = statementFacts(key as StatementKey);
  return [section, line];
}

/** A script that sets variables of the page. */
const assigned = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values)
    .map(([name, value]) => `touchstone_${name} = ${inScript(value)};\n`)
    .join('');

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
  // Of scripts from a disk a browser says no more than that there was an error.
  var why = event.message === 'Script error.' ? '.' : ': ' + event.message;
  said.textContent = 'This browser cannot run the page, perhaps as it is too old' + why;
}, true);
`;

/** JSON as a script may have it: nothing in it ends the script or a line. */
function inScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
