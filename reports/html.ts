import { createHash } from 'node:crypto';
import { type Card, cardOf, sides, statementsOf, tellStatement } from './card.ts';
import type { CardReference } from './cardReference.ts';
import type { CheckResult } from './checkResult.ts';
import { counted } from './counted.ts';
import { DESIGN } from './design.ts';
import { escapeHtml as e } from './escape.ts';
import type { Difference, Outcome } from './events.ts';
import { SCRIPT, STYLE } from './htmlParts.ts';
import { OUTCOMES, outcomeRank } from './outcome.ts';
import { plainText } from './plainText.ts';
import type { ProfileResult, RequirementResult, RunResult } from './results.ts';
import { verdictOfRun } from './verdictOfRun.ts';

/** Text of a target inside a block that keeps its lines. */
const block = (text: string) => e(plainText(text, 'many lines'));
const line = (text: string) => e(plainText(text));

/**
 * The whole run as one file that needs no network: the verdict and whom it is about, profiles, sections of the
 * specification, a card for each check that did not go well, and every requirement. Each check and requirement has an
 * anchor, and filters stand in the address. What a target said is only ever text: it is escaped, and a content policy
 * lets nothing load or run but the one script of the page.
 */
export function html(result: RunResult): string {
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  const { word, because } = verdictOfRun(result);
  const { base } = result.header.target;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${line(`${word}: ${base}`)}</title>
<style>${DESIGN}${STYLE}</style>
</head>
<body>
<header>
<p class="brand">Touchstone · conformance to the Cluster API</p>
<div class="panel verdict ${word.replaceAll(' ', '-')}">
<h1>${line(word)}</h1>
<p>${line(base)}: ${line(because)}.</p>
${facts(result)}
</div>
</header>
<main>
${profiles(result)}
${stale(result)}
<section aria-label="Checks">
<h2 id="checks">Checks</h2>
${filters(result)}
<p id="shown" role="status"></p>
${[...result.checks]
  .sort(worstFirst)
  .map((check) => checkElement(result, check))
  .join('\n')}
</section>
<section>
<h2 id="requirements">Requirements, by section of the specification</h2>
${requirements(result)}
</section>
${about(result)}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Whom the verdict is about, and how it came to be. */
function facts({ header, finished, checks }: RunResult): string {
  const { target, time, seed, suite } = header;
  const rows: readonly (readonly [string, string])[] = [
    ['target', `${target.base}${target.release === '' ? '' : `, release ${target.release}`}`],
    ['dialect', target.dialect],
    ['date', time.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['duration', finished ? `${(finished.duration / 1000).toFixed(1)} s` : 'it did not come to its end'],
    ['checks', String(checks.length)],
    ['seed', seed],
    ['suite', suite.version],
    ...(header.narrowed.length === 0 ? [] : [['only', header.narrowed.join(' ')] as const]),
  ];
  return `<dl class="facts">${rows.map(([name, text]) => `<div><dt>${name}</dt><dd>${line(text)}</dd></div>`).join('')}</dl>`;
}

function worstFirst(a: CheckResult, b: CheckResult): number {
  return outcomeRank(b.outcome) - outcomeRank(a.outcome) || a.id.localeCompare(b.id);
}

function profiles(result: RunResult): string {
  const rows = result.profiles.map((profile) => {
    const { requirements: all, counts } = profile;
    const kept = (counts.pass ?? 0) + (counts.warn ?? 0);
    const known = counts['expected-fail'] ?? 0;
    const cells = [all, kept, counts.fail ?? 0, known].map((count) => `<td class="count">${count}</td>`);
    const found = `#?q=${encodeURIComponent(`profile:${profile.profile}`)}`;
    return `<tr><th scope="row"><a href="${e(found)}">${line(profile.profile)}</a></th><td>${conformance(profile)}</td>${cells.join('')}</tr>`;
  });
  return `<section><h2 id="profiles">Profiles</h2>
<div class="table" tabindex="0" role="region" aria-label="Profiles"><table><thead><tr><th>profile</th><th>conformance</th><th class="count">requirements</th><th class="count">kept</th><th class="count">broken</th><th class="count">known</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></div></section>`;
}

function conformance({ conformance: word, requirements: all, counts }: ProfileResult): string {
  const untouched = (counts['not-run'] ?? 0) === all;
  return untouched ? '<span class="ids">not looked at</span>' : `<b class="${word}">${word}</b>`;
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

/** The anchor of a check. */
export const anchorOf = ({ id, variant }: Pick<CheckResult, 'id' | 'variant'>): string =>
  `check-${variant === '' ? '' : `${variant}-`}${id}`;

function checkElement(result: RunResult, check: CheckResult): string {
  const good = check.outcome === 'pass';
  const title = `<span class="mark">${OUTCOMES[check.outcome].mark}</span> ${line(check.title)} <span class="ids">${line(check.requirements.join(' '))}</span> <span class="outcome">${check.outcome}</span>${check.variant === '' ? '' : ` <span class="ids">on ${line(check.variant)}</span>`}`;
  const open = check.outcome === 'fail' || check.outcome === 'harness-error' ? ' open' : '';
  const anchor = anchorOf(check);
  const profilesOf = result.header.ledger.requirements.filter(({ id }) => check.requirements.includes(id));
  const found = [...new Set(profilesOf.map(({ profile }) => `profile:${profile}`))].join(' ');
  const body = good ? assertions(check) : cardElement(cardOf(result, check), anchor);
  const links = check.requirements.map((id) => `<a href="#req-${e(id)}">${line(id)}</a>`).join(' ');
  return `<details class="check ${check.outcome}" id="${e(anchor)}" data-outcome="${check.outcome}" data-find="${e(found)}"${good ? '' : open}><summary>${title}</summary>
<p class="place bar"><span>${line(`${check.id} · ${check.file}:${check.line} · ${Math.round(check.duration)} ms`)}</span> ${links} <a href="#${e(encodeURIComponent(anchor))}">link</a> <button type="button" data-copy="link" data-of="${e(encodeURIComponent(anchor))}">copy link</button></p>
${body}</details>`;
}

function assertions(check: CheckResult): string {
  const items = check.assertions.map(({ sentence, level }) => `<li>${level} ${line(sentence)}</li>`);
  return `<ul>${items.join('')}</ul>`;
}

function cardElement(card: Card, anchor: string): string {
  const { check } = card;
  const reason = check.reason ?? check.expected;
  return [
    `<pre class="brief diff">${card.brief.map(briefLine).join('')}</pre>`,
    reason === undefined ? '' : `<p>${line(reason)}</p>`,
    ...card.broken.map(
      ({ level, sentence, allowed, differences, clauses: of }) =>
        `<div class="broken"><p><b>${level}</b> ${line(sentence)} <span class="ids">${line((of ?? []).join(' '))}</span></p>
<div class="diff">${differences.map(differenceElement).join('')}</div>
<p class="place">all allowed: ${allowed.map(line).join(' and ')}</p></div>`,
    ),
    card.shortest === undefined ? '' : shortestElement(card.shortest, `${anchor}-replay`),
    fold('Requirements', card.requirements.map(requirementItem).join(''), 'ul'),
    fold('What was done', card.steps.map((step) => `<li>${line(step)}</li>`).join(''), 'ol'),
    card.reference === undefined ? '' : referenceElement(card.reference),
    card.transcript.length === 0 ? '' : fold('Transcript', transcript(card), 'div'),
    copied('Again with curl', `${anchor}-curl`, block(card.curl)),
    check.stack === undefined ? '' : fold('Stack', block(check.stack), 'pre'),
    card.story === undefined
      ? ''
      : `<p class="bar"><a href="${e(card.story)}">Step through it on the reference</a> in this browser, without a network</p>`,
    `<p class="bar">Again: <code id="${e(anchor)}-again">${line(card.again)}</code> ${copyButton(`${anchor}-again`)}</p>`,
  ].join('\n');
}

/** A line of the first ones; the two sides of a difference are marked as such. */
function briefLine(text: string): string {
  const [, sign, rest] = /^ +([-+]) (.*)$/s.exec(text) ?? [];
  if (sign === undefined || rest === undefined) return `${line(text)}\n`;
  return sign === '-' ? `<del>${line(rest)}</del>` : `<ins>${line(rest)}</ins>`;
}
function differenceElement(difference: Difference): string {
  const { want, got } = sides(difference);
  const where = difference.path === '' ? '' : `<code>${line(difference.path)}</code>: `;
  return `<del>${where}<code>${line(want)}</code></del><ins>${where}<code>${block(pretty(got))}</code></ins>`;
}
/** JSON as people read it; other text as it is. */
function pretty(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
function copyButton(of: string): string {
  return `<button type="button" data-copy="${e(of)}">copy</button>`;
}
function copied(title: string, id: string, content: string): string {
  return `<details><summary>${title}</summary>${copyButton(id)}<pre id="${e(id)}">${content}</pre></details>`;
}

function shortestElement({ requests, replay }: NonNullable<Card['shortest']>, id: string): string {
  const command =
    replay === undefined
      ? ''
      : `<p class="bar">Replay: <code id="${e(id)}">${line(replay)}</code> ${copyButton(id)}</p>`;
  return `<div class="shortest"><p>In its shortest form:</p><ol>${requests.map((each) => `<li><code>${line(each)}</code></li>`).join('')}</ol>${command}</div>`;
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
/** Requests and answers in time; in the answer that the verdict rests on, what differs is marked. */
function transcript({ transcript: all, broken, check }: Card): string {
  const differing = new Map<string, readonly Difference[]>();
  for (const { exchange, differences } of broken) {
    const seen = check.exchanges.find(({ number }) => number === exchange);
    if (seen) differing.set(`${seen.at} ${seen.words}`, differences);
  }
  return all
    .map(({ at, title, detail, phase }) => {
      const of = [...differing].find(([key]) => `${at} ${title}`.startsWith(key))?.[1] ?? [];
      return `<details class="${phase}"><summary>+${at} ms ${line(title)}</summary><pre>${marked(detail, of)}</pre></details>`;
    })
    .join('');
}
/** A request and its answer, bodies as people read them, with the lines that a difference is about marked. */
function marked(detail: string, differences: readonly Difference[]): string {
  const members = differences.flatMap(({ path }) => /([^.[\]]+)\]?$/.exec(path)?.[1] ?? []);
  const parts = detail.split('\n\n').map(pretty).join('\n\n');
  if (members.length === 0) return block(parts);
  const isAbout = (text: string) => members.some((member) => text.trimStart().startsWith(`"${member}":`));
  return parts
    .split('\n')
    .map((each) => (isAbout(each) ? `<mark>${block(each)}</mark>` : `${block(each)}\n`))
    .join('');
}
function fold(title: string, content: string, element: string): string {
  return `<details><summary>${title}</summary><${element}>${content}</${element}></details>`;
}

/** Every requirement with its anchor, below the section of the specification that it comes from. */
function requirements(result: RunResult): string {
  const sections = new Map<string, RequirementResult[]>();
  for (const each of result.requirements) {
    const [statement] = statementsOf(result, each.statements);
    const name = statement?.section ?? 'Other';
    sections.set(name, [...(sections.get(name) ?? []), each]);
  }
  return [...sections].map(([name, own]) => sectionElement(result, name, own)).join('\n');
}
function sectionElement(result: RunResult, name: string, own: readonly RequirementResult[]): string {
  const count = (outcomes: readonly Outcome[]) => own.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const broken = count(['fail']);
  const open = broken > 0 ? ' open' : '';
  const told = `${count(['pass', 'warn'])} of ${own.length} kept${broken > 0 ? `, ${broken} broken` : ''}`;
  return `<details class="section"${open}><summary><b>${line(name)}</b> <span class="ids">${told}</span></summary>
<ul>${own.map((each) => requirementElement(result, each)).join('')}</ul></details>`;
}
function requirementElement(result: RunResult, each: RequirementResult): string {
  const { id, level, sentence, statements, outcome, checks, judged } = each;
  const links = checks.slice(0, 20).map((check) => {
    const { mark } = OUTCOMES[check.outcome];
    return `<li>${mark} <a href="#${e(encodeURIComponent(anchorOf(check)))}">${line(check.title)}</a></li>`;
  });
  const more = checks.length > 20 ? `<li>and ${checks.length - 20} more</li>` : '';
  const proof =
    checks.length === 0
      ? ''
      : `<details><summary class="ids">${counted(checks.length, 'check')}</summary><ul>${links.join('')}${more}</ul></details>`;
  const told = statementsOf(result, statements).map(
    (one) => `<br><span class="place">${line(tellStatement(one))}</span>`,
  );
  return `<li class="${outcome}" id="req-${e(id)}"><span class="mark">${OUTCOMES[outcome].mark}</span> <b>${line(id)}</b> ${level} ${line(sentence)} <span class="outcome">${outcome}</span>${told.join('')}${clauses(judged)}${proof}</li>`;
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
<dt>reproduce</dt><dd><code>${line(reproduce)}</code></dd>${configuration.history === true ? '<dt>history</dt><dd><a href="history.html">requests and events over time</a></dd>' : ''}</dl>
<details><summary>What the target offers</summary><ul>${findings.join('')}</ul></details>
<details><summary>Configuration</summary><pre>${block(JSON.stringify(configuration, null, 2))}</pre></details></section>`;
}
