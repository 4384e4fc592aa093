// The page of `touchstone learn`: shows what happened when the engine of the tab played a story.
import { CutLink, fragmentOf, readFragment } from '../../reports/storyLink.ts';
import { choicesFor, otherwise, storyBeside } from './beside.mjs';
import { decisionList } from './decisions.mjs';
import { element, find, scroller, text } from './elements.mjs';
import { loadScript, startEngine } from './engine.mjs';
import { meetManagers } from './objects.mjs';
import { answerOf, storeOf } from './outcome.mjs';
import { asCurl, asHttp, asKubectl } from './requestForms.mjs';
import { checkText, storyText, whyNoCheck } from './storyFile.mjs';
import { listenToList, listStories, markStory } from './storyList.mjs';
import { showTimeline } from './timeline.mjs';

const ACTORS = ['admin', 'author', 'rival', 'watcher', 'stranger', 'nobody'];
const PLAYGROUND = 'playground';
/** A story that came with the link, or of a file. */
const FROM_LINK = 'of-this-link';

const FIRST_REQUEST = {
  who: 'author',
  method: 'GET',
  path: '/api/v1/namespaces/default/configmaps',
  type: '',
  body: '',
  headers: {},
};
const emptyStep = (title) => ({ title, look: '', wait: 0, request: { ...FIRST_REQUEST }, holds: {} });

/** A story without words: the reader's own. */
const playground = () => ({
  name: PLAYGROUND,
  isPlayground: true,
  title: 'Playground',
  about: 'A server of your own: add steps, be anybody, move the clock, and watch what it makes of each request.',
  statements: [],
  flags: [],
  webhooks: [],
  steps: [emptyStep('Your first request')],
});

/** What stories.js says: the list of stories, and what is known of statements and releases. */
const given = (name, otherwise) => globalThis[`touchstone_${name}`] ?? otherwise;
/** Stories as the list has them; those that were opened, and those of the reader, whole. */
let library = [];
let engine;
/**
 * The story that is open: as it stands in the library, as it is played, what happened, the steps that were left when it
 * was forked, and what happened beside it.
 */
let story = { original: undefined, scenario: undefined, changed: false, branch: undefined, played: undefined, at: 0 };
let dialect = 'kubernetes';
/** See PageState in ../../reports/storyLink.ts. */
let beside;
let other;
let asking = 0;

const say = (sentence) => {
  find('said').textContent = sentence;
};
const copyOf = (value) => JSON.parse(JSON.stringify(value));
const isSame = (one, another) => JSON.stringify(one) === JSON.stringify(another);

async function begin() {
  // Before all else: the worker reads its script while the page is made.
  let fault;
  try {
    engine = startEngine();
  } catch (error) {
    fault = error;
  }
  find('who').append(...ACTORS.map((name) => element('option', { value: name, textContent: name })));
  const listed = given('stories', []).map((one) => ({ ...one, statements: one.statements.map(factsOf) }));
  library = [...listed, playground()];
  listStories(library, (name) => open(name));
  listenToList();
  if (fault) say(fault.message);
  else await openLink();
}

async function openLink() {
  let wanted = {};
  let lead = '';
  try {
    wanted = readFragment(location.hash);
  } catch (error) {
    if (!(error instanceof CutLink)) throw error;
    lead = 'The link was cut or changed on its way, so a story is shown as it stands.';
    wanted = nameIn(location.hash);
  }
  dialect = wanted.dialect ?? 'kubernetes';
  find('dialect').value = dialect;
  const known = library.some(({ name }) => name === wanted.name);
  if (wanted.name && !known && !wanted.changed)
    lead = 'There is no story of the name in the link, so another is shown.';
  if (!known && wanted.changed?.title) keep(ownStory(FROM_LINK, wanted.changed));
  const name = known ? wanted.name : wanted.changed?.title ? FROM_LINK : wanted.changed ? PLAYGROUND : library[0].name;
  const changes = known || !wanted.changed?.title ? wanted.changed : undefined;
  await open(name, known || wanted.changed ? wanted.at : 0, { changed: changes, beside: wanted.beside, lead });
}

/** Which story and step a link names that says nothing else that can be read. */
function nameIn(fragment) {
  try {
    return readFragment(fragment.replace(/&.*/, ''));
  } catch {
    return {};
  }
}

/** A story that is not of the library, with what is known of its statements. */
function ownStory(name, { statements = [], branch: _, ...told }) {
  return {
    name,
    isOwn: true,
    title: name,
    about: '',
    flags: [],
    webhooks: [],
    ...told,
    statements: statements.map(factsOf),
  };
}

/** What is known of a statement. */
function factsOf(key) {
  const [section, line] = given('statements', {})[key] ?? ['the specification', key];
  return { key, section, line };
}

/** A story of the library with its steps, which are loaded once. Rejects with a sentence when they are not there. */
async function wholeStory(name) {
  const listed = library.find((one) => one.name === name);
  if (listed.steps) return listed;
  await loadScript(listed.script);
  const whole = { ...given(listed.script), statements: listed.statements };
  library = library.map((one) => (one.name === name ? whole : one));
  return whole;
}

/** Puts a story into the list, in the place of one of the same name. */
function keep(one) {
  library = [...library.filter(({ name }) => name !== one.name), one];
  listStories(library, (name) => open(name));
}

async function open(name, at = 0, { changed, beside: wanted, lead = '' } = {}) {
  const turn = ++asking;
  let original;
  try {
    original = await wholeStory(name);
  } catch (error) {
    say(error.message);
    return;
  }
  if (turn !== asking) return;
  const scenario = copyOf(original);
  if (changed) scenario.steps = changed.steps;
  if (changed?.flags) scenario.flags = changed.flags;
  story = { original, scenario, changed: changed !== undefined, branch: changed?.branch, played: undefined, at };
  beside = wanted;
  await play(`${lead} Story: ${original.title}.`.trim());
}

/** Plays the story as it stands now, and what stands beside it, and shows the step that is open. */
async function play(said) {
  const turn = ++asking;
  say('The server is thinking …');
  try {
    const scenario = { ...story.scenario, statements: [] };
    const played = await engine.play(scenario, dialect);
    if (turn !== asking) return;
    story.played = played;
    other = undefined;
    meetManagers(played.steps);
    if (beside === undefined) show(story.at, said);
    else await playBeside(said);
  } catch (error) {
    if (turn === asking) say(error.message);
  }
}

/** Plays what stands beside the story, where that has to be played. */
async function playBeside(said = '') {
  const turn = ++asking;
  const wanted = storyBeside(beside, story);
  other = undefined;
  let lead = said;
  if (wanted) {
    say('The other server is thinking …');
    try {
      const played = await engine.play(wanted.scenario, dialect, wanted.mutant);
      if (turn !== asking) return;
      other = played;
      meetManagers([...story.played.steps, ...played.steps]);
    } catch (error) {
      if (turn !== asking) return;
      lead = `${said} The other server cannot be: ${error.message}`.trim();
      beside = undefined;
    }
  } else if (!/^step:\d+$/.test(beside ?? '')) beside = undefined;
  show(story.at, lead);
}

/** The step that stands beside one of the story; undefined where nothing does, null where there is no such step. */
function stepBeside(index) {
  if (beside === undefined) return undefined;
  const [, number] = /^step:(\d+)$/.exec(beside) ?? [];
  if (number !== undefined) return story.played.steps[number - 1] ?? null;
  return other?.steps[index] ?? null;
}

/** Numbers of the steps, from 0, that go otherwise on the other server. */
function differing() {
  const { steps } = story.played;
  return new Set(
    other ? steps.flatMap((step, index) => (otherwise(step, other.steps[index]).length > 0 ? [index] : [])) : [],
  );
}

/** After a change of the reader's. */
function changed(said) {
  story.changed = !isSame(story.scenario.steps, story.original.steps) || story.branch !== undefined;
  if (beside === 'story' && !story.changed) beside = undefined;
  return play(said);
}

/** What a link has to hold so that whoever opens it sees the same. */
function keptInLink() {
  const { original, scenario, branch } = story;
  if (original.isOwn) {
    const { title, about, question, flags, webhooks, files, services, broken, steps } = scenario;
    const statements = original.statements.map(({ key }) => key);
    return { title, about, question, statements, flags, webhooks, files, services, broken, steps, branch };
  }
  return story.changed ? { steps: scenario.steps, branch } : undefined;
}

function show(at, said = '') {
  const { steps } = story.played;
  story.at = Math.min(Math.max(0, at), steps.length - 1);
  const step = steps[story.at];
  const name = story.original.isOwn ? FROM_LINK : story.original.name;
  history.replaceState(null, '', fragmentOf({ name, at: story.at, dialect, beside, changed: keptInLink() }));
  showStory();
  find('step-title').textContent = `${story.at + 1}. ${step.title}`;
  showLook(step);
  showRequest(step);
  showOutcome(step);
  showTimeline({ steps, at: story.at }, differing(), (index) => show(index));
  showChoices();
  const outcome = step.judged ? (step.judged.kept ? ', the policy is kept' : ', the policy is broken') : '';
  const code = step.answer ? `, answered ${step.answer.code}` : outcome;
  say(`${said} Step ${story.at + 1} of ${steps.length}${code}.`.trim());
}

/** What the story says of a step, as long as that is what happens. */
function showLook(step) {
  const departed = story.original.steps.findIndex((one, index) => !isSame(one, story.scenario.steps[index]));
  const told = step.look !== '' && departed >= 0 && departed <= story.at && !story.original.isPlayground;
  find('look').className = told ? 'dim' : '';
  find('look').textContent = told ? `Before your change the story said: ${step.look}` : step.look;
}

function showStory() {
  const { original, played, at } = story;
  document.title = `${original.title} · Watch a server think`;
  find('title').textContent = original.title;
  find('about').textContent = original.about;
  find('question').hidden = !original.question;
  find('question').textContent = original.question ? `Try: ${original.question}` : '';
  find('departed').hidden = !story.changed || original.isPlayground;
  find('statements').replaceChildren(
    ...original.statements.map(({ key, section, line }) =>
      element('li', { textContent: `${line} (${section}, ${key})` }),
    ),
  );
  find('breaking').hidden = !original.broken;
  find('break').setAttribute('aria-pressed', String(beside === 'broken'));
  const shown = beside === 'broken' && other;
  find('broken-look').textContent = shown
    ? `${sentence(other.mutant?.sentence)} ${original.broken.look} See step ${original.broken.step}.`
    : 'What would go wrong on a server that breaks the rule?';
  markStory(original.name);
  const isLast = at === played.steps.length - 1;
  switchOff({ back: at === 0, next: isLast, fork: isLast, remove: played.steps.length === 1 });
}

/** Buttons that can do nothing now; where one of them has the focus, it goes to one that can. */
function switchOff(states) {
  const { activeElement } = document;
  for (const [id, isOff] of Object.entries(states)) find(id).disabled = isOff;
  if (!(activeElement?.id in states) || !activeElement.disabled) return;
  ['next', 'back', 'add']
    .map(find)
    .find(({ disabled }) => !disabled)
    .focus();
}
const sentence = (words) => (words ? `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.?$/, '.')}` : '');

function showChoices() {
  const choices = choicesFor({ ...story, releases: given('releases', []) });
  find('beside').replaceChildren(
    ...[...choices].map(([value, textContent]) => element('option', { value, textContent })),
  );
  find('beside').value = beside ?? '';
}

function showRequest({ asked, request, history: judges, at, waited }) {
  const isHistory = judges !== undefined;
  find('request-pane').classList.toggle('judges', isHistory);
  find('request-title').textContent = isHistory ? 'Release history' : 'Request';
  find('body-title').textContent = isHistory ? 'releases, and what each served' : 'body';
  find('run').textContent = isHistory ? 'Judge this history' : 'Run with this request';
  const shown = asked ?? { who: 'admin', method: '', path: '', type: '', body: judges ?? '', headers: {} };
  for (const name of ['who', 'method', 'path', 'type', 'body']) find(name).value = shown[name];
  const headers = Object.entries(shown.headers).flatMap(([name, value]) =>
    value.split('\n').map((one) => `${name}: ${one}`),
  );
  find('headers').value = headers.join('\n');
  find('wait').value = waited / 1000;
  for (const name of ['path', 'headers', 'body']) fit(find(name));
  const filled = request && request.path !== shown.path ? ` Sent to ${request.path}` : '';
  const passed = waited > 0 ? ` ${waited / 1000} seconds passed before.` : '';
  find('sent').textContent = isHistory
    ? 'Held against the deprecation policy, as `touchstone lifecycle check FILE` does.'
    : `At ${at} on the server's clock.${passed}${filled}`;
  find('query').replaceChildren(...queryOf((request ?? shown).path));
  for (const [id, form] of [
    ['as-http', asHttp],
    ['as-curl', asCurl],
    ['as-kubectl', asKubectl],
  ])
    find(id).textContent = request ? form(request) : '';
}

/** A field as high as what stands in it. */
function fit(field) {
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight + 2, 480)}px`;
}

/** The parameters of a path, in words. */
function queryOf(path) {
  const fields = [...new URLSearchParams(path.split('?')[1] ?? '')];
  return fields.flatMap(([name, value]) => [text('dt', name), text('dd', value === '' ? '(empty)' : value)]);
}

/** Scrolls a long body, and not the page, to what is marked in it. */
function showMarked(answer) {
  const mark = answer.querySelector('mark');
  const body = mark?.closest('pre');
  if (body)
    body.scrollTop += mark.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 3;
}

/** The answer, what the server thought and what it stored; of two where another stands beside it. */
function showOutcome(step) {
  const there = stepBeside(story.at);
  const { reads } = story.scenario.steps[story.at];
  const aboutAccess = story.original.statements.some(({ key }) => key.startsWith('2/'));
  const thinking = { aboutAccess, lineOf: (key) => given('statements', {})[key]?.[1] };
  find('answer').replaceChildren(...answerOf(step, { expected: step.expect, reads }));
  showMarked(find('answer'));
  find('decisions').replaceChildren(...decisionList(step.decisions, { ...thinking, beside: there?.decisions }));
  find('store').replaceChildren(...storeOf(step));
  find('panes').classList.toggle('two', there !== undefined);
  find(there === undefined ? 'right' : 'left').append(find('thinks-pane'), find('store-pane'));
  find('other').hidden = there === undefined;
  if (there === undefined) {
    find('other').replaceChildren();
    return;
  }
  const sentences = otherwise(step, there);
  const list = sentences.length > 0 ? sentences : ['Here the two are alike, to the byte.'];
  const pane = (title, ...inner) => element('section', { className: 'pane' }, text('h4', title), ...inner);
  const isStep = /^step:/.test(beside);
  find('other').replaceChildren(
    element(
      'section',
      { className: 'pane' },
      text('h4', `Beside it: ${besideName()}`),
      element('ul', { id: 'otherwise' }, ...list.map((one) => text('li', one))),
      nextDifference(),
    ),
    ...(there === null
      ? []
      : [
          isStep && there.request
            ? pane('Its request', scroller(asHttp(there.request), 'The other request'))
            : undefined,
          pane('Its answer', ...answerOf(there, { beside: step, label: 'Body of the other answer' })),
          pane(
            'What it thinks',
            element(
              'ol',
              { className: 'decisions' },
              ...decisionList(there.decisions, { ...thinking, beside: step.decisions }),
            ),
          ),
          pane('Its store and watches', ...storeOf(there)),
        ].filter(Boolean)),
  );
}

const besideName = () => choicesFor({ ...story, releases: given('releases', []) }).get(beside) ?? beside;

/** A button to the next step that the other server plays otherwise. */
function nextDifference() {
  const all = [...differing()];
  const next = all.find((index) => index > story.at) ?? all.find((index) => index !== story.at);
  if (next === undefined) return undefined;
  const button = element('button', { type: 'button', textContent: `Next difference: step ${next + 1}` });
  button.addEventListener('click', () => {
    show(next);
    find('otherwise').parentElement.querySelector('button')?.focus();
  });
  return button;
}

/** Puts something beside the story, and goes to the first step that is otherwise where this one is not. */
async function setBeside(value) {
  beside = value || undefined;
  if (!story.played) return;
  await playBeside(beside ? 'Played beside it.' : '');
  const all = differing();
  const [first] = all;
  if (first !== undefined && !all.has(story.at)) show(first, 'The first difference.');
}

/** What stands in the form, or a sentence that says what is wrong with it. */
function readForm() {
  const value = (name) => find(name).value;
  const wait = Math.max(0, Number(value('wait')) || 0) * 1000;
  if (story.scenario.steps[story.at].history !== undefined) return { wait, history: value('body') };
  const method = value('method').trim().toUpperCase();
  const path = value('path').trim();
  if (!/^[A-Z]{1,10}$/.test(method)) return 'A method is a word, as GET.';
  if (!/^\/[\x21-\x7e]*$/.test(path))
    return 'A path begins with a slash and holds no spaces; other letters are escaped.';
  try {
    decodeURIComponent(path.split('?')[0]);
  } catch {
    return 'The escapes of the path are broken.';
  }
  const headers = {};
  for (const line of value('headers').split('\n')) {
    if (line.trim() === '') continue;
    const [, name, content] = /^\s*([\w-]+)\s*:\s*([\x20-\x7e]*?)\s*$/.exec(line) ?? [];
    if (!name) return 'A header is a name, a colon and a value.';
    const known = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = known === undefined ? content : `${known}\n${content}`;
  }
  return {
    wait,
    request: { who: value('who'), method, path, type: value('type').trim(), body: value('body'), headers },
  };
}

/** Opens a story of a file, or requests that were kept; what is faulty is told in a sentence. */
async function openFile(file) {
  const name = file.name.replace(/\.\w+$/, '');
  try {
    keep(ownStory(name, await engine.read(name, await file.text())));
    await open(name);
  } catch (error) {
    say(error.message);
  }
}

function download(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  element('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

const listen = (id, type, listener) => find(id).addEventListener(type, listener);
/** A click on a button that changes what is played. */
const onClick = (id, act) => listen(id, 'click', () => story.played && act());

onClick('back', () => show(story.at - 1));
onClick('next', () => show(story.at + 1));
listen('slider', 'input', () => story.played && show(Number(find('slider').value) - 1));
listen('request', 'submit', (event) => {
  event.preventDefault();
  if (!story.played) return;
  const read = readForm();
  if (typeof read === 'string') {
    say(read);
    return;
  }
  const { id, title, look, files, services, wait, request, history: judges } = story.scenario.steps[story.at];
  const step = { id, title, look, files, services, wait, request, history: judges };
  story.scenario.steps[story.at] = { ...step, ...read, holds: {} };
  changed(judges === undefined ? 'Played with your request.' : 'Judged as you changed it.');
});
onClick('restore', () => {
  open(story.original.name, story.at);
  find('step').focus({ preventScroll: true });
});
onClick('add', () => {
  story.scenario.steps.splice(story.at + 1, 0, emptyStep('A step of yours'));
  story.at += 1;
  changed('A step was added.');
});
onClick('remove', () => {
  story.scenario.steps.splice(story.at, 1);
  changed('The step was removed.');
});
onClick('fork', () => {
  story.branch = copyOf(story.scenario.steps);
  story.scenario.steps.splice(story.at + 1);
  changed('Forked: what came after can be put beside it.');
});
onClick('break', () => setBeside(beside === 'broken' ? undefined : 'broken'));
listen('beside', 'change', () => setBeside(find('beside').value));
listen('dialect', 'change', () => {
  dialect = find('dialect').value;
  if (story.scenario) play(`With the names of ${dialect}.`);
});
for (const name of ['path', 'headers', 'body']) listen(name, 'input', () => fit(find(name)));
onClick('copy', async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link is copied; it holds all that you changed.');
  } catch {
    say('The browser lets no page copy here: the link is the address of this page.');
  }
});
onClick('save', () => {
  download(`${story.original.name}.yaml`, storyText(story), 'application/yaml');
  say('Saved; the file can be opened here, or stand in a folder of --stories.');
});
onClick('as-check', async () => {
  const why = whyNoCheck(story);
  if (why) {
    say(why);
    return;
  }
  await loadScript('requirements');
  download(`${story.original.name}.spec.ts`, checkText(story, given('requirements')), 'text/plain');
  say('Saved as a check to begin with; it belongs in a folder of suites/, and docs/adding-a-check.md tells the rest.');
});
listen('file', 'change', () => {
  const [file] = find('file').files;
  if (file) openFile(file);
  find('file').value = '';
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file && engine) openFile(file);
});
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select, pre')) return;
  if (!story.played) return;
  if (event.key === 'ArrowRight') show(story.at + 1);
  else if (event.key === 'ArrowLeft') show(story.at - 1);
});
window.addEventListener('hashchange', () => {
  if (location.hash !== '#step' && engine) openLink();
});
/** For programs: the engine of this tab, and its stories. */
globalThis.touchstone = {
  engine: () => engine,
  story: wholeStory,
  playedNow: () => story.played,
  playedBeside: () => other,
};
begin();
