import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { type Actor, isRecord, match, should } from '../../harness/index.ts';

const TEMPLATE = { metadata: { labels: { app: 'effect' } }, spec: { containers: [{ name: 'c', image: 'none' }] } };

/** How often a server warns of pods that their namespace wants otherwise. */
export async function podSecurity(actor: Actor): Promise<unknown> {
  const labels = { [`pod-security.${actor.dialect.labelDomain}/warn`]: 'restricted' };
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'touchstone-effect-', labels } };
  const { json } = await actor.request('POST', '/api/v1/namespaces', { body });
  const name = isRecord(json) && isRecord(json.metadata) ? String(json.metadata.name) : '';
  const answer = await actor.request('POST', `/apis/apps/v1/namespaces/${name}/deployments?dryRun=All`, {
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'effect' },
      spec: { selector: { matchLabels: TEMPLATE.metadata.labels }, template: TEMPLATE },
    },
  });
  await actor.request('DELETE', `/api/v1/namespaces/${name}`);
  return [answer.status, answer.header('warning').length];
}

/** What becomes of a config map that a policy refuses, where a server has such policies. */
export async function policies(actor: Actor): Promise<unknown> {
  const apiVersion = `${groupName(actor.dialect, 'admissionregistration')}/v1`;
  const name = 'touchstone-effect';
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] };
  const expression = "!has(object.data) || !('touchstone' in object.data)";
  const parts = [
    [
      'validatingadmissionpolicies',
      'ValidatingAdmissionPolicy',
      { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
    ],
    [
      'validatingadmissionpolicybindings',
      'ValidatingAdmissionPolicyBinding',
      { policyName: name, validationActions: ['Deny'] },
    ],
  ] as const;
  const made = [];
  for (const [plural, kind, spec] of parts) {
    const body = { apiVersion, kind, metadata: { name }, spec };
    made.push((await actor.request('POST', `/apis/${apiVersion}/${plural}`, { body })).status);
  }
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { touchstone: 'effect' } };
  const ask = () => actor.request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { body });
  // Where it can be written, it counts a moment later.
  const { subject } = made.every((status) => status < 300)
    ? await should(ask, match.refusal, { within: 3_000 })
    : { subject: await ask() };
  for (const [plural] of parts) await actor.request('DELETE', `/apis/${apiVersion}/${plural}/${name}`);
  return [...made, subject.status];
}
