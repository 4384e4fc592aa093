import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { equalJson } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { LayeredMap } from '../../collections/layeredMap.ts';
import type { Services } from '../../contracts/call.ts';
import type { StoreChange } from '../../contracts/controller.ts';
import type { Converter } from '../../contracts/converter.ts';
import { RENAMING } from '../../contracts/converter.ts';
import { readable } from '../../contracts/readable.ts';
import { addressOf } from '../../contracts/storedKey.ts';
import { collectionPrefix } from '../../contracts/storeKeys.ts';
import { uuid } from '../../random.ts';
import { customTypeOf } from '../custom/serving/customType.ts';
import { WebhookConverter } from '../custom/serving/webhookConverter.ts';
import type { Conversion, Definition, Names } from './definition.ts';
import { conditionOf, readDefinition, readNaming } from './definition.ts';
import { acceptedNames, DEFINITIONS } from './nameClaims.ts';

/** All of a definition that its type depends on. */
interface Made {
  readonly spec: ApiObject['spec'];
  readonly names: Names;
  readonly terminating: boolean;
}

/** Serves the types that established definitions make: each server does, whoever keeps the definitions. */
export class ServedTypes {
  readonly #services: Services;
  /** Of the keys of all definitions, which are all that this wants to hear of. */
  readonly prefix: string;
  /** The definitions as last heard of, by name. */
  readonly #definitions: LayeredMap<string, ApiObject>;
  /** What the types that are served were made of, by definition. */
  readonly #made: LayeredMap<string, Made>;
  /** The connections to conversion webhooks, by definition. */
  readonly #converters = new Map<string, { conversion: Conversion; converter: WebhookConverter }>();

  /** @param from the one of the server that this one was forked from, with a registry that was too */
  constructor(services: Services, from?: ServedTypes) {
    this.#services = services;
    this.#definitions = from ? from.#definitions.fork() : new LayeredMap();
    this.#made = from ? from.#made.fork() : new LayeredMap();
    this.prefix = collectionPrefix({ group: groupName(services.dialect, 'apiextensions'), resource: DEFINITIONS });
  }

  fork(services: Services): ServedTypes {
    const fork = new ServedTypes(services, this);
    // A connection belongs to one server.
    for (const name of this.#converters.keys()) {
      const definition = this.#definitions.get(name);
      fork.#made.delete(name);
      if (definition) fork.#serve(definition);
    }
    return fork;
  }

  changed({ key, entry, deleted }: StoreChange): void {
    const address = addressOf(this.#services.registry, key);
    if (!address) return;
    const { name } = address;
    const object = deleted ? undefined : readable(entry);
    if (!object) {
      this.#forget(name);
      return;
    }
    const before = this.#definitions.get(name);
    this.#definitions.set(name, object);
    this.#serve(object, before);
  }

  #forget(name: string): void {
    const object = this.#definitions.get(name);
    this.#definitions.delete(name);
    this.#dropConverter(name);
    this.#made.delete(name);
    if (!object) return;
    const { group, names } = readNaming(object);
    const { registry } = this.#services;
    if (registry.type(group, names.plural)?.custom) registry.delete(group, names.plural);
  }

  /**
   * Puts the type of an established definition among those served, or takes it away.
   * @param before what was heard of the definition last, of which schemas that are the same are taken over
   */
  #serve(object: ApiObject, before?: ApiObject): void {
    const { registry, dialect } = this.#services;
    const { group, names } = readNaming(object);
    const present = registry.type(group, names.plural);
    if (present && !present.custom) return;
    if (conditionOf(object, 'Established') !== 'True') {
      if (present) registry.delete(group, names.plural);
      return;
    }
    const name = object.metadata.name ?? '';
    const terminating = conditionOf(object, 'Terminating') === 'True';
    const made: Made = { spec: object.spec, names: acceptedNames(object), terminating };
    // Most changes of a definition are to its metadata and status: the type and what it has read stay.
    if (present && equalJson(this.#made.get(name) as never, made as never)) return;
    this.#made.set(name, made);
    const definition = readDefinition(object, dialect, before && readDefinition(before, dialect));
    const accepted = { ...definition, names: made.names };
    registry.set(customTypeOf(accepted, { dialect, terminating, converter: this.#converterOf(definition) }));
  }

  /** The converter of a definition, kept while its conversion stays the same. */
  #converterOf({ name, conversion }: Definition): Converter {
    const { dialect, random } = this.#services;
    const kept = this.#converters.get(name);
    if (kept && equalJson(kept.conversion as never, conversion as never)) return kept.converter;
    this.#dropConverter(name);
    if (conversion?.strategy !== 'Webhook') return RENAMING;
    const converter = new WebhookConverter(conversion, { dialect, uuid: () => uuid(random) });
    this.#converters.set(name, { conversion, converter });
    return converter;
  }

  #dropConverter(name: string): void {
    const kept = this.#converters.get(name);
    if (!kept) return;
    this.#converters.delete(name);
    // Requests that still use it are answered first.
    void kept.converter.close();
  }
}
