import type { Exchange } from '../api/request.ts';
import type { Answer } from '../contracts/answer.ts';
import type { ServiceAccountOptions } from '../contracts/serverOptions.ts';
import type { AccountKeys } from './accountKeys.ts';

const CACHED = { 'cache-control': 'public, max-age=3600' };

/**
 * What others need to check service account tokens by themselves (2/methods/t1.4): the discovery document of the
 * issuer and its keys.
 *
 * @param address `https://host:port` of this server, for the document when no key address is configured
 * @returns the answer for one of the two paths, undefined for any other
 */
export function issuerDiscovery(
  options: ServiceAccountOptions,
  keys: AccountKeys,
  address: () => string,
): (exchange: Exchange) => Promise<Answer | undefined> {
  return async ({ info }) => {
    if (info.isResource || info.verb !== 'get') return undefined;
    if (info.path === '/.well-known/openid-configuration') {
      const algorithms = (await keys.checking()).map((key) => key.algorithms[0] as string);
      return json('application/json', {
        issuer: options.issuers[0],
        jwks_uri: options.jwksUri ?? `${address()}/openid/v1/jwks`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [...new Set(algorithms)].sort(),
      });
    }
    if (info.path !== '/openid/v1/jwks') return undefined;
    return json('application/jwk-set+json', {
      keys: (await keys.checking()).map(({ id, key, algorithms }) => {
        const { kty, ...parts } = key.export({ format: 'jwk' });
        return { use: 'sig', kty, kid: id, alg: algorithms[0], ...parts };
      }),
    });
  };
}

function json(contentType: string, body: unknown): Answer {
  return { kind: 'text', code: 200, contentType, body: JSON.stringify(body), headers: CACHED };
}
