import { type Actor, customResourceDefinitions, inconclusive, type Kind, match, should } from '../../harness/index.ts';

/** A type of the check's own with a version that its owner calls deprecated, and one that is not. */
export interface OldType {
  readonly old: Kind;
  readonly current: Kind;
}

const schema = { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } };

/** Defines such a type and waits until it is served. Needs `custom-types`. */
export async function defineOldType(by: Actor): Promise<OldType> {
  const plural = `${by.space.prefix}-relics`;
  const kind = `Relic${by.space.prefix.replace(/[^a-z0-9]/g, '')}`;
  const group = 'relics.touchstone.example';
  const version = { served: true, schema };
  await by.given(customResourceDefinitions, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        { ...version, name: 'v1', storage: true },
        { ...version, name: 'v1beta1', storage: false, deprecated: true },
      ],
    },
  });
  const current: Kind = {
    kind,
    plural,
    prefix: '',
    group,
    version: 'v1',
    namespaced: true,
    specified: true,
    least: () => ({}),
  };
  const old = { ...current, version: 'v1beta1' };
  for (const each of [current, old]) {
    const served = await should(() => by.list(each), match.status(200));
    if (served.differences.length > 0)
      inconclusive(`its preparation failed: ${each.version} of the type is not served`);
  }
  return { old, current };
}
