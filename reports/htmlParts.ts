/**
 * What reports have beside the design of all pages, and the script of the report of a run: a constant, so that the page's
 * content policy can name its hash.
 */
export const STYLE = `
html { scroll-padding-top: 7rem; }
body { margin: 0 auto; max-width: 76rem; padding: 1.2rem 1.2rem 4rem; }
header h1::first-letter { text-transform: uppercase; }
.verdict { border-left: .5rem solid var(--odd); margin: .6rem 0 1rem; padding: 1rem 1.2rem 1.1rem; }
.verdict.conformant { border-left-color: var(--good); }
.verdict.conformant h1 { color: var(--good); }
.verdict.not-conformant, .verdict.fault-of-Touchstone { border-left-color: var(--bad); }
.verdict.not-conformant h1, .verdict.fault-of-Touchstone h1 { color: var(--bad); }
.verdict > :last-child { margin-bottom: 0; }
.verdict h1 + p { font-size: 1.05rem; overflow-wrap: anywhere; }
dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 40%), 1fr)); gap: .6rem 1.2rem; margin: .9rem 0 0; padding-top: .8rem; border-top: 1px solid var(--line); }
dl.facts dt { color: var(--dim); font-size: .82em; }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.table th { white-space: nowrap; }
td b { white-space: nowrap; }
.count { text-align: right; font-variant-numeric: tabular-nums; }
.diff ins, .diff del, pre mark { display: block; text-decoration: none; padding: 0 .5rem; color: inherit; }
.diff del { background: var(--bad-ground); }
.diff ins, pre mark { background: var(--good-ground); }
.diff del::before { content: '- '; color: var(--bad); font-weight: 700; }
.diff ins::before { content: '+ '; color: var(--good); font-weight: 700; }
.diff code { white-space: pre-wrap; }
div.broken { border-left: .2rem solid var(--bad); padding-left: .7rem; margin: .8rem 0; }
details { margin: .25rem 0; }
details.check, details.section { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .8rem; content-visibility: auto; contain-intrinsic-size: auto 2.4rem; }
details.check[open], details.section[open] { padding-bottom: .8rem; }
details.check.fail[open], details.check.harness-error[open] { border-left: .25rem solid var(--bad); }
details.section > .table { border: 0; border-radius: 0; }
details.section ul { list-style: none; padding-left: .2rem; }
details.section > ul > li { margin: .7rem 0; }
li > details { margin-left: 1.4rem; }
li > details > summary { color: var(--dim); font-size: .87em; }
details.check > summary, details.section > summary { padding: .1rem 0; }
details.check > :not(summary) { margin-left: 1.4rem; }
.check details > :not(summary), li details > :not(summary) { margin-left: 1rem; }
:target { outline: 2px solid var(--link); outline-offset: 2px; }
.mark { display: inline-block; width: 1.2em; font-weight: bold; text-align: center; }
.pass .mark, b.conformant, .killed .mark { color: var(--good); }
.fail > summary .mark, .fail > .mark, .harness-error > summary .mark, .unexpected-pass > summary .mark, b.not-conformant, .survived .mark, .survived b { color: var(--bad); }
.warn .mark, .inconclusive .mark, .flaky .mark, .expected-fail .mark, b.partial { color: var(--odd); }
.ids, .place, .outcome, .cleanup > summary, .preparation > summary { color: var(--dim); font-size: .87em; overflow-wrap: anywhere; }
form#filter { position: sticky; top: 0; z-index: 1; background: var(--ground); border-bottom: 1px solid var(--line); padding: .6rem 0; margin-bottom: .5rem; display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; align-items: center; }
form#filter input[type=search] { width: min(22rem, 70vw); }
form#filter label { display: flex; align-items: center; gap: .35rem; }
button { font-size: .85em; min-height: 1.7rem; padding: 0 .6rem; }
.bar { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; }
@media (max-width: 36rem) { body { padding: .8rem .8rem 3rem; } .table { font-size: .93em; } .table :is(th, td) { padding: .3rem .45rem; } .table :is(th, td):first-child { padding-left: .7rem; } details.check > :not(summary) { margin-left: .2rem; } details.check, details.section { padding-inline: .6rem; } .check details > :not(summary), li details > :not(summary) { margin-left: .3rem; } form#filter { position: static; } }
@media print { form#filter, button { display: none; } }
`;

export const SCRIPT = `
const form = document.getElementById('filter');
const checks = [...document.querySelectorAll('details[data-outcome]')].map((element) => ({ element, text: undefined }));
const boxes = [...form.querySelectorAll('input[name=outcome]')];
const textOf = (check) => (check.text ??= (check.element.dataset.find + ' ' + check.element.textContent).toLowerCase());
function filter() {
  const outcomes = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const words = form.elements.text.value.toLowerCase().split(' ').filter(Boolean);
  let shown = 0;
  for (const check of checks) {
    const fits = outcomes.has(check.element.dataset.outcome) && words.every((word) => textOf(check).includes(word));
    if (check.element.hidden === fits) check.element.hidden = !fits;
    if (fits) shown += 1;
  }
  document.getElementById('shown').textContent = shown + ' of ' + checks.length + (checks.length === 1 ? ' check' : ' checks') + ' shown';
}
/* What is filtered stands in the address, as #?q=WORDS&outcome=fail, and an anchor as #check-… or #req-…. */
function keep() {
  const said = new URLSearchParams();
  if (form.elements.text.value !== '') said.set('q', form.elements.text.value);
  if (boxes.some((box) => !box.checked)) for (const box of boxes) if (box.checked) said.append('outcome', box.value);
  history.replaceState(null, '', said.size === 0 ? '#' : '#?' + said);
}
function read() {
  if (location.hash.startsWith('#?')) {
    const said = new URLSearchParams(location.hash.slice(2));
    form.elements.text.value = said.get('q') ?? '';
    const outcomes = said.getAll('outcome');
    for (const box of boxes) box.checked = outcomes.length === 0 || outcomes.includes(box.value);
    filter();
    return;
  }
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden) { form.elements.text.value = ''; for (const box of boxes) box.checked = true; filter(); }
  for (let at = target; at; at = at.parentElement) if (at.localName === 'details') at.open = true;
  target.scrollIntoView();
}
form.addEventListener('input', () => { filter(); keep(); });
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', read);
addEventListener('keydown', (event) => {
  if (event.key === '/' && event.target.localName !== 'input') { event.preventDefault(); form.elements.text.focus(); }
});
document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('button[data-copy]');
  if (!button) return;
  const text = button.dataset.copy === 'link' ? location.href.split('#')[0] + '#' + button.dataset.of : document.getElementById(button.dataset.copy).textContent;
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand('copy');
    area.remove();
  }
  const said = button.textContent;
  button.textContent = done ? 'copied' : 'select and copy';
  setTimeout(() => { button.textContent = said; }, 1500);
});
filter();
read();
`;
