import type { Json, JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { asApiObject, asJson } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { compact, withItems } from '../conversion/reshape.ts';

/*
 * EndpointSlices in discovery/v1beta1 and v1alpha1: where an endpoint is stands in a map of topology keys. The zone has
 * a field of its own in v1; what else is in the map, v1 shows as `deprecatedTopology`
 * (3/removed-api-versions-by-release/t1.7).
 */

const ZONE = 'topology.kubernetes.io/zone';

/** EndpointSlices. */
export const deprecatedEndpointSlices: DeprecatedVersions = (_, { dialect }) => {
  const zoneKey = ZONE.replace('kubernetes.io', dialect.labelDomain);
  const toV1 = ({ topology, ...endpoint }: JsonObject): JsonObject => {
    const { [zoneKey]: zone, ...others } = objectOf(topology);
    return compact({ ...endpoint, deprecatedTopology: unlessEmpty(others), zone: zone as Json | undefined });
  };
  const fromV1 = ({ deprecatedTopology, zone, ...endpoint }: JsonObject): JsonObject => {
    const topology = { ...objectOf(deprecatedTopology), ...(textOf(zone) === '' ? {} : { [zoneKey]: textOf(zone) }) };
    return compact({ ...endpoint, topology: unlessEmpty(topology) });
  };
  const conversion = {
    toStorage: (slice: ApiObject) => asApiObject(withItems(asJson(slice), 'endpoints', toV1)),
    fromStorage: (slice: ApiObject) => asApiObject(withItems(asJson(slice), 'endpoints', fromV1)),
  };
  return { conversions: { v1beta1: conversion, v1alpha1: conversion } };
};

function unlessEmpty(map: JsonObject): JsonObject | undefined {
  return Object.keys(map).length > 0 ? map : undefined;
}
