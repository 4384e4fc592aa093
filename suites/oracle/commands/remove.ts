import fc from 'fast-check';
import type { Command, Step } from '../command.ts';

interface Remove extends Step {
  readonly held: boolean;
}

/** Deletes an object, on the condition or not that it is still the one that the client holds. */
export const remove: Command<Remove> = {
  do: 'delete',
  chosen: fc.record({ held: fc.boolean() }),
  settled: ({ client, name, held }, memory) => !held || memory.oracle.of(client, name) !== undefined,
  // What a second delete is answered is open; that it neither removes nor revives is not.
  anyAnswer: ({ name }, memory) => memory.isDeleting(name),
  ask: ({ client, name, held }, copies) => ({
    method: 'DELETE',
    to: 'object',
    ...(held
      ? {
          contentType: 'application/json',
          body: { preconditions: { uid: copies.of(client, name)?.metadata.uid } },
        }
      : {}),
  }),
  words: ({ client, name, held }) => `${client} deletes ${name}${held ? ', if it is the one they hold' : ''}`,
};
