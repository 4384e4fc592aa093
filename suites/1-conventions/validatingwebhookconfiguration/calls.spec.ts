import { groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Kind } from '../../harness/index.ts';
import {
  admissionWebhook,
  allow,
  answerTo,
  check,
  configMaps,
  deny,
  groupOf,
  leases,
  match,
  must,
  named,
  objectIn,
  should,
  webhookConfigurations,
} from '../../harness/index.ts';
import { fill, install, rule, told } from './installed.ts';

check(
  'WEBHOOK-CALL-01.1',
  'the author creates what a webhook matches → it is called, and the object is not stored yet',
  ['WEBHOOK-CALL-01'],
  async ({ admin, author, watcher, services }) => {
    const [hook] = await install(admin, services, {});
    const seen: number[] = [];
    hook?.does(async (review, call) => {
      seen.push((await watcher.get(configMaps, 'a')).status);
      return allow(review, call);
    });
    must('it is allowed', await author.create(configMaps, named('a')), match.created);
    must('the webhook was called once, before the object was there', seen, match.equal([404]));
    must('afterwards it is there', await watcher.get(configMaps, 'a'), match.status(200));
  },
);

for (const [place, behaviours] of [
  ['alone', [deny]],
  ['before one that allows', [deny, allow]],
  ['behind two that allow', [allow, allow, deny]],
] as const) {
  check(
    `WEBHOOK-CALL-02.1/${place}`,
    `the author creates and a webhook denies, ${place} → it fails, and nothing is stored`,
    ['WEBHOOK-CALL-02'],
    async ({ admin, author, services }) => {
      const hooks = await install(admin, services, ...behaviours.map(() => ({})));
      hooks.forEach((hook, index) => {
        hook.does(behaviours[index] ?? allow);
      });
      must('it is denied', await author.create(configMaps, named('a')), match.error);
      must('nothing is stored', await author.get(configMaps, 'a'), match.status(404));
    },
  );
}

check(
  'WEBHOOK-CALL-02.2',
  'the author updates, patches and deletes and a webhook denies → the object stays as it was',
  ['WEBHOOK-CALL-02'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { rules: [rule('UPDATE', 'DELETE')] });
    const live = await author.given(configMaps, named('a', { data: { a: '1' } }));
    hook?.does(deny);
    must('the update fails', await author.update(configMaps, { ...live, data: { a: '2' } }), match.error);
    must('the patch fails', await author.patch(configMaps, 'a', 'merge', { data: { a: '2' } }), match.error);
    must('the deletion fails', await author.delete(configMaps, 'a'), match.error);
    must('it is as it was', await author.get(configMaps, 'a'), match.body(live));
  },
);

// A server may take an answer with a patch for a failed call, so the policy is Ignore: then it passes either way.
check(
  'WEBHOOK-CALL-03.1',
  'a validating webhook answers with a patch and another object → what was sent is stored',
  ['WEBHOOK-CALL-03'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { failurePolicy: 'Ignore' });
    const patch = Buffer.from('[{"op":"add","path":"/data/b","value":"2"}]').toString('base64');
    hook?.does((review) => answerTo(review, { allowed: true, patchType: 'JSONPatch', patch, object: { data: {} } }));
    const created = await author.create(configMaps, named('a', { data: { a: '1' } }));
    must('it is created as it was sent', created, match.created, match.field('data', { a: '1' }));
    must('and stored so', await author.get(configMaps, 'a'), match.field('data', { a: '1' }));
  },
);

check(
  'WEBHOOK-EXEMPT-01.1',
  'the author works on webhook configurations, and a webhook denies all of that → it is not called',
  ['WEBHOOK-EXEMPT-01'],
  async ({ admin, author, services, dialect }) => {
    const group = groupOf(webhookConfigurations, dialect);
    const resources = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
    const all = { apiGroups: [group], apiVersions: ['*'], operations: ['*'], resources };
    const selected = { matchLabels: author.space.labels };
    const [hook] = await install(admin, services, { rules: [all], objectSelector: selected });
    hook?.does(deny);
    must('another is created', await author.create(webhookConfigurations, named('other')), match.created);
    const patch = { metadata: { annotations: { a: 'b' } } };
    must('changed', await author.patch(webhookConfigurations, 'other', 'merge', patch), match.status(200));
    must('and deleted', await author.delete(webhookConfigurations, 'other'), match.success);
    must('the webhook never heard of it', hook?.reviews, match.size(0));
  },
);

check(
  'WEBHOOK-APPLY-01.1',
  'the author applies twice → the webhook is told of a CREATE, then of an UPDATE',
  ['WEBHOOK-APPLY-01'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { rules: [rule('*')] });
    must('it is created', await author.apply(configMaps, named('a', { data: { a: '1' } })), match.created);
    must('and merged', await author.apply(configMaps, named('a', { data: { a: '2' } })), match.status(200));
    must('as both', told(hook, 'operation'), match.equal(['CREATE', 'UPDATE']));
  },
);

check(
  'WEBHOOK-CHANGE-01.1',
  'an admin takes a webhook away → it is soon called no more',
  ['WEBHOOK-CHANGE-01'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, {});
    hook?.does(deny);
    must('it denies', await author.create(configMaps, named('a')), match.error);
    await admin.prepare((each) => each.delete(webhookConfigurations, 'config'));
    must('it denies no more', await should(() => author.create(configMaps, named('a')), match.created));
  },
);

check(
  'WEBHOOK-CHANGE-01.2',
  'an admin changes the rules of a webhook → it is soon called by the new ones',
  ['WEBHOOK-CHANGE-01'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { rules: [rule('DELETE')] });
    hook?.does(deny);
    must('a create passes', await author.create(configMaps, named('a')), match.created);
    const path = '/webhooks/0/rules/0/operations';
    const patch = [{ op: 'replace', path, value: ['CREATE'] }];
    await admin.prepare((each) => each.patch(webhookConfigurations, 'config', 'json', patch));
    const tried = () => author.create(configMaps, { metadata: { generateName: 'b-' } });
    must('a create is denied', await should(tried, match.error));
    must('a deletion is not', await author.delete(configMaps, 'a'), match.success);
  },
);

for (const [versions, first] of [
  [['v1', 'v1beta1'], 'v1'],
  [['v9', 'v1'], 'v1'],
] as const) {
  check(
    `WEBHOOK-REVIEW-01.1/${versions.join(' and ')}`,
    `a webhook takes reviews of ${versions.join(' and ')} → it is sent the first that the service supports`,
    ['WEBHOOK-REVIEW-01'],
    async ({ admin, author, services, dialect }) => {
      const [hook] = await install(admin, services, { admissionReviewVersions: versions });
      must('it is created', await author.create(configMaps, named('a')), match.created);
      const sent = hook?.reviews.map(({ apiVersion }) => apiVersion);
      must('it was asked in that version', sent, match.equal([`${groupName(dialect, 'admission')}/${first}`]));
    },
  );
}

check(
  'WEBHOOK-REVIEW-01.2',
  'webhooks of one configuration take reviews of several versions, and later of others → each is sent the first that the service supports, of every write',
  ['WEBHOOK-REVIEW-01'],
  async ({ admin, author, services, dialect }) => {
    const server = await services.get(admissionWebhook);
    const only = { admissionReviewVersions: ['v1beta1'] };
    const tried = { ...named('tried'), webhooks: [fill(admin, server.ca, server.hook(), 'tried', only)] };
    // Which versions a service supports is open, and it refuses a webhook that takes none of them.
    const { succeeded } = await admin.create(webhookConfigurations, tried, { dryRun: 'All' });
    const known = succeeded ? ['v1beta1', 'v1'] : ['v1'];
    const lists = [
      ['v1', 'v1beta1'],
      ['v1beta1', 'v1'],
      ['v9', 'v1beta1', 'v1'],
      ['v1'],
      ['v1beta1', 'v9', 'v1'],
      known,
      known.slice(0, 1),
    ];
    const firstOf = (versions: readonly string[] = []) =>
      `${groupName(dialect, 'admission')}/${versions.find((version) => known.includes(version))}`;
    const rules = [rule('*')];
    const taking = lists.map((admissionReviewVersions) => ({ admissionReviewVersions, rules }));
    const hooks = await install(admin, services, ...taking);
    /** The versions in which each webhook has been asked since this was asked last. */
    const sent = () => hooks.map(({ reviews }) => reviews.splice(0).map(({ apiVersion }) => apiVersion));
    const doc = (by: string) => named('a', { data: { by } });
    const replaced = async () => ({ ...objectIn(await author.get(configMaps, 'a')), data: { by: 'put' } });
    for (const [what, write] of [
      ['POST', () => author.create(configMaps, doc('post'))],
      ['PUT', async () => author.update(configMaps, await replaced())],
      ['JSON patch', () => author.patch(configMaps, 'a', 'json', [{ op: 'add', path: '/data/by', value: 'json' }])],
      ['merge patch', () => author.patch(configMaps, 'a', 'merge', { data: { by: 'merge' } })],
      ['strategic merge patch', () => author.patch(configMaps, 'a', 'strategic', { data: { by: 'strategic' } })],
      ['apply', () => author.apply(configMaps, doc('apply'), { force: true })],
      ['dry run', () => author.patch(configMaps, 'a', 'merge', { data: { by: 'try' } }, { dryRun: 'All' })],
      ['DELETE', () => author.delete(configMaps, 'a')],
      ['creating apply', () => author.apply(configMaps, doc('again'))],
    ] as const) {
      must(`${what} is done`, await write(), match.success);
      must(`${what} was told in that version`, sent(), match.equal(lists.map((each) => [firstOf(each)])));
    }
    const turned = [...lists.slice(1), ...lists.slice(0, 1)];
    const steps = turned.map((value, at) => ({
      op: 'replace',
      path: `/webhooks/${at}/admissionReviewVersions`,
      value,
    }));
    await admin.prepare((each) => each.patch(webhookConfigurations, 'config', 'json', steps));
    const told = await should(
      async () => {
        await author.patch(configMaps, 'a', 'merge', { data: { by: 'new' } }, { dryRun: 'All' });
        return sent().map(([version]) => version);
      },
      match.equal(turned.map(firstOf)),
    );
    must('it is soon asked by the new ones', told);
  },
);

check(
  'WEBHOOK-REQUEST-01.1',
  'the author updates an object → the review tells who does what to which object',
  ['WEBHOOK-REQUEST-01'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { rules: [rule('UPDATE')] });
    const live = await author.given(configMaps, named('a', { data: { a: '1' } }));
    await author.prepare((each) => each.update(configMaps, { ...live, data: { a: '2' } }));
    const request = hook?.reviews[0]?.request;
    const what = { group: '', version: 'v1' };
    must(
      'it tells what is done',
      request,
      match.at('operation', 'UPDATE'),
      match.at('uid', match.aString),
      match.at('kind', match.including({ ...what, kind: 'ConfigMap' })),
      match.at('resource', match.including({ ...what, resource: 'configmaps' })),
      match.at('name', 'a'),
      match.at('namespace', await author.namespace()),
      match.at('userInfo.username', author.user),
      match.at('dryRun', match.oneOf(false, match.absent)),
    );
    must('and the object', request, match.at('object.data', { a: '2' }), match.at('oldObject.data', { a: '1' }));
  },
);

check(
  'WEBHOOK-CALL-01.2',
  'a webhook of two configurations and one for another type → each that matches is called',
  ['WEBHOOK-CALL-01'],
  ['webhook-reachable'],
  async ({ admin, author, services, dialect }) => {
    const server = await services.get(admissionWebhook);
    const second = server.hook();
    await admin.given(webhookConfigurations, {
      ...named('a-second'),
      webhooks: [fill(admin, server.ca, second, 'second', {})],
    });
    const group = groupOf(leases, dialect);
    const other = { apiGroups: [group], apiVersions: ['*'], operations: ['*'], resources: ['leases'] };
    const [first, lease] = await install(admin, services, {}, { rules: [other] });
    second.reviews.length = 0;
    must('it is created', await author.create(configMaps, named('a')), match.created);
    must('those that match were called once', [first?.reviews.length, second.reviews.length], match.equal([1, 1]));
    must('the one for leases was not', lease?.reviews, match.size(0));
    must('a lease is created', await author.create(leases, named('a')), match.created);
    must('now it was', told(lease, 'operation'), match.equal(['CREATE']));
  },
);

/** The other kind of webhook configurations, which the specification names without its fields. */
const mutating: Kind = {
  ...webhookConfigurations,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  specified: false,
};

check(
  'WEBHOOK-EXEMPT-01.2',
  'the author works on mutating webhook configurations, and a webhook denies all of that → it is not called',
  ['WEBHOOK-EXEMPT-01'],
  async ({ admin, author, services }) => {
    const all = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
    const selected = { matchLabels: author.space.labels };
    const [hook] = await install(admin, services, { rules: [all], objectSelector: selected });
    hook?.does(deny);
    must('one is created', await author.create(mutating, named('other')), match.created);
    const patch = { metadata: { annotations: { a: 'b' } } };
    must('changed', await author.patch(mutating, 'other', 'merge', patch), match.status(200));
    must('and deleted', await author.delete(mutating, 'other'), match.success);
    must('the webhook never heard of it', hook?.reviews, match.size(0));
  },
);
