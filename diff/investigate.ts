import { compare, type SeenDifference } from '../suites/sequences/compare.ts';
import type { Generator } from '../suites/sequences/generate.ts';
import { impatient, type Played, patient, play } from '../suites/sequences/play.ts';
import { shortest } from '../suites/sequences/shrink.ts';
import type { Side } from '../suites/sequences/side.ts';
import type { Step } from '../suites/sequences/step.ts';
import { type Finding, nameOf } from './cause.ts';
import { NoAnswer } from './httpSide.ts';

export interface Investigation {
  readonly first: Side;
  readonly second: Side;
  readonly generator: Generator;
  /** Sequences to play. */
  readonly count: number;
  /** Milliseconds after which no further sequence is begun. */
  readonly within: number;
  /** Whether differences in texts for people count. */
  readonly wording: boolean;
  /** Where it is aborted no further sequence is begun, and what was found is cut no further. */
  readonly signal?: AbortSignal;
  /** Told before each sequence. */
  readonly progress?: (done: number, findings: number) => void;
}

export interface Investigated {
  readonly sequences: number;
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** Differences that did not show again when the same was asked anew. */
  readonly passing: readonly string[];
  /** Which server did not answer, and what, where it ended for that; a clause. */
  readonly silent?: string;
}

/** How often shortening one sequence may play it. */
const CUTS = 120;
/** Findings of one name that are shortened; more are only counted. */
const EXAMPLES = 2;

/** Puts sequences to both servers, until one does not answer, and shortens each that they answer differently. */
export async function investigate(work: Investigation): Promise<Investigated> {
  const { first, second, generator, count, within, progress, signal } = work;
  const pair = new Pair(first, second, { wording: work.wording, signal });
  const findings: Finding[] = [];
  const passing: string[] = [];
  const counted = new Map<string, number>();
  const until = performance.now() + within;
  let requests = 0;
  let at = 0;
  let silent: string | undefined;
  try {
    for (; at < count && performance.now() < until && !signal?.aborted; at++) {
      progress?.(at, findings.length);
      const { area, steps } = generator.sequence(at);
      requests += steps.length;
      const [difference] = (await pair.play(steps)).differences;
      if (!difference) continue;
      const rough = nameOf(steps, difference);
      const known = counted.get(rough) ?? 0;
      counted.set(rough, known + 1);
      if (known >= EXAMPLES) continue;
      const finding = await pair.shorten(area, steps);
      if (finding) findings.push(finding);
      else passing.push(rough);
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    silent = error.message;
  }
  progress?.(at, findings.length);
  return { sequences: at, requests, findings, passing, ...(silent === undefined ? {} : { silent }) };
}

interface Both {
  readonly first: Played;
  readonly second: Played;
  readonly differences: readonly SeenDifference[];
}

/** Two servers that the same is asked of. */
export class Pair {
  readonly #first: Side;
  readonly #second: Side;
  readonly #wording: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #run = Math.floor(performance.timeOrigin % 46_656).toString(36);
  #plays = 0;

  /** @param signal where it is aborted nothing is cut any further */
  constructor(
    first: Side,
    second: Side,
    { wording, signal }: { readonly wording: boolean; readonly signal?: AbortSignal | undefined },
  ) {
    this.#first = first;
    this.#second = second;
    this.#wording = wording;
    this.#signal = signal;
  }

  /** Plays steps on both, under names that nobody used before. */
  async play(steps: readonly Step[], isPatient = impatient): Promise<Both> {
    const id = `ts${this.#run}${(this.#plays++).toString(36).padStart(4, '0')}`;
    const [first, second] = await Promise.all([
      play(this.#first, `${id}x`, steps, isPatient),
      play(this.#second, `${id}y`, steps, isPatient),
    ]);
    const all = compare(first.seen, second.seen);
    return { first, second, differences: this.#wording ? all : all.filter(({ wording }) => !wording) };
  }

  /**
   * The fewest steps after which the servers still differ in the same way, each with no more than matters.
   * @returns undefined where they no longer differ when the same is asked with more patience
   */
  async shorten(area: string, steps: readonly Step[]): Promise<Finding | undefined> {
    let best = await this.play(steps, patient);
    const [found] = best.differences;
    if (!found) return undefined;
    const last = steps[found.step];
    const same = (asked: readonly Step[], both: Both): boolean => {
      const now = both.differences[0];
      return now !== undefined && asked[now.step] === last && alike(now, found);
    };
    let kept: readonly Step[] = steps.slice(0, found.what === 'events' ? steps.length : found.step + 1);
    const holds = async (shorter: readonly Step[]): Promise<boolean> => {
      if (this.#signal?.aborted) return false;
      const both = await this.play(shorter);
      if (!same(shorter, both)) return false;
      best = both;
      return true;
    };
    if (!(await holds(kept))) kept = steps;
    kept = await shortest(kept, holds, CUTS);
    return this.#simplify(area, kept, best);
  }

  /** Takes away parameters, headers and members that do not matter. */
  async #simplify(area: string, steps: readonly Step[], both: Both): Promise<Finding> {
    const difference = both.differences[0] as SeenDifference;
    let kept: readonly Step[] = steps;
    let best = both;
    let shown = difference;
    let asked = 0;
    for (let at = 0; at < kept.length; at++) {
      for (let again = true; again && asked < CUTS; ) {
        again = false;
        for (const simpler of simplerForms(kept[at] as Step)) {
          if (asked++ >= CUTS || this.#signal?.aborted) break;
          const steps = kept.with(at, simpler);
          const now = await this.play(steps);
          const [found] = now.differences;
          if (!found || found.step !== shown.step || !alike(found, shown)) continue;
          kept = steps;
          best = now;
          shown = found;
          again = true;
          break;
        }
      }
    }
    return { area, steps: kept, difference: shown, first: best.first, second: best.second };
  }
}

/** Whether two differences are in the same place, and of the same kind. */
function alike(a: SeenDifference, b: SeenDifference): boolean {
  if (a.what !== b.what || a.path !== b.path) return false;
  return a.path !== 'status' || (a.first === b.first && a.second === b.second);
}

/** A step with one thing less in it, or asked by somebody of whom less has to be known. */
function* simplerForms(step: Step): IterableIterator<Step> {
  if (typeof step.as === 'object') {
    yield { ...step, as: 'admin' };
    yield { ...step, as: 'nobody' };
  }
  const [path = '', query = ''] = step.path.split('?');
  const parts = query === '' ? [] : query.split('&');
  for (const part of parts) {
    const rest = parts.filter((each) => each !== part).join('&');
    if (part !== 'watch=true') yield { ...step, path: rest === '' ? path : `${path}?${rest}` };
  }
  for (const name of Object.keys(step.headers ?? {})) {
    if (name === 'content-type') continue;
    const { [name]: _, ...headers } = step.headers ?? {};
    yield { ...step, headers };
  }
  if (step.form !== undefined) {
    const { form: _, ...rest } = step;
    yield rest;
  }
  const { body } = step;
  if (typeof body !== 'object' || body === null) return;
  if (Array.isArray(body)) {
    for (let at = 0; at < body.length; at++) yield { ...step, body: body.toSpliced(at, 1) };
    return;
  }
  for (const [name, inner] of Object.entries(body)) {
    if (name === '$of' || name === 'apiVersion' || name === 'kind') continue;
    const { [name]: _, ...rest } = body as Record<string, typeof inner>;
    if (name !== 'metadata' && name !== 'spec') yield { ...step, body: rest as typeof body };
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    for (const member of Object.keys(inner)) {
      if (member === 'name' && name === 'metadata') continue;
      const { [member]: __, ...others } = inner as Record<string, typeof inner>;
      yield { ...step, body: { ...body, [name]: others } as typeof body };
    }
  }
}
