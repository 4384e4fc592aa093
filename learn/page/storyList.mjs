// The stories by document and chapter, with a search.
import { element, find, text } from './elements.mjs';
import { loadScript } from './engine.mjs';

const DOCUMENTS = { 1: 'Conventions and resources', 2: 'Access', 3: 'Versions and deprecation' };
const NARROW = matchMedia('(max-width: 45rem)');

/** The stories of the list; search.js has what those that were not opened yet are found by, beside their words here. */
let byName = new Map();
let isSearchLoaded = false;

/** What a story is found by. */
const findable = (one) =>
  [
    one.title,
    one.about,
    ...one.statements.flatMap(({ key, section, line }) => [key, section, line]),
    one.question ?? '',
    ...(one.steps?.flatMap(({ title, look, request }) => [title, look, request?.path ?? '']) ?? []),
    globalThis.touchstone_search?.[one.name] ?? '',
  ]
    .join('\n')
    .toLowerCase();

/** Loads what stories are found by as soon as somebody wants to search. */
async function loadSearch() {
  if (isSearchLoaded) return;
  isSearchLoaded = true;
  try {
    await loadScript('search');
    search();
  } catch (error) {
    find('found').textContent = error.message;
  }
}

const groupOf = (one) =>
  one.isPlayground
    ? 'Without a story'
    : one.isOwn
      ? 'Of yours'
      : (DOCUMENTS[one.statements[0]?.key.split('/')[0]] ?? 'Of yours');

/** @param open is called with the name of the story that was chosen */
export function listStories(library, open) {
  byName = new Map(library.map((one) => [one.name, one]));
  const groups = new Map();
  for (const one of library) {
    const chapters = groups.get(groupOf(one)) ?? new Map();
    groups.set(groupOf(one), chapters);
    const chapter = one.isOwn || one.isPlayground ? '' : (one.statements[0]?.section ?? '');
    chapters.set(chapter, [...(chapters.get(chapter) ?? []), one]);
  }
  find('stories').replaceChildren(
    ...[...groups].map(([title, chapters]) => {
      const count = [...chapters.values()].flat().length;
      const inner = [...chapters].flatMap(([chapter, stories]) => [
        chapter === '' ? undefined : text('h3', chapter, 'chapter'),
        element('ol', {}, ...stories.map((one) => storyItem(one, open))),
      ]);
      const summary = element('summary', {}, text('h2', title, 'group'), ` ${count}`);
      return element(
        'details',
        { className: 'document', open: true },
        summary,
        element('div', {}, ...inner.filter(Boolean)),
      );
    }),
  );
  search();
}

function storyItem(one, open) {
  const button = element('button', { type: 'button', textContent: one.title, tabIndex: -1 });
  button.dataset.story = one.name;
  button.addEventListener('click', () => {
    if (NARROW.matches) find('library').open = false;
    open(one.name);
  });
  return element('li', {}, button);
}

const buttons = () => [...find('stories').querySelectorAll('button')];

/** Shows the stories that hold all the words that are looked for. */
function search() {
  const words = find('find').value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const button of buttons()) {
    const told = words.length > 0 ? findable(byName.get(button.dataset.story)) : '';
    const fits = words.every((word) => told.includes(word));
    button.parentElement.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const list of find('stories').querySelectorAll('ol')) {
    const none = [...list.children].every(({ hidden }) => hidden);
    list.hidden = none;
    if (list.previousElementSibling?.className === 'chapter') list.previousElementSibling.hidden = none;
  }
  for (const group of find('stories').querySelectorAll('details')) {
    group.hidden = [...group.querySelectorAll('li')].every(({ hidden }) => hidden);
    if (words.length > 0) group.open = true;
  }
  keepOneStop();
  find('found').textContent = words.length === 0 ? '' : shown === 1 ? '1 story' : `${shown} stories`;
}

/**
 * Of all stories Tab comes to one alone: that which has the focus, which is open, or the first that is shown. Arrows go to
 * the others.
 */
function keepOneStop(wanted) {
  const all = buttons();
  const shown = all.filter((button) => !button.parentElement.hidden);
  const stop = wanted ?? shown.find((button) => button.hasAttribute('aria-current')) ?? shown[0];
  for (const button of all) button.tabIndex = button === stop ? 0 : -1;
}

/** Marks the story that is open, and brings it into sight. */
export function markStory(name) {
  for (const button of buttons()) {
    if (button.dataset.story !== name) {
      button.removeAttribute('aria-current');
      continue;
    }
    if (button.getAttribute('aria-current') === 'page') continue;
    button.setAttribute('aria-current', 'page');
    const scrolled = find('shelf');
    const { top, bottom } = button.getBoundingClientRect();
    const frame = scrolled.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) scrolled.scrollTop += top - frame.top - frame.height / 3;
  }
  keepOneStop();
}

/** Arrows go from story to story; the slash goes to the search, and Enter from there to the first that was found. */
export function listenToList() {
  find('library').open = !NARROW.matches;
  find('find').addEventListener('focus', loadSearch);
  find('find').addEventListener('input', search);
  find('find').addEventListener('keydown', (event) => {
    const first = shownButtons()[0];
    if (event.key === 'Enter' && first) {
      event.preventDefault();
      first.click();
    } else if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      first.focus();
    }
  });
  find('stories').addEventListener('keydown', (event) => {
    const all = shownButtons();
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    (all[to] ?? find('find')).focus();
  });
  find('stories').addEventListener('focusin', ({ target }) => {
    if (target.dataset.story !== undefined) keepOneStop(target);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    find('library').open = true;
    find('find').focus();
  });
}
const shownButtons = () => buttons().filter((button) => button.offsetParent !== null);
