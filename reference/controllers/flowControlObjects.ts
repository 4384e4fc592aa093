import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { formatApiVersion } from '../api/groupVersion.ts';
import { equalJson, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson, type ManagedFieldsEntry } from '../api/object.ts';
import { objectOf, objectsOf, textOf } from '../api/parts.ts';
import { LayeredMap } from '../collections/layeredMap.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client, ObjectAddress } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { readable } from '../contracts/readable.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { collectionPrefix, objectKey } from '../contracts/storeKeys.ts';
import { everyField } from '../fields/compare.ts';
import { encodeFields } from '../fields/fieldsV1.ts';
import { type FlowControlDefault, flowControlDefaults } from '../objects/flowControlDefaults.ts';
import { uuid } from '../random.ts';
import { formatTime } from '../time.ts';

/** Field managers: who places the objects a server has from its start on, and who says what became of a schema. */
const PRODUCER = 'api-priority-and-fairness-config-producer-v1';
const CONSUMER = 'api-priority-and-fairness-config-consumer-v1';

/**
 * Makes the objects of flow control stand as they should, at every start: what is missing is created; the specs of the
 * mandatory ones are put right, and those of the others unless an annotation says that somebody else takes care of them.
 * Throws ApiError.
 */
export async function placeFlowControl(services: Services, clientOf: (manager: string) => Client): Promise<void> {
  const client = clientOf(PRODUCER);
  for (const wanted of flowControlDefaults(services.dialect)) await place(services, client, wanted);
}

async function place(services: Services, client: Client, wanted: FlowControlDefault): Promise<void> {
  const { store, dialect } = services;
  const type = client.type(groupName(dialect, 'flowcontrol.apiserver'), wanted.resource);
  if (!type) return;
  const { name, spec, mandatory } = wanted;
  const address = { type, namespace: '', name };
  const present = await client.get(address);
  if (!present) {
    const key = objectKey(type, '', name);
    // Where somebody else was faster the object is there.
    await store.commit({ key, expected: 0, object: objectOfDefault(services, type, wanted) });
    return;
  }
  const { annotations, generation } = present.metadata;
  const kept = annotations?.[autoupdate(dialect)];
  if (!mandatory && (kept === undefined ? generation !== 1 : kept !== 'true')) return;
  if (equalJson(asJson(present).spec, spec)) return;
  await client.change(address, (object) => ({ ...object, spec }));
}

function autoupdate(dialect: Dialect): string {
  return `apf.${dialect.labelDomain}/autoupdate-spec`;
}

/** Who owns what of the defaults; the same in every server of a process, and not cheap to work out. */
const OWNED = new Map<string, JsonObject>();

/** A default as it is stored, with what the server itself would say of it in a moment. */
function objectOfDefault(services: Services, type: ResourceType, { name, spec }: FlowControlDefault): ApiObject {
  const { dialect, clock, random } = services;
  const now = formatTime(clock.now());
  const apiVersion = formatApiVersion({ group: type.group, version: type.storageVersion });
  const annotations = { [autoupdate(dialect)]: 'true' };
  const level = textOf(objectOf(spec.priorityLevelConfiguration).name);
  const status = level === '' ? undefined : { conditions: [conditionOf(level, true, now)] };
  const entryOf = (manager: string, part: 'metadata' | 'status', stated: JsonObject): ManagedFieldsEntry => {
    const key = `${apiVersion} ${type.resource} ${name} ${part}`;
    let fieldsV1 = OWNED.get(key);
    if (!fieldsV1) {
      const schema = type.versions.get(type.storageVersion)?.schema;
      fieldsV1 = schema ? encodeFields(everyField(schema, stated)) : {};
      OWNED.set(key, fieldsV1);
    }
    const update = { manager, operation: 'Update' as const, apiVersion, time: now, fieldsType: 'FieldsV1', fieldsV1 };
    return part === 'status' ? { ...update, subresource: 'status' } : update;
  };
  return {
    apiVersion,
    kind: type.kind,
    metadata: {
      name,
      uid: uuid(random),
      generation: 1,
      creationTimestamp: now,
      annotations,
      managedFields: [
        entryOf(PRODUCER, 'metadata', { metadata: { annotations }, spec }),
        ...(status ? [entryOf(CONSUMER, 'status', { status })] : []),
      ],
    },
    spec,
    ...(status ? { status } : {}),
  };
}

/**
 * Says in the status of each FlowSchema whether the level that it names is there, and puts the mandatory objects back
 * when they are deleted or changed.
 */
export class FlowControlObjects implements Controller {
  readonly #services: Services;
  readonly #client: Client;
  readonly #producer: Client;
  readonly #queue: WorkQueue;
  readonly #schemas: string;
  readonly #levels: string;
  readonly #mandatory: readonly FlowControlDefault[];
  /** Schemas with the levels that they name, and the levels that there are. */
  readonly #levelOf: LayeredMap<string, string>;
  readonly #present: LayeredMap<string, true>;

  constructor({ services, clientOf, queue }: ControllerSite, known?: FlowControlObjects) {
    this.#services = services;
    this.#client = clientOf(CONSUMER);
    this.#producer = clientOf(PRODUCER);
    this.#queue = queue;
    const group = groupName(services.dialect, 'flowcontrol.apiserver');
    this.#schemas = collectionPrefix({ group, resource: 'flowschemas' });
    this.#levels = collectionPrefix({ group, resource: 'prioritylevelconfigurations' });
    this.#mandatory = known
      ? known.#mandatory
      : flowControlDefaults(services.dialect).filter(({ mandatory }) => mandatory);
    this.#levelOf = known ? known.#levelOf.fork() : new LayeredMap();
    this.#present = known ? known.#present.fork() : new LayeredMap();
  }

  fork(site: ControllerSite): FlowControlObjects {
    return new FlowControlObjects(site, this);
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (key.startsWith(this.#schemas)) {
      const name = key.slice(this.#schemas.length);
      this.#schemaChanged(name, deleted ? undefined : readable(entry));
      this.#keep('flowschemas', name);
    } else if (key.startsWith(this.#levels)) {
      const name = key.slice(this.#levels.length);
      const before = this.#present.has(name);
      if (deleted) this.#present.delete(name);
      else this.#present.set(name, true);
      if (before === deleted) for (const [schema, level] of this.#levelOf) if (level === name) this.#tell(schema);
      this.#keep('prioritylevelconfigurations', name);
    }
  }

  #schemaChanged(name: string, schema: ApiObject | undefined): void {
    if (!schema) this.#levelOf.delete(name);
    else {
      this.#levelOf.set(name, textOf(objectOf(objectOf(schema.spec).priorityLevelConfiguration).name));
      this.#tell(name);
    }
  }

  #keep(resource: FlowControlDefault['resource'], name: string): void {
    const wanted = this.#mandatory.find((one) => one.resource === resource && one.name === name);
    if (wanted) this.#queue.add(`flowcontrol/${resource}/${name}`, () => place(this.#services, this.#producer, wanted));
  }

  #tell(name: string): void {
    this.#queue.add(`flowschema/${name}`, async () => {
      const address = this.#address(name);
      const schema = address && (await this.#client.get(address));
      if (!schema || !this.#withCondition(schema)) return;
      await this.#client.change(address, (schema) => this.#withCondition(schema), 'status');
    });
  }

  #address(name: string): ObjectAddress | undefined {
    const type = this.#client.type(groupName(this.#services.dialect, 'flowcontrol.apiserver'), 'flowschemas');
    return type && { type, namespace: '', name };
  }

  /** The schema with what became of it; undefined where it says so already. */
  #withCondition(schema: ApiObject): ApiObject | undefined {
    const level = textOf(objectOf(objectOf(schema.spec).priorityLevelConfiguration).name);
    const told = conditionOf(level, this.#present.has(level), formatTime(this.#services.clock.now()));
    const conditions = [...objectsOf(objectOf(schema.status).conditions)];
    const at = conditions.findIndex(({ type }) => type === 'Dangling');
    const before = conditions[at];
    const same = before && before.status === told.status ? before : undefined;
    if (same && same.message === told.message) return undefined;
    const condition = { ...told, ...(same?.lastTransitionTime ? { lastTransitionTime: same.lastTransitionTime } : {}) };
    if (at < 0) conditions.push(condition);
    else conditions[at] = condition;
    return { ...schema, status: { ...objectOf(schema.status), conditions } };
  }
}

/** What is said of a schema that names a level. */
function conditionOf(level: string, found: boolean, lastTransitionTime: string): JsonObject {
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return found
    ? { type: 'Dangling', status: 'False', lastTransitionTime, reason: 'Found', message: `${named} and it exists` }
    : {
        type: 'Dangling',
        status: 'True',
        lastTransitionTime,
        reason: 'NotFound',
        message: `${named} but there is no such object`,
      };
}
