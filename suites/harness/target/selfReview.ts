import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { isRecord } from '../json.ts';
import type { Probe, Prober } from './probe.ts';
import type { Identity, Target } from './target.ts';

type Asked = Pick<Target, 'dialect' | 'served'>;

/** Version, path and body of the question who one is (2/identity-endpoints/t1.1). */
export function selfReview({ apiDomain }: Dialect): { readonly path: string; readonly body: object } {
  const apiVersion = `authentication.${apiDomain}/v1`;
  return { path: `/apis/${apiVersion}/selfsubjectreviews`, body: { apiVersion, kind: 'SelfSubjectReview' } };
}

/** Whether discovery names that question: whoever does not serve it can still be asked of others whose a token is. */
export const servesSelfReviews = ({ dialect, served }: Asked): boolean =>
  served.includes(`authentication.${dialect.apiDomain}/v1/selfsubjectreviews`);

/** Path and body of the question whose a token is (2/identity-endpoints/t1.2). */
export function tokenReview({ apiDomain }: Dialect, token: string): { readonly path: string; readonly body: object } {
  const apiVersion = `authentication.${apiDomain}/v1`;
  return { path: `/apis/${apiVersion}/tokenreviews`, body: { apiVersion, kind: 'TokenReview', spec: { token } } };
}

/** The user name by which the target knows an identity; `undefined` where it does not tell. */
export async function userOf(
  prober: Prober,
  { dialect, served }: Asked,
  admin: Identity,
  identity: Identity,
): Promise<string | undefined> {
  if (servesSelfReviews({ dialect, served })) {
    const { path, body } = selfReview(dialect);
    return userIn(await prober.post(identity, path, body));
  }
  if (!identity.token || identity.certificate) return undefined;
  const { path, body } = tokenReview(dialect, identity.token);
  return userIn(await prober.post(admin, path, body), 'user');
}

/** The user name in the answer to a review. */
export function userIn({ json }: Probe, member: 'userInfo' | 'user' = 'userInfo'): string | undefined {
  const status = isRecord(json) ? json.status : undefined;
  const info = isRecord(status) ? status[member] : undefined;
  return isRecord(info) && typeof info.username === 'string' && info.username !== '' ? info.username : undefined;
}
