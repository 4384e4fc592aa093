import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isClauseName, requirementOf } from '../../fixtures/ledger/index.ts';
import {
  AIM,
  CHECK,
  CLAUSE,
  COUNTED,
  ENOUGH,
  FLAG,
  LABORIOUS,
  NEED,
  PLACE,
  REQUIREMENT,
  SETUP,
  SHARED,
  VARIANT,
} from '../../reports/annotations.ts';
import { checkId, idByTitle } from '../../reports/checkId.ts';
import type { ClauseName, RequirementId } from './requirements.ts';
import { needsOf, profilesOf } from './requirements.ts';
import type { Body } from './running/checkRun.ts';
import { sourceOf } from './running/inSources.ts';
import { aimsOf, currentMutants, isPutTo } from './running/mutants.ts';
import { play } from './running/play.ts';
import { declareTest } from './running/playwrightTest.ts';
import { CHECKS_FOLDER, choosesAll, currentSelection, isChosen } from './running/selection.ts';
import type { Setup, SetupOf } from './starting/setup.ts';
import { keepSetup } from './starting/setups.ts';
import type { Capability } from './target/capabilities.ts';

/** Requirements, or the clauses of them that the check judges. */
type Evidenced = readonly [RequirementId | ClauseName, ...(RequirementId | ClauseName)[]];

/** What a check asks for beyond its requirements. */
interface Circumstances {
  readonly needs?: readonly Capability[];
  /** Flags of the server that it looks at, which is started for it: such a check needs `launch`. */
  readonly flags?: readonly string[];
  /**
   * How the server is started that it looks at. Checks that name the same setup share a server, one for each worker,
   * so a setup is a constant of its file. Such a check needs `launch`, which is added, or what `orElse` names.
   */
  readonly setup?: Setup | SetupOf;
  /**
   * What a target that was running already must offer to be looked at as it is, in place of a server with the setup or
   * of those that the check starts. Then the check does not need `launch`.
   */
  readonly orElse?: readonly Capability[];
  /** An object of the target that has one name for all: checks that name the same one run one after another. */
  readonly shares?: string;
  /** It works all the time, for much longer than others, and hardly waits: a process runs one such check at a time. */
  readonly laborious?: true;
}

type Asked = readonly Capability[] | Circumstances;

/** The requirement that it was written for and a number; behind a slash what tells a row of a table from the others. */
type WrittenId = `${RequirementId}.${number}` | `${RequirementId}.${number}/${string}`;

/**
 * Declares a check: one behaviour, told as `actor does what → what is seen`, and the requirements it is evidence for,
 * or the clauses of them. A check that names clauses judges each with `clause`, or all of them as a whole.
 * It is unsupported where the target lacks what the requirements need, what the actors of the body need, or what
 * `needs` names beyond that. The body asks for its actors by destructuring. Its id stays whatever becomes of its title;
 * `tools/checkIds.ts` writes one in front of a title that has none.
 */
export function check(id: WrittenId, title: string, evidenced: Evidenced, body: Body): void;
export function check(id: WrittenId, title: string, evidenced: Evidenced, asked: Asked, body: Body): void;
export function check(title: string, evidenced: Evidenced, body: Body): void;
export function check(title: string, evidenced: Evidenced, asked: Asked, body: Body): void;
export function check(...given: readonly [WrittenId, ...Told] | Told): void {
  const [written, [title, evidenced, ...rest]] = apart(given);
  const [asked, body] = rest.length === 1 ? [[], rest[0]] : rest;
  const {
    needs: named = [],
    flags = [],
    setup,
    orElse,
    shares,
    laborious,
  }: Circumstances = 'length' in asked ? { needs: asked } : asked;
  const needs: readonly Capability[] = [
    ...named,
    ...askedBy(body).filter((need) => need !== 'launch' || orElse === undefined),
    ...(orElse ?? (setup === undefined ? [] : (['launch'] as const))),
  ];
  const names: readonly string[] = evidenced;
  const clauses = names.filter((each) => each.includes('/'));
  const unknown = clauses.find((each) => !isClauseName(each));
  if (unknown !== undefined) throw new Error(`${unknown} is no clause of the ledger`);
  const requirements = [...new Set(names.map(requirementOf))];
  // Where a check stands is told by the runner; a worker has to find it out where that chooses the checks.
  const told = written !== undefined && mutants === undefined && isWorker() && choosesAll(chosen);
  const place = told ? '' : placeOfCaller();
  const file = told ? '' : relative(FOLDER, place.slice(0, place.lastIndexOf(':')));
  const id = written === undefined ? idByTitle(file, title) : checkId(written);
  const choosable = { id, title, file, requirements, clauses, profiles: profilesOf(requirements) };
  if (!told && !isChosen(choosable, chosen)) return;
  const annotations = [
    { type: CHECK, description: id },
    ...requirements.map((each) => ({ type: REQUIREMENT, description: each })),
    ...clauses.map((each) => ({ type: CLAUSE, description: each })),
    ...[...new Set([...needsOf(requirements), ...needs])].map((need) => ({ type: NEED, description: need })),
    ...flags.map((flag) => ({ type: FLAG, description: flag })),
    ...(setup === undefined ? [] : [{ type: SETUP, description: id }]),
    ...(shares === undefined ? [] : [{ type: SHARED, description: shares }]),
    ...(laborious ? [{ type: LABORIOUS, description: 'it hardly waits' }] : []),
    ...(told ? [] : [{ type: PLACE, description: place }]),
  ];
  if (setup !== undefined) keepSetup(id, setup);
  const tags = requirements.map((each) => `@${each}`);
  const judged = ending(body);
  if (!mutants) declareTest({ title, annotations, body: judged }, tags);
  for (const mutant of mutants ?? []) {
    if (!isPutTo(mutant, choosable)) continue;
    const variant = [
      { type: VARIANT, description: mutant.id },
      ...(mutant.enough === undefined ? [] : [{ type: ENOUGH, description: String(mutant.enough) }]),
      ...(mutant.counted ?? []).map((each) => ({ type: COUNTED, description: each })),
      ...(mutant.once ? aimsOf(mutant, choosable).map((each) => ({ type: AIM, description: each })) : []),
    ];
    declareTest({ title, annotations: [...annotations, ...variant], body: judged }, tags);
  }
}

type Told = readonly [title: string, evidenced: Evidenced, ...(readonly [Body] | readonly [Asked, Body])];

/** An id, where there is one, and what is told behind it. */
function apart(told: readonly [WrittenId, ...Told] | Told): [WrittenId | undefined, Told] {
  if (!isNumbered(told)) return [undefined, told];
  const [id, ...rest] = told;
  return [id, rest];
}
function isNumbered(told: readonly [WrittenId, ...Told] | Told): told is readonly [WrittenId, ...Told] {
  return typeof told[1] === 'string';
}

/** A body as {@link play} has it. What it asks for is read from its text. */
function ending(body: Body): Body {
  const judged: Body = (cast, info) => play(() => body(cast, info));
  return Object.defineProperty(judged, 'toString', { value: () => body.toString() });
}

/** What a target must offer for somebody or something that a body can ask for by name. */
const NEEDS_OF_CAST: Readonly<Partial<Record<string, Capability>>> = {
  stranger: 'plain-identity',
  person: 'impersonation',
  clock: 'virtual-clock',
  store: 'store-access',
  start: 'launch',
};
/** What the names ask for that a body takes from its cast: they stand in its text, where Playwright reads them too. */
function askedBy(body: Body): Capability[] {
  const [, names = ''] = /^[^(]*\(\s*\{([^}]*)\}/.exec(body.toString()) ?? [];
  return names.split(/[,:]/).flatMap((name) => NEEDS_OF_CAST[name.trim()] ?? []);
}

const FOLDER = process.env[CHECKS_FOLDER] ?? process.cwd();
const chosen = currentSelection();
const mutants = currentMutants();

/** Whether this is one of the processes in which checks run, as Playwright says. */
const isWorker = () => process.env.TEST_WORKER_INDEX !== undefined;

/** Frames of a stack that hold the caller of `check`, unless it is called through many others. */
const NEAR = 5;
const FAR = 50;
/** `file:line` of the line that called `check`; Playwright itself would name this file. */
function placeOfCaller(): string {
  const frame = specIn(NEAR) ?? specIn(FAR) ?? '';
  const [, place = '', line = ''] =
    /(?:\(|at |async )((?:file:|\/|[A-Za-z]:[\\/])\S*?):(\d+):\d+\)?$/.exec(frame) ?? [];
  return `${place.startsWith('file:') ? fileURLToPath(place) : place}:${line}`;
}

/**
 * The innermost frame of a file of checks, as text. What writes a stack looks each frame up in source maps, which is
 * most of what declaring a check costs: it is handed that frame alone.
 */
function specIn(frames: number): string | undefined {
  const { stackTraceLimit, prepareStackTrace: write } = Error;
  Error.stackTraceLimit = frames;
  Error.prepareStackTrace = (error, sites) => {
    const site = sites.find((each) => sourceOf(each)?.includes('.spec.'));
    if (site === undefined) return undefined;
    return write === undefined ? `at ${site}` : write(error, [site]);
  };
  try {
    const { stack } = new Error();
    return stack?.split('\n').find((line) => line.includes('.spec.'));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = write;
  }
}
