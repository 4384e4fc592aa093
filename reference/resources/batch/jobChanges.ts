import { type FieldError, invalid } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf } from '../../api/parts.ts';
import { IMMUTABLE } from '../validation/fields.ts';
import { sameValue } from '../workloads/podTemplates.ts';

const SPEC = FieldPath.of('spec');
const FIXED = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

/** Faults of what a job changes of `old`. */
export function validateJobChange(job: ApiObject, old: ApiObject): FieldError[] {
  const spec = objectOf(job.spec);
  const before = objectOf(old.spec);
  const fixed = (name: string): FieldError[] =>
    sameValue(spec[name], before[name]) ? [] : [invalid(SPEC.child(name), spec[name] ?? null, IMMUTABLE)];
  return [
    ...validateCompletions(spec, before),
    ...fixed('selector'),
    ...validateTemplateChange(spec, before, isHeld(old)),
    ...FIXED.flatMap(fixed),
  ];
}

/** A job with indexes can become wider and longer together. */
function validateCompletions(spec: JsonObject, before: JsonObject): FieldError[] {
  const path = SPEC.child('completions');
  if (sameValue(spec.completions, before.completions)) return [];
  if (spec.completionMode !== 'Indexed') return [invalid(path, spec.completions ?? null, IMMUTABLE)];
  const tandem = numberOf(spec.completions);
  if (tandem !== undefined && tandem === numberOf(spec.parallelism)) return [];
  return [invalid(path, spec.completions ?? null, `can only be modified in tandem with ${SPEC.child('parallelism')}`)];
}

/** Whether a job is held back and has never begun. */
function isHeld(old: ApiObject): boolean {
  return objectOf(old.spec).suspend === true && objectOf(old.status).startTime === undefined;
}

const PLACEMENT = ['nodeSelector', 'tolerations', 'schedulingGates'];

/** Where pods run can be changed as long as none has been made; nothing else of them. */
function validateTemplateChange(spec: JsonObject, before: JsonObject, held: boolean): FieldError[] {
  const template = objectOf(spec.template);
  const old = objectOf(before.template);
  const wanted = held ? withPlacement(old, template) : old;
  if (sameValue(template, wanted)) return [];
  return [invalid(SPEC.child('template'), template, IMMUTABLE)];
}

function withPlacement(old: JsonObject, next: JsonObject): JsonObject {
  const metadata = { ...objectOf(old.metadata) };
  const given = objectOf(next.metadata);
  for (const name of ['labels', 'annotations']) take(metadata, given, name);
  const spec = { ...objectOf(old.spec) };
  const pod = objectOf(next.spec);
  for (const name of PLACEMENT) take(spec, pod, name);
  const affinity = objectOf(pod.affinity);
  if (!isObject(pod.affinity)) delete spec.affinity;
  else {
    const { nodeAffinity: _, ...others } = objectOf(spec.affinity);
    spec.affinity = affinity.nodeAffinity === undefined ? others : { ...others, nodeAffinity: affinity.nodeAffinity };
  }
  return { ...old, metadata, spec };
}

function take(into: JsonObject, from: JsonObject, name: string): void {
  const value = from[name];
  if (value === undefined) delete into[name];
  else into[name] = value;
}
