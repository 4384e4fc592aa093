import { EXIT } from '../../reports/outcome.ts';
import { detect } from '../../suites/harness/detect.ts';
import { type FlagTable, readFlags } from '../flags.ts';
import { reachTarget } from '../reach.ts';
import { TARGET_FLAGS } from '../targetFlags.ts';
import { UsageError } from '../usageError.ts';

export const DOCTOR_FLAGS = TARGET_FLAGS satisfies FlagTable;

/** `touchstone doctor`: can the target be reached, as whom, and what does it offer. @returns 0, or throws UsageError. */
export async function doctor(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, DOCTOR_FLAGS);
  if (words.length > 0) throw new UsageError(`doctor takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const reached = await reachTarget(flags);
  try {
    const target = await detect(reached.reach);
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
    return EXIT.conformant;
  } finally {
    await reached.stop();
  }
}
