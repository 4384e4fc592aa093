/** There are no files: no directory can be made. */
export function makeDirectories(path: string, _mode?: number): void {
  throw new Error(`${path}: a tab of a browser makes no directories`);
}
