import { apiVersionOf, isDeprecated, type Lifecycle, lifecycles } from '../../../fixtures/releases/lifecycles.ts';
import { pluralOf } from '../../../fixtures/releases/plurals.ts';
import type { Target } from './target.ts';

/** A deprecated version of a built-in type that a target says it serves. */
export interface DeprecatedEndpoint {
  readonly row: Lifecycle;
  readonly plural: string;
  /** As discovery names it: `batch/v1beta1/cronjobs`. */
  readonly served: string;
}

/** The deprecated versions that the discovery of a target names, by the release that it says it is. */
export function deprecatedEndpoints({
  dialect,
  release,
  served,
}: Pick<Target, 'dialect' | 'release' | 'served'>): DeprecatedEndpoint[] {
  const minor = Number(/^1\.(\d+)$/.exec(release)?.[1] ?? Number.NaN);
  return lifecycles()
    .filter((row) => isDeprecated(row, minor))
    .map((row) => {
      const plural = pluralOf(row.kind);
      return { row, plural, served: `${apiVersionOf(row, dialect)}/${plural}` };
    })
    .filter((endpoint) => served.includes(endpoint.served));
}
