/**
 * The type of a variable of an expression. `object` has known fields, and nothing else can be reached in it; `dyn` is
 * checked when the expression runs.
 */
export type DeclaredType =
  | {
      readonly kind:
        | 'bool'
        | 'int'
        | 'uint'
        | 'double'
        | 'string'
        | 'bytes'
        | 'timestamp'
        | 'duration'
        | 'dyn'
        | 'authorizer';
    }
  | { readonly kind: 'list'; readonly items: DeclaredType }
  | { readonly kind: 'map'; readonly values: DeclaredType }
  | {
      readonly kind: 'object';
      /** As messages show it; one is made where there is none. */
      readonly name?: string;
      readonly fields: ReadonlyMap<string, DeclaredField>;
    }
  | { readonly kind: 'optional'; readonly value: DeclaredType };

/** A field of an object type; `source` is its name in JSON, where expressions must spell it differently. */
export interface DeclaredField {
  readonly type: DeclaredType;
  readonly source: string;
}

export const DYN: DeclaredType = { kind: 'dyn' };
