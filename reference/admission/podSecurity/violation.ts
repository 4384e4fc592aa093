import type { GroupResource } from '../../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';

/** What a pod does that a level does not allow. */
export interface PodViolation {
  readonly reason: string;
  readonly detail: string;
}

/** A pod, or the template of one, as checks look at it. */
export interface PodView {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
  readonly security: JsonObject;
  /** All kinds of containers, each with its security context. */
  readonly containers: readonly ContainerView[];
  readonly windows: boolean;
}
export interface ContainerView {
  readonly name: string;
  readonly container: JsonObject;
  readonly security: JsonObject;
}

/** One thing that a level forbids; undefined where the pod does not do it. */
export type Check = (pod: PodView) => PodViolation | undefined;

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

export function podView(pod: { readonly metadata?: Json; readonly spec?: Json }): PodView {
  const spec = objectOf(pod.spec);
  const metadata = objectOf(pod.metadata);
  return {
    annotations: (isObject(metadata.annotations) ? metadata.annotations : {}) as Record<string, string>,
    spec,
    security: objectOf(spec.securityContext),
    containers: CONTAINERS.flatMap((part) =>
      objectsOf(spec[part]).map((container) => ({
        name: textOf(container.name),
        container,
        security: objectOf(container.securityContext),
      })),
    ),
    windows: objectOf(spec.os).name === 'windows',
  };
}

/** The pod that an object is, or makes; undefined for objects of other kinds. */
export function podOf(group: string, resource: string, object: ApiObject): PodView | undefined {
  const { spec, template, metadata } = asJson(object);
  const path = TEMPLATES[`${group}/${resource}`];
  if (path === undefined) return undefined;
  if (path === 'self') return podView({ metadata: metadata ?? null, spec: spec ?? null });
  if (path === 'template') return podView(objectOf(template) as { metadata?: Json; spec?: Json });
  const holder = path === 'spec' ? objectOf(spec) : objectOf(objectOf(objectOf(spec).jobTemplate).spec);
  return podView(objectOf(holder.template) as { metadata?: Json; spec?: Json });
}

/** Where the pod stands in objects that are one or make some. */
const TEMPLATES: Readonly<Record<string, 'self' | 'template' | 'spec' | 'job'>> = {
  '/pods': 'self',
  '/podtemplates': 'template',
  '/replicationcontrollers': 'spec',
  'apps/daemonsets': 'spec',
  'apps/deployments': 'spec',
  'apps/replicasets': 'spec',
  'apps/statefulsets': 'spec',
  'batch/jobs': 'spec',
  'batch/cronjobs': 'job',
};

/** Whether objects of a type are pods, or make some. */
export function makesPods({ group, resource }: GroupResource): boolean {
  return TEMPLATES[`${group}/${resource}`] !== undefined;
}

export function quoted(names: Iterable<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ');
}

/** `container "a"`, `containers "a", "b"`. */
export function named(noun: string, names: readonly string[]): string {
  return `${noun}${names.length === 1 ? '' : 's'} ${quoted(names)}`;
}

/** A violation by the containers that do something; undefined where none does. */
export function byContainers(
  { containers }: PodView,
  does: (one: ContainerView) => boolean,
  reason: string,
  must: string,
): PodViolation | undefined {
  const names = containers.filter(does).map(({ name }) => name);
  return names.length === 0 ? undefined : { reason, detail: `${named('container', names)} ${must}` };
}

/** `pod`, `container "a"`, `pod and containers "a", "b"`. */
export function setBy(pod: boolean, names: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(names.length > 0 ? [named('container', names)] : [])].join(' and ');
}
