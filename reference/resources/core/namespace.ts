import { type FieldError, invalid } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { cloneJson } from '../../api/json.ts';
import { dns1123Label, objectName, qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, objectOf, setDefault, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';

const STANDARD_FINALIZERS = ['orphan', 'foregroundDeletion'];
const FINALIZERS = FieldPath.of('spec', 'finalizers');
// The service spells the field like this.
const PHASE = FieldPath.of('status', 'Phase');

/** A namespace is Active, carries its own name as a label, and holds the service's finalizer until it is empty. */
export const namespaceRules: RuleMaker = ({ dialect }) => {
  const { namespaceFinalizer } = dialect;
  const nameLabel = `${dialect.labelDomain}/metadata.name`;

  const setNameLabel = (object: ApiObject): void => {
    const { name } = object.metadata;
    if (name && object.metadata.labels?.[nameLabel] !== name) {
      object.metadata.labels = { ...object.metadata.labels, [nameLabel]: name };
    }
  };
  const validate = (object: ApiObject): FieldError[] =>
    textsOf(objectOf(object.spec).finalizers).flatMap((name) => [
      ...qualifiedName(name).map((fault) => invalid(FINALIZERS, name, fault)),
      ...(name.includes('/') || name === namespaceFinalizer || STANDARD_FINALIZERS.includes(name)
        ? []
        : [invalid(FINALIZERS, name, 'name is neither a standard finalizer name nor is it fully qualified')]),
    ]);

  return {
    strategy: {
      validateName: objectName(dns1123Label),
      unconditionalUpdate: true,
      deleteReturnsObject: true,
      resetFields: [['status']],
      prepareForCreate(object) {
        setNameLabel(object);
        object.status = { phase: 'Active' };
        const spec = ensureObject(object, 'spec');
        const finalizers = listOf(spec.finalizers);
        if (!finalizers.includes(namespaceFinalizer)) spec.finalizers = [...finalizers, namespaceFinalizer];
      },
      prepareForUpdate(object, old) {
        setNameLabel(object);
        object.spec = cloneJson(objectOf(old.spec));
      },
      validate,
      validateUpdate: (object) => validate(object),
    },
    defaults: {
      v1(object) {
        setNameLabel(object);
        setDefault(ensureObject(object, 'status'), 'phase', 'Active');
      },
    },
    selectableFields: { 'status.phase': (object) => textOf(objectOf(object.status).phase) },
    subresources: {
      status: { validateUpdate: (object) => validatePhase(object) },
      finalize: {
        resetFields: [['status']],
        prepareForUpdate: (object) => setNameLabel(object),
        validateUpdate: (object) => validate(object),
      },
    },
  };
};

function validatePhase(object: ApiObject): FieldError[] {
  const phase = textOf(objectOf(object.status).phase);
  const deleting = Boolean(object.metadata.deletionTimestamp);
  if (!deleting && phase !== 'Active') {
    return [invalid(PHASE, phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  if (deleting && phase !== 'Terminating') {
    return [invalid(PHASE, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  }
  return [];
}
