import { authority, clientConfig, type SetupOf, tokenWebhook, WEBHOOK_FILE } from '../../harness/index.ts';

/** A server that asks the webhook of the harness, with these flags beside the one that names it. */
export const hooked =
  (...more: readonly string[]): SetupOf =>
  async (services) => {
    const { flags, files } = (await services.get(tokenWebhook)).setup;
    return { flags: [...flags, ...more], files };
  };

export const byDefault = hooked();
export const CACHE = '--authentication-token-webhook-cache-ttl';

/** The version flag takes group and version, as the text has it (2/webhook-token-flags/t1.3). */
export const asVersion =
  (version: string): SetupOf =>
  async (services, dialect) =>
    hooked(`--authentication-token-webhook-version=authentication.${dialect.apiDomain}/${version}`)(services, dialect);
export const asV1 = asVersion('v1');

/** The webhook's certificate is to be verified by an authority that did not sign it. */
export const byAnotherAuthority: SetupOf = async (services) => {
  const { flags, files } = (await services.get(tokenWebhook)).setup;
  return { flags, files: { ...files, 'token-webhook-ca.crt': (await services.get(authority, 'another')).pem } };
};

/** A server whose client configuration is the sound one, changed so. */
export const configured =
  (change: (sound: Readonly<Record<string, unknown>>) => string | object): SetupOf =>
  async (services) => {
    const { url, setup } = await services.get(tokenWebhook);
    return { ...setup, files: { ...setup.files, [WEBHOOK_FILE]: change({ ...clientConfig(url) }) } };
  };
