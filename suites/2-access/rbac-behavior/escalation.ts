import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Exchange, Json } from '../../harness/index.ts';
import { type Actor, type Kind, named, type Rule } from '../../harness/index.ts';

const core = (resource: string, ...verbs: readonly string[]): Rule => ({
  verbs,
  apiGroups: [''],
  resources: [resource],
});

/** What the writer of a role holds; whoever writes cluster roles holds {@link HELD_PATHS} too. */
export const HELD: readonly Rule[] = [
  core('configmaps', 'get'),
  { ...core('secrets', 'get'), resourceNames: ['known'] },
];
export const HELD_PATHS: readonly Rule[] = [
  { verbs: ['get'], nonResourceURLs: ['/touchstone/held', '/touchstone/below/*'] },
];

/** Rules that go beyond what the writer holds, each by one step. */
export const BEYOND: Readonly<Record<string, (dialect: Dialect) => readonly Rule[]>> = {
  'another resource': () => [core('services', 'get')],
  'every resource': () => [core('*', 'get')],
  'a subresource': () => [core('configmaps/status', 'get')],
  'another verb': () => [core('configmaps', 'list')],
  'every verb': () => [core('configmaps', '*')],
  'another group': (dialect) => [{ ...core('configmaps', 'get'), apiGroups: [groupName(dialect, 'coordination')] }],
  'every group': () => [{ ...core('configmaps', 'get'), apiGroups: ['*'] }],
  'another name': () => [{ ...core('secrets', 'get'), resourceNames: ['other'] }],
  'one more name': () => [{ ...core('secrets', 'get'), resourceNames: ['known', 'other'] }],
  'any name where one is held': () => [core('secrets', 'get')],
  'one more resource in the rule': () => [{ ...core('configmaps', 'get'), resources: ['configmaps', 'services'] }],
  'one more verb in the rule': () => [core('configmaps', 'get', 'delete')],
  'one more rule': () => [...HELD, core('services', 'get')],
  everything: () => [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
};
/** The same for paths, which cluster roles alone give. */
export const PATHS_BEYOND: Readonly<Record<string, readonly Rule[]>> = Object.fromEntries(
  Object.entries({
    'another path': '/touchstone/other',
    'what lies below a path': '/touchstone/held/*',
    'what begins like a path': '/touchstone/held*',
    'what lies above': '/touchstone/*',
    'every path': '*',
  })
    .map(([what, path]): [string, readonly Rule[]] => [what, [{ verbs: ['get'], nonResourceURLs: [path] }]])
    .concat([
      ['another method', [{ verbs: ['post'], nonResourceURLs: ['/touchstone/held'] }]],
      ['every method', [{ verbs: ['*'], nonResourceURLs: ['/touchstone/held'] }]],
    ]),
);

/** Roles of which the writer holds all. */
export const WITHIN: Readonly<Record<string, readonly Rule[]>> = {
  'no rule': [],
  'the same rules': HELD,
  'one of them': [core('configmaps', 'get')],
  'one name of a type that is held': [{ ...core('configmaps', 'get'), resourceNames: ['any'] }],
};
export const PATHS_WITHIN: Readonly<Record<string, readonly Rule[]>> = {
  'the same paths': HELD_PATHS,
  'a path below one that is held': [{ verbs: ['get'], nonResourceURLs: ['/touchstone/below/this'] }],
};

/** How an object comes to be, under a name that nothing has. */
export const CREATING = {
  POST: (actor: Actor, kind: Kind, name: string, content: object) => actor.create(kind, named(name, { ...content })),
  PUT: (actor: Actor, kind: Kind, name: string, content: object) => actor.update(kind, named(name, { ...content })),
  apply: (actor: Actor, kind: Kind, name: string, content: object) => actor.apply(kind, named(name, { ...content })),
} satisfies Record<string, (actor: Actor, kind: Kind, name: string, content: object) => Promise<Exchange>>;

/** How members of an object that is there are changed. */
export const CHANGING: Readonly<
  Record<string, (actor: Actor, kind: Kind, live: object, name: string, content: object) => Promise<Exchange>>
> = {
  PUT: (actor, kind, live, _, content) => actor.update(kind, { ...live, ...content }),
  'a merge patch': (actor, kind, _, name, content) => actor.patch(kind, name, 'merge', content),
  'a JSON patch': (actor, kind, _, name, content) =>
    actor.patch(
      kind,
      name,
      'json',
      Object.entries(content).map(([member, value]) => ({ op: 'add', path: `/${member}`, value })),
    ),
  'a strategic patch': (actor, kind, _, name, content) => actor.patch(kind, name, 'strategic', content),
  apply: (actor, kind, live, name, content) => {
    const { roleRef } = live as { roleRef?: Json };
    return actor.apply(kind, named(name, { ...(roleRef ? { roleRef } : {}), ...content }), { force: true });
  },
};
