import { OBJECT_WRITES, type RequirementId, type ResourcesBeside } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  authority,
  check,
  clause,
  clausesOf,
  type Exchange,
  isRecord,
  match,
  must,
  named,
  objectIn,
  webhookConfigurations,
} from '../../harness/index.ts';

const service = { name: 'hook', namespace: 'default' };
const least = {
  name: 'check.touchstone.example',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service },
};
/** Of a group that is not served, so that a target which takes what is wrong asks nobody: other checks are under way. */
const rule = {
  apiGroups: ['none.touchstone.example'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['touchstone-none'],
};
/** A webhook that would never match anything that is served. */
const webhook = (change: object) => ({ ...least, rules: [rule], ...change });
const create = (author: Actor, ...webhooks: object[]) =>
  author.create(webhookConfigurations, { ...named('config'), webhooks });
const stored = (path: string, expected: match.Expectation) =>
  match.both(match.created, match.field(`webhooks.0.${path}`, expected));

/** Gives a stored configuration one webhook, by any write that changes it; those that merge by name keep the rest. */
function give(author: Actor, write: (typeof OBJECT_WRITES)[number], live: ApiObject, hook: object): Promise<Exchange> {
  const webhooks = [hook];
  switch (write) {
    case 'post':
      return author.create(webhookConfigurations, { ...named('config'), webhooks });
    case 'put':
      return author.update(webhookConfigurations, { ...live, webhooks });
    case 'json':
      return author.patch(webhookConfigurations, 'good', 'json', [
        { op: 'replace', path: '/webhooks', value: webhooks },
      ]);
    case 'merge':
    case 'strategic':
      return author.patch(webhookConfigurations, 'good', write, { webhooks });
    case 'apply':
      return author.apply(webhookConfigurations, { ...named('good'), webhooks }, { force: true });
  }
}
/** A name by which no webhook is merged into the one that is there. */
const ANOTHER = 'another.touchstone.example';

check(
  'VWC-OBJECT-01.1',
  'the author creates the least webhook → it reads with every default',
  ['VWC-OBJECT-01', 'VWC-FAILURE-01', 'VWC-MATCH-01', 'VWC-TIMEOUT-01', 'VWC-SELECTOR-01', 'VWC-SERVICE-03'],
  async ({ author }) => {
    const created = await create(author, least);
    must('failurePolicy is Fail', created, stored('failurePolicy', 'Fail'));
    must('matchPolicy is Equivalent', created, stored('matchPolicy', 'Equivalent'));
    must('timeoutSeconds is 10', created, stored('timeoutSeconds', 10));
    must('both selectors are empty', created, stored('namespaceSelector', {}), stored('objectSelector', {}));
    must('the port is 443', created, stored('clientConfig.service.port', 443));
  },
);

check(
  'VWC-RULES-07.1',
  'the author leaves scope out of a rule → it reads as *',
  ['VWC-RULES-07'],
  async ({ author }) => {
    must('every scope is meant', await create(author, webhook({})), stored('rules.0.scope', '*'));
  },
);

/** What is refused: by requirement, in words, as a change of a webhook that is legal otherwise. */
const REFUSED: readonly (readonly [RequirementId, string, object])[] = [
  ['VWC-NAME-01', 'an empty name', { name: '' }],
  ['VWC-NAME-01', 'a name with a space', { name: 'check it.touchstone.example' }],
  ['VWC-VERSIONS-01', 'an empty list of review versions', { admissionReviewVersions: [] }],
  ['VWC-CLIENT-01', 'no clientConfig', { clientConfig: undefined }],
  ['VWC-SERVICE-01', 'a service with an empty name', { clientConfig: { service: { name: '', namespace: 'default' } } }],
  ['VWC-SERVICE-03', 'a negative port', { clientConfig: { service: { ...service, port: -1 } } }],
  ['VWC-SERVICE-03', 'a port that is a text', { clientConfig: { service: { ...service, port: '443' } } }],
  ['VWC-URL-02', 'a url that is none', { clientConfig: { url: 'no url at all' } }],
  ['VWC-URL-02', 'a url without a scheme', { clientConfig: { url: 'hook.example/path' } }],
  ['VWC-URL-02', 'a url of http at localhost', { clientConfig: { url: 'http://localhost:8080/' } }],
  ['VWC-URL-02', 'a url of http at an address', { clientConfig: { url: 'http://10.0.0.1/x' } }],
  ['VWC-URL-02', 'a url of another scheme', { clientConfig: { url: 'wss://hook.example/' } }],
  ['VWC-URL-02', 'a url with a user alone', { clientConfig: { url: 'https://u@hook.example/' } }],
  ['VWC-SIDEEFFECTS-01', 'sideEffects of another word', { sideEffects: 'Few' }],
  ['VWC-SIDEEFFECTS-01', 'sideEffects in lower case', { sideEffects: 'none' }],
  ['VWC-FAILURE-01', 'failurePolicy in lower case', { failurePolicy: 'fail' }],
  ['VWC-MATCH-01', 'matchPolicy in lower case', { matchPolicy: 'exact' }],
  ['VWC-TIMEOUT-01', 'timeoutSeconds 3600', { timeoutSeconds: 3600 }],
  ['VWC-RULES-03', 'an operation in lower case', { rules: [{ ...rule, operations: ['create'] }] }],
  ['VWC-RULES-03', '* behind another operation', { rules: [{ ...rule, operations: ['CREATE', '*'] }] }],
  ['VWC-RULES-02', '* behind another group', { rules: [{ ...rule, apiGroups: ['apps', '*'] }] }],
  ['VWC-RULES-02', '* behind another version', { rules: [{ ...rule, apiVersions: ['v1', '*'] }] }],
  ['VWC-RULES-02', '* twice as groups', { rules: [{ ...rule, apiGroups: ['*', '*'] }] }],
  ['VWC-RULES-02', '* twice as versions', { rules: [{ ...rule, apiVersions: ['*', '*'] }] }],
  ['VWC-RULES-05', 'a type behind the wildcard of types', { rules: [{ ...rule, resources: ['*', 'pods'] }] }],
  ['VWC-RULES-06', 'a type before the wildcard of types', { rules: [{ ...rule, resources: ['pods', '*'] }] }],
  ['VWC-RULES-05', 'a type behind the wildcard of everything', { rules: [{ ...rule, resources: ['*/*', 'pods'] }] }],
  [
    'VWC-RULES-06',
    'a subresource before the wildcard of everything',
    { rules: [{ ...rule, resources: ['pods/log', '*/*'] }] },
  ],
  [
    'VWC-RULES-05',
    'a scale behind the wildcard of scales',
    { rules: [{ ...rule, resources: ['*/scale', 'x/scale'] }] },
  ],
  ['VWC-RULES-07', 'a scope in lower case', { rules: [{ ...rule, scope: 'cluster' }] }],
  ['VWC-CONDITIONS-03', 'a condition with an empty expression', { matchConditions: [{ name: 'c', expression: '' }] }],
  ['VWC-CONDITIONS-03', 'a condition with an empty name', { matchConditions: [{ name: '', expression: 'true' }] }],
  [
    'VWC-CONDITIONS-03',
    'a condition whose name begins with a dash',
    { matchConditions: [{ name: '-c', expression: 'true' }] },
  ],
  [
    'VWC-CONDITIONS-03',
    'a condition whose name begins with a dot',
    { matchConditions: [{ name: '.c', expression: 'true' }] },
  ],
  [
    'VWC-CONDITIONS-03',
    'a condition whose name ends with a dot',
    { matchConditions: [{ name: 'c.', expression: 'true' }] },
  ],
  [
    'VWC-CONDITIONS-03',
    'a condition whose name has a space',
    { matchConditions: [{ name: 'a b', expression: 'true' }] },
  ],
  [
    'VWC-CONDITIONS-03',
    'a condition whose name has a domain in upper case',
    { matchConditions: [{ name: 'A.example/c', expression: 'true' }] },
  ],
  [
    'VWC-CONDITIONS-03',
    'a condition whose name has two slashes',
    { matchConditions: [{ name: 'a.example/b/c', expression: 'true' }] },
  ],
  ['VWC-NAME-01', 'no name', { name: undefined }],
  ['VWC-NAME-01', 'a name without a domain', { name: 'check' }],
  ['VWC-VERSIONS-01', 'no admissionReviewVersions', { admissionReviewVersions: undefined }],
  ['VWC-VERSIONS-01', 'no review version that is known', { admissionReviewVersions: ['v99'] }],
  ['VWC-CLIENT-01', 'neither url nor service', { clientConfig: {} }],
  ['VWC-CLIENT-01', 'both url and service', { clientConfig: { service, url: 'https://hook.example/' } }],
  ['VWC-CABUNDLE-01', 'a caBundle that is not base64', { clientConfig: { service, caBundle: '*' } }],
  [
    'VWC-CABUNDLE-02',
    'a caBundle without a certificate',
    { clientConfig: { service, caBundle: 'bm90IGEgY2VydGlmaWNhdGU=' } },
  ],
  ['VWC-SERVICE-01', 'a service without name', { clientConfig: { service: { namespace: 'default' } } }],
  ['VWC-SERVICE-01', 'a service without namespace', { clientConfig: { service: { name: 'hook' } } }],
  ['VWC-SERVICE-03', 'port 0', { clientConfig: { service: { ...service, port: 0 } } }],
  ['VWC-SERVICE-03', 'port 65536', { clientConfig: { service: { ...service, port: 65536 } } }],
  ['VWC-URL-02', 'a url of http', { clientConfig: { url: 'http://hook.example/' } }],
  ['VWC-URL-02', 'a url of http at a loopback address', { clientConfig: { url: 'http://127.0.0.1:8443/' } }],
  ['VWC-URL-02', 'a url of http at the loopback address of IPv6', { clientConfig: { url: 'http://[::1]/x' } }],
  ['VWC-URL-02', 'a url with user info', { clientConfig: { url: 'https://u:p@hook.example/' } }],
  ['VWC-URL-02', 'a url with a fragment', { clientConfig: { url: 'https://hook.example/#x' } }],
  ['VWC-URL-02', 'a url with a query', { clientConfig: { url: 'https://hook.example/?a=b' } }],
  ['VWC-URL-02', 'a url without host', { clientConfig: { url: 'https:///path' } }],
  ['WEBHOOK-URL-02', 'a url of a service', { clientConfig: { url: 'https://hook.default.svc/' } }],
  ['WEBHOOK-URL-02', 'a url of a service with a port', { clientConfig: { url: 'https://hook.default.svc:8443/x' } }],
  [
    'WEBHOOK-URL-02',
    'a url of a service with the domain of the cluster',
    { clientConfig: { url: 'https://hook.default.svc.cluster.local/' } },
  ],
  ['VWC-SIDEEFFECTS-01', 'no sideEffects', { sideEffects: undefined }],
  ['VWC-SIDEEFFECTS-01', 'sideEffects Some', { sideEffects: 'Some' }],
  ['VWC-SIDEEFFECTS-01', 'sideEffects Unknown', { sideEffects: 'Unknown' }],
  ['VWC-FAILURE-01', 'failurePolicy Retry', { failurePolicy: 'Retry' }],
  ['VWC-MATCH-01', 'matchPolicy Similar', { matchPolicy: 'Similar' }],
  [
    'VWC-SELECTOR-01',
    'an unknown selector operator',
    { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
  ],
  ['VWC-SELECTOR-01', 'In without values', { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }],
  ['VWC-TIMEOUT-01', 'timeoutSeconds 0', { timeoutSeconds: 0 }],
  ['VWC-TIMEOUT-01', 'timeoutSeconds 31', { timeoutSeconds: 31 }],
  ['VWC-TIMEOUT-01', 'negative timeoutSeconds', { timeoutSeconds: -1 }],
  ['VWC-RULES-02', '* beside another group', { rules: [{ ...rule, apiGroups: ['*', 'apps'] }] }],
  ['VWC-RULES-02', '* beside another version', { rules: [{ ...rule, apiVersions: ['*', 'v1'] }] }],
  ['VWC-RULES-03', '* beside another operation', { rules: [{ ...rule, operations: ['*', 'CREATE'] }] }],
  ['VWC-RULES-03', 'an unknown operation', { rules: [{ ...rule, operations: ['READ'] }] }],
  ['VWC-RULES-03', 'no operations', { rules: [{ ...rule, operations: [] }] }],
  [
    'VWC-RULES-05',
    'a subresource behind the wildcard that covers it',
    { rules: [{ ...rule, resources: ['pods/*', 'pods/log'] }] },
  ],
  [
    'VWC-RULES-06',
    'a subresource before the wildcard that covers it',
    { rules: [{ ...rule, resources: ['pods/log', 'pods/*'] }] },
  ],
  ['VWC-RULES-08', 'two wildcards that meet', { rules: [{ ...rule, resources: ['pods/*', '*/scale'], scope: '*' }] }],
  [
    'VWC-RULES-08',
    'two wildcards that meet, the other way round',
    { rules: [{ ...rule, resources: ['*/scale', 'configmaps', 'pods/*'], scope: '*' }] },
  ],
  ['VWC-RULES-07', 'an unknown scope', { rules: [{ ...rule, scope: 'Galaxy' }] }],
  ['VWC-CONDITIONS-01', '65 match conditions', { matchConditions: conditions(65) }],
  ['VWC-CONDITIONS-03', 'a condition without expression', { matchConditions: [{ name: 'c' }] }],
  ['VWC-CONDITIONS-03', 'a condition without name', { matchConditions: [{ expression: 'true' }] }],
  [
    'VWC-CONDITIONS-03',
    'a condition whose name ends in a dash',
    { matchConditions: [{ name: 'c-', expression: 'true' }] },
  ],
  [
    'VWC-CONDITIONS-05',
    'a condition whose name has an underscore',
    { matchConditions: [{ name: 'a_b', expression: 'true' }] },
  ],
  [
    'VWC-CONDITIONS-05',
    'a condition whose name has an underscore behind a domain',
    { matchConditions: [{ name: 'touchstone.example/a_b', expression: 'true' }] },
  ],
  ['VWC-CONDITIONS-04', 'an expression that is no CEL', { matchConditions: [{ name: 'c', expression: '1 +' }] }],
  [
    'VWC-CONDITIONS-04',
    'an expression over an unknown variable',
    { matchConditions: [{ name: 'c', expression: 'nobody == 1' }] },
  ],
  [
    'VWC-CONDITIONS-04',
    'an expression whose result is no bool',
    { matchConditions: [{ name: 'c', expression: '1 + 1' }] },
  ],
];
/** Resources of which a wildcard covers others, where it stands before them and behind them. */
const COVERED = {
  'VWC-RULES-05': [
    ['*', 'pods/log', 'pods'],
    ['*/*', 'pods/log'],
    ['*/*', 'pods/*'],
    ['*/*', '*/scale'],
    ['*/*', '*'],
    ['pods/*', 'secrets', 'pods/log'],
  ],
  'VWC-RULES-06': [
    ['x/scale', '*/scale'],
    ['pods/*', '*/*'],
    ['*/scale', '*/*'],
    ['*', '*/*'],
    ['pods/log', 'secrets', 'pods/*'],
  ],
} as const;
/** More of the same, which is judged in a POST alone. */
const REFUSED_TOO: typeof REFUSED = [
  ...(['VWC-RULES-05', 'VWC-RULES-06'] as const).flatMap((id) =>
    COVERED[id].map(
      (resources) =>
        [id, `the resources ${resources.join()}`, { rules: [{ ...rule, resources, scope: '*' }] }] as const,
    ),
  ),
  ['VWC-RULES-02', '* between other groups', { rules: [{ ...rule, apiGroups: ['apps', '*', 'batch'] }] }],
  ['VWC-RULES-02', '* between other versions', { rules: [{ ...rule, apiVersions: ['v1', '*', 'v2'] }] }],
  ['VWC-RULES-03', '* between other operations', { rules: [{ ...rule, operations: ['CREATE', '*', 'UPDATE'] }] }],
  ['VWC-RULES-03', '* twice as operations', { rules: [{ ...rule, operations: ['*', '*'] }] }],
  ['VWC-CABUNDLE-01', 'a caBundle in the alphabet for URLs', { clientConfig: { service, caBundle: 'LS0tLS1_-_8' } }],
  ['VWC-CABUNDLE-02', 'a caBundle that is a key', { clientConfig: { service, caBundle: inPem('PRIVATE KEY') } }],
  [
    'VWC-CABUNDLE-02',
    'a caBundle of an odd certificate',
    { clientConfig: { service, caBundle: inPem('CERTIFICATE') } },
  ],
  ...(['namespaceSelector', 'objectSelector'] as const).flatMap((selector) =>
    (
      [
        ['In without values', { key: 'a', operator: 'In' }],
        ['NotIn without values', { key: 'a', operator: 'NotIn', values: [] }],
        ['Exists with values', { key: 'a', operator: 'Exists', values: ['b'] }],
        ['DoesNotExist with values', { key: 'a', operator: 'DoesNotExist', values: ['b'] }],
        ['an operator in lower case', { key: 'a', operator: 'in', values: ['b'] }],
      ] as const
    ).map(
      ([title, expression]) =>
        ['VWC-SELECTOR-01', `${title} in ${selector}`, { [selector]: { matchExpressions: [expression] } }] as const,
    ),
  ),
];
/** Bytes that say nothing, as PEM of this type and in base64. */
function inPem(type: string): string {
  const bytes = Buffer.from('nothing of this type').toString('base64');
  return Buffer.from(`-----BEGIN ${type}-----\n${bytes}\n-----END ${type}-----\n`).toString('base64');
}
/** What is wrong with a condition or an expression, behind one that is sound. */
function behindSound(change: object): Readonly<Record<string, object>> {
  const { matchConditions, ...selectors } = change as Readonly<Record<string, unknown>>;
  const isFew = Array.isArray(matchConditions) && matchConditions.length === 1;
  const conditions = isFew
    ? { condition: { matchConditions: [{ name: 'sound', expression: 'true' }, ...matchConditions] } }
    : {};
  const expressions = Object.entries(selectors).flatMap(([selector, value]) => {
    const wrong = isRecord(value) && Array.isArray(value.matchExpressions) ? value.matchExpressions : [];
    const matchExpressions = [{ key: 'sound', operator: 'Exists' }, ...wrong];
    return wrong.length > 0 ? [['expression', { [selector]: { matchExpressions } }]] : [];
  });
  return { ...conditions, ...Object.fromEntries(expressions) };
}

for (const [id, title, change] of REFUSED) {
  check(
    `VWC-NAME-01.2/${title}`,
    `the author writes a webhook with ${title} in every way → 4xx, and nothing is stored`,
    clausesOf(id),
    async ({ author }) => {
      const live = await author.given(webhookConfigurations, { ...named('good'), webhooks: [webhook({})] });
      for (const write of OBJECT_WRITES) {
        await clause(`${id}/${write}`, async () => {
          const hook = webhook({ name: ANOTHER, ...change });
          must('it is refused', await give(author, write, live, hook), match.refusal);
          if (write === 'post')
            must('nothing is stored', await author.get(webhookConfigurations, 'config'), match.status(404));
          else must('it stays as it was', await author.get(webhookConfigurations, 'good'), match.body(live));
        });
      }
    },
  );
}

check(
  'VWC-NAME-01.3',
  'the author writes what is wrong in a second webhook, and in a second rule → 4xx',
  [
    ...clausesOf('VWC-NAME-01', 'post'),
    ...[...new Set(REFUSED.map(([id]) => id))]
      .filter((id) => id !== 'VWC-NAME-01')
      .flatMap((id) => clausesOf(id, 'post')),
  ],
  async ({ author }) => {
    for (const [id, title, change] of [...REFUSED, ...REFUSED_TOO]) {
      await clause(clausesOf(id, 'post'), async () => {
        const second = await create(author, webhook({}), webhook({ name: ANOTHER, ...change }));
        must(`${title} is refused behind another webhook`, second, match.refusal);
        for (const [what, behind] of Object.entries(behindSound(change)))
          must(`${title} is refused behind another ${what}`, await create(author, webhook(behind)), match.refusal);
        if (!('rules' in change)) return;
        const rules = [rule, ...(change.rules as readonly object[])];
        must(`${title} is refused behind another rule`, await create(author, webhook({ rules })), match.refusal);
      });
    }
  },
);

/** What a webhook reads with where nothing is given. */
const DEFAULTS = [
  ['VWC-FAILURE-01', 'failurePolicy', 'Fail'],
  ['VWC-MATCH-01', 'matchPolicy', 'Equivalent'],
  ['VWC-TIMEOUT-01', 'timeoutSeconds', 10],
  ['VWC-SELECTOR-01', 'namespaceSelector', {}],
  ['VWC-SELECTOR-01', 'objectSelector', {}],
  ['VWC-SERVICE-03', 'clientConfig.service.port', 443],
  ['VWC-RULES-07', 'rules.0.scope', '*'],
] as const;
check(
  'VWC-FAILURE-01.1',
  'the author writes the least webhook in every way → it is stored with every default',
  [
    ...clausesOf('VWC-FAILURE-01'),
    ...clausesOf('VWC-MATCH-01'),
    ...clausesOf('VWC-TIMEOUT-01'),
    ...clausesOf('VWC-SELECTOR-01'),
    ...clausesOf('VWC-SERVICE-03'),
    ...clausesOf('VWC-RULES-07'),
  ],
  async ({ author }) => {
    for (const write of OBJECT_WRITES) {
      const old = { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 3 };
      const live = await author.given(webhookConfigurations, { ...named('good'), webhooks: [webhook(old)] });
      const written = await give(author, write, live, webhook({ name: ANOTHER }));
      const read = await author.get(webhookConfigurations, write === 'post' ? 'config' : 'good');
      for (const [id, path, value] of DEFAULTS) {
        await clause(`${id}/${write}`, async () => {
          must('it is taken', written, match.success);
          const at = hooksOf(objectIn(read)).findIndex(({ name }) => name === ANOTHER);
          must('it has the default', read, match.field(`webhooks.${at}.${path}`, match.equal(value)));
        });
      }
      await author.prepare((actor) => actor.delete(webhookConfigurations, 'good'));
    }
    // In the place of one that had its own: what is left out is not kept.
    for (const write of ['put', 'json', 'merge'] as const) {
      const old = { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 3 };
      const live = await author.given(webhookConfigurations, { ...named('good'), webhooks: [webhook(old)] });
      const written = await give(author, write, live, webhook({}));
      for (const [id, path, value] of DEFAULTS) {
        await clause(`${id}/${write}`, async () => {
          must('it is taken', written, match.success);
          const read = await author.get(webhookConfigurations, 'good');
          must('it has the default again', read, match.field(`webhooks.0.${path}`, match.equal(value)));
        });
      }
      await author.prepare((actor) => actor.delete(webhookConfigurations, 'good'));
    }
    // Each default is filled in by itself: behind a webhook and a rule, and beside other fields that are given.
    const given = { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 3 };
    const selectors = { namespaceSelector: { matchLabels: { a: 'b' } } };
    const second = webhook({ name: ANOTHER, rules: [{ ...rule, scope: 'Cluster' }, rule], ...selectors });
    const made = await author.given(webhookConfigurations, { ...named('two'), webhooks: [webhook(given), second] });
    const two = await author.get(webhookConfigurations, 'two');
    must('it is there', two, match.body(made));
    for (const [id, path, value] of DEFAULTS) {
      if (path === 'namespaceSelector') continue;
      await clause(`${id}/post`, async () => {
        const at = path === 'rules.0.scope' ? 'rules.1.scope' : path;
        must('the second has the default too', two, match.field(`webhooks.1.${at}`, match.equal(value)));
      });
    }
  },
);

/** What is stored as given. */
const STORED: readonly (readonly [RequirementId, string, object])[] = [
  ['VWC-VERSIONS-02', 'an unknown review version beside a known one', { admissionReviewVersions: ['v99', 'v1'] }],
  ['VWC-SERVICE-02', 'a service with a path', { clientConfig: { service: { ...service, path: '/a/b', port: 443 } } }],
  [
    'VWC-SERVICE-02',
    'a path with a slash at its end',
    { clientConfig: { service: { ...service, path: '/a/b-c/', port: 443 } } },
  ],
  ['VWC-SERVICE-02', 'a path of a slash', { clientConfig: { service: { ...service, path: '/', port: 443 } } }],
  ['VWC-SERVICE-03', 'port 65535', { clientConfig: { service: { ...service, port: 65535 } } }],
  ['VWC-URL-01', 'a url with port and path', { clientConfig: { url: 'https://hook.example:8443/a/b' } }],
  ['VWC-URL-01', 'a url with the port that is meant without', { clientConfig: { url: 'https://hook.example:443' } }],
  ['VWC-URL-01', 'a url with an IP address', { clientConfig: { url: 'https://192.0.2.7/' } }],
  ['VWC-URL-01', 'a url with an IPv6 address', { clientConfig: { url: 'https://[2001:db8::7]/a' } }],
  ['VWC-URL-01', 'a url with an IPv6 address and port', { clientConfig: { url: 'https://[2001:db8::7]:8443/a' } }],
  ['VWC-URL-01', 'a url with a port and no path', { clientConfig: { url: 'https://hook.example:8443' } }],
  ['VWC-URL-01', 'a url without a path', { clientConfig: { url: 'https://hook.example' } }],
  ['VWC-SIDEEFFECTS-01', 'sideEffects NoneOnDryRun', { sideEffects: 'NoneOnDryRun' }],
  ['VWC-FAILURE-01', 'failurePolicy Ignore', { failurePolicy: 'Ignore' }],
  ['VWC-MATCH-01', 'matchPolicy Exact', { matchPolicy: 'Exact' }],
  ['VWC-TIMEOUT-01', 'timeoutSeconds 1', { timeoutSeconds: 1 }],
  ['VWC-TIMEOUT-01', 'timeoutSeconds 30', { timeoutSeconds: 30 }],
  ['VWC-RULES-03', '* as the only operation', { rules: [{ ...rule, operations: ['*'], scope: '*' }] }],
  [
    'VWC-RULES-04',
    'every form of resource',
    {
      rules: [
        { ...rule, resources: ['pods', 'secrets/*'], scope: '*' },
        { ...rule, resources: ['*/scale', 'pods/log'], scope: '*' },
      ],
    },
  ],
  [
    'VWC-RULES-04',
    'several groups, versions, operations and resources',
    {
      rules: [
        {
          apiGroups: ['', 'b', 'a'],
          apiVersions: ['v2', 'v1'],
          operations: ['DELETE', 'CREATE'],
          resources: ['x', 'a/b', 'c'],
          scope: '*',
        },
      ],
    },
  ],
  ['VWC-RULES-04', 'a type beside its subresources', { rules: [{ ...rule, resources: ['x', 'x/*'], scope: '*' }] }],
  ['VWC-CONDITIONS-03', 'a condition name of one letter', { matchConditions: [{ name: 'c', expression: 'true' }] }],
  ['VWC-RULES-07', 'scope Namespaced', { rules: [{ ...rule, scope: 'Namespaced' }] }],
  ['VWC-CONDITIONS-01', '64 match conditions', { matchConditions: conditions(64) }],
  [
    'VWC-CONDITIONS-03',
    'a condition name behind a domain',
    { matchConditions: [{ name: 'touchstone.example/c', expression: 'true' }] },
  ],
];
for (const [id, title, change] of STORED) {
  check(
    `${id}.3/${title}`,
    `the author writes a webhook with ${title} in every way → it is stored as given`,
    [id],
    async ({ author }) => {
      await author.given(webhookConfigurations, { ...named('good'), webhooks: [webhook({})] });
      for (const write of OBJECT_WRITES) {
        const live = objectIn(await author.get(webhookConfigurations, 'good'));
        const hook = webhook({ name: ANOTHER, ...change });
        const written = must('it is taken', await give(author, write, live, hook), match.success);
        const taken = hooksOf(objectIn(written)).filter(({ name }) => name === ANOTHER);
        must('it is stored as given', taken, match.every(match.including({ ...change })), match.size(1));
      }
    },
  );
}

/** Resources that may stand in one list. */
const BESIDE: Readonly<Record<ResourcesBeside, readonly [string, string]>> = {
  'type-and-part': ['pods', 'pods/log'],
  'type-and-parts': ['pods', 'pods/*'],
  'type-and-part-of-all': ['pods', '*/scale'],
  'types-and-part': ['*', 'pods/log'],
  'types-and-parts': ['*', 'pods/*'],
  'types-and-part-of-all': ['*', '*/scale'],
  'part-and-parts': ['pods/log', 'secrets/*'],
  'part-and-part-of-all': ['pods/log', '*/scale'],
  'parts-and-parts': ['pods/*', 'secrets/*'],
  'part-of-all-and-part-of-all': ['*/scale', '*/status'],
};
check(
  'VWC-RULES-04.4',
  'the author writes rules with resources of two forms that have nothing in common, in each order and every way → they are stored as given',
  clausesOf('VWC-RULES-04'),
  async ({ author }) => {
    await author.given(webhookConfigurations, { ...named('good'), webhooks: [webhook({})] });
    for (const [what, [one, other]] of Object.entries(BESIDE)) {
      const rules = [
        [one, other],
        [other, one],
      ].map((resources) => ({ ...rule, resources, scope: '*' }));
      await clause(clausesOf('VWC-RULES-04', what), async () => {
        for (const write of OBJECT_WRITES) {
          const live = objectIn(await author.get(webhookConfigurations, 'good'));
          const written = await give(author, write, live, webhook({ name: ANOTHER, rules }));
          must('neither covers the other', written, match.success);
          const taken = hooksOf(objectIn(written)).filter(({ name }) => name === ANOTHER);
          must('both are stored as given', taken, match.every(match.including({ rules })), match.size(1));
          if (write === 'post') await author.prepare((actor) => actor.delete(webhookConfigurations, 'config'));
        }
      });
    }
  },
);

check(
  'VWC-CABUNDLE-01.2',
  'the author gives certificates of two authorities in one caBundle, in every way → it is stored as given',
  ['VWC-CABUNDLE-01'],
  async ({ author, services }) => {
    const [first, second] = [await services.get(authority), await services.get(authority, 'other')];
    const caBundle = Buffer.from(`${first.pem}\n${second.pem}`).toString('base64');
    await author.given(webhookConfigurations, { ...named('good'), webhooks: [webhook({})] });
    for (const write of OBJECT_WRITES) {
      const live = objectIn(await author.get(webhookConfigurations, 'good'));
      const hook = webhook({ name: ANOTHER, clientConfig: { service, caBundle } });
      const written = objectIn(must('it is taken', await give(author, write, live, hook), match.success));
      const taken = hooksOf(written).find(({ name }) => name === ANOTHER);
      must('it is stored as given', taken, match.at('clientConfig.caBundle', caBundle));
    }
  },
);

check(
  'VWC-CONDITIONS-01.4',
  'the author writes two webhooks of 64 conditions each → both are stored whole',
  ['VWC-CONDITIONS-01'],
  async ({ author }) => {
    const many = { matchConditions: conditions(64) };
    const written = await create(author, webhook(many), webhook({ name: ANOTHER, ...many }));
    const whole = match.including({ matchConditions: match.size(64) });
    must('each has its own count', written, match.created, match.field('webhooks', match.every(whole)));
  },
);

check(
  'VWC-CLIENT-01.3',
  'the author adds a url to a webhook with a service, and a service to one with a url, by a merge → 4xx',
  ['VWC-CLIENT-01/strategic', 'VWC-CLIENT-01/apply'],
  async ({ author, rival }) => {
    const url = { url: 'https://hook.example/' };
    for (const [has, gets] of [
      [{ service }, url],
      [url, { service }],
    ]) {
      const draft = { ...named('good'), webhooks: [webhook({ clientConfig: has })] };
      const live = objectIn(await author.prepare((each) => each.apply(webhookConfigurations, draft)));
      const merged = { webhooks: [{ name: least.name, clientConfig: gets }] };
      await clause('VWC-CLIENT-01/strategic', async () => {
        const patched = await author.patch(webhookConfigurations, 'good', 'strategic', merged);
        must('exactly one is given', patched, match.refusal);
        must('it stays as it was', await author.get(webhookConfigurations, 'good'), match.body(live));
      });
      await clause('VWC-CLIENT-01/apply', async () => {
        const applied = await rival.apply(webhookConfigurations, { ...named('good'), ...merged });
        must('exactly one is given', applied, match.refusal);
        must('it stays as it was', await author.get(webhookConfigurations, 'good'), match.body(live));
      });
      await author.prepare((actor) => actor.delete(webhookConfigurations, 'good'));
    }
  },
);

check(
  'VWC-NAME-01.1',
  'the author gives two webhooks one name → 4xx',
  clausesOf('VWC-NAME-01', ['post', 'put', 'json', 'merge']),
  async ({ author }) => {
    const live = await author.given(webhookConfigurations, { ...named('good'), webhooks: [webhook({})] });
    const webhooks = [webhook({}), webhook({})];
    const value = webhooks;
    const written = {
      post: () => create(author, ...webhooks),
      put: () => author.update(webhookConfigurations, { ...live, webhooks }),
      json: () => author.patch(webhookConfigurations, 'good', 'json', [{ op: 'add', path: '/webhooks', value }]),
      merge: () => author.patch(webhookConfigurations, 'good', 'merge', { webhooks }),
    };
    for (const [write, send] of Object.entries(written)) {
      await clause(`VWC-NAME-01/${write}`, async () => {
        must('names are unique in a configuration', await send(), match.refusal);
        must('it stays as it was', await author.get(webhookConfigurations, 'good'), match.body(live));
      });
    }
  },
);

function hooksOf(object: ApiObject): readonly { readonly name?: string }[] {
  return (object.webhooks ?? []) as readonly { readonly name?: string }[];
}
function conditions(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ name: `c${n}`, expression: 'true' }));
}
