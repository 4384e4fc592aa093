import type { HistoryEntry } from '../../history/format.ts';
import { Facts } from './facts.ts';
import {
  type AllFindings,
  Findings,
  GUARANTEES,
  type Guarantee,
  type GuaranteeName,
  type GuaranteeResult,
  SENTENCES,
} from './guarantee.ts';
import { examineObjects, versionsRise } from './objects.ts';
import { examineReads } from './reads.ts';
import { Timeline } from './timeline.ts';
import { examineWatches } from './watches.ts';

/** What was found of one guarantee. */
export interface GuaranteeFinding {
  readonly guarantee: Guarantee;
  readonly finding: GuaranteeResult;
}

/**
 * Judges a history as it is read, entry by entry: what it keeps of one is a few numbers. The order of writes is that of
 * their versions, so that time and memory grow with the length of the history and no faster than sorting it.
 */
export class Judge {
  readonly #facts = new Facts();

  take(entry: HistoryEntry): void {
    this.#facts.take(entry);
  }
  get operations(): number {
    return this.#facts.operations;
  }
  /** What every guarantee comes to. To be asked once, at the end. */
  findings(): readonly GuaranteeFinding[] {
    const facts = this.#facts;
    const names = Object.keys(SENTENCES) as GuaranteeName[];
    const found = Object.fromEntries(names.map((name) => [name, new Findings()])) as AllFindings;
    const timeline = new Timeline(facts);
    const bound = unorderedBecause(timeline);
    if (bound === undefined) {
      examineObjects(timeline, found);
      examineReads(timeline, found);
      examineWatches(timeline, found);
    } else for (const name of names) found[name].bound = bound;
    return GUARANTEES.map((guarantee) => ({ guarantee, finding: found[guarantee.name].done() }));
  }
}

/** Why versions do not give the order of writes: nobody has promised that they do. */
function unorderedBecause(timeline: Timeline): string | undefined {
  const { opaque } = timeline.facts;
  if (opaque !== undefined) {
    return `version ${JSON.stringify(opaque)} is no decimal number, so that the order of versions is not known`;
  }
  return versionsRise(timeline)
    ? undefined
    : 'versions do not rise from write to write, so that their order says nothing';
}

/** What every guarantee comes to over a history in memory. */
export function judge(entries: Iterable<HistoryEntry>): readonly GuaranteeFinding[] {
  const judge = new Judge();
  for (const entry of entries) judge.take(entry);
  return judge.findings();
}
