import { formatApiVersion, type GroupVersionKind } from '../../api/groupVersion.ts';
import type { ApiObject } from '../../api/object.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';
import type { Endpoint } from '../../contracts/resourceRegistry.ts';
import type { TypeVersion } from '../../contracts/resourceType.ts';
import { withStatedEmpty } from '../../objects/emptyLists.ts';
import { scaleKind } from '../../objects/scale.ts';
import { type ObjectShape, objectText, shapeOf, shapeOfAnswer } from '../../objects/shape.ts';
import { fromStorage } from '../../objects/versions.ts';

/** A request as it looks in one version of its resource: its kind and its objects, converted when first asked for. */
export class VersionedView {
  readonly version: TypeVersion;
  readonly kind: GroupVersionKind;
  readonly endpoint: Endpoint;
  readonly #objects: Readonly<Record<'object' | 'oldObject', ApiObject | undefined>>;
  readonly #converted = new Map<'object' | 'oldObject', ApiObject | undefined>();
  readonly #texts = new Map<'object' | 'oldObject', string>();

  /** @param endpoint of the version wanted, with the subresource as it is there */
  constructor({ object, oldObject }: Pick<AdmissionAttributes, 'object' | 'oldObject'>, endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.version = endpoint.version;
    this.kind = kindOf(endpoint);
    this.#objects = { object, oldObject };
  }

  /**
   * Converts the objects where only a webhook can, which takes time; to be called before they are asked for. Throws
   * ApiError 500 where it cannot.
   */
  async prepare(): Promise<void> {
    const { asked } = this.version;
    if (!asked || !showsType(this.endpoint)) return;
    for (const which of ['object', 'oldObject'] as const) {
      const object = this.#objects[which];
      if (object && !this.#converted.has(which)) this.#converted.set(which, await asked.fromStorage(object));
    }
  }

  /** One of the objects in this version; undefined where the request has none. Not to be changed. */
  object(which: 'object' | 'oldObject'): ApiObject | undefined {
    if (!this.#converted.has(which)) {
      const object = this.#objects[which];
      this.#converted.set(which, object && this.#convert(object));
    }
    return this.#converted.get(which);
  }

  /** The same as JSON text; `null` where there is none. */
  text(which: 'object' | 'oldObject'): string {
    let text = this.#texts.get(which);
    if (text === undefined) {
      const object = this.object(which);
      text = object ? objectText(this.#shapeOf(object), object) : 'null';
      this.#texts.set(which, text);
    }
    return text;
  }

  #convert(object: ApiObject): ApiObject {
    if (!showsType(this.endpoint)) return object;
    const { group, version, kind } = this.kind;
    return {
      ...fromStorage(this.endpoint, withStatedEmpty(object)),
      apiVersion: formatApiVersion({ group, version }),
      kind,
    };
  }

  #shapeOf(object: ApiObject): ObjectShape {
    return showsType(this.endpoint) ? shapeOf(this.endpoint) : shapeOfAnswer(this.endpoint, object);
  }
}

/** Whether the objects of an endpoint are of its type, and not of a kind that the subresource has for itself. */
export function showsType({ subresource }: Endpoint): boolean {
  return subresource?.form !== 'operation' && subresource?.form !== 'scale';
}

/** The kind that bodies of an endpoint have. */
export function kindOf({ type, version, subresource }: Endpoint): GroupVersionKind {
  if (subresource?.form === 'operation') return subresource.kind;
  if (subresource?.form === 'scale') return scaleKind(subresource.scale);
  return { group: type.group, version: version.version, kind: type.kind };
}
