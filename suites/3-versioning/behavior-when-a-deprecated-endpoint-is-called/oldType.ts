import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import { type Actor, customResourceDefinitions, inconclusive, type Kind, match, should } from '../../harness/index.ts';

/** A type of the check's own with a version that its owner calls deprecated, and one that is not. */
export interface OldType {
  readonly old: Kind;
  readonly current: Kind;
  /** The name of its definition. */
  readonly definition: string;
}

const schemaIn = (dialect: Actor['dialect']) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      size: { type: 'integer' },
      spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
      status: { type: 'object', properties: { seen: { type: 'integer' }, replicas: { type: 'integer' } } },
      free: { type: 'object', [extensionName(dialect, 'preserve-unknown-fields')]: true },
    },
  },
});

/** Defines such a type and waits until it is served. Needs `custom-types`. */
export async function defineOldType(by: Actor, names = { current: 'v1', old: 'v1beta1' }): Promise<OldType> {
  const [current, old] = await define(by, 'relics', [
    { name: names.current, storage: true },
    {
      name: names.old,
      storage: false,
      deprecated: true,
      deprecationWarning: 'it is deprecated, "old", see C:\\\\relics',
    },
  ]);
  if (!current || !old) throw new Error('two versions were asked for');
  return { old, current, definition: `${old.plural}.${old.group}` };
}

/** As {@link defineOldType} with a deprecated version for each warning; where that is undefined the server has its own. */
export async function defineOldVersions(
  by: Actor,
  warnings: readonly (string | undefined)[],
): Promise<{ old: readonly Kind[]; current: Kind }> {
  const deprecated = warnings.map((deprecationWarning, place) => ({
    name: `v1beta${place + 1}`,
    storage: false,
    deprecated: true,
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
  }));
  const [current, ...old] = await define(by, 'ruins', [{ name: 'v1', storage: true }, ...deprecated]);
  if (!current) throw new Error('there is the version that is stored');
  return { old, current };
}

/** A type of three versions: a deprecated one, that in which its objects are stored, and one to come. */
export interface AgedType {
  readonly versions: readonly [deprecated: Kind, stored: Kind, later: Kind];
  /** The name of its definition. */
  readonly definition: string;
}

/** As {@link defineOldType} with three versions, whose field `free` takes what the schema does not know. */
export async function defineAgedType(by: Actor): Promise<AgedType> {
  const [deprecated, stored, later] = await define(by, 'tombs', [
    { name: 'v1beta1', storage: false, deprecated: true },
    { name: 'v1', storage: true },
    { name: 'v2alpha1', storage: false },
  ]);
  if (!deprecated || !stored || !later) throw new Error('three versions were asked for');
  return { versions: [deprecated, stored, later], definition: `${stored.plural}.${stored.group}` };
}

/** Defines a type of these versions and waits until each is served. */
async function define(
  by: Actor,
  word: string,
  versions: readonly {
    readonly name: string;
    readonly storage: boolean;
    readonly deprecated?: boolean;
    readonly deprecationWarning?: string;
  }[],
): Promise<Kind[]> {
  const plural = `${by.space.prefix}-${word}`;
  const kind = `${word[0]?.toUpperCase()}${word.slice(1, -1)}${by.space.prefix.replace(/[^a-z0-9]/g, '')}`;
  const group = `${word}.touchstone.example`;
  await by.given(customResourceDefinitions, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: versions.map((each) => ({
        ...each,
        served: true,
        schema: schemaIn(by.dialect),
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      })),
    },
  });
  const kinds = versions.map(
    ({ name }): Kind => ({
      kind,
      plural,
      prefix: '',
      group,
      version: name,
      namespaced: true,
      specified: true,
      least: () => ({}),
    }),
  );
  // Versions of one definition come to be served together, and a deprecated one is not called before it is asked for.
  for (const each of versions.length > 2 ? kinds.slice(0, 1) : kinds) {
    const served = await should(() => by.list(each), match.status(200));
    if (served.differences.length > 0)
      inconclusive(`its preparation failed: ${each.version} of the type is not served`);
  }
  return kinds;
}
