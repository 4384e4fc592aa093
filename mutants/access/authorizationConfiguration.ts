import { isDeepStrictEqual } from 'node:util';
import {
  CHANGED_ALONE,
  clausesOf,
  type MALFORMED_REVIEWS,
  NEAR_QUESTIONS,
  type NearQuestion,
  SEEN_BY_CONDITIONS,
} from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { Attributes, AuthorizationResult } from '../../reference/contracts/authorizer.ts';
import type { AccessCondition } from '../../reference/contracts/serverOptions.ts';
import type { Defect, Mutant } from '../mutant.ts';
import {
  allowed,
  mendingConfig,
  mendingWebhooks,
  onMember,
  onVerdict,
  unopinionated,
  withAuthorizers,
  withWebhooks,
} from '../onAuthorizers.ts';

const DAY = 24 * 60 * 60_000;

function sound(condition: AccessCondition, review: JsonObject): boolean {
  try {
    condition(review);
    return true;
  } catch {
    return false;
  }
}

function connectionOf(webhook: JsonObject[string] | undefined): unknown {
  const { connectionInfo } = (webhook ?? {}) as { connectionInfo?: { type?: unknown } };
  return connectionInfo?.type;
}

/** How the fault of an answer that is none is told, by the clauses that it belongs to. */
const MALFORMED: Readonly<
  Record<string, { readonly clauses: readonly (typeof MALFORMED_REVIEWS)[number][]; readonly error: RegExp }>
> = {
  'no-document': { clauses: ['no-json'], error: /json|unmarshal|yaml/i },
  'another-kind-or-version': { clauses: ['other-kind', 'other-version'], error: /another kind or version/ },
  'no-status': { clauses: ['no-status'], error: /without a status/ },
  'a-decision-that-is-no-boolean': { clauses: ['wrong-types'], error: /malformed/ },
};

const texts = (value: unknown, change: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? change(each) : each));
/** Who asks, as keys of a cache that say too little tell it. */
const USERS_NEARLY: Readonly<
  Record<Exclude<NearQuestion, 'places' | 'paths'>, readonly [tell: string, key: (user: Attributes['user']) => unknown]>
> = {
  groups: ['groups joined by commas', (user) => ({ ...user, groups: user.groups.join(',') })],
  extra: ['the values of extra without their keys', (user) => ({ ...user, extra: Object.values(user.extra).flat() })],
  'user-and-groups': [
    'a user and its groups joined by colons',
    ({ username, groups, ...rest }) => ({ ...rest, who: [username, ...groups].join(':') }),
  ],
  uid: ['the name of a user and not its uid', ({ uid: _, ...rest }) => rest],
  case: ['users in small letters', (user) => texts(user, (text) => text.toLowerCase())],
  blanks: ['users without the blanks around', (user) => texts(user, (text) => text.trim())],
  long: ['the first 256 characters of a user', (user) => JSON.stringify(user).slice(0, 256)],
};
/** The same of what is asked. */
function keyNearly(near: NearQuestion, { user, ...asked }: Attributes): unknown {
  if (near === 'places')
    return asked.isResource ? [user, { ...asked, namespace: '', name: `${asked.namespace}-${asked.name}` }] : undefined;
  if (near === 'paths') return asked.isResource ? undefined : [user, asked.verb, asked.path.toLowerCase()];
  return [USERS_NEARLY[near][1](user), asked];
}
const NEARLY_TOLD: Readonly<Record<'places' | 'paths', string>> = {
  places: 'namespace and name joined by a hyphen',
  paths: 'paths in small letters',
};

/** Reads another text of the authorization file than the one that is there. */
const misreading = (change: (text: string) => string): Defect => ({
  start: {
    files: (files) => ({
      read: (path) => {
        const text = files.read(path);
        return text.includes('"AuthorizationConfiguration"') ? change(text) : text;
      },
    }),
  },
});

/** What conditions of the checks look at, and what is seen instead. */
const UNSEEN: Readonly<Record<(typeof SEEN_BY_CONDITIONS)[number], readonly [string, string]>> = {
  namespace: ['request.resourceAttributes.namespace', "''"],
  name: ['request.resourceAttributes.name ', "'' "],
  'api-group': ["request.resourceAttributes.group == 'touchstone.example'", "'' == 'touchstone.example'"],
  'core-group': ["request.resourceAttributes.group == ''", "'core' == ''"],
  resource: ['request.resourceAttributes.resource', "''"],
  subresource: ['request.resourceAttributes.subresource', "''"],
  path: ["request.nonResourceAttributes.path == '/touchstone/seen'", "'/' == '/touchstone/seen'"],
  groups: ['in request.groups', 'in [request.groups[0]]'],
  verb: ["request.resourceAttributes.verb == 'list'", "'' == 'list'"],
  uid: ['request.uid', "''"],
  extra: ["request.extra['scopes']", "request.extra['scopes'][0]"],
};

const entriesIn = (text: string): readonly JsonObject[] =>
  (JSON.parse(text) as { readonly authorizers: readonly JsonObject[] }).authorizers;
/** Whether authorizers differ in this alone, for who looks at too little of them. */
function overlooked(
  thing: (typeof CHANGED_ALONE)[number],
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): boolean {
  const ordered = (entries: readonly JsonObject[]) => entries.map((each) => JSON.stringify(each)).sort();
  const without = (member: string) => (entries: readonly JsonObject[]) =>
    entries.map(({ webhook, ...rest }) => JSON.stringify([rest, { ...(webhook as JsonObject), [member]: null }]));
  const same = (of: (entries: readonly JsonObject[]) => unknown) => isDeepStrictEqual(of(before), of(after));
  if (thing === 'order') return same(ordered);
  if (thing === 'condition') return same(without('matchConditions'));
  if (thing === 'connection') return same(without('connectionInfo'));
  if (thing === 'policy') return same(without('failurePolicy'));
  if (thing === 'version') return same(without('subjectAccessReviewVersion'));
  return thing === 'fewer' ? after.length < before.length : after.length > before.length;
}

/** Authorization configurations that are taken for what they are not, and webhooks that are asked and heeded wrongly. */
export const AUTHORIZATION_CONFIGURATION: readonly Mutant[] = [
  ...Object.entries(MALFORMED).flatMap(([name, { clauses, error }]): Mutant[] => [
    {
      id: `answers-with-${name}-allow`,
      breaks: clausesOf('AUTHZCONF-FAILURE-05', 'deny', clauses),
      sentence: `An answer of a webhook with ${name.replaceAll('-', ' ')} is taken for one that allows.`,
      defect: () =>
        onVerdict(undefined, (verdict) => (error.test(verdict.error ?? '') ? allowed(verdict.by) : verdict)),
    },
    {
      id: `answers-with-${name}-deny`,
      breaks: clausesOf('AUTHZCONF-FAILURE-05', 'no-opinion', clauses),
      sentence: `An answer of a webhook with ${name.replaceAll('-', ' ')} is taken for one that denies.`,
      defect: () =>
        onVerdict(undefined, (verdict) =>
          error.test(verdict.error ?? '') ? { ...verdict, decision: 'deny' } : verdict,
        ),
    },
  ]),
  {
    id: 'authorization-config-of-any-kind',
    breaks: ['AUTHZCONF-FILE-01'],
    sentence: 'A file of another kind is read as an AuthorizationConfiguration.',
    defect: () => ({
      start: mendingConfig((config) => {
        config.kind = 'AuthorizationConfiguration';
      }),
    }),
  },
  {
    id: 'authorization-config-of-any-version',
    breaks: ['AUTHZCONF-FILE-01'],
    sentence: 'A file of any version is read as one of v1.',
    defect: () => ({
      start: mendingConfig((config) => {
        const group = String(config.apiVersion).split('/')[0] ?? '';
        if (group.startsWith('apiserver.config')) config.apiVersion = `${group}/v1`;
      }),
    }),
  },
  {
    id: 'authorization-config-read-once',
    breaks: ['AUTHZCONF-FILE-02'],
    sentence: 'The file is read at the start and never again.',
    defect: () => ({
      start: {
        options: (options) => ({ ...options, authorization: { authorizers: options.authorization.authorizers } }),
      },
    }),
  },
  {
    id: 'authorizers-of-modes-start',
    breaks: ['AUTHZCONF-TYPE-02'],
    sentence: 'An authorizer of any mode of the flag may stand in the file.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        for (const one of authorizers) {
          if (/^(Always|ABAC)/.test(String(one.type))) Object.assign(one, { type: 'Node', name: 'node' });
        }
      }),
    }),
  },
  {
    id: 'names-of-authorizers-are-fixed',
    breaks: ['AUTHZCONF-NAME-03'],
    sentence: 'The name of an RBAC or a Node authorizer is that of its type.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        for (const one of authorizers) {
          if (one.type !== 'Webhook' && one.name !== String(one.type).toLowerCase()) one.name = '';
        }
      }),
    }),
  },
  {
    id: 'unknown-authorizers-are-passed-over',
    breaks: ['AUTHZCONF-TYPE-01'],
    sentence: 'An authorizer of an unknown type counts as RBAC.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        for (const one of authorizers)
          if (one.type === 'Touchstone') Object.assign(one, { type: 'RBAC', name: 'rbac' });
      }),
    }),
  },
  {
    id: 'authorizers-without-names',
    breaks: ['AUTHZCONF-NAME-01'],
    sentence: 'An authorizer without a name is given one.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        for (const one of authorizers) one.name ||= 'nameless';
      }),
    }),
  },
  {
    id: 'built-in-authorizers-without-names',
    breaks: ['AUTHZCONF-NAME-01'],
    sentence: 'A Node or RBAC authorizer without a name is called as its type.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        for (const one of authorizers) if (one.type !== 'Webhook') one.name ??= String(one.type).toLowerCase();
      }),
    }),
  },
  {
    id: 'connections-by-a-file-unless-told',
    breaks: ['AUTHZCONF-CONNECTION-02'],
    sentence: 'A connection without a type is one by a file.',
    defect: () => ({
      start: mendingWebhooks(({ connectionInfo }) => {
        if (isObject(connectionInfo)) connectionInfo.type ??= 'KubeConfigFile';
      }),
    }),
  },
  {
    id: 'only-the-first-condition-counts',
    breaks: ['AUTHZCONF-CONDITION-02'],
    sentence: 'Of several match conditions the first decides.',
    defect: () => ({
      start: mendingWebhooks((settings) => {
        if (Array.isArray(settings.matchConditions)) settings.matchConditions = settings.matchConditions.slice(0, 1);
      }),
    }),
  },
  {
    id: 'the-file-is-reloaded-once',
    breaks: ['AUTHZCONF-FILE-02'],
    sentence: 'The file is taken up when it changes first, and not when it changes again.',
    defect: () => {
      const texts = new Set<string>();
      return {
        start: {
          files: (files) => ({
            read: (path) => {
              const text = files.read(path);
              if (!text.includes('"AuthorizationConfiguration"')) return text;
              texts.add(text);
              const [first = text, second = first] = texts;
              return text === first && texts.size === 1 ? first : second;
            },
          }),
        },
      };
    },
  },
  {
    id: 'a-file-that-goes-back-is-overlooked',
    breaks: ['AUTHZCONF-FILE-02/back'],
    sentence: 'A file of authorizers that becomes what it was before is not taken up.',
    defect: () => {
      const seen = new Set<string>();
      let last = '';
      return misreading((text) => {
        if (!seen.has(text)) last = text;
        seen.add(text);
        return last;
      });
    },
  },
  {
    id: 'a-third-file-is-overlooked',
    breaks: ['AUTHZCONF-FILE-02/third'],
    sentence: 'A file of authorizers is taken up no more when it has held two others.',
    defect: () => {
      const seen: string[] = [];
      return misreading((text) => {
        if (!seen.includes(text)) seen.push(text);
        return seen.indexOf(text) > 1 ? (seen[1] ?? text) : text;
      });
    },
  },
  {
    id: 'no-authorizers-after-invalid-ones',
    breaks: ['AUTHZCONF-FILE-02/after-invalid'],
    sentence: 'Once a file of authorizers was invalid no later one is taken up.',
    defect: () => {
      let broken: string | undefined;
      return misreading((text) => {
        if (text.includes('"31s"')) broken = text;
        return broken ?? text;
      });
    },
  },
  {
    id: 'webhooks-fail-like-the-first',
    breaks: ['AUTHZCONF-FAILURE-02'],
    sentence: 'The failure policy of the first webhook is that of all.',
    defect: () => {
      let first: unknown;
      return {
        start: withAuthorizers((authorizers) => {
          first = undefined;
          return authorizers.map((one) => {
            if (one.type !== 'Webhook') return one;
            first ??= one.webhook.failurePolicy;
            return { ...one, webhook: { ...one.webhook, failurePolicy: first as typeof one.webhook.failurePolicy } };
          });
        }),
      };
    },
  },
  {
    id: 'reviews-in-the-older-version-have-groups',
    breaks: ['AUTHZCONF-VERSION-01'],
    sentence: 'A review that is sent in v1beta1 calls the groups as v1 does.',
    defect: () => ({
      reviews: (reviews) => ({
        ask: (review) => {
          const { group, ...spec } = (review.spec ?? {}) as JsonObject;
          return reviews.ask(group === undefined ? review : { ...review, spec: { ...spec, groups: group } });
        },
      }),
    }),
  },
  {
    id: 'failing-webhooks-deny-writes',
    breaks: ['AUTHZCONF-FAILURE-03'],
    sentence: 'Under NoOpinion a call that fails denies what is no read.',
    defect: () =>
      onVerdict('failing', (verdict, { verb }) =>
        verdict.error !== undefined && verb !== 'get' ? { ...verdict, decision: 'deny' } : verdict,
      ),
  },
  {
    id: 'decisions-are-counted-for-nobody',
    breaks: ['AUTHZCONF-NAME-02/webhook'],
    sentence: 'The metrics of decisions name no webhook.',
    defect: () => onVerdict('earlier', (verdict) => ({ ...verdict, by: 'webhook' })),
  },
  {
    id: 'roles-decide-under-the-name-of-their-mode',
    breaks: ['AUTHZCONF-NAME-02/role'],
    sentence: 'What a role grants is counted for an authorizer named rbac, whatever its name is.',
    defect: () => onVerdict('roles.of-the-cluster', (verdict) => ({ ...verdict, by: 'rbac' })),
  },
  {
    id: 'nodes-are-decided-on-under-the-name-of-their-mode',
    breaks: ['AUTHZCONF-NAME-02/node'],
    sentence: 'What a node may is counted for an authorizer named node, whatever its name is.',
    defect: () => onVerdict('agents', (verdict) => ({ ...verdict, by: 'node' })),
  },
  {
    id: 'allowing-answers-kept-for-a-day',
    breaks: ['AUTHZCONF-TTL-01'],
    sentence: 'An answer that allows is kept for a day.',
    defect: () => ({ start: withWebhooks(() => ({ authorizedTtl: DAY })) }),
  },
  {
    id: 'allowing-answers-not-kept',
    breaks: ['AUTHZCONF-TTL-01'],
    sentence: 'No answer that allows is kept.',
    defect: () => ({ start: withWebhooks(() => ({ authorizedTtl: 1 })) }),
  },
  {
    id: 'answers-kept-for-whole-seconds',
    breaks: ['AUTHZCONF-TTL-01', 'AUTHZCONF-TTL-02'],
    sentence: 'How long answers are kept is rounded up to whole seconds.',
    defect: () => ({
      start: withWebhooks(({ authorizedTtl, unauthorizedTtl }) => ({
        authorizedTtl: Math.ceil(authorizedTtl / 1000) * 1000,
        unauthorizedTtl: Math.ceil(unauthorizedTtl / 1000) * 1000,
      })),
    }),
  },
  {
    id: 'other-answers-kept-as-long-as-allowing-ones',
    breaks: ['AUTHZCONF-TTL-02'],
    sentence: 'An answer that does not allow is kept for authorizedTTL.',
    defect: () => ({ start: withWebhooks(({ authorizedTtl }) => ({ unauthorizedTtl: authorizedTtl * 2 })) }),
  },
  ...(
    [
      ['allow', 'AUTHZCONF-TTL-01', 'noOpinion'],
      ['deny', 'AUTHZCONF-TTL-02', 'noOpinion'],
      ['noOpinion', 'AUTHZCONF-TTL-02', 'deny'],
    ] as const
  ).map(
    ([decision, requirement, then]): Mutant => ({
      id: `kept-answers-forget-${decision}`,
      breaks: [requirement],
      sentence: `An answer that came to ${decision} is kept as one that comes to ${then}.`,
      defect: () => {
        const kept = new Set<string>();
        return onMember('cached', async (asked, ask) => {
          const verdict = await ask(asked);
          if (verdict.decision !== decision) return verdict;
          const key = JSON.stringify(asked);
          const again = kept.has(key);
          kept.add(key);
          return again ? { ...verdict, decision: then } : verdict;
        });
      },
    }),
  ),
  ...(['allow', 'deny'] as const).map(
    (decision): Mutant => ({
      id: `answers-kept-without-the-name-${decision}`,
      breaks: [`AUTHZCONF-TTL-03/${decision}`],
      sentence: `Of answers, those that ${decision} are used for other objects of the collection too.`,
      defect: () => {
        const kept = new Map<string, AuthorizationResult>();
        return onMember('cached', async (asked, ask) => {
          if (!asked.isResource || asked.name === '') return ask(asked);
          const key = JSON.stringify({ ...asked, name: '' });
          const verdict = kept.get(key) ?? (await ask(asked));
          if (verdict.decision === decision) kept.set(key, verdict);
          return verdict;
        });
      },
    }),
  ),
  ...NEAR_QUESTIONS.map(
    (near): Mutant => ({
      id: `answers-kept-by-nearly-the-question-${near}`,
      breaks: [`AUTHZCONF-TTL-03/near/${near}`],
      sentence: `Answers of webhooks are kept by ${near === 'places' || near === 'paths' ? NEARLY_TOLD[near] : USERS_NEARLY[near][0]}.`,
      defect: () => {
        const kept = new Map<string, { readonly asked: string; readonly verdict: AuthorizationResult }>();
        return onMember('cached', async (asked, ask) => {
          const [whole, short] = [JSON.stringify(asked), JSON.stringify(keyNearly(near, asked))];
          const before = kept.get(short);
          if (before && before.asked !== whole) return before.verdict;
          const verdict = await ask(asked);
          if (short !== undefined) kept.set(short, { asked: whole, verdict });
          return verdict;
        });
      },
    }),
  ),
  {
    id: 'answers-kept-by-parts-written-together',
    breaks: ['AUTHZCONF-TTL-03/near/places'],
    sentence: 'Answers of webhooks are kept by the parts of a question, with nothing between them.',
    defect: () => {
      const kept = new Map<string, AuthorizationResult>();
      return onMember('cached', async (asked, ask) => {
        if (!asked.isResource) return ask(asked);
        const { user, verb, group, resource, subresource, namespace, name } = asked;
        const key = JSON.stringify([user, [verb, group, resource, subresource, namespace, name].join('')]);
        const verdict = kept.get(key) ?? (await ask(asked));
        kept.set(key, verdict);
        return verdict;
      });
    },
  },
  ...SEEN_BY_CONDITIONS.map(
    (field): Mutant => ({
      id: `conditions-do-not-see-${field}`,
      breaks: clausesOf('AUTHZCONF-CONDITION-02', 'sees', field),
      sentence: `What match conditions see instead of ${UNSEEN[field][0]} is something else.`,
      defect: () => ({
        start: mendingWebhooks(({ matchConditions }) => {
          for (const condition of (matchConditions ?? []) as JsonObject[])
            condition.expression = String(condition.expression).replaceAll(UNSEEN[field][0], UNSEEN[field][1]);
        }),
      }),
    }),
  ),
  {
    id: 'conditions-look-at-reviews-as-they-are-sent',
    breaks: ['AUTHZCONF-CONDITION-02/sees/groups/v1beta1'],
    sentence: 'Where reviews are sent in v1beta1 match conditions find no groups under the name that v1 has for them.',
    defect: () => ({
      start: mendingWebhooks(({ subjectAccessReviewVersion, matchConditions }) => {
        if (subjectAccessReviewVersion !== 'v1beta1') return;
        for (const condition of (matchConditions ?? []) as JsonObject[])
          condition.expression = String(condition.expression).replaceAll('request.groups', '[""]');
      }),
    }),
  },
  {
    id: 'answers-are-kept-as-the-first-webhook-says',
    breaks: ['AUTHZCONF-TTL-01', 'AUTHZCONF-TTL-02'],
    sentence: 'How long answers are kept is what the first webhook says, for all.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        const all = authorizers.flatMap(({ webhook }) => (isObject(webhook) ? [webhook] : []));
        for (const webhook of all) {
          webhook.authorizedTTL = all[0]?.authorizedTTL ?? '5m';
          webhook.unauthorizedTTL = all[0]?.unauthorizedTTL ?? '30s';
        }
      }),
    }),
  },
  {
    id: 'webhooks-wait-as-long-as-the-first',
    breaks: ['AUTHZCONF-TIMEOUT-02'],
    sentence: 'The timeout of the first webhook is that of all.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        const all = authorizers.flatMap(({ webhook }) => (isObject(webhook) ? [webhook] : []));
        for (const webhook of all) webhook.timeout = all[0]?.timeout ?? '10s';
      }),
    }),
  },
  {
    id: 'failed-calls-are-kept',
    breaks: ['AUTHZCONF-FAILURE-03'],
    sentence: 'A call that failed is not made again for the same question.',
    defect: () => {
      const failed = new Map<string, AuthorizationResult>();
      return onMember('failing', async (asked, ask) => {
        const key = JSON.stringify(asked);
        const verdict = failed.get(key) ?? (await ask(asked));
        if (verdict.error !== undefined) failed.set(key, verdict);
        return verdict;
      });
    },
  },
  {
    id: 'the-first-context-is-the-current-one',
    breaks: ['AUTHZCONF-CONNECTION-01'],
    sentence: 'A webhook of authorization is reached by the first context of its file.',
    defect: () => ({
      start: {
        files: (files) => ({
          read: (path) => {
            const text = files.read(path);
            if (!text.includes('"current-context"')) return text;
            const config = JSON.parse(text) as { contexts: readonly { name: string }[] };
            return JSON.stringify({ ...config, 'current-context': config.contexts[0]?.name });
          },
        }),
      },
    }),
  },
  {
    id: 'webhooks-of-authorization-are-not-verified',
    breaks: ['AUTHZCONF-CONNECTION-01'],
    sentence: 'Whoever signed it, the certificate of a webhook of authorization is taken.',
    defect: () => ({
      start: {
        files: (files) => ({
          read: (path) => {
            const text = files.read(path);
            if (!text.includes('"current-context"')) return text;
            const config = JSON.parse(text) as { clusters: { cluster: JsonObject }[] };
            for (const { cluster } of config.clusters) {
              delete cluster['certificate-authority'];
              cluster['insecure-skip-tls-verify'] = true;
            }
            return JSON.stringify(config);
          },
        }),
      },
    }),
  },
  ...CHANGED_ALONE.map(
    (thing): Mutant => ({
      id: `a-file-of-another-${thing}-is-overlooked`,
      breaks: [`AUTHZCONF-FILE-02/alone/${thing}`],
      sentence: `A file of authorizers that differs from the one before in this alone is not taken up: ${thing}.`,
      defect: () => {
        let last: string | undefined;
        return misreading((text) => {
          if (last === undefined || !overlooked(thing, entriesIn(last), entriesIn(text))) last = text;
          return last;
        });
      },
    }),
  ),
  {
    id: 'the-file-is-reloaded-in-its-order',
    breaks: ['AUTHZCONF-FILE-02'],
    sentence: 'Authorizers that were there at the start stand in the order of the start when the file has changed.',
    defect: () => {
      let first: readonly string[] | undefined;
      return {
        start: withAuthorizers((authorizers) => {
          const names = authorizers.map(({ name }) => name);
          first ??= names.length > 0 ? names : undefined;
          const at = (name: string) => (first?.includes(name) ? first.indexOf(name) : names.length);
          return [...authorizers].sort((a, b) => at(a.name) - at(b.name));
        }),
      };
    },
  },
  {
    id: 'answers-kept-by-user-and-verb',
    breaks: ['AUTHZCONF-TTL-03'],
    sentence: 'An answer is used for every question of its user with its verb, whatever the object and the groups.',
    defect: () => ({
      eachAuthorizer: (member) => {
        if (member.name !== 'cached') return member;
        const kept = new Map<string, AuthorizationResult>();
        return {
          name: member.name,
          authorize: async (asked) => {
            const key = `${asked.user.username} ${asked.verb}`;
            const verdict = kept.get(key) ?? (await member.authorize(asked));
            kept.set(key, verdict);
            return verdict;
          },
        };
      },
    }),
  },
  {
    id: 'answers-kept-without-the-groups',
    breaks: ['AUTHZCONF-TTL-03'],
    sentence: 'The webhook is told of no groups, so that answers are kept without them.',
    defect: () => onMember('cached', (asked, ask) => ask({ ...asked, user: { ...asked.user, groups: [] } })),
  },
  {
    id: 'webhook-timeouts-of-any-length',
    breaks: ['AUTHZCONF-TIMEOUT-01'],
    sentence: 'A timeout above 30 seconds is taken for 30 seconds.',
    defect: () => ({
      start: mendingWebhooks((settings) => {
        if (settings.timeout === '31s') settings.timeout = '30s';
      }),
    }),
  },
  {
    id: 'webhook-timeouts-by-default',
    breaks: ['AUTHZCONF-TIMEOUT-01'],
    sentence: 'A timeout that is not given is 10 seconds.',
    defect: () => ({
      start: mendingWebhooks((settings) => {
        settings.timeout ??= '10s';
      }),
    }),
  },
  {
    id: 'late-webhooks-allow',
    breaks: ['AUTHZCONF-TIMEOUT-02'],
    sentence: 'A webhook that does not answer in time has allowed.',
    defect: () =>
      onVerdict('failing', (verdict) =>
        /timeout|deadline|in time/i.test(verdict.error ?? '') ? allowed('failing') : verdict,
      ),
  },
  {
    id: 'webhook-timeouts-in-whole-seconds',
    breaks: ['AUTHZCONF-TIMEOUT-02'],
    sentence: 'A timeout is kept in whole seconds, and none of them is as long as may be.',
    defect: () => ({
      start: withWebhooks(({ timeout }) => ({ timeout: Math.floor(timeout / 1000) * 1000 || 30_000 })),
    }),
  },
  ...(['ceil', 'floor'] as const).map(
    (round): Mutant => ({
      id: `webhook-timeouts-rounded-${round === 'ceil' ? 'up' : 'down'}`,
      breaks: ['AUTHZCONF-TIMEOUT-02'],
      sentence: `A timeout is rounded ${round === 'ceil' ? 'up' : 'down'} to whole seconds, and is one second at least.`,
      defect: () => ({
        start: withWebhooks(({ timeout }) => ({ timeout: Math.max(1, Math[round](timeout / 1000)) * 1000 })),
      }),
    }),
  ),
  {
    id: 'reviews-always-in-v1',
    breaks: ['AUTHZCONF-VERSION-01'],
    sentence: 'Reviews are sent in v1 whatever version is asked for.',
    defect: () => ({ start: withWebhooks(() => ({ version: 'v1' })) }),
  },
  {
    id: 'conditions-over-any-version',
    breaks: ['AUTHZCONF-VERSION-02'],
    sentence: 'Match conditions over another version of reviews are accepted.',
    defect: () => ({
      start: mendingWebhooks((settings) => {
        settings.matchConditionSubjectAccessReviewVersion = 'v1';
      }),
    }),
  },
  {
    id: 'failure-policy-by-default',
    breaks: ['AUTHZCONF-FAILURE-01'],
    sentence: 'A failure policy that is not given is NoOpinion.',
    defect: () => ({
      start: mendingWebhooks((settings) => {
        settings.failurePolicy ??= 'NoOpinion';
      }),
    }),
  },
  {
    id: 'failing-webhooks-never-deny',
    breaks: ['AUTHZCONF-FAILURE-02', 'AUTHZCONF-CONDITION-03'],
    sentence: 'A webhook that fails has no opinion, whatever its failure policy.',
    defect: () => ({ start: withWebhooks(() => ({ failurePolicy: 'NoOpinion' })) }),
  },
  {
    id: 'failing-webhooks-always-deny',
    breaks: ['AUTHZCONF-FAILURE-03'],
    sentence: 'A webhook that fails denies, whatever its failure policy.',
    defect: () => ({ start: withWebhooks(() => ({ failurePolicy: 'Deny' })) }),
  },
  {
    id: 'failing-webhooks-allow-in-the-end',
    breaks: ['AUTHZCONF-FAILURE-04'],
    sentence: 'Where a webhook failed and nobody decided, the request is allowed.',
    defect: () => ({
      authorizer: (chain) => ({
        name: chain.name,
        authorize: async (asked) => {
          const verdict = await chain.authorize(asked);
          return verdict.error !== undefined && verdict.decision === 'noOpinion' ? allowed(verdict.by) : verdict;
        },
      }),
    }),
  },
  {
    id: 'malformed-answers-are-no-opinion',
    breaks: ['AUTHZCONF-FAILURE-05'],
    sentence: 'An answer of a webhook that is malformed is no opinion, even under Deny.',
    defect: () =>
      onVerdict('failing', (verdict) =>
        /status|malformed|kind|JSON/i.test(verdict.error ?? '') ? unopinionated('failing') : verdict,
      ),
  },
  {
    id: 'webhooks-see-no-client-certificate',
    breaks: ['AUTHZCONF-CONNECTION-01'],
    sentence: 'The client certificate of the client configuration is not shown.',
    defect: () => ({ start: withWebhooks(({ remote }) => ({ remote: { ...remote, clientCertificate: undefined } })) }),
  },
  {
    id: 'in-cluster-webhooks-are-passed-over',
    breaks: ['AUTHZCONF-CONNECTION-02'],
    sentence: 'A webhook that is to be reached as from a pod is passed over.',
    defect: () => ({
      start: mendingConfig((config) => {
        const others = config.authorizers.filter(({ webhook }) => connectionOf(webhook) !== 'InClusterConfig');
        config.authorizers = others.length > 0 ? others : [{ type: 'RBAC', name: 'rbac' }];
      }),
    }),
  },
  {
    id: 'conditions-beyond-64-are-dropped',
    breaks: ['AUTHZCONF-CONDITION-01'],
    sentence: 'Of more than 64 match conditions the first 64 count.',
    defect: () => ({
      start: mendingWebhooks((settings) => {
        if (Array.isArray(settings.matchConditions)) settings.matchConditions = settings.matchConditions.slice(0, 64);
      }),
    }),
  },
  {
    id: 'conditions-are-counted-over-all-webhooks',
    breaks: ['AUTHZCONF-CONDITION-01'],
    sentence: 'More than 64 match conditions of all webhooks together are refused.',
    defect: () => ({
      start: mendingConfig(({ authorizers }) => {
        const all = authorizers.flatMap(({ webhook }) => (isObject(webhook) ? [webhook] : []));
        const counts = all.map(({ matchConditions }) => (Array.isArray(matchConditions) ? matchConditions.length : 0));
        const first = all[0];
        if (first && counts.reduce((sum, count) => sum + count, 0) > 64) first.timeout = '31s';
      }),
    }),
  },
  {
    id: 'conditions-are-not-looked-at',
    breaks: ['AUTHZCONF-CONDITION-02'],
    sentence: 'A webhook is asked whatever its match conditions say.',
    defect: () => ({ start: withWebhooks(() => ({ conditions: [] })) }),
  },
  {
    id: 'an-error-hides-a-false-condition',
    breaks: ['AUTHZCONF-CONDITION-02'],
    sentence: 'Where a match condition errs, one that is false does not count.',
    defect: () => ({
      start: withWebhooks(({ conditions }) => ({
        conditions: conditions.map((condition) => (review) => {
          const errs = conditions.some((each) => !sound(each, review));
          return errs ? condition(review) || true : condition(review);
        }),
      })),
    }),
  },
  {
    id: 'conditions-that-err-are-false',
    breaks: ['AUTHZCONF-CONDITION-03'],
    sentence: 'A match condition that errs counts as false.',
    defect: () => ({
      start: withWebhooks(({ conditions }) => ({
        conditions: conditions.map((condition) => (review) => {
          try {
            return condition(review);
          } catch {
            return false;
          }
        }),
      })),
    }),
  },
  {
    id: 'node-entries-are-ignored',
    breaks: ['AUTHZCONF-TYPE-01'],
    sentence: 'The type Node is accepted and never asked.',
    defect: () => ({ start: withAuthorizers((authorizers) => authorizers.filter(({ type }) => type !== 'Node')) }),
  },
];
