import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import {
  mutatingAdmissionPolicyBindingColumns,
  mutatingAdmissionPolicyColumns,
  mutatingWebhookConfigurationColumns,
  validatingAdmissionPolicyBindingColumns,
  validatingAdmissionPolicyColumns,
  validatingWebhookConfigurationColumns,
} from './columns.ts';
import { policyBindingRules, policyRules } from './policies.ts';
import { admissionregistrationV1 } from './v1.ts';
import { webhooksV1beta1 } from './v1beta1.ts';
import { webhookRules } from './webhooks.ts';

const mutatingAdmissionPolicies: BuiltinType = {
  resource: 'mutatingadmissionpolicies MutatingAdmissionPolicy cluster * in=api-extensions',
  generation: true,
  unconditionalUpdate: false,
  columns: mutatingAdmissionPolicyColumns,
  rules: policyRules(true),
};

const mutatingAdmissionPolicyBindings: BuiltinType = {
  resource: 'mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding cluster * in=api-extensions',
  generation: true,
  unconditionalUpdate: false,
  columns: mutatingAdmissionPolicyBindingColumns,
  rules: policyBindingRules(true),
};

const mutatingWebhookConfigurations: BuiltinType = {
  resource: 'mutatingwebhookconfigurations MutatingWebhookConfiguration cluster * in=api-extensions',
  columns: mutatingWebhookConfigurationColumns,
  rules: webhookRules(true),
};

const validatingAdmissionPolicies: BuiltinType = {
  resource: 'validatingadmissionpolicies ValidatingAdmissionPolicy cluster * in=api-extensions',
  subresources: ['status status get,patch,update'],
  generation: true,
  unconditionalUpdate: false,
  columns: validatingAdmissionPolicyColumns,
  rules: policyRules(false),
};

const validatingAdmissionPolicyBindings: BuiltinType = {
  resource: 'validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding cluster * in=api-extensions',
  generation: true,
  unconditionalUpdate: false,
  columns: validatingAdmissionPolicyBindingColumns,
  rules: policyBindingRules(false),
};

const validatingWebhookConfigurations: BuiltinType = {
  resource: 'validatingwebhookconfigurations ValidatingWebhookConfiguration cluster * in=api-extensions',
  columns: validatingWebhookConfigurationColumns,
  rules: webhookRules(false),
};

/** Webhooks and policies that admit requests. */
export const admissionregistrationGroup: ApiGroup = {
  name: 'admissionregistration.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: admissionregistrationV1,
    v1beta1: revised(admissionregistrationV1, webhooksV1beta1),
    v1alpha1: admissionregistrationV1,
  },
  types: [
    mutatingAdmissionPolicies,
    mutatingAdmissionPolicyBindings,
    mutatingWebhookConfigurations,
    validatingAdmissionPolicies,
    validatingAdmissionPolicyBindings,
    validatingWebhookConfigurations,
  ],
};
