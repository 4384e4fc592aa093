import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blindMutants, blindScore, blindText } from '../../diff/blind.ts';
import { Services } from '../../suites/harness/services/services.ts';
import { webhookByName } from '../../suites/oracle/webhookByName.ts';
import { Generator } from '../../suites/sequences/generate.ts';
import { suggestion } from '../nearest.ts';
import { readShard } from '../shard.ts';
import { UsageError } from '../usageError.ts';

/** Rounds of sequences that each mutant gets, each of every area. */
const ROUNDS = 12;
/** Sequences in which webhooks are asked, for those that the rounds do not tell. */
const HOOKED = 24;

export interface BlindWork {
  readonly names: readonly string[];
  readonly shard: string | undefined;
  readonly seed: string;
  readonly output: string;
  readonly quiet: boolean;
}

/** `touchstone mutants --blind`: how many mutants generated requests tell from the reference, without any check. */
export async function scoreBlindly({ names, shard, seed, output, quiet }: BlindWork): Promise<void> {
  const ids = blindMutants.map(({ id }) => id);
  const unknown = names.find((name) => !ids.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no mutant ${unknown} that requests alone could show.${suggestion(unknown, ids)}`);
  }
  const { part, of } = shard === undefined ? { part: 1, of: 1 } : readShard(shard);
  const chosen = blindMutants.filter(
    ({ id }, at) => at % of === part - 1 && (names.length === 0 || names.includes(id)),
  );
  const generator = new Generator(seed);
  const services = new Services();
  try {
    const parts = [
      { generator, count: ROUNDS * generator.round },
      { generator: new Generator(seed, ['hooked']), count: HOOKED, webhook: await webhookByName(services) },
    ];
    const rows = await blindScore(chosen, parts, ({ mutant, told, sequences }) => {
      if (!quiet) console.log(told === undefined ? `? ${mutant}` : `✓ ${mutant}  after ${sequences}: ${told}`);
    });
    writeFileSync(join(output, 'blind.json'), `${JSON.stringify(rows, null, 2)}\n`);
    console.log(blindText(rows));
  } finally {
    await services.close();
  }
}
