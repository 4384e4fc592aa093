import {
  BOUND_SUBJECTS,
  type BoundSubject,
  clausesOf,
  type ReviewManner,
  SCOPES_OF_RULES,
} from '../../fixtures/ledger/index.ts';
import type { User } from '../../reference/api/identity.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { IncomingRequest } from '../../reference/api/request.ts';
import type { Authorizer, RuleResolver } from '../../reference/contracts/authorizer.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import { coding, onJson } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { allowed, onChain } from '../onAuthorizers.ts';
import { mending } from '../oneType.ts';

interface Review {
  spec?: {
    user?: string;
    groups?: string[];
    extra?: JsonObject;
    resourceAttributes?: { namespace?: string; name?: string; group?: string };
  };
  metadata?: { namespace?: string };
}

/** Alters the status of the reviews of a type. */
const onStatus = (plural: string, change: (status: JsonObject) => void): Seams =>
  onJson((body, { path }) => {
    if (path.endsWith(`/${plural}`) && body.status && typeof body.status === 'object')
      change(body.status as JsonObject);
  });

/** Leaves the first entry of each list in rules. */
function firstOfEach(rules: unknown): void {
  if (!Array.isArray(rules)) return;
  for (const rule of rules as JsonObject[])
    for (const [member, list] of Object.entries(rule)) if (Array.isArray(list)) rule[member] = list.slice(0, 1);
}

/** A user as whoever overlooks what binds one of these knows them. */
const AS_UNBOUND: Readonly<Record<BoundSubject, (user: User) => User>> = {
  user: (user) => (user.username.startsWith('system:') ? user : { ...user, username: `${user.username}-` }),
  account: (user) => (user.username.startsWith('system:') ? { ...user, username: `${user.username}-` } : user),
  group: (user) => ({ ...user, groups: user.groups.filter((group) => group.startsWith('system:')) }),
};

/** Rules are looked up for another user than asks. */
const resolvingFor = (change: (user: User) => User): Seams => ({
  eachAuthorizer: (member) => {
    if (!('rulesFor' in member)) return member;
    const resolver = member as Authorizer & RuleResolver;
    return {
      name: member.name,
      authorize: (asked) => member.authorize(asked),
      rulesFor: (user: User, namespace: string) => resolver.rulesFor(change(user), namespace),
    };
  },
});

/** Manners that a request shows without its body. */
type Shown = Exclude<ReviewManner, `${string}with-status`>;
/** Whether a review is asked in a manner. */
const IN_MANNER: Readonly<Record<Shown, (request: IncomingRequest) => boolean>> = {
  yaml: ({ headers }) => String(headers.accept) === 'application/yaml',
  'yaml-body': ({ headers }) => String(headers['content-type']) === 'application/yaml',
  'dry-run': ({ query }) => query.has('dryRun'),
};

/** Reviews that do not tell what requests meet. */
export const ACCESS_REVIEWS: readonly Mutant[] = [
  ...[false, true].map((dry): Mutant => {
    const manner = dry ? 'dry-run-with-status' : 'with-status';
    return {
      id: `reviews-of-access-believe-a-status${dry ? '-in-dry-runs' : ''}`,
      breaks: [`REVIEW-SELF-01/${manner}`, `REVIEW-SUBJECT-01/${manner}`, `REVIEW-LOCAL-01/${manner}`],
      sentence: `A review of access that is posted with a status${dry ? ' as a dry run' : ''} answers that.`,
      defect: () => {
        let posted: unknown;
        return {
          ...onVerbs(['create'], async (call, serve) => {
            const { request } = call.exchange;
            posted = undefined;
            if (!call.endpoint.type.resource.endsWith('accessreviews')) return serve(call);
            const isJson = String(request.headers['content-type']).endsWith('json');
            if (isJson && request.query.has('dryRun') === dry)
              posted = JSON.parse(Buffer.from(await request.body()).toString()).status;
            return serve(call);
          }),
          ...onJson((body, { path }) => {
            if (path.endsWith('accessreviews') && isObject(posted as JsonObject)) body.status = posted as JsonObject;
          }),
        };
      },
    };
  }),
  ...(['yaml', 'yaml-body', 'dry-run'] as const satisfies readonly Shown[]).map(
    (manner): Mutant => ({
      id: `reviews-are-not-taken-${manner}`,
      breaks: [`REVIEW-SELF-01/${manner}`, `REVIEW-SUBJECT-01/${manner}`, `REVIEW-LOCAL-01/${manner}`],
      sentence: `A review of access in the manner ${manner} is refused.`,
      defect: () =>
        coding((reply, request) =>
          request.path.endsWith('accessreviews') && IN_MANNER[manner](request) ? 406 : reply.code,
        ),
    }),
  ),
  {
    id: 'rules-reviews-forget-names',
    breaks: ['REVIEW-RULES-01'],
    sentence: 'A SelfSubjectRulesReview tells rules without their names.',
    defect: () =>
      onStatus('selfsubjectrulesreviews', ({ resourceRules }) => {
        if (Array.isArray(resourceRules)) for (const rule of resourceRules) delete (rule as JsonObject).resourceNames;
      }),
  },
  {
    id: 'rules-reviews-tell-the-first-of-each-list',
    breaks: ['REVIEW-RULES-01/lists'],
    sentence: 'A SelfSubjectRulesReview tells the first verb, group, type and name of each rule.',
    defect: () => onStatus('selfsubjectrulesreviews', ({ resourceRules }) => firstOfEach(resourceRules)),
  },
  {
    id: 'rules-reviews-join-rules-of-a-type',
    breaks: ['REVIEW-RULES-01/apart'],
    sentence: 'A SelfSubjectRulesReview tells rules of one type as one, with the verbs and names of all.',
    defect: () =>
      onStatus('selfsubjectrulesreviews', (status) => {
        const joined = new Map<string, JsonObject>();
        for (const rule of Array.isArray(status.resourceRules) ? status.resourceRules.filter(isObject) : []) {
          const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames !== undefined]);
          const into = joined.get(key);
          const both = (member: string) => [into?.[member] ?? [], rule[member] ?? []].flat();
          joined.set(key, into ? { ...rule, verbs: both('verbs'), resourceNames: both('resourceNames') } : rule);
        }
        status.resourceRules = [...joined.values()];
      }),
  },
  {
    id: 'rules-reviews-tell-the-first-path',
    breaks: ['REVIEW-RULES-01/paths'],
    sentence: 'A SelfSubjectRulesReview tells the first verb and path of each rule.',
    defect: () => onStatus('selfsubjectrulesreviews', ({ nonResourceRules }) => firstOfEach(nonResourceRules)),
  },
  ...SCOPES_OF_RULES.map(
    (way): Mutant => ({
      id: `rules-reviews-overlook-a-${way}`,
      breaks: clausesOf('REVIEW-RULES-01', way),
      sentence: `A SelfSubjectRulesReview tells nothing of what a ${way} gives.`,
      defect: () =>
        onStatus('selfsubjectrulesreviews', (status) => {
          const rules = Array.isArray(status.resourceRules) ? (status.resourceRules as JsonObject[]) : [];
          status.resourceRules = rules.filter(({ resources }) => !String(resources).includes(`-${way}-of-`));
        }),
    }),
  ),
  ...BOUND_SUBJECTS.map(
    (subject): Mutant => ({
      id: `rules-reviews-overlook-bindings-of-a-${subject}`,
      breaks: clausesOf('REVIEW-RULES-01', subject),
      sentence: `A SelfSubjectRulesReview tells nothing of what a binding gives to the kind ${subject}.`,
      defect: () => resolvingFor(AS_UNBOUND[subject]),
    }),
  ),
  {
    id: 'self-reviews-say-yes',
    breaks: ['REVIEW-SELF-01'],
    sentence: 'A SelfSubjectAccessReview says yes whatever it asks.',
    defect: () =>
      onStatus('selfsubjectaccessreviews', (status) => {
        status.allowed = true;
      }),
  },
  {
    id: 'reviews-tell-no-denial',
    breaks: ['REVIEW-STATUS-01'],
    sentence: 'A review does not tell that something was denied.',
    defect: () =>
      onStatus('subjectaccessreviews', (status) => {
        delete status.denied;
      }),
  },
  ...(['name', 'group'] as const).map(
    (attribute): Mutant => ({
      id: `self-reviews-overlook-the-${attribute}`,
      breaks: ['REVIEW-SELF-01'],
      sentence: `A SelfSubjectAccessReview takes any ${attribute} for the one that is granted.`,
      defect: () =>
        mending<Review>('selfsubjectaccessreviews', ['create'], ({ spec }) => {
          if (spec?.resourceAttributes) spec.resourceAttributes[attribute] = attribute === 'name' ? 'doc' : '';
        }),
    }),
  ),
  {
    id: 'reviews-forget-the-user',
    breaks: ['REVIEW-SUBJECT-01'],
    sentence: 'A SubjectAccessReview looks at the groups and at no user.',
    defect: () =>
      mending<Review>('subjectaccessreviews', ['create'], ({ spec }) => {
        if (spec?.user) spec.user = 'nobody';
      }),
  },
  {
    id: 'reviews-take-one-group',
    breaks: ['REVIEW-SUBJECT-02'],
    sentence: 'A SubjectAccessReview looks at the first of its groups alone.',
    defect: () =>
      mending<Review>('subjectaccessreviews', ['create'], ({ spec }) => {
        if (spec?.groups) spec.groups.splice(1);
      }),
  },
  {
    id: 'reviews-forget-extra',
    breaks: ['REVIEW-SUBJECT-01'],
    sentence: 'A SubjectAccessReview does not hand on the extra of its user.',
    defect: () =>
      mending<Review>('subjectaccessreviews', ['create'], ({ spec }) => {
        if (spec) delete spec.extra;
      }),
  },
  {
    id: 'reviews-of-one-kind-are-kept',
    breaks: ['REVIEW-LOCAL-01'],
    sentence: 'What a LocalSubjectAccessReview was told once it is told again, whatever was taken away.',
    defect: () => {
      const kept = new Set<string>();
      return onJson((body, { path }) => {
        if (!path.endsWith('/localsubjectaccessreviews') || !body.status) return;
        const key = JSON.stringify(body.spec);
        const status = body.status as JsonObject;
        if (status.allowed === true) kept.add(key);
        else if (kept.has(key)) status.allowed = true;
      });
    },
  },
  {
    id: 'reviews-forget-the-groups',
    breaks: ['REVIEW-SUBJECT-02', 'REVIEW-SUBJECT-01'],
    sentence: 'A SubjectAccessReview looks at the user and at no groups.',
    defect: () =>
      mending<Review>('subjectaccessreviews', ['create'], ({ spec }) => {
        if (spec?.groups) spec.groups = ['nobody'];
      }),
  },
  {
    id: 'local-reviews-ask-anywhere',
    breaks: ['REVIEW-LOCAL-01'],
    sentence: 'A LocalSubjectAccessReview that names another namespace is answered for its own.',
    defect: () =>
      mending<Review>('localsubjectaccessreviews', ['create'], ({ spec }, { exchange: { info } }) => {
        if (spec?.resourceAttributes) spec.resourceAttributes.namespace = info.namespace;
      }),
  },
  {
    id: 'rules-reviews-leave-out-the-namespace',
    breaks: ['REVIEW-RULES-01'],
    sentence: 'A SelfSubjectRulesReview tells the first rule alone.',
    defect: () =>
      onStatus('selfsubjectrulesreviews', (status) => {
        if (Array.isArray(status.resourceRules)) status.resourceRules = status.resourceRules.slice(0, 1);
      }),
  },
  {
    id: 'reviews-allow-and-deny',
    breaks: ['REVIEW-STATUS-01'],
    sentence: 'A SubjectAccessReview that says yes says denied too.',
    defect: () =>
      onStatus('subjectaccessreviews', (status) => {
        status.denied = true;
      }),
  },
  {
    id: 'everybody-reviews-others',
    breaks: ['REVIEW-PERMISSION-01'],
    sentence: 'Everybody may ask what others may do.',
    defect: () =>
      onChain(async (asked, ask) =>
        asked.isResource && asked.resource.endsWith('subjectaccessreviews') ? allowed('rbac') : ask(asked),
      ),
  },
];
