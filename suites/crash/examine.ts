import { Findings, type GuaranteeResult } from '../guarantees/guarantee.ts';
import { judge } from '../guarantees/index.ts';
import { isRecord } from '../harness/index.ts';
import { type CrashRun, FOLLOWERS, REPLAYER } from './crashRun.ts';
import type { Operation } from './history.ts';
import { fateOf, type LoggedEvent, markSent, type Sight, sightOf, sightsIn, toldTo } from './ledger.ts';

/** What must hold of a run whatever happened to the server, by name. */
export const PROMISES = {
  'versions-once': 'No version is given out twice, and each change has a higher one than those before it.',
  'acknowledged-kept': 'Every write that was answered with success is there, under the version that was answered.',
  'nothing-else': 'What was refused is not there, and what was not answered is there as a whole or not at all.',
  'reads-true': 'What is read is what was there at that version, and no older than what was answered before.',
  'watch-resumed': 'A watch that resumes after the last version it saw tells every change once.',
} as const;
export type Promised = keyof typeof PROMISES;

/** What holds of a run and what was found of it. */
export interface Judged {
  readonly sentence: string;
  readonly finding: GuaranteeResult;
}
/**
 * Judges a run by the promises where a watch told all of it. A server may keep no history over its end: then what each
 * client saw has to fit together.
 */
export function judgeCrashes(run: CrashRun): readonly Judged[] {
  if (run.forgotten) {
    const together = judge(run.entries).map(({ guarantee, finding }) => ({ ...guarantee, finding }));
    return [{ sentence: PROMISES['acknowledged-kept'], finding: keptInTheEnd(run) }, ...together];
  }
  const examined = Object.entries(examineCrashes(run)) as [Promised, GuaranteeResult][];
  return examined.map(([name, finding]) => ({ sentence: PROMISES[name], finding }));
}

/** Judges a run by what its clients saw, and by nothing else. The log is what a watch from the first version tells. */
export function examineCrashes(run: CrashRun): Readonly<Record<Promised, GuaranteeResult>> {
  const log = toldTo(REPLAYER, run.history);
  const ours = run.history.operations.filter(({ client }) => client.startsWith('writer-'));
  return {
    'versions-once': versionsOnce(run, log, ours),
    'acknowledged-kept': acknowledgedKept(log, ours),
    'nothing-else': nothingElse(log, ours),
    'reads-true': readsTrue(run, log, ours),
    'watch-resumed': watchResumed(run, log),
  };
}

function versionsOnce(run: CrashRun, log: readonly LoggedEvent[], ours: readonly Operation[]): GuaranteeResult {
  const findings = new Findings();
  let before = Number(run.first.version);
  for (const { version, type, name } of log) {
    findings.case(version > before, () => `${type} ${name} came with version ${version} after ${before}`, []);
    before = version;
  }
  const marks = new Map<number, string>();
  for (const operation of ours) {
    for (const { version, mark, uid } of sightsIn(operation)) {
      const other = marks.get(version) ?? `${mark} ${uid}`;
      marks.set(version, other);
      findings.case(other === `${mark} ${uid}`, () => `version ${version} stands for ${other} and for ${mark} ${uid}`, [
        operation.number,
      ]);
    }
  }
  return findings.done();
}

function acknowledgedKept(log: readonly LoggedEvent[], ours: readonly Operation[]): GuaranteeResult {
  const findings = new Findings();
  const byVersion = new Map(log.map((event) => [event.version, event]));
  const deleted = new Set(log.filter(({ type }) => type === 'DELETED').map(({ uid }) => uid));
  for (const operation of ours.filter((each) => fateOf(each) === 'done')) {
    const { method, number } = operation;
    if (method === 'DELETE') {
      const uid = uidIn(operation);
      findings.case(deleted.has(uid), () => `the deletion of ${uid} was answered, and it was never deleted`, [number]);
    } else if (method !== 'GET') {
      const [sight] = sightsIn(operation);
      const event = sight && byVersion.get(sight.version);
      findings.case(
        event !== undefined && event.type !== 'DELETED' && same(event, sight as Sight),
        () => `${markSent(operation)} was answered with version ${sight?.version}, which is ${event?.mark ?? 'lost'}`,
        [number],
      );
    }
  }
  return findings.done();
}

/** The same by what is there in the end, where nothing tells what was there in between. */
function keptInTheEnd({ last, history: { operations } }: CrashRun): GuaranteeResult {
  const findings = new Findings();
  const ours = operations.filter(({ client }) => client.startsWith('writer-'));
  const there = byName(last.items.flatMap((item) => sightOf(item) ?? []));
  const uids = new Set([...there.values()].map(({ uid }) => uid));
  const deletes = ours.filter((operation) => operation.method === 'DELETE' && fateOf(operation) !== 'refused');
  for (const operation of ours.filter((each) => fateOf(each) === 'done')) {
    const { method, number, start } = operation;
    if (method === 'DELETE') {
      const uid = uidIn(operation);
      findings.case(!uids.has(uid), () => `the deletion of ${uid} was answered, and it is there`, [number]);
    } else if (method !== 'GET') {
      const [sight] = sightsIn(operation);
      const item = there.get(sight?.name ?? '');
      const mayBeGone = deletes.some(({ scope, end }) => scope?.name === sight?.name && end > start);
      const isKept = item && sight ? item.version > sight.version || same(item, sight) : mayBeGone;
      findings.case(
        isKept,
        () => `${markSent(operation)} was answered with version ${sight?.version}, which is ${item?.mark ?? 'lost'}`,
        [number],
      );
    }
  }
  return findings.done();
}

function nothingElse(log: readonly LoggedEvent[], ours: readonly Operation[]): GuaranteeResult {
  const findings = new Findings();
  const writes = new Map(ours.flatMap((operation) => (markSent(operation) ? [[markSent(operation), operation]] : [])));
  const seen = new Set<string>();
  for (const { type, name, mark, lastMark, version } of log) {
    if (type === 'DELETED') continue;
    const write = writes.get(mark) as Operation | undefined;
    const may = write !== undefined && fateOf(write) !== 'refused';
    findings.case(may, () => `version ${version} of ${name} is ${mark}, which was ${fateWord(write)}`, numbers(write));
    findings.case(mark === lastMark, () => `version ${version} of ${name} is half ${mark} and half ${lastMark}`, []);
    findings.case(!seen.has(mark), () => `${mark} was written twice, the second time as version ${version}`, []);
    seen.add(mark);
  }
  const deletes = ours.filter((operation) => operation.method === 'DELETE' && fateOf(operation) !== 'refused');
  const gone = new Set<string>();
  for (const { type, name, uid } of log) {
    if (type !== 'DELETED') continue;
    const asked = deletes.some(({ scope, status, answer }) => {
      return scope?.name === name && (status === undefined || status >= 500 || uidOf(answer) === uid);
    });
    findings.case(asked && !gone.has(uid), () => `${name} ${uid} was deleted though nobody asked for it`, []);
    gone.add(uid);
  }
  return findings.done();
}

function readsTrue(run: CrashRun, log: readonly LoggedEvent[], ours: readonly Operation[]): GuaranteeResult {
  const findings = new Findings();
  const states = new States(run.first.items, log);
  const acknowledged = ours.flatMap((operation) => {
    const [sight] = operation.method !== 'GET' && fateOf(operation) === 'done' ? sightsIn(operation) : [];
    return sight ? [{ ...sight, end: operation.end }] : [];
  });
  for (const operation of ours.filter(({ method }) => method === 'GET')) {
    const { scope, start, number, status } = operation;
    if (status !== 200 && status !== 404) continue;
    const about = acknowledged.filter(({ end, name }) => end < start && (!scope?.name || scope.name === name));
    const least = about.reduce((most, { version }) => Math.max(most, version), 0);
    if (scope?.name === '') {
      const version = listVersion(operation);
      findings.case(version >= least, () => `a list showed ${version} after ${least} was answered`, [number]);
      const wrong = states.differenceAt(version, sightsIn(operation));
      findings.case(wrong === undefined, () => `a list at ${version} showed ${wrong}`, [number]);
    } else if (status === 200) {
      const [sight] = sightsIn(operation);
      const version = sight?.version ?? 0;
      findings.case(version >= least, () => `a read showed ${version} after ${least} was answered`, [number]);
      const is = states.is(sight);
      findings.case(is, () => `a read showed ${sight?.mark} as version ${version}, which it never was`, [number]);
    } else if (least > 0) {
      const gone = states.goneAfter(scope?.name ?? '', least);
      findings.case(gone, () => `${scope?.name} was not found after version ${least} of it was answered`, [number]);
    }
  }
  const wrong = states.differenceAt(
    Number(run.last.version),
    run.last.items.flatMap((item) => sightOf(item) ?? []),
  );
  findings.case(wrong === undefined, () => `in the end the list showed ${wrong}`, []);
  return findings.done();
}

function watchResumed(run: CrashRun, log: readonly LoggedEvent[]): GuaranteeResult {
  const findings = new Findings();
  const words = ({ type, name, version, mark }: LoggedEvent) => `${type} ${name} ${version} ${mark}`;
  for (const client of FOLLOWERS) {
    const told = toldTo(client, run.history).map(words);
    const wanted = log.map(words);
    for (const [at, word] of wanted.entries()) {
      const resumed = told[at] === word;
      findings.case(resumed, () => `${client} was told ${told[at] ?? 'nothing'} where ${word} came`, []);
      // What follows is only shifted.
      if (!resumed) break;
    }
    findings.case(told.length <= wanted.length, () => `${client} was told ${told[wanted.length]} besides`, []);
  }
  return findings.done();
}

/** What was there at each version, played from the log. */
class States {
  readonly #log: readonly LoggedEvent[];
  readonly #first: ReadonlyMap<string, Sight>;
  readonly #sights: ReadonlyMap<number, LoggedEvent>;

  constructor(first: readonly unknown[], log: readonly LoggedEvent[]) {
    this.#log = log;
    this.#first = byName(first.flatMap((item) => sightOf(item) ?? []));
    this.#sights = new Map(log.map((event) => [event.version, event]));
  }
  is(sight: Sight | undefined): boolean {
    const event = sight && this.#sights.get(sight.version);
    return event !== undefined && event.type !== 'DELETED' && same(event, sight as Sight);
  }
  /** Whether an object was deleted after a version of it. */
  goneAfter(name: string, version: number): boolean {
    return this.#log.some((event) => event.type === 'DELETED' && event.name === name && event.version > version);
  }
  /** What a list at a version should not have shown, or should have; undefined: it is right. */
  differenceAt(version: number, shown: readonly Sight[]): string | undefined {
    const state = new Map(this.#first);
    for (const event of this.#log) {
      if (event.version > version) break;
      if (event.type === 'DELETED') state.delete(event.name);
      else state.set(event.name, event);
    }
    const seen = byName(shown);
    for (const [name, sight] of state) {
      const found = seen.get(name);
      if (!found || !same(found, sight)) return `${name} as ${found?.mark ?? 'missing'} instead of ${sight.mark}`;
    }
    const more = shown.find(({ name }) => !state.has(name));
    return more && `${more.name} as ${more.mark} instead of missing`;
  }
}

const byName = (sights: readonly Sight[]) => new Map(sights.map((sight) => [sight.name, sight]));
const same = (a: Sight, b: Sight) =>
  a.version === b.version && a.uid === b.uid && a.mark === b.mark && a.lastMark === b.lastMark;
const numbers = (operation: Operation | undefined) => (operation ? [operation.number] : []);
const fateWord = (write: Operation | undefined) => (write ? 'refused' : 'never written');

function listVersion({ answer }: Operation): number {
  const metadata = isRecord(answer) && isRecord(answer.metadata) ? answer.metadata : {};
  return Number(metadata.resourceVersion);
}
/** The uid that the answer to a deletion names. */
function uidIn({ answer }: Operation): string {
  return uidOf(answer) ?? '';
}
function uidOf(answer: unknown): string | undefined {
  const details = isRecord(answer) && isRecord(answer.details) ? answer.details : {};
  return typeof details.uid === 'string' ? details.uid : undefined;
}
