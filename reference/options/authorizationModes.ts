import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { nearest } from '../collections/nearest.ts';
import type { AuthorizationWebhookOptions, AuthorizerOptions } from '../contracts/serverOptions.ts';
import { ContentFault, type Files, readIn } from '../ports/files.ts';
import { readAbacPolicy } from './abacPolicy.ts';
import { readClientConfig } from './clientConfig.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { FlagName, FlagValues } from './flagTable.ts';

const PLAIN = ['AlwaysAllow', 'AlwaysDeny', 'RBAC', 'Node'] as const;
const MODES: readonly string[] = [...PLAIN, 'ABAC', 'Webhook'];
/** Time for one call when the flags configure the webhook, in milliseconds. */
const TIMEOUT = 30_000;

/**
 * The authorizers that `--authorization-mode` lists, in its order (2/authorization/p4).
 *
 * @returns undefined when something is wrong; the findings say what
 */
export function readAuthorizationModes(
  flags: FlagValues,
  given: ReadonlySet<FlagName>,
  dialect: Dialect,
  files: Files,
  found: Diagnostics,
): AuthorizerOptions[] | undefined {
  const modes = flags['authorization-mode'];
  const before = found.errors.length;
  if (modes.length === 0) found.error('--authorization-mode: at least one mode is needed');
  for (const mode of new Set(modes)) {
    if (!MODES.includes(mode)) {
      const close = MODES.find((known) => known.toLowerCase() === mode.toLowerCase()) ?? nearest(mode, MODES);
      found.error(`--authorization-mode: there is no mode ${mode}${close ? `; did you mean ${close}?` : ''}`);
    }
    if (modes.filter((other) => other === mode).length > 1)
      found.error(`--authorization-mode: ${mode} stands there twice`);
  }
  const path = flags['authorization-policy-file'];
  const abac = modes.includes('ABAC');
  if (abac && path === '') found.error('--authorization-mode: ABAC needs --authorization-policy-file');
  if (!abac && given.has('authorization-policy-file')) {
    found.error('--authorization-policy-file is of use only with mode ABAC');
  }
  const policy =
    abac && path !== ''
      ? found.of('authorization-policy-file', () => readIn(files, path, (text) => readAbacPolicy(text, dialect)))
      : undefined;
  found.notes.push(...(policy?.notes ?? []).map((note) => `--authorization-policy-file: ${note}`));
  const webhook = readWebhook(flags, given, files, found);
  if (found.errors.length > before) return undefined;
  return modes.map((mode): AuthorizerOptions => {
    if (mode === 'Webhook' && webhook) return { type: 'Webhook', name: 'default', webhook };
    if (mode === 'ABAC') return { type: 'ABAC', name: 'abac', policy: policy?.policies ?? [] };
    const type = PLAIN.find((plain) => plain === mode) as (typeof PLAIN)[number];
    return { type, name: mode.toLowerCase() };
  });
}

function readWebhook(
  flags: FlagValues,
  given: ReadonlySet<FlagName>,
  files: Files,
  found: Diagnostics,
): AuthorizationWebhookOptions | undefined {
  const path = flags['authorization-webhook-config-file'];
  if (!flags['authorization-mode'].includes('Webhook')) {
    if (given.has('authorization-webhook-config-file')) {
      found.error('--authorization-webhook-config-file is of use only with mode Webhook');
    }
    return undefined;
  }
  if (path === '') return found.error('--authorization-mode: Webhook needs --authorization-webhook-config-file');
  const version = found.of('authorization-webhook-version', () =>
    reviewVersion(flags['authorization-webhook-version']),
  );
  const remote = found.of('authorization-webhook-config-file', () => readClientConfig(path, files));
  return (
    version &&
    remote && {
      remote,
      version,
      timeout: TIMEOUT,
      authorizedTtl: flags['authorization-webhook-cache-authorized-ttl'],
      unauthorizedTtl: flags['authorization-webhook-cache-unauthorized-ttl'],
      failurePolicy: 'NoOpinion',
      conditions: [],
    }
  );
}

/** @throws ContentFault when it is no version of a review */
export function reviewVersion(text: string): 'v1' | 'v1beta1' {
  if (text === 'v1' || text === 'v1beta1') return text;
  throw new ContentFault(`${text} is neither v1 nor v1beta1`);
}
