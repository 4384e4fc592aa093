import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { defining, PATCH, whole } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { CONTENTS } from './contents.ts';

/** One part of objects of a type that several managers apply, with what it may be, by what is done to it. */
export interface Part {
  /** The kind of the objects. */
  readonly kind: string;
  /** An object with a value in the part. */
  readonly with: (value: Json) => JsonObject;
  /** What it is at first, and what it may become. */
  readonly base: Json;
  readonly values: Readonly<Partial<Record<Becoming, Json>>>;
}
/** What an apply makes of a part. */
export type Becoming = 'same' | 'grown' | 'shrunk' | 'changed' | 'reordered' | 'emptied' | 'another';
export const BECOMING = ['same', 'grown', 'shrunk', 'changed', 'reordered', 'emptied', 'another'] as const;

const inSpec =
  (name: string) =>
  (value: Json): JsonObject => ({ spec: { [name]: value } });
const widget = (name: string, base: Json, values: Part['values']): Part => ({
  kind: 'Widget',
  with: inSpec(name),
  base,
  values: { same: base, ...values },
});
const listed = (base: readonly Json[], other: Json, changed: readonly Json[]): Pick<Part, 'base' | 'values'> => ({
  base: [...base],
  values: {
    same: [...base],
    grown: [...base, other],
    shrunk: base.slice(0, 1),
    changed: [...changed],
    reordered: [...base].reverse(),
    emptied: [],
    another: [other],
  },
});
const mapped: Pick<Part, 'base' | 'values'> = {
  base: { a: '1', b: '1' },
  values: {
    same: { a: '1', b: '1' },
    grown: { a: '1', b: '1', c: '1' },
    shrunk: { a: '1' },
    changed: { a: '2', b: '1' },
    emptied: {},
    another: { c: '1' },
  },
};
const structs: Pick<Part, 'base' | 'values'> = {
  base: { kind: '1' },
  values: { same: { kind: '1' }, grown: { kind: '1', name: '1' }, changed: { kind: '2' }, another: { name: '1' } },
};
const user = (name: string): JsonObject => ({ kind: 'User', name, apiGroup: 'rbac.authorization.{domain}' });
const bound = (kind: string): Part => ({
  kind,
  with: (subjects) => ({ ...CONTENTS[kind]?.base, subjects }),
  ...listed([user('ann'), user('ben')], user('cem'), [user('ann'), user('eve')]),
});
const rule = (verb: string): JsonObject => ({ apiGroups: [''], resources: ['pods'], verbs: [verb] });
const hook = (name: string, more: JsonObject = {}): JsonObject => ({
  name: `${name}.seq.example`,
  clientConfig: { url: 'https://hook.invalid/x' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  ...more,
});
const condition = (name: string, expression = 'true'): JsonObject => ({ name, expression });
const inHook =
  (member: string) =>
  (value: Json): JsonObject => ({ webhooks: [hook('a', { [member]: value })] });
const configuration = (member: string, parts: Pick<Part, 'base' | 'values'>): Part => ({
  kind: 'ValidatingWebhookConfiguration',
  with: inHook(member),
  ...parts,
});
const never = (operation: string): JsonObject => ({
  apiGroups: ['none.example'],
  apiVersions: ['v1'],
  operations: [operation],
  resources: ['things'],
  // What a default makes of an atomic list that is applied is open.
  scope: '*',
});

/** By name: one of each marker, built in and custom. */
export const PARTS: Readonly<Record<string, Part>> = {
  scalar: widget('note', '1', { changed: '2' }),
  defaulted: widget('size', 2, { changed: 3, another: 1 }),
  'atomic-map': { ...widget('whole', '', {}), ...mapped },
  'granular-map': { ...widget('map', '', {}), ...mapped },
  'atomic-struct': { ...widget('ref', '', {}), ...structs },
  struct: {
    ...widget('struct', '', {}),
    base: { a: '1' },
    values: { same: { a: '1' }, grown: { a: '1', b: '1' }, changed: { a: '2' }, another: { b: '1' } },
  },
  'atomic-list': { ...widget('plain', '', {}), ...listed(['x', 'y'], 'z', ['x', 'w']) },
  set: { ...widget('tags', '', {}), ...listed(['x', 'y'], 'z', ['x', 'w']) },
  'keyed-list': {
    ...widget('items', '', {}),
    ...listed([{ name: 'x', value: '1' }, { name: 'y' }], { name: 'z' }, [{ name: 'x', value: '2' }, { name: 'y' }]),
  },
  'two-keys': {
    ...widget('ports', '', {}),
    ...listed(
      [
        { port: 1, name: '1' },
        { port: 1, protocol: 'UDP' },
      ],
      { port: 2 },
      [
        { port: 1, name: '2' },
        { port: 1, protocol: 'UDP' },
      ],
    ),
  },
  'set-in-list': {
    ...widget('items', '', {}),
    with: (tags) => ({ spec: { items: [{ name: 'x', tags }] } }),
    ...listed(['x', 'y'], 'z', ['x', 'w']),
  },
  'set-in-atomic': {
    ...widget('deep', '', {}),
    with: (tags) => ({ spec: { deep: [{ tags }] } }),
    ...listed(['x', 'y'], 'z', ['x', 'w']),
  },
  labels: { kind: 'ConfigMap', with: (labels) => ({ metadata: { labels } }), ...mapped },
  data: { kind: 'ConfigMap', with: (data) => ({ data }), ...mapped },
  rules: {
    kind: 'ClusterRole',
    with: (rules) => ({ rules }),
    ...listed([rule('get'), rule('list')], rule('watch'), [rule('get'), rule('patch')]),
  },
  subjects: bound('ClusterRoleBinding'),
  'subjects-of-role': bound('RoleBinding'),
  webhooks: {
    kind: 'ValidatingWebhookConfiguration',
    with: (webhooks) => ({ webhooks }),
    ...listed([hook('a'), hook('b')], hook('c'), [hook('a', { timeoutSeconds: 3 }), hook('b')]),
  },
  'rules-of-hook': configuration(
    'rules',
    listed([never('CREATE'), never('UPDATE')], never('DELETE'), [never('CREATE')]),
  ),
  conditions: configuration(
    'matchConditions',
    listed([condition('x'), condition('y')], condition('z'), [condition('x', 'false'), condition('y')]),
  ),
  timeout: configuration('timeoutSeconds', { base: 5, values: { same: 5, changed: 6 } }),
};

/** Parts that several managers apply, one object for each row. */
export function sharingParts(type: SequenceType, rows: readonly Row[]): readonly Step[] {
  return [...defining(type), ...rows.flatMap((row, at) => applying(type, row, at))];
}

/** What becomes of a part that several managers apply: each apply is looked at, and what the others may do afterwards. */
function applying(type: SequenceType, row: Row, at: number): readonly Step[] {
  const { part = '', owner = '', becomes = '', force, form, dryRun } = row;
  const { with: withValue, base, values } = PARTS[part] as Part;
  const name = `{id}-p${at}`;
  const item = `${collectionOf(type)}/${name}`;
  const labels = { seq: '{id}' };
  const object = (value: Json | undefined): JsonObject => {
    const content = value === undefined ? keptOf(type) : withValue(value);
    const metadata = { name, ...(content.metadata as JsonObject | undefined) };
    return { ...whole(type, name, { ...keptOf(type), ...content }), metadata };
  };
  const apply = (manager: string, value: Json | undefined, more: Partial<Step> = {}, query = ''): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: `${item}?fieldManager=${manager}${query}`,
    headers: { 'content-type': form === 'cbor' ? 'application/apply-patch+cbor' : PATCH.apply },
    body: object(value),
    ...(form === 'yaml' || form === 'cbor' ? { form } : {}),
    ...more,
  });
  const created: Step = {
    as: 'admin',
    method: 'POST',
    path: `${collectionOf(type)}?fieldManager=tool`,
    body: withLabels(object(owner === 'none' || owner === 'own' || owner === 'applied' ? undefined : base), labels),
    unseen: true,
  };
  const unseen = { unseen: true } as const;
  const before: Readonly<Record<string, readonly Step[]>> = {
    none: [],
    updated: [],
    own: [apply('ann', base, unseen)],
    applied: [apply('ben', base, unseen)],
    shared: [apply('ben', base, unseen), apply('ann', base, unseen)],
  };
  const query = `${force === 'yes' ? '&force=true' : ''}${dryRun === 'All' ? '&dryRun=All' : ''}`;
  return [
    created,
    ...(before[owner] ?? []),
    apply('ann', becomes === 'left' ? undefined : values[becomes as Becoming], {}, query),
    // Who owns what shows in what others may do now.
    apply('ben', values.changed),
    apply('ann', undefined),
  ];
}

/** What no object of a type may be without. */
function keptOf({ kind }: SequenceType): JsonObject {
  const { roleRef } = CONTENTS[kind]?.base ?? {};
  return roleRef === undefined ? {} : { roleRef };
}
function withLabels(object: JsonObject, labels: JsonObject): JsonObject {
  const metadata = object.metadata as JsonObject;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...(metadata.labels as JsonObject | undefined), ...labels } },
  };
}
