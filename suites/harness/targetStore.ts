import type { Actor } from './actor.ts';
import type { Client } from './client.ts';
import { inconclusive, unsupported } from './endings.ts';
import { groupOf, type Kind } from './kinds.ts';
import type { Target } from './target.ts';

/** The store of the target, for checks that need `store-access`. */
export class TargetStore {
  readonly #control: Client | undefined;
  readonly #target: Target;

  /** @param control a client of the control port; `undefined` where the target has none. */
  constructor(control: Client | undefined, target: Target) {
    this.#control = control;
    this.#target = target;
  }

  /** Damages an object of an actor in the store, so that reading it fails as a failed decryption would. */
  async damage(actor: Actor, kind: Kind, name: string): Promise<void> {
    if (!this.#control) unsupported('the target has no store that can be reached into');
    const body = {
      group: groupOf(kind, this.#target.dialect),
      resource: kind.plural,
      namespace: kind.namespaced ? await actor.namespace() : '',
      name: actor.space.nameOf(kind, name),
    };
    const words = `${kind.plural} ${name} is damaged in the store`;
    const answer = await this.#control.send(words, 'POST', '/store/corrupt', { body });
    if (!answer.succeeded) inconclusive(`the object could not be damaged: ${answer.failure ?? answer.status}`);
  }
}
