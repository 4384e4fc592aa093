import fc from 'fast-check';
import type { JsonObject } from '../../harness/index.ts';
import { type Command, dataChange, type Step, tier } from '../command.ts';

interface MergePatch extends Step {
  readonly data: JsonObject;
  readonly tier: string | null;
}

/** Sends a merge patch for data and label (RFC 7386). */
export const mergePatch: Command<MergePatch> = {
  do: 'merge patch',
  chosen: fc.record({ data: dataChange, tier: fc.option(tier) }),
  ask: ({ data, tier }) => ({
    method: 'PATCH',
    to: 'object',
    contentType: 'application/merge-patch+json',
    body: { data, metadata: { labels: { tier } } },
  }),
  words: ({ client, name, data, tier }) => `${client} merges ${JSON.stringify({ data, tier })} into ${name}`,
};
