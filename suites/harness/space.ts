import { createHash } from 'node:crypto';
import type { Client } from './client/client.ts';
import { inconclusive } from './endings.ts';
import type { Evidence } from './evidence.ts';
import { type ApiObject, isRecord } from './json.ts';
import { configMaps, type Kind, namespaces, pathOf, serviceAccounts } from './kinds.ts';
import type { Target } from './target/target.ts';

/** Milliseconds that a namespace has to be furnished before a check goes on without. */
const PATIENCE = 5_000;
/** Milliseconds from the first look on for which what a target does not do may still be to come: its controllers start later. */
const SETTLING = 60_000;

type Furniture = readonly (readonly [Kind, string])[];
interface Looks {
  /** When it was first looked for. */
  readonly first: number;
  /** What was found, where that stays so. */
  readonly found?: Furniture;
}
const looks = new WeakMap<Target, Looks>();

/**
 * Waits until a new namespace has what the target puts into each by itself, if it does so at all: that comes a moment
 * later, and must not be taken for something of the check.
 */
async function furnished(target: Target, admin: Client, namespace: string): Promise<void> {
  const furniture = await furnitureOf(target, admin);
  const deadline = performance.now() + PATIENCE;
  for (const [kind, name] of furniture) {
    const path = pathOf(kind, target.dialect, namespace, name);
    for (let pause = 10; performance.now() < deadline; pause = Math.min(200, pause * 2)) {
      const answer = await admin.send(`admin looks for ${kind.plural} ${name}`, 'GET', path);
      if (answer.status !== 404) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * What has to be looked for: what the oldest of all namespaces has, of what is known to be put there. The reference puts
 * one behind the other, so that there the last tells of all.
 */
async function furnitureOf(target: Target, admin: Client): Promise<Furniture> {
  const { first = performance.now(), found: known } = looks.get(target) ?? {};
  if (known) return known;
  const candidates = [
    [serviceAccounts, 'default'],
    [configMaps, target.dialect.rootCaConfigMap],
  ] as const;
  const found: (readonly [Kind, string])[] = [];
  for (const [kind, name] of candidates) {
    const path = pathOf(kind, target.dialect, 'default', name);
    const answer = await admin.send(`admin looks for ${kind.plural} ${name}`, 'GET', path);
    if (answer.status === 200) found.push([kind, name]);
  }
  const furniture = target.mode === 'embedded' ? found.slice(-1) : found;
  const stays = found.length === candidates.length || performance.now() > first + SETTLING;
  looks.set(target, stays ? { first, found: furniture } : { first });
  return furniture;
}

/** Label on everything a run creates; its value is the run's id. */
export const RUN_LABEL = 'touchstone/run';
/** Label on the cluster-scoped objects of one check. */
export const CHECK_LABEL = 'touchstone/check';
/** What every name that a run gives to a namespace or a cluster-scoped object begins with. */
export const NAME_PREFIX = 'touchstone';

/**
 * A check's own place on the target: one namespace, made when it is first needed, and a prefix for the names of
 * cluster-scoped objects, so that checks run beside each other and beside whatever else lives there. Everything
 * carries the run's label and is removed, and the removal verified, when the check is over.
 */
export class Space {
  readonly prefix: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Selects the check's own cluster-scoped objects. */
  readonly selector: string;
  readonly #admin: Client;
  readonly #target: Target;
  readonly #evidence: Evidence;
  readonly #used = new Map<string, string>();
  readonly #held = new Set<string>();
  #namespace: Promise<string> | undefined;
  #other: Promise<string> | undefined;
  #fresh = 0;

  constructor(parts: {
    run: string;
    check: string;
    attempt: number;
    admin: Client;
    target: Target;
    evidence: Evidence;
  }) {
    const mark = createHash('sha256').update(`${parts.check}#${parts.attempt}`).digest('hex').slice(0, 8);
    this.prefix = `${NAME_PREFIX}-${parts.run}-${mark}`;
    this.labels = { [RUN_LABEL]: parts.run, [CHECK_LABEL]: mark };
    this.selector = `${RUN_LABEL}=${parts.run},${CHECK_LABEL}=${mark}`;
    this.#admin = parts.admin;
    this.#target = parts.target;
    this.#evidence = parts.evidence;
  }

  /** The name of the check's namespace, which exists when this returns. */
  namespace(): Promise<string> {
    this.#namespace ??= this.#evidence.during('preparation', () => this.#makeNamespace(this.prefix));
    return this.#namespace;
  }
  /** A second namespace, for what must stay within one or reach over all. */
  otherNamespace(): Promise<string> {
    this.#other ??= this.#evidence.during('preparation', () => this.#makeNamespace(`${this.prefix}-other`));
    return this.#other;
  }

  /** One more namespace, for what has to begin anew: it exists and is empty when this returns. */
  freshNamespace(): Promise<string> {
    this.#fresh += 1;
    return this.#evidence.during('preparation', () => this.#makeNamespace(`${this.prefix}-n${this.#fresh}`));
  }

  /** The name a check's word stands for: itself in a namespace, prefixed where names are shared with others. */
  nameOf(kind: Kind, word: string): string {
    if (kind.namespaced || word === '' || word.startsWith(this.prefix)) return word;
    return `${this.prefix}-${word}`;
  }

  /** Notes a cluster-scoped object that may exist from now on. */
  note(kind: Kind, name: string): void {
    if (kind.namespaced || name === '') return;
    const path = pathOf(kind, this.#target.dialect, '', name);
    if (name.startsWith(NAME_PREFIX)) this.#used.set(path, `${kind.plural} ${name}`);
  }

  /** Notes an object in a namespace that is not the check's own and stays. */
  noteGuest(path: string, what: string): void {
    this.#used.set(path, what);
  }

  /** Notes a namespaced object that was given finalizers: nobody else takes them off, and its namespace waits. */
  noteHeld(path: string): void {
    this.#held.add(path);
  }

  async #makeNamespace(name: string): Promise<string> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: this.labels } };
    const made = await this.#admin.send(`admin makes the check's namespace`, 'POST', '/api/v1/namespaces', { body });
    this.note(namespaces, name);
    if (!made.succeeded) inconclusive(`its namespace could not be made: ${made.failure ?? `answer ${made.status}`}`);
    await furnished(this.#target, this.#admin, name);
    return name;
  }

  /**
   * Removes all that the check made. Whether it is gone is verified for the whole run at once, at its end, because
   * namespaces empty themselves in the background and would make every check wait.
   */
  async cleanUp(): Promise<void> {
    await this.#evidence.during('cleanup', async () => {
      const used = [...this.#used].reverse();
      for (const [path, what] of used) if (REFUSING.test(path)) await this.#remove(path, what);
      for (const path of this.#held) await this.#admin.send('admin frees what was held', 'PATCH', path, FREE);
      for (const [path, what] of used) if (!REFUSING.test(path)) await this.#remove(path, what);
    });
  }

  async #remove(path: string, what: string): Promise<void> {
    const answer = await this.#admin.send(`admin removes ${what}`, 'DELETE', path);
    if (holdsFinalizers(answer.json)) await this.#admin.send(`admin frees ${what}`, 'PATCH', path, FREE);
  }
}

/** What may refuse that anything else is changed or removed, so that it goes first. */
const REFUSING = /\/(validating|mutating)webhookconfigurations\//;

/** Takes away the finalizers of an object, which can only be the check's own. */
const FREE = {
  headers: { 'content-type': 'application/merge-patch+json' },
  body: { metadata: { finalizers: null } },
};
function holdsFinalizers(value: unknown): boolean {
  return isRecord(value) && ((value as unknown as ApiObject).metadata?.finalizers?.length ?? 0) > 0;
}
