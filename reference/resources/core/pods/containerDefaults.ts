import { isObject, type JsonObject } from '../../../api/json.ts';
import { ensureObject, listOf, setDefault } from '../../../api/parts.ts';
import { imageTag } from './imageTag.ts';
import { roundAmounts } from './resourceAmounts.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const PROBE_DEFAULTS = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const HOOKS = ['postStart', 'preStop'];

/** Fills a container of any of the three kinds, in place. */
export function fillContainer(container: JsonObject): void {
  setDefault(container, 'imagePullPolicy', pullPolicy(container));
  setDefault(container, 'terminationMessagePath', '/dev/termination-log');
  setDefault(container, 'terminationMessagePolicy', 'File');
  for (const variable of listOf(container.env)) if (isObject(variable)) fillSource(variable);
  for (const name of PROBES) {
    const probe = container[name];
    if (isObject(probe)) fillProbe(probe);
  }
  if (isObject(container.lifecycle)) {
    for (const hook of HOOKS) {
      const handler = container.lifecycle[hook];
      if (isObject(handler)) fillHttpGet(handler);
    }
  }
  if (isObject(container.resources)) roundAmounts(container.resources);
}

/** An image that may change under its name is fetched each time. */
function pullPolicy(container: JsonObject): string {
  const image = typeof container.image === 'string' ? container.image : '';
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function fillSource(variable: JsonObject): void {
  if (!isObject(variable.valueFrom)) return;
  fillFieldRef(variable.valueFrom);
}

/** Fills the version of a reference to a field of the pod, where `holder` has one. In place. */
export function fillFieldRef(holder: JsonObject): void {
  if (isObject(holder.fieldRef)) setDefault(holder.fieldRef, 'apiVersion', 'v1');
}

function fillProbe(probe: JsonObject): void {
  for (const [name, value] of Object.entries(PROBE_DEFAULTS)) if (!probe[name]) probe[name] = value;
  fillHttpGet(probe);
}

function fillHttpGet(handler: JsonObject): void {
  if (!isObject(handler.httpGet)) return;
  const get = ensureObject(handler, 'httpGet');
  setDefault(get, 'path', '/');
  setDefault(get, 'scheme', 'HTTP');
}
