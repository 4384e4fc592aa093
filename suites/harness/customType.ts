import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Actor } from './actor.ts';
import { inconclusive } from './endings.ts';
import type { JsonObject } from './json.ts';
import { customResourceDefinitions, type Kind } from './kinds.ts';
import { status } from './matching/answers.ts';
import { should } from './should.ts';

const GROUP = 'touchstone.example';

/**
 * Prepares a namespaced type of the check's own and waits until it is served. Needs `custom-types`.
 *
 * @param schema of its objects; made from the dialect, since schemas use names that depend on it.
 * @param more of its version, such as subresources.
 * @param called where its plural or its group is to be another one, which no other check may use.
 * @returns the kind; its definition is removed with everything else that the check made.
 */
export async function defineType(
  by: Actor,
  dialect: Dialect,
  schema: (dialect: Dialect) => JsonObject,
  namespaced = true,
  more: JsonObject = {},
  called: { readonly plural?: string; readonly group?: string } = {},
): Promise<Kind> {
  const { plural = `${by.space.prefix}-things`, group = GROUP } = called;
  const kind = `Thing${by.space.prefix.replace(/[^a-z0-9]/g, '')}`;
  const name = `${plural}.${group}`;
  await by.given(customResourceDefinitions, {
    metadata: { name },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema(dialect) }, ...more }],
    },
  });
  const type: Kind = {
    kind,
    plural,
    prefix: '',
    group,
    version: 'v1',
    namespaced,
    specified: true,
    least: () => ({}),
  };
  const served = await should(() => by.list(type), status(200));
  if (served.differences.length > 0) inconclusive(`its preparation failed: the type ${name} is not served`);
  return type;
}
