import { onVerbs, withQuery } from '../alter.ts';
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
];
