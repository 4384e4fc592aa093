import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { celConditions } from '../admission/expressions/celConditions.ts';
import { validatingPolicies } from '../admission/policies/validatingPolicies.ts';
import type { JsonObject } from '../api/json.ts';
import type { Admission } from '../contracts/admission.ts';
import { type Heard, type WritingOptions, type WritingScene, writingScene } from './writingFixture.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';

/** A server whose writes are held to policies. */
export interface PolicyScene extends WritingScene {
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

export async function policyScene(options: WritingOptions = {}): Promise<PolicyScene> {
  const audit = new Map<string, string>();
  // The plugin needs the store of the scene, which needs the plugin.
  const plugins: Admission[] = [];
  const scene = await writingScene({
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
  const { store, services } = scene;
  const { registry, authorizer } = services;
  const rooms = { store, registry, authorizer, dialect: kubernetes, conditions: celConditions(authorizer) };
  plugins.push(validatingPolicies(rooms));
  const sendPolicy = (name: string, spec: JsonObject) =>
    scene.send('POST', `${GROUP}/validatingadmissionpolicies`, {
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name },
        spec: { matchConstraints: { resourceRules: CONFIGMAP_RULES }, ...spec },
      },
    });
  return {
    ...scene,
    audit,
    sendPolicy,
    async policy(name, spec) {
      created(await sendPolicy(name, spec));
      await scene.controllers.idle();
    },
    async binding(name, spec = {}) {
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name },
        spec: { policyName: name, validationActions: ['Deny'], ...spec },
      };
      created(await scene.send('POST', `${GROUP}/validatingadmissionpolicybindings`, { body }));
    },
    async stop() {
      await plugins[0]?.stop?.();
      scene.controllers.stop();
    },
  };
}

function created({ status, body }: Heard): void {
  if (status !== 201) throw new Error(JSON.stringify(body));
}
