import type { LifecycleFinding } from '../finding.ts';
import type { ApiHistory, Release, Service, Track } from '../history.ts';
import { versionsOf } from '../stints.ts';

/** Where everything of a drawing stands, in pixels of the SVG. */
export interface PlotLayout {
  readonly width: number;
  readonly height: number;
  readonly columns: readonly PlotColumn[];
  readonly panels: readonly Panel[];
  readonly legendY: number;
  readonly left: number;
}
export interface PlotColumn {
  readonly release: Release;
  readonly x: number;
}
/** The part of the drawing that shows one group. */
export interface Panel {
  readonly track: Track;
  readonly y: number;
  readonly lanes: readonly Lane[];
}
/** A version, from left to right. */
export interface Lane {
  readonly version: string;
  readonly y: number;
  readonly bars: readonly Bar[];
  readonly marks: readonly PlotMark[];
}
/** Releases in a row that do the same with a version. */
export interface Bar {
  readonly service: Service;
  readonly first: Release;
  readonly last: Release;
  readonly x: number;
  readonly width: number;
}
/** What a release makes of a version beyond serving it, and what breaks a rule there. */
export interface PlotMark {
  readonly release: Release;
  readonly x: number;
  readonly preferred: boolean;
  readonly storage: boolean;
  readonly findings: readonly LifecycleFinding[];
}

export const COLUMN = 76;
export const LANE = 34;
export const HEADER = 92;
const PANEL_TITLE = 34;
const MARGIN = 20;
const LEGEND = 66;
const CHARACTER = 8.2;

/** Lays out the versions of every group of a history over its releases. */
export function layoutOf({ releases, tracks }: ApiHistory, findings: readonly LifecycleFinding[]): PlotLayout {
  const names = tracks.flatMap(versionsOf);
  const left = MARGIN + Math.max(70, ...names.map((name) => name.length * CHARACTER)) + 14;
  const columns = releases.map((release, place) => ({ release, x: left + place * COLUMN }));
  let y = HEADER;
  const panels = tracks.map((track) => {
    const panel = panelOf(track, y, columns, findings);
    y += PANEL_TITLE + panel.lanes.length * LANE + 10;
    return panel;
  });
  return {
    columns,
    panels,
    left,
    legendY: y + 12,
    width: Math.max(left + columns.length * COLUMN + MARGIN, 640),
    height: y + LEGEND,
  };
}

function panelOf(
  track: Track,
  y: number,
  columns: readonly PlotColumn[],
  findings: readonly LifecycleFinding[],
): Panel {
  const lanes = versionsOf(track).map((version, place) => ({
    version,
    y: y + PANEL_TITLE + place * LANE,
    bars: barsOf(track, version, columns),
    marks: marksOf(track, version, columns, findings),
  }));
  return { track, y, lanes };
}

function barsOf({ rows }: Track, version: string, columns: readonly PlotColumn[]): Bar[] {
  const bars: Bar[] = [];
  for (const { release, versions } of rows) {
    const service = versions.get(version);
    const open = bars.at(-1);
    if (!service) continue;
    if (open?.service === service && open.last.place === release.place - 1) {
      bars[bars.length - 1] = { ...open, last: release, width: open.width + COLUMN };
    } else bars.push({ service, first: release, last: release, x: columns[release.place]?.x ?? 0, width: COLUMN });
  }
  return bars;
}

function marksOf(
  track: Track,
  version: string,
  columns: readonly PlotColumn[],
  findings: readonly LifecycleFinding[],
): PlotMark[] {
  return track.rows.flatMap(({ release, preferred, storage }) => {
    const broken = findings.filter(
      ({ element, releases }) => isAbout(element, track, version) && releases.at(-1) === release,
    );
    const mark = {
      release,
      x: (columns[release.place]?.x ?? 0) + COLUMN / 2,
      preferred: preferred === version,
      storage: storage === version,
      findings: broken,
    };
    return mark.preferred || mark.storage || broken.length > 0 ? [mark] : [];
  });
}

function isAbout(element: string, track: Track, version: string): boolean {
  const name = `${track.name}/${version}`;
  return element === name || element.startsWith(`${name} `);
}
