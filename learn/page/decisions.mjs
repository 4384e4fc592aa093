// What the server thought, as lists: stage by stage, with what became of each field in a merge.
import { element, scroller, table, text } from './elements.mjs';

const BAD = new Set(['refused', 'conflict', 'invalid', 'forbidden', 'deny', 'failed', 'compacted']);
const GOOD = new Set([
  ...['allow', 'allowed', 'accepted', 'admitted', 'valid', 'created', 'changed', 'removed', 'found', 'watching'],
]);
const mood = (outcome) => (BAD.has(outcome) ? 'bad' : GOOD.has(outcome) ? 'good' : '');

/** Stages that are the same in most steps: folded unless they refuse, or the story is about them. */
const ACCESS = new Set(['authentication', 'impersonation', 'authorization']);

/** Those who put a question to others, one after the other. */
const IN_TURN = { union: 'each method in turn', chain: 'each authorizer in turn' };
const nameOf = (by) => IN_TURN[by] ?? by;

const wordsOf = ({ stage, by, outcome, because }) => `${stage}\n${by}\n${outcome}\n${because}`;

/**
 * @param decisions see DecisionTold in ../played.ts
 * @param aboutAccess whether the story is about who may do what
 * @param lineOf gives the one line of a statement of a key
 * @param beside decisions of another server: those that it did not come to are marked
 */
export function decisionList(decisions, { aboutAccess, lineOf, beside }) {
  const others = beside && new Set(beside.map(wordsOf));
  const stages = [];
  for (const decision of decisions) {
    if (stages.at(-1)?.at(0).stage === decision.stage) stages.at(-1).push(decision);
    else stages.push([decision]);
  }
  const items = stages.map((all) => {
    const { stage, by, outcome } = all.at(-1);
    const bad = all.some((one) => mood(one.outcome) === 'bad');
    const own = others !== undefined && all.some((one) => !others.has(wordsOf(one)));
    const summary = element(
      'summary',
      {},
      text('b', stage),
      ' ',
      text('span', nameOf(by), 'by'),
      ' ',
      text('span', outcome, 'word'),
      own ? text('span', ' only here', 'only') : undefined,
    );
    const list = element('ol', {}, ...all.map((one) => decisionItem(one, all.length === 1, lineOf)));
    const open = bad || own || !ACCESS.has(stage) || (aboutAccess && stage !== 'impersonation');
    return element('li', { className: bad ? 'bad' : mood(outcome) }, element('details', { open }, summary, list));
  });
  return items.length > 0 ? items : [text('li', 'Nothing is asked of it here.', 'dim')];
}

/** @param alone the line of its stage says the rest of it already */
function decisionItem({ by, outcome, because, details }, alone, lineOf) {
  const line = element('p', {}, text('span', nameOf(by), 'by'), ' ', text('span', outcome, 'word'));
  const item = element('li', { className: mood(outcome) }, alone ? undefined : line, text('p', because, 'why'));
  const { merge, ...rest } = details ?? {};
  if (merge) item.append(mergeTable(merge, lineOf));
  const more = Object.values(rest).some((value) => !Array.isArray(value) || value.length > 0);
  if (more)
    item.append(
      element('details', {}, text('summary', 'more'), scroller(JSON.stringify(rest, null, 2), `More of ${by}`)),
    );
  return item;
}

const FIELD_MOODS = {
  conflict: 'bad',
  removed: 'bad',
  taken: 'odd',
  transferred: 'odd',
  cleared: 'odd',
  reset: 'odd',
  set: 'good',
  shared: 'good',
};

function mergeTable({ manager, fields }, lineOf) {
  // Fields of which the same became are told together: what says so stands there once.
  const groups = new Map();
  for (const one of fields) {
    const key = JSON.stringify([one.outcome, one.managers, one.rule]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const rows = [...groups.values()].map((all) => [all.map(({ field }) => field), all[0]]);
  const cells = rows.map(([names, { outcome, managers, rule }]) => [
    element('span', {}, ...names.flatMap((name) => [text('code', name), ' '])),
    text('span', outcome === 'givenUp' ? 'given up' : outcome, `word ${FIELD_MOODS[outcome] ?? ''}`),
    managers.join(', '),
    element('span', { className: 'dim' }, lineOf(rule) ? `${lineOf(rule)} ` : '', text('code', rule)),
  ]);
  const head = ['field', 'became', 'other owners', 'statement'];
  const made = table(`What became of each field, for ${manager || 'a manager without a name'}`, head, cells);
  made.classList.add('cards');
  return made;
}
