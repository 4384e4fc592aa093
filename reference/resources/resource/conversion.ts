import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { listOf, objectOf, textOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { compact, withItems, withMember, withSpec } from '../conversion/reshape.ts';

/*
 * Devices in resource/v1beta1 and v1alpha3: a request has what it wants beside its name, a device has a part for all it
 * is; in v1alpha3 a capacity is a bare amount.
 */

function requestToV1({ name, firstAvailable, ...wish }: JsonObject): JsonObject {
  const isSet = Object.keys(wish).length > 0;
  return compact({ name, exactly: isSet ? wish : undefined, firstAvailable });
}
function requestFromV1({ exactly, ...request }: JsonObject): JsonObject {
  return { ...request, ...objectOf(exactly) };
}
const withRequests = (change: (request: JsonObject) => JsonObject) => (spec: JsonObject) =>
  withMember(spec, 'devices', (devices) => withItems(devices, 'requests', change));

/** ResourceClaims; `place` leads from the object to the spec of the claim. */
const claims =
  (place: (object: ApiObject, change: (spec: JsonObject) => JsonObject) => ApiObject): DeprecatedVersions =>
  ({ defaults = {} }) => {
    const conversion = {
      toStorage: (object: ApiObject) => place(object, withRequests(requestToV1)),
      fromStorage: (object: ApiObject) => place(object, withRequests(requestFromV1)),
    };
    // What is left open is filled as in v1, in the place where this version has it.
    const fill = (object: ApiObject) => {
      place(object, (spec) => {
        for (const request of listOf(objectOf(spec.devices).requests)) if (isObject(request)) fillRequest(request);
        return spec;
      });
    };
    const filled = defaults.v1 ? fill : () => undefined;
    return {
      conversions: { v1beta1: conversion, v1alpha3: conversion },
      defaults: { v1beta1: filled, v1alpha3: filled },
    };
  };

/** How many devices are wanted, where a request or one of its alternatives names a class. In place. */
function fillRequest(request: JsonObject): void {
  const wishes = [request, ...listOf(request.firstAvailable).filter(isObject)];
  for (const wish of wishes) {
    if (textOf(wish.deviceClassName) === '') continue;
    if (textOf(wish.allocationMode) === '') wish.allocationMode = 'ExactCount';
    if (wish.allocationMode === 'ExactCount' && !wish.count) wish.count = 1;
    for (const toleration of listOf(wish.tolerations).filter(isObject)) {
      if (textOf(toleration.operator) === '') toleration.operator = 'Equal';
    }
  }
}

/** ResourceClaims. */
export const deprecatedClaims: DeprecatedVersions = claims(withSpec);
/** ResourceClaimTemplates: the claim stands one level deeper. */
export const deprecatedClaimTemplates: DeprecatedVersions = claims((object, change) =>
  withSpec(object, (spec) => withMember(spec, 'spec', change)),
);

const amounts = (device: JsonObject, change: (capacity: JsonObject[string]) => JsonObject[string]): JsonObject =>
  withMember(device, 'capacity', (capacity) =>
    compact(Object.fromEntries(Object.entries(capacity).map(([name, value]) => [name, change(value)]))),
  );

/** ResourceSlices. */
export const deprecatedSlices: DeprecatedVersions = () => {
  const devices = (change: (device: JsonObject) => JsonObject) => (slice: ApiObject) =>
    withSpec(slice, (spec) => withItems(spec, 'devices', change));
  const toV1 = ({ name, basic }: JsonObject): JsonObject => compact({ name, ...objectOf(basic) });
  const fromV1 = ({ name, ...basic }: JsonObject): JsonObject => compact({ name, basic });
  return {
    conversions: {
      v1beta1: { toStorage: devices(toV1), fromStorage: devices(fromV1) },
      v1alpha3: {
        toStorage: devices((device) => amounts(toV1(device), (value) => ({ value }))),
        fromStorage: devices((device) => fromV1(amounts(device, (capacity) => objectOf(capacity).value ?? '0'))),
      },
    },
  };
};
