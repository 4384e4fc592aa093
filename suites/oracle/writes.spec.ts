import { aside, check, configMaps, inconclusive, match, must, tellShortest } from '../harness/index.ts';
import type { Step } from './command.ts';
import { commandOf } from './commands/index.ts';
import { explore } from './explore.ts';
import { telling, trying } from './judge.ts';
import { KEPT_REPLAYS, readReplays, saveReplay } from './replayFile.ts';
import { type StartRun, withOracle } from './withOracle.ts';

async function tell(steps: readonly Step[], setStage: StartRun, kept?: string): Promise<void> {
  const stage = await setStage(telling(kept));
  for (const step of steps) if (stage.settled(step)) await stage.play(step);
}

check(
  'WRITE-SEQUENCE-01.1',
  'two clients write as chance has it → after every step the objects are as in the reference',
  ['WRITE-SEQUENCE-01'],
  async ({ author, rival, watcher, dialect, seed, output }) => {
    await author.pathOf(configMaps);
    await withOracle(dialect, { author, rival, watcher }, async (setStage) => {
      const { steps, disagreement, runs } = await aside(() => explore(seed, () => setStage(trying)));
      if (disagreement === undefined && runs === 0) inconclusive('no sequence could be played to its end in time');
      const kept = disagreement && output ? saveReplay(output, 'writes', disagreement, steps) : undefined;
      if (disagreement) {
        const words = steps.map((step) => commandOf(step).words(step));
        tellShortest(words);
      }
      // What was tried is not told; the shortest sequence that fails is, or the longest that does not.
      await tell(steps, setStage, kept);
      must('no sequence made a difference', disagreement, match.absent);
    });
  },
);

for (const { about, steps } of readReplays(KEPT_REPLAYS)) {
  check(
    `WRITE-SEQUENCE-01.2/${about}`,
    `two clients play a sequence that was kept → ${about}`,
    ['WRITE-SEQUENCE-01'],
    async ({ author, rival, watcher, dialect }) => {
      await withOracle(dialect, { author, rival, watcher }, (setStage) => tell(steps, setStage));
    },
  );
}
