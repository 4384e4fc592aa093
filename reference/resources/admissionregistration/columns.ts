import type { Json } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import { listOf, objectOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, integer, named } from '../columns/column.ts';
import { UNSET } from '../columns/labels.ts';

const webhooks = named(
  column(
    'Webhooks',
    'Webhooks indicates the number of webhooks registered in this configuration',
    (object) => listOf(object.webhooks as Json | undefined).length,
    integer,
  ),
  AGE,
);

const parameterKind = column('ParamKind', 'Kind of the parameters.', (object) => {
  const { paramKind } = objectOf(object.spec);
  return isObject(paramKind) ? `${textOf(paramKind.apiVersion)}/${textOf(paramKind.kind)}` : UNSET;
});

function parameterText(binding: ApiObject): string {
  const { paramRef } = objectOf(binding.spec);
  if (!isObject(paramRef)) return UNSET;
  const name = textOf(paramRef.name) || '*';
  const namespace = textOf(paramRef.namespace);
  return namespace === '' ? name : `${namespace}/${name}`;
}

const policy = (name: string, field: string) =>
  named(
    column(name, `Number of ${field} of the policy.`, (object) => listOf(objectOf(object.spec)[field]).length, integer),
    parameterKind,
    AGE,
  );
const binding = named(
  column('PolicyName', 'The policy that is put to work.', (object) => textOf(objectOf(object.spec).policyName)),
  column('ParamRef', 'The parameters that the policy gets.', parameterText),
  AGE,
);

export const mutatingWebhookConfigurationColumns = webhooks;

export const validatingWebhookConfigurationColumns = webhooks;

export const validatingAdmissionPolicyColumns = policy('Validations', 'validations');

export const mutatingAdmissionPolicyColumns = policy('Mutations', 'mutations');

export const validatingAdmissionPolicyBindingColumns = binding;

export const mutatingAdmissionPolicyBindingColumns = binding;
