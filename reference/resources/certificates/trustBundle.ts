import { type FieldError, invalid } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { immutableFaults } from '../validation/fields.ts';
import { certificateFault } from './certificateText.ts';

const SPEC = FieldPath.of('spec');

/** Certificates by which a signer, or anybody, is to be trusted. */
export const clusterTrustBundleRules: RuleMaker = () => ({
  strategy: {
    validate,
    validateUpdate: (bundle, old) => [
      ...validate(bundle),
      ...immutableFaults(objectOf(bundle.spec).signerName, objectOf(old.spec).signerName, SPEC.child('signerName')),
    ],
  },
  selectableFields: { 'spec.signerName': (bundle) => textOf(objectOf(bundle.spec).signerName) },
});

/** The name of a bundle begins with that of its signer; one without a signer has no colon in its name. */
function validate({ metadata, spec }: ApiObject): FieldError[] {
  const name = metadata.name ?? '';
  const signer = textOf(objectOf(spec).signerName);
  const errors: FieldError[] = [];
  const path = FieldPath.of('metadata', 'name');
  const prefix = `${signer.replaceAll('/', ':')}:`;
  if (signer !== '' && !name.startsWith(prefix)) {
    errors.push(invalid(path, name, `ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`));
  }
  if (signer === '' && name.includes(':')) {
    errors.push(invalid(path, name, 'ClusterTrustBundle without signer name must not have ":" in its name'));
  }
  const fault = certificateFault(textOf(objectOf(spec).trustBundle));
  if (fault !== undefined) errors.push(invalid(SPEC.child('trustBundle'), '<value omitted>', fault));
  return errors;
}
