import { PALETTE } from './design.ts';
import { escapeXml } from './escape.ts';
import type { RunResult } from './results.ts';
import { type RunVerdict, verdictOfRun } from './verdictOfRun.ts';

/** White can be read on each. */
const COLOURS: Readonly<Record<RunVerdict['word'], string>> = {
  conformant: PALETTE.good[0],
  partial: '#466f00',
  'not conformant': PALETTE.bad[0],
  inconclusive: PALETTE.odd[0],
  interrupted: PALETTE.dim[0],
  'expectations stale': PALETTE.odd[0],
  'fault of Touchstone': PALETTE.dim[0],
};
const LABEL = 'Cluster API';

/** What the endpoint badge of shields.io reads. */
export function badgeJson(result: RunResult): string {
  const { word } = verdictOfRun(result);
  return `${JSON.stringify({ schemaVersion: 1, label: LABEL, message: word, color: COLOURS[word] }, null, 2)}\n`;
}

/** A badge of one's own, as SVG. */
export function badgeSvg(result: RunResult): string {
  const { word } = verdictOfRun(result);
  // About what a letter of 11 pixels takes, so that the text has room in any font.
  const width = (text: string) => Math.ceil(text.length * 6.6) + 12;
  const [left, right] = [width(LABEL), width(word)];
  const text = (x: number, words: string) =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff">${escapeXml(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escapeXml(`${LABEL}: ${word}`)}" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#444"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[word]}"/></g>
${text(left / 2, LABEL)}${text(left + right / 2, word)}
</svg>
`;
}
