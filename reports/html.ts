import { createHash } from 'node:crypto';
import { type Card, cardOf, statementsOf, tellStatement } from './card.ts';
import type { CardReference } from './cardReference.ts';
import type { CheckResult } from './checkResult.ts';
import { escapeHtml as e } from './escape.ts';
import type { Outcome } from './events.ts';
import { SCRIPT, STYLE } from './htmlParts.ts';
import { OUTCOMES, outcomeRank } from './outcome.ts';
import { plainText } from './plainText.ts';
import type { RequirementResult, RunResult } from './results.ts';
import { verdictOfRun } from './verdictOfRun.ts';

/** Text of a target inside a block that keeps its lines. */
const block = (text: string) => e(plainText(text, 'many lines'));
const line = (text: string) => e(plainText(text));

/**
 * The whole run as one file that needs no network: every outcome, a card for each check that did not go well, and a
 * filter. What a target said is only ever text: it is escaped, and a content policy lets nothing load or run but
 * the one script of the page.
 */
export function html(result: RunResult): string {
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  const { word, because } = verdictOfRun(result);
  const { base, dialect, release } = result.header.target;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${line(`${word}: ${base}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<header class="verdict ${word.replaceAll(' ', '-')}">
<h1>${line(word)}</h1>
<p>${line(base)}, dialect ${line(dialect)}${release ? `, release ${line(release)}` : ''}: ${line(because)}.</p>
</header>
<main>
${profiles(result)}
${stale(result)}
<section aria-label="Checks">
<h2>Checks</h2>
${filters(result)}
<p id="shown" role="status"></p>
${[...result.checks]
  .sort(worstFirst)
  .map((check) => checkElement(result, check))
  .join('\n')}
</section>
<section>
<h2>Requirements</h2>
${requirements(result)}
</section>
${about(result)}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function worstFirst(a: CheckResult, b: CheckResult): number {
  return outcomeRank(b.outcome) - outcomeRank(a.outcome) || a.id.localeCompare(b.id);
}

function profiles(result: RunResult): string {
  const rows = result.profiles.map(({ profile, conformance, requirements: all, counts }) => {
    const kept = (counts.pass ?? 0) + (counts.warn ?? 0) + (counts.flaky ?? 0);
    const cells = [all, kept, counts.fail ?? 0].map((count) => `<td>${count}</td>`);
    return `<tr><th scope="row">${line(profile)}</th><td><b class="${conformance}">${conformance}</b></td>${cells.join('')}</tr>`;
  });
  return `<section><h2>Profiles</h2>
<table><thead><tr><th>profile</th><th>conformance</th><th>requirements</th><th>kept</th><th>broken</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></section>`;
}

function stale(result: RunResult): string {
  if (result.stale.length === 0) return '';
  const items = result.stale.map(({ entry, why }) => `<li><code>${line(entry.id)}</code>: ${line(why)}</li>`);
  return `<section><h2>Expectations that no longer hold</h2><ul>${items.join('')}</ul></section>`;
}

function filters(result: RunResult): string {
  const boxes = Object.entries(result.counts)
    .sort(([a], [b]) => outcomeRank(b as Outcome) - outcomeRank(a as Outcome))
    .map(([outcome, count]) => {
      const title = e(OUTCOMES[outcome as Outcome].meaning);
      return `<label title="${title}"><input type="checkbox" name="outcome" value="${outcome}" checked> ${outcome} (${count})</label>`;
    });
  return `<form id="filter"><label>Find <input type="search" name="text" placeholder="words, requirement, path"></label> ${boxes.join(' ')}</form>`;
}

function checkElement(result: RunResult, check: CheckResult): string {
  const good = check.outcome === 'pass';
  const title = `<span class="mark">${OUTCOMES[check.outcome].mark}</span> ${line(check.title)} <span class="ids">${line(check.requirements.join(' '))}</span> <span class="outcome">${check.outcome}</span>${check.variant === '' ? '' : ` <span class="ids">on ${line(check.variant)}</span>`}`;
  const open = check.outcome === 'fail' || check.outcome === 'harness-error' ? ' open' : '';
  const body = good ? assertions(check) : cardElement(cardOf(result, check));
  return `<details class="check ${check.outcome}" data-outcome="${check.outcome}"${good ? '' : open}><summary>${title}</summary>
<p class="place">${line(`${check.id} · ${check.file}:${check.line} · ${Math.round(check.duration)} ms`)}</p>
${body}</details>`;
}

function assertions(check: CheckResult): string {
  const items = check.assertions.map(({ sentence, level }) => `<li>${level} ${line(sentence)}</li>`);
  return `<ul>${items.join('')}</ul>`;
}

function cardElement(card: Card): string {
  const { check } = card;
  const reason = check.reason ?? check.expected;
  return [
    `<pre class="brief">${card.brief.map(line).join('\n')}</pre>`,
    reason === undefined ? '' : `<p>${line(reason)}</p>`,
    ...card.broken.map(
      ({
        level,
        sentence,
        allowed,
        differences,
        clauses: of,
      }) => `<div class="broken"><p><b>${level}</b> ${line(sentence)} <span class="ids">${line((of ?? []).join(' '))}</span></p>
<table><thead><tr><th>where</th><th>allowed</th><th>seen</th></tr></thead><tbody>${differences
        .map(
          (each) =>
            `<tr><td><code>${line(each.path)}</code></td><td>${line(each.want)}</td><td><code>${line(each.got)}</code> <i>${line(each.gotType)}</i></td></tr>`,
        )
        .join('')}</tbody></table>
<p class="place">all allowed: ${allowed.map(line).join(' and ')}</p></div>`,
    ),
    fold('Requirements', card.requirements.map(requirementItem).join(''), 'ul'),
    fold('What was done', card.steps.map((step) => `<li>${line(step)}</li>`).join(''), 'ol'),
    card.reference === undefined ? '' : referenceElement(card.reference),
    card.transcript.length === 0 ? '' : fold('Transcript', card.transcript.map(transcriptItem).join(''), 'div'),
    fold('Again with curl', block(card.curl), 'pre'),
    check.stack === undefined ? '' : fold('Stack', block(check.stack), 'pre'),
    `<p>Again: <code>${line(card.again)}</code></p>`,
  ].join('\n');
}
function referenceElement({ outcome, steps }: CardReference): string {
  const items = steps.map(({ words, status, because, body }) => {
    const reasons = because.length === 0 ? '' : `<pre>${because.map((each) => line(each)).join('\n')}</pre>`;
    const answer = body === '' ? '' : fold('Its answer', block(body), 'pre');
    return `<li>${line(words)}: ${line(status)}${reasons}${answer}</li>`;
  });
  return fold('What the reference did', `<p>${line(outcome)}</p><ol>${items.join('')}</ol>`, 'div');
}
function requirementItem({ id, level, sentence, statements }: Card['requirements'][number]): string {
  return `<li><b>${line(id)}</b> ${level} ${line(sentence)} ${statements.map((each) => `<br><span class="place">${line(tellStatement(each))}</span>`).join('')}</li>`;
}
function transcriptItem({ at, title, detail, phase }: Card['transcript'][number]): string {
  return `<details class="${phase}"><summary>+${at} ms ${line(title)}</summary><pre>${block(detail)}</pre></details>`;
}
function fold(title: string, content: string, element: string): string {
  return `<details><summary>${title}</summary><${element}>${content}</${element}></details>`;
}

function requirements(result: RunResult): string {
  const { requirements: all } = result;
  const rows = all.map(
    ({ id, level, sentence, statements, outcome, checks, judged }) =>
      `<tr class="${outcome}"><td><code>${line(id)}</code></td><td>${level}</td><td>${line(sentence)}${clauses(judged)}</td><td>${statementsOf(
        result,
        statements,
      )
        .map((each) => line(tellStatement(each)))
        .join('<br>')}</td><td>${outcome} (${checks.length})</td></tr>`,
  );
  return `<details><summary>All ${all.length} requirements</summary><table><thead><tr><th>id</th><th>level</th><th>requirement</th><th>statements</th><th>outcome (checks)</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
}

function clauses(judged: RequirementResult['judged']): string {
  if (judged.length === 0) return '';
  const items = [...judged]
    .sort((a, b) => outcomeRank(b.outcome) - outcomeRank(a.outcome))
    .map(
      ({ clause, outcome, reason }) =>
        `<li class="${outcome}"><span class="mark">${OUTCOMES[outcome].mark}</span> <code>${line(clause)}</code> ${outcome}${reason === undefined ? '' : `: ${line(reason)}`}</li>`,
    );
  const kept = judged.filter(({ outcome }) => outcome === 'pass' || outcome === 'warn').length;
  const open = judged.some(({ outcome }) => outcome === 'fail') ? ' open' : '';
  return `<details${open}><summary>${kept} of ${judged.length} clauses kept</summary><ul>${items.join('')}</ul></details>`;
}

function about(result: RunResult): string {
  const { suite, ledger, seed, target, configuration, reproduce, time } = result.header;
  const findings = target.capabilities.map(
    ({ name, present, because }) => `<li>${present ? '✓' : '-'} ${line(name)}: ${line(because)}</li>`,
  );
  return `<section><h2>This run</h2>
<dl><dt>time</dt><dd>${line(time)}</dd><dt>suite</dt><dd>${line(suite.version)} on Node ${line(suite.node)}</dd>
<dt>ledger</dt><dd>${line(ledger.digest)}</dd><dt>seed</dt><dd>${line(seed)}</dd>
<dt>reproduce</dt><dd><code>${line(reproduce)}</code></dd></dl>
<details><summary>What the target offers</summary><ul>${findings.join('')}</ul></details>
<details><summary>Configuration</summary><pre>${block(JSON.stringify(configuration, null, 2))}</pre></details></section>`;
}
