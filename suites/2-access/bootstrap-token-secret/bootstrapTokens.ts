import { randomBytes } from 'node:crypto';
import type { Exchange } from '../../harness/index.ts';
import {
  type Actor,
  configMaps,
  isRecord,
  match,
  RUN_LABEL,
  secondsFromNow,
  secrets,
  should,
  unsupported,
} from '../../harness/index.ts';

/** A bootstrap token, and the name of its secret. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** As a client shows it. */
  readonly text: string;
  readonly name: string;
}

/** Six and sixteen characters, as the token has to have them. */
export function newToken(id = randomBytes(3).toString('hex'), secret = randomBytes(8).toString('hex')): BootstrapToken {
  return { id, secret, text: `${id}.${secret}`, name: `bootstrap-token-${id}` };
}
/** An RFC 3339 time in UTC, so many seconds from now. */
export const inSeconds = (seconds: number): string =>
  `${new Date(secondsFromNow(seconds) * 1000).toISOString().slice(0, 19)}Z`;

/** Values of a usage that are not `true`, some almost. */
export const NOT_TRUE = [
  'false',
  'TRUE',
  'True',
  'tRUE',
  't',
  'T',
  'yes',
  'on',
  '',
  ' true',
  'true ',
  'true\n',
  'true,',
  '"true"',
  'true,true',
  'truee',
  '1',
] as const;

/** What an object of a token differs in from a sound one that authenticates; a key that is `undefined` is not there. */
export interface Differences {
  readonly name?: string;
  readonly type?: string;
  readonly namespace?: string;
  readonly data?: Readonly<Record<string, string | undefined>>;
  /** Its secret stays when a token cleaner deletes it. */
  readonly held?: true;
}

/** Whether the target takes bootstrap tokens, by where it is: asked once. */
const taken = new Map<string, Promise<boolean>>();

/**
 * The actor stores the object of a token; that it is stored is what the check starts from. On a target that was
 * running already a sound token is tried first, and the check is unsupported where that one is not taken.
 */
export async function given(actor: Actor, token: BootstrapToken, differences: Differences = {}): Promise<void> {
  await whereTaken(actor);
  await stored(actor, token, differences);
}

async function whereTaken(actor: Actor): Promise<void> {
  const { base, mode } = actor.target;
  if (mode === 'url') {
    const asked = taken.get(base) ?? takesTokens(actor);
    taken.set(base, asked);
    if (!(await asked)) {
      const how = '--restart-command or --launch lets us start the target with --enable-bootstrap-token-auth';
      unsupported(`a bootstrap token that was stored was not taken: they are switched off; ${how}`);
    }
  }
}

async function takesTokens(actor: Actor): Promise<boolean> {
  const token = newToken();
  await stored(actor, token);
  const apiVersion = `authentication.${actor.dialect.apiDomain}/v1`;
  // By a review, as whoever stores it may show a certificate, which would be asked first.
  const review = () =>
    actor.request('POST', `/apis/${apiVersion}/tokenreviews`, {
      body: { apiVersion, kind: 'TokenReview', spec: { token: token.text } },
    });
  const user = match.field('status.user.username', `system:bootstrap:${token.id}`);
  return (await should(review, user)).differences.length === 0;
}

/**
 * As {@link given}, for an object that makes no token or not the one that it says: a server may refuse it as invalid
 * when it is written, and then there is none either.
 */
export async function storedOrRefused(
  actor: Actor,
  token: BootstrapToken,
  differences: Differences = {},
): Promise<void> {
  await whereTaken(actor);
  const at = place(actor, differences);
  const answer = await at.create(secrets, secretOf(actor, token, differences));
  // Any other answer says nothing of tokens: then the preparation failed.
  if (answer.status !== 400 && answer.status !== 422) await at.prepare(async () => answer);
}

/** As {@link given}, whether the target takes bootstrap tokens or not. */
export async function stored(actor: Actor, token: BootstrapToken, differences: Differences = {}): Promise<void> {
  await place(actor, differences).given(secrets, secretOf(actor, token, differences));
}

const place = (actor: Actor, { namespace }: Differences) => actor.in(namespace ?? actor.dialect.systemNamespace);

function secretOf({ dialect }: Actor, token: BootstrapToken, differences: Differences) {
  const stringData = {
    'token-id': token.id,
    'token-secret': token.secret,
    'usage-bootstrap-authentication': 'true',
    ...differences.data,
  };
  return {
    metadata: {
      name: differences.name ?? token.name,
      ...(differences.held ? { finalizers: ['touchstone.invalid/held'] } : {}),
    },
    type: differences.type ?? `bootstrap.${dialect.labelDomain}/token`,
    stringData,
  };
}
/** The actor deletes the object of a token. */
export function removed(actor: Actor, token: BootstrapToken): Promise<Exchange> {
  return actor.in(actor.dialect.systemNamespace).delete(secrets, token.name);
}

/** Name of the config map that tokens sign (2/bootstrap-token-secret/p3). */
export const CLUSTER_INFO = 'cluster-info';
/**
 * The actor writes the client configuration that tokens sign. One that a target had before the run is left as it is:
 * those who join that cluster lean on it.
 * Out: whether it was written.
 */
export async function publish(actor: Actor, kubeconfig: string): Promise<boolean> {
  if (await hasOneOfItsOwn(actor)) return false;
  const at = actor.in(actor.dialect.publicNamespace);
  const metadata = { name: CLUSTER_INFO, labels: actor.space.labels };
  await at.prepare(() => at.apply(configMaps, { metadata, data: { kubeconfig } }, { force: true }));
  return true;
}
async function hasOneOfItsOwn(actor: Actor): Promise<boolean> {
  if (actor.target.mode !== 'url') return false;
  const { status, json } = await readInfo(actor);
  const metadata = isRecord(json) && isRecord(json.metadata) ? json.metadata : {};
  return status === 200 && !(isRecord(metadata.labels) && RUN_LABEL in metadata.labels);
}
/** Who reads it, as they are. */
export const readInfo = (actor: Actor): Promise<Exchange> =>
  actor.in(actor.dialect.publicNamespace).get(configMaps, CLUSTER_INFO);

/** The text under a key of an answered config map. */
export function dataIn(answer: Exchange, key: string): unknown {
  const data = isRecord(answer.json) ? answer.json.data : undefined;
  return isRecord(data) ? data[key] : undefined;
}
export const signatureKey = ({ id }: BootstrapToken): string => `jws-kubeconfig-${id}`;
