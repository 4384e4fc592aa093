import { type FieldError, invalid } from '../api/fieldError.ts';
import type { FieldPath } from '../api/fieldPath.ts';
import { equalityKey, type Json, type JsonObject } from '../api/json.ts';
import type { ApiObject, OwnerReference } from '../api/object.ts';
import type { WarningSink } from '../api/request.ts';

const FIELDS = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'] as const;

/** Checks the owners of an object: complete references, none to an event, one controller at most. */
export function validateOwnerReferences(owners: readonly OwnerReference[] | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let controller = '';
  let all: Json[] | undefined;
  for (const owner of owners ?? []) {
    if (!versionOf(owner.apiVersion ?? '')) {
      errors.push(invalid(path.child('apiVersion'), owner.apiVersion ?? '', 'version must not be empty'));
    }
    for (const field of ['kind', 'name', 'uid'] as const) {
      if (!owner[field]) errors.push(invalid(path.child(field), owner[field] ?? '', 'must not be empty'));
    }
    if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
      errors.push(invalid(path, shown(owner), '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (!owner.controller) continue;
    const name = `${owner.kind}/${owner.name}`;
    if (controller) {
      all ??= (owners ?? []).map(shown);
      errors.push(
        invalid(
          path,
          all,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
        ),
      );
    } else controller = name;
  }
  return errors;
}

/** The version in an apiVersion; empty where the text is no apiVersion. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts.at(-1) as string);
}

/** A reference as messages show it, with its fields in their usual order. */
function shown(owner: OwnerReference): Json {
  const fields: JsonObject = {};
  for (const field of FIELDS) {
    const value = owner[field];
    if (value !== undefined) fields[field] = value;
    else if (field !== 'controller' && field !== 'blockOwnerDeletion') fields[field] = '';
  }
  return fields;
}

/**
 * Drops owners that are named twice, in place, and warns of them. `afterMutation` words the warning for the
 * second look, behind mutating admission.
 */
export function mergeOwnerReferences(object: ApiObject, warnings: WarningSink, afterMutation: boolean): void {
  const owners = object.metadata.ownerReferences;
  if (!owners || owners.length < 2) return;
  const kept = new Map<string, OwnerReference>();
  const repeated = new Set<string>();
  for (const owner of owners) {
    const key = equalityKey(shown(owner));
    if (kept.has(key)) repeated.add(owner.uid);
    else kept.set(key, owner);
  }
  if (repeated.size === 0) return;
  object.metadata.ownerReferences = [...kept.values()];
  const uids = [...repeated].join(', ');
  warnings.add(
    afterMutation
      ? `.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`
      : `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
}
