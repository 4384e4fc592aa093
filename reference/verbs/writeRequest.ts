import type { ApiObject } from '../api/object.ts';
import type { Exchange } from '../api/request.ts';
import type { AdmissionAttributes } from '../contracts/admission.ts';
import type { Call, Services } from '../contracts/call.ts';
import type { Entry } from '../contracts/entry.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ResourceType, Strategy, WriteContext } from '../contracts/resourceType.ts';
import { storageVersionOf } from '../objects/versions.ts';
import { uuid } from '../random.ts';
import { optionsAs, type WriteOptions } from './writeOptions.ts';

/** A write on its way to the store: who asks, for what, how; without the object itself. */
export interface WriteRequest {
  readonly services: Services;
  readonly exchange: Exchange;
  readonly endpoint: Endpoint;
  /** Empty for cluster-scoped types. */
  readonly namespace: string;
  /** As the path has it; empty for a POST to a collection. */
  readonly name: string;
  readonly options: WriteOptions;
}

/** What a write came to. Objects are in the storage version. */
export interface Written {
  readonly object: ApiObject;
  /** The state in the store that the answer shows; undefined where nothing was stored (dry run, removal). */
  readonly entry: Entry | undefined;
  readonly created: boolean;
}

export function writeRequest(call: Call, options: WriteOptions): WriteRequest {
  const { info } = call.exchange;
  const { type } = call.endpoint;
  return {
    services: call.services,
    exchange: call.exchange,
    endpoint: call.endpoint,
    namespace: type.namespaced ? info.namespace : '',
    name: info.name,
    options,
  };
}

/** The rules of the endpoint: of its type, or of the subresource where that has its own. */
export function strategyOf({ type, subresource }: Endpoint): Strategy {
  if (!subresource) return type.strategy;
  if (subresource.form === 'scale') return { ...type.strategy, createOnUpdate: false };
  const { validateName, unconditionalUpdate } = type.strategy;
  const own = 'strategy' in subresource ? subresource.strategy : undefined;
  const resetFields = own?.resetFields ?? (subresource.form === 'status' ? allButStatus(type) : undefined);
  return { unconditionalUpdate, ...own, validateName, createOnUpdate: false, resetFields };
}

const resets = new WeakMap<ResourceType, readonly (readonly string[])[]>();

/** What a write to the status leaves alone where the type says nothing else: all content besides it. */
function allButStatus(type: ResourceType): readonly (readonly string[])[] {
  let paths = resets.get(type);
  if (!paths) {
    const written = ['apiVersion', 'kind', 'metadata', 'status'];
    const names = [...storageVersionOf(type).schema.fields.keys()].filter((name) => !written.includes(name));
    paths = names.map((name) => [name]);
    resets.set(type, paths);
  }
  return paths;
}

/** What the rules of a type may know of this write. */
export function contextOf({ services, exchange, endpoint }: Omit<WriteRequest, 'options'>): WriteContext {
  return {
    user: exchange.user,
    now: services.clock.now(),
    uuid: () => uuid(services.random),
    warn: (text) => exchange.warnings.add(text),
    version: endpoint.version.version,
  };
}

/**
 * The write as admission sees it; `object` is in the storage version. Its options are those of the operation that a
 * PUT or a patch comes to.
 */
export function admissionAttributes(
  request: WriteRequest,
  operation: 'CREATE' | 'UPDATE',
  object: ApiObject,
  oldObject: ApiObject | undefined,
): AdmissionAttributes {
  return {
    operation,
    endpoint: request.endpoint,
    namespace: request.namespace,
    name: request.name || object.metadata.name || '',
    object,
    oldObject,
    options: optionsAs(request.options, operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions').document,
    dryRun: request.options.dryRun,
    exchange: request.exchange,
  };
}
