import { clausesOf } from '../../fixtures/ledger/index.ts';
import type { JsonObject } from '../../reference/api/json.ts';
import { badRequest } from '../../reference/api/status.ts';
import type { Seams } from '../../reference/seams.ts';
import type { Mutant } from '../mutant.ts';
import { bodyOf, onType, refusing, rewritten, showing, storedOf } from '../oneType.ts';
import { ATOMIC_LIST, onMarkers } from '../onOwnership.ts';
import { CONFIGURATIONS, type Hook, mendingHooks, type Rule } from '../onWebhooks.ts';
import { withMembers } from '../writes.ts';

interface Configuration {
  webhooks?: Hook[] | undefined;
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Mends each rule. */
function mendingRules(mend: (rule: Rule) => void): Seams {
  return mendingHooks(({ rules = [] }) => rules.forEach(mend));
}

/** Refuses what is legal. */
function strict(sentence: string, offends: (hook: Hook) => boolean): Seams {
  return refusing<Configuration>(CONFIGURATIONS, ['create'], ({ webhooks = [] }) =>
    webhooks.some(offends) ? badRequest(sentence) : undefined,
  );
}

const without = (list: string[] | undefined, gone: (item: string) => boolean) => list?.filter((item) => !gone(item));

/** Webhook configurations whose fields follow other rules. */
export const WEBHOOK_CONFIGURATION: readonly Mutant[] = [
  {
    id: 'webhook-defaults-not-shown',
    breaks: ['VWC-OBJECT-01'],
    sentence: 'Webhooks show no failurePolicy.',
    defect: () =>
      showing(CONFIGURATIONS, ['create'], (object) => ({
        ...object,
        webhooks: ((object.webhooks ?? []) as unknown as Hook[]).map(({ failurePolicy: _, ...hook }) => ({
          ...(hook as object),
        })),
      })),
  },
  {
    id: 'no-webhooks-are-none-for-all',
    breaks: clausesOf('VWC-OBJECT-02', 'emptied'),
    sentence: 'A patch or an apply that gives no webhooks takes all away.',
    defect: () =>
      onType('validatingwebhookconfigurations', ['patch'], async (call, serve) => {
        const { webhooks } = (await bodyOf<{ webhooks?: unknown[] }>(call)) ?? {};
        const answer = await serve(call);
        return webhooks?.length === 0 ? rewritten(call, answer, (object) => ({ ...object, webhooks: [] })) : answer;
      }),
  },
  {
    id: 'webhook-names-mended',
    breaks: clausesOf('VWC-NAME-01'),
    sentence: 'A webhook name without a domain is given one.',
    defect: () =>
      mendingHooks((hook) => {
        if (!hook.name?.includes('.')) hook.name = 'check.touchstone.example';
      }),
  },
  {
    id: 'review-version-made-up',
    breaks: clausesOf('VWC-VERSIONS-01'),
    sentence: 'A webhook without a review version that is known gets v1.',
    defect: () =>
      mendingHooks((hook) => {
        if (!hook.admissionReviewVersions?.includes('v1')) hook.admissionReviewVersions = ['v1'];
      }),
  },
  {
    id: 'unknown-review-version-refused',
    breaks: ['VWC-VERSIONS-02'],
    sentence: 'A review version that is not known makes a webhook invalid, even beside one that is.',
    defect: () =>
      strict('unknown review version', ({ admissionReviewVersions = [] }) => admissionReviewVersions.includes('v99')),
  },
  {
    id: 'webhook-with-url-and-service',
    breaks: clausesOf('VWC-CLIENT-01'),
    sentence: 'Of url and service the url is passed over where both are given.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        if (clientConfig?.service) delete clientConfig.url;
      }),
  },
  {
    id: 'bad-bundle-passes',
    breaks: clausesOf('VWC-CABUNDLE-01'),
    sentence: 'A caBundle that is not base64 is passed over.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        if (clientConfig && !/^[A-Za-z0-9+/=]*$/.test(clientConfig.caBundle ?? '')) delete clientConfig.caBundle;
      }),
  },
  {
    id: 'incomplete-service-passes',
    breaks: clausesOf('VWC-SERVICE-01'),
    sentence: 'A service without name or namespace gets them.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        if (!clientConfig?.service) return;
        clientConfig.service.name ??= 'default';
        clientConfig.service.namespace ??= 'default';
      }),
  },
  {
    id: 'service-path-lost',
    breaks: ['VWC-SERVICE-02'],
    sentence: 'The path of a service is not stored.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        if (clientConfig?.service) delete clientConfig.service.path;
      }),
  },
  {
    id: 'service-ports-bent',
    breaks: clausesOf('VWC-SERVICE-03'),
    sentence: 'A port out of range becomes 443.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        const service = clientConfig?.service;
        if (service?.port !== undefined && (service.port < 1 || service.port > 65_535)) service.port = 443;
      }),
  },
  {
    id: 'url-with-address-refused',
    breaks: ['VWC-URL-01'],
    sentence: 'A url with an IP address is refused.',
    defect: () =>
      strict('the url has no host name', ({ clientConfig }) => /^https:\/\/\d/.test(clientConfig?.url ?? '')),
  },
  {
    id: 'url-with-address-and-port-refused',
    breaks: ['VWC-URL-01'],
    sentence: 'A url with an IPv6 address and a port is refused.',
    defect: () => strict('there are too many colons', ({ clientConfig }) => /\]:\d/.test(clientConfig?.url ?? '')),
  },
  {
    id: 'url-without-tls-passes',
    breaks: clausesOf('VWC-URL-02'),
    sentence: 'A url of http is taken for one of https.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        if (clientConfig?.url) clientConfig.url = clientConfig.url.replace(/^http:/, 'https:');
      }),
  },
  {
    id: 'side-effects-made-up',
    breaks: clausesOf('VWC-SIDEEFFECTS-01'),
    sentence: 'A webhook without sideEffects, or with some, has none.',
    defect: () =>
      mendingHooks((hook) => {
        if (hook.sideEffects !== 'NoneOnDryRun') hook.sideEffects = 'None';
      }),
  },
  {
    id: 'unknown-failure-policy-passes',
    breaks: clausesOf('VWC-FAILURE-01'),
    sentence: 'A failurePolicy that nobody knows means Fail.',
    defect: () =>
      mendingHooks((hook) => {
        if (hook.failurePolicy !== 'Ignore') hook.failurePolicy = 'Fail';
      }),
  },
  {
    id: 'unknown-match-policy-passes',
    breaks: clausesOf('VWC-MATCH-01'),
    sentence: 'A matchPolicy that nobody knows means Equivalent.',
    defect: () =>
      mendingHooks((hook) => {
        if (hook.matchPolicy !== 'Exact') hook.matchPolicy = 'Equivalent';
      }),
  },
  {
    id: 'bad-selectors-pass',
    breaks: clausesOf('VWC-SELECTOR-01'),
    sentence: 'Selectors of a webhook are passed over.',
    defect: () =>
      mendingHooks((hook) => {
        delete hook.namespaceSelector;
        delete hook.objectSelector;
      }),
  },
  {
    id: 'timeouts-bent',
    breaks: clausesOf('VWC-TIMEOUT-01'),
    sentence: 'A timeoutSeconds out of range becomes the nearest that is not.',
    defect: () =>
      mendingHooks((hook) => {
        if (hook.timeoutSeconds !== undefined) hook.timeoutSeconds = Math.min(30, Math.max(1, hook.timeoutSeconds));
      }),
  },
  {
    id: 'star-beside-groups-passes',
    breaks: clausesOf('VWC-RULES-02'),
    sentence: 'Beside * other groups and versions are passed over.',
    defect: () =>
      mendingRules((rule) => {
        if (rule.apiGroups?.includes('*')) rule.apiGroups = ['*'];
        if (rule.apiVersions?.includes('*')) rule.apiVersions = ['*'];
      }),
  },
  {
    id: 'star-twice-is-one-star',
    breaks: clausesOf('VWC-RULES-02'),
    sentence: 'Groups and versions that are * and * again are taken for *.',
    defect: () =>
      mendingRules((rule) => {
        if (rule.apiGroups?.every((each) => each === '*')) rule.apiGroups = ['*'];
        if (rule.apiVersions?.every((each) => each === '*')) rule.apiVersions = ['*'];
      }),
  },
  {
    id: 'star-twice-is-every-operation',
    breaks: clausesOf('VWC-RULES-03', 'post'),
    sentence: 'Operations that are * and * again are taken for *.',
    defect: () =>
      mendingRules((rule) => {
        if (rule.operations?.every((each) => each === '*')) rule.operations = ['*'];
      }),
  },
  {
    id: 'unknown-operations-of-rules-pass',
    breaks: clausesOf('VWC-RULES-03'),
    sentence: 'Operations of a rule that nobody knows are passed over.',
    defect: () =>
      mendingRules((rule) => {
        const known = without(rule.operations, (each) => !OPERATIONS.includes(each)) ?? [];
        if (!rule.operations?.includes('*')) rule.operations = known.length > 0 ? known : ['CREATE'];
      }),
  },
  {
    id: 'wildcard-subresources-refused',
    breaks: ['VWC-RULES-04'],
    sentence: 'A rule takes no resources such as */scale.',
    defect: () =>
      strict('unknown resource', ({ rules = [] }) => rules.some(({ resources = [] }) => resources.includes('*/scale'))),
  },
  {
    id: 'resources-of-two-forms-are-refused',
    breaks: clausesOf('VWC-RULES-04'),
    sentence: 'Beside a subresource or a wildcard a rule takes no other resource.',
    defect: () =>
      strict('it stands alone', ({ rules = [] }) =>
        rules.some(({ resources = [] }) => resources.length > 1 && resources.some((each) => /[*/]/.test(each))),
      ),
  },
  {
    id: 'star-covers-subresources',
    breaks: clausesOf('VWC-RULES-04', ['types-and-part', 'types-and-parts', 'types-and-part-of-all']),
    sentence: 'Beside * a rule takes no subresource.',
    defect: () =>
      strict('* covers it', ({ rules = [] }) =>
        rules.some(({ resources = [] }) => resources.includes('*') && resources.length > 1),
      ),
  },
  {
    id: 'rules-that-are-there-stay',
    breaks: clausesOf('VWC-RULES-01', ['none', 'fewer', 'reversed']),
    sentence: 'Rules of a patch change nothing where all of them are stored.',
    defect: () =>
      onType(CONFIGURATIONS, ['patch'], async (call, serve) => {
        const stored = ((await storedOf(call))?.object.webhooks ?? []) as unknown as Hook[];
        const there = (rule: Rule, hook: Hook | undefined) =>
          hook?.rules?.some(({ resources }) => resources?.join() === rule.resources?.join());
        return serve(
          withMembers(call, [], (members) => {
            for (const hook of (members.webhooks ?? []) as Hook[]) {
              const known = stored.find(({ name }) => name === hook.name);
              if (known && hook.rules?.every((rule) => there(rule, known))) hook.rules = known.rules;
            }
          }),
        );
      }),
  },
  {
    id: 'covered-behind-passes',
    breaks: clausesOf('VWC-RULES-05'),
    sentence: 'A resource behind a wildcard that covers it is passed over.',
    defect: () =>
      mendingRules((rule) => {
        if (rule.resources?.[0] === 'pods/*') rule.resources = ['pods/*'];
      }),
  },
  {
    id: 'covered-before-passes',
    breaks: clausesOf('VWC-RULES-06'),
    sentence: 'A resource before a wildcard that covers it is passed over.',
    defect: () =>
      mendingRules((rule) => {
        if (rule.resources?.at(-1) === 'pods/*') rule.resources = ['pods/*'];
      }),
  },
  {
    id: 'crossing-wildcards-pass',
    breaks: clausesOf('VWC-RULES-08'),
    sentence: 'Of two wildcards that meet the second is passed over.',
    defect: () =>
      mendingRules((rule) => {
        if (rule.resources?.includes('pods/*')) rule.resources = without(rule.resources, (each) => each === '*/scale');
      }),
  },
  {
    id: 'underscores-in-condition-names-pass',
    breaks: clausesOf('VWC-CONDITIONS-05'),
    sentence: 'The name of a match condition may have underscores.',
    defect: () =>
      mendingHooks((hook) => {
        for (const condition of hook.matchConditions ?? [])
          if (condition.name) condition.name = condition.name.replaceAll('_', '-');
      }),
  },
  {
    id: 'unknown-scope-passes',
    breaks: clausesOf('VWC-RULES-07'),
    sentence: 'A scope that nobody knows means *.',
    defect: () =>
      mendingRules((rule) => {
        if (!['Cluster', 'Namespaced'].includes(rule.scope ?? '')) rule.scope = '*';
      }),
  },
  {
    id: 'surplus-conditions-dropped',
    breaks: clausesOf('VWC-CONDITIONS-01'),
    sentence: 'Match conditions past the 64th are dropped.',
    defect: () =>
      mendingHooks((hook) => {
        if (hook.matchConditions) hook.matchConditions = hook.matchConditions.slice(0, 64);
      }),
  },
  {
    id: 'incomplete-conditions-dropped',
    breaks: clausesOf('VWC-CONDITIONS-03'),
    sentence: 'Match conditions without name or expression are dropped.',
    defect: () =>
      mendingHooks((hook) => {
        hook.matchConditions = hook.matchConditions?.filter(({ name, expression }) => name && expression);
      }),
  },
  {
    id: 'bad-expressions-dropped',
    breaks: clausesOf('VWC-CONDITIONS-04'),
    sentence: 'Match conditions whose expression is more than a constant are dropped.',
    defect: () =>
      mendingHooks((hook) => {
        hook.matchConditions = hook.matchConditions?.filter(({ expression }) => !expression || expression === 'true');
      }),
  },
  {
    id: 'any-ca-bundle-accepted',
    breaks: clausesOf('VWC-CABUNDLE-02'),
    sentence: 'A caBundle that holds no certificate is accepted.',
    defect: () =>
      mendingHooks(({ clientConfig }) => {
        const bundle = Buffer.from(clientConfig?.caBundle ?? '', 'base64').toString('latin1');
        if (clientConfig && !bundle.includes('CERTIFICATE')) delete clientConfig.caBundle;
      }),
  },
  {
    id: 'defaults-of-hooks-are-others',
    breaks: [
      ...clausesOf('VWC-FAILURE-01'),
      ...clausesOf('VWC-MATCH-01'),
      ...clausesOf('VWC-TIMEOUT-01'),
      ...clausesOf('VWC-SELECTOR-01'),
      ...clausesOf('VWC-SERVICE-03'),
      ...clausesOf('VWC-RULES-07'),
    ],
    sentence: 'What a webhook leaves out has other defaults than it should.',
    defect: () =>
      mendingHooks((hook) => {
        hook.failurePolicy ??= 'Ignore';
        hook.matchPolicy ??= 'Exact';
        hook.timeoutSeconds ??= 30;
        hook.namespaceSelector ??= { matchLabels: { touchstone: 'no' } };
        hook.objectSelector ??= { matchLabels: { touchstone: 'no' } };
        if (hook.clientConfig?.service) hook.clientConfig.service.port ??= 8443;
        for (const rule of hook.rules ?? []) rule.scope ??= 'Namespaced';
      }),
  },
  {
    id: 'hooks-of-one-name-merged',
    breaks: clausesOf('VWC-NAME-01', ['post', 'put', 'json', 'merge']),
    sentence: 'Of several webhooks of one name in a body the first is taken.',
    defect: () =>
      onType(CONFIGURATIONS, ['create', 'update', 'patch'], (call, serve) =>
        serve(
          withMembers(call, [], (members) => {
            const hooks = (members.webhooks ?? []) as Hook[];
            if (hooks.length > 0)
              members.webhooks = hooks.filter(
                ({ name }, at) => hooks.findIndex((each) => each.name === name) === at,
              ) as JsonObject[];
          }),
        ),
      ),
  },
  {
    id: 'match-conditions-are-atomic',
    breaks: ['VWC-CONDITIONS-02'],
    sentence: 'The match conditions of a webhook are one value.',
    defect: () =>
      onMarkers((schema, { field }) =>
        schema.kind === 'list' && field === 'matchConditions' ? ATOMIC_LIST : undefined,
      ),
  },
  {
    id: 'older-webhooks-have-no-side-effects',
    breaks: ['VWC-SIDEEFFECTS-02'],
    sentence: 'A webhook of the beta version may not have side effects.',
    defect: () => strict('side effects are not taken', ({ sideEffects }) => sideEffects === 'Some'),
  },
];
