/**
 * Whether discovery names subresources beside types, which the text does not ask for: where it does not, what it leaves
 * out says nothing.
 */
export const listsSubresources = (served: readonly string[]): boolean =>
  served.some((path) => /\/(status|scale)$/.test(path));
