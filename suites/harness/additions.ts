import type { Exchange } from './client/exchange.ts';
import { type ApiObject, isRecord } from './json.ts';
import { type Kind, pathOf, serviceAccounts } from './kinds.ts';
import type { Target } from './target/target.ts';

/** Milliseconds that a target has to add what it adds before a check goes on without. */
const PATIENCE = 3_000;

/**
 * What some targets add to each new object of a kind by themselves, and the object that tells whether one does: before
 * release 1.24 a controller gives each service account a secret with a token.
 */
const ADDITIONS: readonly (readonly [kind: Kind, member: string, telling: string])[] = [
  [serviceAccounts, 'secrets', 'default'],
];

/** The member that a target may add to a new object by itself. */
export function additionTo(object: ApiObject): string | undefined {
  return additionOf(object.kind)?.[1];
}

const additionOf = (kind: unknown) => ADDITIONS.find(([added]) => added.kind === kind);

/** Gets what lies at a path. */
export type Look = (words: string, path: string) => Promise<Exchange>;

const asked = new WeakMap<Target, Map<Kind, Promise<boolean>>>();

/**
 * Waits until a new object has what the target adds by itself: that comes a moment later, and must not be taken for
 * something of the check.
 *
 * @param made the answer to what may have created the object
 * @returns the object as it is when that is done, or what was given where nothing is added
 */
export async function withAdditions(target: Target, made: Exchange, look: Look): Promise<Exchange> {
  // The reference adds nothing.
  if (target.mode === 'embedded' || made.status !== 201 || !isRecord(made.json)) return made;
  const addition = additionOf(made.json.kind);
  const { metadata } = made.json;
  if (!addition || !isRecord(metadata) || !(await doesAdd(target, addition, look))) return made;
  const [kind, member] = addition;
  const name = String(metadata.name);
  const path = pathOf(kind, target.dialect, String(metadata.namespace ?? ''), name);
  const deadline = performance.now() + PATIENCE;
  for (let pause = 5; performance.now() < deadline; pause = Math.min(200, pause * 2)) {
    const now = await look(`the ${member} of ${kind.plural} ${name} are looked for`, path);
    if (has(now, member)) return now;
    // What was tried as a dry run is not there, and who may not look learns nothing by looking on.
    if (!now.succeeded) return made;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return made;
}

function doesAdd(target: Target, [kind, member, telling]: (typeof ADDITIONS)[number], look: Look): Promise<boolean> {
  const known = asked.get(target) ?? new Map<Kind, Promise<boolean>>();
  asked.set(target, known);
  let answer = known.get(kind);
  if (!answer) {
    const path = pathOf(kind, target.dialect, 'default', telling);
    answer = look(`the ${member} of ${kind.plural} ${telling} are looked for`, path).then((seen) => has(seen, member));
    known.set(kind, answer);
    // What one check was not told, the next one asks again.
    answer.catch(() => known.delete(kind));
  }
  return answer;
}

function has({ json }: Exchange, member: string): boolean {
  const value = isRecord(json) ? json[member] : undefined;
  return Array.isArray(value) && value.length > 0;
}
