import {
  type Actor,
  check,
  clause,
  clausesOf,
  clusterRoleBindings,
  configMaps,
  type Kind,
  listIn,
  match,
  must,
  webhookConfigurations,
} from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';

const FAMILIES: readonly Kind[] = [clusterRoleBindings, webhookConfigurations];

/** Prepares three objects, of which two have a label. */
async function three(author: Actor, kind: Kind): Promise<string[]> {
  const names = [];
  for (const [name, part] of [
    ['a', 'one'],
    ['b', 'one'],
    ['c', 'two'],
  ] as const) {
    names.push((await author.given(kind, { metadata: { name, labels: { part } } })).metadata.name);
  }
  return names;
}
/** Parameters of a value that they cannot have. */
const WRONG = [
  { limit: 'many' },
  { timeoutSeconds: 'soon' },
  { continue: 'touchstone-no-token' },
  { labelSelector: 'part in (' },
  { fieldSelector: 'metadata.name' },
  { resourceVersion: 'touchstone-no-version' },
  { resourceVersionMatch: 'Exact' },
  { dryRun: 'Some' },
] as const;
/** Every form of a label selector, and the one object of those that are left which it selects. */
const FORMS = [
  ['tier=', 'empty'],
  ['tier in (back,none)', 'back'],
  // Whoever has no label has no value that is left out: neither of this label nor of another.
  ['tier notin (front,third),pair notin (b,c)', 'bare'],
  ['tier!=front,tier!=third,pair!=c', 'bare-b'],
  ['!tier', 'bare-c'],
  ['tier==third', 'third'],
  ['tier', 'front'],
] as const;
const FORMED: Readonly<Record<(typeof FORMS)[number][1], Readonly<Record<string, string>>>> = {
  empty: { tier: '' },
  back: { tier: 'back' },
  bare: {},
  'bare-b': { pair: 'b' },
  'bare-c': { pair: 'c' },
  third: { tier: 'third' },
  front: { tier: 'front' },
};
/** Objects of two tiers, by what they are called. */
const TIERS = { g: 'front', h: 'front', i: 'front', j: 'back', k: 'back', l: 'front', m: 'back' } as const;
/** Selectors of which each selects more than all together: of labels, of names, and in chunks; and what goes by them. */
const SEVERAL: readonly (readonly [string[], string[], Record<string, string | number>, (keyof typeof TIERS)[]])[] = [
  [['tier=back'], ['metadata.name=g'], {}, []],
  [['tier=back', 'tier=front'], [], {}, []],
  [['tier=front', 'tier!=front'], ['metadata.name=g'], {}, []],
  [['tier=back'], ['metadata.name=g'], { limit: 500 }, []],
  [['tier=back'], ['metadata.name=g'], { gracePeriodSeconds: 0, propagationPolicy: 'Background' }, []],
  [['tier=back'], ['metadata.name=j'], {}, ['j']],
  [['tier=front'], ['metadata.name!=h', 'metadata.name!=i', 'metadata.name!=l'], {}, ['g']],
  [['tier in (front,back)', 'tier!=back'], ['metadata.name!=h', 'metadata.name!=i'], {}, ['l']],
  [['tier=front'], ['metadata.name!=h'], { limit: 500 }, ['i']],
];
const left = (author: Actor, kind: Kind) =>
  author.list(kind, { labelSelector: kind.namespaced ? 'part' : author.space.selector });

for (const type of [
  'clusterrolebindings',
  'validatingwebhookconfigurations',
  'configmaps',
  'leases',
  'custom',
  'custom-cluster',
] as const) {
  check(
    `OP-DELETECOLLECTION-01.1/${type}`,
    `the author deletes ${type} by label, by field, by both and in chunks → what is selected, and nothing else`,
    clausesOf('OP-DELETECOLLECTION-01', type),
    tested(type).needs,
    async ({ author }) => {
      const kind = await tested(type).kind(author);
      const [a = '', b = '', c = ''] = await three(author, kind);
      const part = 'part';
      const selecting = encodeURIComponent(kind.namespaced ? part : `${part},${author.space.selector}`);
      await clause(`OP-DELETECOLLECTION-01/neither/${type}`, async () => {
        must('nothing is selected', await author.deleteAll(kind, { labelSelector: `${part}=none` }), match.status(200));
        const none = { labelSelector: part, fieldSelector: 'metadata.name=touchstone-none' };
        must('nor by field', await author.deleteAll(kind, none), match.status(200));
        const options = { headers: { 'content-type': 'application/yaml' }, body: 'dryRun: [All]\n' };
        const dry = await author.request('DELETE', `${await author.pathOf(kind)}?labelSelector=${selecting}`, options);
        must('a dry run by options in YAML is none', dry, match.status(200));
        for (const wrong of WRONG) {
          const all = await author.deleteAll(kind, { labelSelector: part, ...wrong });
          must('a value that is none deletes nothing', all, match.refusal);
        }
        must('all are there', await left(author, kind), match.names(match.sameItems([a, b, c])));
      });
      await clause(`OP-DELETECOLLECTION-01/sets/${type}`, async () => {
        for (const labelSelector of [`${part} in (none)`, `${part},${part} notin (one,two)`, `${part},!${part}`])
          must('nothing is selected', await author.deleteAll(kind, { labelSelector }), match.status(200));
        must('all are there', await left(author, kind), match.names(match.sameItems([a, b, c])));
      });
      await clause(`OP-DELETECOLLECTION-01/fieldselector/${type}`, async () => {
        const one = { labelSelector: part, fieldSelector: `metadata.name=${a}` };
        must('one is selected', await author.deleteAll(kind, one), match.status(200));
        must('the others stay', await left(author, kind), match.names(match.sameItems([b, c])));
      });
      await clause(`OP-DELETECOLLECTION-01/labelselector/${type}`, async () => {
        must('one is selected', await author.deleteAll(kind, { labelSelector: `${part}=one` }), match.status(200));
        must('the other stays', await left(author, kind), match.names([c]));
      });
      await clause(`OP-DELETECOLLECTION-01/limit/${type}`, async () => {
        await author.given(kind, { metadata: { name: 'd', labels: { part: 'two' } } });
        await author.given(kind, { metadata: { name: 'e', labels: { part: 'two' } } });
        const selector = { labelSelector: kind.namespaced ? part : `${part},${author.space.selector}` };
        const page = listIn(await author.list(kind, { ...selector, limit: 1 }));
        const rest = { labelSelector: part, limit: 1, continue: page.metadata.continue };
        must('a chunk is selected', await author.deleteAll(kind, rest), match.success);
        const kept = listIn(await left(author, kind)).items.map(({ metadata }) => metadata.name);
        must('one of three went', kept, match.size(2));
        must('and not from before the token', kept, match.containing(page.items[0]?.metadata.name ?? ''));
      });
      await clause(`OP-DELETECOLLECTION-01/forms/${type}`, async () => {
        const there = new Map<string, string>();
        for (const [name, labels] of Object.entries(FORMED)) {
          const { metadata } = await author.given(kind, { metadata: { name, labels: { ...labels, form: 'yes' } } });
          there.set(name, metadata.name);
        }
        const own = kind.namespaced ? 'form' : `form,${author.space.selector}`;
        for (const [form, selected] of FORMS) {
          const answer = await author.deleteAll(kind, { labelSelector: `form,${form}` });
          must(`${form} is taken`, answer, match.status(200));
          there.delete(selected);
          const stay = await author.list(kind, { labelSelector: own });
          must('what it selects goes, and nothing else', stay, match.names(match.sameItems([...there.values()])));
        }
        const labels = { form: 'yes' };
        const kept = (await author.given(kind, { metadata: { name: 'kept', labels } })).metadata.name;
        await author.given(kind, { metadata: { name: 'other', labels } });
        const others = { labelSelector: 'form', fieldSelector: `metadata.name!=${kept}` };
        must('other names are taken', await author.deleteAll(kind, others), match.status(200));
        must('what has another name goes', await author.list(kind, { labelSelector: own }), match.names([kept]));
      });
      await clause(`OP-DELETECOLLECTION-01/several/${type}`, async () => {
        const there = new Map<string, string>();
        for (const [word, tier] of Object.entries(TIERS)) {
          const { metadata } = await author.given(kind, { metadata: { name: word, labels: { several: 'yes', tier } } });
          there.set(word, metadata.name);
        }
        const own = kind.namespaced ? 'several' : `several,${author.space.selector}`;
        const nameOf = (word: string) => there.get(word) ?? author.space.nameOf(kind, word);
        for (const [tiers, words, more, gone] of SEVERAL) {
          const labelSelector = ['several', ...tiers].join();
          const fieldSelector = words.map((word) => word.replace(/\w+$/, nameOf)).join();
          const query = { ...more, ...(fieldSelector === '' ? {} : { fieldSelector }), labelSelector };
          must('they are taken together', await author.deleteAll(kind, query), match.status(200));
          for (const word of gone) there.delete(word);
          const stay = await author.list(kind, { labelSelector: own });
          must('what all of them select goes, alone', stay, match.names(match.sameItems([...there.values()])));
        }
      });
    },
  );
}

for (const kind of [...FAMILIES, configMaps]) {
  const type = kind.plural as 'configmaps';
  check(
    `OP-DELETECOLLECTION-02.1/${type}`,
    `the author deletes ${type} with every parameter and with options → taken, and what is selected goes`,
    clausesOf('OP-DELETECOLLECTION-02', type),
    async ({ author }) => {
      const parameters: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> = {
        resourceversion: {},
        resourceversionmatch: { resourceVersionMatch: 'NotOlderThan' },
        graceperiodseconds: { gracePeriodSeconds: 0 },
        propagationpolicy: { propagationPolicy: 'Background' },
        timeoutseconds: { timeoutSeconds: 10 },
        pretty: { pretty: 'true' },
        dryrun: { dryRun: 'All' },
      };
      for (const [word, query] of Object.entries(parameters)) {
        await clause(clausesOf('OP-DELETECOLLECTION-02', word, type), async () => {
          // A dry run with a body has checks of its own.
          const bodies = word === 'dryrun' ? [undefined] : [undefined, { kind: 'DeleteOptions', apiVersion: 'v1' }];
          for (const body of bodies) {
            const { metadata } = await author.given(kind, { metadata: { name: word, labels: { part: word } } });
            // The object's own is right whether it is the version of the list or the one that is to be deleted.
            const own = word.startsWith('resourceversion') ? { resourceVersion: metadata.resourceVersion } : {};
            const answer = await author.deleteAll(kind, { labelSelector: `part=${word}`, ...own, ...query }, body);
            must('the parameter is taken', answer, match.status(200));
            const left = match.status(word === 'dryrun' ? 200 : 404);
            must('what is selected goes, but in a dry run', await author.get(kind, word), left);
          }
        });
      }
      await clause(`OP-DELETECOLLECTION-02/body/${type}`, async () => {
        await author.given(kind, { metadata: { name: 'body', labels: { part: 'body' } } });
        const options = { propagationPolicy: 'Background', gracePeriodSeconds: 0 };
        must(
          'options are taken',
          await author.deleteAll(kind, { labelSelector: 'part=body' }, options),
          match.status(200),
        );
        must('it is gone', await author.get(kind, 'body'), match.status(404));
      });
    },
  );

  check(
    `DELETE-OPTIONS-03.1/${type}`,
    `the author deletes ${type} with options that there are not, in the query → 4xx, and nothing is deleted`,
    ['DELETE-OPTIONS-03'],
    async ({ author }) => {
      const live = await author.given(kind, { metadata: { name: 'kept', labels: { part: 'one' } } });
      for (const query of [{ propagationPolicy: 'Sideways' }, { gracePeriodSeconds: 'soon' }]) {
        must('it is no value', await author.delete(kind, 'kept', query), match.refusal);
        must('nor for all', await author.deleteAll(kind, { labelSelector: 'part=one', ...query }), match.refusal);
      }
      must('it is as it was', await author.get(kind, 'kept'), match.body(live));
    },
  );
}

for (const kind of FAMILIES) {
  check(
    `OP-UNAUTHENTICATED-01.1/${kind.plural}`,
    `nobody works on ${kind.plural} with a token that is no good → 401 to every operation, and nothing changes`,
    ['OP-UNAUTHENTICATED-01'],
    async ({ author, nobody }) => {
      const live = await author.given(kind, { metadata: { name: 'one', labels: { part: 'one' } } });
      const collection = await author.pathOf(kind);
      const item = await author.pathOf(kind, 'one');
      const merge = { 'content-type': 'application/merge-patch+json' };
      const body = { metadata: { annotations: { by: 'nobody' } } };
      const requests = [
        ['GET', item],
        ['GET', collection],
        ['GET', `${collection}?limit=1`],
        ['GET', `${collection}?watch=true&timeoutSeconds=1`],
        ['GET', `${collection}?fieldSelector=metadata.name=${live.metadata.name}`],
        ['POST', collection, { body: await author.fill(kind, { metadata: { name: 'two' } }) }],
        ['PUT', item, { body: live }],
        ['PATCH', item, { headers: merge, body }],
        ['PATCH', `${item}?dryRun=All`, { headers: merge, body }],
        ['DELETE', item],
        ['DELETE', `${collection}?labelSelector=part=one,${author.space.selector}`],
      ] as const;
      for (const [method, path, options] of requests) {
        const headers = {
          ...(options && 'headers' in options ? options.headers : {}),
          authorization: 'Bearer touchstone-no-such-token',
        };
        const answer = await nobody.request(method, path, { ...options, headers });
        must('it is not authenticated', answer, match.status(401));
      }
      must('nothing changed', await author.get(kind, 'one'), match.body(live));
      must('nothing was made', await author.get(kind, 'two'), match.status(404));
    },
  );

  check(
    `ERROR-FORBIDDEN-01.3/${kind.plural}`,
    `the stranger works on ${kind.plural} without rights → 403 to every operation, and nothing changes`,
    ['ERROR-FORBIDDEN-01'],
    ['rbac'],
    async ({ author, stranger }) => {
      const live = await author.given(kind, { metadata: { name: 'one', labels: { part: 'one' } } });
      const collection = await author.pathOf(kind);
      const item = await author.pathOf(kind, 'one');
      const body = { metadata: { annotations: { by: 'stranger' } } };
      const apply = await author.fill(kind, { metadata: { name: 'one' } });
      const patched = (type: string, sent: object) => ({ headers: { 'content-type': type }, body: sent });
      const requests = [
        ['GET', item],
        ['GET', collection],
        ['GET', `${collection}?watch=true&timeoutSeconds=1`],
        ['POST', collection, { body: await author.fill(kind, { metadata: { name: 'two' } }) }],
        ['POST', `${collection}?dryRun=All`, { body: await author.fill(kind, { metadata: { name: 'two' } }) }],
        ['PUT', item, { body: live }],
        ['PATCH', item, patched('application/merge-patch+json', body)],
        [
          'PATCH',
          item,
          patched('application/json-patch+json', [{ op: 'add', path: '/metadata/annotations', value: {} }]),
        ],
        ['PATCH', item, patched('application/strategic-merge-patch+json', body)],
        ['PATCH', `${item}?fieldManager=x&force=true`, patched('application/apply-patch+yaml', apply)],
        ['DELETE', item],
        ['DELETE', `${item}?dryRun=All`],
        ['DELETE', `${collection}?labelSelector=part=one,${author.space.selector}`],
      ] as const;
      for (const [method, path, options] of requests) {
        must('there is no right to it', await stranger.request(method, path, options), match.status(403));
      }
      must('nothing changed', await author.get(kind, 'one'), match.body(live));
      must('nothing was made', await author.get(kind, 'two'), match.status(404));
    },
  );

  check(
    `OP-PATCH-01.1/${kind.plural}`,
    `the author applies one of ${kind.plural} that is not there, over another's value and by force → 201, a conflict, 200`,
    ['OP-PATCH-01'],
    async ({ author, rival }) => {
      const least = kind.least(author.dialect);
      const draft = (value: string) => ({ ...least, metadata: { name: 'one', annotations: { value } } });
      author.space.note(kind, author.space.nameOf(kind, 'one'));
      const dry = await author.apply(kind, draft('1'), { dryRun: 'All' });
      must('a dry run is answered', dry, match.status(200, 201));
      must('and stores nothing', await author.get(kind, 'one'), match.status(404));
      const query = { fieldValidation: 'Strict', pretty: 'true' };
      must('it is created', await author.apply(kind, draft('1'), query), match.created);
      must('another value conflicts', await rival.apply(kind, draft('2')), match.refusal);
      const value = match.field('metadata.annotations.value', '2');
      must('by force it is stored', await rival.apply(kind, draft('2'), { force: true }), match.status(200), value);
      must('and stays', await author.get(kind, 'one'), value);
    },
  );
}
