import { changedRequest, onVerbs, withQuery } from '../alter.ts';
import type { Twin } from './twin.ts';

/** What a write comes to, where no more is said of it than that it is taken. */
export const WRITING: readonly Twin[] = [
  {
    id: 'empty-dry-runs-are-real',
    by: ['1/dry-run/1'],
    sentence: 'A write with dryRun without a value is done.',
    side: 'a',
    choice: () =>
      onVerbs(['create', 'update', 'patch', 'delete', 'deletecollection'], (call, serve) =>
        serve(
          call.exchange.request.query.get('dryRun') === '' ? withQuery(call, (query) => query.delete('dryRun')) : call,
        ),
      ),
  },
  {
    id: 'custom-objects-posted-by-name',
    by: ['1/verbs/b1'],
    sentence: 'A POST below the name of a custom object is one for its collection.',
    side: 'b',
    choice: () => ({
      handler: (handler) => (request) => {
        const path = request.method === 'POST' ? collectionOf(request.path) : undefined;
        return handler(path === undefined ? request : changedRequest(request, { path }));
      },
    }),
  },
];

/** Path of the collection that holds the custom object of a path; undefined for any other path. */
function collectionOf(path: string): string | undefined {
  return /^(\/apis\/[^/]*touchstone\.example\/[^/]+(?:\/namespaces\/[^/]+)?\/[^/]+)\/[^/]+$/.exec(path)?.[1];
}
