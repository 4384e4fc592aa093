import { groupName } from '../../fixtures/dialects/dialect.ts';
import { equalJson, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { numberOf, objectOf } from '../api/parts.ts';
import { inTurns } from '../api/staged.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Services } from '../contracts/call.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { addressOf } from '../contracts/storedKey.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { expressionWarnings } from './expressionWarnings.ts';

/** Whose writes its own are. */
export const POLICY_STATUS = 'validatingadmissionpolicy-status';
const PLURAL = 'validatingadmissionpolicies';

/**
 * Holds the expressions of each ValidatingAdmissionPolicy against the types of the objects that it is about, and says
 * in its status what does not fit. The policy holds all the same.
 */
export class PolicyTypeChecking implements Controller {
  readonly #services: Services;
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #prefix: string;

  constructor(services: Services, client: Client, queue: WorkQueue) {
    this.#services = services;
    this.#client = client;
    this.#queue = queue;
    const group = groupName(services.dialect, 'admissionregistration');
    this.#prefix = collectionPrefix({ group, resource: PLURAL });
  }

  fork({ services, clientOf, queue }: ControllerSite): PolicyTypeChecking {
    return new PolicyTypeChecking(services, clientOf(POLICY_STATUS), queue);
  }

  changed({ key, deleted }: StoreChange): void {
    if (deleted || !key.startsWith(this.#prefix)) return;
    const address = addressOf(this.#services.registry, key);
    if (!address) return;
    this.#queue.add(`policyTypes/${address.name}`, async () => {
      const policy = await this.#client.get(address);
      if (!policy || isObserved(policy)) return;
      const warnings = await inTurns(expressionWarnings(objectOf(asJson(policy).spec), this.#services.registry));
      const { generation } = policy.metadata;
      // One that has changed meanwhile is looked at once more.
      const checked = (present: ApiObject) =>
        present.metadata.generation === generation ? this.#checked(present, warnings) : undefined;
      await this.#client.change(address, checked, 'status');
    });
  }

  /** Undefined when the present generation was looked at already. */
  #checked(policy: ApiObject, warnings: JsonObject[]): ApiObject | undefined {
    const generation = policy.metadata.generation ?? 0;
    const status = objectOf(policy.status);
    if (isObserved(policy)) return undefined;
    const typeChecking: JsonObject = warnings.length > 0 ? { expressionWarnings: warnings } : {};
    const next: JsonObject = { ...status, observedGeneration: generation, typeChecking };
    return equalJson(next, status) ? undefined : { ...policy, status: next };
  }
}

/** Whether the present generation of a policy was looked at. */
function isObserved({ metadata, status }: ApiObject): boolean {
  return (numberOf(objectOf(status).observedGeneration) ?? 0) >= (metadata.generation ?? 0);
}
