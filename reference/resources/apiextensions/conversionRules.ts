import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { dns1035Label } from '../../api/nameRules.ts';
import { validateClientConfig } from '../admissionregistration/clientConfig.ts';
import type { RuleContext } from '../builtinType.ts';
import type { Conversion } from './definition.ts';

const STRATEGIES = ['None', 'Webhook'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** How versions become one another: not at all, or by a webhook that can be reached. */
export function validateConversion(
  { strategy, webhook }: Conversion,
  path: FieldPath,
  context: RuleContext,
): FieldError[] {
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(path.child('strategy')));
  else if (!STRATEGIES.includes(strategy)) errors.push(notSupported(path.child('strategy'), strategy, STRATEGIES));
  const config = path.child('webhookClientConfig');
  const versions = path.child('conversionReviewVersions');
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig) errors.push(forbiddenField(config, why));
    if (webhook && webhook.reviewVersions.length > 0) errors.push(forbiddenField(versions, why));
    return errors;
  }
  if (!webhook?.clientConfig) errors.push(required(config, 'required when strategy is set to Webhook'));
  // Unlike for other webhooks, the service itself looks at these certificates.
  else errors.push(...validateClientConfig(webhook.clientConfig, config, context, true));
  return [...errors, ...validateReviewVersions(webhook?.reviewVersions ?? [], versions)];
}

function validateReviewVersions(versions: readonly string[], path: FieldPath): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) {
      errors.push(invalid(path.index(index), version, 'duplicate version'));
      continue;
    }
    seen.add(version);
    for (const fault of dns1035Label(version)) errors.push(invalid(path.index(index), version, fault));
  }
  if (!REVIEW_VERSIONS.some((version) => seen.has(version))) {
    errors.push(invalid(path, [...versions], `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
  return errors;
}
