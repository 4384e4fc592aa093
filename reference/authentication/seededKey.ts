import { isPrime, type JsonWebKey } from '../ports/keys.ts';
import type { Random } from '../random.ts';

const PUBLIC_EXPONENT = 65537n;
const PRIME_BYTES = 128;

/**
 * An RSA key of 2048 bits out of a seeded source, so that a seeded server signs the same tokens twice. Not for
 * secrets: who knows the seed knows the key.
 */
export function rsaKeyFrom(random: Random): JsonWebKey {
  for (;;) {
    const p = prime(random);
    const q = prime(random);
    const phi = (p - 1n) * (q - 1n);
    const d = inverse(PUBLIC_EXPONENT, phi);
    if (p === q || d === undefined) continue;
    return {
      kty: 'RSA',
      n: encode(p * q),
      e: encode(PUBLIC_EXPONENT),
      d: encode(d),
      p: encode(p),
      q: encode(q),
      dp: encode(d % (p - 1n)),
      dq: encode(d % (q - 1n)),
      qi: encode(inverse(q, p) as bigint),
    };
  }
}

/** A prime with its two highest bits set, so that the product of two has the full length. */
function prime(random: Random): bigint {
  const bytes = Uint8Array.from(random.bytes(PRIME_BYTES));
  bytes[0] = (bytes[0] as number) | 0xc0;
  bytes[PRIME_BYTES - 1] = (bytes[PRIME_BYTES - 1] as number) | 1;
  let candidate = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  while (!isPrime(candidate)) candidate += 2n;
  return candidate;
}

/** The inverse of `a` modulo `m`, by the extended Euclidean algorithm; undefined when there is none. */
function inverse(a: bigint, m: bigint): bigint | undefined {
  let [r0, r1] = [m, ((a % m) + m) % m];
  let [t0, t1] = [0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [t0, t1] = [t1, t0 - quotient * t1];
  }
  return r0 === 1n ? ((t0 % m) + m) % m : undefined;
}

function encode(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
