import type { ConformanceReport } from './conformanceReport.ts';
import { counted } from './counted.ts';
import { DESIGN } from './design.ts';
import { escapeHtml } from './escape.ts';
import type { Outcome } from './events.ts';
import { STYLE } from './htmlParts.ts';
import { OUTCOMES } from './outcome.ts';
import { plainText } from './plainText.ts';

const line = (text: string) => escapeHtml(plainText(text));

/**
 * One static page of what many targets keep, as a registry of implementations would show it: a column each, and rows
 * for verdicts, profiles and requirements, these below their areas.
 *
 * @param reports by the name that each target is to have.
 */
export function targetMatrix(reports: readonly (readonly [string, ConformanceReport])[]): string {
  const profiles = [...new Set(reports.flatMap(([, report]) => report.profiles.map(({ profile }) => profile)))];
  const ids = [...new Set(reports.flatMap(([, report]) => report.requirements.map(({ id }) => id)))].sort();
  const areas = [...new Set(ids.map(areaOf))];
  const head = reports
    .map(
      ([name, { target }]) => `<th scope="col">${line(name)}<br><span class="ids">${line(target.release)}</span></th>`,
    )
    .join('');
  const row = (title: string, cell: (report: ConformanceReport) => string, id = '') =>
    `<tr${id === '' ? '' : ` id="${escapeHtml(id)}"`}><th scope="row">${line(title)}</th>${reports.map(([, report]) => `<td>${cell(report)}</td>`).join('')}</tr>`;
  const table = (label: string, rows: readonly string[]) =>
    `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table><thead><tr><th scope="col">${line(label)}</th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance to the Cluster API</title>
<style>${DESIGN}${STYLE}</style>
</head>
<body>
<header>
<p class="brand">Touchstone</p>
<h1>Conformance to the Cluster API</h1>
</header>
<main>
${table('verdict', [
  row('verdict', ({ verdict }) => `<b class="${verdict.word.replaceAll(' ', '-')}">${line(verdict.word)}</b>`),
  row('date', ({ metadata }) => line(metadata.creationTimestamp.slice(0, 10))),
  row('suite', ({ suite }) => line(suite.version)),
  row('requirements', ({ ledger }) => line(ledger.digest)),
])}
<h2>Profiles</h2>
${table(
  'profile',
  profiles.map((name) => row(name, (report) => profileCell(report, name))),
)}
<h2>Requirements</h2>
${areas
  .map((area) => {
    const rows = ids
      .filter((id) => areaOf(id) === area)
      .map((id) => row(id, (report) => cellOf(report, id), `req-${id}`));
    return `<details class="section"><summary><b>${line(area)}</b> <span class="ids">${counted(rows.length, 'requirement')}</span></summary>${table(area, rows)}</details>`;
  })
  .join('\n')}
</main>
</body>
</html>
`;
}

const areaOf = (id: string): string => id.slice(0, id.indexOf('-'));

function profileCell({ profiles }: ConformanceReport, name: string): string {
  const profile = profiles.find((each) => each.profile === name);
  if (!profile || (profile.counts['not-run'] ?? 0) === profile.requirements) {
    return '<span class="ids">not looked at</span>';
  }
  const kept = (profile.counts.pass ?? 0) + (profile.counts.warn ?? 0);
  return `<b class="${profile.conformance}">${profile.conformance}</b> <span class="ids">${kept} of ${profile.requirements}</span>`;
}

function cellOf({ requirements }: ConformanceReport, id: string): string {
  const outcome: Outcome | undefined = requirements.find((each) => each.id === id)?.outcome;
  if (outcome === undefined) return '<span class="ids">not there</span>';
  return `<span class="${outcome}"><span class="mark">${OUTCOMES[outcome].mark}</span> ${outcome}</span>`;
}
