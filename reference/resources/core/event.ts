import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { dns1123Subdomain, qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';

const LONGEST = 128;
const LONGEST_NOTE = 1024;

/** An event lives where the object lives that it is about. */
export const eventRules: RuleMaker = ({ dialect }) => {
  const validate = (event: ApiObject) => validateEvent(event, dialect, 'reportingComponent');
  return {
    strategy: {
      createOnUpdate: true,
      unconditionalUpdate: true,
      validate,
      validateUpdate: (event) => validate(event),
    },
    selectableFields,
  };
};

/**
 * Faults that both views of an event look for.
 * @param controller what the view calls the field that says who reports
 */
export function validateEvent(event: ApiObject, dialect: Dialect, controller: string): FieldError[] {
  const namespace = event.metadata.namespace ?? '';
  const errors = event.eventTime
    ? [...validateSubject(event, ['default', dialect.systemNamespace], false), ...validateReport(event, controller)]
    : validateSubject(event, ['default', ''], true);
  for (const fault of dns1123Subdomain(namespace)) errors.push(invalid(FieldPath.of('namespace'), namespace, fault));
  return errors;
}

function validateSubject(event: ApiObject, homes: readonly string[], strict: boolean): FieldError[] {
  const namespace = event.metadata.namespace ?? '';
  const about = textOf(objectOf(event.involvedObject).namespace);
  const fits = about === '' ? homes.includes(namespace) : !strict || about === namespace;
  const path = FieldPath.of('involvedObject', 'namespace');
  return fits ? [] : [invalid(path, about, 'does not match event.namespace')];
}

/** What an event of the newer form must say of who reports what. */
function validateReport(event: ApiObject, name: string): FieldError[] {
  const errors: FieldError[] = [];
  const controller = textOf(event.reportingComponent);
  const controllerPath = FieldPath.of(name);
  if (controller === '') errors.push(required(controllerPath));
  for (const fault of qualifiedName(controller)) errors.push(invalid(controllerPath, controller, fault));
  for (const field of ['reportingInstance', 'action', 'reason']) {
    const text = textOf(event[field]);
    if (text === '') errors.push(required(FieldPath.of(field)));
    if (Buffer.byteLength(text) > LONGEST) {
      errors.push(invalid(FieldPath.of(field), '', `can have at most ${LONGEST} characters`));
    }
  }
  if (Buffer.byteLength(textOf(event.message)) > LONGEST_NOTE) {
    errors.push(invalid(FieldPath.of('message'), '', `can have at most ${LONGEST_NOTE} characters`));
  }
  return errors;
}

const ofSubject = (name: string) => (event: ApiObject) => textOf(objectOf(event.involvedObject)[name]);
const selectableFields = {
  'involvedObject.kind': ofSubject('kind'),
  'involvedObject.namespace': ofSubject('namespace'),
  'involvedObject.name': ofSubject('name'),
  'involvedObject.uid': ofSubject('uid'),
  'involvedObject.apiVersion': ofSubject('apiVersion'),
  'involvedObject.resourceVersion': ofSubject('resourceVersion'),
  'involvedObject.fieldPath': ofSubject('fieldPath'),
  reason: (event: ApiObject) => textOf(event.reason),
  reportingComponent: (event: ApiObject) => textOf(event.reportingComponent),
  source: (event: ApiObject) => textOf(objectOf(event.source).component) || textOf(event.reportingComponent),
  type: (event: ApiObject) => textOf(event.type),
};
