import { EXIT } from '../../reports/outcome.ts';
import { findOut } from '../../suites/accessQuestions/ask.ts';
import type { AccessAttributes } from '../../suites/accessQuestions/question.ts';
import { tellAccess } from '../../suites/accessQuestions/tell.ts';
import { Connections } from '../../suites/harness/client/connections.ts';
import { detect } from '../../suites/harness/target/detect.ts';
import { Prober } from '../../suites/harness/target/probe.ts';
import type { Target } from '../../suites/harness/target/target.ts';
import { type Flags, type FlagTable, readFlags } from '../flags.ts';
import { reachTarget } from '../reach.ts';
import { tellRights, whyPointless } from '../rightsText.ts';
import { TARGET_FLAGS } from '../targetFlags.ts';
import { UsageError } from '../usageError.ts';
import { readQuestion } from './accessQuestion.ts';

export const DOCTOR_FLAGS = {
  ...TARGET_FLAGS,
  as: { value: 'USER', help: 'the user that a question is about', local: true },
  group: { value: 'NAME', help: 'a group that this user is in', many: true, local: true },
  namespace: { value: 'NAME', help: 'namespace of the question; all unless told', short: 'n', local: true },
  subresource: { value: 'NAME', help: 'subresource of the question', local: true },
} as const satisfies FlagTable;

/** What `can` answers; see docs/asking-why.md. */
const YES = EXIT.conformant;
const NO = EXIT.notConformant;

/**
 * `touchstone doctor`: can the target be reached, as whom, and what does it offer; or, behind `can`, may somebody do
 * something there, and why.
 *
 * @returns 0, and 2 where a run would be pointless; of a question 0 for yes and 1 for no. Throws UsageError.
 */
export async function doctor(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(
    argv.map((word) => (word === '-n' ? '--namespace' : word)),
    DOCTOR_FLAGS,
  );
  const asked = words.length > 0 ? readQuestion(words, flags.as, flags.group) : undefined;
  if (!asked) refuseWithoutQuestion(flags);
  const reached = await reachTarget(flags, asked ? ['--explain'] : []);
  try {
    const target = await detect(reached.reach);
    return asked ? await answer(target, asked, flags) : lookAt(target);
  } finally {
    await reached.stop();
  }
}

function refuseWithoutQuestion(flags: Flags<typeof DOCTOR_FLAGS>): void {
  const given = (['as', 'namespace', 'subresource'] as const).find((name) => flags[name] !== undefined);
  const name = given ?? (flags.group.length > 0 ? 'group' : undefined);
  if (name) throw new UsageError(`--${name} belongs to a question: doctor --as USER can VERB RESOURCE.`);
}

async function answer(target: Target, asked: AccessAttributes, flags: Flags<typeof DOCTOR_FLAGS>): Promise<number> {
  const connections = new Connections(target);
  try {
    const place = { namespace: flags.namespace ?? '', subresource: flags.subresource ?? '' };
    const findings = await findOut(target, new Prober(target.base, connections), asked, place);
    for (const line of tellAccess(findings)) console.log(line);
    return findings.verdict.allowed ? YES : NO;
  } finally {
    await connections.close();
  }
}

function lookAt(target: Target): number {
  const rows: [string, string][] = [
    ['reached', target.base],
    ['dialect', `${target.dialect.name} (groups under ${target.dialect.apiDomain})`],
    ['release', target.release || 'not said'],
    ['serves', `${target.served.length} resource types and subresources`],
    ...Object.entries(target.identities).map(([name, { user }]): [string, string] => [
      name,
      user === undefined ? 'the target did not say who this is' : `is ${user}`,
    ]),
  ];
  for (const [name, text] of rows) console.log(`${name.padEnd(10)} ${text}`);
  console.log('\nCapabilities');
  for (const { name, present, because } of target.capabilities) {
    console.log(`  ${present ? '✓' : '-'} ${name.padEnd(24)} ${because}`);
  }
  const rights = tellRights(target);
  if (rights.length > 0) console.log(`\n${rights.join('\n')}`);
  const pointless = whyPointless(target);
  if (pointless === undefined) return EXIT.conformant;
  console.log(`\nA run would be pointless: ${pointless}.`);
  return EXIT.inconclusive;
}
