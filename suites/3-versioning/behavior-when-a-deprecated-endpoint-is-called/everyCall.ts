import type { DEPRECATED_CALL_WORDS } from '../../../fixtures/ledger/index.ts';
import { type Actor, type Exchange, isRecord, type Kind, named, PATCH_TYPES } from '../../harness/index.ts';

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
  const table = (by: Actor) => `application/json;as=Table;v=v1;g=meta.${by.dialect.apiDomain}`;
  const next: Ask = async (by, word) => {
    const { json } = await by.prepare(() => by.list(kind, { limit: 1 }));
    const { metadata } = isRecord(json) ? json : {};
    const token = isRecord(metadata) ? String(metadata.continue ?? '') : '';
    return by.request('GET', marked(await by.pathOf(kind), word, `limit=1&continue=${encodeURIComponent(token)}`));
  };
  const watching =
    (query: string): Ask =>
    async (by, word) => {
      const stream = await by.openStream(
        `${by.name} watches`,
        marked(await by.pathOf(kind), word, `watch=true&timeoutSeconds=1${query}`),
      );
      stream.close();
      return stream.opening;
    };
  const yaml = { headers: { accept: 'application/yaml' } };
  return new Map<CallWord, Ask>([
    ['create', writing('POST', 'a', {})],
    ['create-yaml', writing('POST', 'b', {}, '', 'application/yaml')],
    ['create-dry-run', writing('POST', 'c', {}, 'dryRun=All')],
    ['create-taken', writing('POST', 'a', {})],
    ['create-invalid', writing('POST', 'd', { size: 'large' })],
    ['create-unknown-field', writing('POST', 'e', { unheardOf: 1 }, 'dryRun=All&fieldValidation=Warn')],
    ['get', on('GET', 'a')],
    ['get-yaml', on('GET', 'a', yaml)],
    ['get-table', (by, word) => on('GET', 'a', { headers: { accept: table(by) } })(by, word)],
    ['get-missing', on('GET', 'not-there')],
    ['list', on('GET', '')],
    ['list-yaml', on('GET', '', yaml)],
    ['list-table', (by, word) => on('GET', '', { headers: { accept: table(by) } })(by, word)],
    ['list-chunk', on('GET', '', { query: 'limit=1' })],
    ['list-next-chunk', next],
    ['list-selected', on('GET', '', { query: 'labelSelector=none%3Dthere' })],
    ['watch', watching('')],
    ['watch-resumed', watching('&resourceVersion=0')],
    ['update', writing('PUT', 'a', { size: 2 })],
    ['update-dry-run', writing('PUT', 'a', { size: 3 }, 'dryRun=All')],
    ['update-stale', writing('PUT', 'a', { metadata: { name: 'a', resourceVersion: '1' } })],
    ['update-missing', writing('PUT', 'not-there', { metadata: { name: 'not-there', resourceVersion: '1' } })],
    ['json', writing('PATCH', 'a', [{ op: 'replace', path: '/size', value: 4 }], '', PATCH_TYPES.json)],
    ['merge', writing('PATCH', 'a', {}, '', PATCH_TYPES.merge)],
    ['merge-missing', writing('PATCH', 'not-there', {}, '', PATCH_TYPES.merge)],
    ['apply', writing('PATCH', 'a', {}, 'fieldManager=one&force=true', PATCH_TYPES.apply)],
    ['apply-creation', writing('PATCH', 'f', {}, 'fieldManager=one', PATCH_TYPES.apply)],
    ['apply-conflict', writing('PATCH', 'f', { size: 9 }, 'fieldManager=two', PATCH_TYPES.apply)],
    ['status-get', on('GET', 'a', { subresource: 'status' })],
    // What they say beside the status is left alone.
    ['status-put', writing('PUT', 'a', { size: 5, status: { seen: 1 } }, '', 'application/json', 'status')],
    ['status-merge', writing('PATCH', 'a', { size: 6, status: { seen: 2 } }, '', PATCH_TYPES.merge, 'status')],
    ['delete-dry-run', on('DELETE', 'a', { query: 'dryRun=All' })],
    ['delete-missing', on('DELETE', 'not-there')],
    ['delete', on('DELETE', 'a')],
    ['deletecollection-dry-run', on('DELETE', '', { query: 'dryRun=All' })],
    ['deletecollection', on('DELETE', '')],
  ]);
}
