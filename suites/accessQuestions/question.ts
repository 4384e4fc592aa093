/** Who would do what: the question of `doctor … can`. */
export interface Question {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly about: AboutResource | AboutPath;
}

export interface AboutResource {
  readonly group: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for any. */
  readonly name: string;
  /** Empty for all namespaces, and for types that have none. */
  readonly namespace: string;
}

export interface AboutPath {
  readonly path: string;
}

/** A type as the words name it, before anybody has looked it up: `deployments`, `deployments.apps`. */
export interface NamedType {
  readonly word: string;
  readonly group: string | undefined;
}

export interface AccessAttributes {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly about: { readonly type: NamedType; readonly name: string } | AboutPath;
}
