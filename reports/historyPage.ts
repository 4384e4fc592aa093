import { createHash } from 'node:crypto';
import type { AnswerSight, EventEntry, HistoryEntry, OperationEntry } from '../history/format.ts';
import { scopeOf } from '../history/scope.ts';
import { counted } from './counted.ts';
import { DESIGN } from './design.ts';
import { escapeHtml as e } from './escape.ts';
import { HISTORY_SCRIPT, HISTORY_STYLE } from './historyPageParts.ts';
import { STYLE } from './htmlParts.ts';
import { plainText } from './plainText.ts';

/** A promise that a history breaks, and the operations that show it; negative numbers stand for none. */
export interface BrokenPromise {
  readonly guarantee: string;
  readonly sentence: string;
  readonly operations: readonly number[];
}

/** The few requests of a history that are enough to show what is broken, and why these. */
export interface FewRequests {
  readonly operations: readonly number[];
  readonly reason: string;
}

/** One bar: a request of a client, from its sending to its answer. */
interface Bar {
  /** Row, from 0. */
  readonly row: number;
  readonly from: number;
  /** It opened a watch, and lasts until that one ends. */
  readonly watch: true | undefined;
  /** Absent where no answer came. */
  readonly to: number | undefined;
  /** Where the bar ends: without an answer, where the next of its row begins. */
  until: number;
  readonly number: number;
  readonly method: string;
  readonly path: string;
  /** What it is about, for a line of a few words: `configmaps/a in shop`. */
  readonly about: string;
  /** As whom its client asked, where a history tells it. */
  readonly user: string | undefined;
  /** Whoever asked has no right to it. */
  readonly denied: true | undefined;
  readonly status: number | undefined;
  /** The version that the answer showed. */
  readonly version: string | undefined;
  readonly told: string;
}
/** One event of a watch. */
interface Dot {
  readonly row: number;
  readonly at: number;
  /** Of the watch. */
  readonly number: number;
  readonly kind: string;
  readonly version: string | undefined;
  readonly name: string;
}

/** What the page draws. */
export interface HistoryPicture {
  /** A name for each row: clients, each with as many rows as it had requests at a time, and as it had watches. */
  readonly rows: readonly string[];
  readonly bars: readonly Bar[];
  readonly dots: readonly Dot[];
  readonly marks: readonly { readonly at: number; readonly text: string }[];
  readonly broken: readonly BrokenPromise[];
  /** Absent where nothing is broken, or where what shows it is not among the requests that are drawn. */
  readonly few: FewRequests | undefined;
}

/** Operations that a page holds; of a longer history those around the first broken promise. */
const MOST = 50_000;

/** Lays out a history, or one check of it, for the page; `few` are those requests of it that are known to be enough. */
export function pictureOf(
  entries: readonly HistoryEntry[],
  broken: readonly BrokenPromise[],
  few: FewRequests | undefined = thoseNamed(broken),
): HistoryPicture {
  const operations = window(
    entries.filter((entry): entry is OperationEntry => entry.type === 'operation').sort((a, b) => a.start - b.start),
    broken,
  );
  const drawn = new Set(operations.map(({ number }) => number));
  const events = new Map<number, EventEntry[]>();
  const closed = new Map<number, number>();
  for (const entry of entries) {
    if (entry.type === 'closed') closed.set(entry.number, entry.at);
    if (entry.type !== 'event') continue;
    const own = events.get(entry.number);
    if (own) own.push(entry);
    else events.set(entry.number, [entry]);
  }
  const rows: string[] = [];
  const bars: Bar[] = [];
  const last = new Map<number, Bar>();
  const latest = operations.reduce((most, { start, end }) => Math.max(most, end ?? start), 0);
  const several = new Set(operations.map(({ server }) => server)).size > 1;
  const laneOf = ({ client, server }: OperationEntry): string =>
    several && server !== undefined ? `${client} at ${server}` : client;
  const clients = [...new Set(operations.map(laneOf))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const dots: Dot[] = [];
  for (const client of clients) {
    // Its rows, of requests and of watches, and until when each is taken.
    const own: Rows = { requests: [], watches: [] };
    for (const operation of operations.filter((each) => laneOf(each) === client)) {
      const told = events.get(operation.number);
      const to = operation.end;
      const kind = told ? 'watches' : 'requests';
      let free = own[kind].find(({ until }) => until <= operation.start);
      if (!free) {
        free = { row: rows.length, until: 0 };
        const name = told ? `${client}, watches` : client;
        rows.push(own[kind].length === 0 ? name : `${name} (${own[kind].length + 1})`);
        own[kind].push(free);
      }
      const before = last.get(free.row);
      if (before && before.to === undefined) before.until = operation.start;
      const until = told ? (closed.get(operation.number) ?? latest) : (to ?? latest);
      free.until = told ? until : (to ?? operation.start);
      const bar = barOf(operation, { row: free.row, until, watch: told ? true : undefined });
      last.set(free.row, bar);
      bars.push(bar);
      for (const event of told ?? []) dots.push(dotOf(event, free.row, to ?? operation.start));
    }
  }
  const marks = entries.flatMap((entry) =>
    entry.type === 'mark' ? [{ at: entry.at, text: `${entry.mark}: ${entry.text}` }] : [],
  );
  const kept = few?.operations.some((number) => drawn.has(number)) ? few : undefined;
  return { rows, bars, dots, marks, broken, few: kept };
}

type Rows = Readonly<Record<'requests' | 'watches', { readonly row: number; until: number }[]>>;

/** Where nobody cut a history down: the requests that its first finding names. */
function thoseNamed([first]: readonly BrokenPromise[]): FewRequests | undefined {
  if (!first) return undefined;
  const operations = first.operations.filter((number) => number >= 0);
  return { operations, reason: 'The finding names these. Whether they are enough was not tried.' };
}

function window(operations: readonly OperationEntry[], broken: readonly BrokenPromise[]): readonly OperationEntry[] {
  if (operations.length <= MOST) return operations;
  const first = broken[0]?.operations.find((number) => number >= 0);
  const at = Math.max(
    0,
    operations.findIndex(({ number }) => number === first),
  );
  const from = Math.max(0, Math.min(at - MOST / 2, operations.length - MOST));
  return operations.slice(from, from + MOST);
}

function barOf(
  { number, start, end, method, path, user, denied, status, seen, sent, answer, failure, body }: OperationEntry,
  place: Pick<Bar, 'row' | 'until' | 'watch'>,
): Bar {
  const lines = [
    ...(body === undefined ? [] : [`sent ${short(body)}`]),
    ...(failure === undefined ? [] : [`no whole answer: ${failure}`]),
    ...(answer === undefined ? seenText(seen) : [`answered ${short(answer)}`]),
  ];
  const version = seen?.object?.version ?? seen?.version ?? versionIn(answer);
  const about = aboutOf(path, sent?.name);
  const told = lines.join('\n');
  return { ...place, from: start, to: end, number, method, path, about, user, denied, status, version, told };
}

/** A path in a few words: what of which type and where, and what of its query tells requests apart. */
function aboutOf(path: string, created: string | undefined): string {
  const [place = '', search = ''] = path.split('?');
  const scope = scopeIn(place);
  if (!scope) return place;
  const { type, namespace, name, subresource } = scope;
  const parts = [type.split('/').at(-1) ?? type, name || created, subresource].filter(Boolean);
  const query = new URLSearchParams(search);
  const asked = SHOWN_QUERY.flatMap((key) => {
    const value = query.get(key);
    return value === null || value === '' ? [] : [`${key} ${value.length > 24 ? `${value.slice(0, 23)}…` : value}`];
  });
  return [`${parts.join('/')}${namespace === '' ? '' : ` in ${namespace}`}`, ...asked].join(', ');
}
const SHOWN_QUERY = ['resourceVersion', 'resourceVersionMatch', 'limit', 'labelSelector', 'fieldSelector'];

function scopeIn(place: string): ReturnType<typeof scopeOf> {
  try {
    return scopeOf(place);
  } catch (error) {
    // What others recorded may hold a path that cannot be decoded.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function seenText(seen: AnswerSight | undefined): string[] {
  if (!seen) return [];
  if (seen.object) return [`answered ${seen.object.name}${seen.object.leaving ? ', on its way out' : ''}`];
  if (seen.items)
    return [
      `answered ${seen.items.length} objects: ${short(seen.items.map(({ name, version }) => `${name}@${version}`).join(' '))}`,
    ];
  return seen.reason === undefined ? [] : [`answered ${seen.reason}`];
}

function dotOf({ number, at, seen, event }: EventEntry, row: number, otherwise: number): Dot {
  const parsed = seen === undefined && event !== undefined ? json(event) : undefined;
  const kind = seen?.type ?? (typeof parsed?.type === 'string' ? parsed.type : 'event');
  const version = seen?.object?.version ?? seen?.version ?? versionIn(event);
  return { row, at: at ?? otherwise, number, kind, version, name: seen?.object?.name ?? '' };
}

const short = (text: string): string => (text.length > 400 ? `${text.slice(0, 397)}…` : text);
const versionIn = (text: string | undefined): string | undefined =>
  /"resourceVersion":\s*"([^"]+)"/.exec(text ?? '')?.[1];

function json(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A history as one file that needs no network: lanes of clients, requests as bars, what watches were told, and where a promise breaks. */
export function historyPage(title: string, picture: HistoryPicture): string {
  const hash = createHash('sha256').update(HISTORY_SCRIPT).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  const { bars, dots, broken, few } = picture;
  const verdict =
    broken.length === 0 ? 'No promise is broken.' : `${counted(broken.length, 'promise is', 'promises are')} broken.`;
  // Nothing in the data may end the element that holds it.
  const data = JSON.stringify(picture).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${e(plainText(title))}</title>
<style>${DESIGN}${STYLE}${HISTORY_STYLE}</style>
</head>
<body class="history">
<header>
<p class="brand">Touchstone · a history</p>
<div class="panel verdict ${broken.length === 0 ? 'conformant' : 'not-conformant'}">
<h1>${e(plainText(title))}</h1>
<p>${counted(bars.length, 'request')}, ${counted(dots.length, 'event')} of watches. ${verdict}</p>
</div>
</header>
<main>
${
  broken.length === 0
    ? ''
    : `<ol class="broken">${broken
        .slice(0, 50)
        .map(
          ({ guarantee, sentence }, at) =>
            `<li><button type="button" data-broken="${at}">${e(plainText(`${guarantee}: ${sentence}`))}</button></li>`,
        )
        .join('')}</ol>`
}
${few ? fewParts(few, bars) : ''}
<p class="legend">${LEGEND.map(([style, text]) => `<span><i class="${style}"></i>${text}</span>`).join('')}</p>
<p class="keys">Left and right go from request to request, up and down from row to row, + and − zoom, 0 shows all, B goes to the first broken promise${few ? ', M shows only the requests that matter' : ''}. Drag or turn the wheel to move, with Ctrl to zoom.</p>
<div id="plot" style="--rows: ${picture.rows.length}"><canvas id="picture" tabindex="0" role="application" aria-label="Requests of each client over time" aria-describedby="chosen"></canvas></div>
<div id="chosen" role="status"><p>Nothing is chosen.</p></div>
</main>
<script type="application/json" id="data">${data}</script>
<script>${HISTORY_SCRIPT}</script>
</body>
</html>
`;
}

/** What the colours and shapes of the page say. */
const LEGEND = [
  ['good', 'a write that was done'],
  ['read', 'a read'],
  ['odd', 'refused, or not answered'],
  ['bad', 'shows what is broken'],
  ['denied', 'asked without the right to it'],
  ['tick', 'a version was answered'],
  ['dot', 'an event of a watch'],
] as const;

function fewParts({ operations, reason }: FewRequests, bars: readonly Bar[]): string {
  const wanted = new Set(operations);
  const count = bars.filter(({ number }) => wanted.has(number)).length;
  return `<p class="few"><label><input type="checkbox" id="few"> Only the requests that matter: ${count} of ${bars.length}</label> <span>${e(plainText(reason))}</span></p>`;
}
