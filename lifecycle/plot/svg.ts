import { escapeXml } from '../../reports/escape.ts';
import type { LifecycleFinding } from '../finding.ts';
import type { ApiHistory, Track } from '../history.ts';
import {
  type Bar,
  COLUMN,
  HEADER,
  LANE,
  type Lane,
  layoutOf,
  type Panel,
  type PlotLayout,
  type PlotMark,
} from './layout.ts';

/** Colors for light and dark ground. Deprecation is told by a pattern, and roles by letters: never by color alone. */
const STYLE = `
svg { --ground: #ffffff; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de; --served: #2f6f9f; --aging: #efe3c8; --aging-line: #8a6116; --badge: #ffffff; --badge-ink: #1b1f24; --bad: #c62828; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #14171b; --ink: #e8ebef; --faint: #a3adb8; --line: #343b43; --served: #4c93c7; --aging: #3a3016; --aging-line: #d3a647; --badge: #0f1216; --badge-ink: #f2f4f7; --bad: #ff7b72; }
}
text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 13px; fill: var(--ink); }
.ground { fill: var(--ground); }
.title { font-size: 18px; font-weight: 600; }
.release { font-weight: 600; text-anchor: middle; }
.date { font-size: 11px; text-anchor: middle; fill: var(--faint); }
.group { font-size: 14px; font-weight: 600; }
.version { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; text-anchor: end; }
.grid, .rule { stroke: var(--line); stroke-width: 1; }
.served { fill: var(--served); }
.deprecated { fill: url(#hatch); stroke: var(--aging-line); stroke-width: 1; }
.deprecated-ground { fill: var(--aging); }
.deprecated-line { fill: var(--aging-line); opacity: 0.55; }
.badge circle, .badge rect { fill: var(--badge); stroke: var(--badge-ink); stroke-width: 1.5; }
.badge text { font-size: 11px; font-weight: 700; text-anchor: middle; fill: var(--badge-ink); }
.finding rect { fill: none; stroke: var(--bad); stroke-width: 3; }
.finding circle { fill: var(--bad); }
.finding text { font-size: 13px; font-weight: 800; text-anchor: middle; fill: var(--ground); }
`;

/**
 * Draws what each release of a history serves.
 * In: the history, and what breaks the policy in it. Out: an SVG document that stands alone, reads itself to those who
 * do not see it, and is legible on light and dark ground.
 */
export function svg(history: ApiHistory, findings: readonly LifecycleFinding[]): string {
  const layout = layoutOf(history, findings);
  const { width, height } = layout;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeXml(titleOf(history))}</title>`,
    `<desc id="description">${escapeXml(descriptionOf(history, findings))}</desc>`,
    `<style>${STYLE}</style>`,
    '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="deprecated-ground" width="7" height="7"/><rect class="deprecated-line" width="2.4" height="7"/></pattern></defs>',
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="title" x="20" y="30">${escapeXml(titleOf(history))}</text>`,
    ...columns(layout),
    ...layout.panels.flatMap((panel) => panelParts(panel, layout)),
    ...legend(layout, findings.length > 0),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

function titleOf({ releases }: ApiHistory): string {
  const [first, last] = [releases[0], releases.at(-1)];
  return `Versions from ${first?.name} to ${last?.name}`;
}

/** The drawing in words. */
function descriptionOf({ tracks }: ApiHistory, findings: readonly LifecycleFinding[]): string {
  const broken = findings.map(({ message }) => message);
  return [...tracks.map(trackText), ...broken].join(' ');
}

function trackText(track: Track): string {
  const rows = track.rows.map(({ release, versions, preferred, storage }) => {
    const served = [...versions].map(([name, service]) => (service === 'served' ? name : `${name} (deprecated)`));
    const roles = [preferred && `preferred ${preferred}`, storage && `stored ${storage}`].filter(Boolean);
    return `${release.name}: ${[served.join(', ') || 'nothing', ...roles].join('; ')}.`;
  });
  return `${track.name}, by release: ${rows.join(' ')}`;
}

function columns({ columns: all, legendY }: PlotLayout): string[] {
  return all.flatMap(({ release, x }) => [
    `<line class="grid" x1="${x}" y1="${HEADER - 40}" x2="${x}" y2="${legendY - 18}"/>`,
    `<text class="release" x="${x + COLUMN / 2}" y="${HEADER - 24}">${escapeXml(release.name)}</text>`,
    `<text class="date" x="${x + COLUMN / 2}" y="${HEADER - 8}">${release.date}</text>`,
  ]);
}

function panelParts({ track, y, lanes }: Panel, { left, width }: PlotLayout): string[] {
  return [
    `<line class="rule" x1="20" y1="${y}" x2="${width - 20}" y2="${y}"/>`,
    `<text class="group" x="20" y="${y + 23}">${escapeXml(track.name)}</text>`,
    ...lanes.flatMap((lane) => laneParts(lane, left)),
  ];
}

function laneParts({ version, y, bars, marks }: Lane, left: number): string[] {
  return [
    `<text class="version" x="${left - 12}" y="${y + LANE / 2 + 5}">${escapeXml(version)}</text>`,
    ...bars.map((bar) => barPart(version, bar, y)),
    ...marks.flatMap((mark) => markParts(version, mark, y)),
  ];
}

function barPart(version: string, { service, first, last, x, width }: Bar, y: number): string {
  const during = first === last ? `in ${first.name}` : `from ${first.name} to ${last.name}`;
  const word = service === 'served' ? 'served' : 'served, deprecated,';
  const title = escapeXml(`${version} is ${word} ${during}`);
  return `<rect class="${service}" x="${x + 2}" y="${y + 4}" width="${width - 4}" height="${LANE - 8}" rx="4"><title>${title}</title></rect>`;
}

function markParts(version: string, { release, x, preferred, storage, findings }: PlotMark, y: number): string[] {
  const middle = y + LANE / 2;
  const both = preferred && storage;
  const parts: string[] = [];
  if (preferred) parts.push(badge('preferred', 'P', both ? x - 12 : x, middle, `${release.name} prefers ${version}`));
  if (storage) parts.push(badge('storage', 'S', both ? x + 12 : x, middle, `${release.name} stores ${version}`));
  if (findings.length > 0) {
    const title = findings.map(({ rule, message }) => `Rule ${rule}: ${message}`).join(' ');
    parts.push(alarm({ x: x - COLUMN / 2 + 1, y: y + 2, width: COLUMN - 2, height: LANE - 4 }, title));
  }
  return parts;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A frame with a mark on its corner. */
function alarm({ x, y, width, height }: Box, title: string): string {
  const corner = x + width - 3;
  return `<g class="finding"><title>${escapeXml(title)}</title><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/><circle cx="${corner}" cy="${y + 3}" r="8"/><text x="${corner}" y="${y + 8}">!</text></g>`;
}

function badge(role: 'preferred' | 'storage', letter: string, x: number, y: number, title: string): string {
  const shape =
    role === 'preferred'
      ? `<circle cx="${x}" cy="${y}" r="9"/>`
      : `<rect x="${x - 9}" y="${y - 9}" width="18" height="18" rx="2"/>`;
  return `<g class="badge"><title>${escapeXml(title)}</title>${shape}<text x="${x}" y="${y + 4}">${letter}</text></g>`;
}

function legend({ legendY }: PlotLayout, broken: boolean): string[] {
  const y = legendY + 8;
  const entries: readonly (readonly [number, string, string])[] = [
    [20, `<rect class="served" x="20" y="${y - 11}" width="28" height="22" rx="4"/>`, 'served'],
    [116, `<rect class="deprecated" x="116" y="${y - 11}" width="28" height="22" rx="4"/>`, 'served, deprecated'],
    [306, badge('preferred', 'P', 317, y, 'preferred version'), 'preferred'],
    [416, badge('storage', 'S', 427, y, 'storage version'), 'stored'],
    ...(broken
      ? [[520, alarm({ x: 520, y: y - 11, width: 28, height: 22 }, 'breaks a rule'), 'breaks a rule'] as const]
      : []),
  ];
  return entries.flatMap(([x, shape, text]) => [
    shape,
    `<text class="legend" x="${x + 36}" y="${y + 5}">${text}</text>`,
  ]);
}
