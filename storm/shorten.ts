import type { HistoryEntry } from '../history/format.ts';
import { scopeOf } from '../history/scope.ts';
import { type GuaranteeName, judge } from '../suites/guarantees/index.ts';
import { shortest } from '../suites/sequences/shrink.ts';
import { type Playing, playScript, type Script, type ScriptedOperation } from './script.ts';

/** What a storm found broken. */
export interface StormFinding {
  readonly guarantee: GuaranteeName;
  /** What was seen, as a sentence. */
  readonly sentence: string;
  /** Numbers of the operations that show it. */
  readonly operations: readonly number[];
}
export interface Shortening {
  readonly script: Script;
  /** Some of each guarantee that was found broken, root causes first. */
  readonly findings: readonly StormFinding[];
  /** A name for each time that something is played. */
  readonly name: (play: number) => string;
  readonly playing: Omit<Playing, 'name'>;
  /** Milliseconds after which no further cut is tried. */
  readonly within: number;
  /** Aborted where none is to be tried any more. */
  readonly signal: AbortSignal;
}
export interface Shortened {
  /** The fewest operations that showed it again. */
  readonly script: Script;
  readonly finding: StormFinding;
  /** How often it was played. */
  readonly plays: number;
}

/** How often one cut is tried: what happens among many clients does not happen each time. */
const TRIES = 3;
/** So few operations as a beginning are tried once, as longer parts have them too. */
const FEW = 12;
/** A longer part of a history is not played again. */
const MOST_OPERATIONS = 3_000;
const MOST_CUTS = 300;
/** So much before what shows it is looked at for what brought it about, in milliseconds. */
const BEFORE = [50, 250, 1_000, 4_000, 16_000];

/**
 * The fewest operations of a storm after which its servers break the same guarantee again. Each cut is confirmed by
 * playing what is left. Where several guarantees are broken, often by one cause, it is the one that shows again in the
 * shortest part of the history.
 * @returns undefined where none shows again at all. Throws NoReplay.
 */
export async function shortenStorm(work: Shortening): Promise<Shortened | undefined> {
  const { script, findings, playing, within, signal } = work;
  const until = performance.now() + within;
  let plays = 0;
  let seen: StormFinding | undefined;
  const shows = async (
    finding: StormFinding,
    operations: readonly ScriptedOperation[],
    tries = TRIES,
  ): Promise<boolean> => {
    for (let at = 0; at < tries && performance.now() < until && !signal.aborted; at += 1) {
      plays += 1;
      const entries = await playScript({ ...script, operations }, { ...playing, name: work.name(plays) });
      const found = findingIn(entries, finding.guarantee);
      if (!found) continue;
      seen = found;
      return true;
    }
    return false;
  };
  // Of what breaks a guarantee once more only what is played in a moment.
  const isFirst = (finding: StormFinding) =>
    findings.find(({ guarantee }) => guarantee === finding.guarantee) === finding;
  const candidates = findings.flatMap((finding) =>
    [...likelyParts(script, finding)]
      .filter((part) => part.length <= FEW || isFirst(finding))
      .map((part) => ({ finding, part })),
  );
  candidates.sort((a, b) => a.part.length - b.part.length);
  for (const { finding, part } of candidates) {
    if (!(await shows(finding, part, part.length <= FEW ? 1 : TRIES))) continue;
    const operations = await shortest(part, (cut) => shows(finding, cut), MOST_CUTS);
    return { script: { ...script, operations }, finding: seen ?? finding, plays };
  }
  return undefined;
}

/** The first thing that breaks a guarantee in a history. */
export function findingIn(entries: Iterable<HistoryEntry>, guarantee: GuaranteeName): StormFinding | undefined {
  return findingsIn(entries).find((finding) => finding.guarantee === guarantee);
}
/** Of each guarantee that a history breaks, what breaks it first. */
export function findingsIn(entries: Iterable<HistoryEntry>): readonly StormFinding[] {
  return judge(entries).flatMap(({ guarantee: { name }, finding }) =>
    finding.violations.slice(0, BEGINNINGS).map((each) => ({ guarantee: name, ...each })),
  );
}
/** How many violations of one guarantee are looked at: some show again more surely than others. */
const BEGINNINGS = 3;

/**
 * Parts of a script that may show a finding, the shortest first: what it names, with the writes that led there, all that
 * is about its objects, then all of a while before it.
 */
function* likelyParts(
  { operations }: Script,
  { operations: numbers }: StormFinding,
): Generator<readonly ScriptedOperation[]> {
  const shown = operations.filter(({ number }) => numbers.includes(number));
  const ended = shown.map(({ closed, end, start }) => closed ?? end ?? start);
  const last = ended.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ended);
  const names = new Set(shown.flatMap((operation) => objectOf(operation) ?? []));
  const sizes = new Set<number>();
  const fresh = (part: readonly ScriptedOperation[]): boolean => {
    const unlike = part.length > 0 && !sizes.has(part.length);
    sizes.add(part.length);
    return unlike;
  };
  const before = operations.filter(({ start }) => start <= last);
  if (fresh(shown)) yield shown;
  const begun = Math.max(...shown.map(({ start }) => start));
  const led = before.filter(
    (operation) =>
      numbers.includes(operation.number) ||
      (operation.method !== 'GET' && operation.start <= begun && names.has(objectOf(operation) ?? '')),
  );
  if (fresh(led) && led.length <= MOST_OPERATIONS) yield led;
  const own = before.filter((operation) => numbers.includes(operation.number) || names.has(objectOf(operation) ?? ''));
  if (fresh(own) && own.length <= MOST_OPERATIONS) yield own;
  for (const span of BEFORE) {
    const from = (Number.isFinite(last) ? last : (operations.at(-1)?.start ?? 0)) - span;
    // A watch that was open is a part of that while, however long ago it began.
    const part = before.filter(({ start, closed }) => start >= from || (closed ?? start) >= from);
    if (fresh(part) && part.length <= MOST_OPERATIONS) yield part;
  }
  const latest = before.slice(-MOST_OPERATIONS);
  if (fresh(latest)) yield latest;
}

/** The object that an operation is about, of which type and where. */
function objectOf({ path, sent }: ScriptedOperation): string | undefined {
  const scope = scopeOf(path.split('?')[0] ?? '');
  const name = scope?.name || sent?.name;
  return scope && name ? `${scope.type} ${scope.namespace} ${name}` : undefined;
}
