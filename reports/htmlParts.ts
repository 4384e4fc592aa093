/** Style and script of the HTML report: two constants, so that the page's content policy can name the script's hash. */
export const STYLE = `
:root { color-scheme: light dark; --good: light-dark(#1a7f37, #4ac26b); --bad: light-dark(#b3151f, #ff7b72); --odd: light-dark(#7d4e00, #d4a72c); --dim: light-dark(#57606a, #9da7b1); --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #161b22); --ground: light-dark(#ffffff, #0d1117); --ink: light-dark(#1f2328, #e6edf3); --link: light-dark(#0550ae, #79c0ff); --minus: light-dark(#ffebe9, #4a1518); --plus: light-dark(#dafbe1, #12361f); }
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); scroll-padding-top: 7rem; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 74rem; padding: 0 1rem 4rem; background: var(--ground); }
a { color: var(--link); }
.brand { margin: 1rem 0 0; color: var(--dim); font-size: .9rem; letter-spacing: .02em; }
div.verdict { border: 1px solid var(--line); border-left: .6rem solid var(--odd); border-radius: .4rem; padding: 1rem 1.2rem; margin: .4rem 0 1rem; background: var(--soft); }
div.conformant { border-left-color: var(--good); }
div.not-conformant, div.fault-of-Touchstone { border-left-color: var(--bad); }
h1 { margin: 0; font-size: 1.8rem; line-height: 1.2; }
h1::first-letter { text-transform: uppercase; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .4rem 1rem; margin: .8rem 0 0; }
dl.facts dt { color: var(--dim); font-size: .85em; }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
th { white-space: nowrap; }
td.count, th.count { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: .3rem; background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
.diff ins, .diff del, pre mark { display: block; text-decoration: none; padding: 0 .4rem; color: inherit; }
.diff del { background: var(--minus); }
.diff ins, pre mark { background: var(--plus); }
.diff del::before { content: '- '; }
.diff ins::before { content: '+ '; }
details { margin: .2rem 0; }
details.check, details.section { border-bottom: 1px solid var(--line); padding: .25rem 0; content-visibility: auto; contain-intrinsic-size: auto 2rem; }
details.check > :not(summary) { margin-left: 1.4rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
:target { outline: 2px solid var(--link); outline-offset: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.mark { display: inline-block; width: 1.2em; font-weight: bold; text-align: center; }
.pass .mark, b.conformant { color: var(--good); }
.fail > summary .mark, .fail > .mark, .harness-error > summary .mark, .unexpected-pass > summary .mark, b.not-conformant { color: var(--bad); }
.warn .mark, .inconclusive .mark, .flaky .mark, .expected-fail .mark, b.partial { color: var(--odd); }
.ids, .place, .outcome, .cleanup > summary, .preparation > summary { color: var(--dim); font-size: .87em; overflow-wrap: anywhere; }
form#filter { position: sticky; top: 0; z-index: 1; background: var(--ground); border-bottom: 1px solid var(--line); padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; }
input[type=search] { font: inherit; padding: .2rem .4rem; width: min(22rem, 70vw); color: inherit; background: var(--soft); border: 1px solid var(--dim); border-radius: .3rem; }
button { font: inherit; font-size: .85em; color: inherit; background: var(--soft); border: 1px solid var(--dim); border-radius: .3rem; padding: 0 .5rem; cursor: pointer; }
.bar { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: center; }
[hidden] { display: none !important; }
@media (max-width: 36rem) { th, td { padding: .25rem .3rem; } details.check > :not(summary) { margin-left: .3rem; } form#filter { position: static; } }
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
