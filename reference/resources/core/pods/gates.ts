import { type FieldError, invalid } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { equalJson, type JsonObject } from '../../../api/json.ts';
import { listOf, objectOf, objectsOf } from '../../../api/parts.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/**
 * Faults of what only pods that wait at a gate may change: where they are to run. `fixed` is the new spec on its way
 * to be compared with the old one; what was judged here gets its old value, in place.
 */
export function gatedChanges(fixed: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!equalJson(objectOf(fixed.nodeSelector), objectOf(old.nodeSelector))) {
    errors.push(...selectorAdditions(objectOf(fixed.nodeSelector), objectOf(old.nodeSelector), path));
    restore(fixed, old, 'nodeSelector');
  }
  const affinity = objectOf(fixed.affinity);
  const before = objectOf(old.affinity).nodeAffinity;
  if (!equalJson(objectOf(affinity.nodeAffinity), objectOf(before))) {
    const at = path.child('affinity', 'nodeAffinity', REQUIRED, 'nodeSelectorTerms');
    errors.push(...termAdditions(objectOf(affinity.nodeAffinity), objectOf(before), at));
    const { nodeAffinity: _, ...others } = affinity;
    const next: JsonObject = before === undefined ? others : { ...others, nodeAffinity: before };
    if (old.affinity === undefined && Object.keys(next).length === 0) delete fixed.affinity;
    else fixed.affinity = next;
  }
  return errors;
}

function restore(fixed: JsonObject, old: JsonObject, name: string): void {
  const before = old[name];
  if (before === undefined) delete fixed[name];
  else fixed[name] = before;
}

function selectorAdditions(selector: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  if (Object.keys(old).every((name) => selector[name] === old[name])) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalid(path.child('nodeSelector'), selector, detail)];
}

function termAdditions(affinity: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const before = objectsOf(objectOf(old[REQUIRED]).nodeSelectorTerms);
  const terms = objectsOf(objectOf(affinity[REQUIRED]).nodeSelectorTerms);
  if (before.length === 0) return [];
  if (before.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalid(path, [...terms], detail)];
  }
  return terms.flatMap((term, index) => {
    if (onlyAdds(term, before[index] ?? {})) return [];
    return [invalid(path.index(index), term, 'only additions are allowed (no mutations or deletions)')];
  });
}

function onlyAdds(term: JsonObject, old: JsonObject): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  const count = (holder: JsonObject) => lists.reduce((sum, list) => sum + listOf(holder[list]).length, 0);
  // A term that selected nothing must not begin to select.
  if (count(old) === 0) return count(term) === 0;
  return lists.every((list) => {
    const before = listOf(old[list]);
    return equalJson(listOf(term[list]).slice(0, before.length), [...before]);
  });
}
