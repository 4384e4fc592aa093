// Objects as lines: who owns each, and what is otherwise in another.
import { element, text } from './elements.mjs';

/** Hues for managers, in the order in which a story meets them; the names stand beside them. */
const HUES = 6;
/** Names of the managers that the story met. */
let known = [];

/** Gives each manager of a story the hue that it has in every step. @param played steps of one server or of two */
export function meetManagers(played) {
  const texts = played.flatMap(({ answer, changes }) => [...changes.map(({ after }) => after), answer?.body]);
  const names = texts.flatMap((json) => [...(json ?? '').matchAll(/"manager":("(?:[^"\\]|\\.)*")/g)]);
  known = [...new Set(names.map(([, name]) => parsed(name)))];
}

const parsed = (json) => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

const hueOf = (manager) => `manager m${Math.max(0, known.indexOf(manager)) % HUES}`;

/** The names of the managers of an object with their hues. */
export function legend(entries) {
  const managers = [...new Set(entries.map(({ manager }) => manager ?? ''))];
  return element(
    'p',
    { className: 'legend' },
    'Owners of fields: ',
    ...managers.flatMap((one) => [text('span', one || 'a manager without a name', hueOf(one)), ' ']),
  );
}

/**
 * The lines of an object, each with the managers that own what begins there.
 * @returns lines with text, and the owners of the field
 */
export function linesOf(value, entries = []) {
  const lines = [];
  const sets = entries.map(({ manager, fieldsV1 }) => ({ manager: manager ?? '', set: fieldsV1 ?? {} }));
  write(value, '', '', sets, [], lines, '');
  return lines;
}

/** The sets below a member: `f:` a field, `k:` an item by its keys, `v:` one by its value, `i:` one by its place. */
function below(sets, fits) {
  return sets.flatMap(({ manager, set }) =>
    Object.entries(set)
      .filter(([name]) => fits(name))
      .map(([, inner]) => ({ manager, set: inner })),
  );
}

/** Whether a key of a set names an item of a list. */
function namesItem(name, item, index) {
  const [kind, rest] = [name.slice(0, 2), name.slice(2)];
  try {
    if (kind === 'k:') return Object.entries(JSON.parse(rest)).every(([key, value]) => item?.[key] === value);
    if (kind === 'v:') return JSON.stringify(item) === JSON.stringify(JSON.parse(rest));
  } catch {
    return false;
  }
  return kind === 'i:' && Number(rest) === index;
}

function write(value, indent, lead, sets, owners, lines, end) {
  const members = Array.isArray(value)
    ? value.map((item, index) => ['', item, below(sets, (name) => namesItem(name, item, index))])
    : value !== null && typeof value === 'object'
      ? Object.entries(value).map(([name, inner]) => [
          `${JSON.stringify(name)}: `,
          inner,
          below(sets, (key) => key === `f:${name}`),
        ])
      : undefined;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (!members || members.length === 0) {
    lines.push({ text: `${indent}${lead}${members ? open + close : JSON.stringify(value)}${end}`, owners });
    return;
  }
  lines.push({ text: `${indent}${lead}${open}`, owners });
  for (const [index, [name, inner, innerSets]] of members.entries()) {
    const comma = index < members.length - 1 ? ',' : '';
    // A set without further names is the field itself; so is one that holds itself, as a dot.
    const own = innerSets
      .filter(({ set }) => Object.keys(set).length === 0 || '.' in set)
      .map(({ manager }) => manager);
    write(inner, `${indent}  `, name, innerSets, own, lines, comma);
  }
  lines.push({ text: `${indent}${close}${end}`, owners: [] });
}

/** An object as text, with the owners of each line behind it. */
export function ownedObject(value, entries) {
  return linesOf(value, entries).map(({ text: line, owners }) => {
    const row = element('span', { className: 'row' }, line);
    for (const one of owners) row.append(' ', text('span', one || '?', hueOf(one)));
    return row;
  });
}

/** Lines of two texts: ` ` in both, `-` in the first alone, `+` in the second alone. */
export function differences(before, after) {
  const longest = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      longest[i][j] =
        before[i] === after[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      found.push([' ', before[i]]);
      i++;
      j++;
    } else if (i < before.length && (j === after.length || longest[i + 1][j] >= longest[i][j + 1])) {
      found.push(['-', before[i++]]);
    } else found.push(['+', after[j++]]);
  }
  return found;
}

/** A stored object before and after, as lines that are marked. @param change see StoreChange in ../played.ts */
export function changedObject({ before, after }) {
  const plain = (json) => {
    if (json === undefined) return [];
    const { apiVersion, kind, metadata: told = {}, ...others } = JSON.parse(json);
    // In an order of their own: where the store has each tells nothing.
    const { managedFields: _, ...rest } = told;
    const metadata = Object.fromEntries(Object.entries(rest).sort());
    const lines = linesOf({ apiVersion, kind, metadata, ...others });
    return lines.map((line) => line.text);
  };
  return differences(plain(before), plain(after)).map(([mark, line]) => {
    const className = mark === '+' ? 'row added' : mark === '-' ? 'row gone' : 'row';
    return text('span', `${mark} ${line}`, className);
  });
}
