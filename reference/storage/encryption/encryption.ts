import type { EncryptionProvider, EncryptionRule } from '../../contracts/serverOptions.ts';
import { typePrefix } from '../../contracts/storeKeys.ts';
import { CIPHERS } from './ciphers.ts';
import type { Opened, Transformer } from './transformer.ts';

/** A way to open what begins with its marker, and with the first of them a way to seal. */
interface Way {
  readonly marker: Uint8Array;
  seal(plain: Uint8Array, context: Uint8Array): Uint8Array;
  open(kept: Uint8Array, context: Uint8Array): Opened;
}

/** What marks everything that is encrypted, by whatever means. */
const ENCRYPTED = Buffer.from('k8s:enc:');

const identity: Way = {
  marker: Buffer.alloc(0),
  seal: (plain) => plain,
  open(kept) {
    if (startsWith(kept, ENCRYPTED)) throw new Error('identity transformer tried to read encrypted data');
    return { plain: kept, stale: false };
  },
};

/** How resources are kept that no rule names. */
const UNNAMED: readonly Way[] = [identity];
const NO_CONTEXT = new Uint8Array();

/**
 * Encryption at rest by rules. The first rule that names a resource, or a wildcard before it, hides later ones for it;
 * what no rule covers is kept as it is.
 */
export class Encryption implements Transformer {
  readonly #pathOf: (key: string) => string;
  #ways: ReadonlyMap<string, readonly Way[]>;
  readonly #byType = new Map<string, readonly Way[]>();
  #generation = 0;

  /** @param pathOf where an object lies in etcd: what encrypted bytes are bound to, so that they open there only */
  constructor(rules: readonly EncryptionRule[], pathOf: (key: string) => string) {
    this.#pathOf = pathOf;
    this.#ways = waysOf(rules);
  }

  get generation(): number {
    return this.#generation;
  }

  /** Takes other rules from now on. */
  replace(rules: readonly EncryptionRule[]): void {
    this.#generation++;
    this.#ways = waysOf(rules);
    this.#byType.clear();
  }

  seal(key: string, plain: Uint8Array): Uint8Array {
    const [first = identity] = this.#waysFor(key);
    return mark(first.marker, first.seal(plain, this.#contextOf(key)));
  }

  open(key: string, kept: Uint8Array): Opened {
    const ways = this.#waysFor(key);
    // A resource that no rule names: the sentence of the one that does not decrypt says what is wrong.
    if (ways === UNNAMED) return identity.open(kept, NO_CONTEXT);
    return openBy(ways, kept, this.#contextOf(key), 'no matching prefix found');
  }

  #contextOf(key: string): Uint8Array {
    return Buffer.from(this.#pathOf(key));
  }

  #waysFor(key: string): readonly Way[] {
    const type = typePrefix(key);
    let ways = this.#byType.get(type);
    if (!ways) {
      const [, group = '', resource = ''] = type.split('/');
      const name = group === 'core' ? '' : group;
      ways = this.#ways.get(`${name}/${resource}`) ?? this.#ways.get(`${name}/*`) ?? this.#ways.get('*/*') ?? UNNAMED;
      this.#byType.set(type, ways);
    }
    return ways;
  }
}

/** By group and resource, either of which may be a wildcard. */
function waysOf(rules: readonly EncryptionRule[]): Map<string, readonly Way[]> {
  const ways = new Map<string, readonly Way[]>();
  for (const { resources, providers } of rules) {
    const own = providers.map(wayOf);
    for (const { group, resource } of resources) {
      if (resource !== '*' && ways.has(`${group}/*`)) continue;
      if (group !== '*' && ways.has('*/*')) continue;
      const name = `${group}/${resource}`;
      ways.set(name, [...(ways.get(name) ?? []), ...own]);
    }
  }
  return ways;
}

function wayOf(provider: EncryptionProvider): Way {
  if (provider.kind === 'identity') return identity;
  const cipher = CIPHERS[provider.kind];
  const keys = provider.keys.map(
    ({ name, secret }): Way => ({
      marker: Buffer.from(`${name}:`),
      seal: (plain, context) => cipher.seal(secret, plain, context),
      open: (kept, context) => ({ plain: cipher.open(secret, kept, context), stale: false }),
    }),
  );
  const [first] = keys as [Way];
  return {
    marker: Buffer.from(cipher.marker),
    seal: (plain, context) => mark(first.marker, first.seal(plain, context)),
    open: (kept, context) => openBy(keys, kept, context, cipher.noKey),
  };
}

/** Opens bytes by the first way that can; those behind the first one leave them stale. */
function openBy(ways: readonly Way[], kept: Uint8Array, context: Uint8Array, none: string): Opened {
  const faults: string[] = [];
  for (const [index, way] of ways.entries()) {
    if (!startsWith(kept, way.marker)) continue;
    try {
      const opened = way.open(kept.subarray(way.marker.length), context);
      return index === 0 ? opened : { ...opened, stale: true };
    } catch (error) {
      // Where one need not be encrypted, what is encrypted may still be opened by the next.
      if (way !== identity) faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(faults.length > 0 ? [...new Set(faults)].join(', ') : none);
}

function mark(marker: Uint8Array, bytes: Uint8Array): Uint8Array {
  return marker.length === 0 ? bytes : Buffer.concat([marker, bytes]);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && Buffer.compare(bytes.subarray(0, start.length), start) === 0;
}
