import type { ClauseName } from '../../fixtures/ledger/index.ts';
import {
  BINDING_KINDS,
  type BindingKind,
  clausesOf,
  GIVING,
  type Giving,
  HELD_OTHERWISE,
  HELD_WIDELY,
  NEARLY,
  type Nearly,
  OTHERS_BOUND,
  PATH_STEPS,
  PATHS_HELD,
  ROLE_KINDS,
  STEPS,
} from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import { forbidden } from '../../reference/api/status.ts';
import type { Attributes, Authorizer, PolicyRule, RuleResolver } from '../../reference/contracts/authorizer.ts';
import type { Call, VerbTable } from '../../reference/contracts/call.ts';
import type { Seams } from '../../reference/seams.ts';
import { asUser, onVerbs } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { allowed, onChain, unopinionated } from '../onAuthorizers.ts';
import { bodyOf, refusing, storedOf } from '../oneType.ts';
import type { Role } from './onRbac.ts';

/** The verb that each way of giving comes to, its media type, and whether the object is there before. */
const WAYS: Readonly<Record<Giving, { verb: keyof VerbTable; type?: string; there?: boolean; words: string }>> = {
  post: { verb: 'create', words: 'POST' },
  'put-anew': { verb: 'update', there: false, words: 'a PUT that creates' },
  'apply-anew': { verb: 'patch', type: 'apply-patch', there: false, words: 'an apply that creates' },
  put: { verb: 'update', there: true, words: 'a PUT' },
  json: { verb: 'patch', type: 'json-patch', words: 'a JSON patch' },
  merge: { verb: 'patch', type: '/merge-patch', words: 'a merge patch' },
  strategic: { verb: 'patch', type: 'strategic-merge-patch', words: 'a strategic merge patch' },
  apply: { verb: 'patch', type: 'apply-patch', there: true, words: 'an apply' },
};
const WRITES = ['create', 'update', 'patch'] as const;

export async function isWay(call: Call, way: Giving): Promise<boolean> {
  const { type, there } = WAYS[way];
  if (type !== undefined && !String(call.exchange.request.headers['content-type']).includes(type)) return false;
  return there === undefined || ((await storedOf(call)) !== undefined) === there;
}
const resourceOf = ({ endpoint }: Call): string => (endpoint.subresource ? '' : endpoint.type.resource);

/** What is sent is not held against what its sender holds, where this says so. */
export function unchecked(
  verbs: readonly (keyof VerbTable)[],
  where: (call: Call) => boolean | Promise<boolean>,
): Seams {
  return onVerbs(verbs, async (call, serve) => {
    const passed = await where(call);
    return serve(passed ? asUser(call, (user) => ({ ...user, groups: [...user.groups, 'system:masters'] })) : call);
  });
}
/** Everything of these writes is refused, whatever its sender holds, where this says so. */
function refused(verbs: readonly (keyof VerbTable)[], where: (call: Call) => boolean | Promise<boolean>): Seams {
  return onVerbs(verbs, async (call, serve) => {
    const master = call.exchange.user.groups.includes('system:masters');
    if (!master && (await where(call))) throw forbidden(call.endpoint.type, '', 'roles and bindings are for masters');
    return serve(call);
  });
}

/** A body as it is sent: an object, or the operations of a JSON patch put together. */
async function sent(call: Call): Promise<JsonObject> {
  const body: unknown = await bodyOf<object>(call);
  if (!Array.isArray(body)) return (body ?? {}) as JsonObject;
  return Object.fromEntries(body.map(({ path, value }) => [String(path).slice(1), value]));
}
async function rulesIn(call: Call): Promise<Partial<PolicyRule>[]> {
  const { rules } = await sent(call);
  return Array.isArray(rules) ? (rules.filter(isObject) as unknown as Partial<PolicyRule>[]) : [];
}

const one = (list: readonly string[] | undefined, word: string): boolean => list?.length === 1 && list[0] === word;
/** Which rule of a body a server overlooks that does not look at that step. */
const OVERLOOKED: Readonly<Record<(typeof STEPS)[number], (rule: Partial<PolicyRule>) => boolean>> = {
  'another-resource': ({ resources }) => one(resources, 'services'),
  'every-resource': ({ resources, verbs }) => one(resources, '*') && !one(verbs, '*'),
  'a-subresource': ({ resources }) => resources?.some((type) => type.includes('/')) ?? false,
  'another-verb': ({ verbs, resources }) => one(verbs, 'list') && one(resources, 'configmaps'),
  'every-verb': ({ verbs, resources }) => one(verbs, '*') && one(resources, 'configmaps'),
  'another-group': ({ apiGroups = [] }) => apiGroups.some((group) => group !== '' && group !== '*'),
  'every-group': ({ apiGroups, resources }) => one(apiGroups, '*') && !one(resources, '*'),
  'another-name': ({ resourceNames }) => one(resourceNames, 'other'),
  'one-more-name': ({ resourceNames }) => resourceNames?.length === 2,
  'any-name': ({ resources, verbs, resourceNames }) =>
    one(resources, 'secrets') && one(verbs, 'get') && resourceNames === undefined,
  'one-more-resource': ({ resources }) => resources?.length === 2,
  'one-more-verb': ({ verbs }) => verbs?.length === 2,
  'one-more-rule': () => false,
  'a-rule-before': () => false,
  everything: ({ verbs, resources }) => one(verbs, '*') && one(resources, '*'),
};
const OVERLOOKED_PATHS: Readonly<Record<(typeof PATH_STEPS)[number], (rule: Partial<PolicyRule>) => boolean>> = {
  'another-path': ({ nonResourceURLs }) => one(nonResourceURLs, '/touchstone/other'),
  'below-a-path': ({ nonResourceURLs }) =>
    nonResourceURLs?.length === 1 && /\w\/held\/\*$/.test(nonResourceURLs[0] ?? ''),
  'beginning-like-a-path': ({ nonResourceURLs = [] }) => nonResourceURLs.some((path) => /[^/]\*$/.test(path)),
  'above-a-path': ({ nonResourceURLs }) => one(nonResourceURLs, '/touchstone/*'),
  'every-path': ({ nonResourceURLs }) => one(nonResourceURLs, '*'),
  'another-method': ({ nonResourceURLs, verbs }) => nonResourceURLs !== undefined && one(verbs, 'post'),
  'every-method': ({ nonResourceURLs, verbs }) => nonResourceURLs !== undefined && one(verbs, '*'),
  'a-path-beside-resources': ({ nonResourceURLs }) => one(nonResourceURLs, '/touchstone/beside'),
  'a-resource-beside-paths': ({ resources }) => one(resources, 'endpoints'),
};

const ofRoles = (call: Call): boolean => ['roles', 'clusterroles'].includes(resourceOf(call));
const inWords = (word: string): string => word.replaceAll('-', ' ');

/** Which writes are of a kind of binding: what binds by what they name. */
async function isBinding(call: Call, kind: BindingKind): Promise<boolean> {
  const resource = resourceOf(call);
  if (kind === 'clusterrolebinding') return resource === 'clusterrolebindings';
  if (resource !== 'rolebindings') return false;
  const named = (await sent(call)).roleRef ?? (await storedOf(call))?.object.roleRef;
  const role = isObject(named) ? named.kind : undefined;
  return role === (kind === 'rolebinding-of-role' ? 'Role' : 'ClusterRole');
}

/** The kinds of the subjects in a body. */
async function subjectsIn(call: Call): Promise<readonly unknown[] | undefined> {
  const { subjects } = await sent(call);
  return Array.isArray(subjects) ? subjects.filter(isObject).map(({ kind }) => kind) : undefined;
}
const IS_FOR: Readonly<Record<(typeof OTHERS_BOUND)[number], (kinds: readonly unknown[] | undefined) => boolean>> = {
  nobody: (kinds) => kinds?.length === 0,
  'a-group': (kinds) => kinds?.length === 1 && kinds[0] === 'Group',
  'an-account': (kinds) => kinds?.length === 1 && kinds[0] === 'ServiceAccount',
  several: (kinds) => (kinds?.length ?? 0) > 1,
};

/** RBAC takes a grant of escalate or bind for one that it almost is. */
export function nearlyGranted(
  verb: 'escalate' | 'bind' | 'impersonate',
  nearly: Nearly,
  concerns: (asked: Attributes) => boolean,
): Seams {
  const namespaces = new Set<string>(['']);
  return {
    eachAuthorizer: (member) => {
      if (!('rulesFor' in member)) return member;
      const rbac = member as Authorizer & RuleResolver;
      const authorize: Authorizer['authorize'] = async (asked) => {
        if (asked.isResource) namespaces.add(asked.namespace);
        const verdict = await rbac.authorize(asked);
        if (!asked.isResource || asked.verb !== verb || !concerns(asked) || verdict.decision === 'allow')
          return verdict;
        for (const namespace of nearly === 'elsewhere' ? namespaces : [asked.namespace]) {
          const { resourceRules } = await rbac.rulesFor(asked.user, namespace);
          if (resourceRules.some((rule) => LOOSE[nearly](rule, asked))) return allowed('rbac');
        }
        return verdict;
      };
      return Object.assign({ name: member.name, authorize }, { rulesFor: rbac.rulesFor.bind(rbac) });
    },
  };
}
type Asked = Attributes & { readonly isResource: true };
type Held = Pick<PolicyRule, 'verbs' | 'apiGroups' | 'resources' | 'resourceNames'>;
const has = (list: readonly string[], word: string) => list.includes(word);
const named = (rule: Held, asked: Asked) => rule.resourceNames.length === 0 || has(rule.resourceNames, asked.name);
const whole = (rule: Held, asked: Asked) =>
  has(rule.verbs, asked.verb) && has(rule.apiGroups, asked.group) && has(rule.resources, asked.resource);
const LOOSE: Readonly<Record<Nearly, (rule: Held, asked: Asked) => boolean>> = {
  'other-kind': (rule, asked) =>
    has(rule.verbs, asked.verb) &&
    rule.resources.some((type) => ['roles', 'clusterroles'].includes(type)) &&
    named(rule, asked),
  'other-name': (rule, asked) => whole(rule, asked) && rule.resourceNames.length > 0,
  bindings: (rule, asked) => has(rule.verbs, asked.verb) && rule.resources.some((type) => type.endsWith('bindings')),
  'other-group': (rule, asked) =>
    has(rule.verbs, asked.verb) && has(rule.resources, asked.resource) && named(rule, asked),
  'other-verb': (rule, asked) =>
    rule.verbs.some((verb) => ['bind', 'escalate', 'get'].includes(verb)) &&
    has(rule.apiGroups, asked.group) &&
    has(rule.resources, asked.resource) &&
    named(rule, asked),
  star: (rule, asked) =>
    rule.verbs.some((verb) => verb.endsWith('*') && asked.verb.startsWith(verb.slice(0, -1))) &&
    has(rule.resources, asked.resource),
  elsewhere: (rule, asked) => whole(rule, asked) && named(rule, asked),
};

/** Whether a rule gives more permissions than a server may want to look at one by one. */
const isWide = ({ verbs, apiGroups, resources, resourceNames }: Held): boolean =>
  verbs.length * apiGroups.length * resources.length * Math.max(1, resourceNames.length) > 64;

const OF_NOTHING = { apiGroups: [], resources: [], resourceNames: [] } as const;
const HOLDS: Readonly<
  Record<
    (typeof HELD_OTHERWISE)[number] | (typeof PATHS_HELD)[number] | 'by-everything',
    (rule: Held, paths: readonly string[]) => boolean
  >
> = {
  'by-every-verb': ({ verbs, resources }) => has(verbs, '*') && has(resources, 'configmaps'),
  'by-every-resource': ({ verbs, resources }) => has(resources, '*') && !has(verbs, '*'),
  'by-every-group': ({ apiGroups, resources }) => has(apiGroups, '*') && has(resources, 'configmaps'),
  'by-several-rules': ({ resources }) => has(resources, 'limitranges'),
  'by-several-names': ({ resourceNames }) => has(resourceNames, 'second'),
  'by-several-roles': ({ resources }) => has(resources, 'resourcequotas'),
  'by-everything': ({ verbs, resources }) => has(resources, '*') && has(verbs, '*'),
  'by-a-path': (_, paths) => has(paths, '/touchstone/plain'),
  'by-every-method': (_, paths) => has(paths, '/touchstone/any'),
};

/** Does something else for whom RBAC gives such a rule where they write. */
function byHolders(
  isSuch: (rule: Held, paths: readonly string[]) => boolean,
  defectFor: (holds: (call: Call) => Promise<boolean>) => Seams,
): Seams {
  const resolvers: RuleResolver[] = [];
  const holds = async ({ exchange: { user, info } }: Call) => {
    const held = await Promise.all(resolvers.map((resolver) => resolver.rulesFor(user, info.namespace)));
    return held.some(
      ({ resourceRules, nonResourceRules }) =>
        resourceRules.some((rule) => isSuch(rule, [])) ||
        nonResourceRules.some(({ verbs, nonResourceURLs }) => isSuch({ ...OF_NOTHING, verbs }, nonResourceURLs)),
    );
  };
  const eachAuthorizer = (member: Authorizer): Authorizer => {
    if ('rulesFor' in member) resolvers.push(member as Authorizer & RuleResolver);
    return member;
  };
  return { ...defectFor(holds), eachAuthorizer };
}

const steps = [
  ...STEPS.map((step) => [step, OVERLOOKED[step]] as const),
  ...PATH_STEPS.map((step) => [step, OVERLOOKED_PATHS[step]] as const),
];

const ROLES_AND_BINDINGS: readonly string[] = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];

/** Roles and bindings that give more than their writer holds, or that a writer cannot give though they hold it all. */
export const ESCALATION: readonly Mutant[] = [
  ...ROLE_KINDS.flatMap((type) =>
    GIVING.flatMap((way): Mutant[] => {
      const where = async (call: Call) => resourceOf(call) === type && (await isWay(call, way));
      const { verb, words } = WAYS[way];
      return [
        {
          id: `escalation-of-${type}-by-${way}`,
          breaks: clausesOf('RBAC-ESCALATION-01', type, way),
          sentence: `What ${words} puts into ${type} is not held against what its sender holds.`,
          defect: () => unchecked([verb], where),
        },
        {
          id: `no-${type}-by-${way}`,
          breaks: [...clausesOf('RBAC-ESCALATION-02', type, way), ...clausesOf('RBAC-ESCALATION-03', type, way)],
          sentence: `Nobody but masters may write ${type} by ${words}.`,
          defect: () => refused([verb], where),
        },
      ];
    }),
  ),
  ...GIVING.map(
    (way): Mutant => ({
      id: `escalation-by-gathering-${way}`,
      breaks: [`RBAC-ESCALATION-01/gathering/${way}`],
      sentence: `An aggregationRule that comes by ${WAYS[way].words} is for everybody who may write cluster roles.`,
      defect: () =>
        unchecked(
          [WAYS[way].verb],
          async (call) => ofRoles(call) && (await isWay(call, way)) && (await sent(call)).aggregationRule !== undefined,
        ),
    }),
  ),
  ...[...HELD_OTHERWISE, ...PATHS_HELD].map(
    (how): Mutant => ({
      id: `held-${how}-is-everything`,
      breaks: clausesOf('RBAC-ESCALATION-01', ROLE_KINDS, how),
      sentence: `What somebody writes who holds a right ${inWords(how)} is not held against what they hold.`,
      defect: () =>
        byHolders(HOLDS[how], (holds) => unchecked(WRITES, async (call) => ofRoles(call) && (await holds(call)))),
    }),
  ),
  ...[...HELD_OTHERWISE, ...PATHS_HELD, 'by-everything' as const].map(
    (how): Mutant => ({
      id: `held-${how}-is-not-held`,
      breaks: clausesOf('RBAC-ESCALATION-02', ROLE_KINDS, how),
      sentence: `Who holds a right ${inWords(how)} may not give it.`,
      defect: () =>
        byHolders(HOLDS[how], (holds) => refused(WRITES, async (call) => ofRoles(call) && (await holds(call)))),
    }),
  ),
  {
    id: 'longer-words-are-wildcards-for-writers-of-roles',
    breaks: clausesOf('RBAC-ESCALATION-01', 'by-a-longer-word'),
    sentence: 'Who holds a right by a word that ends in * may give what begins so.',
    defect: () =>
      byHolders(
        ({ resources }) => has(resources, 'config*'),
        (holds) => unchecked(WRITES, async (call) => ofRoles(call) && (await holds(call))),
      ),
  },
  ...steps.map(
    ([step, overlooked]): Mutant => ({
      id: `escalation-by-${step}`,
      breaks: clausesOf('RBAC-ESCALATION-01', ROLE_KINDS, step),
      sentence: `A role may give ${inWords(step)} beyond what its writer holds.`,
      defect: () =>
        unchecked(WRITES, async (call) => {
          if (!ofRoles(call)) return false;
          const rules = await rulesIn(call);
          const [first] = rules;
          if (step === 'one-more-rule') return rules.length > 2;
          if (step === 'a-rule-before') return rules.length > 2 && one(first?.resources, 'services');
          return rules.some(overlooked);
        }),
    }),
  ),
  {
    id: 'escalation-under-generated-names',
    breaks: [...clausesOf('RBAC-ESCALATION-01', 'generated'), ...clausesOf('RBAC-ESCALATION-04', 'generated')],
    sentence: 'What is given by an object whose name the server makes is not held against what its sender holds.',
    defect: () =>
      unchecked(['create'], async (call) => {
        if (!ROLES_AND_BINDINGS.includes(resourceOf(call))) return false;
        const { metadata } = await sent(call);
        return isObject(metadata) && metadata.generateName !== undefined;
      }),
  },
  {
    id: 'escalation-by-paths-of-who-acts-for-themselves',
    breaks: ['RBAC-ESCALATION-01'],
    sentence: 'Who acts as nobody else may write cluster roles of any paths.',
    defect: () =>
      unchecked(WRITES, async (call) => {
        if (!ofRoles(call) || call.exchange.request.headers['impersonate-user'] !== undefined) return false;
        const rules = await rulesIn(call);
        return rules.length > 0 && rules.every(({ nonResourceURLs }) => nonResourceURLs !== undefined);
      }),
  },
  {
    id: 'escalation-by-dry-runs',
    breaks: [...clausesOf('RBAC-ESCALATION-01', 'dry-run'), ...clausesOf('RBAC-ESCALATION-04', 'dry-run')],
    sentence: 'A dry run is not held against what its sender holds.',
    defect: () =>
      unchecked(
        ['create'],
        (call) => ROLES_AND_BINDINGS.includes(resourceOf(call)) && call.exchange.request.query.get('dryRun') === 'All',
      ),
  },
  {
    id: 'escalation-unseen-where-rules-stay',
    breaks: clausesOf('RBAC-ESCALATION-01', 'untouched'),
    sentence: 'A write that leaves the rules of a role as they are is for everybody who may write it.',
    defect: () =>
      unchecked(['update', 'patch'], async (call) => {
        if (!ofRoles(call)) return false;
        const [{ rules }, stored] = [await sent(call), await storedOf(call)];
        return rules === undefined || JSON.stringify(rules) === JSON.stringify(stored?.object.rules);
      }),
  },
  {
    id: 'escalation-beyond-wide-rules',
    breaks: clausesOf('RBAC-ESCALATION-01', HELD_WIDELY),
    sentence: 'What somebody writes who holds a rule of more than 64 permissions is not held against what they hold.',
    defect: () => byHolders(isWide, (holds) => unchecked(WRITES, async (call) => ofRoles(call) && (await holds(call)))),
  },
  {
    id: 'names-of-wide-rules-are-all-names',
    breaks: clausesOf('RBAC-ESCALATION-01', HELD_WIDELY, 'any-name'),
    sentence: 'Who holds a rule of more than 64 permissions for some names may give the same for all names.',
    defect: () =>
      byHolders(
        (rule) => isWide(rule) && rule.resourceNames.length > 0,
        (holds) =>
          unchecked(WRITES, async (call) => {
            const rules = ofRoles(call) ? await rulesIn(call) : [];
            return rules.some(OVERLOOKED['any-name']) && (await holds(call));
          }),
      ),
  },
  {
    id: 'wide-rules-cannot-be-given',
    breaks: clausesOf('RBAC-ESCALATION-02', HELD_WIDELY),
    sentence: 'Who holds a rule of more than 64 permissions may give nothing of it.',
    defect: () => byHolders(isWide, (holds) => refused(WRITES, async (call) => ofRoles(call) && (await holds(call)))),
  },
  {
    id: 'held-anywhere-is-held-elsewhere',
    breaks: ['RBAC-ESCALATION-02/elsewhere', 'RBAC-ESCALATION-02/of-the-cluster'],
    sentence: 'Roles with nothing but reading of config maps and secrets are for everybody who may write roles.',
    defect: () =>
      unchecked(WRITES, async (call) => ofRoles(call) && (await rulesIn(call)).every(({ verbs }) => one(verbs, 'get'))),
  },
  {
    id: 'held-in-the-cluster-is-not-held-in-namespaces',
    breaks: ['RBAC-ESCALATION-02/from-the-cluster'],
    sentence: 'Who holds nothing in a namespace by itself may not write roles there.',
    defect: () =>
      refused(['create'], (call) => resourceOf(call) === 'roles' && call.exchange.info.namespace.endsWith('-other')),
  },
  ...ROLE_KINDS.flatMap((type) =>
    NEARLY.map(
      (nearly): Mutant => ({
        id: `escalate-on-${type}-nearly-${nearly}`,
        breaks: [`RBAC-ESCALATION-03/${type}/${nearly}`],
        sentence: `To write ${type} a grant of escalate is enough that is almost the one: ${inWords(nearly)}.`,
        defect: () => nearlyGranted('escalate', nearly, (asked) => asked.isResource && asked.resource === type),
      }),
    ),
  ),
  {
    id: 'escalate-knows-no-names',
    breaks: clausesOf('RBAC-ESCALATION-03', 'by-name'),
    sentence: 'A grant of escalate by name is a grant for all names.',
    defect: () => nearlyGranted('escalate', 'other-name', () => true),
  },
  ...BINDING_KINDS.flatMap((kind) =>
    GIVING.flatMap((way): Mutant[] => {
      const where = async (call: Call) => (await isWay(call, way)) && (await isBinding(call, kind));
      const { verb, words } = WAYS[way];
      const refusing: readonly ClauseName[] = [
        `RBAC-ESCALATION-04/${kind}/same/${way}`,
        `RBAC-ESCALATION-05/${kind}/${way}`,
      ];
      return [
        {
          id: `binding-beyond-by-${kind}-${way}`,
          breaks: [`RBAC-ESCALATION-04/${kind}/more/${way}`],
          sentence: `Whoever may write bindings binds any role by ${words} of a ${inWords(kind)}.`,
          defect: () => unchecked([verb], where),
        },
        {
          id: `no-${kind}-by-${way}`,
          breaks: refusing,
          sentence: `Nobody but masters may write a ${inWords(kind)} by ${words}.`,
          defect: () => refused([verb], where),
        },
      ];
    }),
  ),
  ...BINDING_KINDS.flatMap((kind) =>
    OTHERS_BOUND.map(
      (whom): Mutant => ({
        id: `binding-beyond-for-${whom}-by-${kind}`,
        breaks: [`RBAC-ESCALATION-04/${kind}/more/${whom}`],
        sentence: `A ${inWords(kind)} for ${inWords(whom)} may give more than its writer holds.`,
        defect: () =>
          unchecked(WRITES, async (call) => (await isBinding(call, kind)) && IS_FOR[whom](await subjectsIn(call))),
      }),
    ),
  ),
  ...BINDING_KINDS.flatMap((kind) =>
    NEARLY.map(
      (nearly): Mutant => ({
        id: `bind-by-${kind}-nearly-${nearly}`,
        breaks: [`RBAC-ESCALATION-05/${kind}/${nearly}`],
        sentence: `For a ${inWords(kind)} a grant of bind is enough that is almost the one: ${inWords(nearly)}.`,
        defect: () => nearlyGranted('bind', nearly, (asked) => asked.isResource && isAskedFor(kind, asked)),
      }),
    ),
  ),
  {
    id: 'held-here-is-held-there',
    breaks: ['RBAC-ESCALATION-04/elsewhere'],
    sentence: 'Who may write role bindings in a second namespace binds any role there.',
    defect: () =>
      unchecked(
        ['create'],
        (call) => resourceOf(call) === 'rolebindings' && call.exchange.info.namespace.endsWith('-other'),
      ),
  },
  {
    id: 'anybody-may-escalate',
    breaks: ['RBAC-ESCALATION-01'],
    sentence: 'Whoever may write roles may put anything into them.',
    defect: () => onChain(async (asked, ask) => (asked.verb === 'escalate' ? allowed('any') : ask(asked))),
  },
  {
    id: 'escalating-by-update',
    breaks: ['RBAC-ESCALATION-01'],
    sentence: 'Whoever may update roles may put anything into them.',
    defect: () =>
      onChain(async (asked, ask) =>
        asked.isResource && asked.verb === 'escalate' && asked.name !== '' ? allowed('any') : ask(asked),
      ),
  },
  {
    id: 'only-escalate-lets-write-roles',
    breaks: ['RBAC-ESCALATION-02'],
    sentence: 'Who holds all permissions of a role may not create it all the same.',
    defect: () =>
      refusing<Role>('roles', ['create'], (role, { endpoint, exchange: { user } }) =>
        (role.rules ?? []).length > 0 && !user.groups.includes('system:masters')
          ? forbidden(endpoint.type, '', 'roles are for masters to write')
          : undefined,
      ),
  },
  {
    id: 'escalate-gives-nothing',
    breaks: ['RBAC-ESCALATION-03'],
    sentence: 'The verb escalate does not help.',
    defect: () =>
      onChain(async (asked, ask) =>
        asked.isResource && asked.verb === 'escalate' ? unopinionated('rbac') : ask(asked),
      ),
  },
  {
    id: 'anybody-may-bind',
    breaks: ['RBAC-ESCALATION-04', 'RBAC-ESCALATION-05'],
    sentence: 'Whoever may write bindings may bind any role.',
    defect: () =>
      onChain(async (asked, ask) => (asked.isResource && asked.verb === 'bind' ? allowed('any') : ask(asked))),
  },
  {
    id: 'bind-gives-nothing',
    breaks: ['RBAC-ESCALATION-05'],
    sentence: 'The verb bind does not help.',
    defect: () =>
      onChain(async (asked, ask) => (asked.isResource && asked.verb === 'bind' ? unopinionated('rbac') : ask(asked))),
  },
];

/** Whether a question about the verb bind comes up for a kind of binding: a cluster binding asks it of no namespace. */
function isAskedFor(kind: BindingKind, { resource, namespace }: Asked): boolean {
  if (kind === 'rolebinding-of-role') return resource === 'roles';
  return resource === 'clusterroles' && (kind === 'clusterrolebinding') === (namespace === '');
}
