/** The word most like a mistyped one, when one is like enough to be meant. Case does not count. */
export function nearest(typed: string, words: Iterable<string>): string | undefined {
  const wanted = typed.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const word of words) {
    const steps = distance(wanted, word.toLowerCase());
    if (steps < least) {
      least = steps;
      best = word;
    }
  }
  return best;
}

/** Edits from one text to the other: a letter put in, left out, changed, or swapped with its neighbour. */
function distance(a: string, b: string): number {
  const width = b.length + 1;
  const table = new Array<number>((a.length + 1) * width).fill(0);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = 0; i <= a.length; i += 1) {
    for (let j = 0; j <= b.length; j += 1) {
      if (i === 0 || j === 0) {
        table[i * width + j] = i + j;
        continue;
      }
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1);
      table[i * width + j] = least;
    }
  }
  return at(a.length, b.length);
}
