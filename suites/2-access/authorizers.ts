import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import {
  type Actor,
  type AskedAccess,
  authority,
  authorizationWebhook,
  isRecord,
  match,
  type Services,
  type Setup,
  type SetupOf,
} from '../harness/index.ts';

/** An entry of an AuthorizationConfiguration that asks a webhook of the harness. */
interface Asking {
  readonly webhook: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly connection: object;
}
/** Any entry: one that asks a webhook of the harness, or one as it stands in the file. */
export type AuthorizerEntry = Asking | { readonly type?: string; readonly name?: string; readonly webhook?: object };

export const RBAC: AuthorizerEntry = { type: 'RBAC', name: 'rbac' };
export const NODE: AuthorizerEntry = { type: 'Node', name: 'node' };

/** Has the webhook of this name asked; a setting, or a member of its connection, that is `undefined` is left out. */
export function asks(
  webhook: string,
  settings: Asking['settings'] = {},
  name = webhook,
  connection: object = {},
): AuthorizerEntry {
  return { webhook, name, settings, connection };
}

/** The file of an AuthorizationConfiguration in a setup. */
export const CONFIG = 'authorization.json';

/** The release in which the configuration is as the text has it: earlier ones have other versions of it, or none. */
export const IN_THE_TEXT = 32;

/** An AuthorizationConfiguration, and the files that it names. */
export async function configured(
  entries: readonly AuthorizerEntry[],
  services: Services,
  dialect: Dialect,
): Promise<{ readonly config: object; readonly files: Required<Setup>['files'] }> {
  const { authorizers, files } = await written(entries, services);
  const apiVersion = `${groupName(dialect, 'apiserver.config')}/v1`;
  return { config: { apiVersion, kind: 'AuthorizationConfiguration', authorizers }, files };
}

/**
 * What a server is started with whose authorizers stand in a file, in this order; it trusts {@link known} users.
 * `more` are further members of the configuration.
 */
export function byFile(entries: readonly AuthorizerEntry[], more: object = {}): SetupOf {
  return async (services, dialect) => {
    const { config, files } = await configured(entries, services, dialect);
    const flags = [`--authorization-config={${CONFIG}}`];
    return trusting(services, { flags, files: { [CONFIG]: { ...config, ...more }, ...files }, since: IN_THE_TEXT });
  };
}

/** What a server is started with whose authorizers are these modes, comma-separated; `more` is what they need. */
export function byModes(modes: string, more: Setup | SetupOf = {}): SetupOf {
  return async (services, dialect) => {
    const { flags = [], ...others } = typeof more === 'function' ? await more(services, dialect) : more;
    return trusting(services, { ...others, flags: [`--authorization-mode=${modes}`, ...flags] });
  };
}

/** Mode Webhook asks the webhook of this name. */
export function askedByMode(webhook: string, ...flags: readonly string[]): SetupOf {
  return async (services) => {
    const { configFile, files } = await services.get(authorizationWebhook, webhook);
    return { flags: [`--authorization-webhook-config-file=${configFile}`, ...flags], files };
  };
}

/** Somebody whom a certificate makes known to a server of these setups. */
export async function known(
  { someone, services }: { readonly someone: (name: string, identity: object) => Actor; readonly services: Services },
  user: string,
  groups: readonly string[] = [],
): Promise<Actor> {
  const { certificate, key } = await (await services.get(authority)).client(user, groups);
  return someone(user, { certificate, key, user });
}

/** A path at which nothing is served: who may ask it finds nothing, who may not is told so. */
export const NOWHERE = '/touchstone/nowhere';
export const allowed = match.status(404);

async function trusting(services: Services, { flags = [], files = {}, ...others }: Setup): Promise<Setup> {
  const { pem } = await services.get(authority);
  return { ...others, flags: ['--client-ca-file={ca.crt}', ...flags], files: { 'ca.crt': pem, ...files } };
}

async function written(entries: readonly AuthorizerEntry[], services: Services) {
  const files: Record<string, string | object> = {};
  const authorizers = await Promise.all(
    entries.map(async (entry) => {
      if (!('settings' in entry)) return entry;
      const hook = await services.get(authorizationWebhook, entry.webhook);
      Object.assign(files, hook.files);
      const webhook = {
        timeout: '10s',
        subjectAccessReviewVersion: 'v1',
        matchConditionSubjectAccessReviewVersion: 'v1',
        failurePolicy: 'NoOpinion',
        connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: hook.configFile, ...entry.connection },
        ...entry.settings,
      };
      return { type: 'Webhook', name: entry.name, webhook };
    }),
  );
  return { authorizers, files };
}

/** What a question is about: its attributes of a resource, or of a path. */
export function attributesIn({ spec }: AskedAccess): Readonly<Record<string, unknown>> {
  const attributes = spec.resourceAttributes ?? spec.nonResourceAttributes;
  return isRecord(attributes) ? attributes : {};
}
