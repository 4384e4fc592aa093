import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Awaitable } from '../../api/awaitable.ts';
import type { ApiObject } from '../../api/object.ts';
import { othersTurn, Pace } from '../../api/staged.ts';
import { ApiError } from '../../api/status.ts';
import type { Admission, AdmissionAttributes } from '../../contracts/admission.ts';
import type { Endpoint, ResourceRegistry } from '../../contracts/resourceRegistry.ts';
import { isPending, type Store } from '../../contracts/store.ts';
import { AdmittedRequest } from '../matching/admittedRequest.ts';
import type { Criteria } from '../matching/criteria.ts';
import { StoredIndex } from '../matching/storedIndex.ts';
import { isNamespaces } from '../matching/target.ts';
import { noteFailure, PolicyAnnotations } from './annotations.ts';
import type { PolicyEvaluation } from './evaluation.ts';
import { isExemptFromPolicies } from './exempt.ts';
import { ConfigurationFault, type ParamType, paramsOf, paramTypeOf } from './params.ts';
import { bindingOf, bindingsByPolicy, type Policy, type PolicyBinding, policyOf } from './policy.ts';
import { callPolicy, type PolicyCallDependencies } from './policyCall.ts';
import { type Refusal, refused } from './refusal.ts';

export interface PolicyDependencies extends PolicyCallDependencies {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly dialect: Dialect;
}

/**
 * Plugin ValidatingAdmissionPolicy: holds requests to rules that are written as expressions. All policies are asked,
 * by name; of several refusals the first counts.
 */
export function validatingPolicies(dependencies: PolicyDependencies): Admission {
  const { store, dialect } = dependencies;
  const group = groupName(dialect, 'admissionregistration');
  const policies = new StoredIndex(store, { group, resource: 'validatingadmissionpolicies' }, (one) => [policyOf(one)]);
  const bindings = new StoredIndex(store, { group, resource: 'validatingadmissionpolicybindings' }, (one) => [
    bindingOf(one),
  ]);
  return {
    name: 'ValidatingAdmissionPolicy',
    validate(attributes) {
      const bound = bindings.items();
      // Where nothing is bound there is nothing to wait for.
      return !isPending(bound) && bound.length === 0 ? undefined : hold(bound, attributes);
    },
    stop() {
      policies.stop();
      bindings.stop();
    },
  };

  async function hold(known: Awaitable<readonly PolicyBinding[]>, attributes: AdmissionAttributes): Promise<void> {
    const bound = await known;
    if (bound.length === 0 || isExemptFromPolicies(attributes, dialect)) return;
    const round = new Round(attributes, dependencies);
    const byPolicy = bindingsByPolicy(bound);
    for (const policy of await policies.items()) {
      const own = byPolicy.get(policy.name);
      if (own) await round.ask(policy, own);
    }
    const [first] = round.refusals;
    if (first) throw refused(first, attributes);
  }
}

/** Entries that long work passes in the time in which a policy judges a small object. */
const OF_A_POLICY = 128;

/** All policies that one request is held to. */
class Round {
  readonly refusals: Refusal[] = [];
  readonly #attributes: AdmissionAttributes;
  readonly #dependencies: PolicyDependencies;
  readonly #request: AdmittedRequest;
  readonly #pace = new Pace();

  constructor(attributes: AdmissionAttributes, dependencies: PolicyDependencies) {
    this.#attributes = attributes;
    this.#dependencies = dependencies;
    this.#request = new AdmittedRequest(attributes, dependencies);
  }

  async ask(policy: Policy, bindings: readonly PolicyBinding[]): Promise<void> {
    const annotations = new PolicyAnnotations();
    try {
      const endpoint = await this.#matched(policy.constraints);
      if (!endpoint) return;
      const type = policy.paramKind && paramTypeOf(policy.paramKind, this.#dependencies.registry);
      for (const binding of bindings) await this.#askFor(binding, policy, endpoint, type, annotations);
    } catch (error) {
      this.#misconfigured(policy, undefined, error);
    }
    annotations.publish(policy.name, this.#attributes.exchange);
  }

  async #askFor(
    binding: PolicyBinding,
    policy: Policy,
    endpoint: Endpoint,
    type: ParamType | undefined,
    annotations: PolicyAnnotations,
  ): Promise<void> {
    try {
      if (!(await this.#matched(binding.criteria))) return;
      const params = await paramsOf(type, binding.paramRef, this.#attributes.namespace, this.#dependencies.store);
      if (params.length === 0) return;
      const view = await this.#request.view(endpoint);
      const namespace = await this.#namespace();
      for (const one of params) {
        const judgement = await callPolicy(policy, this.#request, view, one, namespace, this.#dependencies);
        this.#take(judgement, policy, binding, annotations);
        if (this.#pace.due(OF_A_POLICY)) await othersTurn(this.#attributes.exchange);
      }
    } catch (error) {
      this.#misconfigured(policy, binding, error);
    }
  }

  async #matched(criteria: Criteria): Promise<Endpoint | undefined> {
    const endpoint = this.#request.endpointFor(criteria);
    return endpoint && (await this.#request.selectsNamespace(criteria.namespaceSelector)) ? endpoint : undefined;
  }

  async #namespace(): Promise<ApiObject | undefined> {
    const { target } = this.#request;
    return target.namespace === '' || isNamespaces(target) ? undefined : this.#request.namespace();
  }

  #take(
    { failures, annotations, annotationFaults }: PolicyEvaluation,
    policy: Policy,
    binding: PolicyBinding,
    all: PolicyAnnotations,
  ) {
    const { exchange } = this.#attributes;
    const names = { policy: policy.name, binding: binding.name };
    for (const failure of failures) {
      const { message, reason } = failure;
      for (const action of binding.actions) {
        if (action === 'Deny') this.refusals.push({ ...names, message, reason });
        else if (action === 'Audit') noteFailure(this.#dependencies.dialect, binding, failure, exchange);
        else {
          exchange.warnings.add(
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
          );
        }
      }
      exchange.trace?.note({
        stage: 'admission',
        by: `policy ${policy.name}`,
        outcome: binding.actions.includes('Deny') ? 'refused' : 'allowed',
        because: message,
        details: { binding: binding.name, actions: binding.actions.join(',') },
      });
    }
    for (const { key, value } of annotations) all.add(key, value);
    for (const message of annotationFaults) this.refusals.push({ ...names, message, reason: '' });
  }

  #misconfigured({ name, ignoresFailure }: Policy, binding: PolicyBinding | undefined, error: unknown): void {
    if (!(error instanceof ConfigurationFault || error instanceof ApiError)) throw error;
    if (ignoresFailure) return;
    const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${error.message}`;
    this.refusals.push({ policy: name, binding: binding?.name, message, reason: '' });
  }
}
