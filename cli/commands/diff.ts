import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import { type Cause, causesOf } from '../../diff/cause.ts';
import { type Ignored, readIgnored, unknownTo } from '../../diff/ignoring.ts';
import { investigate } from '../../diff/investigate.ts';
import { eventsOf, plannedOf, scriptOf } from '../../diff/stream.ts';
import { type Compared, textOf } from '../../diff/text.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { counted } from '../../reports/counted.ts';
import type { RunEvent } from '../../reports/events.ts';
import { EXIT } from '../../reports/outcome.ts';
import { EVENTS_FILE, writeReports } from '../../reports/render.ts';
import { resultOf } from '../../reports/results.ts';
import type { Target } from '../../suites/harness/target/target.ts';
import { areaNames, Generator } from '../../suites/sequences/generate.ts';
import { keepSequence } from '../../suites/sequences/keptSequence.ts';
import { withSides } from '../diffSides.ts';
import { folderToWrite, pathFromHere, readNamedFile } from '../files.ts';
import { choice, type Flags, readFlags, wholeNumber } from '../flags.ts';
import { runHeader } from '../header.ts';
import { Interruption } from '../interruption.ts';
import { UsageError } from '../usageError.ts';
import { DIFF_FLAGS } from './diffFlags.ts';

type DiffFlags = Flags<typeof DIFF_FLAGS>;

/**
 * `touchstone diff A B`.
 * @returns 0 when the servers do the same, 1 when they differ, 2 when one stopped answering, 3 when only a known
 * difference is gone, 130 when Ctrl-C came before a difference. Throws UsageError.
 */
export async function diff(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, DIFF_FLAGS);
  const [a, b, ...more] = words;
  if (a === undefined || b === undefined || more.length > 0)
    throw new UsageError('diff takes two servers: touchstone diff A B; see touchstone diff --help.');
  const areas = flags.area.map((name) => choice('area', name, areaNames));
  const count = flags.count === undefined ? 320 : wholeNumber('count', flags.count, 1, 1_000_000);
  const within = (flags.time === undefined ? 600 : wholeNumber('time', flags.time, 1, 1_000_000)) * 1000;
  const ignored = readKnown(flags);
  const seed = flags.seed ?? randomBytes(4).toString('hex');
  const output = folderToWrite(flags.output ?? 'reports/out/diff');
  return withSides([a, b], flags, async (first, second) => {
    const generator = new Generator(seed, areas.length > 0 ? areas : undefined);
    const interruption = new Interruption(
      () => 'Namespaces of the last sequences may be left behind; their names begin with ts.',
    );
    const progress = flags.quiet || !process.stderr.isTTY ? undefined : tellProgress(count);
    try {
      const { findings, silent, ...rest } = await investigate({
        first,
        second,
        generator,
        count,
        within,
        wording: flags.wording,
        signal: interruption.signal,
        ...(progress ? { progress } : {}),
      });
      if (progress) process.stderr.write('\r\u001b[K');
      const all = causesOf(findings, [first.name, second.name]);
      const whole = silent === undefined && !interruption.happened;
      if (flags['update-ignore'] && whole) writeKnown(flags.ignore, all, ignored);
      const { unknown, stale } = unknownTo(ignored, all);
      const compared: Compared = {
        ...rest,
        names: [first.name, second.name],
        seed,
        causes: flags['update-ignore'] ? [] : unknown,
        stale: whole ? stale : [],
        known: all.length - unknown.length,
      };
      const files = keep(compared, output, { flags, words: [a, b], bases: [first.base, second.base] });
      console.log(textOf(compared, files));
      if (files.length > 0) console.log(`\nreport   ${pathFromHere(join(output, 'report.html'))}`);
      if (silent !== undefined) {
        console.error(`${silent}; no more can be said of the two.`);
        return EXIT.inconclusive;
      }
      if (interruption.happened && compared.causes.length === 0) return EXIT.interrupted;
      if (compared.causes.length > 0) return EXIT.notConformant;
      return stale.length > 0 ? EXIT.staleExpectations : EXIT.conformant;
    } finally {
      interruption.close();
    }
  });
}

const tellProgress = (count: number) => (done: number, findings: number) =>
  void process.stderr.write(`\r${done} of ${counted(count, 'sequence')}, ${counted(findings, 'difference')}`);

function readKnown(flags: DiffFlags): Ignored[] {
  if (flags['update-ignore'] && flags.ignore === undefined)
    throw new UsageError('--update-ignore needs --ignore FILE beside it.');
  if (flags.ignore === undefined || flags['update-ignore']) return [];
  try {
    return readIgnored(load(readNamedFile(flags.ignore, 'file of known differences')));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flags.ignore} cannot be used: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function writeKnown(file: string | undefined, causes: readonly Cause[], before: readonly Ignored[]): void {
  if (file === undefined) return;
  const entries = causes.map(
    ({ name, sentence }) => before.find(({ cause }) => cause === name) ?? { cause: name, because: sentence },
  );
  writeFileSync(file, `${JSON.stringify(entries, null, 2)}\n`);
}

/** Writes every report, and beside it each difference with its scripts. @returns the files of the differences */
function keep(
  compared: Compared,
  output: string,
  {
    flags,
    words,
    bases,
  }: {
    flags: DiffFlags;
    words: readonly [string, string];
    bases: readonly [string | undefined, string | undefined];
  },
): string[] {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const { causes, names, seed } = compared;
  const time = new Date().toISOString();
  const target: Target = {
    base: names[1],
    mode: 'url',
    dialect: kubernetes,
    release: '',
    version: {},
    identities: {},
    capabilities: [],
    served: [],
  };
  const header = runHeader({
    target,
    run: { id: 'diff', seed, strict: false },
    command: `diff ${words.join(' ')}`,
    table: DIFF_FLAGS,
    flags: { ...flags, seed: undefined },
  });
  const finished: RunEvent = { type: 'run-finished', time, duration: 0, interrupted: false, problems: [] };
  const events: RunEvent[] = [
    header,
    plannedOf(causes, time),
    ...causes.flatMap((cause) => eventsOf(cause, names, time)),
    finished,
  ];
  writeFileSync(join(output, EVENTS_FILE), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  writeReports(resultOf(events), output);
  writeFileSync(join(output, 'diff.json'), `${JSON.stringify(compared, null, 2)}\n`);
  return causes.map((cause, at) => {
    const stem = join(output, `difference-${String(at + 1).padStart(2, '0')}`);
    const { sentence: about, name, shown } = cause;
    keepSequence(output, basename(stem), { about, cause: name, servers: words, steps: shown.steps });
    for (const [side, played, base = 'https://127.0.0.1:6443'] of [
      ['first', cause.shown.first, bases[0]],
      ['second', cause.shown.second, bases[1]],
    ] as const) {
      writeFileSync(`${stem}.${side}.sh`, scriptOf(base, played, cause));
    }
    return pathFromHere(`${stem}.json`);
  });
}
