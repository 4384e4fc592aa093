import type { Actor, Kind } from '../../harness/index.ts';

/** A schema as v1 wants it. */
export const structural = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
};
export const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: structural } };

/** A definition that is as v1 wants it, under names of the check's own. */
export function definition({ space }: Actor, change: object = {}) {
  const plural = `${space.prefix}-shapes`;
  const kind = `Shape${space.prefix.replace(/[^a-z0-9]/g, '')}`;
  const group = 'shapes.touchstone.example';
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: 'Namespaced', versions: [version], ...change },
  };
}

/** What a definition draws, in one of its versions. */
export function kindIn({ spec: { group, names } }: ReturnType<typeof definition>, version: string): Kind {
  return { ...names, prefix: '', group, version, namespaced: true, specified: true, least: () => ({}) };
}
