import type { ResourceRequest, Verb } from '../api/request.ts';
import { methodNotAllowed, methodNotSupported, noSuchResource, notFound } from '../api/status.ts';
import type { TextAnswer } from '../contracts/answer.ts';
import type { Endpoint, ResourceRegistry } from '../contracts/resourceRegistry.ts';
import type { ResourceType } from '../contracts/resourceType.ts';

/** The answer where nothing of the service is: plain text, as the real one gives it. */
export const PAGE_NOT_FOUND: TextAnswer = {
  kind: 'text',
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  body: '404 page not found\n',
};

/**
 * Finds what a resource request leads to (1/url-shapes, 1/verbs).
 * @returns the endpoint, or the plain 404 for groups and custom types that are not served.
 * @param method as HTTP names it.
 * @throws ApiError 404 for an unknown version, resource, scope or subresource of a known group; 405 where the
 *   path exists and the method does not.
 */
export function findEndpoint(registry: ResourceRegistry, info: ResourceRequest, method = 'GET'): Endpoint | TextAnswer {
  const endpoint = registry.endpoint(info.group, info.version, info.resource, info.subresource);
  // What stands behind the name of a legacy watch is no part of an object, and no name either.
  const beyond = info.verb === 'watch' && info.subresource === '' && info.rest.length > 0;
  if (!endpoint || beyond) {
    const whole = beyond ? undefined : registry.endpoint(info.group, info.version, info.resource);
    if (whole?.type.custom && reaches(whole.type, info)) throw notFound(whole.type, info.name);
    if (isBuiltinGroup(registry, info.group)) throw noSuchResource();
    return PAGE_NOT_FOUND;
  }
  return endpoint.type.custom ? customEndpoint(endpoint, info) : builtinEndpoint(endpoint, info, method);
}

function builtinEndpoint(endpoint: Endpoint, info: ResourceRequest, method: string): Endpoint {
  const { type, subresource } = endpoint;
  const acrossNamespaces = type.namespaced && info.namespace === '';
  // A namespace is asked for in itself, but like all that is of the cluster it is never reached below one.
  const wrongScope = !type.namespaced && info.below !== '';
  // A namespaced object cannot be reached without its namespace, though a selector may name it.
  const unreachable = acrossNamespaces && (info.name !== '' || !endpoint.version.verbs.includes('list'));
  // What is asked and never kept has no objects that a name could lead to.
  const nameless = subresource === undefined && info.name !== '' && !endpoint.version.verbs.some(isItemVerb);
  if (wrongScope || nameless || (unreachable && !isCollectionRead(info))) throw noSuchResource();
  const verbs = subresource ? subresource.verbs : endpoint.version.verbs;
  const fits =
    // No route of a built-in type takes HEAD, though it is authorized as a read.
    method !== 'HEAD' &&
    verbs.includes(info.verb) &&
    nameFits(info, subresource !== undefined) &&
    (!acrossNamespaces || isCollectionRead(info));
  if (!fits) {
    const methods = subresource ? SUBRESOURCE_METHODS : info.name !== '' ? ITEM_METHODS : COLLECTION_METHODS;
    throw methodNotAllowed((acrossNamespaces ? ['list' as const] : verbs).flatMap((verb) => methods[verb] ?? []));
  }
  return endpoint;
}

function customEndpoint(endpoint: Endpoint, info: ResourceRequest): Endpoint | TextAnswer {
  const { type, subresource } = endpoint;
  if (!reaches(type, info)) return PAGE_NOT_FOUND;
  const verbs = subresource ? subresource.verbs : endpoint.version.verbs;
  if (!verbs.includes(info.verb) || !nameFits(info, subresource !== undefined)) {
    throw methodNotSupported({ group: info.group, resource: info.resource }, info.verb);
  }
  return endpoint;
}

/** Whether the path is of the scope of a custom type. */
function reaches(type: ResourceType, info: ResourceRequest): boolean {
  return type.namespaced ? info.namespace !== '' || isCollectionRead(info) : info.namespace === '';
}

function isBuiltinGroup(registry: ResourceRegistry, group: string): boolean {
  for (const type of registry.types()) if (type.group === group && !type.custom) return true;
  return false;
}

const COLLECTION_READS: ReadonlySet<Verb> = new Set(['list', 'watch']);
const ITEM_WRITES: ReadonlySet<Verb> = new Set(['update', 'patch', 'delete']);

function isItemVerb(verb: Verb): boolean {
  return verb === 'get' || ITEM_WRITES.has(verb);
}

function isCollectionRead({ verb, name, selected = false }: ResourceRequest): boolean {
  return COLLECTION_READS.has(verb) && (name === '' || selected);
}

/** POST goes to collections and subresources, PUT and PATCH to items. */
function nameFits(info: ResourceRequest, subresource: boolean): boolean {
  if (info.verb === 'create') return subresource || info.name === '';
  return !ITEM_WRITES.has(info.verb) || info.name !== '';
}

type Methods = Readonly<Partial<Record<Verb, readonly string[]>>>;
const COLLECTION_METHODS: Methods = { list: ['GET'], create: ['POST'], deletecollection: ['DELETE'] };
const ITEM_METHODS: Methods = { get: ['GET'], update: ['PUT'], patch: ['PATCH'], delete: ['DELETE'] };
const SUBRESOURCE_METHODS: Methods = { ...ITEM_METHODS, create: ['POST'] };
