import { type Dialect, groupName } from '../../../../fixtures/dialects/dialect.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject, setMember } from '../../../api/json.ts';
import { labelValue, qualifiedName } from '../../../api/nameRules.ts';
import { listOf, objectOf, textOf } from '../../../api/parts.ts';

/** An answer of a conversion webhook that cannot be used. */
export class ConversionFault extends Error {}

/** The question that a conversion webhook is asked, in the first version of reviews that both sides know. */
export function conversionReview(
  dialect: Dialect,
  reviewVersions: readonly string[],
  uid: string,
  objects: readonly JsonObject[],
  desiredAPIVersion: string,
): JsonObject {
  const version = reviewVersions.find((one) => one === 'v1' || one === 'v1beta1');
  if (version === undefined) throw new ConversionFault('no supported conversion review versions');
  return {
    kind: 'ConversionReview',
    apiVersion: `${groupName(dialect, 'apiextensions')}/${version}`,
    request: { uid, desiredAPIVersion, objects: [...objects] },
  };
}

/** How messages name the kind of an object: `example.com/v1, Kind=Widget`. */
export function kindText({ apiVersion, kind }: JsonObject): string {
  return `${textOf(apiVersion)}, Kind=${textOf(kind)}`;
}

/**
 * The objects in an answer, in the order asked.
 * @throws ConversionFault when the answer is not one to this question, or says that conversion failed
 */
export function convertedObjects(answer: Json, review: JsonObject): readonly Json[] {
  const given = objectOf(answer);
  const { response } = given;
  const strict = textOf(review.apiVersion).endsWith('/v1');
  if (strict && (given.apiVersion !== review.apiVersion || given.kind !== review.kind)) {
    throw new ConversionFault(`expected webhook response of ${kindText(review)}, got ${kindText(given)}`);
  }
  if (!isObject(response)) throw new ConversionFault('no response provided');
  const wanted = textOf(objectOf(review.request).uid);
  if (strict && response.uid !== wanted) {
    throw new ConversionFault(
      `expected response.uid=${JSON.stringify(wanted)}, got ${JSON.stringify(textOf(response.uid))}`,
    );
  }
  const { status, message } = objectOf(response.result);
  if (status === 'Success') return listOf(response.convertedObjects);
  throw new ConversionFault(textOf(message) || `response.result.status was '${textOf(status)}', not 'Success'`);
}

/**
 * One converted object with the metadata of the original, but for labels and annotations.
 * @throws ConversionFault when it is another object, or its metadata is none
 */
export function restored(converted: Json, original: JsonObject, apiVersion: string): JsonObject {
  if (!isObject(converted)) throw new ConversionFault('Object is not an object');
  if (converted.apiVersion !== apiVersion) {
    throw new ConversionFault(
      `invalid groupVersion (expected ${apiVersion}, received ${textOf(converted.apiVersion)})`,
    );
  }
  if (converted.kind !== original.kind) {
    throw new ConversionFault(`invalid kind (expected ${textOf(original.kind)}, received ${textOf(converted.kind)})`);
  }
  const { metadata } = converted;
  const before = objectOf(original.metadata);
  if (metadata === undefined) throw new ConversionFault('missing metadata in converted object');
  if (!isObject(metadata)) throw new ConversionFault('invalid metadata in converted object');
  for (const [name, words] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was, is] = [textOf(before[name]), textOf(metadata[name])];
    if (was !== is) throw new ConversionFault(`must have the same ${words}: ${was} != ${is}`);
  }
  const merged: JsonObject = { ...before };
  for (const name of ['labels', 'annotations'] as const) {
    const texts = textsUnder(metadata[name], name);
    if (texts) merged[name] = texts;
    else delete merged[name];
  }
  return { ...converted, metadata: merged };
}

function textsUnder(value: Json | undefined, name: 'labels' | 'annotations'): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw new ConversionFault(`invalid metadata.${name} in converted object`);
  const path = FieldPath.of('metadata', name);
  const texts: JsonObject = {};
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') {
      throw new ConversionFault(`metadata.${name}[${key}] must be a string in converted object`);
    }
    const faults = qualifiedName(name === 'labels' ? key : key.toLowerCase());
    if (faults.length > 0) throw new ConversionFault(`${path}: Invalid value: ${JSON.stringify(key)}: ${faults[0]}`);
    const wrong = name === 'labels' ? labelValue(text) : [];
    if (wrong.length > 0) throw new ConversionFault(`${path}: Invalid value: ${JSON.stringify(text)}: ${wrong[0]}`);
    setMember(texts, key, text);
  }
  return texts;
}
