import fc from 'fast-check';
import { type Command, KEPT, type Step, someData } from '../command.ts';

interface Replace extends Step {
  readonly data: Readonly<Record<string, string>>;
}

/** Replaces an object by what the client holds of it, with other data; what it holds may be old. */
export const replace: Command<Replace> = {
  do: 'replace',
  chosen: fc.record({ data: someData }),
  // A PUT of what is gone may be refused or create anew.
  settled: ({ client, name }, memory) =>
    memory.oracle.of(client, name) !== undefined && memory.live(name) !== undefined,
  ask: ({ client, name, data }, copies) => ({
    method: 'PUT',
    to: 'object',
    contentType: 'application/json',
    body: { ...copies.of(client, name), data: { ...KEPT, ...data } },
  }),
  words: ({ client, name, data }) => `${client} replaces the ${name} they hold by ${JSON.stringify(data)}`,
};
