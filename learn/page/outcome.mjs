// What came of a step: the answer, the store and what watches were told; each as elements, for one server or two.
import { element, scroller, table, text } from './elements.mjs';
import { changedObject, differences, legend, ownedObject } from './objects.mjs';

/** Lines of two texts that are compared at most; longer ones are shown as they are. */
const MOST_LINES = 1500;

/**
 * @param expected the status that the story tells of, or undefined
 * @param reads the text in a body that the story speaks of, or undefined
 */
export function answerOf({ answer, judged }, { expected, reads, beside, label = 'Body of the answer' } = {}) {
  if (judged) return judgementOf(judged, reads);
  if (!answer) return [text('p', 'No request, no answer.')];
  const good = answer.code < 400 ? 'good' : 'bad';
  const other = expected !== undefined && expected !== answer.code;
  const status = element(
    'p',
    { className: 'status' },
    text('span', String(answer.code), `word ${good}`),
    answer.stream ? ' a stream: the timeline and the watches below tell what comes' : '',
    other ? ` (the story tells of ${expected})` : '',
    answer.headers.warning ? text('span', `Warning: ${answer.headers.warning}`, 'why') : undefined,
  );
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  const told = scroller(headers.join('\n'), `${label}: headers`);
  const folded = element('details', { className: 'headers' }, text('summary', 'headers'), told);
  if (answer.stream) return [status, folded];
  const body = scroller('', label);
  body.className = 'body';
  const made = [status, folded];
  if (beside?.answer && isComparable(beside.answer, answer)) {
    body.append(...markedLines(pretty(beside.answer.body), pretty(answer.body)));
  } else if (reads && parsed(answer.body) === undefined && answer.body.includes(reads)) {
    body.append(...markedText(answer.body, reads.trimEnd()));
  } else made.push(...ownedBody(answer.body, body));
  return [...made, body];
}

/** What was found of a release history. */
function judgementOf({ kept, text: found }, reads) {
  const body = scroller('', 'What was found of the history');
  body.className = 'body';
  body.append(...(reads && found.includes(reads) ? markedText(found, reads.trimEnd()) : [found]));
  return [element('p', { className: 'status' }, verdictOf({ kept })), body];
}

/** Whether a release history keeps the policy, in a word. */
export const verdictOf = ({ kept }) => text('span', kept ? 'kept' : 'broken', kept ? 'word good' : 'word bad');

/** Text in which what a story speaks of is marked. */
function markedText(whole, part) {
  const at = whole.indexOf(part);
  return [whole.slice(0, at), element('mark', { textContent: part }), whole.slice(at + part.length)];
}

/** Two bodies that are not the same, of objects of one kind: lines of others have nothing to do with each other. */
function isComparable(one, other) {
  if (one.stream || one.body === other.body) return false;
  return parsed(one.body)?.kind === parsed(other.body)?.kind;
}

/** Fills a body with its lines and the owners of each. @returns what stands before it */
function ownedBody(json, body) {
  const value = parsed(json);
  const entries = value?.metadata?.managedFields;
  if (!Array.isArray(entries) || entries.length === 0) {
    body.textContent = pretty(json);
    return [];
  }
  delete value.metadata.managedFields;
  body.append(...ownedObject(value, entries));
  return [legend(entries), ownersTable(entries)];
}

function markedLines(before, after) {
  const [gone, came] = [before.split('\n'), after.split('\n')];
  if (gone.length > MOST_LINES || came.length > MOST_LINES) return [after];
  return differences(gone, came).map(([mark, line]) =>
    text('span', `${mark} ${line}`, mark === '+' ? 'row added' : mark === '-' ? 'row gone' : 'row'),
  );
}

const parsed = (json) => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** JSON in lines; other text as it is. */
export function pretty(json) {
  const value = parsed(json);
  return value === undefined ? json : JSON.stringify(value, null, 2);
}

function ownersTable(entries) {
  const rows = entries.map(({ manager, operation, subresource, fieldsV1 }) => {
    const names = leaves(fieldsV1 ?? {}).map((path) => text('code', path));
    const fields = element('span', {}, ...names.flatMap((name) => [name, ' ']));
    return [manager ?? '', `${operation}${subresource ? ` (${subresource})` : ''}`, fields];
  });
  const caption = 'Who owns what afterwards (metadata.managedFields, left out below)';
  return element('details', {}, text('summary', 'as a table'), table(caption, ['manager', 'by', 'fields'], rows));
}

/** The fields of a set in the form of the API: `f:` a field, `k:` an item by its keys, `v:` one by its value. */
function leaves(set, path = '') {
  const inner = Object.entries(set).filter(([name]) => name !== '.');
  if (inner.length === 0) return [path];
  return inner.flatMap(([name, below]) =>
    leaves(below, name.startsWith('f:') ? `${path}.${name.slice(2)}` : `${path}[${name.slice(2)}]`),
  );
}

export const wordOf = ({ type, before }) =>
  type === 'delete' ? 'removed' : before === undefined ? 'created' : 'changed';

export function storeOf({ revision, changes, delivered, said = [] }) {
  const { before, after } = revision;
  const stays = before === after;
  return [
    ...said.map((line) => text('p', `It says to its operator: ${line}`)),
    text('p', stays ? `The store stays at revision ${after}.` : `The store goes from revision ${before} to ${after}.`),
    ...changes.map((change, index) => {
      const lines = element('pre', { tabIndex: 0 }, ...changedObject(change));
      lines.setAttribute('aria-label', `${change.key}, ${wordOf(change)}: lines that went and came`);
      const summary = element('summary', {}, `${change.revision}: ${wordOf(change)} `, text('code', change.key));
      return element('details', { open: index === 0 }, summary, lines);
    }),
    delivered.length === 0 ? text('p', 'No watch is told of anything.', 'dim') : undefined,
    ...delivered.map(({ watch, type, object }) =>
      element(
        'details',
        {},
        text('summary', `watch of step ${watch}: ${type}`),
        scroller(JSON.stringify(JSON.parse(object), null, 2), `What the watch of step ${watch} was told`),
      ),
    ),
  ].filter((one) => one !== undefined);
}
