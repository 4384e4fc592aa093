import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../reference/api/json.ts';
import { Dice } from '../../suites/covering/dice.ts';
import { type SequenceType, TYPES } from '../../suites/sequences/types.ts';
import type { FuzzServer, Stored } from './server.ts';
import { bent, type Draw, drawn, pick, rarely, upTo } from './values.ts';

/** An object that may be created, or not. */
export interface Candidate {
  readonly stored: Stored;
  readonly object: JsonObject;
  /** Path of the item, when it is created. */
  readonly item: string;
}

export const NAME = 'o';
const DOMAIN = 'k8s.io';
const WORDS: Readonly<Record<string, string>> = {
  id: 'x',
  ns: 'default',
  ns2: 'default',
  domain: DOMAIN,
  vendor: 'kubernetes',
  label: 'kubernetes.io',
  system: 'kube-system',
  public: 'kube-public',
};
const LEGAL = new Map<string, SequenceType>(
  TYPES.filter((type) => !type.custom).map((type) => [`${named(type.apiVersion)} ${type.kind}`, type]),
);

function named(text: string): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => WORDS[name] ?? all);
}

/** An object of any type: one that is known to be good, bent a little, or one made up from the schema. */
export function candidate(draw: Draw, base: FuzzServer): Candidate {
  const stored = pick(draw, typesOf(base));
  const { type, version, apiVersion, collection } = stored;
  const legal = LEGAL.get(`${apiVersion} ${type.kind}`);
  const made = legal && !rarely(draw, 3) ? legalObject(draw, legal) : (drawn(draw, version.schema) as JsonObject);
  const object: JsonObject = { ...made, apiVersion, kind: type.kind, metadata: metadata(draw, made.metadata) };
  return { stored, object, item: `${collection}/${NAME}` };
}

const kept = new WeakMap<FuzzServer, Stored[]>();
function typesOf(base: FuzzServer): Stored[] {
  const known = kept.get(base) ?? base.stored();
  kept.set(base, known);
  return known;
}

function legalObject(draw: Draw, type: SequenceType): JsonObject {
  const dice = new Dice(String(upTo(draw, 1_000)));
  let object: Json = JSON.parse(named(JSON.stringify(type.object(dice)))) as Json;
  for (let left = upTo(draw, 2); left > 0; left--) object = bent(draw, object);
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? (object as JsonObject) : {};
}

function metadata(draw: Draw, given: Json | undefined): JsonObject {
  const own: JsonObject = {
    ...(typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as JsonObject) : {}),
    name: NAME,
  };
  if (!rarely(draw, 4)) return own;
  return bent(draw, {
    ...own,
    labels: { a: 'b' },
    annotations: { a: 'b' },
    finalizers: ['example.com/a'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'u' }],
  }) as JsonObject;
}

/** What two runs of the same request have in common: all but what every write draws anew. */
export function comparable(object: JsonObject): JsonObject {
  const { metadata, ...rest } = object;
  if (typeof metadata !== 'object' || metadata === null) return object;
  const { uid: _uid, resourceVersion: _version, ...kept } = metadata as JsonObject;
  return { ...rest, metadata: kept };
}

export const versionOf = (object: JsonObject): Json | undefined =>
  (object.metadata as JsonObject | undefined)?.resourceVersion as Json | undefined;

/** The paths at which two values differ, for a message. */
export function differences(a: Json | undefined, b: Json | undefined, path = ''): string[] {
  if (isDeepStrictEqual(a, b)) return [];
  const plain = (value: Json | undefined): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!plain(a) || !plain(b)) return [`${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key] as Json, b[key] as Json, `${path}.${key}`),
  );
}
