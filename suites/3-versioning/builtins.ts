import { groupOf, type Lifecycle, lifecycles } from '../../fixtures/releases/lifecycles.ts';
import { pluralOf } from '../../fixtures/releases/plurals.ts';
import type { Actor, match } from '../harness/index.ts';

/** A version of a built-in type, and where discovery tells of it. */
export interface Builtin {
  readonly row: Lifecycle;
  readonly plural: string;
}

/** The built-in types of a level that a release has and that need no feature gate. */
export function builtinsAt(release: number, level: Lifecycle['level']): Builtin[] {
  return lifecycles()
    .filter((row) => row.level === level && row.gate === undefined)
    .filter(({ introduced, removed }) => introduced <= release && (removed === undefined || release < removed))
    .map((row) => ({ row, plural: pluralOf(row.kind) }));
}

/** `/apis/<group>/<version>` of a built-in type. */
export function rootOf({ row }: Builtin, { dialect }: Pick<Actor, 'dialect'>): string {
  const group = groupOf(row, dialect);
  return group === '' ? `/api/${row.version}` : `/apis/${group}/${row.version}`;
}

/** `group/version` of built-in types, each once. */
export function versionsOf(builtins: readonly Builtin[], actor: Pick<Actor, 'dialect'>): string[] {
  return [...new Set(builtins.map((each) => rootOf(each, actor).replace(/^\/apis?\//, '')))];
}

/**
 * What discovery says of the versions of built-in types. Out: the plurals that it names, by path of the version; none
 * where the version is not served.
 */
export async function discovered(actor: Actor, builtins: readonly Builtin[]): Promise<Map<string, readonly unknown[]>> {
  const found = new Map<string, readonly unknown[]>();
  for (const builtin of builtins) {
    const root = rootOf(builtin, actor);
    if (found.has(root)) continue;
    const { json } = await actor.request('GET', root);
    const resources = (json as { resources?: unknown } | undefined)?.resources;
    found.set(root, Array.isArray(resources) ? resources.map(({ name }) => name) : []);
  }
  return found;
}

/** Discovery names each, or none of them: the subject is what {@link discovered} gave. */
export const namesEach = (builtins: readonly Builtin[], actor: Actor) => namesAll(builtins, actor, true);
export const namesNone = (builtins: readonly Builtin[], actor: Actor) => namesAll(builtins, actor, false);

function namesAll(
  builtins: readonly Builtin[],
  actor: Actor,
  wanted: boolean,
): match.Matcher<Map<string, readonly unknown[]>> {
  return {
    allows: `discovery names ${wanted ? 'each' : 'none'} of ${builtins.map(({ plural }) => plural).join(', ')}`,
    differences: (found) =>
      builtins
        .filter((each) => (found.get(rootOf(each, actor)) ?? []).includes(each.plural) !== wanted)
        .map((each) => ({
          path: `${rootOf(each, actor)}/${each.plural}`,
          want: wanted ? 'a resource of that version' : 'nothing',
          got: wanted ? 'nothing' : 'a resource of that version',
          gotType: wanted ? 'missing' : 'string',
        })),
  };
}
