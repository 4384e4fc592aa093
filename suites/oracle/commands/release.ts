import fc from 'fast-check';
import type { Command, Step } from '../command.ts';

interface Release extends Step {
  readonly which: 'first' | 'last';
}

/** Takes one finalizer off; with the last of them a deleting object goes. */
export const release: Command<Release> = {
  do: 'release',
  chosen: fc.record({ which: fc.constantFrom('first', 'last') }),
  settled: ({ name }, memory) => (memory.live(name)?.oracle.metadata.finalizers?.length ?? 0) > 0,
  ask: ({ name, which }, _, memory) => {
    const present = memory.live(name)?.oracle.metadata.finalizers ?? [];
    const finalizers = which === 'first' ? present.slice(1) : present.slice(0, -1);
    return {
      method: 'PATCH',
      to: 'object',
      contentType: 'application/merge-patch+json',
      body: { metadata: { finalizers } },
    };
  },
  words: ({ client, name, which }) => `${client} takes the ${which} finalizer off ${name}`,
};
