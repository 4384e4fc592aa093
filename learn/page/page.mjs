// The page of `touchstone learn`. Everything a server said is put in as text, never as markup.
const find = (id) => document.getElementById(id);
const ACTORS = ['admin', 'author', 'rival', 'watcher', 'stranger'];
const FIELDS = ['who', 'method', 'path', 'type', 'body'];

let library = [];
/** What happened, and what the reader changed, of the story that is open. */
let story = { name: '', played: undefined, edits: {}, at: 0 };
let asking = 0;

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}
const text = (name, content, className = '') => element(name, { textContent: content, className });

async function begin() {
  find('who').append(...ACTORS.map((name) => element('option', { value: name, textContent: name })));
  library = await (await fetch('/scenarios')).json();
  find('stories').replaceChildren(
    ...library.map(({ name, title }) => {
      const button = element('button', { type: 'button', textContent: title });
      button.dataset.story = name;
      button.addEventListener('click', () => open(name));
      return element('li', {}, button);
    }),
  );
  const wanted = decodeURIComponent(location.hash.slice(1));
  const [name, step] = wanted.split('/');
  await open(library.some((one) => one.name === name) ? name : library[0].name, Number(step ?? 1) - 1);
}

async function open(name, at = 0) {
  story = { name, played: undefined, edits: {}, at };
  await play(`Story: ${library.find((one) => one.name === name).title}.`);
}

/** Plays the story with the reader's changes, and shows the step that is open. */
async function play(said) {
  const turn = ++asking;
  find('said').textContent = 'The server is thinking …';
  const { name, edits } = story;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch('/play', { method: 'POST', headers, body: JSON.stringify({ scenario: name, edits }) });
  if (turn !== asking) return;
  if (!answer.ok) {
    find('said').textContent = await answer.text();
    return;
  }
  story.played = await answer.json();
  if (turn !== asking) return;
  show(story.at, said);
}

function show(at, said) {
  const { steps } = story.played;
  story.at = Math.min(Math.max(0, at), steps.length - 1);
  const step = steps[story.at];
  history.replaceState(null, '', `#${encodeURIComponent(story.name)}/${story.at + 1}`);
  showStory();
  find('step-title').textContent = `${story.at + 1}. ${step.title}`;
  find('look').textContent = step.look;
  showRequest(step);
  showDecisions(step.decisions);
  showAnswer(step);
  showStore(step);
  const code = step.answer ? `, answered ${step.answer.code}` : '';
  find('said').textContent = `${said ?? ''} Step ${story.at + 1} of ${steps.length}${code}.`.trim();
}

function showStory() {
  const about = library.find(({ name }) => name === story.name);
  find('title').textContent = about.title;
  find('about').textContent = about.about;
  find('statements').replaceChildren(
    ...about.statements.map(({ key, section, line }) => element('li', { textContent: `${line} (${section}, ${key})` })),
  );
  for (const button of find('stories').querySelectorAll('button'))
    current(button, button.dataset.story === story.name, 'page');
  find('steps').replaceChildren(
    ...story.played.steps.map(({ title, answer }, index) => {
      const edited = story.edits[index] ? ' *' : '';
      const button = element('button', { type: 'button', textContent: `${index + 1}${edited}`, title });
      button.setAttribute(
        'aria-label',
        `Step ${index + 1}: ${title}${answer ? `, answered ${answer.code}` : ''}${edited && ', changed'}`,
      );
      current(button, index === story.at, 'step');
      button.addEventListener('click', () => show(index));
      return element('li', {}, button);
    }),
  );
  find('back').disabled = story.at === 0;
  find('next').disabled = story.at === story.played.steps.length - 1;
}
function current(button, is, word) {
  if (is) button.setAttribute('aria-current', word);
  else button.removeAttribute('aria-current');
}

function showRequest({ asked, request, at, waited }) {
  find('request').hidden = !asked;
  for (const name of FIELDS) find(name).value = asked?.[name] ?? '';
  find('body').rows = Math.min(22, Math.max(3, (asked?.body ?? '').split('\n').length + 1));
  find('reset').disabled = !story.edits[story.at];
  const filled = request && request.path !== asked.path ? ` Sent to ${request.path}.` : '';
  const passed = waited > 0 ? ` ${waited / 1000} seconds passed before.` : '';
  find('sent').textContent = `At ${at} on the server's clock.${passed}${filled}`;
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
  const aboutAccess = library
    .find(({ name }) => name === story.name)
    .statements.some(({ key }) => key.startsWith('2/'));
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
    const open = bad || !ACCESS.has(stage) || (aboutAccess && stage === 'authorization');
    return element('li', { className: bad ? 'bad' : mood(outcome) }, element('details', { open }, summary, list));
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
  const rows = fields.map(({ field, outcome, managers, rule }) =>
    element(
      'tr',
      {},
      element('td', {}, text('code', field)),
      element(
        'td',
        {},
        text('span', outcome === 'givenUp' ? 'given up' : outcome, `word ${FIELD_MOODS[outcome] ?? ''}`),
      ),
      text('td', managers.join(', ')),
      element('td', {}, text('code', rule, 'dim')),
    ),
  );
  const head = ['field', 'became', 'other owners', 'statement'].map((name) =>
    element('th', { scope: 'col', textContent: name }),
  );
  return element(
    'table',
    {},
    text('caption', `What became of each field, for ${manager || 'a manager without a name'}`),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows),
  );
}

function showAnswer({ answer, expect }) {
  find('answer').hidden = !answer || answer.stream;
  find('owners').replaceChildren();
  if (!answer) {
    find('status').textContent = 'No request, no answer.';
    return;
  }
  const good = answer.code < 400 ? 'good' : 'bad';
  const story = expect === undefined ? ' (changed by you)' : '';
  find('status').replaceChildren(
    text('span', String(answer.code), `word ${good}`),
    answer.stream ? ' a stream that stays open' : '',
    story,
  );
  if (answer.headers.warning) find('status').append(text('p', `Warning: ${answer.headers.warning}`, 'why'));
  let body;
  try {
    body = JSON.parse(answer.body);
  } catch {
    find('answer').textContent = answer.body;
    return;
  }
  const entries = body?.metadata?.managedFields;
  if (Array.isArray(entries) && entries.length > 0) {
    find('owners').append(ownersTable(entries));
    delete body.metadata.managedFields;
  }
  find('answer').textContent = JSON.stringify(body, null, 2);
}

function ownersTable(entries) {
  const rows = entries.map(({ manager, operation, subresource, fieldsV1 }) => {
    const through = subresource ? ` (${subresource})` : '';
    const names = leaves(fieldsV1 ?? {}).map((path) => text('code', path));
    return element(
      'tr',
      {},
      text('td', manager ?? ''),
      text('td', `${operation}${through}`),
      element('td', {}, ...names.flatMap((name) => [name, ' '])),
    );
  });
  const head = ['manager', 'by', 'fields'].map((name) => element('th', { scope: 'col', textContent: name }));
  return element(
    'table',
    {},
    text('caption', 'Who owns what afterwards (metadata.managedFields, left out below)'),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows),
  );
}

/** The fields of a set in the form of the API: `f:` a field, `k:` an item by its keys, `v:` one by its value. */
function leaves(set, path = '') {
  const inner = Object.entries(set).filter(([name]) => name !== '.');
  if (inner.length === 0) return [path];
  return inner.flatMap(([name, below]) =>
    leaves(below, name.startsWith('f:') ? `${path}.${name.slice(2)}` : `${path}[${name.slice(2)}]`),
  );
}

function showStore({ revision, changes, delivered }) {
  const { before, after } = revision;
  find('revision').textContent =
    before === after ? `The store stays at revision ${after}.` : `The store goes from revision ${before} to ${after}.`;
  find('changes').replaceChildren(
    ...changes.map(({ type, key, revision: at }) =>
      element('li', {}, `${at}: ${type === 'delete' ? 'removed' : 'stored'} `, text('code', key)),
    ),
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

find('back').addEventListener('click', () => show(story.at - 1));
find('next').addEventListener('click', () => show(story.at + 1));
find('request').addEventListener('submit', (event) => {
  event.preventDefault();
  const values = Object.fromEntries(FIELDS.map((name) => [name, find(name).value]));
  story.edits[story.at] = { ...values, method: values.method.toUpperCase() };
  play('Played with your request.');
});
find('reset').addEventListener('click', () => {
  delete story.edits[story.at];
  play('As in the story again.');
});
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select, pre')) return;
  if (!story.played) return;
  if (event.key === 'ArrowRight') show(story.at + 1);
  else if (event.key === 'ArrowLeft') show(story.at - 1);
});
begin();
