import type { JsonObject } from '../reference/api/json.ts';
import { AccountKeys } from '../reference/authentication/accountKeys.ts';
import { SeededRandom } from '../reference/random.ts';
import { httpClient, standAtHost } from '../reference/remote/httpClient.ts';
import type { StoryService, StoryWebhook } from './scenario.ts';

interface Said {
  readonly code: number;
  readonly text: string;
}
type Review = { readonly apiVersion: string; readonly kind: string; readonly spec: Record<string, unknown> };

/** What stands in for programs outside of the server while a story is played; they are asked without a network. */
export interface StandIns {
  /** ID tokens that issuers have made, by their names. */
  readonly tokens: ReadonlyMap<string, { readonly token: string }>;
  /** Puts services in the place of those at their hosts. */
  replace(services: readonly StoryService[]): void;
  leave(): void;
}

/** @param now instant at which ID tokens are issued, in milliseconds */
export async function standIns(
  webhooks: readonly StoryWebhook[],
  services: readonly StoryService[],
  now: number,
): Promise<StandIns> {
  // Loaded while the clock stands: a request that waits longer lets time pass.
  if (webhooks.length + services.length > 0) await httpClient();
  const leave = new Map<string, () => void>();
  const tokens = new Map<string, { readonly token: string }>();
  const issuer = services.some((service) => service.tokens) ? await createIssuer() : undefined;
  const stand = (host: string, answer: (body: string, path: string) => Said) =>
    leave.set(host, standAtHost(host, answer));
  for (const webhook of webhooks) stand(webhook.host, (body) => answerAdmission(webhook, body));
  const replace = (changed: readonly StoryService[]) => {
    for (const service of changed) stand(service.host, (body, path) => answerService(service, body, path, issuer));
  };
  replace(services);
  for (const { host, tokens: claims = {} } of services) {
    for (const [name, own] of Object.entries(claims)) {
      const iat = Math.floor(now / 1000);
      const token = await issuer?.sign({ iss: `https://${host}`, iat, exp: iat + 3600, ...(own as object) });
      if (token) tokens.set(name, { token });
    }
  }
  return { tokens, replace, leave: () => leave.forEach((one) => void one()) };
}

/** Keys of an issuer, the same in each story: what they sign is good for stories alone. */
const KEY_SEED = 41;

interface Issuer {
  readonly keySet: string;
  sign(claims: JsonObject): Promise<string>;
}
let made: Promise<Issuer> | undefined;

function createIssuer(): Promise<Issuer> {
  made ??= (async () => {
    const keys = new AccountKeys({ keys: [], signingKey: undefined }, new SeededRandom(KEY_SEED));
    const { id, key } = await keys.signing();
    const keySet = JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' }] });
    return { keySet, sign: (claims) => keys.sign(claims) };
  })();
  return made;
}

function answerService(service: StoryService, body: string, path: string, issuer: Issuer | undefined): Said {
  const { host, users, allows, denies, tokens, fails } = service;
  if (fails !== undefined) return { code: fails, text: '' };
  if (tokens && issuer) {
    if (path === '/keys') return { code: 200, text: issuer.keySet };
    const url = `https://${host}`;
    return { code: 200, text: JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }) };
  }
  const { apiVersion, kind, spec } = JSON.parse(body) as Review;
  const status = users ? knownAs(users, spec) : decided(allows ?? [], denies ?? [], spec);
  return { code: 200, text: JSON.stringify({ apiVersion, kind, status }) };
}

function knownAs(users: Readonly<Record<string, unknown>>, { token }: Review['spec']): object {
  const name = String(token);
  return Object.hasOwn(users, name) ? { authenticated: true, user: users[name] } : { authenticated: false };
}

type Attributes = Readonly<Record<string, unknown>>;

function decided(allows: readonly Attributes[], denies: readonly Attributes[], spec: Review['spec']): object {
  const asked: Record<string, unknown> = {
    user: spec.user,
    ...(spec.resourceAttributes as object | undefined),
    ...(spec.nonResourceAttributes as object | undefined),
  };
  const among = (attributes: readonly Attributes[]) =>
    attributes.some((one) => Object.entries(one).every(([name, value]) => asked[name] === value));
  if (among(denies)) return { allowed: false, denied: true, reason: 'the service says no' };
  return among(allows) ? { allowed: true, reason: 'the service says yes' } : { allowed: false };
}

/** What a webhook for admission says to a review. */
function answerAdmission({ refuses, because, patch, fails, answers = {} }: StoryWebhook, body: string): Said {
  if (fails !== undefined) return { code: fails, text: '' };
  if (answers.text !== undefined) return { code: 200, text: answers.text };
  const { apiVersion, request } = JSON.parse(body) as {
    apiVersion: string;
    request: { uid: string; object: unknown };
  };
  const allowed = refuses === undefined || !JSON.stringify(request.object ?? '').includes(refuses);
  const status = allowed ? {} : { status: { message: because ?? 'no', code: 403 } };
  const change =
    patch === undefined || !allowed ? {} : { patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') };
  const response = { uid: request.uid, allowed, ...status, ...change, ...answers.response };
  return { code: 200, text: JSON.stringify({ apiVersion, kind: 'AdmissionReview', ...answers.review, response }) };
}
