import { asJson } from '../../api/object.ts';
import { forbidden, notFound } from '../../api/status.ts';
import type { Endpoint } from '../../resources/registry.ts';
import type { LabelSelector, Labels } from '../../selectors/labelRequirement.ts';
import { objectKey } from '../../storage/keys.ts';
import type { Store } from '../../storage/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { MatchConditions } from './conditions.ts';
import type { Hook } from './hook.ts';
import { reviewRequest } from './review.ts';
import { covers, isNamespaces, type Target, targetOf } from './target.ts';
import { VersionedView } from './versionedView.ts';

export interface MatchingRooms {
  readonly store: Store;
  readonly conditions: MatchConditions;
}

/** A hook that is to be called, and the version in which it is asked. */
export interface Invocation {
  readonly hook: Hook;
  readonly view: VersionedView;
}

/** Finds out which hooks one request concerns; what it looked up is kept for the next hook. */
export class Matching {
  readonly #rooms: MatchingRooms;
  readonly #attributes: AdmissionAttributes;
  readonly #target: Target;
  readonly #views = new Map<string, VersionedView>();
  #labels: Promise<Labels> | undefined;

  constructor(attributes: AdmissionAttributes, rooms: MatchingRooms) {
    this.#attributes = attributes;
    this.#rooms = rooms;
    this.#target = targetOf(attributes);
  }

  /** The request in the version that it was made through. */
  get sent(): VersionedView {
    return this.view(this.#attributes.endpoint);
  }

  /** The request in another version. */
  view(endpoint: Endpoint): VersionedView {
    const { version } = endpoint.version;
    let view = this.#views.get(version);
    if (!view) {
      view = new VersionedView(this.#attributes, endpoint);
      this.#views.set(version, view);
    }
    return view;
  }

  /** The object was changed: it is converted anew when asked for. */
  forgetObjects(): void {
    this.#views.clear();
  }

  /**
   * How a hook is to be called; undefined when it is not.
   * @throws ApiError 404 where a selector asks for the labels of a namespace that is missing, 403 where conditions
   *   fail to say and the hook's failure policy is Fail
   */
  async invocation(hook: Hook): Promise<Invocation | undefined> {
    if (!this.#selectsObject(hook.objectSelector)) return undefined;
    const endpoint = this.#endpointFor(hook);
    if (!endpoint || !(await this.#selectsNamespace(hook.namespaceSelector))) return undefined;
    const view = this.view(endpoint);
    return (await this.#fulfils(hook, view)) ? { hook, view } : undefined;
  }

  /** Where the first rule that covers the request leads: its own version, or another one of the resource. */
  #endpointFor({ rules, equivalent }: Hook): Endpoint | undefined {
    const { endpoint } = this.#attributes;
    if (rules.some((rule) => covers(rule, this.#target))) return endpoint;
    if (!equivalent) return undefined;
    const others = otherVersions(endpoint);
    for (const rule of rules) {
      const found = others.find(({ version }) => covers(rule, { ...this.#target, version: version.version }));
      if (found) return found;
    }
    return undefined;
  }

  /** The selector holds for the new object or for the old one (1/validatingwebhookconfiguration/t1.15). */
  #selectsObject(selector: LabelSelector): boolean {
    if (isEmpty(selector)) return true;
    const { object, oldObject } = this.#attributes;
    return [object, oldObject].some((one) => one?.metadata !== undefined && selector.matches(one.metadata.labels));
  }

  async #selectsNamespace(selector: LabelSelector): Promise<boolean> {
    const { resource } = this.#attributes.endpoint.type;
    // Cluster-scoped objects are in no namespace that could be left out.
    if (this.#target.namespace === '' && resource !== 'namespaces') return true;
    if (isEmpty(selector)) return true;
    this.#labels ??= this.#namespaceLabels();
    return selector.matches(await this.#labels);
  }

  /** Labels of the object's namespace; a namespace that is written has those of the object (1/validatingwebhookconfiguration/t1.14). */
  async #namespaceLabels(): Promise<Labels> {
    const { operation, object } = this.#attributes;
    if (isNamespaces(this.#target) && this.#target.subresource === '' && operation !== 'DELETE' && object) {
      return object.metadata.labels ?? {};
    }
    const { namespace } = this.#target;
    const type = { group: '', resource: 'namespaces' };
    const entry = await this.#rooms.store.get(objectKey(type, '', namespace));
    if (!entry) throw notFound(type, namespace);
    return entry.object.metadata.labels ?? {};
  }

  async #fulfils({ conditions, ignoresFailure }: Hook, view: VersionedView): Promise<boolean> {
    if (conditions.length === 0) return true;
    const object = view.object('object');
    const oldObject = view.object('oldObject');
    const { exchange, name, endpoint } = this.#attributes;
    const outcome = await this.#rooms.conditions.evaluate(conditions, {
      object: object ? asJson(object) : null,
      oldObject: oldObject ? asJson(oldObject) : null,
      request: reviewRequest(this.#attributes, this.sent, view, undefined),
      user: exchange.user,
      resource: this.#target,
      name,
    });
    if (typeof outcome === 'string') return outcome === 'match';
    if (ignoresFailure) return false;
    throw forbidden(endpoint.type, name, outcome.error);
  }
}

/** The other versions that serve what a request was made to, in the order of the type. */
function otherVersions({ type, version, subresource }: Endpoint): Endpoint[] {
  const others: Endpoint[] = [];
  for (const other of type.versions.values()) {
    if (!other.served || other.version === version.version) continue;
    const part = subresource && other.subresources.find(({ name }) => name === subresource.name);
    if (!subresource || part) others.push({ type, version: other, subresource: part });
  }
  return others;
}

function isEmpty({ requirements, selectable }: LabelSelector): boolean {
  return selectable && requirements.length === 0;
}
