/**
 * The fewest items, in their order, of which something still holds: delta debugging (Zeller, Hildebrandt 2002). Each
 * cut is confirmed by asking.
 * @param holds is asked only of lists that are shorter than the given one
 * @param most how often it may be asked
 */
export async function shortest<T>(
  items: readonly T[],
  holds: (items: readonly T[]) => Promise<boolean>,
  most = 200,
): Promise<readonly T[]> {
  let best = items;
  let asked = 0;
  const ask = async (shorter: readonly T[]): Promise<boolean> => asked++ < most && (await holds(shorter));
  for (let parts = 2; best.length > 1 && asked < most; ) {
    const size = Math.ceil(best.length / parts);
    let cut = false;
    // From the end, as what comes after the failure matters to nothing.
    for (let start = Math.floor((best.length - 1) / size) * size; start >= 0; start -= size) {
      const shorter = [...best.slice(0, start), ...best.slice(start + size)];
      if (shorter.length === 0 || !(await ask(shorter))) continue;
      best = shorter;
      cut = true;
    }
    if (cut) parts = Math.max(2, Math.min(parts, best.length));
    else if (size === 1) break;
    else parts = Math.min(best.length, parts * 2);
  }
  return best;
}
