import fc from 'fast-check';
import { type Command, KEPT, type Step, someData, tier } from '../command.ts';

interface Create extends Step {
  readonly data: Readonly<Record<string, string>>;
  readonly tier: string;
}

/** Creates an object, or meets one of its name. */
export const create: Command<Create> = {
  do: 'create',
  chosen: fc.record({ data: someData, tier }),
  ask: ({ name, data, tier }) => ({
    method: 'POST',
    to: 'collection',
    contentType: 'application/json',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { tier } }, data: { ...KEPT, ...data } },
  }),
  words: ({ client, name, data, tier }) => `${client} creates ${name} in the ${tier} with ${JSON.stringify(data)}`,
};
