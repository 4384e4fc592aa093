import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';

interface Deprecated {
  /** First release whose service warns. */
  readonly since: number;
  /** The words behind the kind; `{group prefix}` stands for a group of the dialect. */
  readonly text: string;
}

/** Built-in types that are deprecated without being removed, by group prefix, version and kind. */
const deprecated: Readonly<Record<string, Deprecated>> = {
  '/v1/ComponentStatus': { since: 19, text: 'v1 ComponentStatus is deprecated in v1.19+' },
  '/v1/Endpoints': {
    since: 33,
    text: 'v1 Endpoints is deprecated in v1.33+; use {discovery}/v1 EndpointSlice',
  },
};

/** The warning that calls to a type earn (3/behavior-when-a-deprecated-endpoint-is-called); undefined for most. */
export function deprecationOf(
  { dialect, release }: { readonly dialect: Dialect; readonly release: number },
  groupPrefix: string,
  version: string,
  kind: string,
): { readonly warning: string } | undefined {
  const found = deprecated[`${groupPrefix}/${version}/${kind}`];
  if (!found || release < found.since) return undefined;
  return { warning: found.text.replace(/\{([a-z]+)\}/, (_, prefix: string) => groupName(dialect, prefix)) };
}
