import type { Identity, Services, Target } from '../../harness/index.ts';
import { type Actor, configMaps, type Kind, named, ownRelease, serviceAccounts } from '../../harness/index.ts';
import { byModes, known } from '../authorizers.ts';

export const pods: Kind = { ...configMaps, kind: 'Pod', plural: 'pods' };
export const nodes: Kind = { ...configMaps, kind: 'Node', plural: 'nodes', namespaced: false };
export const events: Kind = { ...configMaps, kind: 'Event', plural: 'events' };
export const claims: Kind = { ...configMaps, kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' };
export const volumes: Kind = { ...nodes, kind: 'PersistentVolume', plural: 'persistentvolumes' };

/** A server that authorizes nodes and restricts them. */
export const restricted = byModes('Node,RBAC', { flags: ['--enable-admission-plugins=NodeRestriction'] });
/** One that only authorizes them. */
export const unrestricted = byModes('Node,RBAC');

/** One on which nodes read other nodes and pods too. */
export const withoutSelectors = byModes('Node,RBAC', {
  flags: ['--enable-admission-plugins=NodeRestriction', '--feature-gates=AuthorizeNodeWithSelectors=false'],
  // Whether a gate has to be switched off goes by its stage, which is for the requirements on gates.
  unshown: 'the gate AuthorizeNodeWithSelectors cannot be switched off in a release in which it is locked',
});

/** The release from which on nodes read themselves and pods of their own alone: in earlier ones the gate was off. */
const SELECTORS = 32;
/** Whether a node of the target reads other nodes, and pods of others, as it is started by default. */
export const readsOthers = (target: Target): boolean => ownRelease(target) < SELECTORS;

interface Scene {
  readonly someone: (name: string, identity: Identity) => Actor;
  readonly person: (name: string, acts?: Identity['acts']) => Actor;
  readonly services: Services;
  readonly target: Target;
  readonly admin: Actor;
}

/** Somebody whom a certificate makes known to a server that we have started, and whom the admin acts as elsewhere. */
export async function somebody(
  { someone, services, person, target, admin }: Scene,
  user: string,
  groups: readonly string[] = [],
): Promise<Actor> {
  const actor =
    target.mode === 'url' ? person(user, { user, groups }) : await known({ someone, services }, user, groups);
  return actor.in(await admin.namespace());
}

/** The agent of a node: `a` for the node that the check calls so. Its object need not be there. */
export function agentOf(node: string, scene: Scene): Promise<Actor> {
  return somebody(scene, `system:node:${nodeName(scene.admin, node)}`, ['system:nodes']);
}

/** The full name of the node that a check calls so. */
export function nodeName(actor: Actor, node: string): string {
  return actor.space.nameOf(nodes, node);
}

/** Prepares a pod that is bound to a node; `more` goes into its spec. */
export async function givenPod(by: Actor, name: string, node: string, more: object = {}) {
  await by.create(serviceAccounts, named('runner'));
  const pod = await by.given(pods, named(name, podSpec(by, node, more)));
  await removeAtOnce(by, name);
  return pod;
}
/** Has a bound pod removed without delay when the check is over: no agent would ever say that it has stopped. */
export async function removeAtOnce(by: Actor, name: string): Promise<void> {
  by.space.noteGuest(`${await by.pathOf(pods, name)}?gracePeriodSeconds=0`, `pods ${name}`);
}
/** A pod for a node, with an account that {@link givenPod} has made. */
export function podSpec(actor: Actor, node: string, more: object = {}) {
  return {
    spec: {
      nodeName: nodeName(actor, node),
      serviceAccountName: 'runner',
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'touchstone.example/none' }],
      ...more,
    },
  };
}

/** What an actor sends to change a part of an object by a merge patch. */
export async function patchStatus(actor: Actor, kind: Kind, name: string, status: object) {
  return actor.request('PATCH', await actor.pathOf(kind, name, 'status'), {
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { status },
  });
}
