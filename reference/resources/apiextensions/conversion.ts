import { equalJson, isObject, type Json, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, objectOf, objectsOf, setDefault, textOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { compact, renamed, withSpec } from '../conversion/reshape.ts';
import { applyDefinitionDefaults } from './defaults.ts';
import { openDefinitionStrategy } from './strategy.ts';

/*
 * CustomResourceDefinitions in apiextensions/v1beta1 (3/removed-api-versions-by-release/t1.14): what all versions have
 * in common stands beside them, and a schema is not asked for.
 */

/** Parts that stand with each version, or once beside all of them: the name in the version and the name beside it. */
const SHARED = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

function columns(part: Json | undefined, from: string, to: string): Json | undefined {
  return Array.isArray(part) ? part.map((column) => (isObject(column) ? renamed(column, from, to) : column)) : part;
}

function toV1(spec: JsonObject): JsonObject {
  const { version: _, versions, conversion, preserveUnknownFields, ...others } = spec;
  const shared = compact(Object.fromEntries(SHARED.map(([own, beside]) => [own, others[beside]])));
  for (const [, beside] of SHARED) delete others[beside];
  return compact({
    ...others,
    preserveUnknownFields: preserveUnknownFields === true ? true : undefined,
    versions: listOf(versions).map((one) => columnsIn({ ...shared, ...objectOf(one) }, 'JSONPath', 'jsonPath')),
    conversion: isObject(conversion) ? conversionToV1(conversion) : conversion,
  });
}

function fromV1(spec: JsonObject): JsonObject {
  const { conversion, preserveUnknownFields, ...others } = spec;
  const versions = objectsOf(spec.versions).map((one) => columnsIn(one, 'jsonPath', 'JSONPath'));
  const [first = {}] = versions;
  const beside: Record<string, Json | undefined> = {};
  for (const [own, name] of SHARED) {
    const same = versions.every((one) => equalJson(one[own], first[own]));
    if (!same || first[own] === undefined) continue;
    beside[name] = first[own];
    for (const one of versions) delete one[own];
  }
  return compact({
    ...others,
    ...beside,
    version: textOf(first.name) || undefined,
    versions,
    preserveUnknownFields: preserveUnknownFields === true,
    conversion: isObject(conversion) ? conversionFromV1(conversion) : conversion,
  });
}

function columnsIn(version: JsonObject, from: string, to: string): JsonObject {
  return compact({ ...version, additionalPrinterColumns: columns(version.additionalPrinterColumns, from, to) });
}

function conversionToV1({ webhookClientConfig, conversionReviewVersions, ...others }: JsonObject): JsonObject {
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return others;
  return { ...others, webhook: compact({ clientConfig: webhookClientConfig, conversionReviewVersions }) };
}
function conversionFromV1({ webhook, ...others }: JsonObject): JsonObject {
  const { clientConfig, conversionReviewVersions } = objectOf(webhook);
  return compact({ ...others, webhookClientConfig: clientConfig, conversionReviewVersions });
}

/** Fills a definition of this version, in place. */
function fill(definition: ApiObject): void {
  const spec = ensureObject(definition, 'spec');
  setDefault(spec, 'scope', 'Namespaced');
  spec.preserveUnknownFields ??= true;
  if (listOf(spec.versions).length === 0 && textOf(spec.version) !== '') {
    spec.versions = [{ name: textOf(spec.version), served: true, storage: true }];
  }
  if (textOf(spec.version) === '') setDefault(spec, 'version', textOf(objectsOf(spec.versions)[0]?.name));
  applyDefinitionDefaults(definition);
  const conversion = ensureObject(spec, 'conversion');
  if (conversion.strategy === 'Webhook' && listOf(conversion.conversionReviewVersions).length === 0) {
    conversion.conversionReviewVersions = ['v1beta1'];
  }
  const { service } = objectOf(conversion.webhookClientConfig);
  if (isObject(service)) setDefault(service, 'port', 443);
}

/** CustomResourceDefinitions. */
export const deprecatedDefinitions: DeprecatedVersions = (_, context) => ({
  conversions: {
    v1beta1: {
      toStorage: (definition) => withSpec(definition, toV1),
      fromStorage: (definition) => withSpec(definition, fromV1),
    },
  },
  defaults: { v1beta1: fill },
  strategies: { v1beta1: openDefinitionStrategy(context) },
});
