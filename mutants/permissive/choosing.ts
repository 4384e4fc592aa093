import type { Mutant } from '../mutant.ts';
import { TWINS } from './index.ts';
import { combined } from './twin.ts';

/** What begins the name of a server that makes choices; their names follow, with commas between them. */
export const CHOOSING = 'choose:';

/** The server that a name of `--mutant` means: none where it does not begin so, or names a choice that there is not. */
export function choosing(name: string | undefined): Mutant[] {
  if (!name?.startsWith(CHOOSING)) return [];
  const names = name.slice(CHOOSING.length).split(',');
  const twins = TWINS.filter(({ id }) => names.includes(id));
  if (twins.length < names.length) return [];
  const sentence = twins.map((twin) => twin.sentence).join(' ');
  return [{ id: name, breaks: [], sentence, defect: () => combined(twins.map(({ choice }) => choice())) }];
}
