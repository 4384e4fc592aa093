import { endsCheck } from './endings.ts';
import { currentEvidence } from './evidence.ts';
import { type ClauseName, levelOf } from './requirements.ts';

/**
 * Judges a clause within a check that judges several: what fails, is inconclusive or unsupported in `part` is so for
 * the clause alone, and the check goes on. Parts may run side by side. Where a mutant is caught by all that the check
 * has to catch it by, a part that has not begun is left out.
 *
 * @param names the clause, or several that one question settles; the check has named them.
 * @throws Error where the check has not named them.
 */
export async function clause(names: ClauseName | readonly ClauseName[], part: () => Promise<unknown>): Promise<void> {
  const evidence = currentEvidence();
  const clauses = typeof names === 'string' ? [names] : names;
  const stranger = clauses.find((name) => !evidence.clauses.includes(name));
  if (stranger !== undefined) throw new Error(`the check judges ${stranger}, which it does not name`);
  const requirements = [...new Set(clauses.map((name) => name.slice(0, name.indexOf('/'))))];
  if (evidence.isDone) return;
  const scope = { clauses, requirements, level: levelOf(requirements) };
  try {
    await evidence.within(scope, part);
  } catch (error) {
    if (!endsCheck(error)) throw error;
  }
  evidence.keepClauses(scope);
}
