/** Why a data directory cannot be used: one sentence for the person who named it. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}

/** A refusal of a directory that cannot be read; `what` is a clause that says which part of it. */
export function damaged(path: string, what: string): DataDirectoryError {
  return new DataDirectoryError(`the data directory ${path} is damaged: ${what}; restore it from a snapshot or a copy`);
}
