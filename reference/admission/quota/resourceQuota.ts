import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { Awaitable } from '../../api/awaitable.ts';
import { type Json, type JsonObject, member, setMember } from '../../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import { ApiError, forbidden, type StatusDetails } from '../../api/status.ts';
import type { Admission, AdmissionAttributes } from '../../contracts/admission.ts';
import type { Entry } from '../../contracts/entry.ts';
import { isPending, type RangeResult, type Store } from '../../contracts/store.ts';
import { collectionPrefix } from '../../contracts/storeKeys.ts';
import { inScopes, unstated, usageOf } from '../../objects/quotaUsage.ts';
import { type Amounts, added, amountsOf, amountsText, combined } from '../../objects/resourceAmounts.ts';
import { compareQuantities, formatQuantity, type Quantity } from '../../schema/quantity.ts';

const QUOTAS = { group: '', resource: 'resourcequotas' };
/** How often a quota is tried again that somebody else counts at the same time. */
const ATTEMPTS = 10;

/**
 * Plugin ResourceQuota: what a namespace may use in sum. A write that would exceed a quota is refused (403); one that
 * fits is counted before it is stored, so that writes at the same time cannot exceed it together. A dry run is judged
 * and not counted.
 */
export function resourceQuota({ store, dialect }: { readonly store: Store; readonly dialect: Dialect }): Admission {
  return {
    name: 'ResourceQuota',
    validate(attributes) {
      if (!counts(attributes)) return undefined;
      const quotas = store.range({ prefix: collectionPrefix(QUOTAS, attributes.namespace) });
      // Most namespaces have none.
      if (!isPending(quotas) && quotas.entries.length === 0) return undefined;
      return hold(quotas, attributes);
    },
  };

  async function hold(quotas: Awaitable<RangeResult>, attributes: AdmissionAttributes): Promise<void> {
    const { entries } = await quotas;
    // All are judged before any is counted.
    for (const entry of entries) demandOf(entry, attributes, dialect);
    if (attributes.dryRun) return;
    for (const entry of entries) await charge(entry, attributes, store, dialect);
  }
}

function counts({ operation, endpoint, namespace, object }: AdmissionAttributes): boolean {
  const { type, subresource } = endpoint;
  if (subresource || namespace === '' || !object) return false;
  if (operation === 'CREATE') return true;
  return operation === 'UPDATE' && type.group === '' && ['services', 'persistentvolumeclaims'].includes(type.resource);
}

/** What a write adds to what a quota limits; nothing where the quota is not about it. Throws ApiError 403. */
function demandOf({ object: quota }: Entry, attributes: AdmissionAttributes, dialect: Dialect): Amounts {
  const { endpoint, object, oldObject, operation } = attributes;
  const { type } = endpoint;
  const status = objectOf(asJson(quota).status);
  const limited = Object.keys(objectOf(status.hard));
  if (!object || limited.length === 0 || !inScopes(objectOf(asJson(quota).spec), type, object)) return new Map();
  const name = quota.metadata.name ?? '';
  const missing = operation === 'CREATE' ? unstated(limited, type, object) : [];
  if (missing.length > 0) throw refusal(attributes, `failed quota: ${name}: must specify ${missing.join('; ')}`);
  const before = oldObject && operation === 'UPDATE' ? usageOf(type, oldObject, dialect) : new Map<string, Quantity>();
  const asked = added(usageOf(type, object, dialect), before, -1n);
  // A quota may limit far more than one object uses.
  const hard = amountsOf(partOf(status.hard, asked.keys()));
  const more = [...asked].filter(([resource, { digits }]) => hard.has(resource) && digits > 0n);
  const used = amountsOf(partOf(status.used, asked.keys()));
  const total = added(used, new Map(more));
  const exceeded = more
    .map(([resource]) => resource)
    .filter((resource) => compareQuantities(total.get(resource) as Quantity, hard.get(resource) as Quantity) > 0)
    .sort();
  if (exceeded.length > 0) {
    const shown = (amounts: Amounts): string =>
      exceeded.map((resource) => `${resource}=${amountText(amounts.get(resource))}`).join(',');
    const why = `exceeded quota: ${name}, requested: ${shown(new Map(more))}, used: ${shown(used)}, limited: ${shown(hard)}`;
    throw refusal(attributes, why);
  }
  return new Map(more);
}

/** The members of these names. */
function partOf(list: Json | undefined, names: Iterable<string>): JsonObject {
  const all = objectOf(list);
  const part: JsonObject = {};
  for (const name of names) {
    const value = member(all, name);
    if (value !== undefined) setMember(part, name, value);
  }
  return part;
}

function amountText(amount: Quantity | undefined): string {
  return amount ? formatQuantity(amount) : '0';
}

function refusal({ endpoint, object, name }: AdmissionAttributes, why: string): ApiError {
  const shown = object?.metadata.name || object?.metadata.generateName || name || 'Unknown';
  return forbidden(endpoint.type, shown, why);
}

async function charge(entry: Entry, attributes: AdmissionAttributes, store: Store, dialect: Dialect): Promise<void> {
  let present = entry;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const demand = demandOf(present, attributes, dialect);
    if (demand.size === 0) return;
    const next = charged(present.object, demand);
    const result = await store.commit({ key: present.key, expected: present.modRevision, object: next });
    if (result.committed) return;
    // A quota that was deleted meanwhile limits nothing any more.
    if (!result.present) return;
    present = result.present;
  }
  throw conflict(attributes, entry.object);
}

/** The quota with more used, as the store takes it. */
function charged(quota: ApiObject, demand: Amounts): ApiObject {
  const { resourceVersion: _, ...metadata } = quota.metadata;
  const status = objectOf(quota.status);
  const used = amountsOf(partOf(status.used, demand.keys()));
  for (const [name, amount] of demand) {
    const before = used.get(name);
    used.set(name, before ? combined(before, amount) : amount);
  }
  const counted = { ...status, used: { ...objectOf(status.used), ...amountsText(used) } };
  return asApiObject({ ...asJson(quota), metadata: metadata as unknown as JsonObject, status: counted });
}

function conflict(attributes: AdmissionAttributes, quota: ApiObject): ApiError {
  const why = `status unknown for quota: ${quota.metadata.name}, resources: ${Object.keys(
    objectOf(objectOf(asJson(quota).status).hard),
  )
    .sort()
    .join(',')}`;
  const { message, details } = refusal(attributes, why);
  return new ApiError(403, 'Forbidden', message, details as StatusDetails);
}
