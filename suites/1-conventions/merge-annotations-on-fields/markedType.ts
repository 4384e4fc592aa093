import { type Dialect, extensionName } from '../../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../../harness/index.ts';
import {
  type Actor,
  customResourceDefinitions,
  defineType,
  inconclusive,
  type Kind,
  match,
  named,
  should,
} from '../../harness/index.ts';

/** Writes a marker into a schema: `mark('list-type', 'set')`. */
export type Mark = (suffix: string, value: string | boolean | readonly string[]) => JsonObject;
/** The schemas of the fields below `spec`. */
export type Fields = (mark: Mark) => JsonObject;

export const TEXT = { type: 'string' } as const;
/** A list of strings. */
export const TEXTS = { type: 'array', items: TEXT } as const;
/** A map of strings. */
export const TEXT_MAP = { type: 'object', additionalProperties: TEXT } as const;

/** The schema of a type whose `spec` has these fields. */
export function schemaOf(dialect: Dialect, fields: Fields): JsonObject {
  const mark: Mark = (suffix, value) => ({ [extensionName(dialect, suffix)]: value });
  return { type: 'object', properties: { spec: { type: 'object', properties: fields(mark) } } };
}

/** Prepares a type whose `spec` has these fields. */
export const defineMarked = (by: Actor, dialect: Dialect, fields: Fields): Promise<Kind> =>
  defineType(by, dialect, () => schemaOf(dialect, fields));

/** Prepares: the type has these fields from now on, and is served so. */
export async function remark(by: Actor, dialect: Dialect, type: Kind, fields: Fields): Promise<void> {
  const openAPIV3Schema = schemaOf(dialect, (mark) => ({ ...fields(mark), remarked: TEXT }));
  const versions = [{ name: type.version, served: true, storage: true, schema: { openAPIV3Schema } }];
  const name = `${type.plural}.${type.group}`;
  await by.prepare((each) => each.patch(customResourceDefinitions, name, 'merge', { spec: { versions } }));
  // The new schema shows in a field that the old one does not know.
  const probe = named('probe', { spec: { remarked: 'x' } });
  const asked = { dryRun: 'All', fieldValidation: 'Strict' };
  const served = await should(() => by.create(type, probe, asked), match.created);
  if (served.differences.length > 0) inconclusive('its preparation failed: the new definition is not served');
}

/** The object with this spec, as it is applied. */
export const thing = (spec: JsonObject) => named('thing', { spec });

/** Prepares: the actor has applied it. */
export const applied = (actor: Actor, type: Kind, spec: JsonObject) =>
  actor.prepare((each) => each.apply(type, thing(spec)));
