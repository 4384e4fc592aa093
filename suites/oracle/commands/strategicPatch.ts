import fc from 'fast-check';
import type { JsonObject } from '../../harness/index.ts';
import { type Command, dataChange, type Step } from '../command.ts';

interface StrategicPatch extends Step {
  readonly data: JsonObject;
}

/** Sends a strategic merge patch for data. */
export const strategicPatch: Command<StrategicPatch> = {
  do: 'strategic patch',
  chosen: fc.record({ data: dataChange }),
  ask: ({ data }) => ({
    method: 'PATCH',
    to: 'object',
    contentType: 'application/strategic-merge-patch+json',
    body: { data },
  }),
  words: ({ client, name, data }) => `${client} merges ${JSON.stringify({ data })} strategically into ${name}`,
};
