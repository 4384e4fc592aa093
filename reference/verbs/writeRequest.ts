import type { User } from '../api/identity.ts';
import type { ApiObject } from '../api/object.ts';
import type { Exchange } from '../api/request.ts';
import type { AdmissionAttributes } from '../contracts/admission.ts';
import type { Call, Services } from '../contracts/call.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ResourceType, Strategy, WriteContext } from '../contracts/resourceType.ts';
import { storageVersionOf } from '../objects/versions.ts';
import { optionsAs, type WriteOptions } from '../objects/writeOptions.ts';
import { uuid } from '../random.ts';
import type { Clock } from '../time.ts';

/** A write on its way to the store: who asks, for what, how; without the object itself. Made once, for all stages. */
export interface WriteRequest {
  readonly services: Services;
  readonly exchange: Exchange;
  readonly endpoint: Endpoint;
  /** Empty for cluster-scoped types. */
  readonly namespace: string;
  /** As the path has it; empty for a POST to a collection. */
  readonly name: string;
  readonly options: WriteOptions;
  /** The rules of the endpoint: of its type, or of the subresource where that has its own. */
  readonly strategy: Strategy;
  /** What the rules may know of this write. */
  readonly context: WriteContext;
}

export function writeRequest({ services, exchange, endpoint }: Call, options: WriteOptions): WriteRequest {
  const { info } = exchange;
  return {
    services,
    exchange,
    endpoint,
    namespace: endpoint.type.namespaced ? info.namespace : '',
    name: info.name,
    options,
    strategy: strategyOf(endpoint),
    context: new RequestContext(services, exchange, endpoint.version.version),
  };
}

/** A class, since a literal with a getter is slow to make. */
class RequestContext implements WriteContext {
  readonly user: User;
  readonly version: string;
  readonly uuid: () => string;
  readonly warn: (text: string) => void;
  readonly #clock: Clock;

  constructor({ clock, random }: Services, exchange: Exchange, version: string) {
    this.user = exchange.user;
    this.version = version;
    this.uuid = () => uuid(random);
    this.warn = (text) => exchange.warnings.add(text);
    this.#clock = clock;
  }
  get now(): number {
    return this.#clock.now();
  }
}

function strategyOf({ type, subresource }: Endpoint): Strategy {
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

/** The write as admission sees it; what changes on the way is the name, which may be made up late, and a view. */
export interface WriteAttributes extends AdmissionAttributes {
  name: string;
  object: ApiObject;
  oldObject: ApiObject | undefined;
}

/**
 * The attributes of one attempt, for mutating and validating admission. `object` is in the storage version. Without an
 * old object the operation is CREATE. The options are those of the operation that a PUT or a patch comes to.
 */
export function admissionAttributes(
  request: WriteRequest,
  object: ApiObject,
  oldObject: ApiObject | undefined,
): WriteAttributes {
  const { endpoint, namespace, options, exchange } = request;
  return {
    operation: oldObject ? 'UPDATE' : 'CREATE',
    endpoint,
    namespace,
    name: admittedName(request, object),
    object,
    oldObject,
    options: optionsAs(options, oldObject ? 'UpdateOptions' : 'CreateOptions').document,
    dryRun: options.dryRun,
    exchange,
  };
}

/** The name under which admission sees an object: of the path, else of the object, which may have none yet. */
export function admittedName({ name }: WriteRequest, { metadata }: ApiObject): string {
  return name || metadata.name || '';
}
