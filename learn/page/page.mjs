// The page of `touchstone learn`: shows what happened when the engine of the tab played a story.
import { element, find, table, text } from './elements.mjs';
import { startEngine } from './engine.mjs';
import { CutLink, fragmentOf, readFragment } from './link.mjs';
import { changedObject, legend, managersOf, ownedObject } from './objects.mjs';
import { asCurl, asHttp, asKubectl } from './requestForms.mjs';

const ACTORS = ['admin', 'author', 'rival', 'watcher', 'stranger', 'nobody'];
const PLAYGROUND = 'playground';
const DOCUMENTS = { 1: 'Conventions and resources', 2: 'Access', 3: 'Versions and deprecation' };

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
  title: 'Playground',
  about: 'A server of your own: add steps, be anybody, move the clock, and watch what it makes of each request.',
  statements: [],
  flags: [],
  webhooks: [],
  steps: [emptyStep('Your first request')],
});

let library = [];
let statements = {};
let engine;
/** The story that is open: as it stands in the library, as it is played, and what happened. */
let story = { original: undefined, scenario: undefined, changed: false, played: undefined, at: 0 };
let dialect = 'kubernetes';
let asking = 0;

const say = (sentence) => {
  find('said').textContent = sentence;
};
const copyOf = (value) => JSON.parse(JSON.stringify(value));

async function begin() {
  find('who').append(...ACTORS.map((name) => element('option', { value: name, textContent: name })));
  library = [...(globalThis.touchstoneStories ?? []), playground()];
  statements = globalThis.touchstoneStatements ?? {};
  listStories();
  try {
    engine = startEngine();
  } catch (error) {
    say(error.message);
    return;
  }
  await openLink();
}

/** The stories in the order of the specification: by the document of the first statement. */
function listStories() {
  const groups = new Map();
  for (const one of library) {
    const document = one.name === PLAYGROUND ? undefined : one.statements[0]?.key.split('/')[0];
    const title = DOCUMENTS[document] ?? (one.name === PLAYGROUND ? 'Without a story' : 'Stories of yours');
    groups.set(title, [...(groups.get(title) ?? []), one]);
  }
  find('stories').replaceChildren(
    ...[...groups].flatMap(([title, stories]) => [
      text('h2', title, 'group'),
      element(
        'ol',
        {},
        ...stories.map((one) => {
          const button = element('button', { type: 'button', textContent: one.title });
          button.dataset.story = one.name;
          button.addEventListener('click', () => open(one.name));
          return element('li', {}, button);
        }),
      ),
    ]),
  );
}

async function openLink() {
  let wanted = {};
  let lead = '';
  try {
    wanted = readFragment(location.hash);
  } catch (error) {
    if (!(error instanceof CutLink)) throw error;
    lead = 'The link was cut or changed on its way, so a story is shown as it stands.';
  }
  dialect = wanted.dialect ?? 'kubernetes';
  find('dialect').value = dialect;
  const known = library.some(({ name }) => name === wanted.name);
  if (wanted.name && !known && !wanted.changed)
    lead = 'There is no story of the name in the link, so another is shown.';
  const name = known ? wanted.name : wanted.changed ? PLAYGROUND : library[0].name;
  await open(name, known || wanted.changed ? wanted.at : 0, { changed: wanted.changed, lead });
}

async function open(name, at = 0, { changed, lead = '' } = {}) {
  const original = library.find((one) => one.name === name);
  const scenario = copyOf(original);
  if (changed) scenario.steps = changed.steps;
  story = { original, scenario, changed: changed !== undefined, played: undefined, at };
  await play(`${lead} Story: ${original.title}.`.trim());
}

/** Plays the story as it stands now, and shows the step that is open. */
async function play(said) {
  const turn = ++asking;
  say('The server is thinking …');
  try {
    const scenario = { ...story.scenario, statements: [] };
    const played = await engine.play(scenario, dialect);
    if (turn !== asking) return;
    story.played = played;
    show(story.at, said);
  } catch (error) {
    if (turn === asking) say(error.message);
  }
}

/** After a change of the reader's. */
function changed(said) {
  story.changed = true;
  return play(said);
}

function show(at, said = '') {
  const { steps } = story.played;
  story.at = Math.min(Math.max(0, at), steps.length - 1);
  const step = steps[story.at];
  const { changed: isChanged, scenario } = story;
  const link = { name: story.original.name, at: story.at, dialect };
  const kept = isChanged ? { steps: scenario.steps } : undefined;
  history.replaceState(null, '', fragmentOf({ ...link, changed: kept }));
  showStory();
  find('step-title').textContent = `${story.at + 1}. ${step.title}`;
  find('look').textContent = step.look;
  showRequest(step);
  showDecisions(step.decisions);
  showAnswer(step);
  showStore(step);
  showTimeline();
  const code = step.answer ? `, answered ${step.answer.code}` : '';
  say(`${said} Step ${story.at + 1} of ${steps.length}${code}.`.trim());
}

function showStory() {
  const { original, played, at } = story;
  document.title = `${original.title} · Watch a server think`;
  find('title').textContent = original.title;
  find('about').textContent = original.about;
  find('question').hidden = !original.question;
  find('question').textContent = original.question ? `Try: ${original.question}` : '';
  find('departed').hidden = !story.changed || original.name === PLAYGROUND;
  find('statements').replaceChildren(
    ...original.statements.map(({ key, section, line }) =>
      element('li', { textContent: `${line} (${section}, ${key})` }),
    ),
  );
  for (const button of find('stories').querySelectorAll('button')) {
    current(button, button.dataset.story === original.name, 'page');
  }
  find('steps').replaceChildren(
    ...played.steps.map(({ title, answer }, index) => {
      const button = element('button', { type: 'button', textContent: `${index + 1}`, title });
      button.setAttribute('aria-label', `Step ${index + 1}: ${title}${answer ? `, answered ${answer.code}` : ''}`);
      current(button, index === at, 'step');
      if (answer?.code >= 400) button.classList.add('failed');
      button.addEventListener('click', () => show(index));
      return element('li', {}, button);
    }),
  );
  find('back').disabled = at === 0;
  find('next').disabled = find('fork').disabled = at === played.steps.length - 1;
  find('remove').disabled = played.steps.length === 1;
}
function current(button, is, word) {
  if (is) button.setAttribute('aria-current', word);
  else button.removeAttribute('aria-current');
}

function showRequest({ asked, request, at, waited }) {
  const shown = asked ?? { who: 'admin', method: '', path: '', type: '', body: '', headers: {} };
  for (const name of ['who', 'method', 'path', 'type', 'body']) find(name).value = shown[name];
  const headers = Object.entries(shown.headers).map(([name, value]) => `${name}: ${value}`);
  find('headers').value = headers.join('\n');
  find('headers').rows = Math.max(1, headers.length);
  find('wait').value = waited / 1000;
  find('path').rows = shown.path.length > 60 ? 3 : 1;
  find('body').rows = Math.min(22, Math.max(3, shown.body.split('\n').length + 1));
  const filled = request && request.path !== shown.path ? ` Sent to ${request.path}.` : '';
  const passed = waited > 0 ? ` ${waited / 1000} seconds passed before.` : '';
  find('sent').textContent = `At ${at} on the server's clock.${passed}${filled}`;
  const sent = request ?? shown;
  for (const [id, form] of [
    ['as-http', asHttp],
    ['as-curl', asCurl],
    ['as-kubectl', asKubectl],
  ])
    find(id).textContent = request ? form(sent) : '';
}

const BAD = new Set(['refused', 'conflict', 'invalid', 'forbidden', 'deny', 'failed', 'compacted']);
const GOOD = new Set([
  'allow',
  'allowed',
  'accepted',
  'admitted',
  'valid',
  'created',
  'changed',
  'removed',
  'found',
  'watching',
]);
const mood = (outcome) => (BAD.has(outcome) ? 'bad' : GOOD.has(outcome) ? 'good' : '');

/** Stages that are the same in most steps: folded unless they refuse, or the story is about them. */
const ACCESS = new Set(['authentication', 'impersonation', 'authorization']);

function showDecisions(decisions) {
  const stages = [];
  for (const decision of decisions) {
    if (stages.at(-1)?.at(0).stage === decision.stage) stages.at(-1).push(decision);
    else stages.push([decision]);
  }
  const aboutAccess = story.original.statements.some(({ key }) => key.startsWith('2/'));
  const items = stages.map((all) => {
    const { stage, by, outcome } = all.at(-1);
    const bad = all.some((one) => mood(one.outcome) === 'bad');
    const summary = element(
      'summary',
      {},
      text('b', stage),
      ' ',
      text('span', by, 'by'),
      ' ',
      text('span', outcome, 'word'),
    );
    const list = element('ol', {}, ...all.map((one) => decisionItem(one, all.length === 1)));
    const isOpen = bad || !ACCESS.has(stage) || (aboutAccess && stage !== 'impersonation');
    return element(
      'li',
      { className: bad ? 'bad' : mood(outcome) },
      element('details', { open: isOpen }, summary, list),
    );
  });
  find('decisions').replaceChildren(
    ...(items.length > 0 ? items : [text('li', 'Nothing is asked of it here.', 'dim')]),
  );
}

/** @param alone the line of its stage says the rest of it already */
function decisionItem({ by, outcome, because, details }, alone) {
  const line = element('p', {}, text('span', by, 'by'), ' ', text('span', outcome, 'word'));
  const item = element('li', { className: mood(outcome) }, alone ? undefined : line, text('p', because, 'why'));
  const { merge, ...rest } = details ?? {};
  if (merge) item.append(mergeTable(merge));
  const more = Object.values(rest).some((value) => !Array.isArray(value) || value.length > 0);
  if (more) item.append(element('details', {}, text('summary', 'more'), text('pre', JSON.stringify(rest, null, 2))));
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

function mergeTable({ manager, fields }) {
  const rows = fields.map(({ field, outcome, managers, rule }) => [
    text('code', field),
    text('span', outcome === 'givenUp' ? 'given up' : outcome, `word ${FIELD_MOODS[outcome] ?? ''}`),
    managers.join(', '),
    element('span', { className: 'dim' }, statements[rule] ? `${statements[rule]} ` : '', text('code', rule)),
  ]);
  const head = ['field', 'became', 'other owners', 'statement'];
  return table(`What became of each field, for ${manager || 'a manager without a name'}`, head, rows);
}

function showAnswer({ answer, expect }) {
  find('answer').hidden = !answer || answer.stream;
  find('answer-headers').hidden = !answer;
  find('owners').replaceChildren();
  if (!answer) {
    find('status').textContent = 'No request, no answer.';
    return;
  }
  const good = answer.code < 400 ? 'good' : 'bad';
  const other = expect !== undefined && expect !== answer.code;
  find('status').replaceChildren(
    text('span', String(answer.code), `word ${good}`),
    answer.stream ? ' a stream that stays open' : '',
    other ? ` (the story tells of ${expect})` : '',
  );
  if (answer.headers.warning) find('status').append(text('p', `Warning: ${answer.headers.warning}`, 'why'));
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  find('headers-told').textContent = headers.join('\n');
  let body;
  try {
    body = JSON.parse(answer.body);
  } catch {
    find('answer').textContent = answer.body;
    return;
  }
  const entries = body?.metadata?.managedFields;
  if (!Array.isArray(entries) || entries.length === 0) {
    find('answer').textContent = JSON.stringify(body, null, 2);
    return;
  }
  find('owners').append(legend(managersOf(entries)), ownersTable(entries));
  delete body.metadata.managedFields;
  find('answer').replaceChildren(...ownedObject(body, entries));
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

const wordOf = ({ type, before }) => (type === 'delete' ? 'removed' : before === undefined ? 'created' : 'changed');

function showStore({ revision, changes, delivered }) {
  const { before, after } = revision;
  find('revision').textContent =
    before === after ? `The store stays at revision ${after}.` : `The store goes from revision ${before} to ${after}.`;
  find('changes').replaceChildren(
    ...changes.map((change, index) => {
      const lines = element('pre', { tabIndex: 0 }, ...changedObject(change));
      lines.setAttribute('aria-label', `${change.key}, ${wordOf(change)}: lines that went and came`);
      const summary = element('summary', {}, `${change.revision}: ${wordOf(change)} `, text('code', change.key));
      return element('details', { open: index === 0 }, summary, lines);
    }),
  );
  if (delivered.length === 0) {
    find('delivered').replaceChildren(text('p', 'No watch is told of anything.', 'dim'));
    return;
  }
  find('delivered').replaceChildren(
    text('p', 'Watches are told:'),
    ...delivered.map(({ watch, type, object }) =>
      element(
        'details',
        {},
        text('summary', `watch of step ${watch}: ${type}`),
        text('pre', JSON.stringify(JSON.parse(object), null, 2)),
      ),
    ),
  );
}

function showTimeline() {
  const { steps } = story.played;
  const slider = find('slider');
  slider.max = steps.length;
  slider.value = story.at + 1;
  slider.disabled = steps.length === 1;
  const rows = steps.map(({ at, changes, delivered, answer }, index) => {
    const button = element('button', { type: 'button', textContent: String(index + 1) });
    button.setAttribute('aria-label', `Go to step ${index + 1}`);
    current(button, index === story.at, 'step');
    button.addEventListener('click', () => show(index));
    const stored = changes.map((change) => `${change.revision} ${wordOf(change)} ${change.key}`).join('\n');
    const told = delivered.map(({ watch, type }) => `watch ${watch}: ${type}`).join('\n');
    return [
      button,
      at.slice(0, 19).replace('T', ' '),
      String(answer?.code ?? ''),
      text('span', stored, 'lines'),
      text('span', told, 'lines'),
    ];
  });
  const made = table('Every step of this story', ['step', 'clock', 'answer', 'store', 'watches'], rows);
  for (const [index, row] of [...made.tBodies[0].rows].entries()) row.classList.toggle('here', index === story.at);
  find('timeline').replaceChildren(made);
}

/** What stands in the form, or a sentence that says what is wrong with it. */
function readForm() {
  const value = (name) => find(name).value;
  const method = value('method').trim().toUpperCase();
  const path = value('path').trim();
  if (!/^[A-Z]{1,10}$/.test(method)) return 'A method is a word, as GET.';
  if (!/^\/[\x21-\x7e]*$/.test(path)) return 'A path begins with a slash and holds no spaces.';
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
    headers[name.toLowerCase()] = content;
  }
  const wait = Math.max(0, Number(value('wait')) || 0) * 1000;
  return {
    wait,
    request: { who: value('who'), method, path, type: value('type').trim(), body: value('body'), headers },
  };
}

/** The story as a file of fixtures/scenarios has it; JSON is YAML. */
function storyFile() {
  const { scenario, original } = story;
  const steps = scenario.steps.map(
    ({ id, title, look, wait, request, expect, holds, carries, reads, told }, index) => ({
      ...(id ? { id } : {}),
      title,
      ...(look ? { look } : {}),
      ...(wait ? { wait: wait / 1000 } : {}),
      ...(request
        ? {
            who: request.who,
            request: `${request.method} ${request.path}`,
            ...(request.type ? { type: request.type } : {}),
            ...(Object.keys(request.headers).length > 0 ? { headers: request.headers } : {}),
            ...(request.body ? { body: request.body } : {}),
            expect: expect ?? story.played.steps[index].answer.code,
          }
        : {}),
      ...(Object.keys(holds ?? {}).length > 0 ? { holds } : {}),
      ...(Object.keys(carries ?? {}).length > 0 ? { carries } : {}),
      ...(reads ? { reads } : {}),
      ...(told ? { told } : {}),
    }),
  );
  const { title, about, question, flags, webhooks } = scenario;
  const keys = original.statements.map(({ key }) => key);
  const head = { title, about, ...(question ? { question } : {}), statements: keys };
  return `${JSON.stringify({ ...head, flags, webhooks, steps }, null, 2)}\n`;
}

/** Opens a story of a file; one that is faulty is told in a sentence. */
async function openFile(file) {
  const name = file.name.replace(/\.\w+$/, '');
  try {
    const scenario = await engine.read(name, await file.text());
    const known = new Map(library.flatMap((one) => one.statements.map((fact) => [fact.key, fact])));
    const facts = scenario.statements.map((key) => known.get(key) ?? { key, section: 'the specification', line: key });
    library = [...library.filter((one) => one.name !== name), { ...scenario, statements: facts }];
    listStories();
    await open(name);
  } catch (error) {
    say(error.message);
  }
}

find('back').addEventListener('click', () => show(story.at - 1));
find('next').addEventListener('click', () => show(story.at + 1));
find('slider').addEventListener('input', () => show(Number(find('slider').value) - 1));
find('request').addEventListener('submit', (event) => {
  event.preventDefault();
  const read = readForm();
  if (typeof read === 'string') {
    say(read);
    return;
  }
  const { expect: _, told: __, carries: ___, reads: ____, ...step } = story.scenario.steps[story.at];
  story.scenario.steps[story.at] = { ...step, ...read, holds: {} };
  changed('Played with your request.');
});
find('restore').addEventListener('click', () => open(story.original.name, story.at));
find('add').addEventListener('click', () => {
  if (!story.played) return;
  story.scenario.steps.splice(story.at + 1, 0, emptyStep('A step of yours'));
  story.at += 1;
  changed('A step was added.');
});
find('remove').addEventListener('click', () => {
  if (!story.played) return;
  story.scenario.steps.splice(story.at, 1);
  changed('The step was removed.');
});
find('fork').addEventListener('click', () => {
  if (!story.played) return;
  story.scenario.steps.splice(story.at + 1);
  changed('What came after was dropped.');
});
find('dialect').addEventListener('change', () => {
  dialect = find('dialect').value;
  play(`With the names of ${dialect}.`);
});
find('copy').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link is copied; it holds all that you changed.');
  } catch {
    say('The browser lets no page copy here: the link is the address of this page.');
  }
});
find('save').addEventListener('click', () => {
  if (!story.played) return;
  const href = URL.createObjectURL(new Blob([storyFile()], { type: 'application/yaml' }));
  element('a', { href, download: `${story.original.name}.yaml` }).click();
  say('Saved; the file can be opened here, or stand in a folder of --stories.');
});
find('file').addEventListener('change', () => {
  const [file] = find('file').files;
  if (file) openFile(file);
  find('file').value = '';
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file) openFile(file);
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
/** For programs: the engine of this tab. */
globalThis.touchstone = { engine: () => engine, playedNow: () => story.played };
begin();
