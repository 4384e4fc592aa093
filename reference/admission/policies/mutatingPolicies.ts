import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../../fixtures/follow.ts';
import type { Awaitable } from '../../api/awaitable.ts';
import type { ApiObject } from '../../api/object.ts';
import { ApiError } from '../../api/status.ts';
import type { Admission, AdmissionAttributes } from '../../contracts/admission.ts';
import type { Endpoint } from '../../contracts/resourceRegistry.ts';
import { isPending } from '../../contracts/store.ts';
import { AdmittedRequest } from '../matching/admittedRequest.ts';
import type { Criteria } from '../matching/criteria.ts';
import { StoredIndex } from '../matching/storedIndex.ts';
import { isNamespaces } from '../matching/target.ts';
import { takeOver } from '../webhooks/patched.ts';
import { Reinvocation } from '../webhooks/reinvocation.ts';
import { isExemptFromPolicies } from './exempt.ts';
import { MutationFault, mutatedBy } from './mutation.ts';
import { ConfigurationFault, paramsOf, paramTypeOf } from './params.ts';
import { bindingOf, bindingsByPolicy, type MutatingPolicy, mutatingPolicyOf, type PolicyBinding } from './policy.ts';
import { conditionsHold } from './policyCall.ts';
import { refused } from './refusal.ts';
import type { PolicyDependencies } from './validatingPolicies.ts';

const NAME = 'MutatingAdmissionPolicy';

export interface MutatingPolicyDependencies extends PolicyDependencies {
  readonly dialect: Dialect;
  readonly follow: Follow;
}

/**
 * Plugin MutatingAdmissionPolicy: changes objects as expressions say, by configurations that are laid over them or by
 * JSON patches. Policies come one after the other, by name, each to the object as those before it left it.
 */
export function mutatingPolicies(dependencies: MutatingPolicyDependencies): Admission {
  const { store, dialect } = dependencies;
  const group = groupName(dialect, 'admissionregistration');
  const policies = new StoredIndex(store, { group, resource: 'mutatingadmissionpolicies' }, (one) => [
    mutatingPolicyOf(one),
  ]);
  const bindings = new StoredIndex(store, { group, resource: 'mutatingadmissionpolicybindings' }, (one) => [
    bindingOf(one),
  ]);
  // A write comes a second time where its first round says so.
  const writes = new WeakMap<AdmissionAttributes, Reinvocation>();
  return {
    name: NAME,
    mutate(attributes) {
      if (attributes.operation !== 'CREATE' && attributes.operation !== 'UPDATE') return undefined;
      const bound = bindings.items();
      // Where nothing is bound there is nothing to wait for.
      return !isPending(bound) && bound.length === 0 ? undefined : change(bound, attributes);
    },
    reinvokes: (attributes) => writes.get(attributes)?.wanted ?? false,
    stop() {
      policies.stop();
      bindings.stop();
    },
  };

  async function change(known: Awaitable<readonly PolicyBinding[]>, attributes: AdmissionAttributes): Promise<void> {
    const bound = await known;
    if (bound.length === 0 || isExemptFromPolicies(attributes, dialect)) return;
    const rounds = writes.get(attributes) ?? new Reinvocation();
    writes.set(attributes, rounds);
    rounds.begin(attributes.object);
    const round = new Round(attributes, dependencies, rounds);
    const byPolicy = bindingsByPolicy(bound);
    for (const policy of await policies.items()) {
      for (const binding of byPolicy.get(policy.name) ?? []) await round.ask(policy, binding);
    }
    rounds.end(attributes.object);
  }
}

/** All policies that one request comes to, once. */
class Round {
  readonly #attributes: AdmissionAttributes;
  readonly #dependencies: MutatingPolicyDependencies;
  readonly #request: AdmittedRequest;
  readonly #rounds: Reinvocation;

  constructor(attributes: AdmissionAttributes, dependencies: MutatingPolicyDependencies, rounds: Reinvocation) {
    this.#attributes = attributes;
    this.#dependencies = dependencies;
    this.#request = new AdmittedRequest(attributes, dependencies);
    this.#rounds = rounds;
  }

  /** Throws ApiError where the policy fails and that is a reason to refuse. */
  async ask(policy: MutatingPolicy, binding: PolicyBinding): Promise<void> {
    try {
      const { registry, store } = this.#dependencies;
      const endpoint = await this.#matched(policy.constraints);
      if (!endpoint || !(await this.#matched(binding.criteria))) return;
      const type = policy.paramKind && paramTypeOf(policy.paramKind, registry);
      for (const params of await paramsOf(type, binding.paramRef, this.#attributes.namespace, store)) {
        const id = `${policy.name}/${binding.name}/${params?.metadata.namespace ?? ''}/${params?.metadata.name ?? ''}`;
        const invocation = { id, reinvoked: policy.reinvoked };
        if (this.#rounds.includes(invocation)) {
          this.#rounds.ran(invocation, await this.#mutate(policy, endpoint, params));
        }
      }
    } catch (error) {
      this.#fail(policy, binding, error);
    }
  }

  async #matched(criteria: Criteria): Promise<Endpoint | undefined> {
    const endpoint = this.#request.endpointFor(criteria);
    return endpoint && (await this.#request.selectsNamespace(criteria.namespaceSelector)) ? endpoint : undefined;
  }

  /** Whether the policy changed the object. */
  async #mutate(policy: MutatingPolicy, endpoint: Endpoint, params: ApiObject | null): Promise<boolean> {
    const { conditions } = this.#dependencies;
    const before = await this.#request.view(endpoint);
    const outcome = await conditionsHold(policy, this.#request, before, params, conditions);
    if (outcome === 'skip') return false;
    if (outcome !== 'match') throw new MutationFault(outcome.error);
    const { target } = this.#request;
    const namespaced = target.namespace !== '' && !isNamespaces(target);
    const namespace = namespaced ? await this.#request.namespace() : undefined;
    let changed = false;
    for (const mutation of policy.mutations) {
      const view = await this.#request.view(endpoint);
      const given = { policy, mutation, request: this.#request, view, params, namespace };
      const result = await mutatedBy(given, this.#dependencies);
      if (!result?.changed) continue;
      changed = true;
      takeOver(this.#attributes, result);
      this.#request.forgetObjects();
    }
    this.#attributes.exchange.trace?.note({
      stage: 'admission',
      by: `policy ${policy.name}`,
      outcome: changed ? 'changed' : 'allowed',
      because: changed ? 'its mutations differ from what was there' : 'its mutations leave the object as it is',
    });
    return changed;
  }

  #fail(policy: MutatingPolicy, binding: PolicyBinding, error: unknown): void {
    const configured = error instanceof ConfigurationFault;
    if (!configured && !(error instanceof MutationFault) && !(error instanceof ApiError)) throw error;
    if (policy.ignoresFailure) return;
    const message = configured ? `failed to configure binding: ${error.message}` : error.message;
    throw refused({ kind: NAME, policy: policy.name, binding: binding.name, message, reason: '' }, this.#attributes);
  }
}
