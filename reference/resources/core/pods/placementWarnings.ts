import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import type { RuleContext } from '../../builtinType.ts';

/** Labels of nodes that have new names: the old prefix and name, since when, the new ones. */
const OLD_LABELS: readonly (readonly [string, string, string])[] = [
  ['beta.{domain}/arch', 'v1.14', '{domain}/arch'],
  ['beta.{domain}/os', 'v1.14', '{domain}/os'],
  ['failure-domain.beta.{domain}/region', 'v1.17', 'topology.{domain}/region'],
  ['failure-domain.beta.{domain}/zone', 'v1.17', 'topology.{domain}/zone'],
  ['beta.{domain}/instance-type', 'v1.17', 'node.{domain}/instance-type'],
];

/** What is to be said of a label of nodes; undefined for those that are in use. */
function nodeLabelWarning(label: string, domain: string): string | undefined {
  for (const [old, since, name] of OLD_LABELS) {
    if (old.replace('{domain}', domain) !== label) continue;
    return `deprecated since ${since}; use ${JSON.stringify(name.replace('{domain}', domain))} instead`;
  }
  return undefined;
}

/** Warnings about where a pod is to run. */
export function placementWarnings(spec: JsonObject, path: FieldPath, { dialect }: RuleContext): string[] {
  const { labelDomain } = dialect;
  const warnings: string[] = [];
  for (const label of Object.keys(objectOf(spec.nodeSelector))) {
    const text = nodeLabelWarning(label, labelDomain);
    if (text !== undefined) warnings.push(`${path.child('nodeSelector').key(label)}: ${text}`);
  }
  const affinity = objectOf(objectOf(spec.affinity).nodeAffinity);
  const at = path.child('affinity', 'nodeAffinity');
  const wanted = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  objectsOf(objectOf(affinity[wanted]).nodeSelectorTerms).forEach((term, index) => {
    warnings.push(...termWarnings(term, at.child(wanted, 'nodeSelectorTerms').index(index), labelDomain));
  });
  objectsOf(affinity[preferred]).forEach((term, index) => {
    const place = at.child(preferred).index(index).child('preference');
    warnings.push(...termWarnings(objectOf(term.preference), place, labelDomain));
  });
  objectsOf(spec.topologySpreadConstraints).forEach((constraint, index) => {
    const place = path.child('topologySpreadConstraints').index(index);
    const key = textOf(constraint.topologyKey);
    const text = nodeLabelWarning(key, labelDomain);
    if (text !== undefined) warnings.push(`${place.child('topologyKey')}: ${key} is ${text}`);
    if (!isObject(constraint.labelSelector)) {
      warnings.push(`${place.child('labelSelector')}: a null labelSelector results in matching no pod`);
    }
  });
  return warnings;
}

function termWarnings(term: JsonObject, path: FieldPath, domain: string): string[] {
  return objectsOf(term.matchExpressions).flatMap((expression, index) => {
    const key = textOf(expression.key);
    const text = nodeLabelWarning(key, domain);
    return text === undefined ? [] : [`${path.child('matchExpressions').index(index).child('key')}: ${key} is ${text}`];
  });
}
