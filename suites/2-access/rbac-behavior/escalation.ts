import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type {
  CHANGES,
  Creation,
  HELD_OTHERWISE,
  PATH_STEPS,
  PATHS_HELD,
  STEPS,
} from '../../../fixtures/ledger/index.ts';
import type { Exchange, Json } from '../../harness/index.ts';
import { type Actor, type GrantedRule, type Kind, named } from '../../harness/index.ts';

const core = (resource: string, ...verbs: readonly string[]): GrantedRule => ({
  verbs,
  apiGroups: [''],
  resources: [resource],
});

/** What the writer of a role holds; whoever writes cluster roles holds {@link HELD_PATHS} too. */
export const HELD: readonly GrantedRule[] = [
  core('configmaps', 'get'),
  { ...core('secrets', 'get'), resourceNames: ['known'] },
];
export const HELD_PATHS: readonly GrantedRule[] = [
  { verbs: ['get'], nonResourceURLs: ['/touchstone/held', '/touchstone/below/*'] },
];

/** Rules that go beyond what the writer holds, each by one step. */
export const BEYOND: Readonly<Record<(typeof STEPS)[number], (dialect: Dialect) => readonly GrantedRule[]>> = {
  'another-resource': () => [core('services', 'get')],
  'every-resource': () => [core('*', 'get')],
  'a-subresource': () => [core('configmaps/status', 'get')],
  'another-verb': () => [core('configmaps', 'list')],
  'every-verb': () => [core('configmaps', '*')],
  'another-group': (dialect) => [{ ...core('configmaps', 'get'), apiGroups: [groupName(dialect, 'coordination')] }],
  'every-group': () => [{ ...core('configmaps', 'get'), apiGroups: ['*'] }],
  'another-name': () => [{ ...core('secrets', 'get'), resourceNames: ['other'] }],
  'one-more-name': () => [{ ...core('secrets', 'get'), resourceNames: ['known', 'other'] }],
  'any-name': () => [core('secrets', 'get')],
  'one-more-resource': () => [{ ...core('configmaps', 'get'), resources: ['configmaps', 'services'] }],
  'one-more-verb': () => [core('configmaps', 'get', 'delete')],
  'one-more-rule': () => [...HELD, core('services', 'get')],
  'a-rule-before': () => [core('services', 'get'), ...HELD],
  everything: () => [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
};
const path = (url: string, verb = 'get'): readonly GrantedRule[] => [{ verbs: [verb], nonResourceURLs: [url] }];
/** The same for paths, which cluster roles alone give. */
export const PATHS_BEYOND: Readonly<Record<(typeof PATH_STEPS)[number], readonly GrantedRule[]>> = {
  'another-path': path('/touchstone/other'),
  'below-a-path': path('/touchstone/held/*'),
  'beginning-like-a-path': path('/touchstone/held*'),
  'above-a-path': path('/touchstone/*'),
  'every-path': path('*'),
  'another-method': path('/touchstone/held', 'post'),
  'every-method': path('/touchstone/held', '*'),
  'a-path-beside-resources': [...HELD, ...path('/touchstone/beside')],
  'a-resource-beside-paths': [...HELD_PATHS, core('endpoints', 'get')],
};

/** Roles of which the writer holds all. */
export const WITHIN: Readonly<Record<string, readonly GrantedRule[]>> = {
  'no rule': [],
  'the same rules': HELD,
  'one of them': [core('configmaps', 'get')],
  'one name of a type that is held': [{ ...core('configmaps', 'get'), resourceNames: ['any'] }],
};
export const PATHS_WITHIN: Readonly<Record<string, readonly GrantedRule[]>> = {
  'the same paths': HELD_PATHS,
  'a path below one that is held': [{ verbs: ['get'], nonResourceURLs: ['/touchstone/below/this'] }],
};

const numbered = (word: string): string[] => Array.from({ length: 20 }, (_, index) => `${word}-${index}`);
const OF_MANY_TYPES = {
  ...core('configmaps', 'get', 'watch', 'update', 'patch'),
  resources: ['configmaps', ...numbered('touchstones')],
};
const OF_MANY_NAMES = {
  ...core('secrets', 'get', 'watch', 'update', 'patch'),
  resourceNames: ['known', ...numbered('known')],
};
/** What the writer of a role holds by two rules of 84 permissions each: {@link HELD}, and nothing of {@link BEYOND}. */
export const HELD_BY_WIDE_RULES: readonly GrantedRule[] = [OF_MANY_TYPES, OF_MANY_NAMES];
/** These rules, changed so that they go beyond themselves. */
export const WIDE_BEYOND: Readonly<Partial<typeof BEYOND>> = {
  'another-resource': () => [{ ...OF_MANY_TYPES, resources: [...numbered('touchstones'), 'services'] }],
  'every-resource': () => [{ ...OF_MANY_NAMES, resources: ['*'] }],
  'another-verb': () => [{ ...OF_MANY_NAMES, verbs: ['list'] }],
  'every-verb': () => [{ ...OF_MANY_TYPES, verbs: ['*'] }],
  'another-group': (dialect) => [{ ...OF_MANY_NAMES, apiGroups: [groupName(dialect, 'coordination')] }],
  'another-name': () => [{ ...OF_MANY_NAMES, resourceNames: [...numbered('known'), 'other'] }],
  'one-more-name': () => [{ ...OF_MANY_NAMES, resourceNames: [...OF_MANY_NAMES.resourceNames, 'other'] }],
  'any-name': () => [core('secrets', ...OF_MANY_NAMES.verbs)],
  'one-more-resource': () => [{ ...OF_MANY_TYPES, resources: [...OF_MANY_TYPES.resources, 'services'] }],
  'one-more-verb': () => [{ ...OF_MANY_TYPES, verbs: [...OF_MANY_TYPES.verbs, 'delete'] }],
};
/** Roles of which the writer holds all by rules of many permissions. */
export const WITHIN_WIDE_RULES: Readonly<Record<string, readonly GrantedRule[]>> = {
  ...WITHIN,
  'the wide rules': HELD_BY_WIDE_RULES,
  'some of their names': [{ ...OF_MANY_NAMES, resourceNames: numbered('known').slice(3, 7) }],
  'some of their types': [{ ...OF_MANY_TYPES, resources: numbered('touchstones').slice(3, 7) }],
  'many names of a type that is held': [{ ...core('configmaps', 'patch'), resourceNames: numbered('any') }],
};

type Rules = readonly GrantedRule[];
/** The rules of each role that gives somebody something, what is in that and what is not. */
interface Holding {
  readonly roles: readonly Rules[];
  readonly within: readonly Rules[];
  readonly beyond: readonly Rules[];
}
/** Holdings that are no list of what they give. */
export const HOLDINGS: Readonly<
  Record<(typeof HELD_OTHERWISE)[number] | 'by-everything' | 'by-a-longer-word', Holding>
> = {
  'by-every-verb': {
    roles: [[core('configmaps', '*')]],
    within: [[core('configmaps', 'get', 'deletecollection')], [core('configmaps', '*')]],
    beyond: [[core('services', 'get')], [core('configmaps/status', 'get')], [core('*', '*')]],
  },
  'by-every-resource': {
    roles: [[core('*', 'get')]],
    within: [[core('services', 'get'), core('configmaps/status', 'get')], [core('*', 'get')]],
    beyond: [[core('services', 'list')], [{ ...core('services', 'get'), apiGroups: ['apps'] }], [core('*', '*')]],
  },
  'by-every-group': {
    roles: [[{ ...core('configmaps', 'get'), apiGroups: ['*'] }]],
    within: [
      [{ ...core('configmaps', 'get'), apiGroups: ['', 'apps'] }],
      [{ ...core('configmaps', 'get'), apiGroups: ['*'] }],
    ],
    beyond: [[{ ...core('services', 'get'), apiGroups: ['apps'] }], [{ ...core('*', 'get'), apiGroups: ['*'] }]],
  },
  'by-everything': {
    roles: [[{ ...core('*', '*'), apiGroups: ['*'] }]],
    within: [
      [{ ...core('services', 'get', 'list'), apiGroups: ['', 'apps'] }],
      [{ ...core('secrets', '*'), resourceNames: ['any'] }],
      [{ ...core('*', '*'), apiGroups: ['*'] }],
    ],
    beyond: [],
  },
  'by-several-rules': {
    roles: [[core('limitranges', 'get'), core('limitranges', 'list'), core('events', 'get')]],
    within: [[core('limitranges', 'get', 'list')], [{ ...core('', 'get'), resources: ['limitranges', 'events'] }]],
    beyond: [[{ ...core('', 'get', 'list'), resources: ['limitranges', 'events'] }]],
  },
  'by-several-names': {
    roles: [['first', 'second'].map((name) => ({ ...core('secrets', 'get'), resourceNames: [name] }))],
    within: [[{ ...core('secrets', 'get'), resourceNames: ['second', 'first'] }]],
    beyond: [[{ ...core('secrets', 'get'), resourceNames: ['first', 'third'] }], [core('secrets', 'get')]],
  },
  'by-several-roles': {
    roles: [[core('resourcequotas', 'get')], [core('resourcequotas', 'list'), core('endpoints', 'get')]],
    within: [[core('resourcequotas', 'get', 'list'), core('endpoints', 'get')]],
    beyond: [[core('resourcequotas', 'get'), core('endpoints', 'list')]],
  },
  'by-a-longer-word': {
    roles: [[core('config*', 'get'), core('services', 'ge*'), { ...core('events', 'get'), apiGroups: ['ap*'] }]],
    within: [],
    beyond: [
      [core('configmaps', 'get')],
      [core('services', 'get')],
      [{ ...core('events', 'get'), apiGroups: ['apps'] }],
    ],
  },
};
/** The same of paths. */
export const PATH_HOLDINGS: Readonly<Record<(typeof PATHS_HELD)[number], Holding>> = {
  'by-a-path': {
    roles: [path('/touchstone/plain')],
    within: [path('/touchstone/plain')],
    beyond: [path('/touchstone/plain', 'post'), path('/touchstone/plain/below'), path('/touchstone')],
  },
  'by-every-method': {
    roles: [path('/touchstone/any', '*')],
    within: [path('/touchstone/any'), path('/touchstone/any', 'delete'), path('/touchstone/any', '*')],
    beyond: [path('/touchstone/any/below'), path('*', '*')],
  },
};

type Writes = (actor: Actor, kind: Kind, name: string, content: object) => Promise<Exchange>;

/** How an object comes to be, under a name that nothing has. */
export const CREATING: Readonly<Record<Creation, Writes>> = {
  post: (actor, kind, name, content) => actor.create(kind, named(name, { ...content })),
  'put-anew': (actor, kind, name, content) => actor.update(kind, named(name, { ...content })),
  'apply-anew': (actor, kind, name, content) => actor.apply(kind, named(name, { ...content })),
};

/** How members of an object that is there are changed. */
export const CHANGING: Readonly<
  Record<
    (typeof CHANGES)[number],
    (actor: Actor, kind: Kind, live: object, name: string, content: object) => Promise<Exchange>
  >
> = {
  put: (actor, kind, live, _, content) => actor.update(kind, { ...live, ...content }),
  json: (actor, kind, _, name, content) =>
    actor.patch(
      kind,
      name,
      'json',
      Object.entries(content).map(([member, value]) => ({ op: 'add', path: `/${member}`, value })),
    ),
  merge: (actor, kind, _, name, content) => actor.patch(kind, name, 'merge', content),
  strategic: (actor, kind, _, name, content) => actor.patch(kind, name, 'strategic', content),
  apply: (actor, kind, live, name, content) => {
    const { roleRef } = live as { roleRef?: Json };
    return actor.apply(kind, named(name, { ...(roleRef ? { roleRef } : {}), ...content }), { force: true });
  },
};

/** The entries of a table whose keys are the words of clauses. */
export function rowsOf<Key extends string, Row>(table: Readonly<Partial<Record<Key, Row>>>): [Key, Row][] {
  return Object.entries(table) as [Key, Row][];
}
