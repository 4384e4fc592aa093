import { type Card, differenceLines } from './card.ts';
import type { CardReference } from './cardReference.ts';
import { plainText } from './plainText.ts';

/** The first lines of a card, and everything else that is broken, as plain text: what a reader wants at once. */
export function briefText(card: Card): string {
  const more = card.broken.slice(1).flatMap(brokenLines);
  const lines = [...card.brief, ...(more.length === 0 ? [] : ['also broken', ...more])];
  return plainText(lines.join('\n'), 'many lines');
}

/** A whole card as plain text: the first lines, then everything. */
export function cardText(card: Card): string {
  const sections = [
    ['', [...card.brief]],
    ['Requirements', card.requirements.map(({ id, level, sentence }) => `${id} (${level}) ${sentence}`)],
    ['Steps', card.steps.map((step, index) => `${index + 1}. ${step}`)],
    ['Broken', card.broken.flatMap(brokenLines)],
    [
      'Why',
      card.check.reason === undefined ? [] : [card.check.reason, ...(card.check.stack ? [card.check.stack] : [])],
    ],
    ['In its shortest form', shortestLines(card.shortest)],
    ['What the reference did', card.reference ? referenceLines(card.reference) : []],
    ['Transcript', card.transcript.flatMap(({ at, title, detail }) => [`+${at} ms ${title}`, indent(detail)])],
    ['Again with curl', [card.curl]],
  ] as const;
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [...(title === '' ? [] : [`── ${title}`]), ...lines].join('\n'))
    .map((text) => plainText(text, 'many lines'))
    .join('\n\n');
}

function shortestLines(shortest: Card['shortest']): string[] {
  if (!shortest) return [];
  const requests = shortest.requests.map((each, index) => `${index + 1}. ${each}`);
  return [...requests, ...(shortest.replay === undefined ? [] : [`replay   ${shortest.replay}`])];
}
function brokenLines({ level, sentence, allowed, differences }: Card['broken'][number]): string[] {
  return [
    `${level} ${sentence}`,
    ...allowed.map((each) => `    allowed  ${each}`),
    ...differences.flatMap(differenceLines),
  ];
}
function referenceLines({ outcome, steps }: CardReference): string[] {
  return [
    outcome,
    ...steps.flatMap(({ words, status, because, body }) => [
      `  ${words}: ${status}`,
      ...because.map((line) => `      ${line}`),
      ...(body === '' ? [] : [indent(indent(body.trimEnd()))]),
    ]),
  ];
}
function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
