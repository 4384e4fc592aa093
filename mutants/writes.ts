import { clausesOf, type RequirementId, type Write } from '../fixtures/ledger/index.ts';
import type { Answer } from '../reference/contracts/answer.ts';
import type { Call, VerbTable } from '../reference/contracts/call.ts';
import type { Seams } from '../reference/seams.ts';
import { onVerbs } from './alter.ts';
import type { Mutant } from './mutant.ts';

type Serve = (call: Call) => Promise<Answer>;

/** The verb that each way of writing comes to. */
const VERB: Readonly<Record<Write, keyof VerbTable>> = {
  post: 'create',
  put: 'update',
  json: 'patch',
  merge: 'patch',
  strategic: 'patch',
  apply: 'patch',
  delete: 'delete',
  deletecollection: 'deletecollection',
};
const PATCHES: Readonly<Partial<Record<Write, string>>> = {
  json: 'json-patch',
  merge: '/merge-patch',
  strategic: 'strategic-merge-patch',
  apply: 'apply-patch',
};
const WORDS: Readonly<Record<Write, string>> = {
  post: 'a POST',
  put: 'a PUT',
  json: 'a JSON patch',
  merge: 'a merge patch',
  strategic: 'a strategic merge patch',
  apply: 'an apply',
  delete: 'a DELETE',
  deletecollection: 'a DELETE of a collection',
};

/** As {@link onVerbs} for one way of writing. */
export function onWrite(write: Write, around: (call: Call, serve: Serve) => Promise<Answer>): Seams {
  const patch = PATCHES[write];
  return onVerbs([VERB[write]], (call, serve) => {
    const type = String(call.exchange.request.headers['content-type'] ?? '');
    return patch === undefined || type.includes(patch) ? around(call, serve) : serve(call);
  });
}

/** Words of the clauses that a mutant for a write breaks, beside the write. */
type Where = readonly (string | readonly string[])[];

/**
 * One mutant for each way of writing: the same rule broken for that one alone, of all types.
 *
 * @param name of the mutants, before the write: `any-dry-run-is-all` gives `any-dry-run-is-all-put`.
 * @param tell what is wrong, of `a PUT`.
 */
export function everyWrite(
  name: string,
  breaks: RequirementId,
  writes: readonly Write[],
  tell: (write: string) => string,
  around: (call: Call, serve: Serve, write: Write) => Promise<Answer>,
  ...where: Where
): Mutant[] {
  return writes.map((write) => ({
    id: `${name}-${write}`,
    breaks: clausesOf(breaks, write, ...where),
    sentence: tell(WORDS[write]),
    defect: () => onWrite(write, (call, serve) => around(call, serve, write)),
  }));
}
