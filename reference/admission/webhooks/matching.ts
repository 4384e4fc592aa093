import { asJson } from '../../api/object.ts';
import { ApiError, forbidden, internalError } from '../../api/status.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';
import type { MatchConditions } from '../expressions/conditions.ts';
import { admissionRequest } from '../matching/admissionRequest.ts';
import { AdmittedRequest, type MatchingDependencies as RequestDependencies } from '../matching/admittedRequest.ts';
import type { VersionedView } from '../matching/versionedView.ts';
import type { Hook } from './hook.ts';

export interface HookMatchingDependencies extends RequestDependencies {
  readonly conditions: MatchConditions;
}

/** A hook that is to be called, and the version in which it is asked. */
export interface Invocation {
  readonly hook: Hook;
  readonly view: VersionedView;
}

/** Finds out which hooks one request concerns. */
export class Matching {
  readonly #dependencies: HookMatchingDependencies;
  readonly #request: AdmittedRequest;

  constructor(attributes: AdmissionAttributes, dependencies: HookMatchingDependencies) {
    this.#dependencies = dependencies;
    this.#request = new AdmittedRequest(attributes, dependencies);
  }

  /** The request in the version that it was made through. */
  get sent(): VersionedView {
    return this.#request.sent;
  }

  /** The object was changed: it is converted anew when asked for. */
  forgetObjects(): void {
    this.#request.forgetObjects();
  }

  /**
   * How a hook is to be called; undefined when it is not.
   * @throws ApiError 404 where a selector asks for the labels of a namespace that is missing, 403 where conditions
   *   fail to say and the hook's failure policy is Fail, 500 where the objects cannot be converted for it
   */
  async invocation(hook: Hook): Promise<Invocation | undefined> {
    const endpoint = this.#request.endpointFor(hook);
    if (!endpoint || !(await this.#request.selectsNamespace(hook.namespaceSelector))) return undefined;
    const view = await this.#request.view(endpoint).catch((error: unknown) => {
      throw error instanceof ApiError ? internalError(error.message) : error;
    });
    return (await this.#fulfils(hook, view)) ? { hook, view } : undefined;
  }

  async #fulfils({ conditions, ignoresFailure }: Hook, view: VersionedView): Promise<boolean> {
    if (conditions.length === 0) return true;
    const object = view.object('object');
    const oldObject = view.object('oldObject');
    const { attributes, target, sent } = this.#request;
    const { exchange, name, endpoint } = attributes;
    const outcome = await this.#dependencies.conditions.evaluate(conditions, {
      object: object ? asJson(object) : null,
      oldObject: oldObject ? asJson(oldObject) : null,
      request: admissionRequest(attributes, sent, view, undefined),
      user: exchange.user,
      resource: target,
      name,
    });
    if (typeof outcome === 'string') return outcome === 'match';
    if (ignoresFailure) return false;
    throw forbidden(endpoint.type, name, outcome.error);
  }
}
