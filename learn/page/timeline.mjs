// A story in time: a column for each step, a row each for the store and each watch, and a slider to drag through it.
import { element, find, text } from './elements.mjs';
import { verdictOf, wordOf } from './outcome.mjs';

const MARKS = { created: '+', changed: '~', removed: '−' };

/**
 * @param story what was played, and which step is open
 * @param differing numbers of the steps, from 0, that another server plays otherwise
 * @param show is called with the step to go to
 */
export function showTimeline({ steps, at }, differing, show) {
  const head = (content) => element('th', { scope: 'row' }, content);
  const cell = (index, ...inner) => element('td', { className: index === at ? 'here' : '' }, ...inner);
  const rows = [
    element(
      'tr',
      { id: 'steps' },
      head('step'),
      ...steps.map((step, index) => stepButton(step, index, { at, differing, show })),
    ),
    element('tr', {}, head('answer'), ...steps.map((step, index) => cell(index, codeOf(step)))),
    element('tr', {}, head('clock'), ...steps.map((step, index) => cell(index, clockOf(step, steps[0])))),
    element('tr', {}, head('store'), ...steps.map((step, index) => cell(index, ...marksOf(step)))),
    ...watchesOf(steps).map((watch) =>
      element('tr', {}, head(`watch of ${watch}`), ...steps.map((step, index) => cell(index, ...toldTo(watch, step)))),
    ),
  ];
  const slider = find('slider');
  slider.max = steps.length;
  slider.value = at + 1;
  slider.disabled = steps.length === 1;
  slider.setAttribute('aria-valuetext', `step ${at + 1} of ${steps.length}: ${steps[at].title}`);
  const hadFocus = find('steps')?.contains(document.activeElement);
  find('timeline').tBodies[0].replaceChildren(...rows);
  const open = find('steps').cells[at + 1];
  if (hadFocus) open.firstElementChild.focus();
  const frame = find('lanes');
  if (open.offsetLeft < frame.scrollLeft || open.offsetLeft + open.offsetWidth > frame.scrollLeft + frame.clientWidth)
    frame.scrollLeft = open.offsetLeft - frame.clientWidth / 2;
}

function stepButton({ title, answer }, index, { at, differing, show }) {
  const button = element('button', { type: 'button', title, textContent: String(index + 1) });
  const differs = differing.has(index);
  const label = `Step ${index + 1}: ${title}${answer ? `, answered ${answer.code}` : ''}`;
  button.setAttribute('aria-label', differs ? `${label}, otherwise beside it` : label);
  // Tab comes to the step that is open alone; arrows go to the others.
  button.tabIndex = index === at ? 0 : -1;
  if (index === at) button.setAttribute('aria-current', 'step');
  button.classList.toggle('differs', differs);
  button.addEventListener('click', () => show(index));
  return element('td', {}, button);
}

const codeOf = ({ answer, judged }) =>
  judged
    ? verdictOf(judged)
    : answer
      ? text('span', String(answer.code), answer.code < 400 ? 'word good' : 'word bad')
      : '';

/** Seconds since the story began. */
function clockOf({ at }, first) {
  const seconds = (Date.parse(at) - Date.parse(first.at)) / 1000;
  return seconds === 0 ? '0 s' : `${Number(seconds.toFixed(1))} s`;
}

function marksOf({ changes }) {
  return changes.map((change) => {
    const word = wordOf(change);
    const mark = text('span', MARKS[word], `mark ${word}`);
    mark.title = `${change.revision}: ${word} ${change.key}`;
    return element('span', {}, mark, text('span', ` ${word} ${change.key}. `, 'unseen'));
  });
}

/** Numbers of the steps that opened a watch. */
function watchesOf(steps) {
  const opened = steps.flatMap(({ answer }, index) => (answer?.stream ? [index + 1] : []));
  const told = steps.flatMap(({ delivered }) => delivered.map(({ watch }) => watch));
  return [...new Set([...opened, ...told])].sort((one, other) => one - other);
}

function toldTo(number, { delivered }) {
  return delivered
    .filter(({ watch }) => watch === number)
    .map(({ type }) =>
      element(
        'span',
        { className: 'event', title: type },
        text('span', type.slice(0, 3)),
        text('span', `${type.slice(3)}. `, 'unseen'),
      ),
    );
}
