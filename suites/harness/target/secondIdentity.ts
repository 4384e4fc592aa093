import { Connections } from '../client/connections.ts';
import { isRecord } from '../json.ts';
import { NAME_PREFIX, RUN_LABEL } from '../space.ts';
import { lacking } from './capabilities.ts';
import { plainIdentity } from './detectCapabilities.ts';
import { type Probe, Prober } from './probe.ts';
import { userOf } from './selfReview.ts';
import type { Target } from './target.ts';

/** How long the token of the second identity is asked to be good: seconds. A server may give it less. */
const LIFE = 24 * 3_600;

/** Whether {@link withSecondIdentity} would make one: the target was running already, and nobody gave one. */
export function lacksSecondIdentity({ mode, identities, capabilities }: Target): boolean {
  return mode === 'url' && !identities.plain && lacking(capabilities, 'service-account-tokens') === undefined;
}

/**
 * Makes somebody without rights of their own where nobody gave one: a service account in a namespace of the run,
 * which goes when the run is swept.
 * Out: the target with that identity; where it cannot be made the same target, with the reason in its capabilities.
 */
export async function withSecondIdentity(target: Target, run: string): Promise<Target> {
  const connections = new Connections(target);
  try {
    const prober = new Prober(target.base, connections);
    const token = await tokenOfAccount(prober, target, run);
    if (typeof token !== 'string') return finding(target, false, token.because);
    const user = await userOf(prober, target, target.identities.admin ?? {}, { token });
    const made = { ...target, identities: { ...target.identities, plain: { token, ...(user ? { user } : {}) } } };
    const { present, because } = await plainIdentity(prober, made);
    return present
      ? finding(made, true, `${because}, an account that the run has made`)
      : finding(target, false, because);
  } finally {
    await connections.close();
  }
}

function finding(target: Target, present: boolean, because: string): Target {
  const others = target.capabilities.filter(({ name }) => name !== 'plain-identity');
  return { ...target, capabilities: [...others, { name: 'plain-identity', present, because }] };
}

/** A token of an account that is made for it, or why there is none. */
async function tokenOfAccount(prober: Prober, target: Target, run: string): Promise<string | { because: string }> {
  const admin = target.identities.admin ?? {};
  const namespace = `${NAME_PREFIX}-${run}-plain`;
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const labels = { [RUN_LABEL]: run };
  const steps: readonly (readonly [string, string, object])[] = [
    ['a namespace for a second identity', '/api/v1/namespaces', core('Namespace', { name: namespace, labels })],
    ['a service account as a second identity', accounts, core('ServiceAccount', { name: 'plain', labels })],
    [
      'a token of that account',
      `${accounts}/plain/token`,
      {
        apiVersion: `authentication.${target.dialect.apiDomain}/v1`,
        kind: 'TokenRequest',
        spec: { expirationSeconds: LIFE },
      },
    ],
  ];
  let answer: Probe | undefined;
  for (const [what, path, body] of steps) {
    answer = await prober.post(admin, path, body);
    if (answer.status < 200 || answer.status > 202) {
      return { because: `no second identity was given, and ${what} was answered ${answer.failure ?? answer.status}` };
    }
  }
  const status = isRecord(answer?.json) && isRecord(answer.json.status) ? answer.json.status : {};
  return typeof status.token === 'string' ? status.token : { because: 'the token of a second identity is missing' };
}

const core = (kind: string, metadata: object) => ({ apiVersion: 'v1', kind, metadata });
