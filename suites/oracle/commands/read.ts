import fc from 'fast-check';
import type { Command } from '../command.ts';

/** Reads an object, and holds it from then on. */
export const read: Command = {
  do: 'read',
  chosen: fc.constant({}),
  ask: () => ({ method: 'GET', to: 'object' }),
  words: ({ client, name }) => `${client} reads ${name}`,
};
