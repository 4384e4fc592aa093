import type { DEPRECATED_CALL_WORDS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type Exchange,
  isRecord,
  type Kind,
  match,
  named,
  PATCH_TYPES,
  should,
} from '../../harness/index.ts';

export type CallWord = (typeof DEPRECATED_CALL_WORDS)[number];
type Ask = (by: Actor, word: CallWord) => Promise<Exchange>;

/** Has no effect: it tells the calls apart in what a server writes of them. */
const marked = (path: string, word: CallWord, query = '') => `${path}?asked=${word}${query && `&${query}`}`;

/**
 * Each way to call a version of a type that {@link defineOldType} has made, in an order in which each finds what it
 * needs: object `a` first. Each leaves its word in the query.
 */
export function callsOf(kind: Kind): ReadonlyMap<CallWord, Ask> {
  const on =
    (
      method: string,
      name: string,
      options: Parameters<Actor['request']>[2] & { query?: string; subresource?: string } = {},
    ): Ask =>
    async (by, word) => {
      const { query = '', subresource = '', ...rest } = options;
      return by.request(method, marked(await by.pathOf(kind, name, subresource), word, query), rest);
    };
  const writing =
    (method: string, name: string, change: object, query = '', type = 'application/json', subresource = ''): Ask =>
    async (by, word) => {
      // A PUT of a custom object has to say what it replaces.
      const { json } = method === 'PUT' ? await by.get(kind, name) : {};
      const live = isRecord(json) && isRecord(json.metadata) ? json.metadata.resourceVersion : undefined;
      const metadata = live === undefined ? {} : { metadata: { name, resourceVersion: String(live) } };
      const full = { ...named(name), size: 1, ...metadata, ...change };
      const body = Array.isArray(change) ? change : await by.fill(kind, full);
      const path = marked(await by.pathOf(kind, method === 'POST' ? '' : name, subresource), word, query);
      return by.request(method, path, { body, headers: { 'content-type': type } });
    };
  /** Asks for the objects in another form, named as the types of metadata are. */
  const as =
    (form: string, name = '', query = ''): Ask =>
    (by, word) =>
      on('GET', name, {
        headers: { accept: `application/json;as=${form};v=v1;g=meta.${by.dialect.apiDomain}` },
        query,
      })(by, word);
  const next: Ask = async (by, word) => {
    const { json } = await by.prepare(() => by.list(kind, { limit: 1 }));
    const { metadata } = isRecord(json) ? json : {};
    const token = isRecord(metadata) ? String(metadata.continue ?? '') : '';
    return by.request('GET', marked(await by.pathOf(kind), word, `limit=1&continue=${encodeURIComponent(token)}`));
  };
  const exact: Ask = async (by, word) => {
    const { json } = await by.prepare(() => by.list(kind));
    const { metadata } = isRecord(json) ? json : {};
    const version = isRecord(metadata) ? String(metadata.resourceVersion ?? '') : '';
    return on('GET', '', { query: `resourceVersion=${version}&resourceVersionMatch=Exact` })(by, word);
  };
  /** What was written may come to be seen so a moment later. */
  const cached: Ask = async (by, word) => {
    const ask = () => on('GET', 'a', { query: 'resourceVersion=0' })(by, word);
    return (await should(ask, match.success)).subject;
  };
  /** The path of the collection over all namespaces. */
  const everywhere = async (by: Actor) => (await by.pathOf(kind)).replace(/\/namespaces\/[^/]+\//, '/');
  const watching =
    (query: string, { path = (by: Actor) => by.pathOf(kind), form = '' } = {}): Ask =>
    async (by, word) => {
      const accept = `application/json;as=${form};v=v1;g=meta.${by.dialect.apiDomain}`;
      const stream = await by.openStream(
        `${by.name} watches`,
        marked(await path(by), word, `watch=true&timeoutSeconds=1${query}`),
        form === '' ? {} : { headers: { accept } },
      );
      stream.close();
      return stream.opening;
    };
  /** With an object so large beside the others that a server that compresses answers does so. */
  const compressed: Ask = async (by, word) => {
    const large = { ...named('large'), free: { text: 'large '.repeat(30_000) } };
    await by.prepare(() => by.create(kind, large));
    const answer = await on('GET', '', { headers: { 'accept-encoding': 'gzip' } })(by, word);
    await by.prepare(() => by.delete(kind, 'large'));
    return answer;
  };
  const scaling =
    (method: string, type?: string): Ask =>
    async (by, word) => {
      const path = marked(await by.pathOf(kind, 'a', 'scale'), word);
      if (type === undefined) return by.request(method, path);
      const metadata = { name: by.space.nameOf(kind, 'a'), namespace: await by.namespace() };
      const whole = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata };
      const body = { ...(method === 'PUT' ? whole : {}), spec: { replicas: method === 'PUT' ? 2 : 3 } };
      return by.request(method, path, { headers: { 'content-type': type }, body });
    };
  const yaml = { headers: { accept: 'application/yaml' } };
  return new Map<CallWord, Ask>([
    ['create', writing('POST', 'a', {})],
    ['create-yaml', writing('POST', 'b', {}, '', 'application/yaml')],
    ['create-dry-run', writing('POST', 'c', {}, 'dryRun=All')],
    ['create-taken', writing('POST', 'a', {})],
    ['create-invalid', writing('POST', 'd', { size: 'large' })],
    ['create-unknown-field', writing('POST', 'e', { unheardOf: 1 }, 'dryRun=All&fieldValidation=Warn')],
    ['create-unsupported', writing('POST', 'e', {}, '', 'text/plain')],
    [
      'create-generated',
      async (by, word) => {
        const body = await by.fill(kind, { metadata: { generateName: 'any-' }, size: 1 });
        return by.request('POST', marked(await by.pathOf(kind), word, 'dryRun=All'), { body });
      },
    ],
    ['get', on('GET', 'a')],
    ['get-yaml', on('GET', 'a', yaml)],
    ['get-table', as('Table', 'a')],
    ['get-metadata', as('PartialObjectMetadata', 'a')],
    ['get-unacceptable', on('GET', 'a', { headers: { accept: 'text/plain' } })],
    ['get-missing', on('GET', 'not-there')],
    ['get-cached', cached],
    ['get-pretty', on('GET', 'a', { query: 'pretty=true' })],
    ['list', on('GET', '')],
    ['list-yaml', on('GET', '', yaml)],
    ['list-table', as('Table')],
    ['list-chunk', on('GET', '', { query: 'limit=1' })],
    ['list-next-chunk', next],
    ['list-wrong-chunk', on('GET', '', { query: 'limit=1&continue=none' })],
    ['list-selected', on('GET', '', { query: 'labelSelector=none%3Dthere' })],
    ['list-by-field', on('GET', '', { query: 'fieldSelector=metadata.name%3Da' })],
    ['list-metadata', as('PartialObjectMetadataList')],
    ['list-everywhere', async (by, word) => by.request('GET', marked(await everywhere(by), word))],
    ['list-compressed', compressed],
    ['list-cached', on('GET', '', { query: 'resourceVersion=0&resourceVersionMatch=NotOlderThan' })],
    ['list-cached-chunk', on('GET', '', { query: 'resourceVersion=0&limit=1' })],
    ['list-exact', exact],
    ['list-pretty', on('GET', '', { query: 'pretty=true&timeoutSeconds=5' })],
    ['watch', watching('')],
    ['watch-resumed', watching('&resourceVersion=0')],
    ['watch-initial', watching('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true')],
    ['watch-table', watching('', { form: 'Table' })],
    ['watch-everywhere', watching('', { path: everywhere })],
    ['watch-selected', watching('&labelSelector=none%3Dthere&fieldSelector=metadata.name%3Da')],
    ['watch-bookmarked', watching('&allowWatchBookmarks=true&resourceVersion=0')],
    ['update', writing('PUT', 'a', { size: 2 })],
    ['update-yaml', writing('PUT', 'a', { size: 2 }, '', 'application/yaml')],
    ['update-dry-run', writing('PUT', 'a', { size: 3 }, 'dryRun=All')],
    ['update-stale', writing('PUT', 'a', { metadata: { name: 'a', resourceVersion: '1' } })],
    ['update-missing', writing('PUT', 'not-there', { metadata: { name: 'not-there', resourceVersion: '1' } })],
    ['json', writing('PATCH', 'a', [{ op: 'replace', path: '/size', value: 4 }], '', PATCH_TYPES.json)],
    ['json-unfit', writing('PATCH', 'a', [{ op: 'test', path: '/size', value: 0 }], '', PATCH_TYPES.json)],
    ['merge', writing('PATCH', 'a', {}, '', PATCH_TYPES.merge)],
    ['merge-dry-run', writing('PATCH', 'a', { size: 7 }, 'dryRun=All', PATCH_TYPES.merge)],
    ['merge-missing', writing('PATCH', 'not-there', {}, '', PATCH_TYPES.merge)],
    ['apply', writing('PATCH', 'a', {}, 'fieldManager=one&force=true', PATCH_TYPES.apply)],
    ['apply-dry-run', writing('PATCH', 'a', { size: 8 }, 'fieldManager=one&force=true&dryRun=All', PATCH_TYPES.apply)],
    ['apply-creation', writing('PATCH', 'f', {}, 'fieldManager=one', PATCH_TYPES.apply)],
    ['apply-conflict', writing('PATCH', 'f', { size: 9 }, 'fieldManager=two', PATCH_TYPES.apply)],
    ['status-get', on('GET', 'a', { subresource: 'status' })],
    // What they say beside the status is left alone.
    ['status-put', writing('PUT', 'a', { size: 5, status: { seen: 1 } }, '', 'application/json', 'status')],
    ['status-merge', writing('PATCH', 'a', { size: 6, status: { seen: 2 } }, '', PATCH_TYPES.merge, 'status')],
    [
      'status-json',
      writing('PATCH', 'a', [{ op: 'add', path: '/status/seen', value: 3 }], '', PATCH_TYPES.json, 'status'),
    ],
    [
      'status-apply',
      writing('PATCH', 'a', { status: { seen: 4 } }, 'fieldManager=one&force=true', PATCH_TYPES.apply, 'status'),
    ],
    ['scale-get', scaling('GET')],
    ['scale-put', scaling('PUT', 'application/json')],
    ['scale-merge', scaling('PATCH', PATCH_TYPES.merge)],
    ['delete-dry-run', on('DELETE', 'a', { query: 'dryRun=All' })],
    [
      'delete-mismatched',
      on('DELETE', 'a', {
        body: { preconditions: { uid: 'of-another' } },
        headers: { 'content-type': 'application/json' },
      }),
    ],
    ['delete-background', on('DELETE', 'a', { query: 'propagationPolicy=Background&gracePeriodSeconds=0&dryRun=All' })],
    ['delete-missing', on('DELETE', 'not-there')],
    ['delete', on('DELETE', 'a')],
    ['deletecollection-dry-run', on('DELETE', '', { query: 'dryRun=All' })],
    ['deletecollection-selected', on('DELETE', '', { query: 'labelSelector=none%3Dthere' })],
    ['deletecollection', on('DELETE', '')],
  ]);
}
