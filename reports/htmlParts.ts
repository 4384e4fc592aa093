/** Style and script of the HTML report: two constants, so that the page's content policy can name the script's hash. */
export const STYLE = `
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --odd: #9a6700; --dim: #6e7781; --line: #8884; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 0 1rem 4rem; }
h1 { margin: 0; font-size: 1.6rem; }
header.verdict { border-left: .5rem solid var(--odd); padding: 1rem; margin: 1rem 0; }
header.conformant { border-color: var(--good); }
header.not-conformant, header.fault-of-Touchstone { border-color: var(--bad); }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid var(--line); border-radius: .3rem; white-space: pre-wrap; overflow-wrap: anywhere; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
details { margin: .2rem 0; }
details.check { border-bottom: 1px solid var(--line); padding: .2rem 0; }
details.check > :not(summary) { margin-left: 1.5rem; }
summary { cursor: pointer; }
summary:focus-visible, input:focus-visible { outline: 2px solid Highlight; }
.mark { display: inline-block; width: 1.2em; font-weight: bold; text-align: center; }
.pass .mark, .conformant b, b.conformant { color: var(--good); }
.fail .mark, .harness-error .mark, .unexpected-pass .mark, b.not-conformant { color: var(--bad); }
.warn .mark, .inconclusive .mark, .flaky .mark, .expected-fail .mark, b.partial { color: var(--odd); }
.ids, .place, .outcome, .cleanup summary, .preparation summary { color: var(--dim); font-size: .85em; }
form#filter { position: sticky; top: 0; background: Canvas; padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
dt { font-weight: bold; }
[hidden] { display: none; }
`;

export const SCRIPT = `
const form = document.getElementById('filter');
const checks = [...document.querySelectorAll('details[data-outcome]')].map((element) => ({ element, text: element.textContent.toLowerCase() }));
function filter() {
  const data = new FormData(form);
  const outcomes = new Set(data.getAll('outcome'));
  const words = String(data.get('text')).toLowerCase().split(' ').filter(Boolean);
  let shown = 0;
  for (const { element, text } of checks) {
    const fits = outcomes.has(element.dataset.outcome) && words.every((word) => text.includes(word));
    element.hidden = !fits;
    if (fits) shown += 1;
  }
  document.getElementById('shown').textContent = shown + ' of ' + checks.length + ' checks shown';
}
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
filter();
`;
