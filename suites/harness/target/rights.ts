import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { CapabilityFinding } from '../../../reports/events.ts';
import { isRecord } from '../json.ts';
import type { Capability } from './capabilities.ts';
import type { Prober } from './probe.ts';
import type { Identity, Rights, Target } from './target.ts';

/** A right that checks need, and what cannot be looked at without it. */
interface Needed {
  readonly verbs: readonly string[];
  /** Prefix of the group before the domain of the dialect; empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent for what nearly all checks do. */
  readonly of?: Capability;
}

const EVERY = ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete'] as const;
const RBAC = 'rbac.authorization';
const NEEDED: readonly Needed[] = [
  { verbs: ['create', 'get', 'list', 'delete'], group: '', resource: 'namespaces' },
  { verbs: [...EVERY, 'deletecollection'], group: '', resource: 'configmaps' },
  { verbs: ['create', 'get', 'delete'], group: '', resource: 'pods', of: 'pods' },
  { verbs: ['create', 'get'], group: '', resource: 'serviceaccounts', of: 'service-account-tokens' },
  { verbs: ['create'], group: '', resource: 'serviceaccounts', subresource: 'token', of: 'service-account-tokens' },
  { verbs: ['create', 'delete'], group: '', resource: 'secrets', of: 'bootstrap-tokens' },
  { verbs: ['impersonate'], group: '', resource: 'users', of: 'impersonation' },
  { verbs: ['impersonate'], group: '', resource: 'groups', of: 'impersonation' },
  { verbs: ['create', 'get', 'delete'], group: '', resource: 'nodes', of: 'node-authorizer' },
  { verbs: ['create', 'get', 'delete'], group: '', resource: 'nodes', of: 'nodes' },
  ...['roles', 'clusterroles'].map(
    (resource): Needed => ({ verbs: [...EVERY, 'bind', 'escalate'], group: RBAC, resource, of: 'rbac' }),
  ),
  ...['rolebindings', 'clusterrolebindings'].map(
    (resource): Needed => ({ verbs: EVERY, group: RBAC, resource, of: 'rbac' }),
  ),
  {
    verbs: ['create', 'get', 'delete'],
    group: 'apiextensions',
    resource: 'customresourcedefinitions',
    of: 'custom-types',
  },
  {
    verbs: ['create', 'delete'],
    group: 'admissionregistration',
    resource: 'validatingwebhookconfigurations',
    of: 'webhook-reachable',
  },
  { verbs: ['create'], group: 'certificates', resource: 'certificatesigningrequests', of: 'client-certificate' },
  {
    verbs: ['update'],
    group: 'certificates',
    resource: 'certificatesigningrequests',
    subresource: 'approval',
    of: 'client-certificate',
  },
];

export interface FoundRights {
  readonly rights: Rights;
  /** Capabilities that are out of reach, with the rights that are missing. */
  readonly without: ReadonlyMap<Capability, string>;
}

/** Asks the target what an identity may do. Out: undefined where it answers no access reviews. */
export async function rightsOf(
  prober: Prober,
  { dialect }: Pick<Target, 'dialect'>,
  identity: Identity,
): Promise<FoundRights | undefined> {
  const all = await isAllowed(prober, dialect, identity, { verb: '*', group: '*', resource: '*' });
  if (all === undefined) return undefined;
  if (all) return { rights: { all, missing: [], essential: [] }, without: new Map() };
  const missing: { readonly words: string; readonly of: Capability | undefined }[] = [];
  const asked = NEEDED.flatMap((needed) => needed.verbs.map((verb) => ({ ...needed, verb })));
  await Promise.all(
    asked.map(async ({ verb, group, resource, subresource, of }, at) => {
      const full = group === '' ? '' : `${group}.${dialect.apiDomain}`;
      const attributes = { verb, group: full, resource, ...(subresource === undefined ? {} : { subresource }) };
      if ((await isAllowed(prober, dialect, identity, attributes)) !== false) return;
      missing[at] = { words: `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`, of };
    }),
  );
  const told = missing.filter((each) => each !== undefined);
  const without = new Map<Capability, string>();
  for (const { words, of } of told) if (of) without.set(of, [without.get(of) ?? [], words].flat().join(', '));
  const essential = told.filter(({ of }) => of === undefined).map(({ words }) => words);
  return { rights: { all, missing: told.map(({ words }) => words), essential }, without };
}

/** Findings on capabilities, without those that the administrator has no rights for. */
export function withinRights(
  findings: readonly CapabilityFinding[],
  { without }: Pick<FoundRights, 'without'>,
): CapabilityFinding[] {
  return findings.map((finding) => {
    const missing = [...without].find(([name]) => name === finding.name)?.[1];
    if (missing === undefined || !finding.present) return finding;
    return { ...finding, present: false, because: `the identity of the run may not ${missing}` };
  });
}

/** Why a request that was answered 403 says nothing of the target: the identity has no right to it, and is told so. */
export async function missingRight(
  prober: Prober,
  dialect: Dialect,
  identity: Identity,
  method: string,
  path: string,
): Promise<string | undefined> {
  const attributes = attributesOf(method, path);
  if (!attributes || (await isAllowed(prober, dialect, identity, attributes)) !== false) return undefined;
  const { verb, resource, subresource, namespace } = attributes;
  const what = `${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  return `the identity of the run may not ${verb} ${what}${namespace === undefined ? '' : ' in its namespace'} (403)`;
}

type Attributes = Readonly<Record<'verb' | 'group' | 'resource', string>> &
  Readonly<Partial<Record<'namespace' | 'name' | 'subresource', string>>>;

/** The attributes of a request for a resource; undefined for other paths. */
export function attributesOf(method: string, path: string): Attributes | undefined {
  const [place = '', query = ''] = path.split('?');
  const [, group = '', rest = ''] = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(.+)$/.exec(place) ?? [];
  if (rest === '') return undefined;
  const parts = rest.split('/').map(decodeURIComponent);
  const scoped = parts[0] === 'namespaces' && parts.length > 2;
  const [resource = '', name, subresource] = scoped ? parts.slice(2) : parts;
  const watched = /^(1|true)?$/.test(new URLSearchParams(query).get('watch') ?? 'no');
  const verb = verbOf(method, name !== undefined, watched);
  return {
    verb,
    group,
    resource,
    ...(scoped && parts[1] !== undefined ? { namespace: parts[1] } : {}),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

function verbOf(method: string, named: boolean, watched: boolean): string {
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return named ? 'delete' : 'deletecollection';
  return named ? 'get' : watched ? 'watch' : 'list';
}

/** What an access review says; undefined when none answers. */
async function isAllowed(
  prober: Prober,
  { apiDomain }: Dialect,
  identity: Identity,
  resourceAttributes: Readonly<Record<string, string>>,
): Promise<boolean | undefined> {
  const version = `authorization.${apiDomain}/v1`;
  const answer = await prober.post(identity, `/apis/${version}/selfsubjectaccessreviews`, {
    apiVersion: version,
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  });
  const status = isRecord(answer.json) ? answer.json.status : undefined;
  return isRecord(status) && typeof status.allowed === 'boolean' ? status.allowed : undefined;
}
