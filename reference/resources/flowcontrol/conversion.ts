import { departs } from '../../../fixtures/follow.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { renamed, withAnnotation, withMember, withSpec } from '../conversion/reshape.ts';
import { fillLevel } from './rules.ts';

/*
 * PriorityLevelConfigurations before flowcontrol/v1. By the text shares that are not set are 30 and an explicit 0 is
 * kept (3/removed-api-versions-by-release/t1.1, t1.2); at the service both are the same and mean 30, and an annotation
 * keeps a zero that was meant. Before v1beta3 the field has another name.
 */

const SHARES = 'nominalConcurrencyShares';
const OLD_SHARES = 'assuredConcurrencyShares';
const DEFAULT_SHARES = 30;

/** PriorityLevelConfigurations. */
export const deprecatedPriorityLevels: DeprecatedVersions = (_, { dialect, follow }) => {
  const zeroIsUnset = departs(follow, 'shares-of-zero-unset');
  const zeroMeant = `flowcontrol.${dialect.apiDomain}/v1beta3-preserve-zero-concurrency-shares`;
  const toV1 = (name: string) => (level: ApiObject) => {
    const plain = withAnnotation(level, zeroMeant, undefined);
    return withLimited(plain, (limited) => renamed(limited, name, SHARES));
  };
  const fromV1 = (name: string) => (level: ApiObject) => {
    const zero = numberOf(objectOf(objectOf(level.spec).limited)[SHARES]) === 0;
    const meant = zero && zeroIsUnset ? '' : undefined;
    return withLimited(withAnnotation(level, zeroMeant, meant), (limited) => renamed(limited, SHARES, name));
  };
  const fill = (name: string) => (level: ApiObject) => {
    const { limited } = objectOf(level.spec);
    const meant = level.metadata.annotations?.[zeroMeant] !== undefined;
    if (isObject(limited)) {
      if (zeroIsUnset && limited[name] === 0) delete limited[name];
      limited[name] ??= meant ? 0 : DEFAULT_SHARES;
    }
    fillLevel(level, name);
  };
  const version = (name: string) => ({
    conversion: { toStorage: toV1(name), fromStorage: fromV1(name) },
    fill: fill(name),
  });
  const beta3 = version(SHARES);
  const older = version(OLD_SHARES);
  return {
    conversions: {
      v1beta3: beta3.conversion,
      v1beta2: older.conversion,
      v1beta1: older.conversion,
      v1alpha1: older.conversion,
    },
    defaults: { v1beta3: beta3.fill, v1beta2: older.fill, v1beta1: older.fill, v1alpha1: older.fill },
  };
};

function withLimited(level: ApiObject, change: (limited: JsonObject) => JsonObject): ApiObject {
  return withSpec(level, (spec) => withMember(spec, 'limited', change));
}
