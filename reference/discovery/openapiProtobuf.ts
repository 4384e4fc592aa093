import protobuf, { type Writer } from 'protobufjs/minimal.js';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { objectOf, textOf } from '../api/parts.ts';
import { yamlText } from '../codecs/yamlText.ts';
import type { Flavor } from './openapiSchemas.ts';

/*
 * OpenAPI documents in Protobuf, in the messages that clients of the service read: a document of the definition of
 * OpenAPI with names turned into pairs, values of any shape as YAML, and alternatives into messages of their own.
 */

const VARINT = 0;
const DOUBLE = 1;
const DELIMITED = 2;

/** Writes a value as the field of that number. */
type Write = (writer: Writer, number: number, value: Json) => void;
/** Writes the fields of a message. */
type Fields = (writer: Writer, value: Json) => void;

const text: Write = (writer, number, value) => {
  if (typeof value === 'string' && value !== '') writer.uint32(tag(number, DELIMITED)).string(value);
};
const flag: Write = (writer, number, value) => {
  if (value === true) writer.uint32(tag(number, VARINT)).bool(true);
};
const double: Write = (writer, number, value) => {
  if (typeof value === 'number' && value !== 0) writer.uint32(tag(number, DOUBLE)).double(value);
};
const integer: Write = (writer, number, value) => {
  if (typeof value === 'number' && value !== 0) writer.uint32(tag(number, VARINT)).int64(value);
};
const any: Write = (writer, number, value) =>
  delimited(writer, number, () => writer.uint32(tag(2, DELIMITED)).string(yamlText(value)));

/** Each item of a list, and a single value like a list of one. */
function many(write: Write): Write {
  return (writer, number, value) => {
    for (const item of Array.isArray(value) ? value : [value]) write(writer, number, item);
  };
}

/** A message; its fields are looked up when they are first needed, since messages hold themselves. */
function one(fields: () => Fields): Write {
  return (writer, number, value) => delimited(writer, number, () => fields()(writer, value));
}

/** Members of an object as pairs of name and value. */
function pairs(write: Write): Write {
  return (writer, number, value) => {
    for (const [name, member] of Object.entries(objectOf(value))) pair(writer, number, name, member, write);
  };
}

function pair(writer: Writer, number: number, name: string, value: Json, write: Write): void {
  delimited(writer, number, () => {
    text(writer, 1, name);
    write(writer, 2, value);
  });
}

/** A message that has nothing but one field. */
const holding = (number: number, write: Write): Write => one(() => (writer, value) => write(writer, number, value));

/** A message by its members. `extensions`: the field of what begins with `x-`; `rest`: that of all other names. */
function message(
  members: Readonly<Record<string, readonly [number: number, write: Write]>>,
  { extensions, rest }: { readonly extensions?: number; readonly rest?: readonly [number, Write] } = {},
): Fields {
  return (writer, value) => {
    for (const [name, member] of Object.entries(objectOf(value))) {
      const known = Object.hasOwn(members, name) ? members[name] : undefined;
      if (known) known[1](writer, known[0], member);
      else if (name.startsWith('x-')) {
        if (extensions !== undefined) pair(writer, extensions, name, member, any);
      } else if (rest) pair(writer, rest[0], name, member, rest[1]);
    }
  };
}

const isReference = (value: Json): boolean => isObject(value) && '$ref' in value;

const tag = (number: number, type: number): number => (number << 3) | type;

function delimited(writer: Writer, number: number, write: () => void): void {
  writer.uint32(tag(number, DELIMITED)).fork();
  write();
  writer.ldelim();
}

const texts = many(text);
const anys = many(any);
const named = (write: Write): Write => holding(1, pairs(write));
const stringArray = holding(1, texts);
const security = many(named(stringArray));

// --- OpenAPI 2.0

const SCHEMA_2: Fields = message(
  {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, flag],
    maxProperties: [17, integer],
    minProperties: [18, integer],
    required: [19, texts],
    enum: [20, anys],
    additionalProperties: [
      21,
      one(() => (writer, value) => {
        if (typeof value === 'boolean') writer.uint32(tag(2, VARINT)).bool(value);
        else schema2(writer, 1, value);
      }),
    ],
    type: [22, holding(1, texts)],
    items: [
      23,
      holding(
        1,
        many((writer, number, value) => schema2(writer, number, value)),
      ),
    ],
    allOf: [24, many((writer, number, value) => schema2(writer, number, value))],
    properties: [25, named((writer, number, value) => schema2(writer, number, value))],
    example: [30, any],
  },
  { extensions: 31 },
);
const schema2 = one(() => SCHEMA_2);

/** Fields of a value that is no object, from the first of them on. */
const primitive = (first: number): Record<string, readonly [number, Write]> => ({
  type: [first, text],
  format: [first + 1, text],
  items: [first + 2, one(() => message(primitive(1), { extensions: 18 }))],
  collectionFormat: [first + 3, text],
  default: [first + 4, any],
  maximum: [first + 5, double],
  exclusiveMaximum: [first + 6, flag],
  minimum: [first + 7, double],
  exclusiveMinimum: [first + 8, flag],
  maxLength: [first + 9, integer],
  minLength: [first + 10, integer],
  pattern: [first + 11, text],
  maxItems: [first + 12, integer],
  minItems: [first + 13, integer],
  uniqueItems: [first + 14, flag],
  enum: [first + 15, anys],
  multipleOf: [first + 16, double],
});
const PLACED: Record<string, readonly [number, Write]> = {
  required: [1, flag],
  in: [2, text],
  description: [3, text],
  name: [4, text],
};
const BODY_PARAMETER = message(
  { description: [1, text], name: [2, text], in: [3, text], required: [4, flag], schema: [5, schema2] },
  { extensions: 6 },
);
/** What a parameter is by where it stands: the number among those that are no body, and its fields. */
const PARAMETERS: Readonly<Record<string, readonly [number, Fields]>> = {
  header: [1, message({ ...PLACED, ...primitive(5) }, { extensions: 22 })],
  formData: [2, message({ ...PLACED, allowEmptyValue: [5, flag], ...primitive(6) }, { extensions: 23 })],
  query: [3, message({ ...PLACED, allowEmptyValue: [5, flag], ...primitive(6) }, { extensions: 23 })],
  path: [4, message({ ...PLACED, ...primitive(5) }, { extensions: 22 })],
};
const parameter2: Fields = (writer, value) => {
  const place = textOf(objectOf(value).in);
  const placed = Object.hasOwn(PARAMETERS, place) ? PARAMETERS[place] : undefined;
  if (placed) delimited(writer, 2, () => delimited(writer, placed[0], () => placed[1](writer, value)));
  else delimited(writer, 1, () => BODY_PARAMETER(writer, value));
};
const reference2 = message({ $ref: [1, text], description: [2, text] });
const parameters2 = many(
  one(() => (writer, value) => {
    if (isReference(value)) one(() => reference2)(writer, 2, value);
    else one(() => parameter2)(writer, 1, value);
  }),
);
const RESPONSE_2 = message({ description: [1, text], schema: [2, holding(1, schema2)] }, { extensions: 5 });
const responses2 = one(() =>
  message(
    {},
    {
      extensions: 2,
      rest: [
        1,
        holding(
          1,
          one(() => RESPONSE_2),
        ),
      ],
    },
  ),
);
const OPERATION_2 = message(
  {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, parameters2],
    responses: [9, responses2],
    schemes: [10, texts],
    deprecated: [11, flag],
    security: [12, security],
  },
  { extensions: 13 },
);
const operation2 = one(() => OPERATION_2);
const PATH_2 = message(
  {
    get: [2, operation2],
    put: [3, operation2],
    post: [4, operation2],
    delete: [5, operation2],
    options: [6, operation2],
    head: [7, operation2],
    patch: [8, operation2],
    parameters: [9, parameters2],
  },
  { extensions: 10 },
);
const API_KEY = message({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }, { extensions: 5 });
const DOCUMENT_2 = message(
  {
    swagger: [1, text],
    info: [2, one(() => message({ title: [1, text], version: [2, text], description: [3, text] }, { extensions: 7 }))],
    paths: [8, one(() => message({}, { extensions: 1, rest: [2, one(() => PATH_2)] }))],
    definitions: [9, named(schema2)],
    security: [12, security],
    securityDefinitions: [
      13,
      named(
        holding(
          2,
          one(() => API_KEY),
        ),
      ),
    ],
  },
  { extensions: 16 },
);

// --- OpenAPI 3.0

/** A thing itself, or a reference to it. */
function orReference(fields: () => Fields): Write {
  return one(() => (writer, value) => {
    if (isReference(value)) one(() => reference3)(writer, 2, value);
    else one(fields)(writer, 1, value);
  });
}
const reference3 = message({ $ref: [1, text], summary: [2, text], description: [3, text] });
const schema3: Write = orReference(() => SCHEMA_3);
/** A default is a number, a truth value or a text; others have no form in this message. */
const default3: Write = (writer, number, value) => {
  if (typeof value === 'number') delimited(writer, number, () => writer.uint32(tag(1, DOUBLE)).double(value));
  else if (typeof value === 'boolean') delimited(writer, number, () => writer.uint32(tag(2, VARINT)).bool(value));
  else if (typeof value === 'string') delimited(writer, number, () => writer.uint32(tag(3, DELIMITED)).string(value));
};
const SCHEMA_3: Fields = message(
  {
    nullable: [1, flag],
    readOnly: [3, flag],
    writeOnly: [4, flag],
    example: [7, any],
    deprecated: [8, flag],
    title: [9, text],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, flag],
    minimum: [13, double],
    exclusiveMinimum: [14, flag],
    maxLength: [15, integer],
    minLength: [16, integer],
    pattern: [17, text],
    maxItems: [18, integer],
    minItems: [19, integer],
    uniqueItems: [20, flag],
    maxProperties: [21, integer],
    minProperties: [22, integer],
    required: [23, texts],
    enum: [24, anys],
    type: [25, text],
    allOf: [26, many(schema3)],
    oneOf: [27, many(schema3)],
    anyOf: [28, many(schema3)],
    not: [29, one(() => SCHEMA_3)],
    items: [30, holding(1, many(schema3))],
    properties: [31, named(schema3)],
    additionalProperties: [
      32,
      one(() => (writer, value) => {
        if (typeof value === 'boolean') writer.uint32(tag(2, VARINT)).bool(value);
        else schema3(writer, 1, value);
      }),
    ],
    default: [33, default3],
    description: [34, text],
    format: [35, text],
  },
  { extensions: 36 },
);
const mediaTypes = named(one(() => message({ schema: [1, schema3], example: [2, any] }, { extensions: 5 })));
const parameters3 = many(
  orReference(() =>
    message(
      {
        name: [1, text],
        in: [2, text],
        description: [3, text],
        required: [4, flag],
        deprecated: [5, flag],
        allowEmptyValue: [6, flag],
        style: [7, text],
        explode: [8, flag],
        allowReserved: [9, flag],
        schema: [10, schema3],
        example: [11, any],
        content: [13, mediaTypes],
      },
      { extensions: 14 },
    ),
  ),
);
const response3 = orReference(() => message({ description: [1, text], content: [3, mediaTypes] }, { extensions: 5 }));
const OPERATION_3 = message(
  {
    tags: [1, texts],
    summary: [2, text],
    description: [3, text],
    operationId: [5, text],
    parameters: [6, parameters3],
    requestBody: [
      7,
      orReference(() =>
        message({ description: [1, text], content: [2, mediaTypes], required: [3, flag] }, { extensions: 4 }),
      ),
    ],
    responses: [8, one(() => message({ default: [1, response3] }, { extensions: 3, rest: [2, response3] }))],
    deprecated: [10, flag],
    security: [11, security],
  },
  { extensions: 13 },
);
const operation3 = one(() => OPERATION_3);
const PATH_3 = message(
  {
    summary: [2, text],
    description: [3, text],
    get: [4, operation3],
    put: [5, operation3],
    post: [6, operation3],
    delete: [7, operation3],
    options: [8, operation3],
    head: [9, operation3],
    patch: [10, operation3],
    trace: [11, operation3],
    parameters: [13, parameters3],
  },
  { extensions: 14 },
);
const SECURITY_SCHEME = message(
  {
    type: [1, text],
    description: [2, text],
    name: [3, text],
    in: [4, text],
    scheme: [5, text],
    bearerFormat: [6, text],
  },
  { extensions: 9 },
);
const DOCUMENT_3 = message(
  {
    openapi: [1, text],
    info: [2, one(() => message({ title: [1, text], description: [2, text], version: [6, text] }, { extensions: 7 }))],
    paths: [4, one(() => message({}, { extensions: 2, rest: [1, one(() => PATH_3)] }))],
    components: [
      5,
      one(() =>
        message(
          { schemas: [1, named(schema3)], securitySchemes: [7, named(orReference(() => SECURITY_SCHEME))] },
          { extensions: 10 },
        ),
      ),
    ],
    security: [6, security],
  },
  { extensions: 9 },
);

/** An OpenAPI document as the Protobuf message of its flavor. */
export function openapiProtobuf(document: JsonObject, flavor: Flavor): Uint8Array {
  const writer = protobuf.Writer.create();
  (flavor === 'v2' ? DOCUMENT_2 : DOCUMENT_3)(writer, document);
  return writer.finish();
}
