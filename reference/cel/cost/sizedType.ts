/** How large values of a type can be, part by part. */
export interface SizedType {
  /** The most letters of a text, elements of a list, entries of a map; 0 for what has no length. */
  readonly most: number;
  readonly items?: SizedType;
  readonly keys?: SizedType;
  readonly fields?: ReadonlyMap<string, SizedType>;
}
