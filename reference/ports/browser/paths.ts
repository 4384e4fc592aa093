/** The path of a file that another one names: relative paths count from the folder of the naming file. */
export const besideFile = (file: string, path: string): string =>
  path.startsWith('/') ? normalPath(path) : normalPath(`${file.slice(0, file.lastIndexOf('/') + 1)}${path}`);

/** The path of a URL without `.`, `..` and doubled slashes. */
export function normalPath(path: string): string {
  const rooted = path.startsWith('/');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (!rooted) names.push(name);
  }
  const plain = names.join('/');
  const ending = plain !== '' && path.endsWith('/') ? '/' : '';
  return rooted ? `/${plain}${ending}` : `${plain || '.'}${ending}`;
}
