import { departs } from '../../fixtures/follow.ts';
import type { Awaitable } from '../api/awaitable.ts';
import { type FieldError, type FoundErrors, findErrors, findErrorsInParts, invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { bytesInMemory, equalJson } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { inTurns, othersTurn, paced, type Staged } from '../api/staged.ts';
import { ApiError, conflict, invalidObject, notFound, STALE_VERSION } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Attributes } from '../contracts/authorizer.ts';
import type { Entry } from '../contracts/entry.ts';
import { forbiddenAttributes } from '../contracts/forbidden.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { noteValidated } from '../objects/decisions.ts';
import { LARGEST_OBJECT, refuseHuge } from '../objects/largestObject.ts';
import { validateChangedMetadata, validateNewMetadata } from '../objects/metadataValidation.ts';
import { mergeOwnerReferences } from '../objects/ownerReferences.ts';
import { scaleOf } from '../objects/scale.ts';
import { fromStorage, storageVersionOf, toStorage } from '../objects/versions.ts';
import { commitChange, commitNew, type Written } from './commit.ts';
import { operate } from './operation.ts';
import { keepOldTimes, keepOldTimesInParts, recordOwnership } from './ownership.ts';
import { resetNew, resetToOld } from './resets.ts';
import { readStored } from './storeFaults.ts';
import { clearSystemFields, fillSystemFields, keepSystemFields, parseVersion } from './systemMetadata.ts';
import { admissionAttributes, admittedName, type WriteAttributes, type WriteRequest } from './writeRequest.ts';

/**
 * Makes the object that is wanted of the stored one, which is left alone; run again when that changed meanwhile. The
 * result belongs to the write; its resourceVersion, where it has one, is a condition. Others have turns meanwhile where
 * that is `long` work.
 */
export type Change = (live: ApiObject, long: boolean) => Awaitable<ApiObject>;

/** What a verb asks for: how the object that it wants comes of the stored one. Objects are in the endpoint's version. */
export interface Plan {
  /** Makes the object where none is stored under its name; without this that is 404. It belongs to the write. */
  readonly create?: ((long: boolean) => Awaitable<ApiObject>) | undefined;
  /** Merges or patches. Without this nothing stored is looked for: a POST. */
  readonly change?: Change;
  /** Whether what was sent makes merging or patching long work, whatever is stored. */
  readonly large?: boolean;
  /** A uid that the stored object must have, else 409. */
  readonly uid?: string | undefined;
  /** The merge has recorded who owns which field: apply. */
  readonly recorded?: boolean;
  /**
   * What admission judges instead of the object, made of one in the storage version, where the endpoint shows a view of
   * it: scale. The merge has taken the view through mutating admission.
   */
  readonly view?: (object: ApiObject) => ApiObject;
}

/** How often a write that is no condition on a version is tried again when others write in between. */
const ATTEMPTS = 100;
/** How often it is tried with turns for others in between, where that takes long. */
const PATIENT_ATTEMPTS = 4;

/**
 * A write, stage after stage. POST, PUT, every patch and apply, writes to status, scale and other parts, and those of
 * controllers go this way (1/updating-and-patching); the verb has decoded the body of a POST or PUT and put the object
 * into its namespace, and does both for a patch when it merges.
 * Throws ApiError: 404, 409 for a stale version, another uid or a name that is taken, 422 with all causes, 403, and what
 * admission throws.
 */
export async function write(request: WriteRequest, plan: Plan): Promise<Answer> {
  const { services, endpoint, exchange } = request;
  const { admission } = services;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    let entry = plan.change && (await services.store.get(keyOf(request)));
    // Later attempts are made in one go: others would write in between again.
    const patient = attempt <= PATIENT_ATTEMPTS;
    const large = patient && (plan.large === true || (entry !== undefined && entry.weight > 2 * LARGE));
    if (large && entry) {
      const waiting = services.largeWork?.enter(exchange.origin ?? exchange.request, entry.weight / WEIGHT_OF_A_BYTE);
      if (waiting) {
        await waiting;
        entry = await services.store.get(keyOf(request));
      }
    }
    const current = entry && readStored(entry);
    const live = current && fromStorage(endpoint, current);

    // Merge or patch: the object in the version of the endpoint.
    const wanted = await merge(request, plan, live, large);
    const long = patient && (large || isLarge(wanted));
    if (large && entry && entry.weight > LARGEST_OBJECT / 8) refuseHuge(wanted);
    if (long) await othersTurn(exchange);
    // Ownership; from here on the object is in the storage version.
    const owned = plan.recorded ? wanted : paced(recordOwnership(request, live, wanted, long), long, exchange);
    const object = toStorage(endpoint, long ? await owned : (owned as ApiObject));
    if (long) await othersTurn(exchange);
    // Mutating admission.
    const attributes = admissionAttributes(request, object, current);
    if (!plan.view) await admission.mutate?.(attributes);
    mergeOwnerReferences(object, exchange.warnings, true);
    if (endpoint.version.operation) return operate(request, attributes);
    if (long) await othersTurn(exchange);
    // Metadata that the service sets, whatever the body and admission say.
    if (entry) {
      if (long) await inTurns(keepOldTimesInParts(object, entry.object), exchange);
      else keepOldTimes(object, entry.object);
    }
    const generated = settleMetadata(request, plan, object, entry);
    if (long) await othersTurn(exchange);
    // Allocation: what was given out is taken back unless the stages inside store the object.
    const written = await withAllocation(request, object, entry, async () => {
      prepare(request, object, current);
      if (long) await othersTurn(exchange);
      // Validation.
      if (long) await inTurns(validateInParts(request, object, current), exchange);
      else validate(request, object, current);
      if (long) await othersTurn(exchange);
      warnOf(request, object, current);
      if (long) await othersTurn(exchange);
      // Validating admission, behind the question whether a PUT or an apply may create.
      if (!current && plan.change) await checkMayCreate(request);
      if (admission.validate) await admission.validate(judged(request, plan, attributes));
      // Commit.
      return entry ? commitChange(request, object, entry) : commitNew(request, object, generated);
    });
    if (long) await othersTurn();
    // Answer, or another attempt where somebody else was faster.
    if (written) return answerOf(request, written, patient ? long : undefined);
  }
  throw conflict(endpoint.type, request.name, STALE_VERSION);
}

/**
 * About the bytes in memory of an object beyond which each stage of a write takes so long that other requests have a turn before
 * the next: about 256 KB of JSON. What the stages work on counts, and not the body, which may be small beside the object
 * that it patches.
 */
const LARGE = 512 * 1024;
/** What an entry of a store weighs a byte of its object's text. */
const WEIGHT_OF_A_BYTE = 4;

function isLarge(object: ApiObject): boolean {
  return bytesInMemory(asJson(object), LARGE) > LARGE;
}

function keyOf({ endpoint, namespace, name }: WriteRequest): string {
  return objectKey(endpoint.type, namespace, name);
}

/** The object that the verb wants, in the version of the endpoint. Throws ApiError 404, 409 and what the plan throws. */
function merge(request: WriteRequest, plan: Plan, live: ApiObject | undefined, long: boolean): Awaitable<ApiObject> {
  const { type } = request.endpoint;
  const uid = live?.metadata.uid ?? '';
  if (plan.uid && plan.uid !== uid) {
    const message = `StorageError: invalid object, Code: 4, Key: /registry${keyOf(request)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${plan.uid}, UID in object meta: ${uid}`;
    throw conflict(type, request.name, message);
  }
  if (live && plan.change) return plan.change(live, long);
  if (!plan.create) throw notFound(type, request.name);
  const object = plan.create(long);
  return object instanceof Promise ? object.then(withoutSystemFields) : withoutSystemFields(object);
}

function withoutSystemFields(object: ApiObject): ApiObject {
  clearSystemFields(object);
  return object;
}

/**
 * Sets what only the service sets, in place; true where the name is one that it made up. A change keeps what no write
 * may alter. Throws ApiError 409 for a resourceVersion that is not the present one.
 */
function settleMetadata(request: WriteRequest, plan: Plan, object: ApiObject, entry: Entry | undefined): boolean {
  const { services } = request;
  const { name, generateName } = object.metadata;
  if (entry) {
    settleVersion(request, object, entry);
    keepSystemFields(object.metadata, entry.object.metadata);
    return false;
  }
  if (plan.change) {
    // A version is a condition only where there is something to compare it with.
    if (departs(services.follow, 'garbled-version-of-object')) givenVersion(request, object);
    delete object.metadata.resourceVersion;
  }
  fillSystemFields(object, services.clock.now(), services.random);
  return !name && Boolean(generateName);
}

/** Checks the version that the object carries against the stored one and gives it that, in place. */
function settleVersion(request: WriteRequest, object: ApiObject, entry: Entry): void {
  const { endpoint, name, strategy } = request;
  const { group, resource } = endpoint.type;
  const given = givenVersion(request, object);
  if (given === 0 && !strategy.unconditionalUpdate) {
    const fault = invalid(FieldPath.of('metadata', 'resourceVersion'), 0, 'must be specified for an update');
    throw invalidObject({ group, kind: resource }, name, [fault]);
  }
  if (given !== 0 && given !== entry.modRevision) throw conflict(endpoint.type, name, STALE_VERSION);
  object.metadata.resourceVersion = String(entry.modRevision);
}

/** The version that an object carries; 0 means none. Throws ApiError for a text that is none. */
function givenVersion({ endpoint, name, services }: WriteRequest, { metadata }: ApiObject): number {
  const given = parseVersion(metadata.resourceVersion);
  if (given !== undefined) return given;
  if (!departs(services.follow, 'garbled-version-of-object')) throw conflict(endpoint.type, name, STALE_VERSION);
  const shown = JSON.stringify(metadata.resourceVersion);
  throw new ApiError(500, '', `strconv.ParseUint: parsing ${shown}: invalid syntax`);
}

/**
 * Runs the last stages of a write with what the type takes from the service for it (addresses, ports) filled in.
 * What was taken is given back when the write stores nothing, for whatever reason.
 * @param before the state in the store that the write changes; undefined for a new object
 * @throws what the allocation or the write throws
 */
function withAllocation(
  { services, endpoint, options, strategy }: WriteRequest,
  object: ApiObject,
  before: Entry | undefined,
  last: () => Promise<Written | undefined>,
): Promise<Written | undefined> {
  const { allocate } = strategy;
  if (!allocate) return last();
  const { store, random } = services;
  const { dryRun } = options;
  const run = async () => {
    const settle = await allocate(object, before?.object, { store, random, dryRun });
    let stored = false;
    try {
      const written = await last();
      stored = written?.entry !== undefined && written.entry !== before;
      return written;
    } finally {
      settle?.(stored);
    }
  };
  if (dryRun) return run();
  // Another server takes nothing until it knows what this one took.
  return store.exclusively(endpoint.type.resource, run);
}

/** Takes back what this endpoint does not write, and lets the rules of the type fill in theirs; in place. */
function prepare({ endpoint, strategy, context }: WriteRequest, object: ApiObject, old: ApiObject | undefined): void {
  if (!old) {
    if (!strategy.keepsStatusOnCreate) resetNew(object, strategy.resetFields, storageVersionOf(endpoint.type).schema);
    if (strategy.generation) object.metadata.generation = 1;
    strategy.prepareForCreate?.(object, context);
    return;
  }
  resetToOld(object, old, strategy.resetFields);
  strategy.prepareForUpdate?.(object, old, context);
  const { generation } = old.metadata;
  if (strategy.generation && object.metadata.generation === generation && contentDiffers(object, old)) {
    object.metadata.generation = (generation ?? 0) + 1;
  }
}

function contentDiffers(object: ApiObject, old: ApiObject): boolean {
  const { metadata: _, apiVersion: __, kind: ___, ...content } = object;
  const { metadata: ____, apiVersion: _____, kind: ______, ...before } = old;
  return !equalJson(content as Record<string, never>, before as Record<string, never>);
}

/** Throws ApiError 422 with all that the rules of metadata and of the type object to. */
function validate(request: WriteRequest, object: ApiObject, old: ApiObject | undefined): void {
  const { strategy, context } = request;
  const found = findErrors(() => {
    const ofMetadata = validateMetadata(request, object, old);
    const ofType = old ? strategy.validateUpdate?.(object, old, context) : strategy.validate?.(object, context);
    return ofType ? ofMetadata.concat(ofType) : ofMetadata;
  });
  refuseFaulty(request, object, found);
}

/** The same, with turns for others meanwhile. */
function* validateInParts(request: WriteRequest, object: ApiObject, old: ApiObject | undefined): Staged<void> {
  const { strategy, context } = request;
  if (!strategy.validateInParts) return validate(request, object, old);
  const { validateInParts: judge } = strategy;
  const judging = function* (): Staged<FieldError[]> {
    const ofMetadata = validateMetadata(request, object, old);
    yield;
    return ofMetadata.concat(yield* judge(object, old, context));
  };
  refuseFaulty(request, object, yield* findErrorsInParts(judging()));
}

function validateMetadata(
  { services, endpoint }: WriteRequest,
  { metadata }: ApiObject,
  old: ApiObject | undefined,
): FieldError[] {
  return old
    ? validateChangedMetadata(metadata, old.metadata, endpoint.type, services.dialect)
    : validateNewMetadata(metadata, endpoint.type, services.dialect);
}

function refuseFaulty({ exchange, endpoint }: WriteRequest, { metadata }: ApiObject, found: FoundErrors): void {
  const { errors, endedEarly } = found;
  noteValidated(exchange, errors);
  const { group, kind, storedAs } = endpoint.type;
  // A view of the objects of another type is faulty as one of those, whose rules it has.
  const checked = { group: storedAs?.group ?? group, kind };
  if (errors.length > 0) throw invalidObject(checked, metadata.name ?? '', errors, endedEarly);
}

/** Warns of what the rules of the type doubt in an object that is valid. */
function warnOf({ strategy, context }: WriteRequest, object: ApiObject, old: ApiObject | undefined): void {
  for (const text of strategy.warnings?.(object, old) ?? []) context.warn(text);
}

/**
 * Throws ApiError 403 unless the user may create the object too: PUT and apply where nothing is there yet
 * (1/server-side-apply-rules/10).
 */
async function checkMayCreate({ services, exchange, endpoint, namespace, name }: WriteRequest): Promise<void> {
  const { type, version, subresource } = endpoint;
  const attributes: Attributes = {
    isResource: true,
    user: exchange.user,
    verb: 'create',
    group: type.group,
    version: version.version,
    resource: type.resource,
    subresource: subresource?.name ?? '',
    namespace,
    name,
  };
  const verdict = await services.authorizer.authorize(attributes);
  if (verdict.decision !== 'allow') throw forbiddenAttributes(attributes, verdict.reason);
}

/** The attributes as validating admission sees them: by now a new object has a name, and a view is made anew. */
function judged(request: WriteRequest, { view }: Plan, attributes: WriteAttributes): WriteAttributes {
  const { object, oldObject } = attributes;
  attributes.name = admittedName(request, object);
  if (view) {
    attributes.object = view(object);
    attributes.oldObject = oldObject && view(oldObject);
  }
  return attributes;
}

/** 201 where the write created something, else 200; the object in the version asked for. */
function answerOf({ endpoint }: WriteRequest, { object, entry, created }: Written, long: boolean | undefined): Answer {
  const code = created ? 201 : 200;
  if (entry && endpoint.subresource?.form !== 'scale') return { kind: 'entry', code, endpoint, entry, long };
  const shown = fromStorage(endpoint, object);
  const view = endpoint.subresource?.form === 'scale' ? scaleOf(endpoint, shown) : shown;
  return { kind: 'object', code, endpoint, object: view, long };
}
