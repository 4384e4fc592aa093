/**
 * Which step of one run of a check is which of another run of it. Steps that are told alike are the same step; where a
 * run did more (it polled longer, it went on further), the rest stays alone. The order is kept.
 *
 * @param nameOf what tells steps apart: who did what, in words
 * @returns for each step of `first` the place of its counterpart in `second`, or undefined
 */
export function alignSteps<Step>(
  first: readonly Step[],
  second: readonly Step[],
  nameOf: (step: Step) => string,
): (number | undefined)[] {
  const names = [first.map(nameOf), second.map(nameOf)] as const;
  const same = (i: number, j: number) => names[0][i] === names[1][j];
  // The longest row of counterparts from (i, j) on; the last row and column stay 0.
  const width = second.length + 1;
  const longest = new Uint32Array((first.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] as number;
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      longest[i * width + j] = same(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const counterparts: (number | undefined)[] = [];
  let j = 0;
  for (let i = 0; i < first.length; i++) {
    while (j < second.length && !same(i, j) && at(i, j + 1) >= at(i + 1, j)) j++;
    counterparts.push(j < second.length && same(i, j) ? j++ : undefined);
  }
  return counterparts;
}
