import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { celConditions } from '../admission/expressions/celConditions.ts';
import { validatingPolicies } from '../admission/policies/validatingPolicies.ts';
import type { JsonObject } from '../api/json.ts';
import type { Admission } from '../contracts/admission.ts';
import { type Heard, type WritingFixture, type WritingOptions, writingFixture } from './writingFixture.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';

/** A server whose writes are held to policies. */
export interface PolicyFixture extends WritingFixture {
  /** What the last writes added to the audit log, by key. */
  readonly audit: Map<string, string>;
  /** Stores a policy about configmaps; `spec` is what is different about it. Fails where it is refused. */
  policy(name: string, spec: JsonObject): Promise<void>;
  /** Stores a binding of the policy of the same name; it denies. */
  binding(name: string, spec?: JsonObject): Promise<void>;
  /** Sends a policy without minding the answer. */
  sendPolicy(name: string, spec: JsonObject): Promise<Heard>;
  stop(): Promise<void>;
}

const CONFIGMAP_RULES = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];

export async function policyFixture(options: WritingOptions = {}): Promise<PolicyFixture> {
  const audit = new Map<string, string>();
  // The plugin needs the store of the fixture, which needs the plugin.
  const plugins: Admission[] = [];
  const fixture = await writingFixture({
    ...options,
    admission: [
      {
        name: 'policies',
        async validate(attributes) {
          try {
            await plugins[0]?.validate?.(attributes);
          } finally {
            for (const [key, value] of attributes.exchange.audit) audit.set(key, value);
          }
        },
      },
    ],
  });
  const { store, services } = fixture;
  const { registry, authorizer } = services;
  const dependencies = { store, registry, authorizer, dialect: kubernetes, conditions: celConditions(authorizer) };
  plugins.push(validatingPolicies(dependencies));
  const sendPolicy = (name: string, spec: JsonObject) =>
    fixture.send('POST', `${GROUP}/validatingadmissionpolicies`, {
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name },
        spec: { matchConstraints: { resourceRules: CONFIGMAP_RULES }, ...spec },
      },
    });
  return {
    ...fixture,
    audit,
    sendPolicy,
    async policy(name, spec) {
      created(await sendPolicy(name, spec));
      await fixture.controllers.idle();
    },
    async binding(name, spec = {}) {
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name },
        spec: { policyName: name, validationActions: ['Deny'], ...spec },
      };
      created(await fixture.send('POST', `${GROUP}/validatingadmissionpolicybindings`, { body }));
    },
    async stop() {
      await plugins[0]?.stop?.();
      fixture.controllers.stop();
    },
  };
}

function created({ status, body }: Heard): void {
  if (status !== 201) throw new Error(JSON.stringify(body));
}
