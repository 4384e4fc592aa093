import { cluster } from '../../../fixtures/dialects/cluster.ts';
import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { Connections } from '../client/connections.ts';
import { isRecord } from '../json.ts';
import { detectCapabilities } from './detectCapabilities.ts';
import { type Probe, Prober } from './probe.ts';
import { rightsOf, withinRights } from './rights.ts';
import { userOf } from './selfReview.ts';
import type { Identity, Target } from './target.ts';

export const DIALECTS: Readonly<Record<string, Dialect>> = { kubernetes, cluster };

/** What is known of a target before anything is asked of it. */
export interface Reach {
  readonly base: string;
  readonly mode: Target['mode'];
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Milliseconds for which an answer is waited for. */
  readonly patience?: number | undefined;
  readonly identities: Readonly<Record<string, Identity>>;
  readonly control?: Target['control'];
  readonly callbackHost?: string | undefined;
  readonly commands?: Target['commands'];
  /** Overrides what discovery suggests. */
  readonly dialect?: Dialect | undefined;
}

/** A target that cannot be tested at all; the message is one sentence for a user. */
export class CannotTest extends Error {
  override readonly name = 'CannotTest';
}

/**
 * Finds out whom we talk to: the dialect from the names of the API groups, the release from `/version`, what is
 * served from discovery, and capabilities from harmless probes that create nothing but reviews.
 *
 * @throws CannotTest when the target is down, TLS does not come about, or the credentials are refused.
 */
export async function detect(reach: Reach): Promise<Target> {
  const connections = new Connections(reach);
  try {
    const prober = new Prober(reach.base, connections);
    const admin = reach.identities.admin ?? {};
    const version = await reachable(prober, admin, reach);
    const groups = await prober.get(admin, '/apis');
    if (groups.status === 401) throw new CannotTest(`${reach.base} refused the credentials it was shown (401).`);
    const dialect = reach.dialect ?? dialectOf(groupNames(groups.json));
    const served = await servedResources(prober, admin, groups.json);
    const identities = await knownUsers(prober, reach.identities, { dialect, served });
    const target = { ...reach, identities, dialect, release: releaseOf(version), version, served };
    const capabilities = await detectCapabilities(prober, target);
    const found = await rightsOf(prober, target, admin);
    if (!found) return { ...target, capabilities };
    return { ...target, rights: found.rights, capabilities: withinRights(capabilities, found) };
  } finally {
    await connections.close();
  }
}

async function reachable(prober: Prober, admin: Identity, reach: Reach): Promise<Record<string, string>> {
  const answer = await prober.get(admin, '/version');
  if (answer.failure !== undefined) throw new CannotTest(`${reach.base} cannot be reached: ${answer.failure}.`);
  if (answer.status === 401) throw new CannotTest(`${reach.base} refused the credentials it was shown (401).`);
  if (answer.status === 403) throw new CannotTest(`${reach.base} does not let these credentials read /version (403).`);
  if (answer.status !== 200 || !isRecord(answer.json)) {
    throw new CannotTest(`${reach.base} does not answer /version as an API server would (status ${answer.status}).`);
  }
  return Object.fromEntries(
    Object.entries(answer.json).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

/** `1.32` of major `1`, minor `32+`. */
export function releaseOf(version: Readonly<Record<string, string>>): string {
  const major = /\d+/.exec(version.major ?? '')?.[0];
  const minor = /\d+/.exec(version.minor ?? '')?.[0];
  return major && minor ? `${major}.${minor}` : '';
}

function groupNames(discovery: unknown): string[] {
  const groups = isRecord(discovery) && Array.isArray(discovery.groups) ? discovery.groups : [];
  return groups.flatMap((group: unknown) => (isRecord(group) && typeof group.name === 'string' ? [group.name] : []));
}

/** The dialect whose domain the groups carry; a third one made after the specification's words when none fits. */
export function dialectOf(groups: readonly string[]): Dialect {
  const prefix = 'rbac.authorization.';
  const own =
    groups.find((name) => name.startsWith(prefix)) ?? groups.find((name) => /^(apps|apiregistration)\./.test(name));
  const domain = own?.slice(own.startsWith(prefix) ? prefix.length : own.indexOf('.') + 1);
  if (domain === undefined) return kubernetes;
  const known = Object.values(DIALECTS).find((dialect) => dialect.apiDomain === domain);
  if (known) return known;
  return {
    ...cluster,
    name: domain,
    apiDomain: domain,
    labelDomain: domain,
    rbacLabelDomain: domain,
    rbacAnnotationDomain: `rbac.authorization.${domain}`,
  };
}

async function servedResources(prober: Prober, admin: Identity, discovery: unknown): Promise<string[]> {
  const groups = isRecord(discovery) && Array.isArray(discovery.groups) ? discovery.groups : [];
  const versions = groups.flatMap((group: unknown) =>
    isRecord(group) && Array.isArray(group.versions)
      ? group.versions.flatMap((each: unknown) =>
          isRecord(each) && typeof each.groupVersion === 'string' ? [each.groupVersion] : [],
        )
      : [],
  );
  const lists = await Promise.all(
    ['v1', ...versions].map(async (version) => {
      const path = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
      return resourceNames(await prober.get(admin, path)).map((name) => `${version}/${name}`);
    }),
  );
  return lists.flat();
}
function resourceNames(answer: Probe): string[] {
  const resources = isRecord(answer.json) && Array.isArray(answer.json.resources) ? answer.json.resources : [];
  return resources.flatMap((each: unknown) => (isRecord(each) && typeof each.name === 'string' ? [each.name] : []));
}

/** Each identity with the user name that the target knows it by; an identity that is refused stays without. */
async function knownUsers(
  prober: Prober,
  identities: Reach['identities'],
  target: Pick<Target, 'dialect' | 'served'>,
): Promise<Reach['identities']> {
  const admin = identities.admin ?? {};
  const known = Object.entries(identities).map(async ([name, identity]) => {
    const user = await userOf(prober, target, admin, identity);
    return [name, user === undefined ? identity : { ...identity, user }] as const;
  });
  return Object.fromEntries(await Promise.all(known));
}
