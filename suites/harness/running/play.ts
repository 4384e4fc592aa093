import { endsCheck, inconclusive } from '../endings.ts';
import { currentEvidence, type Evidence } from '../evidence.ts';
import type { Site } from '../target/site.ts';

/** Ends the check that is about to begin at a target that is known to be gone. */
export function refuseWithoutTarget({ gone }: Site, evidence: Evidence): void {
  if (gone === undefined) return;
  evidence.endWithoutAnswer('connection', gone);
  inconclusive(`the target is gone: ${gone}`);
}

/**
 * Plays the body of a check. Its ending is no failure for a runner, which would start a new worker after each: what
 * the check came to stands in its evidence.
 */
export async function play(body: () => Promise<void>): Promise<void> {
  if (currentEvidence().closed) return;
  try {
    await body();
  } catch (error) {
    // A part that was left out has prepared nothing for what follows it.
    if (currentEvidence().isDone) return;
    if (!endsCheck(error) && !isUnreadable(error)) throw error;
  }
}

/** Takes back what was seen not to hold where the target is in no state to be judged. */
export async function confirmed(evidence: Evidence, site: Site): Promise<void> {
  const sick = evidence.broken.length > 0 ? await site.unfit() : undefined;
  if (sick !== undefined) evidence.takeBack(sick);
}

/**
 * A check that reads what an answer ought to hold trips over one that does not hold it: that tells of the answer. On
 * the reference, of which the answers are known, it tells of the check.
 */
function isUnreadable(error: unknown): boolean {
  const evidence = currentEvidence();
  const { lastAnswered } = evidence;
  if (!evidence.foreign || !(error instanceof TypeError) || lastAnswered === undefined) return false;
  if (evidence.judges.includes('body')) {
    const differences = [{ path: 'body', want: 'one that can be read', got: error.message, gotType: 'missing' }];
    const sentence = 'the answer can be read as what it says it is';
    evidence.keepAssertion({
      sentence,
      level: evidence.level,
      holds: false,
      allowed: ['a readable body'],
      differences,
    });
  } else {
    evidence.end('inconclusive', `the answer to "${lastAnswered}" is not what a check can read (${error.message})`);
  }
  return true;
}
