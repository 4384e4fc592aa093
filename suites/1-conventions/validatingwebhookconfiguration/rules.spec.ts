import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import type { CustomObjectWrite, CustomWrite } from '../../../fixtures/ledger/index.ts';
import type { Actor, Exchange, Hook, JsonObject, Kind } from '../../harness/index.ts';
import {
  check,
  clause,
  clausesOf,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  groupOf,
  leases,
  match,
  must,
  named,
  namespaces,
  objectIn,
  PATCH_TYPES,
  should,
  unsupported,
} from '../../harness/index.ts';
import { condition } from '../server-side-apply-rules/services.ts';
import { install, own, rule, told } from './installed.ts';
import { accounts, deployments, servedProxy, serviceObjects } from './otherKinds.ts';

check(
  'WEBHOOK-RULES-01.1',
  'a webhook has two rules, none that matches and no rules at all → it is called where any rule matches',
  ['WEBHOOK-RULES-01'],
  async ({ admin, author, services }) => {
    const other = { ...rule('CREATE'), resources: ['secrets'] };
    const hooks = await install(admin, services, { rules: [other, rule('CREATE')] }, { rules: [other] }, { rules: [] });
    must('it is created', await author.create(configMaps, named('a')), match.created);
    const calls = hooks.map(({ reviews }) => reviews.length);
    must('only that of which a rule matches was called', calls, match.equal([1, 0, 0]));
  },
);

check(
  'WEBHOOK-RULES-02.1',
  'webhooks have rules for groups and versions → a request calls those of its own, and of *',
  ['WEBHOOK-RULES-02'],
  async ({ admin, author, services, dialect }) => {
    const group = groupOf(leases, dialect);
    const of = (apiGroups: string | string[], apiVersions: string | string[]) => ({
      matchPolicy: 'Exact',
      rules: [
        {
          ...rule('CREATE'),
          apiGroups: [apiGroups].flat(),
          apiVersions: [apiVersions].flat(),
          resources: ['*'],
          scope: 'Namespaced',
        },
      ],
    });
    const hooks = await install(
      admin,
      services,
      of(group, 'v1'),
      of('', 'v1'),
      of(group, 'v9'),
      of('*', '*'),
      of(['', group], ['v9', 'v1']),
      of(['', 'none.example'], ['v9', 'v1']),
    );
    must('a lease is created', await author.create(leases, named('a')), match.created);
    const calls = hooks.map((hook) => told(hook, 'resource.group'));
    must('those that match were called', calls, match.equal([[group], [], [], [group], [group], []]));
  },
);

check(
  'WEBHOOK-RULES-03.1',
  'webhooks have rules for operations → each request calls those of its own, and of *',
  ['WEBHOOK-RULES-03'],
  async ({ admin, author, services }) => {
    const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'];
    const several = [rule('CONNECT', 'DELETE', 'UPDATE')];
    const hooks = await install(admin, services, ...operations.map((each) => ({ rules: [rule(each)] })), {
      rules: several,
    });
    await author.given(configMaps, named('a'));
    await author.prepare((each) => each.patch(configMaps, 'a', 'merge', { data: { a: '1' } }));
    await author.prepare((each) => each.delete(configMaps, 'a'));
    const all = ['CREATE', 'UPDATE', 'DELETE'];
    const calls = hooks.map((hook) => told(hook, 'operation'));
    const some = ['UPDATE', 'DELETE'];
    must('each was called for its own', calls, match.equal([['CREATE'], ['UPDATE'], ['DELETE'], [], all, some]));
  },
);

check(
  'WEBHOOK-RULES-03.2',
  'the author connects to what is behind an object → webhooks of CONNECT are called, those of CREATE are not',
  ['WEBHOOK-RULES-03'],
  async ({ admin, author, services, target }) => {
    await servedProxy(author, target.served);
    const of = (operation: string) => ({ rules: [{ ...rule(operation), resources: ['services/proxy'] }] });
    const [connect, create, star] = await install(admin, services, of('CONNECT'), of('CREATE'), of('*'));
    // Nobody listens behind it, so only that the webhook was asked is of interest.
    await author.request('GET', await author.pathOf(serviceObjects, 'behind', 'proxy'));
    const calls = [connect, create, star].map((hook) => told(hook, 'operation'));
    must('it is a CONNECT, and one of all operations', calls, match.equal([['CONNECT'], [], ['CONNECT']]));
  },
);

check(
  'WEBHOOK-RULES-03.3',
  'the author creates leases by a PUT and by an apply, and changes them → webhooks of CREATE hear of the first, those of UPDATE of the second',
  clausesOf('WEBHOOK-RULES-03'),
  async ({ admin, author, services, dialect }) => {
    const of = (...operations: readonly string[]) => {
      const part = { apiGroups: [groupOf(leases, dialect)], apiVersions: ['v1'], resources: ['leases'] };
      return { rules: [{ ...part, operations }] };
    };
    const hooks = await install(admin, services, of('CREATE'), of('UPDATE', 'DELETE'), of('*'));
    const heard = () => hooks.map((hook) => hook.reviews.splice(0).map(({ request }) => request.operation));
    for (const write of ['put', 'apply'] as const) {
      await clause(`WEBHOOK-RULES-03/${write}-creating`, async () => {
        const send = async (holderIdentity: string) => {
          const draft = named(write, { spec: { holderIdentity } });
          if (write === 'apply') return author.apply(leases, draft);
          const body = await author.fill(leases, draft);
          return author.request('PUT', await author.pathOf(leases, write), { body });
        };
        heard();
        const made = await send('first');
        if (write === 'put' && !made.succeeded) unsupported('a PUT creates no leases');
        must('it is created', made, match.created);
        must('it is a CREATE', heard(), match.equal([['CREATE'], [], ['CREATE']]));
        must(
          'it is changed',
          await author.patch(leases, write, 'merge', { spec: { holderIdentity: 'b' } }),
          match.success,
        );
        must('that is an UPDATE', heard(), match.equal([[], ['UPDATE'], ['UPDATE']]));
      });
    }
  },
);

/** The author writes an object of the kind, and then its scale and status. */
async function writeInParts(author: Actor): Promise<void> {
  await author.given(deployments, named('a'));
  const headers = { 'content-type': 'application/merge-patch+json' };
  for (const [part, body] of [
    ['scale', { spec: { replicas: 1 } }],
    ['status', { status: { observedGeneration: 1 } }],
  ] as const) {
    const path = await author.pathOf(deployments, 'a', part);
    await author.prepare((each) => each.request('PATCH', path, { headers, body }));
  }
}

// That type/* covers all subresources is said, that it leaves out the type itself is not.
for (const [words, pattern, ...allowed] of [
  ['the type', 'deployments', ['']],
  ['a star', '*', ['']],
  ['the subresource', 'deployments/scale', ['scale']],
  ['all subresources of the type', 'deployments/*', ['scale', 'status'], ['', 'scale', 'status']],
  ['the subresource of all types', '*/scale', ['scale']],
  ['everything', '*/*', ['', 'scale', 'status']],
  ['all subresources of another type', 'replicasets/*', []],
  ['two types and a subresource', 'replicasets,statefulsets/*,deployments/scale', ['scale']],
] as const) {
  check(
    `WEBHOOK-RULES-04.1/${words}`,
    `the author writes a deployment, its scale and its status, and a rule has ${words} → it is called for what that covers`,
    ['WEBHOOK-RULES-04'],
    async ({ admin, author, services, dialect }) => {
      const rules = [
        { ...rule('CREATE', 'UPDATE'), apiGroups: [groupOf(deployments, dialect)], resources: pattern.split(',') },
      ];
      // Controllers write to the deployment too, so only what the author does counts.
      const mine = { matchConditions: [{ name: 'mine', expression: `request.userInfo.username == '${author.user}'` }] };
      const [hook] = await install(admin, services, { rules, ...mine });
      await writeInParts(author);
      const called = told(hook, 'subResource').map((name) => name ?? '');
      must('it was called for the object, the subresource or both', called, match.oneOf(...allowed));
    },
  );
}

for (const [scope, expected] of [
  ['Namespaced', ['configmaps', 'serviceaccounts/token']],
  ['Cluster', ['namespaces', 'namespaces/status', 'clusterroles']],
  ['*', ['configmaps', 'serviceaccounts/token', 'namespaces', 'namespaces/status', 'clusterroles']],
] as const) {
  check(
    `WEBHOOK-RULES-05.1/${scope === '*' ? 'star' : scope}`,
    `the author writes objects and subresources of both scopes, and a rule has scope ${scope === '*' ? 'star' : scope} → it is called for those of it`,
    ['WEBHOOK-RULES-05'],
    async ({ admin, author, services, dialect }) => {
      const of = (apiGroups: string, resources: readonly string[], operation = 'CREATE') => ({
        apiGroups: [apiGroups],
        apiVersions: ['v1'],
        operations: [operation],
        resources,
        scope,
      });
      // A request for what is in no namespace, or not yet named, lacks the member.
      const mine = [
        `has(request.namespace) && request.namespace == '${await author.namespace()}'`,
        `has(request.name) && request.name.startsWith('${author.space.prefix}')`,
      ].join(' || ');
      const [hook] = await install(admin, services, {
        rules: [
          of('', ['configmaps', 'serviceaccounts/token', 'namespaces']),
          of('', ['namespaces/status'], 'UPDATE'),
          of(groupOf(clusterRoles, dialect), ['clusterroles']),
        ],
        // Objects of other checks are none of our business, and the cluster-scoped ones are in no namespace.
        matchConditions: [{ name: 'mine', expression: mine }],
        namespaceSelector: own(author),
      });
      await author.given(configMaps, named('a'));
      await author.given(accounts, named('a'));
      const path = await author.pathOf(accounts, 'a', 'token');
      const body = { apiVersion: `authentication.${dialect.apiDomain}/v1`, kind: 'TokenRequest', spec: {} };
      await author.prepare((each) => each.request('POST', path, { body }));
      await author.given(namespaces, { metadata: { name: 'more' } });
      const status = await author.pathOf(namespaces, 'more', 'status');
      const headers = { 'content-type': PATCH_TYPES.merge };
      const touched = { status: { conditions: [condition('Touched')] } };
      await author.prepare((each) => each.request('PATCH', status, { headers, body: touched }));
      await author.given(clusterRoles, named('a'));
      const parts = told(hook, 'subResource');
      const called = told(hook, 'resource.resource').map((type, at) => (parts[at] ? `${type}/${parts[at]}` : type));
      must('it was called for the scope', called, match.equal([...expected]));
    },
  );
}

/** A type of the check's own that is served in two versions. */
async function twoVersions(by: Actor): Promise<Kind> {
  const plural = `${by.space.prefix}-docs`;
  const kind = `Doc${by.space.prefix.replace(/[^a-z0-9]/g, '')}`;
  const group = 'touchstone.example';
  const open = extensionName(by.dialect, 'preserve-unknown-fields');
  const schema = { openAPIV3Schema: { type: 'object', [open]: true } };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const subresources = { status: {}, scale };
  const version = (name: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema,
    subresources,
  });
  await by.given(customResourceDefinitions, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [version('v1', true), version('v2', false)],
    },
  });
  const type: Kind = { ...configMaps, kind, plural, group, version: 'v2', specified: true };
  await by.prepare(async (each) => (await should(() => each.list(type), match.status(200))).subject);
  return type;
}

/** Which objects a review holds. */
const MEMBERS = { CREATE: ['object'], UPDATE: ['object', 'oldObject'], DELETE: ['oldObject'] } as const;

/** A write through another version than a rule lists, and the operation as which a webhook hears of it. */
const THROUGH_ANOTHER: readonly (readonly [
  word: CustomWrite,
  operation: keyof typeof MEMBERS,
  write: (by: Actor, type: Kind) => Promise<Exchange>,
])[] = [
  ['post', 'CREATE', (by, type) => by.create(type, named('a', { spec: { replicas: 1 } }))],
  [
    'put',
    'UPDATE',
    async (by, type) => by.update(type, { ...objectIn(await by.prepare((each) => each.get(type, 'a'))), note: 'put' }),
  ],
  ['json', 'UPDATE', (by, type) => by.patch(type, 'a', 'json', [{ op: 'add', path: '/note', value: 'json' }])],
  ['merge', 'UPDATE', (by, type) => by.patch(type, 'a', 'merge', { metadata: { labels: { a: 'merge' } } })],
  ['apply', 'UPDATE', (by, type) => by.apply(type, { metadata: { name: 'a', labels: { b: 'apply' } } })],
  ['delete', 'DELETE', (by, type) => by.delete(type, 'a')],
  ['deletecollection', 'DELETE', (by, type) => by.deleteAll(type)],
];

/** What becomes of a subresource by each write. */
const PART_CHANGES = {
  status: { put: { status: { by: 'put' } }, json: { status: { by: 'json' } }, merge: { status: { by: 'merge' } } },
  scale: { put: { spec: { replicas: 2 } }, json: { spec: { replicas: 3 } }, merge: { spec: { replicas: 4 } } },
} as const;

/** Writes a subresource of the object `a`. */
async function changePart(
  by: Actor,
  type: Kind,
  part: 'status' | 'scale',
  write: Exclude<CustomObjectWrite, 'post'>,
): Promise<Exchange> {
  const path = await by.pathOf(type, 'a', part);
  const live = objectIn(await by.prepare((each) => each.request('GET', path)));
  const change: JsonObject = write === 'apply' ? { status: { by: write } } : PART_CHANGES[part][write];
  const { apiVersion, kind, metadata } = live;
  const body = {
    put: { ...live, ...change },
    json: Object.entries(change).map(([member, value]) => ({ op: 'add', path: `/${member}`, value })),
    merge: change,
    apply: { apiVersion, kind, metadata: { name: metadata.name }, ...change },
  }[write];
  if (write === 'put') return by.request('PUT', path, { body });
  const query = write === 'apply' ? '?fieldManager=author&force=true' : '';
  return by.request('PATCH', path + query, { headers: { 'content-type': PATCH_TYPES[write] }, body });
}

/** Judges writes of status and scale through another version than the one of the rules, which are of `calls`. */
async function judgeParts(by: Actor, type: Kind, hook: Hook | undefined, calls: readonly string[]): Promise<void> {
  const objects = calls.map((version) => `${type.group}/${version}`);
  for (const part of ['status', 'scale'] as const) {
    for (const write of ['put', 'json', 'merge', 'apply'] as const) {
      if (part === 'scale' && write === 'apply') continue;
      hook?.reviews.splice(0);
      must(`its ${part} is written by ${write}`, await changePart(by, type, part, write), match.success);
      await clause(`WEBHOOK-MATCH-01/${part}/${write}`, async () => {
        must('it was told of the version it asked for', told(hook, 'resource.version'), match.equal([...calls]));
        must('and of the subresource', told(hook, 'subResource'), match.equal(calls.map(() => part)));
        // A scale is of one version, whatever it is the scale of.
        if (part === 'status')
          for (const member of MEMBERS.UPDATE)
            must(`with the ${member} converted to it`, told(hook, `${member}.apiVersion`), match.equal(objects));
      });
    }
  }
}

for (const [policy, calls] of [
  ['Equivalent', ['v1']],
  ['Exact', []],
  [undefined, ['v1']],
] as const) {
  check(
    `WEBHOOK-MATCH-01.1/${policy ?? 'no matchPolicy'}/${calls.length > 0 ? 'called in its own version' : 'not called'}`,
    `the author writes objects, status and scale in every way through another version than the rule's, under ${policy ?? 'no matchPolicy'} → the webhook is ${calls.length > 0 ? 'called in its own version' : 'not called'}`,
    clausesOf('WEBHOOK-MATCH-01'),
    async ({ admin, author, services }) => {
      const type = await twoVersions(admin);
      const group = type.group ?? '';
      const matchPolicy = policy === undefined ? {} : { matchPolicy: policy };
      const of = (...resources: readonly string[]) => ({
        rules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['*'], resources }],
        ...matchPolicy,
      });
      const parts = of(`${type.plural}/status`, `${type.plural}/scale`);
      const [hook, partHook] = await install(admin, services, of(type.plural), parts);
      const objects = calls.map((version) => `${group}/${version}`);
      for (const [word, operation, write] of THROUGH_ANOTHER) {
        if (word === 'delete') await judgeParts(author, type, partHook, calls);
        if (word === 'deletecollection') await author.given(type, named('b'));
        hook?.reviews.splice(0);
        must(`it is written by ${word}`, await write(author, type), match.success);
        await clause(`WEBHOOK-MATCH-01/${word}`, async () => {
          must('it was told of the version it asked for', told(hook, 'resource.version'), match.equal([...calls]));
          must('and of what is done', told(hook, 'operation'), match.equal(calls.map(() => operation)));
          for (const member of MEMBERS[operation])
            must(`with the ${member} converted to it`, told(hook, `${member}.apiVersion`), match.equal(objects));
          // What a review holds beside is not shown.
          const asked = told(hook, 'requestResource.version').filter((version) => version !== undefined);
          must('and of no other version of the request', asked, match.every(match.equal('v2')));
        });
      }
    },
  );
}
