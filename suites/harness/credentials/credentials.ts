import type { Identity } from '../target/target.ts';
import type { ExecCredential } from './execCredential.ts';
import type { ExecPlugin } from './execPlugin.ts';
import { runPlugin } from './runPlugin.ts';

/** What an identity shows to a server: the part of it that goes over the wire. */
export type Shown = Pick<Identity, 'token' | 'certificate' | 'key'>;

interface Held {
  current: ExecCredential | undefined;
  asking: Promise<ExecCredential> | undefined;
}

/**
 * The credentials of identities, those of plugins among them: each is used until its expiration, until a server
 * refuses it, or until the process ends, and then the plugin is asked again (2/exec-credential-object/b2).
 */
export class Credentials {
  readonly #held = new Map<string, Held>();
  readonly #run: (plugin: ExecPlugin) => Promise<ExecCredential>;

  /** @param run asks a plugin; runs its program unless told. */
  constructor(run: (plugin: ExecPlugin) => Promise<ExecCredential> = (plugin) => runPlugin(plugin)) {
    this.#run = run;
  }

  /** What the identity shows now. Throws PluginFailed. */
  async of(identity: Identity): Promise<Shown> {
    const { exec } = identity;
    if (!exec) return identity;
    const held = this.#heldFor(identity, exec);
    if (held.current !== undefined && !isOver(held.current)) return held.current;
    return this.#ask(held, exec);
  }

  /**
   * What the identity shows after a server refused what it showed (401): newer credentials, or `undefined` where
   * there are none, since the plugin gives the same again. Throws PluginFailed.
   */
  async renewed(identity: Identity, refused: Shown): Promise<Shown | undefined> {
    const { exec } = identity;
    if (!exec) return undefined;
    const held = this.#heldFor(identity, exec);
    // Several requests may be refused together: one call of the plugin does for all of them.
    if (held.current !== undefined && !isSame(held.current, refused)) return held.current;
    const next = await this.#ask(held, exec);
    return isSame(next, refused) ? undefined : next;
  }

  #heldFor({ token, certificate, key, expires }: Identity, exec: ExecPlugin): Held {
    const name = JSON.stringify(exec);
    let held = this.#held.get(name);
    if (!held) {
      // What somebody before us got from the plugin serves us as well.
      const given = token !== undefined || certificate !== undefined;
      held = { current: given ? { token, certificate, key, expires } : undefined, asking: undefined };
      this.#held.set(name, held);
    }
    return held;
  }

  #ask(held: Held, exec: ExecPlugin): Promise<ExecCredential> {
    held.asking ??= this.#run(exec)
      .then((credential) => {
        held.current = credential;
        return credential;
      })
      .finally(() => {
        held.asking = undefined;
      });
    return held.asking;
  }
}

const isOver = ({ expires }: ExecCredential): boolean => expires !== undefined && expires <= Date.now();

function isSame(a: Shown, b: Shown): boolean {
  return a.token === b.token && a.certificate === b.certificate && a.key === b.key;
}
