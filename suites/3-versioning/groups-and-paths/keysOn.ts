import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { apiVersionOf } from '../../../fixtures/releases/lifecycles.ts';
import { type Actor, type ClauseName, clause, must, unsupported } from '../../harness/index.ts';
import { type Builtin, discovered, judgeListed, namesEach } from '../builtins.ts';

/** Levels of versions of which some are off by default. */
export const LEVELS_OFF = ['alpha', 'beta'] as const;
export type LevelOff = (typeof LEVELS_OFF)[number];

/** A key of --runtime-config that switches on a version of a level, or one of its resources, in one of two forms. */
export type KeyOn = readonly [level: LevelOff, what: 'version' | 'resource', form: 'bare' | 'true'];

/** Lists of such keys, beside keys of what is on anyhow: of each level each form of each comes once. */
export const LISTS_OF_KEYS_ON: readonly (readonly (KeyOn | string)[])[] = [
  [['alpha', 'version', 'true'], 'policy/v1', ['beta', 'resource', 'bare']],
  [['beta', 'resource', 'true'], ['alpha', 'version', 'bare'], 'apps/v1=true'],
  ['policy/v1=true', ['beta', 'version', 'true'], ['alpha', 'resource', 'bare']],
  [['beta', 'version', 'bare'], 'apps/v1', ['alpha', 'resource', 'true']],
];

/** The types of each version of some, a version at a time. */
export function byVersion(builtins: readonly Builtin[], dialect: Dialect): readonly (readonly Builtin[])[] {
  const versions = new Map<string, Builtin[]>();
  for (const each of builtins) {
    const version = apiVersionOf(each.row, dialect);
    versions.set(version, [...(versions.get(version) ?? []), each]);
  }
  return [...versions.values()];
}

/** The types that a key switches on, where its version has these: a resource is the first of them. */
const switchedBy = ([, what]: KeyOn, types: readonly Builtin[]) => (what === 'version' ? types : types.slice(0, 1));

/** A key as it is written where its version has these types. */
export function textOf([, what, form]: KeyOn, types: readonly Builtin[], dialect: Dialect): string {
  const [first] = types;
  if (!first) throw new Error('a version has types');
  const version = apiVersionOf(first.row, dialect);
  return `${version}${what === 'version' ? '' : `/${first.plural}`}${form === 'bare' ? '' : '=true'}`;
}

/** The clauses that a key is about. */
function clausesOfKey([level, what, form]: KeyOn): readonly ClauseName[] {
  const enabled = level === 'alpha' ? 'LEVEL-ALPHA-01/enabled' : 'LEVEL-BETA-01/enabled';
  const own = [`GROUP-RUNTIME-06/${form}/${level}/${what}`, enabled] as const;
  return form === 'bare' ? [...own, `GROUP-RUNTIME-02/${what}`] : own;
}

/** Judges that what a key switches on, where its version has these types, is named and listed; none: nobody knows. */
export async function isOn(admin: Actor, key: KeyOn, types: readonly Builtin[]): Promise<void> {
  const switched = switchedBy(key, types);
  await clause(clausesOfKey(key), async () => {
    if (switched.length === 0) unsupported('it has none of the versions that the service has at this release');
    const text = textOf(key, types, admin.dialect);
    must(`${text} names it`, await discovered(admin, switched), namesEach(switched, admin));
    await judgeListed(admin, switched);
  });
}
