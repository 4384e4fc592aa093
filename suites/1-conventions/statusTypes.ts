import type { StatusType } from '../../fixtures/ledger/index.ts';
import { type Actor, defineType, type Kind, namespaces } from '../harness/index.ts';
import { condition, services } from './server-side-apply-rules/services.ts';

/** Types whose status is written apart, each with a status that differs for each word. */
export const STATUS: Readonly<
  Record<StatusType, { kind: (author: Actor) => Promise<Kind>; status: (word: string) => object }>
> = {
  services: { kind: async () => services, status: conditions },
  namespaces: { kind: async () => namespaces, status: conditions },
  custom: {
    kind: (author) =>
      defineType(
        author,
        author.dialect,
        () => ({
          type: 'object',
          properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } },
        }),
        true,
        { subresources: { status: {} } },
      ),
    status: (phase) => ({ phase }),
  },
};

function conditions(word: string): object {
  return { conditions: [{ ...condition('Touched'), reason: word }] };
}
