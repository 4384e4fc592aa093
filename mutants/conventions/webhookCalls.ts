import { isDeepStrictEqual } from 'node:util';
import { CHANGES, clausesOf, DELETES, OBJECT_WRITES } from '../../fixtures/ledger/index.ts';
import type { ConditionVariables, MatchConditions } from '../../reference/admission/expressions/conditions.ts';
import type { RequestRule } from '../../reference/admission/matching/target.ts';
import { VersionedView } from '../../reference/admission/matching/versionedView.ts';
import type { HookAnswer } from '../../reference/admission/webhooks/answer.ts';
import { HookFault } from '../../reference/admission/webhooks/fault.ts';
import type { Hook } from '../../reference/admission/webhooks/hook.ts';
import type { HookDependencies } from '../../reference/admission/webhooks/validating.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import type { AdmissionAttributes } from '../../reference/contracts/admission.ts';
import type { Seams } from '../../reference/seams.ts';
import { EVERYTHING } from '../../reference/selectors/labelRequirement.ts';
import { judging } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { mendingHooks } from '../onWebhooks.ts';

type Ask = HookDependencies['caller']['ask'];

/** Each hook is read otherwise than its configuration says. */
function misreading(change: (hook: Hook) => Partial<Hook>): Seams {
  const changed = new WeakMap<Hook, Hook>();
  const read = (hook: Hook) => {
    const known = changed.get(hook) ?? { ...hook, ...change(hook) };
    changed.set(hook, known);
    return known;
  };
  return {
    webhooks: ({ index, ...dependencies }) => ({
      ...dependencies,
      index: { items: async () => (await index.items()).map(read) },
    }),
  };
}

/** Each rule of each hook is read otherwise. */
function misreadingRules(change: (rule: RequestRule) => Partial<RequestRule>): Seams {
  return misreading(({ rules }) => ({ rules: rules.map((rule) => ({ ...rule, ...change(rule) })) }));
}

/** Something stands between the plugin and the calls of its hooks. */
function calling(around: (ask: Ask) => Ask): Seams {
  return {
    webhooks: ({ caller, ...dependencies }) => ({
      ...dependencies,
      caller: {
        ask: around((...asked) => caller.ask(...asked)),
        pass: (...passed) => caller.pass(...passed),
        noteIgnored: (...noted) => caller.noteIgnored(...noted),
        noteMutation: (...noted) => caller.noteMutation(...noted),
        notePatch: (...noted) => caller.notePatch(...noted),
      },
    }),
  };
}

const ALLOWED: HookAnswer = {
  allowed: true,
  status: undefined,
  patch: '',
  patchType: '',
  warnings: [],
  auditAnnotations: {},
};

/** Calls that fail in this way count as allowed. */
function forgiving(forgives: (fault: HookFault) => boolean): Seams {
  return calling((ask) => async (...asked) => {
    try {
      return await ask(...asked);
    } catch (error) {
      if (error instanceof HookFault && forgives(error)) return ALLOWED;
      throw error;
    }
  });
}

/** Reviews lack one of the objects of the request. */
function hiding(hidden: 'object' | 'oldObject'): Seams {
  return calling((ask) => (attributes, invocation, sent) => {
    const { view } = invocation;
    const less = new VersionedView(
      { object: view.object('object'), oldObject: view.object('oldObject'), [hidden]: undefined },
      view.endpoint,
    );
    return ask(attributes, { ...invocation, view: less }, sent);
  });
}

/** Match conditions see other values. */
function seeing(change: (variables: ConditionVariables) => Partial<ConditionVariables>): Seams {
  return deciding((conditions) => ({
    evaluate: (list, variables) => conditions.evaluate(list, { ...variables, ...change(variables) }),
  }));
}

function deciding(around: (conditions: MatchConditions) => MatchConditions): Seams {
  return { webhooks: ({ conditions, ...dependencies }) => ({ ...dependencies, conditions: around(conditions) }) };
}

const isApply = ({ exchange }: AdmissionAttributes) =>
  exchange.request.headers['content-type']?.includes('apply-patch') === true;

/** Webhooks that are called otherwise than their configuration and their answers say. */
export const WEBHOOK_CALLS: readonly Mutant[] = [
  {
    id: 'webhook-url-loses-path',
    breaks: ['WEBHOOK-CALL-01'],
    sentence: 'A webhook is called at the root of its server, whatever path its url has.',
    defect: () =>
      misreading(({ client }) => ({
        client: { ...client, url: client.url === '' ? '' : new URL('/', client.url).href },
      })),
  },
  {
    id: 'only-first-webhook-denies',
    breaks: ['WEBHOOK-CALL-02'],
    sentence: 'Of several webhooks only the denial of the first counts.',
    defect: () =>
      calling((ask) => async (attributes, invocation, sent) => {
        const answer = await ask(attributes, invocation, sent);
        return invocation.hook.name.startsWith('w0.') ? answer : { ...answer, allowed: true };
      }),
  },
  {
    id: 'validating-webhook-changes-object',
    breaks: ['WEBHOOK-CALL-03'],
    sentence: 'What a validating webhook answers beside its verdict empties the data of the object.',
    defect: () => ({
      admission: (chain) => ({
        ...chain,
        validate: async (attributes) => {
          await chain.validate(attributes);
          const { object, endpoint } = attributes;
          if (object && endpoint.type.resource === 'configmaps') object.data = {};
        },
      }),
    }),
  },
  {
    id: 'webhook-hears-of-webhook-configurations',
    breaks: ['WEBHOOK-EXEMPT-01'],
    sentence: 'Webhooks are called for requests about webhook configurations.',
    defect: () => ({ webhooks: (dependencies) => ({ ...dependencies, group: 'nobody.example' }) }),
  },
  {
    id: 'last-review-version-wins',
    breaks: ['WEBHOOK-REVIEW-01'],
    sentence: 'A webhook is sent the last of its review versions that is known.',
    defect: () => misreading(({ reviewVersions }) => ({ reviewVersions: [...reviewVersions].reverse() })),
  },
  {
    id: 'newest-review-version-wins',
    breaks: ['WEBHOOK-REVIEW-01'],
    sentence: 'A webhook that takes v1 among others is sent that, whatever it prefers.',
    defect: () => misreading(({ reviewVersions }) => ({ reviewVersions: [...reviewVersions].sort() })),
  },
  {
    id: 'review-without-user',
    breaks: clausesOf('WEBHOOK-REQUEST-01'),
    sentence: 'The review does not tell who the request is from.',
    defect: () =>
      calling(
        (ask) =>
          ({ exchange, ...attributes }, ...rest) =>
            ask({ ...attributes, exchange: { ...exchange, user: { ...exchange.user, username: '' } } }, ...rest),
      ),
  },
  {
    id: 'review-without-old-object',
    breaks: clausesOf('WEBHOOK-REQUEST-01', [...CHANGES, ...DELETES]),
    sentence: 'The review does not hold the object as it is stored.',
    defect: () => hiding('oldObject'),
  },
  {
    id: 'review-without-new-object',
    breaks: clausesOf('WEBHOOK-REQUEST-01', OBJECT_WRITES),
    sentence: 'The review does not hold the object as it would be stored.',
    defect: () => hiding('object'),
  },
  {
    id: 'denial-does-not-count',
    breaks: clausesOf('WEBHOOK-CALL-02'),
    sentence: 'What a webhook denies is done.',
    defect: () =>
      calling((ask) => async (...asked) => ({ ...(await ask(...asked)), allowed: true })),
  },
  {
    id: 'answers-to-dry-runs-count-for-what-follows',
    breaks: clausesOf('WEBHOOK-CALL-01', 'tried'),
    sentence: 'A webhook that answered a dry run is not called for the same request when it is meant.',
    defect: () => {
      const known = new Map<string, HookAnswer>();
      return calling((ask) => async (attributes, invocation, sent) => {
        const { endpoint, name, namespace, operation, dryRun } = attributes;
        const key = JSON.stringify([invocation.hook.id, endpoint.type.resource, namespace, name, operation]);
        const kept = dryRun ? undefined : known.get(key);
        const answer = kept ?? (await ask(attributes, invocation, sent));
        if (dryRun) known.set(key, answer);
        else known.delete(key);
        return answer;
      });
    },
  },
  {
    id: 'updates-without-change-call-nobody',
    breaks: clausesOf('WEBHOOK-CALL-01', 'unchanged'),
    sentence: 'No webhook is called for an update that would change nothing.',
    defect: () =>
      calling((ask) => (attributes, invocation, sent) => {
        const { object, oldObject } = attributes;
        const bare = (whole: ApiObject) => ({ ...whole, metadata: { ...whole.metadata, managedFields: undefined } });
        const isSame = object && oldObject && isDeepStrictEqual(bare(object), bare(oldObject));
        return isSame ? Promise.resolve(ALLOWED) : ask(attributes, invocation, sent);
      }),
  },
  {
    id: 'denied-status-is-written',
    breaks: clausesOf('WEBHOOK-CALL-01', CHANGES).filter((name) => name.endsWith('-status')),
    sentence: 'What a webhook denies of a status is written.',
    defect: () =>
      calling((ask) => async (attributes, invocation, sent) => {
        const answer = await ask(attributes, invocation, sent);
        return attributes.endpoint.subresource?.name === 'status' ? { ...answer, allowed: true } : answer;
      }),
  },
  {
    id: 'denial-of-what-is-being-deleted-does-not-count',
    breaks: clausesOf('WEBHOOK-CALL-02', ['held-configmaps', 'held-clusterrolebindings', 'held-custom']),
    sentence: 'What a webhook denies of an object that is being deleted is done.',
    defect: () =>
      calling((ask) => async (attributes, invocation, sent) => {
        const answer = await ask(attributes, invocation, sent);
        const ending = attributes.oldObject?.metadata.deletionTimestamp !== undefined;
        return ending && attributes.operation === 'UPDATE' ? { ...answer, allowed: true } : answer;
      }),
  },
  {
    id: 'what-creates-without-a-post-is-not-reviewed',
    breaks: [
      ...clausesOf('WEBHOOK-CALL-01', ['put-creating', 'apply-creating']),
      ...clausesOf('WEBHOOK-CALL-02', ['put-creating', 'apply-creating']),
    ],
    sentence: 'No webhook is called for what a PUT or an apply creates.',
    defect: () =>
      calling((ask) => async (attributes, invocation, sent) => {
        const { operation, exchange } = attributes;
        const creates = operation === 'CREATE' && exchange.request.method !== 'POST';
        return creates ? ALLOWED : ask(attributes, invocation, sent);
      }),
  },
  {
    id: 'first-of-a-collection-is-asked-about',
    breaks: [...clausesOf('WEBHOOK-CALL-01', 'each'), ...clausesOf('WEBHOOK-CALL-02', 'each')],
    sentence: 'What a webhook answers about the first object of a collection that is deleted counts for all of it.',
    defect: () => {
      const answers = new WeakMap<object, Map<string, Promise<HookAnswer>>>();
      return calling((ask) => (attributes, invocation, sent) => {
        const { exchange } = attributes;
        if (exchange.info.verb !== 'deletecollection') return ask(attributes, invocation, sent);
        const known = answers.get(exchange.request) ?? new Map<string, Promise<HookAnswer>>();
        answers.set(exchange.request, known);
        const answer = known.get(invocation.hook.name) ?? ask(attributes, invocation, sent);
        known.set(invocation.hook.name, answer);
        return answer;
      });
    },
  },
  {
    id: 'review-without-groups-of-others',
    breaks: ['WEBHOOK-REQUEST-01/somebody'],
    sentence: 'The review tells one group of who asks.',
    defect: () =>
      calling((ask) => ({ exchange, ...attributes }, ...rest) => {
        const user = { ...exchange.user, groups: exchange.user.groups.slice(0, 1) };
        return ask({ ...attributes, exchange: { ...exchange, user } }, ...rest);
      }),
  },
  {
    id: 'review-without-name',
    breaks: ['WEBHOOK-REQUEST-01'],
    sentence: 'The review does not tell the name of the object.',
    defect: () =>
      calling(
        (ask) =>
          (attributes, ...rest) =>
            ask({ ...attributes, name: '' }, ...rest),
      ),
  },
  {
    id: 'webhook-certificate-not-verified',
    breaks: ['WEBHOOK-TLS-01', 'WEBHOOK-TLS-02'],
    sentence: 'A webhook whose certificate cannot be verified counts as one that allows.',
    defect: () => forgiving(({ message }) => /certificate|x509/.test(message)),
  },
  {
    id: 'webhook-service-always-at-443',
    breaks: ['WEBHOOK-SERVICE-01'],
    sentence: 'The port of a service reference is passed over.',
    defect: () =>
      misreading(({ client }) => ({
        client: { ...client, service: client.service && { ...client.service, port: 443 } },
      })),
  },
  {
    id: 'dry-runs-reach-side-effects',
    breaks: ['WEBHOOK-DRYRUN-02'],
    sentence: 'Webhooks that may have side effects are called for dry runs.',
    defect: () => misreading(() => ({ sideEffects: 'None' })),
  },
  {
    id: 'dry-run-kept-from-webhooks',
    breaks: [...clausesOf('WEBHOOK-DRYRUN-01'), ...clausesOf('WEBHOOK-CALL-01', 'tried')],
    sentence: 'Webhooks are not told that a request is a dry run.',
    defect: () =>
      calling(
        (ask) =>
          (attributes, ...rest) =>
            ask({ ...attributes, dryRun: false }, ...rest),
      ),
  },
  {
    id: 'failed-webhook-is-ignored',
    breaks: clausesOf('WEBHOOK-FAILURE-01'),
    sentence: 'A webhook that fails is ignored, whatever its failure policy.',
    defect: () => misreading(() => ({ ignoresFailure: true })),
  },
  {
    id: 'review-uid-not-compared',
    breaks: ['WEBHOOK-FAILURE-01'],
    sentence: 'An answer to another review than the one that was sent counts.',
    defect: () => forgiving(({ message }) => /uid/.test(message)),
  },
  {
    id: 'failed-webhook-always-fails',
    breaks: clausesOf('WEBHOOK-FAILURE-02'),
    sentence: 'A webhook that fails makes the request fail, also under Ignore.',
    defect: () => misreading(() => ({ ignoresFailure: false })),
  },
  {
    id: 'denial-under-ignore-is-ignored',
    breaks: ['WEBHOOK-FAILURE-02'],
    sentence: 'Under Ignore a denial lets the request pass too.',
    defect: () =>
      calling((ask) => async (attributes, invocation, sent) => {
        const answer = await ask(attributes, invocation, sent);
        return invocation.hook.ignoresFailure ? { ...answer, allowed: true } : answer;
      }),
  },
  {
    id: 'webhook-timeout-is-the-default',
    breaks: ['WEBHOOK-TIMEOUT-01'],
    sentence: 'Every webhook has ten seconds, whatever its timeoutSeconds.',
    defect: () => misreading(() => ({ timeout: 10_000 })),
  },
  {
    id: 'match-policy-always-exact',
    breaks: clausesOf('WEBHOOK-MATCH-01'),
    sentence: 'A request through another version than the listed one calls no webhook.',
    defect: () => misreading(() => ({ equivalent: false })),
  },
  {
    id: 'match-policy-of-deletions-exact',
    breaks: clausesOf('WEBHOOK-MATCH-01', DELETES),
    sentence:
      'A deletion through another version than the listed one calls no webhook, as there is nothing to convert.',
    defect: () =>
      calling(
        (ask) => async (attributes, invocation, sent) =>
          attributes.operation === 'DELETE' && attributes.endpoint.version !== invocation.view.version
            ? ALLOWED
            : ask(attributes, invocation, sent),
      ),
  },
  {
    id: 'match-policy-of-subresources-exact',
    breaks: clausesOf('WEBHOOK-MATCH-01', ['status', 'scale']),
    sentence: 'A write to a subresource through another version than the listed one calls no webhook.',
    defect: () =>
      calling(
        (ask) => async (attributes, invocation, sent) =>
          attributes.endpoint.subresource && attributes.endpoint.version !== invocation.view.version
            ? ALLOWED
            : ask(attributes, invocation, sent),
      ),
  },
  {
    id: 'match-policy-always-equivalent',
    breaks: clausesOf('WEBHOOK-MATCH-01'),
    sentence: 'A request through another version calls the webhook under Exact too.',
    defect: () => misreading(() => ({ equivalent: true })),
  },
  {
    id: 'namespace-selector-passed-over',
    breaks: ['WEBHOOK-NAMESPACE-01', 'WEBHOOK-NAMESPACE-02'],
    sentence: 'A webhook is called in every namespace.',
    defect: () => misreading(() => ({ namespaceSelector: EVERYTHING })),
  },
  {
    id: 'cluster-scoped-objects-skip-webhooks',
    breaks: ['WEBHOOK-NAMESPACE-03'],
    sentence: 'Cluster-scoped objects other than namespaces pass webhooks unseen.',
    defect: () =>
      judging((attributes) => {
        const { namespace, endpoint } = attributes;
        return namespace === '' && endpoint.type.resource !== 'namespaces' ? undefined : attributes;
      }),
  },
  {
    id: 'object-selector-sees-new-object-only',
    breaks: ['WEBHOOK-OBJECT-01'],
    sentence: 'objectSelector looks at the new object alone.',
    defect: () =>
      judging((attributes) =>
        attributes.operation === 'UPDATE' ? { ...attributes, oldObject: undefined } : attributes,
      ),
  },
  {
    id: 'object-selector-passed-over',
    breaks: [...clausesOf('WEBHOOK-OBJECT-01'), 'WEBHOOK-OBJECT-02'],
    sentence: 'A webhook is called whatever labels the object has, and where it can have none.',
    defect: () => misreading(() => ({ objectSelector: EVERYTHING })),
  },
  {
    id: 'first-webhook-rule-only',
    breaks: ['WEBHOOK-RULES-01'],
    sentence: 'Of the rules of a webhook only the first counts.',
    defect: () => misreading(({ rules }) => ({ rules: rules.slice(0, 1) })),
  },
  {
    id: 'webhook-rules-match-every-group',
    breaks: ['WEBHOOK-RULES-02'],
    sentence: 'A rule matches whatever the group of the request.',
    defect: () => misreadingRules(() => ({ groups: ['*'] })),
  },
  {
    id: 'create-rule-matches-updates',
    breaks: ['WEBHOOK-RULES-03'],
    sentence: 'A rule for CREATE matches updates too.',
    defect: () =>
      misreadingRules(({ operations }) => ({
        operations: operations.includes('CREATE') ? [...operations, 'UPDATE'] : operations,
      })),
  },
  {
    id: 'writes-by-name-match-no-create-rule',
    breaks: clausesOf('WEBHOOK-RULES-03'),
    sentence: 'A rule for CREATE is matched by a POST alone, and by no PUT or apply that creates.',
    defect: () =>
      calling(
        (ask) => async (attributes, invocation, sent) =>
          attributes.operation === 'CREATE' && attributes.exchange.request.method !== 'POST'
            ? ALLOWED
            : ask(attributes, invocation, sent),
      ),
  },
  {
    id: 'webhook-star-matches-subresources',
    breaks: ['WEBHOOK-RULES-04'],
    sentence: 'The resource * of a rule matches subresources too.',
    defect: () =>
      misreadingRules(({ resources }) => ({
        resources: resources.map((pattern) => (pattern === '*' ? '*/*' : pattern)),
      })),
  },
  {
    id: 'webhook-scope-passed-over',
    breaks: ['WEBHOOK-RULES-05'],
    sentence: 'A rule matches objects of either scope.',
    defect: () => misreadingRules(() => ({ scope: '*' })),
  },
  {
    id: 'subresources-are-never-of-the-cluster',
    breaks: ['WEBHOOK-RULES-05'],
    sentence: 'A rule of scope Cluster matches no subresource.',
    defect: () =>
      misreadingRules(({ resources, scope }) => ({
        resources: resources.filter((pattern) => scope !== 'Cluster' || !pattern.includes('/')),
      })),
  },
  {
    id: 'apply-is-always-create-for-webhooks',
    breaks: ['WEBHOOK-APPLY-01'],
    sentence: 'Webhooks are told that every apply is a CREATE.',
    defect: () => judging((attributes) => (isApply(attributes) ? { ...attributes, operation: 'CREATE' } : attributes)),
  },
  {
    id: 'deleted-webhook-still-called',
    breaks: ['WEBHOOK-CHANGE-01'],
    sentence: 'A webhook is called on when its configuration was deleted.',
    defect: () => ({
      webhooks: ({ index, ...dependencies }) => {
        const known = new Map<string, Hook>();
        const items = async () => {
          for (const hook of await index.items()) known.set(hook.id, hook);
          return [...known.values()];
        };
        return { ...dependencies, index: { items } };
      },
    }),
  },
  {
    id: 'condition-has-no-old-object',
    breaks: ['MATCHCOND-VARIABLE-01'],
    sentence: 'oldObject is null in every match condition.',
    defect: () => seeing(() => ({ oldObject: null })),
  },
  {
    id: 'condition-asks-for-an-administrator',
    breaks: ['MATCHCOND-VARIABLE-02'],
    sentence: 'The authorizer of match conditions answers for an administrator, whoever sent the request.',
    defect: () => seeing(({ user }) => ({ user: { ...user, groups: ['system:masters', 'system:authenticated'] } })),
  },
  {
    id: 'first-condition-only',
    breaks: ['MATCHCOND-ORDER-01'],
    sentence: 'Of the match conditions only the first counts.',
    defect: () =>
      deciding((conditions) => ({
        evaluate: (list, variables) => conditions.evaluate(list.slice(0, 1), variables),
      })),
  },
  {
    id: 'first-condition-error-wins',
    breaks: ['MATCHCOND-ORDER-02'],
    sentence: 'A condition that errors counts before one that is false behind it.',
    defect: () =>
      deciding((conditions) => ({
        evaluate: async (list, variables) => {
          for (const condition of list) {
            const outcome = await conditions.evaluate([condition], variables);
            if (outcome !== 'match') return outcome;
          }
          return 'match';
        },
      })),
  },
  {
    id: 'condition-error-is-a-match',
    breaks: ['MATCHCOND-ORDER-03'],
    sentence: 'A condition that errors counts as true.',
    defect: () =>
      deciding((conditions) => ({
        evaluate: async (list, variables) => {
          const outcome = await conditions.evaluate(list, variables);
          return typeof outcome === 'string' ? outcome : 'match';
        },
      })),
  },
  {
    id: 'urls-of-services-pass',
    breaks: clausesOf('WEBHOOK-URL-02'),
    sentence: 'The url of a webhook may name a service.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        if (clientConfig?.url) clientConfig.url = clientConfig.url.replace('.svc', '.example');
      }),
  },
];
