import { departs, type Follow } from '../../fixtures/follow.ts';
import type { Query, RequestInfo, Verb } from '../api/request.ts';
import { badRequest } from '../api/status.ts';
import { parseFieldSelector } from '../selectors/fields.ts';

const VERB_OF_METHOD: Readonly<Record<string, Verb>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Subresources of a namespace itself; any other word behind a namespace's name is a resource type inside it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/**
 * Reads what a path and a method ask for (1/url-shapes, 2/authorization). Whether such a resource exists is not
 * asked here.
 * @param path percent-decoded, without query.
 * @throws ApiError 400 for a legacy watch or proxy path that names nothing.
 */
export function requestInfo(method: string, path: string, query: Query, follow: Follow): RequestInfo {
  const parts = splitPath(path);
  const grouped = parts[0] === 'apis';
  if ((parts[0] !== 'api' && !grouped) || parts.length < (grouped ? 4 : 3)) {
    return { isResource: false, verb: method.toLowerCase(), path };
  }
  const group = grouped ? (parts[1] as string) : '';
  const version = parts[grouped ? 2 : 1] as string;
  let rest = parts.slice(grouped ? 3 : 2);

  // Other methods are no verb of a resource.
  let verb = VERB_OF_METHOD[method] ?? ('' as Verb);
  let legacy = false;
  if (rest[0] === 'watch' || rest[0] === 'proxy') {
    if (rest.length < 2) throw badRequest(`unable to determine kind and namespace from url, ${path}`);
    verb = rest[0];
    legacy = true;
    rest = rest.slice(1);
  }

  let namespace = '';
  let below = '';
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1] as string;
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] as string)) {
      below = namespace;
      rest = rest.slice(2);
    }
  }
  const resource = rest[0] as string;
  let name = rest[1] ?? '';
  const selected = name === '';
  const subresource = legacy ? '' : (rest[2] ?? '');

  if (name === '') {
    if (verb === 'get') {
      verb = asksToWatch(query) ? 'watch' : 'list';
      name = singleName(query);
    } else if (verb === 'delete') verb = 'deletecollection';
    else if (verb === 'watch') name = singleName(query);
  } else if (verb === 'get' && subresource === '' && asksToWatch(query) && !departs(follow, 'watch-of-item-path')) {
    verb = 'watch';
  }

  return {
    isResource: true,
    verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    below,
    name,
    ...(selected && name !== '' ? { selected } : {}),
    path,
    rest: rest.slice(legacy ? 2 : 3),
  };
}

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 47) start++;
  while (end > start && path.charCodeAt(end - 1) === 47) end--;
  return start === end ? [] : path.slice(start, end).split('/');
}

/** The `watch` parameter: present and neither `0` nor `false` (1/verbs/2). */
export function asksToWatch(query: Query): boolean {
  const value = query.get('watch');
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

/** A collection narrowed to one name by its field selector is authorized as that name. */
function singleName(query: Query): string {
  const selector = query.get('fieldSelector');
  if (!selector) return '';
  try {
    return parseFieldSelector(selector).exactly('metadata.name') ?? '';
  } catch {
    // The verb will say what is wrong with it.
    return '';
  }
}
