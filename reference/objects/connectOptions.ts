import type { GroupVersionKind } from '../api/groupVersion.ts';
import { type Json, type JsonObject, setMember } from '../api/json.ts';
import type { Query } from '../api/request.ts';
import { TypeLibrary } from '../schema/notation.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';

/** What requests that reach into what runs may say in their query, in the notation of schema/notation.ts. */
const options = `
NodeProxyOptions kind
  path 1 string
PodAttachOptions kind
  stdin 1 boolean
  stdout 2 boolean
  stderr 3 boolean
  tty 4 boolean
  container 5 string
PodExecOptions kind
  stdin 1 boolean
  stdout 2 boolean
  stderr 3 boolean
  tty 4 boolean
  container 5 string
  command 6 []string
PodPortForwardOptions kind
  ports 1 []int32
PodProxyOptions kind
  path 1 string
ServiceProxyOptions kind
  path 1 string
`;

const library = new TypeLibrary(new Map([['connect.v1', options]]), { release: Number.MAX_SAFE_INTEGER, vendor: '' });

/** The shape of the options of a kind; undefined where the subresource only reads. */
export function connectSchema(kind: string): ObjectSchema | undefined {
  return library.find(`connect.v1.${kind}`);
}

/**
 * The options of a request as an object: what its query says of the fields of the kind.
 * @param rest segments of the path behind the subresource
 */
export function connectOptions(
  kind: GroupVersionKind,
  schema: ObjectSchema,
  query: Query,
  rest: readonly string[],
): JsonObject {
  const object: JsonObject = { kind: kind.kind, apiVersion: kind.version };
  for (const { name, schema: field } of schema.fields.values()) {
    if (name === 'kind' || name === 'apiVersion') continue;
    const values = query.all(name);
    const value = name === 'path' && rest.length > 0 ? `/${rest.join('/')}` : parameterValue(field, values);
    if (value !== undefined) setMember(object, name, value);
  }
  return object;
}

/** A parameter that says nothing, or the empty value, is left out. */
function parameterValue(schema: Schema, values: readonly string[]): Json | undefined {
  const [first = ''] = values;
  if (schema.kind === 'list') {
    const numbers = schema.items.kind === 'scalar' && schema.items.type === 'int32';
    const items = numbers ? values.filter((value) => /^\d{1,9}$/.test(value)).map(Number) : [...values];
    return items.length > 0 ? items : undefined;
  }
  if (schema.kind === 'scalar' && schema.type === 'boolean') {
    return values.length > 0 && first.toLowerCase() !== 'false' && first !== '0' ? true : undefined;
  }
  return first === '' ? undefined : first;
}
