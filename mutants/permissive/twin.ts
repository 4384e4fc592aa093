import type { Seams } from '../../reference/seams.ts';
import type { Defect, Start } from '../mutant.ts';

/**
 * A reference that chooses otherwise where the specification leaves a choice. It is as right as the reference, so every
 * check has to pass on it: one that does not asks for more than the specification does.
 */
export interface Twin {
  /** What is otherwise, in kebab-case: `short-chunks`. */
  readonly id: string;
  /** The statements that leave the choice, or that would have to name what is otherwise. */
  readonly by: readonly [string, ...string[]];
  /** What this server does, as one sentence. */
  readonly sentence: string;
  /** Twins of one side make other choices than those of the other, or get into each other's way. */
  readonly side: 'a' | 'b';
  /** Made anew for each server, as a mutant's defect. */
  readonly choice: () => Defect;
}

/** Several choices, or a defect and the choices of the server that has it, in one: the first stands innermost. */
export function combined(all: readonly Defect[]): Defect {
  const replies = all.flatMap(({ reply }) => reply ?? []);
  const reply: Seams['reply'] =
    replies.length === 0
      ? undefined
      : (first, request) => replies.reduce((sent, change) => change(sent, request), first);
  return present({
    clock: inOne(all.map(({ clock }) => clock)),
    store: inOne(all.map(({ store }) => store)),
    authenticator: inOne(all.map(({ authenticator }) => authenticator)),
    authorizer: inOne(all.map(({ authorizer }) => authorizer)),
    eachAuthorizer: inOne(all.map(({ eachAuthorizer }) => eachAuthorizer)),
    admission: inOne(all.map(({ admission }) => admission)),
    webhooks: inOne(all.map(({ webhooks }) => webhooks)),
    ownership: inOne(all.map(({ ownership }) => ownership)),
    verbs: inOne(all.map(({ verbs }) => verbs)),
    reviews: inOne(all.map(({ reviews }) => reviews)),
    hookReviews: inOne(all.map(({ hookReviews }) => hookReviews)),
    reply,
    handler: inOne(all.map(({ handler }) => handler)),
    start: present({
      flags: inOne(all.map(({ start }) => start?.flags)),
      files: inOne(all.map(({ start }) => start?.files)),
      options: inOne(all.map(({ start }) => start?.options)),
    } satisfies AllOf<Start>),
  } satisfies AllOf<Defect>);
}

/** Each member by name, so that a new one has to come here. */
type AllOf<Parts> = { readonly [Name in keyof Required<Parts>]: Parts[Name] | undefined };

function inOne<T>(changes: readonly (((value: T) => T) | undefined)[]): ((value: T) => T) | undefined {
  const given = changes.flatMap((change) => change ?? []);
  return given.length === 0 ? undefined : (first) => given.reduce((value, change) => change(value), first);
}

/** Without the members that are not there. */
function present<Parts extends object>(parts: Parts): { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> } {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Parts]?: Exclude<Parts[Name], undefined> };
}
