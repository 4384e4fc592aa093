import type { GroupVersionKind } from '../api/groupVersion.ts';
import type { JsonObject } from '../api/json.ts';
import type { Verb } from '../api/request.ts';
import type { Subresource } from '../contracts/resourceType.ts';
import type { ServedResource } from './groups.ts';
import { subresourceKind } from './resourceEntries.ts';

/** How one kind of answer or body is written: a reference to its schema. */
export interface SchemaSource {
  readonly flavor: 'v2' | 'v3';
  readonly gvkExtension: string;
  readonly actionExtension: string;
  readonly protobuf: string | undefined;
  object(kind: GroupVersionKind, served: ServedResource, subresource?: Subresource): JsonObject;
  list(served: ServedResource): JsonObject;
  meta(name: 'Status' | 'DeleteOptions' | 'Patch'): JsonObject;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
const METHODS: Readonly<Partial<Record<Verb, Method>>> = {
  get: 'get',
  list: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};
const ACTIONS: Readonly<Partial<Record<Verb, string>>> = { create: 'post', update: 'put' };
const WORDS: Readonly<Partial<Record<Verb, string>>> = {
  get: 'read',
  create: 'create',
  update: 'replace',
  deletecollection: 'deleteCollection',
};

/** The paths of a resource and its subresources, with the operations on each. */
export function pathsOf(served: ServedResource, source: SchemaSource): Map<string, JsonObject> {
  const { type, version } = served;
  const root = type.group === '' ? `/api/${version.version}` : `/apis/${type.group}/${version.version}`;
  const base = type.namespaced ? `${root}/namespaces/{namespace}/${type.resource}` : `${root}/${type.resource}`;
  const own: GroupVersionKind = { group: type.group, version: version.version, kind: type.kind };
  const paths = new Map<string, JsonObject>();
  const has = (verb: Verb) => version.verbs.includes(verb);
  const add = (path: string, verbs: readonly Verb[], more: Partial<OperationPlace> = {}) => {
    const item: JsonObject = {};
    for (const verb of verbs) {
      const method = METHODS[verb];
      if (!method) continue;
      item[method] = operation(verb, { served, source, kind: own, path, collection: false, ...more });
    }
    if (Object.keys(item).length === 0) return;
    item.parameters = pathParameters(path, source);
    paths.set(path, item);
  };
  add(base, (['list', 'create', 'deletecollection'] as const).filter(has), { collection: true });
  if (type.namespaced && has('list')) add(`${root}/${type.resource}`, ['list'], { collection: true, across: true });
  add(`${base}/{name}`, (['get', 'update', 'patch', 'delete'] as const).filter(has));
  for (const subresource of version.subresources) {
    add(`${base}/{name}/${subresource.name}`, subresource.verbs, {
      kind: subresourceKind(served, subresource),
      subresource,
    });
  }
  return paths;
}

interface OperationPlace {
  readonly served: ServedResource;
  readonly source: SchemaSource;
  readonly kind: GroupVersionKind;
  readonly path: string;
  readonly collection: boolean;
  /** A list over all namespaces. */
  readonly across?: boolean;
  readonly subresource?: Subresource;
}

function operation(verb: Verb, place: OperationPlace): JsonObject {
  const { served, source, kind } = place;
  const status = verb === 'deletecollection' || (verb === 'delete' && !served.type.strategy.deleteReturnsObject);
  const answer =
    verb === 'list'
      ? source.list(served)
      : status
        ? source.meta('Status')
        : source.object(kind, served, place.subresource);
  const codes = verb === 'create' || verb === 'update' || verb === 'patch' ? ['200', '201'] : ['200'];
  if (verb === 'create') codes.push('202');
  const responses: JsonObject = {};
  for (const code of codes) responses[code] = response(TEXTS[code] as string, answer, source);
  responses['401'] = { description: 'Unauthorized' };
  const body = bodyOf(verb, place);
  const parameters = queryParameters(verb, source);
  const name = `${served.type.group === '' ? 'core' : (served.type.group.split('.')[0] as string)}_${kind.version}`;
  return {
    tags: [name],
    description: describeOperation(verb, place),
    operationId: operationId(verb, place),
    ...(source.flavor === 'v2'
      ? {
          consumes: body ? Object.keys(body.content as JsonObject) : ['*/*'],
          produces: mediaTypes(source),
          schemes: ['https'],
          parameters: body
            ? [
                ...parameters,
                { name: 'body', in: 'body', required: body.required ?? false, schema: body.schema as JsonObject },
              ]
            : parameters,
        }
      : {
          parameters,
          ...(body
            ? { requestBody: { content: body.content as JsonObject, ...(body.required ? { required: true } : {}) } }
            : {}),
        }),
    responses,
    [source.actionExtension]: ACTIONS[verb] ?? verb,
    [source.gvkExtension]: { group: kind.group, kind: kind.kind, version: kind.version },
  };
}

const TEXTS: Readonly<Record<string, string>> = { '200': 'OK', '201': 'Created', '202': 'Accepted' };

function mediaTypes(source: SchemaSource): string[] {
  const types = ['application/json', 'application/yaml'];
  return source.protobuf ? [...types, source.protobuf] : types;
}

function response(description: string, schema: JsonObject, source: SchemaSource): JsonObject {
  if (source.flavor === 'v2') return { description, schema };
  const content: JsonObject = {};
  for (const type of mediaTypes(source)) content[type] = { schema };
  return { description, content };
}

function bodyOf(verb: Verb, { served, source, kind, subresource }: OperationPlace): JsonObject | undefined {
  if (verb === 'create' || verb === 'update') {
    const schema = source.object(kind, served, subresource);
    return { schema, content: { '*/*': { schema } }, required: true };
  }
  if (verb === 'delete' || verb === 'deletecollection') {
    const schema = source.meta('DeleteOptions');
    return { schema, content: { '*/*': { schema } } };
  }
  if (verb !== 'patch') return undefined;
  const schema = source.meta('Patch');
  const content: JsonObject = {};
  for (const type of ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']) {
    if (type.startsWith('strategic') && served.type.custom) continue;
    content[`application/${type}`] = { schema };
  }
  return { schema, content, required: true };
}

function describeOperation(verb: Verb, { served, collection, kind }: OperationPlace): string {
  if (verb === 'list' || verb === 'deletecollection')
    return `${verb === 'list' ? 'list' : 'delete collection of'} objects of kind ${kind.kind}`;
  return `${WORDS[verb] ?? verb} ${collection ? 'a' : 'the specified'} ${served.type.kind}`;
}

function operationId(verb: Verb, { served, kind, across, subresource }: OperationPlace): string {
  const { type, version } = served;
  const group = type.group === '' ? 'core' : (type.group.split('.')[0] as string);
  const scope = type.namespaced && !across ? 'Namespaced' : '';
  const tail = subresource ? capital(subresource.name) : '';
  const own = subresource ? type.kind : kind.kind;
  return `${WORDS[verb] ?? verb}${capital(group)}${capital(version.version)}${verb === 'deletecollection' ? 'Collection' : ''}${scope}${own}${tail}${across ? 'ForAllNamespaces' : ''}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function parameter(name: string, where: 'query' | 'path', type: string, source: SchemaSource): JsonObject {
  const required: JsonObject = where === 'path' ? { required: true } : {};
  const typed: JsonObject =
    source.flavor === 'v2' ? { type, uniqueItems: true } : { schema: { type, uniqueItems: true } };
  return { name, in: where, ...required, ...typed };
}

function pathParameters(path: string, source: SchemaSource): JsonObject[] {
  const names = ['namespace', 'name'].filter((name) => path.includes(`{${name}}`));
  return [
    ...names.map((name) => parameter(name, 'path', 'string', source)),
    parameter('pretty', 'query', 'string', source),
  ];
}

const LIST_PARAMETERS: readonly (readonly [string, string])[] = [
  ['allowWatchBookmarks', 'boolean'],
  ['continue', 'string'],
  ['fieldSelector', 'string'],
  ['labelSelector', 'string'],
  ['limit', 'integer'],
  ['resourceVersion', 'string'],
  ['resourceVersionMatch', 'string'],
  ['sendInitialEvents', 'boolean'],
  ['timeoutSeconds', 'integer'],
  ['watch', 'boolean'],
];
const WRITE_PARAMETERS: readonly (readonly [string, string])[] = [
  ['dryRun', 'string'],
  ['fieldManager', 'string'],
  ['fieldValidation', 'string'],
];
const DELETE_PARAMETERS: readonly (readonly [string, string])[] = [
  ['dryRun', 'string'],
  ['gracePeriodSeconds', 'integer'],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
];
const PARAMETERS: Readonly<Partial<Record<Verb, readonly (readonly [string, string])[]>>> = {
  list: LIST_PARAMETERS,
  create: WRITE_PARAMETERS,
  update: WRITE_PARAMETERS,
  patch: [...WRITE_PARAMETERS, ['force', 'boolean']],
  delete: DELETE_PARAMETERS,
  deletecollection: [
    ...DELETE_PARAMETERS,
    ...LIST_PARAMETERS.filter(([name]) => name !== 'watch' && name !== 'allowWatchBookmarks'),
  ],
};

function queryParameters(verb: Verb, source: SchemaSource): JsonObject[] {
  return (PARAMETERS[verb] ?? []).map(([name, type]) => parameter(name, 'query', type, source));
}
