import { ledger, requirementOf } from '../fixtures/ledger/index.ts';
import { isRequirementId } from '../fixtures/ledger/ledger.ts';
import { MUTANTS } from '../mutants/index.ts';
import type { Mutant } from '../mutants/mutant.ts';
import type { WebhookWords } from '../suites/oracle/webhookByName.ts';
import { compare } from '../suites/sequences/compare.ts';
import type { Generator } from '../suites/sequences/generate.ts';
import type { Seen } from '../suites/sequences/normal.ts';
import { impatient, play } from '../suites/sequences/play.ts';
import type { Side } from '../suites/sequences/side.ts';
import type { Step } from '../suites/sequences/step.ts';
import { nameOf } from './cause.ts';
import { startMutant } from './embeddedSide.ts';

/** Needs of a requirement that only flags of its own, another start or another clock can meet. */
const BEYOND_REQUESTS: ReadonlySet<string> = new Set([
  'launch',
  'releases',
  'restart',
  'store-access',
  'virtual-clock',
  'audit-log',
]);

/** The mutants that need no flags of their own: they can show in requests to a server started like any other. */
export const blindMutants: readonly Mutant[] = MUTANTS.filter(({ breaks, defect }) => {
  const needs = breaks
    .map(requirementOf)
    .filter(isRequirementId)
    .flatMap((id) => ledger[id].needs);
  return defect().start === undefined && !needs.some((need) => BEYOND_REQUESTS.has(need));
});

/** Whether sequences alone, with no check, told a mutant from the reference. */
export interface BlindRow {
  readonly mutant: string;
  readonly sentence: string;
  /** First part of the requirement that it breaks: `WATCH`. */
  readonly area: string;
  /** What told it; undefined where nothing did. */
  readonly told: string | undefined;
  /** Sequences until then. */
  readonly sequences: number;
}

/** Sequences that mutants get, all of them with the same webhook or all with none. */
export interface BlindPart {
  readonly generator: Generator;
  readonly count: number;
  readonly webhook?: WebhookWords;
}
/** A part, and what the reference does with each sequence: `undefined` for one that it does not answer alike twice. */
interface KnownPart extends BlindPart {
  readonly sound: readonly (readonly Seen[] | undefined)[];
}

/** Plays the same sequences to the reference once, and to each mutant until it does something else. */
export async function blindScore(
  mutants: readonly Mutant[],
  parts: readonly BlindPart[],
  progress: (row: BlindRow) => void,
): Promise<readonly BlindRow[]> {
  const known: KnownPart[] = [];
  for (const part of parts) known.push({ ...part, sound: await soundly(part) });
  const rows: BlindRow[] = [];
  for (const mutant of mutants) {
    const row = await judge(mutant, known);
    progress(row);
    rows.push(row);
  }
  return rows;
}

const idOf = (at: number): string => `s${at.toString(36).padStart(5, '0')}`;

async function soundly({ generator, count, webhook }: BlindPart): Promise<KnownPart['sound']> {
  const once = await startMutant('once', [], undefined, webhook === undefined);
  const again = await startMutant('again', [], undefined, webhook === undefined);
  try {
    const all: (readonly Seen[] | undefined)[] = [];
    for (let at = 0; at < count; at++) {
      const { steps } = generator.sequence(at);
      const first = await play(once, idOf(at), steps, impatient, webhook);
      const second = await play(again, idOf(at), steps, impatient, webhook);
      const stable = compare(first.seen, second.seen).every(({ wording }) => wording);
      all.push(stable ? first.seen : undefined);
    }
    return all;
  } finally {
    await once.close();
    await again.close();
  }
}

async function judge(mutant: Mutant, parts: readonly KnownPart[]): Promise<BlindRow> {
  const about = { mutant: mutant.id, sentence: mutant.sentence, area: mutant.breaks[0]?.split('-')[0] ?? '' };
  let sequences = 0;
  for (const part of parts) {
    const side = await startMutant(mutant.id, [], mutant, part.webhook === undefined);
    try {
      const { told, after } = await toldIn(side, part);
      sequences += after;
      if (told !== undefined) return { ...about, told, sequences };
    } catch (error) {
      // A server that does not answer at all has told on itself.
      return { ...about, told: error instanceof Error ? error.message : String(error), sequences: 0 };
    } finally {
      await side.close();
    }
  }
  return { ...about, told: undefined, sequences };
}

/** What told a mutant in the sequences of a part, and after how many of them. */
async function toldIn(
  side: Side,
  { generator, webhook, sound }: KnownPart,
): Promise<{ readonly told: string | undefined; readonly after: number }> {
  for (const [at, expected] of sound.entries()) {
    if (!expected) continue;
    const { steps } = generator.sequence(at);
    const first = await told(side, idOf(at), steps, expected, webhook);
    if (first === undefined) continue;
    // What does not show again, under other names, is chance.
    const again = await told(side, `r${idOf(at).slice(1)}`, steps, expected, webhook);
    if (again === first) return { told: first, after: at + 1 };
  }
  return { told: undefined, after: sound.length };
}

/** The name of the first difference from what the reference does. */
async function told(
  side: Side,
  id: string,
  steps: readonly Step[],
  expected: readonly Seen[],
  webhook: WebhookWords | undefined,
): Promise<string | undefined> {
  const { seen } = await play(side, id, steps, impatient, webhook);
  const difference = compare(expected, seen).find(({ wording }) => !wording);
  return difference && nameOf(steps, difference);
}

/** The score in a sentence, and what was missed by area. */
export function blindText(rows: readonly BlindRow[]): string {
  const missed = rows.filter(({ told }) => told === undefined);
  const found = rows.length - missed.length;
  const percent = rows.length === 0 ? 0 : (100 * found) / rows.length;
  const areas = [...new Set(rows.map(({ area }) => area))].sort();
  const lines = areas.flatMap((area) => {
    const own = missed.filter((row) => row.area === area);
    if (own.length === 0) return [];
    const all = rows.filter((row) => row.area === area).length;
    return [
      '',
      `${area}: ${all - own.length} of ${all}`,
      ...own.map(({ mutant, sentence }) => `  ${mutant}: ${sentence}`),
    ];
  });
  return [
    `Blind score: ${found} of ${rows.length} mutants (${percent.toFixed(1)} %) are told from the reference by generated requests alone.`,
    ...lines,
  ].join('\n');
}
