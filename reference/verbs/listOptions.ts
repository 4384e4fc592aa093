import { groupName } from '../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField, notSupported } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { IntegerError, readInt64 } from '../api/integer.ts';
import type { ApiObject } from '../api/object.ts';
import type { Query } from '../api/request.ts';
import { badRequest, invalidObject } from '../api/status.ts';
import type { Call } from '../contracts/call.ts';
import type { Entry } from '../contracts/entry.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import { fromStorage } from '../objects/versions.ts';
import { allFields, type FieldSelector, parseFieldSelector } from '../selectors/fields.ts';
import type { LabelSelector } from '../selectors/labelRequirement.ts';
import { parseLabelSelector, SelectorSyntaxError } from '../selectors/labels.ts';

/** What a list, a watch or a deletecollection asks for, read from its query. */
export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  /** Tells apart what `selects` selects, for entries of one store. */
  readonly selector: string;
  /** Neither selector restricts the selection. */
  readonly everything: boolean;
  /** As sent; empty for unset. Not yet read as a number: what is wrong with it shows only when it is used. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan';
  /** Items at most; 0 for all. */
  readonly limit: number;
  /** Token as sent; empty for none. */
  readonly continueToken: string;
  /** Undefined where not given. */
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  /** Whether a watch begins with what exists: asked for, or by default as its version says. */
  readonly sendInitialEvents: boolean;
  /** Whether a bookmark of its own tells the end of what existed. */
  readonly marksInitialEnd: boolean;
  /** Whether an entry is selected. Throws UnreadableObject where only its object tells. */
  readonly selects: (entry: Entry) => boolean;
}

/**
 * Reads and checks the options of a request on a collection
 * (1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/p2,
 * 1/reading-resource-version-semantics/t2, 1/reading-watch-and-streaming-lists/2).
 * Throws ApiError 400 for what does not parse and for fields that cannot be selected by, 422 with one cause a
 * fault for parameters that do not go together.
 */
export function readListOptions(call: Call, purpose: 'list' | 'watch'): ListOptions {
  const { query } = call.exchange.request;
  const { name, path } = call.exchange.info;
  const known = readLately.get(query);
  const same =
    known &&
    known.version === call.endpoint.version &&
    known.gate === call.services.gate &&
    known.purpose === purpose &&
    known.name === name &&
    (name === '' || known.path === path);
  if (same) return known.options;
  const options = readAnew(call, purpose);
  readLately.set(query, { version: call.endpoint.version, gate: call.services.gate, purpose, name, path, options });
  return options;
}

/** What a query was read as, and for what: queries that are asked again are the same, and mostly ask the same. */
interface ReadOptions {
  readonly version: Endpoint['version'];
  readonly gate: Call['services']['gate'];
  readonly purpose: 'list' | 'watch';
  readonly name: string;
  /** Counts where a name is asked for. */
  readonly path: string;
  readonly options: ListOptions;
}
const readLately = new WeakMap<Query, ReadOptions>();

function readAnew(call: Call, purpose: 'list' | 'watch'): ListOptions {
  const { query } = call.exchange.request;
  const { dialect, gate } = call.services;
  const timeoutSeconds = integer(query, 'timeoutSeconds');
  const limit = integer(query, 'limit') ?? 0;
  const labels = query.get('labelSelector') ?? '';
  const labelSelector = parsed(() => parseLabelSelector(labels));
  const fields = query.get('fieldSelector') ?? '';
  const selector = parsed(() => parseFieldSelector(fields));
  const given: Given = {
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: boolean(query, 'sendInitialEvents'),
  };
  const streaming = gate('WatchList');
  const watch = purpose === 'watch';
  const asked = watch && streaming ? withWatchDefaults(given) : given;
  const errors = watch ? validateWatch(asked, streaming) : validateList(asked);
  if (errors.length > 0) {
    throw invalidObject({ group: groupName(dialect, 'meta'), kind: 'ListOptions' }, '', errors);
  }
  const fieldSelector = forName(knownFields(selector, call.endpoint), call);
  const allowWatchBookmarks = boolean(query, 'allowWatchBookmarks') ?? false;
  return {
    labelSelector,
    fieldSelector,
    selector: `${call.endpoint.version.version} ${call.exchange.info.name} ${labels.length} ${labels}${fields}`,
    everything: labelSelector.requirements.length === 0 && fieldSelector.requirements.length === 0,
    resourceVersion: asked.resourceVersion,
    resourceVersionMatch: asked.match as ListOptions['resourceVersionMatch'],
    limit: Math.max(0, limit),
    continueToken: asked.continueToken,
    timeoutSeconds,
    allowWatchBookmarks,
    sendInitialEvents: asked.sendInitialEvents ?? startsFromState(asked),
    marksInitialEnd: asked.sendInitialEvents === true && allowWatchBookmarks,
    selects: selection(labelSelector, fieldSelector, call.endpoint),
  };
}

interface Given {
  readonly resourceVersion: string;
  readonly match: string;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

/** A watch from no version or from `0` gets the state first, whichever way it asks (1/reading-resource-version-semantics/t3). */
function startsFromState({ resourceVersion }: Given): boolean {
  return resourceVersion === '' || resourceVersion === '0';
}
/** Such a watch counts as a streaming list; what else it says is judged as if it had asked for one. */
function withWatchDefaults(given: Given): Given {
  if (given.sendInitialEvents !== undefined || given.match !== '' || !startsFromState(given)) return given;
  return { ...given, sendInitialEvents: true, match: 'NotOlderThan' };
}

const MATCH = FieldPath.of('resourceVersionMatch');
const INITIAL = FieldPath.of('sendInitialEvents');

function validateList({ resourceVersion, match, continueToken, sendInitialEvents }: Given): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(forbiddenField(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (continueToken !== '') {
      errors.push(forbiddenField(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbiddenField(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenField(INITIAL, 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function validateWatch({ match, continueToken, sendInitialEvents }: Given, streaming: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan') {
      errors.push(forbiddenField(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    }
    if (!streaming) {
      const why = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      errors.push(forbiddenField(INITIAL, why));
    }
  }
  if (match !== '') {
    if (sendInitialEvents === undefined) {
      const why = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
      errors.push(forbiddenField(MATCH, why));
    }
    if (match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
    if (continueToken !== '') {
      errors.push(forbiddenField(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
    }
  }
  return errors;
}

const METADATA_FIELDS: ReadonlySet<string> = new Set(['metadata.name', 'metadata.namespace']);

/** Refuses the first field, in the order of the selector, that the type cannot be selected by. */
function knownFields(selector: FieldSelector, { type, version }: Endpoint): FieldSelector {
  for (const { field } of selector.requirements) {
    if (METADATA_FIELDS.has(field) || version.selectableFields?.has(field)) continue;
    if (type.group === 'batch' && type.resource === 'jobs') {
      throw badRequest(`field label ${JSON.stringify(field)} not supported for batchv1.Job`);
    }
    if (type.custom || version.selectableFields) throw badRequest(`field label not supported: ${field}`);
    throw badRequest(
      `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  return selector;
}

/** A request that names one object in its path selects that one; a name that came with the selector adds nothing. */
function forName(selector: FieldSelector, call: Call): FieldSelector {
  const { name, path } = call.exchange.info;
  if (name === '' || path.split('/').findLast(Boolean) !== name || selector.exactly('metadata.name') === name)
    return selector;
  if (selector.requirements.length > 0) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return allFields([{ field: 'metadata.name', equal: true, value: name }]);
}

function selection(labels: LabelSelector, fields: FieldSelector, endpoint: Endpoint): (entry: Entry) => boolean {
  const byLabel = labels.requirements.length > 0;
  if (fields.requirements.length === 0) return byLabel ? (entry) => labels.matches(entry.labels) : () => true;
  return (entry) => {
    if (byLabel && !labels.matches(entry.labels)) return false;
    const { object } = entry;
    return fields.matches((field) => textOf(object, field, endpoint));
  };
}
function textOf(object: ApiObject, field: string, endpoint: Endpoint): string {
  if (field === 'metadata.name') return object.metadata.name ?? '';
  if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
  return endpoint.version.selectableFields?.get(field)?.(fromStorage(endpoint, object)) ?? '';
}

/** A whole number that a double holds. */
const SMALL = /^\d{1,15}$/;

function integer(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  if (SMALL.test(text)) return Number(text);
  const value = parsed(() => readInt64(text));
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > most ? most : value < -most ? -most : value);
}
/** Present and neither `0` nor `false`; undefined where absent. */
function boolean(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  return text === undefined ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}
function parsed<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof IntegerError || error instanceof SelectorSyntaxError) throw badRequest(error.message);
    throw error;
  }
}
