import { ApiError } from '../api/status.ts';
import { delegate, onReplies, onVerbs, withQuery } from './alter.ts';
import type { Mutant } from './mutant.ts';

/** Lists and single reads that show too much, too little or the wrong moment. */
export const READING: readonly Mutant[] = [
  {
    id: 'list-ignores-limit',
    breaks: ['CHUNK-LIMIT-01'],
    sentence: 'A list answers every item, whatever the limit.',
    seams: onVerbs(['list'], (call, serve) => serve(withQuery(call, (query) => query.delete('limit')))),
  },
  {
    id: 'list-counts-rest-of-selection',
    breaks: ['CHUNK-REMAINING-03'],
    sentence: 'A chunk of a selection tells how many items remain.',
    seams: onVerbs(['list'], async (call, serve) => {
      const answer = await serve(call);
      if (answer.kind !== 'list' || !answer.metadata.continue) return answer;
      return { ...answer, metadata: { remainingItemCount: 1, ...answer.metadata } };
    }),
  },
  {
    id: 'chunks-show-later-writes',
    breaks: ['CHUNK-SNAPSHOT-02'],
    sentence: 'Later chunks of a list show the present state instead of the one of the first chunk.',
    seams: {
      store: (store) => ({
        ...delegate(store),
        range: (query) => store.range(query.after === undefined ? query : { ...query, revision: undefined }),
      }),
    },
  },
  {
    id: 'list-ignores-label-selector',
    breaks: ['OP-LIST-02'],
    sentence: 'A list answers all objects, whatever its label selector.',
    seams: onVerbs(['list'], (call, serve) => serve(withQuery(call, (query) => query.delete('labelSelector')))),
  },
  {
    id: 'missing-object-is-gone',
    breaks: ['GET-MISSING-01'],
    sentence: 'GET of a name that does not exist is answered 410.',
    seams: onVerbs(['get'], async (call, serve) => {
      try {
        return await serve(call);
      } catch (error) {
        if (error instanceof ApiError && error.code === 404) throw new ApiError(410, 'Gone', error.message);
        throw error;
      }
    }),
  },
  {
    id: 'errors-without-status',
    breaks: ['ERROR-STATUS-01'],
    sentence: 'Errors are answered with plain text instead of a Status.',
    seams: onReplies((reply) =>
      reply.code < 400
        ? reply
        : { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' }, body: Buffer.from('no\n') },
    ),
  },
];
