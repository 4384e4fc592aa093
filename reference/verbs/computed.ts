import type { ApiObject } from '../api/object.ts';
import { notFound } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { Entry } from '../contracts/entry.ts';
import { readListOptions } from './listOptions.ts';

/** An object that no store holds: it has no version. */
class ComputedEntry extends Entry {
  readonly #object: ApiObject;

  constructor(object: ApiObject) {
    super('', 0, 0, object);
    this.#object = object;
  }
  override get object(): ApiObject {
    return this.#object;
  }
}

/** Answers one of the objects that a type computes. Throws ApiError 404. */
export function getComputed({ endpoint, exchange }: Call, objects: readonly ApiObject[]): Answer {
  const { name } = exchange.info;
  const object = objects.find(({ metadata }) => metadata.name === name);
  // The service names the kind in the singular here.
  if (!object) throw notFound({ group: endpoint.type.group, resource: endpoint.type.singular }, name);
  return { kind: 'object', code: 200, endpoint, object };
}

/** Answers those of the objects that a type computes which the selectors want. Throws ApiError 400. */
export function listComputed(call: Call, objects: readonly ApiObject[]): Answer {
  const { selects } = readListOptions(call, 'list');
  return {
    kind: 'list',
    code: 200,
    endpoint: call.endpoint,
    metadata: {},
    entries: objects.map((object) => new ComputedEntry(object)).filter(selects),
  };
}
