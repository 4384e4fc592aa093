/** What the page for a history has beside other reports, and its script: a constant, so that the page's content policy can name the hash. */
export const HISTORY_STYLE = `
body.history { max-width: none; }
.history h1::first-letter { text-transform: none; }
.history h1 { font-size: 1.35rem; }
.history .verdict h1 { color: inherit; }
ol.broken { max-height: 9.5rem; overflow-y: auto; margin: .5rem 0; }
#plot { background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; height: min(60vh, 40rem, max(9rem, calc(var(--rows) * 22px + 2.4rem))); position: relative; overflow: hidden; }
#picture { display: block; width: 100%; height: 100%; touch-action: none; cursor: grab; }
#picture:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; border-radius: .6rem; }
#chosen { min-height: 9rem; margin-top: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 var(--mono); }
#chosen p { margin: 0; color: var(--dim); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; color: var(--dim); font-size: .85em; }
.legend i { display: inline-block; width: 1.4em; height: .75em; margin-right: .35em; border: 1px solid transparent; border-radius: .15em; }
.legend .good { background: var(--good); } .legend .read { background: var(--dim); } .legend .odd { background: var(--odd); } .legend .bad { background: var(--bad); }
.legend .denied { border-color: var(--odd); }
.legend .tick { width: 0; border-left-color: var(--ink); border-radius: 0; height: 1em; vertical-align: -.1em; }
.legend .dot { width: .5em; height: .5em; border-radius: 50%; background: var(--ink); }
.few label { font-weight: 600; } .few span { color: var(--dim); }
.keys { color: var(--dim); font-size: .85em; }
.broken button { font: inherit; text-align: left; background: none; border: 0; padding: 0; color: var(--bad); text-decoration: underline; text-underline-offset: .15em; }
`;

export const HISTORY_SCRIPT = `{
const { rows: allRows, bars: allBars, dots: allDots, marks, broken, few } = JSON.parse(document.getElementById('data').textContent);
const canvas = document.getElementById('picture');
const chosenText = document.getElementById('chosen');
const pen = canvas.getContext('2d');
/* On a narrow screen names take less room. */
const NAMES = matchMedia('(max-width: 36rem)').matches ? 90 : 170, ROW = 22, AXIS = 22;
allBars.sort((a, b) => a.from - b.from);
allDots.sort((a, b) => a.at - b.at);
for (const each of [...allBars, ...allDots]) each.home = each.row;
const box = document.getElementById('few');
const enough = new Set(few ? few.operations : []);
let rows, bars, byRow, longest, end;
/* Takes what is to be drawn: all, at the time when it was, or the few that matter, in their order with no room for what was between them. */
function take() {
  const only = box !== null && box.checked;
  bars = only ? allBars.filter(({ number }) => enough.has(number)) : allBars;
  const dots = only ? allDots.filter(({ number }) => enough.has(number)) : allDots;
  const homes = only ? [...new Set(bars.map(({ home }) => home))].sort((a, b) => a - b) : allRows.map((_, at) => at);
  rows = homes.map((home) => allRows[home]);
  const at = new Map(homes.map((home, row) => [home, row]));
  const times = only ? [...new Set(bars.flatMap(({ from, until }) => [from, until]))].sort((a, b) => a - b) : [];
  const place = (time) => {
    if (!only) return time;
    const next = firstAfter(times, (each) => each, time);
    if (next === 0) return 0;
    if (next === times.length) return times.length - 1;
    return next - 1 + (time - times[next - 1]) / (times[next] - times[next - 1]);
  };
  byRow = rows.map(() => ({ bars: [], dots: [] }));
  for (const bar of bars) { bar.row = at.get(bar.home); bar.x0 = place(bar.from); bar.x1 = place(bar.until); byRow[bar.row].bars.push(bar); }
  for (const dot of dots) { if (!at.has(dot.home)) continue; dot.row = at.get(dot.home); dot.x0 = place(dot.at); byRow[dot.row].dots.push(dot); }
  longest = byRow.map(({ bars }) => bars.reduce((most, { x0, x1 }) => Math.max(most, x1 - x0), 0));
  end = bars.reduce((most, { x1 }) => Math.max(most, x1), dots.reduce((most, { x0 }) => Math.max(most, x0), only ? 1 : marks.reduce((most, { at }) => Math.max(most, at), 1)));
  if (chosen && !bars.includes(chosen)) chosen = undefined;
  left = 0; span = end * 1.02; top = 0;
}
const showing = new Map();
broken.forEach(({ operations }, at) => { for (const number of operations) if (!showing.has(number)) showing.set(number, at); });
let left = 0, span = 1, top = 0, chosen, width = 0, height = 0, wanted = false;

const colours = () => {
  const own = getComputedStyle(canvas);
  const of = (name) => own.getPropertyValue('--' + name);
  return { good: of('good'), bad: of('bad'), odd: of('odd'), dim: of('dim'), line: of('line'), text: of('ink'), ground: of('panel') };
};
const x = (time) => NAMES + ((time - left) / span) * (width - NAMES);
const timeAt = (pixel) => left + ((pixel - NAMES) / (width - NAMES)) * span;
const firstAfter = (list, key, time) => {
  let low = 0, high = list.length;
  while (low < high) { const middle = (low + high) >> 1; if (key(list[middle]) < time) low = middle + 1; else high = middle; }
  return low;
};
function draw() {
  wanted = false;
  const ink = colours();
  const scale = devicePixelRatio || 1;
  width = canvas.clientWidth; height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  const right = left + span;
  const from = Math.floor(top / ROW), to = Math.min(rows.length, Math.ceil((top + height - AXIS) / ROW));
  let drawn = 0;
  for (let row = from; row < to; row++) {
    const y = AXIS + row * ROW - top;
    pen.fillStyle = ink.line;
    pen.fillRect(NAMES, y + ROW - 1, width - NAMES, 1);
    const { bars: own, dots: told } = byRow[row];
    /* Bars that share a pixel are drawn as one; the broken and the chosen always. */
    let until = -1;
    for (let at = firstAfter(own, (bar) => bar.x0, left - longest[row]); at < own.length && own[at].x0 <= right; at++) {
      const bar = own[at];
      const start = Math.max(NAMES, x(bar.x0)), stop = Math.min(width, Math.max(start + 2, x(bar.x1)));
      const special = bar === chosen || showing.has(bar.number);
      if (x(bar.x1) < NAMES || (stop < until + 2 && !special)) continue;
      until = stop;
      drawn += 1;
      pen.globalAlpha = bar.to === undefined ? 0.35 : 1;
      pen.fillStyle = pen.strokeStyle = showing.has(bar.number) ? ink.bad : bar.status === undefined || bar.status >= 300 ? ink.odd : bar.method === 'GET' ? ink.dim : ink.good;
      const hollow = bar.denied === true && stop - start > 4;
      if (bar.watch) pen.fillRect(start, y + ROW / 2 - 1, stop - start, 2);
      else if (hollow) { pen.lineWidth = 1; pen.strokeRect(start + 0.5, y + 4.5, stop - start - 1, ROW - 10); }
      else pen.fillRect(start, y + 4, stop - start, ROW - 9);
      pen.globalAlpha = 1;
      if (!bar.watch && stop - start > 60) {
        pen.save(); pen.beginPath(); pen.rect(start + 2, y, stop - start - 6, ROW); pen.clip();
        pen.font = '10px system-ui, sans-serif';
        pen.fillStyle = hollow || bar.to === undefined ? ink.text : ink.ground;
        pen.fillText(bar.method + ' ' + bar.about, start + 4, y + ROW / 2); pen.restore();
      }
      if (bar.version !== undefined && bar.to !== undefined && stop < width) { pen.fillStyle = ink.text; pen.fillRect(stop - 1, y + 1, 1, ROW - 3); }
      if (bar === chosen) { pen.strokeStyle = ink.text; pen.lineWidth = 2; pen.strokeRect(start - 1, y + 2, stop - start + 2, ROW - 5); }
    }
    let last = -9;
    for (let at = firstAfter(told, (dot) => dot.x0, left); at < told.length && told[at].x0 <= right; at++) {
      const middle = x(told[at].x0);
      if (middle - last < 2) continue;
      last = middle;
      drawn += 1;
      pen.fillStyle = told[at].kind === 'DELETED' || told[at].kind === 'ERROR' ? ink.bad : told[at].kind === 'BOOKMARK' ? ink.dim : ink.text;
      pen.beginPath(); pen.arc(middle, y + ROW / 2, 3, 0, 7); pen.fill();
    }
    pen.fillStyle = ink.text;
    pen.save(); pen.beginPath(); pen.rect(0, y, NAMES - 6, ROW); pen.clip();
    pen.fillText(rows[row], 4, y + ROW / 2); pen.restore();
  }
  pen.clearRect(0, 0, width, AXIS);
  pen.fillStyle = ink.dim;
  if (box !== null && box.checked) pen.fillText('in their order, not to scale', NAMES + 3, AXIS / 2);
  else {
    const step = 10 ** Math.floor(Math.log10(span / 4));
    for (let time = Math.ceil(left / step) * step, shown = -99; time <= right; time += step) {
      const middle = x(time);
      if (middle - shown < 70) continue;
      shown = middle;
      pen.fillText((step >= 1000 ? time / 1000 + ' s' : Math.round(time * 1000) / 1000 + ' ms'), middle + 3, AXIS / 2);
      pen.fillRect(middle, 4, 1, AXIS - 6);
    }
    for (const { at } of marks) if (at >= left && at <= right) { pen.fillStyle = ink.odd; pen.fillRect(x(at), AXIS, 1, height); }
  }
  canvas.dataset.drawn = drawn;
  canvas.dataset.left = left;
  canvas.dataset.span = span;
  canvas.dataset.rows = from + ' ' + to;
}
const redraw = () => { if (!wanted) { wanted = true; requestAnimationFrame(draw); } };
function clamp() {
  span = Math.min(end * 1.05, Math.max(end / 1e6, 0.05, span));
  left = Math.min(end * 1.05 - span, Math.max(0, left));
  top = Math.min(Math.max(0, rows.length * ROW - (height - AXIS)), Math.max(0, top));
}
function tell(bar) {
  chosen = bar;
  const lines = [
    '#' + bar.number + ' ' + rows[bar.row] + (bar.user === undefined ? '' : ' as ' + bar.user) + ': ' + bar.method + ' ' + bar.about,
    bar.path,
    ...(bar.denied === true ? [(bar.user ?? 'Whoever asks') + ' has no right to it: it has to be refused'] : []),
    (bar.status === undefined ? 'no answer' : 'status ' + bar.status) + ', from ' + bar.from.toFixed(2) + ' ms' + (bar.to === undefined ? '' : ' to ' + bar.to.toFixed(2) + ' ms') + (bar.version === undefined ? '' : ', version ' + bar.version),
    ...(bar.told === '' ? [] : [bar.told]),
  ];
  const at = showing.get(bar.number);
  if (at !== undefined) lines.push('Broken promise: ' + broken[at].guarantee + ': ' + broken[at].sentence);
  chosenText.textContent = lines.join('\\n');
  redraw();
}
function reveal(bar) {
  const middle = (bar.x0 + (bar.to === undefined ? bar.x0 : bar.x1)) / 2;
  if (middle < left || middle > left + span) left = middle - span / 2;
  const y = bar.row * ROW;
  if (y < top || y > top + height - AXIS - ROW) top = y - (height - AXIS) / 2;
  clamp();
  tell(bar);
}
function showBroken(at) {
  const numbers = broken[at] ? broken[at].operations : [];
  const bar = bars.find((each) => numbers.includes(each.number));
  if (!bar) return;
  const own = bars.filter((each) => numbers.includes(each.number));
  /* A watch lasts long: beside other requests its beginning is enough. */
  const brief = own.some((each) => !each.watch);
  const from = Math.min(...own.map((each) => each.x0)), to = Math.max(...own.map((each) => (each.to === undefined || (each.watch && brief) ? each.x0 : each.x1)));
  span = Math.max((to - from) * 1.3, end / 200);
  left = (from + to) / 2 - span / 2;
  reveal(bar);
}
function zoom(factor, pixel) {
  const time = timeAt(pixel);
  span *= factor;
  clamp();
  left = time - ((pixel - NAMES) / (width - NAMES)) * span;
  clamp();
  redraw();
}
function nearest(pixelX, pixelY) {
  const row = Math.floor((pixelY - AXIS + top) / ROW);
  if (row < 0 || row >= rows.length) return undefined;
  const time = timeAt(pixelX), slack = (span / width) * 4;
  const { bars: own, dots: told } = byRow[row];
  let found;
  for (let at = firstAfter(told, (dot) => dot.x0, time - slack); at < told.length && told[at].x0 <= time + slack; at++) found = { dot: told[at] };
  for (let at = firstAfter(own, (bar) => bar.x0, time - longest[row] - slack); !found && at < own.length && own[at].x0 <= time + slack; at++)
    if (own[at].x1 >= time - slack) found = { bar: own[at] };
  return found;
}
let drag;
canvas.addEventListener('pointerdown', (event) => { drag = { x: event.clientX, y: event.clientY, left, top, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener('pointermove', (event) => {
  const area = canvas.getBoundingClientRect();
  if (drag) {
    if (Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) > 3) drag.moved = true;
    left = drag.left - ((event.clientX - drag.x) / (width - NAMES)) * span;
    top = drag.top - (event.clientY - drag.y);
    clamp();
    redraw();
    return;
  }
  const found = nearest(event.clientX - area.left, event.clientY - area.top);
  if (found && found.bar) canvas.title = '#' + found.bar.number + ' ' + found.bar.method + ' ' + found.bar.about + (found.bar.user === undefined ? '' : ' as ' + found.bar.user) + ' ' + (found.bar.status ?? 'no answer');
  else if (found && found.dot) canvas.title = found.dot.kind + ' ' + found.dot.name + (found.dot.version === undefined ? '' : '@' + found.dot.version) + ', told to watch ' + found.dot.number;
  else canvas.title = '';
});
canvas.addEventListener('pointerup', (event) => {
  const area = canvas.getBoundingClientRect();
  const found = drag && !drag.moved ? nearest(event.clientX - area.left, event.clientY - area.top) : undefined;
  drag = undefined;
  const bar = found && (found.bar ?? bars.find(({ number }) => number === found.dot.number));
  if (bar) tell(bar);
});
canvas.addEventListener('wheel', (event) => {
  if (event.ctrlKey || event.metaKey) zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, event.clientX - canvas.getBoundingClientRect().left);
  else {
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    const before = left + ' ' + top;
    left += (sideways / width) * span;
    if (!event.shiftKey) top += event.deltaY;
    clamp();
    /* At the last row the page goes on. */
    if (before === left + ' ' + top) return;
    redraw();
  }
  event.preventDefault();
}, { passive: false });
canvas.addEventListener('keydown', (event) => {
  const own = chosen ? byRow[chosen.row].bars : [];
  const at = own.indexOf(chosen);
  const toRow = (way) => { for (let row = (chosen ? chosen.row : -1) + way; row >= 0 && row < rows.length; row += way) { const near = byRow[row].bars; if (near.length > 0) { const next = firstAfter(near, (bar) => bar.x0, chosen ? chosen.x0 : 0); return near[Math.min(next, near.length - 1)]; } } return undefined; };
  const go = (bar) => { if (bar) reveal(bar); };
  const keys = {
    ArrowRight: () => go(chosen ? own[at + 1] : bars[0]),
    ArrowLeft: () => go(own[at - 1]),
    ArrowDown: () => go(toRow(1)),
    ArrowUp: () => go(chosen && toRow(-1)),
    Home: () => go(bars[0]),
    End: () => go(bars[bars.length - 1]),
    '+': () => zoom(1 / 1.5, chosen ? x(chosen.x0) : width / 2),
    '-': () => zoom(1.5, chosen ? x(chosen.x0) : width / 2),
    0: () => { left = 0; span = end * 1.02; top = 0; clamp(); redraw(); },
    b: () => showBroken(0),
    m: () => { if (box) box.click(); },
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});
for (const button of document.querySelectorAll('[data-broken]')) button.addEventListener('click', () => { showBroken(Number(button.dataset.broken)); canvas.focus(); });
if (box) box.addEventListener('change', () => { take(); if (chosen) reveal(chosen); redraw(); });
new ResizeObserver(() => { height = canvas.clientHeight; clamp(); redraw(); }).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
take();
draw();
if (broken.length > 0) showBroken(0);
}
`;
