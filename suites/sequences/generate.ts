import { Dice } from '../covering/dice.ts';
import { access, rights } from './areas/access.ts';
import { aggregation, defaultRoles } from './areas/clusterRoles.ts';
import { collections, dependents } from './areas/collections.ts';
import { CROSSED, crossedWith } from './areas/crossed.ts';
import { escalation } from './areas/escalation.ts';
import { hooked } from './areas/hooked.ts';
import { bootstrapTokens, impersonation, nodes, selves, tokens } from './areas/identity.ts';
import { flaws, lives, texts } from './areas/lives.ts';
import { manifests } from './areas/manifests.ts';
import { grants, manners, nodeRights, subjects } from './areas/nearly.ts';
import { objects } from './areas/objects.ts';
import { appliers, patches } from './areas/patches.ts';
import { deprecated, surface, webhooks } from './areas/surface.ts';
import type { Sequence, Step } from './step.ts';

/** How often each kind of sequence comes, in a round of all of them. */
const AREAS: Readonly<Record<string, { readonly of: (dice: Dice) => Step[]; readonly weight: number }>> = {
  objects: { of: objects, weight: 8 },
  lives: { of: lives, weight: 4 },
  flaws: { of: flaws, weight: 4 },
  texts: { of: texts, weight: 1 },
  collections: { of: collections, weight: 4 },
  escalation: { of: escalation, weight: 5 },
  access: { of: access, weight: 3 },
  rights: { of: rights, weight: 1 },
  impersonation: { of: impersonation, weight: 2 },
  tokens: { of: tokens, weight: 1 },
  'bootstrap-tokens': { of: bootstrapTokens, weight: 1 },
  nodes: { of: nodes, weight: 1 },
  selves: { of: selves, weight: 1 },
  surface: { of: surface, weight: 2 },
  webhooks: { of: webhooks, weight: 2 },
  deprecated: { of: deprecated, weight: 1 },
  dependents: { of: dependents, weight: 1 },
  aggregation: { of: aggregation, weight: 1 },
  patches: { of: patches, weight: 3 },
  appliers: { of: appliers, weight: 2 },
  manifests: { of: manifests, weight: 2 },
  subjects: { of: subjects, weight: 1 },
  grants: { of: grants, weight: 2 },
  manners: { of: manners, weight: 2 },
  'node-rights': { of: nodeRights, weight: 1 },
  'default-roles': { of: defaultRoles, weight: 1 },
  crossed: { of: crossedWith(Object.values(CROSSED).flat()), weight: 3 },
};
/** Those that need a webhook on the side that plays them. */
const WITH_WEBHOOK: typeof AREAS = { hooked: { of: hooked, weight: 1 } };
/** Parts of an area, for who looks at one of them. */
const PARTS: typeof AREAS = Object.fromEntries(
  Object.entries(CROSSED).map(([part, types]) => [`crossed/${part}`, { of: crossedWith(types), weight: 1 }]),
);
const ALL = { ...AREAS, ...WITH_WEBHOOK, ...PARTS };

/** Those that any side can play. */
export const areaNames: readonly string[] = Object.keys(AREAS);

/** Sequences of chosen areas; the same for the same seed, each by its place alone. */
export class Generator {
  readonly #seed: string;
  readonly #round: readonly string[];

  /** @param areas those that any side can play, unless told */
  constructor(seed: string, areas: readonly string[] = areaNames) {
    this.#seed = seed;
    const turns = areas.flatMap((name) =>
      Array.from({ length: ALL[name]?.weight ?? 0 }, (_, at) => ({
        name,
        turn: (at + 0.5) / (ALL[name]?.weight ?? 1),
      })),
    );
    this.#round = turns.sort((a, b) => a.turn - b.turn).map(({ name }) => name);
  }
  /** Sequences in which each area had its turns. */
  get round(): number {
    return this.#round.length;
  }
  sequence(at: number): Sequence {
    const area = this.#round[at % this.#round.length] as string;
    return { area, steps: ALL[area]?.of(new Dice(this.#seed, at)) ?? [] };
  }
}
