import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { type FieldError, invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { badRequest, conflict, invalidObject, notFound } from '../api/status.ts';
import { serviceAccountUser } from '../contracts/rbacObjects.ts';
import type { SubresourceOperation } from '../contracts/resourceType.ts';
import type { ServiceAccountOptions } from '../contracts/serverOptions.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { type TokenObjectReference, writeBoundClaims } from '../objects/accountClaims.ts';
import { type Random, uuid } from '../random.ts';
import { type Clock, formatTime } from '../time.ts';
import type { AccountKeys } from './accountKeys.ts';

const SHORTEST = 600;
const LONGEST = 2 ** 32;
const DEFAULT = 3600;
/** The life that a pod's projected token asks for; it may then live a year, with a warning after the hour. */
const PROJECTED = 3607;
const YEAR = 365 * 24 * 3600;

export interface TokenRequestDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
  readonly keys: AccountKeys;
  readonly options: ServiceAccountOptions;
  /** Audiences of this server: what a request without audiences gets. */
  readonly audiences: readonly string[];
}
interface Bound {
  readonly secret?: TokenObjectReference;
  readonly pod?: TokenObjectReference;
  readonly node?: TokenObjectReference;
}

/**
 * The token subresource of a service account (2/methods/t1.4): signs a token for the account, good for the audiences
 * asked and the time asked, and bound to the secret, pod or node named.
 *
 * Throws ApiError 422 for a life out of bounds or another account's name, 400 for a binding to something else, 404 and
 * 409 for a bound object that is not there or is another one.
 */
export function tokenRequest(dependencies: TokenRequestDependencies): SubresourceOperation {
  const kind = { group: groupName(dependencies.dialect, 'authentication'), kind: 'TokenRequest' };
  const run: SubresourceOperation = async ({ parent, body, exchange }) => {
    const name = parent.metadata.name ?? '';
    const namespace = parent.metadata.namespace ?? '';
    const given = body.metadata.name;
    if (given && given !== name) {
      const path = FieldPath.of('metadata', 'name');
      throw invalidObject(kind, name, [invalid(path, given, 'must match the service account name if specified')]);
    }
    const spec: JsonObject = isObject(body.spec) ? body.spec : {};
    const asked = spec.expirationSeconds ?? DEFAULT;
    const errors = validateLife(asked as number | bigint);
    if (errors.length > 0) throw invalidObject(kind, '', errors);
    const audiences =
      Array.isArray(spec.audiences) && spec.audiences.length > 0
        ? (spec.audiences as string[])
        : dependencies.audiences;

    const bound = isObject(spec.boundObjectRef) ? await findBound(dependencies, parent, spec.boundObjectRef) : {};
    let seconds = Number(asked);
    const { maxExpiration, extendExpiration } = dependencies.options;
    if (maxExpiration !== undefined && seconds * 1000 > maxExpiration) {
      const longest = Math.floor(maxExpiration / 1000);
      exchange.warnings.add(`requested expiration of ${seconds} seconds shortened to ${longest} seconds`);
      seconds = longest;
    }
    const ours = audiences.every((audience) => dependencies.audiences.includes(audience));
    const extended = extendExpiration && bound.pod !== undefined && seconds === PROJECTED && ours;

    const now = Math.floor(dependencies.clock.now() / 1000);
    const id = uuid(dependencies.random);
    const payload = writeBoundClaims(
      {
        issuer: dependencies.options.issuers[0] as string,
        subject: serviceAccountUser(namespace, name),
        audiences,
        expires: now + (extended ? YEAR : seconds),
        notBefore: now,
        id,
        namespace,
        account: { name, uid: parent.metadata.uid ?? '' },
        secret: bound.secret,
        pod: bound.pod,
        node: bound.node,
      },
      now,
      dependencies.dialect.labelDomain,
      extended ? now + seconds : undefined,
    );
    const token = await dependencies.keys.sign(payload);
    exchange.audit.set(`authentication.${dependencies.dialect.labelDomain}/issued-credential-id`, `JTI=${id}`);
    const answer: ApiObject = {
      ...body,
      apiVersion: `${kind.group}/v1`,
      kind: kind.kind,
      metadata: {
        ...body.metadata,
        name,
        namespace,
        uid: parent.metadata.uid,
        creationTimestamp: parent.metadata.creationTimestamp,
      },
      spec: {
        ...spec,
        audiences: [...audiences],
        expirationSeconds: seconds,
        boundObjectRef: spec.boundObjectRef ?? null,
      },
      status: { token, expirationTimestamp: formatTime((now + seconds) * 1000) },
    };
    return { answer, code: 201 };
  };
  return Object.assign(run, { complete: completeWith(dependencies.audiences) });
}

/** Names the account that a request is about, and the audiences that it gets where it asks for none. */
function completeWith(audiences: readonly string[]): SubresourceOperation['complete'] {
  return (body, { metadata }) => {
    const { name, namespace, uid, creationTimestamp } = metadata;
    const spec: JsonObject = isObject(body.spec) ? body.spec : {};
    const asked = Array.isArray(spec.audiences) && spec.audiences.length > 0 ? spec.audiences : [...audiences];
    return {
      ...body,
      metadata: { name, namespace, ...body.metadata, uid, creationTimestamp },
      spec: { ...spec, audiences: asked },
    };
  };
}

function validateLife(seconds: number | bigint): FieldError[] {
  const path = FieldPath.of('spec', 'expirationSeconds');
  if (seconds < SHORTEST) return [invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > LONGEST) return [invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

const BINDABLE: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };

async function findBound(
  dependencies: TokenRequestDependencies,
  account: ApiObject,
  reference: JsonObject,
): Promise<Bound> {
  const [apiVersion, kind, name, uid] = ['apiVersion', 'kind', 'name', 'uid'].map((field) =>
    typeof reference[field] === 'string' ? reference[field] : '',
  ) as [string, string, string, string];
  const resource = apiVersion === 'v1' && Object.hasOwn(BINDABLE, kind) ? BINDABLE[kind] : undefined;
  if (!resource) {
    const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    throw badRequest(`cannot bind token to object of type ${version}, Kind=${kind}`);
  }
  const find = async (type: string, at: string, which: string) =>
    (await dependencies.store.get(objectKey({ group: '', resource: type }, at, which)))?.object;
  const object = await find(resource, kind === 'Node' ? '' : (account.metadata.namespace ?? ''), name);
  if (!object) throw notFound({ group: '', resource }, name);
  const bound: TokenObjectReference = { name, uid: object.metadata.uid ?? '' };
  const spec: JsonObject = isObject(object.spec) ? object.spec : {};
  if (kind === 'Pod' && spec.serviceAccountName !== account.metadata.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${account.metadata.name}" to pod running with different serviceaccount name.`,
    );
  }
  if (uid !== '' && uid !== bound.uid) {
    throw conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (kind === 'Secret') return { secret: bound };
  if (kind === 'Node') return { node: bound };
  if (typeof spec.nodeName !== 'string' || spec.nodeName === '') return { pod: bound };
  const node = await find('nodes', '', spec.nodeName);
  return { pod: bound, node: { name: spec.nodeName, uid: node?.metadata.uid ?? '' } };
}
