import { equalJson, type Json } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import { badRequest } from '../../api/status.ts';

/*
 * A DaemonSet counts the changes of its template in an annotation, which once was a field: clients cannot set it.
 */

const ANNOTATION = 'deprecated.daemonset.template.generation';
const LARGEST = 2n ** 63n - 1n;

/**
 * Gives the count a value where the body has none, in place.
 * @throws ApiError 400 for one that is no number
 */
export function fillTemplateGeneration(daemonSet: ApiObject): void {
  const given = daemonSet.metadata.annotations?.[ANNOTATION];
  if (given === undefined) setCount(daemonSet, '0');
  else if (!/^[-+]?[0-9]+$/.test(given)) throw notANumber(given, 'invalid syntax');
  else if (BigInt(given) > LARGEST || BigInt(given) < -LARGEST - 1n) throw notANumber(given, 'value out of range');
}

function notANumber(given: string, why: string) {
  return badRequest(
    `DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing ${JSON.stringify(given)}: ${why}`,
  );
}

/** A new DaemonSet starts at one, or where its maker says. In place. */
export function startTemplateGeneration(daemonSet: ApiObject): void {
  const given = BigInt(daemonSet.metadata.annotations?.[ANNOTATION] ?? '0');
  setCount(daemonSet, String(given < 1n ? 1n : given));
}

/** Counts a change of the template since `old`, in place. */
export function countTemplateGeneration(daemonSet: ApiObject, old: ApiObject): void {
  const before = old.metadata.annotations?.[ANNOTATION] ?? '0';
  const changed = !equalJson(templateOf(daemonSet), templateOf(old));
  setCount(daemonSet, changed ? String(BigInt(before) + 1n) : before);
}

function templateOf(daemonSet: ApiObject): Json | undefined {
  return objectOf(daemonSet.spec).template;
}

function setCount(daemonSet: ApiObject, count: string): void {
  daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [ANNOTATION]: count };
}
