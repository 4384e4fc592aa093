import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import { covering } from '../../covering/covering.ts';
import { Dice } from '../../covering/dice.ts';
import type { VersionedType } from './seenTypes.ts';

/** A key of --runtime-config with what it says; a value may be left out where it is true. */
export interface RuntimeKey {
  readonly key: string;
  readonly on: boolean;
  readonly bare: boolean;
}

/** A type that keys switch, and what it is where none does. */
interface SwitchedType extends VersionedType {
  readonly usually: boolean;
}

/** Versions of each level, and resources of them, which keys of release 1.32 may name. */
const KEYS = [
  'storage/v1alpha1',
  'storage/v1alpha1/volumeattributesclasses',
  'networking/v1beta1',
  'networking/v1beta1/ipaddresses',
  'autoscaling/v2',
  'batch/v1',
  'batch/v1/cronjobs',
] as const;
const TYPES = [
  ['storage/v1alpha1', 'volumeattributesclasses', false],
  ['storage/v1beta1', 'volumeattributesclasses', false],
  ['networking/v1beta1', 'ipaddresses', false],
  ['networking/v1beta1', 'servicecidrs', false],
  ['autoscaling/v2', 'horizontalpodautoscalers', true],
  ['autoscaling/v1', 'horizontalpodautoscalers', true],
  ['batch/v1', 'jobs', true],
  ['batch/v1', 'cronjobs', true],
  ['storage/v1', 'csidrivers', true],
  ['networking/v1', 'ingresses', true],
] as const;

const inDialect = (name: string, dialect: Dialect): string =>
  name.replace(/^(storage|networking)(?=\/)/, (prefix) => groupName(dialect, prefix));

/** The types that lists of {@link keyLists} switch, and some beside them. */
export const switchedTypes = (dialect: Dialect): readonly SwitchedType[] =>
  TYPES.map(([version, plural, usually]) => ({ version: inDialect(version, dialect), plural, usually }));

/**
 * Lists of keys, in which for any two keys each pair of on, off and not named comes together; in turning order. Each key
 * that is on has a value every other time.
 */
export function keyLists(dialect: Dialect): readonly (readonly RuntimeKey[])[] {
  const dimensions = Object.fromEntries(KEYS.map((key) => [key, ['on', 'off', 'none']]));
  const timesOn = new Map<string, number>();
  return covering({ dimensions, never: [], ends: [], deeply: [] }, new Dice('keys')).map((row, place) => {
    const named = KEYS.filter((key) => row[key] !== 'none').map((key, at) => {
      const on = row[key] === 'on';
      const times = timesOn.get(key) ?? at;
      if (on) timesOn.set(key, times + 1);
      return { key: inDialect(key, dialect), on, bare: times % 2 === 0 };
    });
    const first = named.length === 0 ? 0 : place % named.length;
    return [...named.slice(first), ...named.slice(0, first)];
  });
}

/** Whether a type is served where these keys are given: what names the resource counts before what names its version. */
export function isServed({ version, plural, usually }: SwitchedType, keys: readonly RuntimeKey[]): boolean {
  const said = (name: string) => keys.find(({ key }) => key === name)?.on;
  return said(`${version}/${plural}`) ?? said(version) ?? usually;
}
