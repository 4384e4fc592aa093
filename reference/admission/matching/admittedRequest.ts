import type { ApiObject } from '../../api/object.ts';
import { notFound } from '../../api/status.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';
import type { Endpoint, ResourceRegistry } from '../../contracts/resourceRegistry.ts';
import type { ResourceType } from '../../contracts/resourceType.ts';
import type { Store } from '../../contracts/store.ts';
import { objectKey } from '../../contracts/storeKeys.ts';
import type { LabelSelector, Labels } from '../../selectors/labelRequirement.ts';
import type { Criteria, NamedRule } from './criteria.ts';
import { type AdmissionTarget, covers, isNamespaces, targetOf } from './target.ts';
import { VersionedView } from './versionedView.ts';

/**
 * The other endpoints that lead to the same stored objects: other versions of the type in its order, then other types
 * under which the objects are served.
 */
function equivalentsOf(endpoint: Endpoint, registry: ResourceRegistry): Endpoint[] {
  const { type, version, subresource } = endpoint;
  const others: Endpoint[] = [];
  for (const one of [type, ...viewsOf(type, registry)]) {
    for (const other of one.versions.values()) {
      if (!other.served || (one === type && other.version === version.version)) continue;
      const part = subresource && other.subresources.find(({ name }) => name === subresource.name);
      if (!subresource || part) others.push({ type: one, version: other, subresource: part });
    }
  }
  return others;
}

function viewsOf(type: ResourceType, registry: ResourceRegistry): ResourceType[] {
  const stored = storedUnder(type);
  return [...registry.types()].filter(
    (one) =>
      !(one.group === type.group && one.resource === type.resource) && !one.computed && storedUnder(one) === stored,
  );
}

function storedUnder({ storedAs, group, resource }: ResourceType): string {
  return storedAs ? `${storedAs.group}/${storedAs.resource}` : `${group}/${resource}`;
}

export interface MatchingDependencies {
  readonly store: Store;
  readonly registry: ResourceRegistry;
}

/** One request as rules, selectors and expressions see it; what was looked up or converted is kept for the next one. */
export class AdmittedRequest {
  readonly attributes: AdmissionAttributes;
  readonly target: AdmissionTarget;
  readonly #dependencies: MatchingDependencies;
  readonly #views = new Map<string, VersionedView>();
  #equivalents: readonly Endpoint[] | undefined;
  #namespace: Promise<ApiObject> | undefined;

  constructor(attributes: AdmissionAttributes, dependencies: MatchingDependencies) {
    this.attributes = attributes;
    this.target = targetOf(attributes);
    this.#dependencies = dependencies;
  }

  /** The request in the version that it was made through. */
  get sent(): VersionedView {
    return this.#viewOf(this.attributes.endpoint);
  }

  /** The request as another endpoint shows it. Throws ApiError 500 where a webhook has to convert its objects and fails. */
  async view(endpoint: Endpoint): Promise<VersionedView> {
    const view = this.#viewOf(endpoint);
    await view.prepare();
    return view;
  }

  #viewOf(endpoint: Endpoint): VersionedView {
    const key = `${endpoint.type.group}/${endpoint.type.resource}/${endpoint.version.version}`;
    let view = this.#views.get(key);
    if (!view) {
      view = new VersionedView(this.attributes, endpoint);
      this.#views.set(key, view);
    }
    return view;
  }

  /** The object was changed: it is converted anew when asked for. */
  forgetObjects(): void {
    this.#views.clear();
  }

  /** Where the first rule that covers the request leads: what it was made to, or something equivalent. */
  endpointFor({ rules, excluded = [], equivalent, objectSelector }: Criteria): Endpoint | undefined {
    if (!this.#selectsObject(objectSelector) || this.#covered(excluded, equivalent)) return undefined;
    return rules ? this.#covered(rules, equivalent) : this.attributes.endpoint;
  }

  #covered(rules: readonly NamedRule[], equivalent: boolean): Endpoint | undefined {
    const { endpoint } = this.attributes;
    if (rules.some((rule) => this.#covers(rule, this.target))) return endpoint;
    if (!equivalent || rules.length === 0) return undefined;
    this.#equivalents ??= equivalentsOf(endpoint, this.#dependencies.registry);
    for (const rule of rules) {
      const found = this.#equivalents.find(({ type, version }) => {
        const { group, resource } = type;
        return this.#covers(rule, { ...this.target, group, resource, version: version.version });
      });
      if (found) return found;
    }
    return undefined;
  }

  #covers(rule: NamedRule, target: AdmissionTarget): boolean {
    const { names = [] } = rule;
    return covers(rule, target) && (names.length === 0 || names.includes(this.attributes.name));
  }

  /** The selector holds for the new object or for the old one (1/validatingwebhookconfiguration/t1.15). */
  #selectsObject(selector: LabelSelector): boolean {
    if (isEmpty(selector)) return true;
    const { object, oldObject } = this.attributes;
    return [object, oldObject].some((one) => one?.metadata !== undefined && selector.matches(one.metadata.labels));
  }

  /** Throws ApiError 404 where the labels of a namespace are asked for that is missing. */
  async selectsNamespace(selector: LabelSelector): Promise<boolean> {
    const { resource } = this.attributes.endpoint.type;
    // Cluster-scoped objects are in no namespace that could be left out.
    if (this.target.namespace === '' && resource !== 'namespaces') return true;
    return isEmpty(selector) || selector.matches(await this.#namespaceLabels());
  }

  /** Labels of the object's namespace; a namespace that is written has those of the object (1/validatingwebhookconfiguration/t1.14). */
  async #namespaceLabels(): Promise<Labels> {
    const { operation, object } = this.attributes;
    if (isNamespaces(this.target) && this.target.subresource === '' && operation !== 'DELETE' && object) {
      return object.metadata.labels ?? {};
    }
    return (await this.namespace()).metadata.labels ?? {};
  }

  /** The namespace of the object as it is stored. Throws ApiError 404. */
  namespace(): Promise<ApiObject> {
    this.#namespace ??= this.#readNamespace();
    return this.#namespace;
  }

  async #readNamespace(): Promise<ApiObject> {
    const { namespace } = this.target;
    const type = { group: '', resource: 'namespaces' };
    const entry = await this.#dependencies.store.get(objectKey(type, '', namespace));
    if (!entry) throw notFound(type, namespace);
    return entry.object;
  }
}

function isEmpty({ requirements, selectable }: LabelSelector): boolean {
  return selectable && requirements.length === 0;
}
