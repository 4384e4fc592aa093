import { CHANGES, CREATED_BY_PUT, REVIEWED_TYPES, STATUS_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  allow,
  check,
  clause,
  clausesOf,
  configMaps,
  deny,
  groupOf,
  type JsonObject,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  unsupported,
  valueAt,
} from '../../harness/index.ts';
import { changeStatus, STATUS } from '../statusTypes.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';
import { install, own, rule, told } from './installed.ts';

for (const type of STATUS_TYPES) {
  check(
    `WEBHOOK-CALL-01.3/${type}`,
    `the author changes the status of ${type} in every way, and a webhook for it denies and allows → it is called each time, and decides`,
    clausesOf('WEBHOOK-CALL-01', `${type}-status`),
    ['webhook-reachable', ...(type === 'custom' ? (['custom-types'] as const) : [])],
    async ({ admin, author, services, dialect }) => {
      const { kind: kindOf, status } = STATUS[type];
      const kind = await kindOf(author);
      const resources = [`${kind.plural}/status`];
      const rules = [
        { apiGroups: [groupOf(kind, dialect)], apiVersions: [kind.version], operations: ['UPDATE'], resources },
      ];
      // Controllers write statuses too, so only what the author does counts.
      const mine = { matchConditions: [{ name: 'mine', expression: `request.userInfo.username == '${author.user}'` }] };
      const selected = kind.namespaced ? {} : { objectSelector: own(admin) };
      const [hook] = await install(admin, services, { rules, ...mine, ...selected });
      await author.given(kind, { metadata: { name: 'doc', labels: { ...author.space.labels } } });
      for (const write of CHANGES) {
        if (write === 'strategic' && type === 'custom') continue;
        await clause(`WEBHOOK-CALL-01/${write}/${type}-status`, async () => {
          const send = () => changeStatus(author, kind, write, status(`Called${write}`));
          hook?.does(deny);
          if (hook) hook.reviews.length = 0;
          const { answer, before } = await send();
          must('it is denied', answer, match.error);
          must('the webhook was called for the status', told(hook, 'subResource'), match.equal(['status']));
          must('what is stored stays as it was', await author.get(kind, 'doc'), match.body(before));
          hook?.does(allow);
          must('it is allowed', (await send()).answer, match.success);
          must('as an update', told(hook, 'operation').at(-1), match.equal('UPDATE'));
          const texts = hook?.reviews.map((review) => JSON.stringify(review.request.object)) ?? [];
          must(
            'of what would be stored',
            texts.every((text) => text.includes(`Called${write}`)),
            match.equal(true),
          );
        });
      }
    },
  );
}

for (const type of ['configmaps', 'clusterrolebindings', 'custom'] as const) {
  check(
    `WEBHOOK-CALL-02.4/${type}`,
    `the author changes ${type} that is being deleted in every way, and a webhook denies → it stays as it was`,
    [`WEBHOOK-CALL-02/held-${type}`],
    ['webhook-reachable', ...(type === 'custom' ? (['custom-types'] as const) : [])],
    async ({ admin, author, services, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const resources = [kind.plural];
      const rules = [
        { apiGroups: [groupOf(kind, dialect)], apiVersions: [kind.version], operations: ['UPDATE'], resources },
      ];
      const selected = kind.namespaced ? {} : { objectSelector: own(admin) };
      const [hook] = await install(admin, services, { rules, ...selected });
      const finalizers = ['touchstone.example/held'];
      await writer.given('doc', 'old', { finalizers, labels: { ...author.space.labels } });
      await author.prepare((each) => each.delete(kind, 'doc'));
      const before = objectIn(await writer.get('doc'));
      hook?.does(deny);
      for (const write of writer.writes) {
        if (write === 'post' || write.startsWith('delete')) continue;
        if (hook) hook.reviews.length = 0;
        must(`${write} is denied`, await writer.send(write, { query: {} }), match.error);
        must('the webhook was called', told(hook, 'operation'), match.equal(['UPDATE']));
        must('what is stored stays as it was', await writer.get('doc'), match.body(before));
      }
      const last = { metadata: { finalizers: null } };
      must('nor does it end', await author.patch(kind, 'doc', 'merge', last), match.error);
      must('it is still there', await writer.get('doc'), match.body(before));
      hook?.does(allow);
      must('until that is allowed', await author.patch(kind, 'doc', 'merge', last), match.success);
    },
  );
}

for (const type of REVIEWED_TYPES) {
  check(
    `WEBHOOK-CALL-02.5/${type}`,
    `the author deletes a collection of ${type}, and a webhook denies one of its objects after another → that one stays, and it is called for each that goes`,
    [`WEBHOOK-CALL-01/each/${type}`, `WEBHOOK-CALL-02/each/${type}`],
    ['webhook-reachable', ...tested(type).needs],
    async ({ admin, author, services, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const rules = [
        {
          apiGroups: [groupOf(kind, dialect)],
          apiVersions: [kind.version],
          operations: ['DELETE'],
          resources: [kind.plural],
        },
      ];
      const selected = kind.namespaced ? {} : { objectSelector: own(admin) };
      const [hook] = await install(admin, services, { rules, ...selected });
      const words = ['a', 'b', 'c'];
      const names = words.map((word) => author.space.nameOf(kind, word));
      // The name of the request may be left out where it is about a collection.
      const nameIn = (request: JsonObject) => valueAt(request, ['oldObject', 'metadata', 'name']);
      const labels = { part: 'all' };
      const query = { labelSelector: 'part=all' };
      const unasked: string[] = [];
      for (const [at, denied] of words.entries()) {
        for (const word of words)
          if ((await writer.get(word)).status === 404) await writer.given(word, 'old', { labels });
        const before = objectIn(await writer.get(denied));
        if (hook) hook.reviews.length = 0;
        hook?.does((...called) => (nameIn(called[0].request) === names[at] ? deny : allow)(...called));
        await clause(`WEBHOOK-CALL-02/each/${type}`, async () => {
          must('it is denied', await author.deleteAll(kind, query), match.error);
          must('what was denied stays as it was', await writer.get(denied), match.body(before));
        });
        const gone: string[] = [];
        for (const word of words)
          if ((await writer.get(word)).status === 404) gone.push(author.space.nameOf(kind, word));
        const asked = hook?.reviews.map(({ request }) => nameIn(request)) ?? [];
        unasked.push(...gone.filter((name) => !asked.includes(name)));
      }
      for (const word of words)
        if ((await writer.get(word)).status === 404) await writer.given(word, 'old', { labels });
      if (hook) hook.reviews.length = 0;
      hook?.does(allow);
      await clause(`WEBHOOK-CALL-01/each/${type}`, async () => {
        must('all are deleted', await author.deleteAll(kind, query), match.success);
        must('nothing had gone without', unasked, match.empty);
        const asked = new Set(hook?.reviews.map(({ request }) => nameIn(request)));
        must('it was called for each', [...asked], match.sameItems(names));
      });
    },
  );
}

for (const type of CREATED_BY_PUT) {
  check(
    `WEBHOOK-CALL-02.6/${type}`,
    `the author creates ${type} by a PUT and by an apply, and a webhook allows and denies → it is called each time, and decides`,
    [
      ...clausesOf('WEBHOOK-CALL-01', ['put-creating', 'apply-creating'], type),
      ...clausesOf('WEBHOOK-CALL-02', ['put-creating', 'apply-creating'], type),
    ],
    ['webhook-reachable'],
    async ({ admin, author, services, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const operations = ['CREATE', 'UPDATE'];
      const rules = [
        { apiGroups: [groupOf(kind, dialect)], apiVersions: [kind.version], operations, resources: [kind.plural] },
      ];
      const selected = kind.namespaced ? {} : { objectSelector: own(admin) };
      const [hook] = await install(admin, services, { rules, ...selected });
      for (const write of ['put', 'apply'] as const) {
        const send = async (name: string) => {
          author.space.note(kind, author.space.nameOf(kind, name));
          const body = await author.fill(kind, { ...writer.content('new'), metadata: { name } });
          const path = await author.pathOf(kind, name);
          return write === 'put'
            ? author.request('PUT', path, { headers: { 'content-type': writer.subject.sentAs }, body })
            : author.request('PATCH', `${path}?fieldManager=author`, {
                headers: { 'content-type': PATCH_TYPES.apply },
                body,
              });
        };
        const asked = (name: string) => told(hook, 'name').includes(author.space.nameOf(kind, name));
        hook?.does(allow);
        const made = await send(`${write}-allowed`);
        await clause(`WEBHOOK-CALL-01/${write}-creating/${type}`, async () => {
          if (write === 'put' && !made.succeeded) unsupported(`a PUT creates no ${kind.plural}`);
          must('it is allowed', made, match.created);
          must('the webhook was called', asked(`${write}-allowed`), match.equal(true));
        });
        await clause(`WEBHOOK-CALL-02/${write}-creating/${type}`, async () => {
          if (write === 'put' && !made.succeeded) unsupported(`a PUT creates no ${kind.plural}`);
          hook?.does(deny);
          must('it is denied', await send(`${write}-denied`), match.error);
          must('nothing is created', await writer.get(`${write}-denied`), match.status(404));
        });
      }
    },
  );
}

check(
  'WEBHOOK-REQUEST-01.3',
  'the admin acts as somebody with groups, a uid and more → the review tells all of that, whatever is asked',
  ['WEBHOOK-REQUEST-01/somebody'],
  ['webhook-reachable', 'impersonation'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { rules: [rule('*')] });
    const groups = ['touchstone:first', 'touchstone:second', 'system:masters'];
    const headers = {
      'impersonate-user': 'touchstone-ada',
      'impersonate-uid': 'ada-uid',
      'impersonate-group': groups,
      'impersonate-extra-scopes': 'read',
    };
    const ask = (method: string, name: string, body: unknown, contentType = 'application/json', query = '') =>
      author.pathOf(configMaps, name).then((path) =>
        admin.request(method, path + query, {
          headers: { ...headers, 'content-type': contentType },
          body: body as object,
        }),
      );
    const object = { apiVersion: 'v1', kind: 'ConfigMap', ...named('doc'), data: { a: '1' } };
    must('created', await ask('POST', '', object), match.created);
    must('patched', await ask('PATCH', 'doc', { data: { a: '2' } }, PATCH_TYPES.merge), match.success);
    must(
      'applied',
      await ask('PATCH', 'doc', object, PATCH_TYPES.apply, '?fieldManager=ada&force=true'),
      match.success,
    );
    must('deleted', await ask('DELETE', 'doc', {}), match.success);
    must('it is called for each', hook?.reviews, match.size(4));
    for (const { request } of hook?.reviews ?? []) {
      must(
        'it tells who they are',
        request,
        match.at('userInfo.username', 'touchstone-ada'),
        match.at('userInfo.uid', 'ada-uid'),
        match.at('userInfo.extra', match.including({ scopes: ['read'] })),
      );
      const told = (request.userInfo as { readonly groups?: readonly string[] }).groups ?? [];
      must(
        'with every group',
        groups.filter((group) => !told.includes(group)),
        match.empty,
      );
    }
  },
);
