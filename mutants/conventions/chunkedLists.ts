import { COLLECTIONS, clausesOf, LIST_FORMS } from '../../fixtures/ledger/index.ts';
import { ApiError } from '../../reference/api/status.ts';
import type { ListAnswer } from '../../reference/contracts/answer.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { delegate } from '../../reference/contracts/store.ts';
import { parseLabelSelector } from '../../reference/selectors/labels.ts';
import { onVerbs, withQuery } from '../alter.ts';
import { asking } from '../asking.ts';
import type { Mutant } from '../mutant.ts';

const given = (call: Call, name: string): boolean => call.exchange.request.query.has(name);

/** Whether a list is asked for in another form than plain JSON. */
function isFormed({ exchange }: Call): boolean {
  const { headers } = exchange.request;
  const isPlain = String(headers.accept ?? '*/*') === '*/*' || String(headers.accept) === 'application/json';
  return !isPlain || String(headers['accept-encoding'] ?? '').includes('gzip');
}

/** Answers another list than the one that is meant. */
function onLists(change: (list: ListAnswer, call: Call) => ListAnswer) {
  return onVerbs(['list'], async (call, serve) => {
    const answer = await serve(call);
    return answer.kind === 'list' ? change(answer, call) : answer;
  });
}

/** Chunks that miss, repeat or miscount, and tokens that are good for too much or too little. */
export const CHUNKED_LISTS: readonly Mutant[] = [
  {
    id: 'last-chunk-has-a-token',
    breaks: [...clausesOf('CHUNK-LIMIT-02')],
    sentence: 'A list with a limit always has a continue token, though nothing is left.',
    defect: () =>
      onLists((list, call) =>
        given(call, 'limit')
          ? { ...list, metadata: { ...list.metadata, continue: list.metadata.continue || 'more' } }
          : list,
      ),
  },
  {
    id: 'limit-is-ignored-at-any-version',
    breaks: ['CHUNK-LIMIT-03'],
    sentence: 'A list with resourceVersion=0 answers every item, whatever the limit.',
    defect: () =>
      asking(['list'], (query) => {
        if (query.get('resourceVersion') === '0') query.delete('limit');
      }),
  },
  {
    id: 'chunks-skip-an-object',
    breaks: [...clausesOf('CHUNK-WALK-01'), ...clausesOf('CHUNK-WALK-02')],
    sentence: 'Each chunk but the first leaves out the object that it should begin with.',
    defect: () =>
      onLists((list, call) => (given(call, 'continue') ? { ...list, entries: list.entries.slice(1) } : list)),
  },
  {
    id: 'chunks-leave-out-longer-names',
    breaks: clausesOf('CHUNK-WALK-01', COLLECTIONS),
    sentence: 'A chunk leaves out what it begins with whose name begins with the last one of the chunk before.',
    defect: () => {
      const last = new Map<string, string>();
      return onLists((list, call) => {
        const before = last.get(call.exchange.request.query.get('continue') ?? '');
        const { continue: token } = list.metadata;
        const end = list.entries.at(-1)?.key;
        if (token && end) last.set(token, end);
        const from = list.entries.findIndex(({ key }) => before === undefined || !key.startsWith(before));
        return { ...list, entries: from < 0 ? [] : list.entries.slice(from) };
      });
    },
  },
  {
    id: 'chunks-are-selected-from-afterwards',
    breaks: [...clausesOf('CHUNK-WALK-02'), 'OP-LIST-02'],
    sentence:
      'A chunk is what a label selector leaves of as many objects as the limit, and one of which it leaves none is the last.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const selector = parseLabelSelector(call.exchange.request.query.get('labelSelector') ?? '');
        if (!given(call, 'limit')) return serve(call);
        const list = await serve(withQuery(call, (query) => query.delete('labelSelector')));
        if (list.kind !== 'list') return list;
        const entries = list.entries.filter(({ object }) => selector.matches(object.metadata.labels ?? {}));
        const { continue: token, remainingItemCount: _, ...metadata } = list.metadata;
        const isLast = entries.length === 0 || !token;
        return { ...list, entries, metadata: isLast ? metadata : { ...metadata, continue: token } };
      }),
  },
  {
    id: 'chunks-carry-versions-of-their-own',
    breaks: [...clausesOf('CHUNK-SNAPSHOT-01'), 'LIST-RV-06'],
    sentence: 'Each chunk but the first carries another version than the first.',
    defect: () =>
      onLists((list, call) => {
        if (!given(call, 'continue')) return list;
        return { ...list, metadata: { ...list.metadata, resourceVersion: `${list.metadata.resourceVersion}1` } };
      }),
  },
  {
    id: 'remaining-counts-this-chunk-too',
    breaks: clausesOf('CHUNK-REMAINING-01'),
    sentence: 'remainingItemCount counts the items of its own chunk too.',
    defect: () =>
      onLists((list) => {
        const { remainingItemCount } = list.metadata;
        if (remainingItemCount === undefined) return list;
        return {
          ...list,
          metadata: { ...list.metadata, remainingItemCount: remainingItemCount + list.entries.length },
        };
      }),
  },
  {
    id: 'remaining-counts-what-is-there-now',
    breaks: clausesOf('CHUNK-REMAINING-01', ['since', ...LIST_FORMS]),
    sentence: 'On chunks after the first remainingItemCount counts what is there now.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || answer.metadata.remainingItemCount === undefined) return answer;
        if (!given(call, 'continue')) return answer;
        const whole = await serve(
          withQuery(call, (query) => {
            for (const name of ['limit', 'continue', 'resourceVersion', 'resourceVersionMatch']) query.delete(name);
          }),
        );
        if (whole.kind !== 'list') return answer;
        const last = whole.entries.findIndex(({ key }) => key === answer.entries.at(-1)?.key);
        const remainingItemCount = whole.entries.length - last - 1;
        return { ...answer, metadata: { ...answer.metadata, remainingItemCount } };
      }),
  },
  {
    id: 'formed-selections-count-what-remains',
    breaks: clausesOf('CHUNK-REMAINING-03', LIST_FORMS),
    sentence: 'A chunk of a selection in another form than plain JSON says that one item remains.',
    defect: () =>
      onLists((list, call) =>
        list.metadata.continue && isFormed(call) && (given(call, 'labelSelector') || given(call, 'fieldSelector'))
          ? { ...list, metadata: { ...list.metadata, remainingItemCount: 1 } }
          : list,
      ),
  },
  {
    id: 'formed-chunks-lack-what-was-deleted',
    breaks: clausesOf('CHUNK-SNAPSHOT-02', LIST_FORMS),
    sentence: 'Later chunks in another form than plain JSON leave out what was deleted since the first.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || !given(call, 'continue') || !isFormed(call)) return answer;
        const { store } = call.services;
        const kept = await Promise.all(answer.entries.map(async (entry) => (await store.get(entry.key)) !== undefined));
        return { ...answer, entries: answer.entries.filter((_, at) => kept[at]) };
      }),
  },
  {
    id: 'last-chunk-counts-the-rest',
    breaks: ['CHUNK-REMAINING-02'],
    sentence: 'The last chunk says that one item remains.',
    defect: () =>
      onLists((list) =>
        list.metadata.continue ? list : { ...list, metadata: { ...list.metadata, remainingItemCount: 1 } },
      ),
  },
  {
    id: 'made-up-token-begins-anew',
    breaks: ['CHUNK-TOKEN-03'],
    sentence: 'A token that nobody gave out is taken for none.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 400 || !given(call, 'continue')) throw error;
          return serve(withQuery(call, (query) => query.delete('continue')));
        }
      }),
  },
  {
    id: 'token-works-once',
    breaks: ['CHUNK-TOKEN-04'],
    sentence: 'A token is used up by the chunk that it leads to.',
    defect: () => {
      const used = new Set<string>();
      return onVerbs(['list'], (call, serve) => {
        const token = call.exchange.request.query.get('continue');
        if (token !== undefined && used.has(token)) throw new ApiError(410, 'Expired', 'the token was used');
        if (token !== undefined) used.add(token);
        return serve(call);
      });
    },
  },
  {
    id: 'token-is-of-one-form',
    breaks: clausesOf('CHUNK-TOKEN-04'),
    sentence: 'A token that came with a list in one form is refused of a list in another.',
    defect: () => {
      const forms = new Map<string, string>();
      return onVerbs(['list'], async (call, serve) => {
        const { headers, query } = call.exchange.request;
        const form = `${headers.accept} ${headers['accept-encoding']}`;
        const token = query.get('continue');
        const from = token === undefined ? undefined : forms.get(token);
        if (from !== undefined && from !== form) throw new ApiError(400, 'BadRequest', 'the token is of another list');
        const answer = await serve(call);
        const next = answer.kind === 'list' ? answer.metadata.continue : undefined;
        if (next) forms.set(next, form);
        return answer;
      });
    },
  },
  {
    id: 'formed-lists-are-of-the-whole',
    breaks: (['CHUNK-LIMIT-01', 'META-LABELS-01', 'LIST-RV-10'] as const).flatMap((id) => clausesOf(id, LIST_FORMS)),
    sentence: 'A list in another form than plain JSON overlooks what it is asked for: limit, selectors and version.',
    defect: () =>
      asking(['list'], (query, call) => {
        if (!isFormed(call)) return;
        for (const name of ['limit', 'labelSelector', 'resourceVersion', 'resourceVersionMatch']) query.delete(name);
      }),
  },
  {
    id: 'token-lacks-where-one-remains',
    breaks: clausesOf('CHUNK-LIMIT-01', COLLECTIONS),
    sentence: 'A chunk after which one item remains has no token.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || !answer.metadata.continue) return answer;
        const { continue: token, remainingItemCount: _, ...metadata } = answer.metadata;
        const rest = await serve(
          withQuery(call, (query) => {
            for (const name of ['resourceVersion', 'resourceVersionMatch', 'limit']) query.delete(name);
            query.set('continue', token);
          }),
        );
        return rest.kind === 'list' && rest.entries.length === 1 ? { ...answer, metadata } : answer;
      }),
  },
  {
    id: 'list-ignores-limit',
    breaks: [...clausesOf('CHUNK-LIMIT-01')],
    sentence: 'A list answers every item, whatever the limit.',
    defect: () => onVerbs(['list'], (call, serve) => serve(withQuery(call, (query) => query.delete('limit')))),
  },
  {
    id: 'list-counts-rest-of-selection',
    breaks: [...clausesOf('CHUNK-REMAINING-03')],
    sentence: 'A chunk of a selection tells how many items remain.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || !answer.metadata.continue) return answer;
        return { ...answer, metadata: { remainingItemCount: 1, ...answer.metadata } };
      }),
  },
  {
    id: 'chunks-show-later-writes',
    breaks: [...clausesOf('CHUNK-SNAPSHOT-02')],
    sentence: 'Later chunks of a list show the present state instead of the one of the first chunk.',
    defect: () => ({
      store: (store) => ({
        ...delegate(store),
        range: (query) => store.range(query.after === undefined ? query : { ...query, revision: undefined }),
      }),
    }),
  },
];
