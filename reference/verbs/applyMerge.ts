import { formatApiVersion } from '../api/groupVersion.ts';
import { cloneJson, isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import type { Applied } from '../fields/applyConfiguration.ts';
import { OwnershipConflict } from '../fields/conflicts.ts';
import { decodeTyped } from '../schema/decode.ts';
import { applySchemaDefaults } from '../schema/defaults.ts';
import { decodeObject, type Expected } from './body.ts';
import { noteMerge } from './decisions.ts';
import { reasonOf } from './decodingFaults.ts';
import { ownershipContext, writerOf } from './ownership.ts';
import type { WriteRequest } from './writeRequest.ts';

/**
 * The live object with a configuration merged into it, with its ownership records; in the version of the endpoint,
 * and a value that the write may change. `expected` is what the configuration must be. Throws what
 * applyConfiguration throws.
 */
export function mergeConfiguration(
  request: WriteRequest,
  expected: Expected,
  live: ApiObject | undefined,
  config: JsonObject,
): ApiObject {
  const applied = explained(request, () =>
    request.services.ownership.apply(
      live,
      config,
      { ...writerOf(request), force: request.options.force },
      {
        ...ownershipContext(request),
        kind: expected.kind.kind,
        complete: (object) => complete(object, expected, config),
      },
    ),
  );
  // The merged object may share parts with the live one, and the rules of types change objects in place.
  const { object } = applied;
  const own = readMerged(object, expected);
  own.metadata = { ...own.metadata };
  if (object.metadata.managedFields) own.metadata.managedFields = object.metadata.managedFields;
  return own;
}

/** Tells what a merge decided, also of one that is refused. */
function explained({ exchange }: WriteRequest, apply: () => Applied): Applied {
  try {
    const applied = apply();
    noteMerge(exchange, 'apply', applied.changed ? 'changed' : 'unchanged', applied.trace);
    return applied;
  } catch (error) {
    if (error instanceof OwnershipConflict) noteMerge(exchange, 'apply', 'conflict', error.trace);
    throw error;
  }
}

/** Custom types take what was merged as it is: a null that the schema does not allow is a matter of validation. */
function readMerged(object: ApiObject, expected: Expected): ApiObject {
  if (!expected.decode) return decodeObject(asJson(object), expected, () => {});
  const own = cloneJson(asJson(object));
  const metadata = expected.schema.fields.get('metadata')?.schema;
  if (metadata?.kind === 'object' && isObject(own.metadata)) own.metadata = decodeTyped(metadata, own.metadata).object;
  applySchemaDefaults(expected.schema, own);
  return asApiObject(own);
}

/** The merged object as decoding leaves it; throws ApiError 500 for values that do not fit, as the service answers. */
function complete(object: ApiObject, expected: Expected, config: JsonObject): ApiObject {
  try {
    return readMerged(object, expected);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 400) throw error;
    const { namespace = '', name = '' } = isObject(config.metadata) ? config.metadata : {};
    const reason = reasonOf(error);
    const { kind, group, version } = expected.kind;
    const what = `${group}/${version}, Kind=${kind}`;
    throw new ApiError(
      500,
      '',
      `failed to convert new object (${namespace}/${name}; ${what}) to proper version: unable to convert unstructured object to ${group ? formatApiVersion(expected.kind) : `/${version}`}, Kind=${kind}: ${reason.startsWith('illegal base64') ? `error decoding from json: ${reason}` : reason}`,
    );
  }
}
