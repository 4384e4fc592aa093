import {
  type Actor,
  check,
  clause,
  clausesOf,
  clusterRoles,
  configMaps,
  defineType,
  type JsonObject,
  match,
  must,
  named,
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
