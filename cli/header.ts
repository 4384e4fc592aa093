import type { Expectation } from '../fixtures/expectations/expectation.ts';
import { type RunStarted, STREAM_VERSION } from '../reports/events.ts';
import { shellWord } from '../reports/shellWord.ts';
import { factsOfStatements, ledgerDigest, requirementFacts } from '../suites/harness/requirements.ts';
import type { RunSettings, Target } from '../suites/harness/target/target.ts';
import type { FlagTable } from './flags.ts';
import { suiteVersion } from './root.ts';
import { variableOf } from './settings.ts';

export interface HeaderParts {
  readonly target: Target;
  readonly run: RunSettings;
  readonly command: string;
  readonly table: FlagTable;
  /** The flags as read. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly expectations?: readonly Expectation[] | undefined;
  /** Of a shard, what all of them are made of. */
  readonly parts?: string | undefined;
  /** Ids of expectations that mean nothing. */
  readonly unknown?: readonly string[];
}

/** Flags that narrow the choice of checks. */
const NARROWING = ['only', 'profile', 'shard', 'durations', 'last-failed'];
/** Flags that belong to one run and not to the next. */
const PASSING = new Set(['quiet', 'output', 'update-expectations', 'list', 'dry-run']);

/** The first event of a run: who tests whom with what, and how to do it again. Secrets are left out here. */
export function runHeader({
  target,
  run,
  command,
  table,
  flags,
  expectations,
  unknown = [],
  parts,
}: HeaderParts): RunStarted {
  const given = Object.entries(flags).filter(([name, value]) => isGiven(value) && !PASSING.has(name));
  const words = (names: (name: string) => boolean) =>
    given.filter(([name]) => names(name)).flatMap(([name, value]) => asWords(table, name, value));
  const seeded = given.some(([name]) => name === 'seed') ? [] : [`--seed ${run.seed}`];
  const requirements = requirementFacts();
  return {
    type: 'run-started',
    stream: STREAM_VERSION,
    time: new Date().toISOString(),
    run: run.id,
    suite: { name: 'touchstone', version: suiteVersion(), node: process.versions.node },
    ledger: { digest: ledgerDigest(), requirements, statements: factsOfStatements(requirements) },
    seed: run.seed,
    strict: run.strict,
    target: {
      base: target.base,
      mode: target.mode,
      dialect: target.dialect.name,
      release: target.release,
      version: target.version,
      identities: Object.keys(target.identities),
      capabilities: target.capabilities,
    },
    configuration: Object.fromEntries(given.map(([name, value]) => [name, table[name]?.secret ? '<redacted>' : value])),
    reproduce: [`npx touchstone ${command}`, ...words(() => true), ...seeded].join(' '),
    again: [`npx touchstone ${command}`, ...words((name) => !NARROWING.includes(name)), ...seeded].join(' '),
    replay: replaySides(target, flags),
    narrowed: words((name) => NARROWING.includes(name)),
    ...(parts === undefined ? {} : { parts }),
    ...(expectations === undefined ? {} : { expectations }),
    ...(unknown.length === 0 ? {} : { unknown }),
  };
}

/** The sides to which a sequence of this run is put again: the reference of its dialect, and its target. */
function replaySides(target: Target, flags: Readonly<Record<string, unknown>>): string {
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined);
  const first = `reference:dialect=${target.dialect.name}`;
  const kubeconfig = text('kubeconfig');
  const context = text('context');
  const launch = text('launch');
  const second =
    text('target') ??
    (kubeconfig === undefined ? undefined : `kubeconfig:${kubeconfig}${context === undefined ? '' : `#${context}`}`) ??
    (launch === undefined ? undefined : `launch:${launch}`);
  const file = text('token-file');
  const token = text('token') === undefined ? undefined : `"$${variableOf('token')}"`;
  const given = token ?? (file === undefined ? undefined : `"$(cat ${shellWord(file)})"`);
  const ca = text('ca');
  return [
    `--first ${shellWord(first)}`,
    // A mutant that the checks were put to has its name written beside this.
    `--second ${shellWord(second ?? first)}`,
    ...(given === undefined ? [] : [`--second-token ${given}`]),
    ...(ca === undefined ? [] : [`--second-ca ${shellWord(ca)}`]),
    ...(flags.insecure === true ? ['--insecure'] : []),
  ].join(' ');
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
function asWords(table: FlagTable, name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  const values = Array.isArray(value) ? value.map(String) : [String(value)];
  return values.map((each) => `--${name} ${table[name]?.secret ? `"$${variableOf(name)}"` : shellWord(each)}`);
}
