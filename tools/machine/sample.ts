import { createHash } from 'node:crypto';
import { keyOf, type MachineMutant, type MutantName, roomOf } from './mutants.ts';

/**
 * So many mutants of all, evenly over the rooms: what a room is too small for, the others share. Which ones hangs on
 * the seed and on their names alone, so that a change elsewhere leaves the choice as it is. The rooms take turns: the
 * beginning of a sample is a smaller sample.
 */
export function sampleOf(all: readonly MachineMutant[], count: number, seed: string): MachineMutant[] {
  const byRoom = new Map<string, MachineMutant[]>();
  for (const mutant of all) {
    const room = roomOf(mutant.file);
    const own = byRoom.get(room) ?? [];
    own.push(mutant);
    byRoom.set(room, own);
  }
  const rooms = [...byRoom.values()].sort((a, b) => a.length - b.length);
  let left = count;
  const shares = rooms.map((mutants, place) => {
    const share = Math.min(mutants.length, Math.floor(left / (rooms.length - place)));
    left -= share;
    return ranked(mutants, seed).slice(0, share);
  });
  return Array.from({ length: Math.max(0, ...shares.map(({ length }) => length)) }, (_, place) =>
    shares.flatMap((mutants) => mutants[place] ?? []),
  ).flat();
}

/** By chance, which hangs on the seed and on their names alone. */
export function ranked<T extends MutantName>(mutants: readonly T[], seed: string): T[] {
  const ranks = mutants.map((mutant) => {
    const rank = createHash('sha256')
      .update(`${seed}\n${keyOf(mutant)}`)
      .digest('hex');
    return { mutant, rank };
  });
  return ranks.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ mutant }) => mutant);
}
