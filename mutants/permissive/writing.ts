import { ApiError } from '../../reference/api/status.ts';
import type { Call } from '../../reference/contracts/call.ts';
import type { Endpoint } from '../../reference/contracts/resourceRegistry.ts';
import { objectKey } from '../../reference/contracts/storeKeys.ts';
import { readObject } from '../../reference/objects/body.ts';
import { expectedScale } from '../../reference/objects/scale.ts';
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
  {
    id: 'puts-without-a-version-are-refused',
    by: ['1/updating-and-patching/1'],
    sentence: 'A PUT of what is there has to carry the resourceVersion that it replaces, else it is refused with 428.',
    side: 'b',
    choice: () =>
      onVerbs(['update'], async (call, serve) => {
        if (await isScaleWithoutVersion(call)) throw new ApiError(428, '', LACKING);
        try {
          return await serve({ ...call, endpoint: withConditionalUpdate(call.endpoint) });
        } catch (error) {
          const lacksVersion =
            error instanceof ApiError &&
            error.code === 422 &&
            error.details?.causes?.some(
              ({ field, message }) => field === 'metadata.resourceVersion' && message?.includes('must be specified'),
            );
          throw lacksVersion ? new ApiError(428, '', LACKING) : error;
        }
      }),
  },
];

const LACKING = 'metadata.resourceVersion has to name what is replaced';

/** A scale is written into the stored object, whose version it then has. */
async function isScaleWithoutVersion(call: Call): Promise<boolean> {
  const { endpoint, exchange, services } = call;
  if (endpoint.subresource?.form !== 'scale') return false;
  const { metadata } = await readObject(call, expectedScale(endpoint), 'Ignore');
  const { namespace, name } = exchange.info;
  const key = objectKey(endpoint.type, endpoint.type.namespaced ? namespace : '', name);
  return !metadata.resourceVersion && (await services.store.get(key)) !== undefined;
}

/** The same endpoint, where an update has to say which version it replaces. */
function withConditionalUpdate(endpoint: Endpoint): Endpoint {
  const { type, subresource } = endpoint;
  const conditional = { unconditionalUpdate: false };
  return {
    ...endpoint,
    type: { ...type, strategy: { ...type.strategy, ...conditional } },
    subresource:
      subresource && 'strategy' in subresource && subresource.strategy
        ? { ...subresource, strategy: { ...subresource.strategy, ...conditional } }
        : subresource,
  };
}

/** Path of the collection that holds the custom object of a path; undefined for any other path. */
function collectionOf(path: string): string | undefined {
  return /^(\/apis\/[^/]*touchstone\.example\/[^/]+(?:\/namespaces\/[^/]+)?\/[^/]+)\/[^/]+$/.exec(path)?.[1];
}
