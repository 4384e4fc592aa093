import fc from 'fast-check';
import type { Command, Step } from '../command.ts';

interface Hold extends Step {
  readonly finalizers: readonly string[];
}
const FINALIZERS = ['touchstone.example/a', 'touchstone.example/b'];

/** Gives a live object the finalizers that will hold it up. */
export const hold: Command<Hold> = {
  do: 'hold',
  chosen: fc.record({ finalizers: fc.subarray(FINALIZERS, { minLength: 1 }) }),
  // A deleting object takes no new ones, and how it says so is open.
  settled: ({ name }, memory) => !memory.isDeleting(name),
  ask: ({ finalizers }) => ({
    method: 'PATCH',
    to: 'object',
    contentType: 'application/merge-patch+json',
    body: { metadata: { finalizers } },
  }),
  words: ({ client, name, finalizers }) => `${client} holds ${name} by ${finalizers.join(' and ')}`,
};
