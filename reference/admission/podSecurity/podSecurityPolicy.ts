import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { User } from '../../api/identity.ts';
import { cloneJson, equalJson, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import { forbidden } from '../../api/status.ts';
import type { Admission, AdmissionAttributes } from '../../contracts/admission.ts';
import type { Authorizer } from '../../contracts/authorizer.ts';
import type { Store } from '../../contracts/store.ts';
import { collectionPrefix } from '../../contracts/storeKeys.ts';
import { onlyTypes } from '../onlyTypes.ts';
import { fillPod } from './fillPod.ts';
import { judgePod } from './judgePod.ts';

export interface PodSecurityDependencies {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly authorizer: Authorizer;
}

const POLICIES = { group: 'policy', resource: 'podsecuritypolicies' };

/**
 * Plugin PodSecurityPolicy, until release 1.24 (3/removed-api-versions-by-release/t1.11): a pod is taken where some policy
 * allows it that its user, or the service account it runs as, may use. A policy that takes the pod as it is comes before
 * one that has to change it; of several the first by name.
 */
export function podSecurityPolicy(dependencies: PodSecurityDependencies): Admission {
  const annotation = `${dependencies.dialect.labelDomain}/psp`;
  return {
    name: 'PodSecurityPolicy',
    concerns: onlyTypes('', 'pods'),
    async mutate(attributes) {
      const { object, operation } = attributes;
      if (!object || operation !== 'CREATE' || !concernsPods(attributes)) return;
      const found = await fitting(attributes, object, dependencies, true);
      object.spec = found.spec;
      object.metadata.annotations = { ...object.metadata.annotations, [annotation]: found.name };
    },
    async validate(attributes) {
      const { object, oldObject } = attributes;
      if (!object || !concernsPods(attributes)) return;
      // What is not changed is not asked about again.
      if (oldObject && equalJson(objectOf(object.spec), objectOf(oldObject.spec))) return;
      await fitting(attributes, object, dependencies, false);
    },
  };
}

function concernsPods({ operation, endpoint }: AdmissionAttributes): boolean {
  const { type, subresource } = endpoint;
  return (
    type.group === '' && type.resource === 'pods' && !subresource && (operation === 'CREATE' || operation === 'UPDATE')
  );
}

interface Fitting {
  readonly name: string;
  /** The spec as the policy makes it. */
  readonly spec: JsonObject;
}

/**
 * The policy that takes the pod, and the pod as it makes it.
 * @param fills whether a policy may change the pod
 * @throws ApiError 403 with what each policy has against it
 */
async function fitting(
  attributes: AdmissionAttributes,
  pod: ApiObject,
  dependencies: PodSecurityDependencies,
  fills: boolean,
): Promise<Fitting> {
  const spec = objectOf(pod.spec);
  const policies = await policiesFor(attributes, pod, dependencies);
  const faults: string[] = [];
  let changed: Fitting | undefined;
  for (const policy of policies) {
    const name = policy.metadata.name ?? '';
    const rules = objectOf(policy.spec);
    const filled = cloneJson(spec);
    if (fills) fillPod(filled, rules);
    const errors = judgePod(filled, rules);
    if (errors.length > 0) faults.push(...errors.map(({ field, message }) => `${field}: ${message}`));
    else if (equalJson(filled, spec)) return { name, spec };
    else changed ??= { name, spec: filled };
  }
  if (changed) return changed;
  const name = pod.metadata.name ?? attributes.name;
  const why =
    policies.length === 0
      ? 'PodSecurityPolicy: no providers available to validate pod request'
      : `PodSecurityPolicy: unable to admit pod: [${faults.join(' ')}]`;
  throw forbidden(attributes.endpoint.type, name, why);
}

/** The policies that the user or the service account of the pod may use, by name. */
async function policiesFor(
  { exchange, namespace }: AdmissionAttributes,
  pod: ApiObject,
  { store, authorizer }: PodSecurityDependencies,
): Promise<readonly ApiObject[]> {
  const account = accountOf(namespace, textOf(objectOf(pod.spec).serviceAccountName));
  const { entries } = await store.range({ prefix: collectionPrefix(POLICIES) });
  const usable: ApiObject[] = [];
  for (const { object } of entries) {
    const asked = {
      isResource: true,
      verb: 'use',
      ...POLICIES,
      version: 'v1beta1',
      subresource: '',
      namespace,
      name: object.metadata.name ?? '',
    } as const;
    const users = [exchange.user, ...(account ? [account] : [])];
    for (const user of users) {
      const { decision } = await authorizer.authorize({ ...asked, user });
      if (decision !== 'allow') continue;
      usable.push(object);
      break;
    }
  }
  return usable;
}

function accountOf(namespace: string, name: string): User | undefined {
  if (name === '') return undefined;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: `system:serviceaccount:${namespace}:${name}`, uid: '', groups, extra: {} };
}
