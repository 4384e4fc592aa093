import {
  type Actor,
  check,
  clause,
  clausesOf,
  clusterRoles,
  configMaps,
  defineType,
  type Json,
  type JsonObject,
  type Kind,
  match,
  mergedInto,
  must,
  named,
  objectIn,
  valueAt,
  webhookConfigurations,
} from '../../harness/index.ts';
import { defineMarked, TEXT, TEXTS, thing } from '../merge-annotations-on-fields/markedType.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';
import { applied, apply, patch } from './doc.ts';
import { first, HOOK, hook, hooked } from './hook.ts';

check(
  'APPLY-REMOVE-02.1',
  'the author no longer applies a field with a default → it has its default again',
  ['APPLY-REMOVE-02'],
  async ({ author }) => {
    await hooked(author, { timeoutSeconds: 5, failurePolicy: 'Ignore' });
    const without = await hook(author, HOOK);
    must('both are reset', without, match.status(200), first('timeoutSeconds', 10), first('failurePolicy', 'Fail'));
  },
);

check(
  'APPLY-REMOVE-02.2',
  'the author no longer applies fields of a Deployment and of a custom type that have a default → they have it again',
  ['APPLY-REMOVE-01', 'APPLY-REMOVE-02'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const size = { type: 'integer', default: 1 };
    const spec = { type: 'object', default: {}, properties: { size, text: { type: 'string' } } };
    const things = await defineType(author, dialect, () => ({ type: 'object', properties: { spec } }));
    await author.prepare((each) => each.apply(things, named('doc', { spec: { size: 3, text: 'a' } })));
    const thing = await author.apply(things, named('doc', { spec: { text: 'a' } }));
    must('that of the schema', thing, match.status(200), match.field('spec.size', 1), match.field('spec.text', 'a'));
    const none = await author.apply(things, named('doc', { spec: { size: 1 } }));
    must('what has none is gone', none, match.status(200), match.field('spec', { size: 1 }));
    const { replicas: _, ...rest } = deployments.least(dialect).spec as JsonObject;
    await author.prepare((each) => each.apply(deployments, named('doc', { spec: { ...rest, replicas: 3 } })));
    const deployment = await author.apply(deployments, named('doc', { spec: rest }));
    must('that of the type', deployment, match.status(200), match.field('spec.replicas', 1));
  },
);

check(
  'APPLY-REMOVE-03.1',
  'the author no longer applies an item of a list → it goes, unless the rival owns a part of it',
  ['APPLY-REMOVE-03'],
  async ({ author, rival }) => {
    const [mine, ours, last] = ['mine', 'ours', 'last'].map((word) => ({
      ...HOOK,
      name: `${word}.touchstone.example`,
    }));
    await author.prepare((each) => hook(each, mine as object, ours as object, last as object));
    await rival.prepare((each) => hook(each, { name: 'ours.touchstone.example', timeoutSeconds: 5 }));
    const without = await hook(author, last as object);
    // What is left of the item lacks fields that a webhook needs, so a server may refuse it as well.
    if (!without.succeeded) return void must('else the rest is refused as no webhook', without, match.refusal);
    must('who owns a part keeps the item', without, match.field('webhooks', match.size(2)));
  },
);

check(
  'APPLY-REMOVE-03.2',
  'the author no longer applies an entry of a map → it goes, unless the rival owns it',
  ['APPLY-REMOVE-03'],
  async ({ author, rival }) => {
    await applied(author, { mine: '1', ours: '1', last: '1' });
    await applied(rival, { ours: '1' });
    const without = await apply(author, { last: '1' });
    must("only the author's own went", without, match.status(200), match.field('data', { ours: '1', last: '1' }));
  },
);

check(
  'APPLY-REMOVE-03.3',
  'the author no longer applies an item of a set → it goes, unless the rival owns it',
  ['APPLY-REMOVE-03', 'MERGE-SET-03'],
  async ({ author, rival }) => {
    const finalizers = (...words: readonly string[]) => ({
      ...named('doc'),
      metadata: { name: 'doc', finalizers: words.map((word) => `touchstone.example/${word}`) },
    });
    await author.prepare((each) => each.apply(clusterRoles, finalizers('first', 'mine', 'ours', 'last')));
    await rival.prepare((each) => each.apply(clusterRoles, finalizers('ours')));
    const without = await author.apply(clusterRoles, finalizers('first', 'last'));
    const left = finalizers('first', 'ours', 'last').metadata.finalizers;
    must("only the author's own went", without, match.status(200), match.field('metadata.finalizers', left));
  },
);

check(
  'APPLY-REMOVE-03.5',
  'the author applies an empty list or map in place of its items → they go, and it is empty',
  ['APPLY-REMOVE-03'],
  async ({ author }) => {
    const name = 'doc';
    const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
    for (const [kind, path, some, none] of [
      [configMaps, 'data', { data: { a: '1' } }, { data: {} }],
      [clusterRoles, 'rules', { rules: [rule] }, { rules: [] }],
      [webhookConfigurations, 'webhooks', { webhooks: [HOOK] }, { webhooks: [] }],
      [configMaps, 'metadata.labels', { metadata: { name, labels: { a: '1' } } }, { metadata: { name, labels: {} } }],
      [
        configMaps,
        'metadata.finalizers',
        { metadata: { name, finalizers: ['touchstone.example/a'] } },
        { metadata: { name, finalizers: [] } },
      ],
    ] as const) {
      await author.prepare((each) => each.apply(kind, { ...named(name), ...some }));
      const own = match.valueMatcher(
        'none of its items',
        (value) => !/"(a|pods|name)"|example\/a/.test(JSON.stringify(value ?? null)),
      );
      must(
        'it is emptied',
        await author.apply(kind, { ...named(name), ...none }),
        match.status(200),
        match.field(path, own),
      );
      must('and stored so', await author.get(kind, name), match.field(path, own));
    }
  },
);

/** An item of a keyed list with two items in a list of its own, and how it is applied without the second of them. */
const NESTED = {
  webhooks: async (author: Actor) => {
    const condition = (name: string) => ({ name, expression: 'true' });
    const both = { ...HOOK, matchConditions: [condition('a'), condition('b')], timeoutSeconds: 5 };
    await author.prepare((each) => hook(each, both));
    const less = await hook(author, { ...HOOK, matchConditions: [condition('a')] });
    must('the item is as it is applied', less, match.status(200), first('matchConditions', [condition('a')]));
    const none = await hook(author, HOOK);
    must('so is one without the list', none, match.status(200), first('matchConditions', match.empty));
  },
  deployments: async (author: Actor) => {
    const least = deployments.least(author.dialect).spec as JsonObject;
    const template = least.template as JsonObject;
    const env = (...names: readonly string[]) => names.map((name) => ({ name, value: name }));
    const doc = (container: object) => {
      const containers = [{ name: 'a', image: 'a', ...container }];
      return named('doc', { spec: { ...least, template: { ...template, spec: { containers } } } });
    };
    await author.prepare((each) => each.apply(deployments, doc({ env: env('A', 'B'), workingDir: '/x' })));
    const less = await author.apply(deployments, doc({ env: env('A') }));
    const item = 'spec.template.spec.containers.0';
    must('the item is as it is applied', less, match.status(200), match.field(`${item}.env`, env('A')));
    must('and its field is gone', less, match.field(`${item}.workingDir`, match.absent));
  },
  custom: async (author: Actor) => {
    const things = await defineMarked(author, author.dialect, (mark) => ({
      groups: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: TEXT,
            note: TEXT,
            words: { ...TEXTS, ...mark('list-type', 'set') },
            members: {
              type: 'array',
              items: { type: 'object', required: ['id'], properties: { id: TEXT, role: TEXT } },
              ...mark('list-type', 'map'),
              ...mark('list-map-keys', ['id']),
            },
          },
        },
        ...mark('list-type', 'map'),
        ...mark('list-map-keys', ['name']),
      },
    }));
    const member = (id: string) => ({ id, role: id });
    const group = (more: JsonObject) => thing({ groups: [{ name: 'g', ...more }] });
    const whole = group({ note: 'n', words: ['a', 'b'], members: [member('a'), member('b')] });
    await author.prepare((each) => each.apply(things, whole));
    const less = await author.apply(things, group({ words: ['a'], members: [member('a')] }));
    const left = { name: 'g', words: ['a'], members: [member('a')] };
    must('the item is as it is applied', less, match.status(200), match.field('spec.groups', [left]));
  },
} as const;

check(
  'APPLY-REMOVE-03.4',
  'the author no longer applies items of a list within an item, and fields of it → they go',
  clausesOf('APPLY-REMOVE-03', 'nested'),
  ['custom-types'],
  async ({ author }) => {
    for (const [where, look] of Object.entries(NESTED))
      await clause(`APPLY-REMOVE-03/nested/${where}`, () => look(author));
  },
);

/** What an applier no longer applies and an updater wrote too, by where it is: it stays, as it was written. */
interface Left {
  readonly kind: Kind;
  readonly whole: JsonObject;
  readonly less: JsonObject;
  /** What the updater writes, and the places that stay. */
  readonly written: JsonObject;
  readonly kept: readonly string[];
  readonly gone: readonly string[];
}
/** Objects of every shape that is merged part by part. */
const LEFT = {
  'an entry of a map': async () => ({
    kind: configMaps,
    whole: { data: { ours: '1', mine: '1', last: '1' } },
    less: { data: { last: '1' } },
    written: { data: { ours: '2' } },
    kept: ['data.ours'],
    gone: ['data.mine'],
  }),
  'the only entries of a map': async () => ({
    kind: configMaps,
    whole: { data: { ours: '1', mine: '1' } },
    less: {},
    written: { data: { ours: '2' } },
    kept: ['data.ours'],
    gone: ['data.mine'],
  }),
  'labels and annotations': async () => ({
    kind: clusterRoles,
    whole: { metadata: { labels: { ours: '1', mine: '1' }, annotations: { ours: '1', mine: '1' } } },
    less: {},
    written: { metadata: { labels: { ours: '2' }, annotations: { ours: '2' } } },
    kept: ['metadata.labels.ours', 'metadata.annotations.ours'],
    gone: ['metadata.labels.mine', 'metadata.annotations.mine'],
  }),
  'an atomic list': async () => ({
    kind: clusterRoles,
    whole: { rules: [PODS] },
    less: {},
    written: { rules: [PODS, PODS] },
    kept: ['rules.0.verbs.0'],
    gone: [],
  }),
  'items of a set': async () => ({
    kind: clusterRoles,
    whole: { metadata: { finalizers: ['touchstone.example/a', 'touchstone.example/b'] } },
    less: {},
    written: {},
    kept: [],
    gone: ['metadata.finalizers.0', 'metadata.finalizers.1'],
  }),
  'items of a keyed list': async () => ({
    kind: webhookConfigurations,
    whole: { webhooks: [HOOK, { ...HOOK, name: 'two.touchstone.example' }] },
    less: { webhooks: [HOOK] },
    written: {},
    kept: [],
    gone: ['webhooks.1.name'],
  }),
  'a field of an item of a keyed list': async () => ({
    kind: webhookConfigurations,
    whole: { webhooks: [{ ...HOOK, timeoutSeconds: 5, failurePolicy: 'Ignore' }] },
    less: { webhooks: [HOOK] },
    written: { webhooks: [{ ...HOOK, timeoutSeconds: 7, failurePolicy: 'Ignore' }] },
    kept: ['webhooks.0.timeoutSeconds'],
    gone: [],
  }),
  'fields of a custom type': async ({ author }: { author: Actor }) => ({
    kind: await defineMarked(author, author.dialect, () => ({
      text: TEXT,
      more: TEXT,
      map: { type: 'object', additionalProperties: TEXT },
      inner: { type: 'object', properties: { text: TEXT, more: TEXT } },
    })),
    whole: {
      spec: {
        text: 'a',
        more: 'a',
        map: { ours: '1', mine: '1' },
        inner: { text: 'a', more: 'a' },
      },
    },
    less: { spec: {} },
    written: { spec: { text: 'b', map: { ours: '2' }, inner: { text: 'b' } } },
    kept: ['spec.text', 'spec.map.ours', 'spec.inner.text'],
    gone: ['spec.more', 'spec.map.mine', 'spec.inner.more'],
  }),
} as const satisfies Readonly<Record<string, (who: { author: Actor }) => Promise<Left>>>;
const PODS = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

check(
  'APPLY-REMOVE-03.6',
  'the author no longer applies what an updater wrote too, before or after → it stays, answered, stored and told',
  ['APPLY-REMOVE-03', 'APPLY-SHARE-02'],
  ['custom-types'],
  async ({ author, watcher }) => {
    for (const [what, prepare] of Object.entries(LEFT)) {
      const { kind, whole, less, written, kept, gone }: Left = await prepare({ author });
      const doc = (name: string, content: JsonObject) => ({
        ...content,
        metadata: { ...(content.metadata as JsonObject | undefined), name },
      });
      const updater = { fieldManager: 'updater' };
      for (const way of ['merge', 'put', 'post'] as const) {
        const name = `${way}-${Object.keys(LEFT).indexOf(what)}`;
        if (way === 'post') {
          // Who created it has written it first; the same values are applied then, and shared.
          await author.prepare((each) => each.create(kind, doc(name, whole), updater));
          await author.prepare((each) => each.apply(kind, doc(name, whole)));
        } else {
          await author.prepare((each) => each.apply(kind, doc(name, whole)));
          const live = objectIn(await author.get(kind, name));
          const merged = mergedInto(live, written);
          // The updater takes it, and the author shares it by applying the same.
          await author.prepare((each) =>
            way === 'merge' ? each.patch(kind, name, 'merge', written, updater) : each.update(kind, merged, updater),
          );
          await author.prepare((each) => each.apply(kind, doc(name, mergedInto(whole, written))));
        }
        const before = objectIn(await author.get(kind, name));
        const { resourceVersion } = before.metadata;
        const stream = await watcher.watch(kind, {
          resourceVersion,
          fieldSelector: `metadata.name=${before.metadata.name}`,
        });
        const forced = way === 'put' ? { force: true } : {};
        const answer = must('it is taken', await author.apply(kind, doc(name, less), forced), match.status(200));
        const told = must('it is told', await stream.until(match.event('MODIFIED', before.metadata.name)));
        const stored = (await author.get(kind, name)).json;
        const stays = way === 'post' ? [...kept, ...gone] : kept;
        for (const object of [answer.json, stored, told.object]) {
          for (const path of stays) {
            const value = valueAt(before, path.split('.')) as Json;
            must(`${path} of ${what} stays after a ${way}`, object, match.at(path, match.equal(value)));
          }
          if (way === 'post') continue;
          for (const path of gone) must(`${path} goes, which nobody else wrote`, object, match.at(path, match.absent));
        }
      }
    }
  },
);

check(
  'APPLY-REMOVE-04.1',
  'the author applies without fields that they never applied → these stay',
  ['APPLY-REMOVE-04'],
  async ({ author, rival }) => {
    await applied(author, { a: '1' });
    await rival.prepare((each) => patch(each, { b: '1' }));
    // The author wrote it as well, but not by an apply.
    await author.prepare((each) => patch(each, { c: '1' }, { fieldManager: 'author' }));
    const without = await apply(author, {});
    must('only what they applied goes', without, match.status(200), match.field('data', { b: '1', c: '1' }));
  },
);
