/** Something the user can put right: told as one sentence, without a stack, and ends with exit code 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
