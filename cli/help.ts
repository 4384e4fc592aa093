import { CONVERT_FLAGS } from './commands/convertFlags.ts';
import { DIFF_FLAGS } from './commands/diffFlags.ts';
import { DOCTOR_FLAGS } from './commands/doctor.ts';
import { ENVTEST_FLAGS } from './commands/envtestFlags.ts';
import { COMPARE_FLAGS, MATRIX_FLAGS, MERGE_FLAGS } from './commands/gateFlags.ts';
import { JUDGE_FLAGS } from './commands/judge.ts';
import { LEARN_FLAGS } from './commands/learnFlags.ts';
import { CHECK_FLAGS, PLOT_FLAGS, UPGRADE_FLAGS } from './commands/lifecycle/flags.ts';
import { LIFECYCLE_HELP } from './commands/lifecycle/help.ts';
import { MUTANTS_FLAGS } from './commands/mutants.ts';
import { PROXY_FLAGS } from './commands/proxyFlags.ts';
import { RECHECK_FLAGS } from './commands/recheck.ts';
import { RECORD_FLAGS } from './commands/recordFlags.ts';
import { REPLAY_FLAGS } from './commands/replayFlags.ts';
import { REPORT_FLAGS } from './commands/report.ts';
import { RUN_FLAGS, RUN_GROUPS } from './commands/run.ts';
import { SHORTEN_FLAGS } from './commands/shortenFlags.ts';
import { SNAPSHOT_FLAGS } from './commands/snapshotFlags.ts';
import { STORM_FLAGS } from './commands/stormFlags.ts';
import { TWINS_FLAGS } from './commands/twinsFlags.ts';
import { VIOLATIONS_FLAGS } from './commands/violationsFlags.ts';
import { type FlagTable, flagHelp } from './flags.ts';
import { SERVE_FLAGS, SERVE_GROUPS } from './serve/serveTable.ts';
import { SHELLS } from './shells.ts';

/** What somebody wants who looks for a command. */
const GOALS = {
  judge: 'Judge a server',
  serve: 'Have a server',
  ask: 'Learn, and ask why',
  release: 'Releases and upgrades',
  self: 'Touchstone itself',
} as const;

interface CommandHelp {
  readonly goal: keyof typeof GOALS;
  readonly usage: string;
  readonly about: string;
  readonly flags?: FlagTable;
  /** Titles of groups of flags, with the first flag of each. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Commands below this one, with flags of their own. */
  readonly parts?: Readonly<Record<string, { readonly flags: FlagTable }>>;
  readonly more?: string;
}

export const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  run: {
    goal: 'judge',
    usage: 'touchstone run [flags]',
    about: 'Judge a server: the built-in reference, or the one that --target, --kubeconfig or --launch names.',
    flags: RUN_FLAGS,
    groups: RUN_GROUPS,
    more: `Exit codes: 0 nothing found broken, 1 not conformant, 2 inconclusive, 3 expectations stale,
64 wrong usage or configuration, 70 a fault of Touchstone, 130 interrupted.`,
  },
  serve: {
    goal: 'serve',
    usage: 'touchstone serve [flags]',
    about: 'Run the reference server until Ctrl-C; see serve --help.',
    flags: SERVE_FLAGS,
    groups: SERVE_GROUPS,
  },
  report: {
    goal: 'judge',
    usage: 'touchstone report DIR [flags]',
    about: 'Write every report of an earlier run once more, from its event stream.',
    flags: REPORT_FLAGS,
  },
  merge: {
    goal: 'judge',
    usage: 'touchstone merge DIR… [flags]',
    about: 'Make one report of those of the shards of a run.',
    flags: MERGE_FLAGS,
    more: 'Ends as a run of all of them would have. A shard that is missing is told.',
  },
  compare: {
    goal: 'judge',
    usage: 'touchstone compare OLD NEW [flags]',
    about: 'Tell what is otherwise in the second of two reports: what is broken, and what is no longer judged.',
    flags: COMPARE_FLAGS,
    more: 'OLD and NEW are report.json, or the folders of runs. Exit codes: 0, or 1 with --fail-on where that is so.',
  },
  matrix: {
    goal: 'judge',
    usage: 'touchstone matrix [NAME=]REPORT… [flags]',
    about: 'Write one page of what many targets keep, by profile and requirement.',
    flags: MATRIX_FLAGS,
  },
  recheck: {
    goal: 'judge',
    usage: 'touchstone recheck DIR [flags]',
    about: "Hold the history that a run with --history kept against the guarantees, as today's checkers know them.",
    flags: RECHECK_FLAGS,
    more: 'Exit codes: 0 nothing found broken, 1 a guarantee is broken, 2 there was nothing to look at.',
  },
  storm: {
    goal: 'judge',
    usage: 'touchstone storm [flags]',
    about: 'Let many clients loose on a server, or several of one store, and judge all that they saw.',
    flags: STORM_FLAGS,
    more: `Everything it creates lies in a namespace of its own, which is removed. The history stays under reports/out.
Exit codes: 0 nothing found broken, 1 a guarantee is broken, 2 inconclusive, 64 wrong usage, 70 a fault of Touchstone,
130 Ctrl-C.`,
  },
  record: {
    goal: 'judge',
    usage: 'touchstone record [flags]',
    about: 'Stand in front of a server, and write down what clients do and see there, to be judged.',
    flags: RECORD_FLAGS,
    more: `Tokens, and what Secrets hold, are never written. Connections that change to another protocol, such as those of exec,
pass unrecorded. Exit codes: 0 stopped by Ctrl-C, 64 wrong usage, or a disk that takes no more.`,
  },
  judge: {
    goal: 'judge',
    usage: 'touchstone judge FILE [flags]',
    about:
      'Hold what somebody wrote down of a server against the guarantees: a history, an audit log, an HTTP archive.',
    flags: JUDGE_FLAGS,
    more: `FILE is a history that run --history, storm or record kept, an audit log (JSON lines of audit.k8s.io/v1, level
RequestResponse), or an HTTP archive (HAR). Nothing is asked of any server. What such a log cannot tell is named.
Exit codes: 0 nothing found broken, 1 a guarantee is broken, 2 there was nothing to look at, 64 another file.`,
  },
  doctor: {
    goal: 'ask',
    usage: 'touchstone doctor [flags] [can VERB RESOURCE[.group] [NAME] | can VERB /path]',
    about:
      'Look at a server: can it be reached, as whom, which dialect and release; may somebody do something, and why.',
    flags: DOCTOR_FLAGS,
    more: `A question, as in "doctor --as jane can get pods -n team", ends with 0 for yes and 1 for no, and names the
binding and the rule that say yes, or what all but says so. Against the built-in reference, or a server that was
started with --explain, it also tells what each authorizer said.`,
  },
  mutants: {
    goal: 'self',
    usage: 'touchstone mutants [flags]',
    about: 'Run the checks against references with one rule broken each; every one has to be caught.',
    flags: MUTANTS_FLAGS,
  },
  twins: {
    goal: 'self',
    usage: 'touchstone twins [flags]',
    about:
      'Run the checks against references that choose otherwise where the specification lets them; all have to pass.',
    flags: TWINS_FLAGS,
  },
  violations: {
    goal: 'judge',
    usage: 'touchstone violations FILE [flags]',
    about: 'Let the built-in reference commit violations of your own, and tell whether the checks notice.',
    flags: VIOLATIONS_FLAGS,
    more: `docs/violations.md tells how such a file is written. Exit codes: 0 each is caught by what its author expects,
1 one is not, 70 one of them throws.`,
  },
  proxy: {
    goal: 'serve',
    usage: 'touchstone proxy [flags]',
    about: 'Stand in front of a server, and let it seem to commit a violation of your own.',
    flags: PROXY_FLAGS,
  },
  diff: {
    goal: 'judge',
    usage: 'touchstone diff A B [flags]',
    about:
      'Put the same requests to two servers, and tell what they do differently, in the fewest requests that show it.',
    flags: DIFF_FLAGS,
    more: `A server is https://…, context:NAME, kubeconfig:FILE#CONTEXT, launch:COMMAND, or reference:release=1.34 (with
flags of serve, or mutant=NAME). Exit codes: 0 no difference, 1 some, 2 a server stopped answering, 3 a known difference
is gone, 64 wrong usage.`,
  },
  shorten: {
    goal: 'judge',
    usage: 'touchstone shorten DIR|FILE SERVER… [flags]',
    about: 'Cut the checks that failed in a run, or a storm that did, down to what matters, each cut confirmed.',
    flags: SHORTEN_FLAGS,
    more: `DIR holds the reports of the run, FILE is the history of a storm, which may be over several servers; SERVER is
written as for diff. What is left is kept beside them, for replay.
Exit codes: 0 each was cut, 1 requests alone do not show one, 2 a server did not answer, 64 wrong usage.`,
  },
  replay: {
    goal: 'judge',
    usage: 'touchstone replay FILE [flags]',
    about:
      'Play once more what was kept in its shortest form: a difference of two servers, a check or a storm that failed.',
    flags: REPLAY_FLAGS,
    more: 'Exit codes: 0 it no longer shows, 1 it does, 2 a server did not answer, 64 wrong usage.',
  },
  learn: {
    goal: 'ask',
    usage: 'touchstone learn [DIR | FILE] [flags]',
    about: 'Go through stories step by step on a page of this machine, and watch the server think.',
    flags: LEARN_FLAGS,
  },
  snapshot: {
    goal: 'serve',
    usage: 'touchstone snapshot save|restore|inspect FILE [flags]',
    about: 'Keep all that a server stores in a file, put it back, or tell what is in it.',
    flags: SNAPSHOT_FLAGS,
    more: `save asks the server that runs in this folder, or reads a store that --data-dir or --etcd-servers name. restore
writes into a new data directory, or where etcd holds nothing; a server in memory begins with serve --restore FILE.
Secrets are in the file as they are: keep it as you keep the store.`,
  },
  convert: {
    goal: 'release',
    usage: 'touchstone convert --output-version GROUP/VERSION -f FILE [flags]',
    about: 'Rewrite the objects of a file to another version, and tell what to look at before they are used.',
    flags: CONVERT_FLAGS,
    more: 'Exit codes: 0 converted, 1 nothing in the file has that version, 64 wrong usage or an unreadable file.',
  },
  lifecycle: {
    goal: 'release',
    usage: 'touchstone lifecycle check|plot|upgrade …',
    about: 'Judge or draw the release history of an API, or tell what an upgrade does to manifests.',
    parts: { check: { flags: CHECK_FLAGS }, plot: { flags: PLOT_FLAGS }, upgrade: { flags: UPGRADE_FLAGS } },
    more: LIFECYCLE_HELP,
  },
  envtest: {
    goal: 'serve',
    usage: 'touchstone envtest use [flags]',
    about: 'Print a folder for KUBEBUILDER_ASSETS, with a kube-apiserver and an etcd that are this server.',
    flags: ENVTEST_FLAGS,
    more: `In a shell: KUBEBUILDER_ASSETS=$(npx touchstone envtest use --release 1.31) go test ./...
docs/use-with-controllers.md tells what envtest and controllers find there.`,
  },
  completion: {
    goal: 'self',
    usage: `touchstone completion ${SHELLS.join('|')}`,
    about: 'Print what lets a shell complete commands and flags.',
    more: `In bash: source <(touchstone completion bash). In zsh: source <(touchstone completion zsh). In fish:
touchstone completion fish > ~/.config/fish/completions/touchstone.fish`,
  },
};

/** Help on everything, or on one command. */
export function help(command?: string): string {
  const one = command === undefined ? undefined : COMMANDS[command];
  if (one) {
    return [
      one.usage,
      '',
      one.about,
      ...(one.flags ? ['', flagHelp(one.flags, one.groups)] : []),
      ...(one.more ? ['', one.more] : []),
    ].join('\n');
  }
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length)) + 2;
  return [
    'touchstone COMMAND [flags]',
    '',
    ...Object.entries(GOALS).flatMap(([goal, title]) => [
      `${title}:`,
      ...Object.entries(COMMANDS)
        .filter(([, command]) => command.goal === goal)
        .map(([name, { about }]) => `  ${name.padEnd(width)}${about}`),
      '',
    ]),
    'touchstone COMMAND --help tells the flags of a command. What the command line does not say of a flag is taken from',
    'the environment, as TOUCHSTONE_TARGET for --target, and then from touchstone.yaml, or the file that --config names.',
  ].join('\n');
}
