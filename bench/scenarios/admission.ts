import { type LoadRequest, type LoadResult, load, poolTo, send } from '../load.ts';
import { type Served, startHook } from '../processes.ts';
import { type BenchScenario, CONFIG_MAPS, configMap, type FigureRow, milliseconds, perSecond } from './scenario.ts';

const HOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
/** As many as one hook may have. */
const CONDITIONS = 64;
/** Writes that wait for the hook that hangs while others are measured. */
const WAITING = 50;
const RULES = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];

/** What conditions, policies and webhooks add to a write, and whether one that hangs holds up others. */
export const admission: BenchScenario = {
  name: 'admission',
  async run({ reference, milliseconds: duration }) {
    const hook = await startHook();
    const pool = poolTo(reference);
    try {
      const configure = async (path: string, options: object): Promise<() => Promise<unknown>> => {
        const name = `bench-${path}`;
        await send(pool, reference, hookConfiguration(name, `${hook.base}/${path}`, hook.certificate, options));
        return () => send(pool, reference, { method: 'DELETE', path: `${HOOKS}/${name}` });
      };
      const plain = await creates(reference, 'plain', duration);
      const alone = await creates(reference, 'alone', duration, 1);

      const dropConditions = await configure('conditions', { matchConditions: conditions() });
      const judged = await creates(reference, 'judged', duration);
      await dropConditions();

      await send(pool, reference, { method: 'POST', path: POLICIES, body: JSON.stringify(policy()) });
      await send(pool, reference, { method: 'POST', path: BINDINGS, body: JSON.stringify(binding()) });
      const held = await creates(reference, 'held', duration);
      await send(pool, reference, { method: 'DELETE', path: `${BINDINGS}/bench` });

      const dropHook = await configure('allow', {});
      const asked = await creates(reference, 'asked', duration, 1);
      await dropHook();

      const dropHang = await configure('hang', {
        objectSelector: { matchLabels: { wait: 'yes' } },
        timeoutSeconds: 30,
      });
      const others = poolTo(reference, WAITING);
      const waiting = Array.from({ length: WAITING }, (_, index) =>
        send(others, reference, create(`waiting-${index}`, { wait: 'yes' })).catch(() => {}),
      );
      const beside = await creates(reference, 'beside', duration);
      await others.destroy();
      await Promise.all(waiting);
      await dropHang();
      return [
        { name: `match conditions, ${CONDITIONS} a create`, figure: perSecond(judged.perSecond * CONDITIONS) },
        { name: 'create held to a policy of four rules', figure: perSecond(held.perSecond), ratio: share(held, plain) },
        {
          name: 'create that asks one webhook, one client',
          figure: `p50 ${milliseconds(asked.p50)}`,
          ratio: `${milliseconds(asked.p50 - alone.p50)} more than without`,
        },
        {
          name: `create beside ${WAITING} that wait for a webhook that hangs`,
          figure: `${perSecond(beside.perSecond)}, p99 ${milliseconds(beside.p99)}`,
          ratio: share(beside, plain),
        },
      ] satisfies FigureRow[];
    } finally {
      await pool.destroy();
      await hook.stop();
    }
  },
};

function share(one: LoadResult, plain: LoadResult): string {
  return `${(one.perSecond / plain.perSecond).toFixed(2)} of a plain create`;
}

function creates(reference: Served, prefix: string, duration: number, clients?: number): Promise<LoadResult> {
  return load(reference, (index) => create(`${prefix}-${index}`), duration, clients);
}

function create(name: string, labels?: Readonly<Record<string, string>>): LoadRequest {
  const body = configMap(name);
  if (!labels) return { method: 'POST', path: CONFIG_MAPS, body };
  const object = JSON.parse(body) as { metadata: object };
  return { method: 'POST', path: CONFIG_MAPS, body: JSON.stringify({ ...object, metadata: { name, labels } }) };
}

/** All of them hold but the last, so that all are looked at and nothing is asked. */
function conditions(): object[] {
  return Array.from({ length: CONDITIONS }, (_, index) => ({
    name: `c${index}`,
    expression:
      index < CONDITIONS - 1
        ? `request.operation == 'CREATE' && object.metadata.name.size() > ${index % 4}`
        : "request.userInfo.username == 'nobody'",
  }));
}

function hookConfiguration(name: string, url: string, certificate: string, options: object): LoadRequest {
  const webhook = {
    name: `${name}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url, caBundle: Buffer.from(certificate).toString('base64') },
    rules: RULES,
    failurePolicy: 'Ignore',
    ...options,
  };
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook],
  };
  return { method: 'POST', path: HOOKS, body: JSON.stringify(body) };
}

function policy(): object {
  const validations = [
    { expression: "object.metadata.name != ''" },
    { expression: 'variables.size < 100' },
    { expression: "!has(object.metadata.annotations) || object.metadata.annotations.all(k, k != 'x')" },
    { expression: 'object.data.all(k, object.data[k].size() < 2000)' },
  ];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'bench' },
    spec: {
      matchConstraints: { resourceRules: RULES },
      variables: [{ name: 'size', expression: 'size(object.data)' }],
      validations,
    },
  };
}

function binding(): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'bench' },
    spec: { policyName: 'bench', validationActions: ['Deny'] },
  };
}
