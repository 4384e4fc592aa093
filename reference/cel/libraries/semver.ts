import type { Environment } from '@marcbachmann/cel-js';
import { FunctionFault, parses } from './faults.ts';
import { registerAll, registerOpaque } from './register.ts';

const FORM =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

class SemverValue {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly string[];

  constructor(text: string) {
    const [, major, minor, patch, prerelease] = FORM.exec(text) ?? [];
    // Numbers have 64 bits, and no zeros in front of them.
    if (major === undefined || minor === undefined || patch === undefined || !areShort(major, minor, patch)) {
      throw new FunctionFault(`invalid semantic version ${JSON.stringify(text)}`);
    }
    this.major = BigInt(major);
    this.minor = BigInt(minor);
    this.patch = BigInt(patch);
    this.prerelease = prerelease === undefined ? [] : prerelease.split('.');
  }
  compareTo(other: SemverValue): number {
    for (const part of ['major', 'minor', 'patch'] as const) {
      if (this[part] !== other[part]) return this[part] < other[part] ? -1 : 1;
    }
    return comparePrereleases(this.prerelease, other.prerelease);
  }
  equals(other: unknown): boolean {
    return other instanceof SemverValue && this.compareTo(other) === 0;
  }
}

const MOST_DIGITS = 20;

function areShort(...numbers: readonly string[]): boolean {
  return numbers.every((digits) => digits.length <= MOST_DIGITS);
}

/** A version without a prerelease comes after those with one. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    if (left === right) continue;
    const [leftNumber, rightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    // Of numbers without zeros in front of them the longer one is the larger.
    if (leftNumber && rightNumber && left.length !== right.length) return left.length < right.length ? -1 : 1;
    if (leftNumber !== rightNumber) return leftNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return a.length < b.length ? -1 : 0;
}

/** A version with what is missing or superfluous put right: `v1.2` is `1.2.0`. */
function normalized(text: string): string {
  const plain = text.replace(/^v/, '');
  const [, core = '', rest = ''] = /^([\d.]*)(.*)$/.exec(plain) ?? [];
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}

const NAME = 'kubernetes.Semver';

/** Semantic versions. */
export function registerSemver(environment: Environment): void {
  registerOpaque(environment, NAME, SemverValue);
  environment.registerOperator(`${NAME} == ${NAME}`, (a: SemverValue, b: SemverValue) => a.equals(b));
  const read = (text: string, normalize = false): SemverValue => new SemverValue(normalize ? normalized(text) : text);
  registerAll(environment, {
    [`semver(string): ${NAME}`]: (text: string) => read(text),
    [`semver(string, bool): ${NAME}`]: read,
    'isSemver(string): bool': (text: string) => parses(() => read(text)),
    'isSemver(string, bool): bool': (text: string, normalize: boolean) => parses(() => read(text, normalize)),
    [`${NAME}.major(): int`]: ({ major }: SemverValue) => major,
    [`${NAME}.minor(): int`]: ({ minor }: SemverValue) => minor,
    [`${NAME}.patch(): int`]: ({ patch }: SemverValue) => patch,
    [`${NAME}.compareTo(${NAME}): int`]: (a: SemverValue, b: SemverValue) => BigInt(a.compareTo(b)),
    [`${NAME}.isLessThan(${NAME}): bool`]: (a: SemverValue, b: SemverValue) => a.compareTo(b) < 0,
    [`${NAME}.isGreaterThan(${NAME}): bool`]: (a: SemverValue, b: SemverValue) => a.compareTo(b) > 0,
  });
}
