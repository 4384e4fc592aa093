import fc from 'fast-check';
import { type Command, type Step, tier } from '../command.ts';

interface List extends Step {
  readonly tier: string;
}

/** Lists what carries a label. */
export const list: Command<List> = {
  do: 'list',
  chosen: fc.record({ tier }),
  ask: ({ tier }) => ({ method: 'GET', to: 'collection', query: `?labelSelector=tier%3D${tier}` }),
  words: ({ client, tier }) => `${client} lists what is in the ${tier}`,
};
