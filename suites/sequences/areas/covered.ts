import type { Json, JsonObject } from '../../harness/json.ts';
import { type Crossing, covering, endsEarly, type Row } from '../covering.ts';
import { type Asking, type CrossedPlace, crossingsOf } from '../crossings.ts';
import { Dice } from '../dice.ts';
import type { Sequence, Step, Who } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { CROSSED, type CrossedGroup, type CrossedType, IN_PROTOBUF, PARTIAL, TABLE } from './crossed.ts';
import { defining, PATCH, whole } from './objects.ts';

/** Rows of writes that share two namespaces, and their definitions and rights. */
const TOGETHER = 45;
const HOLD = 'touchstone.example/hold';
const MORE = 'touchstone.example/more';
/** Which objects are of the sequence. */
const OWN = { seq: '{id}' };
const RBAC = 'rbac.authorization.{domain}';

/** What an object of a type holds, what it may hold instead, and what is of the wrong type. */
interface Contents {
  readonly base: JsonObject;
  readonly other: JsonObject;
  readonly wrong: JsonObject;
  /** Where a JSON patch finds what differs, and the two values of it. */
  readonly pointer: string;
  readonly at: Json;
  readonly wrongAt: Json;
}
const member = (outer: string, name: string, [base, other, wrong]: readonly [Json, Json, Json]): Contents => ({
  base: { [outer]: { [name]: base } },
  other: { [outer]: { [name]: other } },
  wrong: { [outer]: { [name]: wrong } },
  pointer: `/${outer}/${name}`,
  at: other,
  wrongAt: wrong,
});
const rules = (verb: string): JsonObject => ({
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: [verb] }],
});
const role: Contents = {
  base: rules('get'),
  other: rules('list'),
  wrong: { rules: 'x' },
  pointer: '/rules/0/verbs',
  at: ['list'],
  wrongAt: 'x',
};
const bound = (kind: string): Contents => {
  const roleRef = { kind, name: '{id}-none', apiGroup: RBAC };
  const to = (name: string): JsonObject => ({ roleRef, subjects: [{ kind: 'User', name, apiGroup: RBAC }] });
  return {
    base: to('ann'),
    other: to('ben'),
    wrong: { roleRef, subjects: 'x' },
    pointer: '/subjects/0/name',
    at: 'ben',
    wrongAt: 7,
  };
};
const CONTENTS: Readonly<Record<string, Contents>> = {
  ConfigMap: member('data', 'a', ['1', '2', 7]),
  Secret: member('data', 'a', ['MQ==', 'Mg==', 7]),
  Lease: member('spec', 'holderIdentity', ['1', '2', 7]),
  ServiceAccount: {
    base: { automountServiceAccountToken: true },
    other: { automountServiceAccountToken: false },
    wrong: { automountServiceAccountToken: 'yes' },
    pointer: '/automountServiceAccountToken',
    at: false,
    wrongAt: 'yes',
  },
  Role: role,
  ClusterRole: role,
  RoleBinding: bound('Role'),
  ClusterRoleBinding: bound('ClusterRole'),
  Ingress: {
    ...member('spec', 'ingressClassName', ['one', 'two', 7]),
    base: { spec: { ingressClassName: 'one', defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
    other: { spec: { ingressClassName: 'two', defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  },
  Widget: member('spec', 'note', ['1', '2', 7]),
  Planet: member('spec', 'note', ['1', '2', 7]),
};

const placeOf = (group: CrossedGroup, type: SequenceType): CrossedPlace => ({
  name: type.plural,
  group,
  subresources: type.subresources ?? [],
  custom: type.custom === true,
  namespaced: type.namespaced,
  inProtobuf: IN_PROTOBUF.includes(type.kind),
  alone: type.custom === true || ['Lease', 'Role', 'RoleBinding', 'Ingress'].includes(type.kind),
  isKeyed: type.kind.endsWith('Binding'),
});

const GROUPS = Object.keys(CROSSED) as CrossedGroup[];
export const ASKINGS = ['writes', 'removals', 'sweeps', 'reads', 'lists', 'watches', 'larges'] as const;

/** How the crossings of a group are drawn. */
export interface Drawing {
  readonly seed: string;
  /** Whether CBOR is spoken. */
  readonly cbor: boolean;
}

/** What a kind of request is crossed with: all groups of types together. */
export const crossingOf = (asking: Asking, { cbor }: Pick<Drawing, 'cbor'>): Crossing =>
  crossingsOf(
    GROUPS.flatMap((group) => CROSSED[group].map((type) => placeOf(group, type))),
    cbor,
  )[asking];

/** Rows that were computed, as the checks of all types share them. */
const computed = new Map<string, readonly Row[]>();

/** All rows of one kind of request. */
export function rowsOf(asking: Asking, drawing: Drawing): readonly Row[] {
  const key = `${asking} ${drawing.seed} ${drawing.cbor}`;
  const dice = new Dice(drawing.seed, 9_000 + ASKINGS.indexOf(asking));
  const rows = computed.get(key) ?? covering(crossingOf(asking, drawing), dice);
  computed.set(key, rows);
  return rows;
}

/** Sequences in which a type meets every combination that the crossings ask of it. */
export function covered(type: CrossedType, drawing: Drawing): readonly Sequence[] {
  const area = `covered/${type.plural}`;
  const of = (asking: Asking) => rowsOf(asking, drawing).filter((row) => row.type === type.plural);
  const leavesAll = (asking: Asking) => (row: Row) =>
    /^(All|query|body|both)$/.test(row.dryRun ?? '') || endsEarly(row, crossingOf(asking, drawing));
  const changes = [
    ...of('writes').map((row) => ({ row, asked: writing(type, row), leaves: leavesAll('writes')(row) })),
    ...of('removals').map((row) => ({ row, asked: removing(type, row), leaves: leavesAll('removals')(row) })),
  ];
  const count = Math.ceil(changes.length / TOGETHER);
  const together = Array.from({ length: count }, (_, part) => changes.filter((_row, at) => at % count === part));
  return [
    { area, steps: looking(type, of('reads'), of('lists'), of('watches'), of('sweeps')) },
    { area, steps: reading(type, of('larges')) },
    ...together.map((some) => ({ area, steps: changing(type, some) })),
  ];
}

/** A row that writes or removes. */
interface Change {
  readonly row: Row;
  readonly asked: Asked;
  /** Whether it leaves everything as it is, so that others may be about the same object. */
  readonly leaves: boolean;
}

/** What rows find: an object of their own, or one for all that leave it as it is. */
function changing(type: SequenceType, changes: readonly Change[]): readonly Step[] {
  const shared = new Map<string, Row>();
  const asked = changes.map(({ row, asked, leaves }, at) => {
    if (!leaves || asked.before !== undefined) {
      const [name, keep] = [`{id}-${at}`, `k${at}`];
      return [...preparing(type, name, keep, row), ...asked.steps(name, keep)];
    }
    const { state = '' } = row;
    const old = row.version === 'stale' || row.says === 'stale';
    shared.set(state, row);
    return asked.steps(`{id}-${state}`, old ? `old-${state}` : `k-${state}`);
  });
  return [
    ...defining(type),
    ...granting(
      type,
      changes.map(({ asked }) => asked.right),
    ),
    ...[...shared.keys()].flatMap((state) => sharing(type, state)),
    ...asked.flat(),
  ];
}

/** An object in a state, of which an older version is kept as well. */
function sharing(type: SequenceType, state: string): Step[] {
  if (state === 'absent') return [];
  const name = `{id}-${state}`;
  const read: Step = { as: 'admin', method: 'GET', path: `${collectionOf(type)}/${name}`, keep: `k-${state}` };
  return [...preparing(type, name, `old-${state}`, { state, version: 'stale' }), read];
}

/** The right that a row is about, and what it asks of the object of a name, what is kept of it by another. */
interface Asked {
  readonly right: Right;
  /** What comes before it, of an object of its own. */
  readonly before?: 'apply';
  readonly steps: (name: string, keep: string) => readonly Step[];
}
interface Right {
  readonly who: string;
  readonly verb: string;
  readonly place: string;
}

const placeIn = ({ type = '', sub = 'none' }: Row): string => (sub === 'none' ? type : `${type}/${sub}`);
const subOf = (place: string): string => place.split('/')[1] ?? '';
const groupOf = ({ who, verb, place }: Right): string => `{id}-${who}-${verb}${subOf(place)}`;
const asking = (right: Right): Who => {
  const { who } = right;
  if (who === 'admin' || who === 'nobody') return who;
  return who === 'stranger' ? { user: '{id}-ann' } : { user: '{id}-ben', groups: [groupOf(right)] };
};
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Gives groups the rights that rows are about, once each. */
function granting(type: SequenceType, rights: readonly Right[]): Step[] {
  const needed = new Map(
    rights.filter(({ who }) => ['only', 'but', 'beside'].includes(who)).map((right) => [groupOf(right), right]),
  );
  const post = (plural: string, kind: string, name: string, rest: JsonObject): Step => ({
    as: 'admin',
    method: 'POST',
    path: `/apis/${RBAC}/v1/${plural}`,
    body: { apiVersion: `${RBAC}/v1`, kind, metadata: { name }, ...rest },
    unseen: true,
  });
  const apiGroups = [type.apiVersion.includes('/') ? (type.apiVersion.split('/')[0] as string) : ''];
  return [...needed].flatMap(([name, { who, verb, place }]) => {
    const verbs = who === 'but' ? VERBS.filter((each) => each !== verb) : [verb];
    const beside = place.includes('/') ? type.plural : `${type.plural}/status`;
    const resources = [who === 'beside' ? beside : place];
    return [
      post('clusterroles', 'ClusterRole', name, { rules: [{ apiGroups, resources, verbs }] }),
      post('clusterrolebindings', 'ClusterRoleBinding', name, {
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
        subjects: [{ apiGroup: RBAC, kind: 'Group', name }],
      }),
    ];
  });
}

const ACCEPT: Readonly<Record<string, string>> = {
  yaml: 'application/yaml',
  cbor: 'application/cbor',
  protobuf: 'application/vnd.{vendor}.protobuf',
  // What there is not is passed over, and what is wanted less as well.
  second: 'application/x-none, application/yaml',
  weighed: 'application/json;q=0.5,application/yaml;q=0.9',
  table: TABLE,
  'table-second': `application/x-none, ${TABLE}`,
  none: 'application/x-none',
};
const acceptOf = ({ accept = '' }: Row, partial = 'PartialObjectMetadata'): Record<string, string> => {
  const type = accept.startsWith('partial')
    ? PARTIAL(partial).replace('application/json', ACCEPT[accept.slice('partial-'.length)] ?? 'application/json')
    : ACCEPT[accept];
  return type === undefined ? {} : { accept: type };
};
const formed = ({ form, options }: Row): Pick<Step, 'form'> => {
  const written = form ?? options;
  return written === 'yaml' || written === 'cbor' || written === 'protobuf' ? { form: written } : {};
};
const withQuery = (path: string, parts: readonly (string | false)[]): string => {
  const all = parts.filter((part) => part !== false);
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
};
const AGENT = { 'user-agent': 'tool/1.2 (x)' };

/** How an object comes into the state in which a row finds it. */
function preparing(type: SequenceType, name: string, keep: string, { state, version, says }: Row): Step[] {
  if (state === 'absent') return [];
  const item = `${collectionOf(type)}/${name}`;
  const { base } = CONTENTS[type.kind] as Contents;
  const held = state === 'held' || state === 'leaving';
  const as = 'admin';
  const post: Step = {
    as,
    method: 'POST',
    path: collectionOf(type),
    headers: AGENT,
    body: { ...whole(type, name, base), metadata: { ...metadataOf(name), ...(held ? { finalizers: [HOLD] } : {}) } },
    keep,
    unseen: true,
  };
  const patch = (metadata: JsonObject): Step => ({
    as,
    method: 'PATCH',
    path: item,
    headers: { ...AGENT, 'content-type': PATCH.merge },
    body: { metadata },
    unseen: true,
  });
  const steps: Step[] = [post];
  if (state === 'owned') {
    steps.push({
      as,
      method: 'PATCH',
      path: `${item}?fieldManager=cem&force=true`,
      headers: { 'content-type': PATCH.apply },
      body: {
        ...whole(type, name, roleRefOf(type)),
        metadata: { name, labels: { z: '1' }, annotations: { more: '1' } },
      },
      unseen: true,
    });
  }
  if (state === 'leaving') steps.push({ as, method: 'DELETE', path: item, unseen: true });
  const moved = state === 'owned' || state === 'leaving';
  if (version === 'stale' || says === 'stale') steps.push(patch({ labels: { moved: '1' } }));
  else if (moved && (version === 'current' || says === 'version')) steps.push({ as, method: 'GET', path: item, keep });
  return steps;
}
const metadataOf = (name: string): JsonObject => ({
  name,
  labels: { ...OWN, x: '1', y: '1' },
  annotations: { note: 'a' },
});
/** What no object of a type may be without, where it creates. */
const roleRefOf = (type: SequenceType): JsonObject => {
  const { base } = CONTENTS[type.kind] as Contents;
  return type.kind.endsWith('Binding') ? { roleRef: base.roleRef as Json } : {};
};

/** What a row of writes says, whatever it is written by. */
interface Said {
  /** Labels, annotations and finalizers that are set; null where one is taken away. */
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
  readonly finalizers?: readonly string[];
  /** Other metadata. */
  readonly metadata: JsonObject;
  /** Of the contents: which of them; none where they stay. */
  readonly contents?: 'other' | 'wrong';
}
const NOTHING: Said = { labels: {}, annotations: {}, metadata: {} };
const SAID: Readonly<Record<string, Said>> = {
  change: { ...NOTHING, labels: { z: '2' }, annotations: { more: '2' }, contents: 'other' },
  same: NOTHING,
  removal: { ...NOTHING, labels: { y: null }, annotations: { note: null } },
  empty: { ...NOTHING, labels: { z: '' }, annotations: { more: '' } },
  finalizers: { ...NOTHING, finalizers: [MORE, HOLD] },
  freed: { ...NOTHING, finalizers: [] },
  born: { ...NOTHING, metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } },
  dying: { ...NOTHING, metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } },
  cleared: { ...NOTHING, metadata: { managedFields: [{}] } },
  typed: { ...NOTHING, contents: 'wrong' },
  renamed: { ...NOTHING, metadata: { name: '{id}-other' } },
};
const OTHER_KIND = 'Other';

/** A write in the state, with the parameters and in the encoding that a row names. */
const writing = (type: SequenceType, row: Row): Asked => {
  const { verb = '', content = '' } = row;
  const place = placeIn(row);
  const right = { who: row.who ?? '', verb: PATCHED.has(verb) ? 'patch' : verb, place };
  return {
    right,
    ...(verb === 'apply' && (content === 'same' || content === 'removal') ? { before: 'apply' } : {}),
    steps: (name, keep) => {
      const item = `${collectionOf(type)}/${name}`;
      const sub = subOf(place);
      const query = [
        row.dryRun !== 'none' && `dryRun=${row.dryRun}`,
        row.fields !== 'none' && `fieldValidation=${row.fields}`,
        row.manager === 'named' && 'fieldManager=ann',
        row.force === 'yes' && 'force=true',
      ];
      const target = verb === 'create' ? collectionOf(type) : sub === '' ? item : `${item}/${sub}`;
      const step: Step = {
        as: asking(right),
        method: verb === 'create' ? 'POST' : verb === 'update' ? 'PUT' : 'PATCH',
        path: withQuery(target, query),
        headers: { ...AGENT, ...acceptOf(row), ...patchType(row) },
        body: sub === '' ? written(type, name, keep, row) : throughSub(type, name, keep, row),
        ...formed(row),
      };
      const before: Step[] =
        verb === 'apply' && (content === 'same' || content === 'removal')
          ? [
              {
                ...step,
                as: 'admin',
                path: `${item}?fieldManager=ann&force=true`,
                headers: { 'content-type': PATCH.apply },
                body: applied(type, name, content === 'removal' ? { labels: { w: '1' } } : {}),
                unseen: true,
              },
            ]
          : [];
      const { form: _, ...inJson } = before[0] ?? step;
      return [...(before.length > 0 ? [inJson] : []), ...reread(row, item, keep, before), step];
    },
  };
};
/** The version is read again where the object was applied to in between. */
const reread = ({ version }: Row, item: string, keep: string, before: readonly Step[]): Step[] =>
  before.length > 0 && version === 'current' ? [{ as: 'admin', method: 'GET', path: item, keep }] : [];

const PATCHED: ReadonlySet<string> = new Set(['json', 'merge', 'strategic', 'apply']);
const patchType = ({ verb = '', form }: Row): Record<string, string> => {
  if (verb === 'apply' && form === 'cbor') return { 'content-type': 'application/apply-patch+cbor' };
  return PATCHED.has(verb) ? { 'content-type': PATCH[verb as keyof typeof PATCH] } : {};
};

const versionOf = ({ version }: Row, keep: string): JsonObject =>
  version === 'none' ? {} : { resourceVersion: `<<${keep}.metadata.resourceVersion>>` };

const strangersOf = ({ stranger }: Row): { readonly metadata: JsonObject; readonly rest: JsonObject } => ({
  metadata: stranger === 'metadata' || stranger === 'several' ? { stranger: '1' } : {},
  rest: stranger === 'top' ? { stranger: '1' } : stranger === 'several' ? { stranger: { deep: '1' } } : {},
});

/** What an apply says: nothing that its creator says otherwise, so that only what was applied by others conflicts. */
const applied = (type: SequenceType, name: string, metadata: JsonObject, contents?: JsonObject): JsonObject => ({
  ...whole(type, name, contents ?? (CONTENTS[type.kind] as Contents).base),
  metadata: { name, ...metadata },
});

function written(type: SequenceType, name: string, keep: string, row: Row): Json {
  const { verb = '', content = '', state = '' } = row;
  const contents = CONTENTS[type.kind] as Contents;
  const said = SAID[content] ?? NOTHING;
  const { metadata, rest } = strangersOf(row);
  const version = versionOf(row, keep);
  if (verb === 'json') return operations(contents, said, version, row, type);
  const chosen = said.contents === undefined ? undefined : contents[said.contents];
  const finalizers = said.finalizers === undefined ? {} : { finalizers: [...said.finalizers] };
  if (verb === 'merge' || verb === 'strategic') {
    return {
      ...(type.kind.endsWith('Binding') ? {} : chosen),
      ...rest,
      metadata: {
        ...(Object.keys(said.labels).length > 0 ? { labels: said.labels } : {}),
        ...(Object.keys(said.annotations).length > 0 ? { annotations: said.annotations } : {}),
        ...(said.finalizers === undefined ? {} : { finalizers: content === 'freed' ? null : [...said.finalizers] }),
        ...said.metadata,
        ...version,
        ...metadata,
      },
    };
  }
  if (verb === 'apply') {
    const set = (texts: Said['labels']) =>
      Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
    const own = {
      ...(content === 'same' || content === 'removal' ? {} : { labels: { ...set(said.labels), ...OWN } }),
      ...(Object.keys(set(said.annotations)).length > 0 ? { annotations: set(said.annotations) } : {}),
      ...finalizers,
      ...said.metadata,
      ...version,
      ...metadata,
    };
    const body = applied(type, name, own, said.contents === 'wrong' ? contents.wrong : undefined);
    return { ...body, ...rest };
  }
  const base = metadataOf(name);
  const there =
    state === 'owned' ? { labels: { z: '1' }, annotations: { more: '1' } } : { labels: {}, annotations: {} };
  const texts = (had: unknown, more: JsonObject, change: Said['labels']): JsonObject =>
    Object.fromEntries(
      Object.entries({ ...(had as JsonObject), ...more, ...change }).filter(([, text]) => text !== null),
    ) as JsonObject;
  const held = verb === 'update' && (state === 'held' || state === 'leaving') ? { finalizers: [HOLD] } : {};
  const named: JsonObject =
    content === 'generated'
      ? { generateName: '{id}-g-' }
      : content === 'elsewhere'
        ? type.namespaced
          ? { name, namespace: '{ns2}' }
          : {}
        : { name };
  return {
    ...whole(type, name, { ...(chosen ?? contents.base), ...rest }),
    ...(content === 'kind' ? { kind: OTHER_KIND } : {}),
    metadata: {
      ...named,
      labels: texts(base.labels, there.labels, said.labels),
      annotations: texts(base.annotations, there.annotations, said.annotations),
      ...held,
      ...finalizers,
      ...said.metadata,
      ...version,
      ...metadata,
    },
  };
}

/** What only a JSON patch can say. */
const POINTED: Readonly<Record<string, readonly JsonObject[]>> = {
  copy: [{ op: 'copy', from: '/metadata/labels/x', path: '/metadata/labels/w' }],
  move: [{ op: 'move', from: '/metadata/labels/x', path: '/metadata/labels/w' }],
  escape: [{ op: 'add', path: '/metadata/annotations/a~1b', value: '1' }],
  test: [
    { op: 'add', path: '/metadata/labels/w', value: '1' },
    { op: 'test', path: '/metadata/labels', value: ['nothing', 'like', 'it'] },
  ],
};

function operations(
  contents: Contents,
  said: Said,
  { resourceVersion }: JsonObject,
  { stranger, content }: Row,
  type: SequenceType,
): Json {
  const change = (member: string, texts: Said['labels']): JsonObject[] =>
    Object.entries(texts).map(([name, value]) =>
      value === null
        ? { op: 'remove', path: `/metadata/${member}/${name}` }
        : { op: 'add', path: `/metadata/${member}/${name}`, value },
    );
  const value = said.contents === 'wrong' ? contents.wrongAt : contents.at;
  const all: JsonObject[] = [
    ...(resourceVersion === undefined
      ? []
      : [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion as Json }]),
    ...change('labels', said.labels),
    ...change('annotations', said.annotations),
    ...(said.finalizers === undefined
      ? []
      : [{ op: 'add', path: '/metadata/finalizers', value: [...said.finalizers] }]),
    ...Object.entries(said.metadata).map(([name, inner]) => ({
      op: 'add',
      path: `/metadata/${name}`,
      value: inner as Json,
    })),
    ...(said.contents === undefined || type.kind.endsWith('Binding')
      ? []
      : [{ op: 'replace', path: contents.pointer, value }]),
    ...(stranger === 'top' ? [{ op: 'add', path: '/stranger', value: '1' }] : []),
  ];
  all.push(...(POINTED[content ?? ''] ?? []));
  if (content === 'same' || all.length === 0)
    return [...all, { op: 'test', path: '/metadata/labels/seq', value: '{id}' }];
  return all;
}

/** A write of a subresource: what is its own, and where a row says so what is not. */
function throughSub(type: SequenceType, name: string, keep: string, row: Row): Json {
  const { verb = '', sub, content = '' } = row;
  const version = versionOf(row, keep);
  const { rest } = strangersOf(row);
  const scale = sub === 'scale';
  const size: Json = content === 'typed' ? 'x' : 2;
  const status: JsonObject = type.custom
    ? { size }
    : { loadBalancer: content === 'typed' ? 'x' : { ingress: [{ ip: '10.0.0.2' }] } };
  const own: JsonObject =
    content === 'same' ? {} : content === 'renamed' ? {} : scale ? { spec: { replicas: size } } : { status };
  const contents = CONTENTS[type.kind] as Contents;
  if (verb === 'json') {
    const operation: JsonObject[] = [
      ...('resourceVersion' in version
        ? [{ op: 'test', path: '/metadata/resourceVersion', value: version.resourceVersion as Json }]
        : []),
      ...(scale ? [{ op: 'add', path: '/spec/replicas', value: size }] : []),
      ...('status' in own ? [{ op: 'add', path: '/status', value: status }] : []),
      ...(content === 'whole' ? [{ op: 'replace', path: contents.pointer, value: contents.at }] : []),
      ...(content === 'renamed' ? [{ op: 'replace', path: '/metadata/name', value: '{id}-other' }] : []),
      ...('stranger' in rest ? [{ op: 'add', path: '/stranger', value: '1' }] : []),
    ];
    return operation.length > 0 ? operation : [{ op: 'test', path: '/metadata/labels/seq', value: '{id}' }];
  }
  const renamed = content === 'renamed' ? { name: '{id}-other' } : {};
  const metadata = { ...version, ...renamed };
  if (verb === 'merge' || verb === 'strategic') {
    const more = content === 'whole' ? contents.other : {};
    return { ...own, ...more, ...rest, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
  }
  if (verb === 'apply') return { ...whole(type, name, { ...own, ...rest }), metadata: { name, ...metadata } };
  if (scale) {
    const within = type.namespaced ? { namespace: '{ns}' } : {};
    return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, ...within, ...metadata }, ...own };
  }
  const { base, other } = contents;
  return {
    ...whole(type, name, { ...(content === 'whole' ? other : base), ...own, ...rest }),
    metadata: { ...metadataOf(name), ...metadata },
  };
}

/** Options of a deletion, in its query or its body. */
function optionsOf(row: Row, keep: string): { readonly query: readonly (string | false)[]; readonly body?: Json } {
  const { options, dryRun, more = '', says } = row;
  const inBody = options !== 'none';
  const [name, value] = MORE_OPTIONS[more] ?? [];
  const query = [
    (dryRun === 'query' || dryRun === 'both') && 'dryRun=All',
    dryRun === 'query-Some' && 'dryRun=Some',
    !inBody && name !== undefined && `${name}=${value}`,
  ];
  if (!inBody) return { query };
  const preconditions: JsonObject | undefined = {
    uid: { uid: `<<${keep}.metadata.uid>>` },
    version: { resourceVersion: `<<${keep}.metadata.resourceVersion>>` },
    stale: { resourceVersion: `<<${keep}.metadata.resourceVersion>>` },
    'other-uid': { uid: '11111111-2222-3333-4444-555555555555' },
  }[says ?? ''];
  return {
    query,
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(preconditions ? { preconditions } : {}),
      ...(dryRun === 'body' || dryRun === 'both' ? { dryRun: ['All'] } : {}),
      ...(dryRun === 'body-Some' ? { dryRun: ['Some'] } : {}),
      ...(name === undefined ? {} : { [name]: value as Json }),
    },
  };
}
const MORE_OPTIONS: Readonly<Record<string, readonly [string, Json]>> = {
  Background: ['propagationPolicy', 'Background'],
  Orphan: ['propagationPolicy', 'Orphan'],
  grace: ['gracePeriodSeconds', 0],
  'no-policy': ['propagationPolicy', 'Never'],
  'no-grace': ['gracePeriodSeconds', 'soon'],
};

const removing = (type: SequenceType, row: Row): Asked => {
  const right = { who: row.who ?? '', verb: 'delete', place: placeIn(row) };
  return {
    right,
    steps: (name, keep) => {
      const { query, body } = optionsOf(row, keep);
      return [
        {
          as: asking(right),
          method: 'DELETE',
          path: withQuery(`${collectionOf(type)}/${name}`, query),
          headers: { ...AGENT, ...acceptOf(row) },
          ...(body === undefined ? {} : { body, ...formed(row) }),
        },
      ];
    },
  };
};

const SELECTED: Readonly<Record<string, string>> = {
  equal: 'labelSelector=seq%3D{id},x%3D1',
  unequal: 'labelSelector=seq%3D{id},x!%3D1',
  in: 'labelSelector=seq%3D{id},x+in+(1,2)',
  notin: 'labelSelector=seq%3D{id},x+notin+(1)',
  exists: 'labelSelector=seq%3D{id},y',
  missing: 'labelSelector=seq%3D{id},!y',
  name: 'labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D{id}-a',
  'other-names': 'labelSelector=seq%3D{id}&fieldSelector=metadata.name!%3D{id}-a',
};
const selectedBy = ({ selector = '' }: Row): string => SELECTED[selector] ?? 'labelSelector=seq%3D{id}';

/** Some objects, read, listed and watched while they change, and swept away. */
function looking(
  type: SequenceType,
  reads: readonly Row[],
  lists: readonly Row[],
  watches: readonly Row[],
  sweeps: readonly Row[],
): Step[] {
  const as = 'admin';
  const { base } = CONTENTS[type.kind] as Contents;
  const rightOf = (row: Row, verb: string): Right => ({ who: row.who ?? '', verb, place: placeIn(row) });
  const post = (name: string, labels: JsonObject, finalizers: readonly string[], namespace = '{ns}'): Step => ({
    as,
    method: 'POST',
    path: collectionOf(type, namespace),
    headers: AGENT,
    body: {
      ...whole(type, name, base),
      metadata: {
        name,
        labels: { ...OWN, ...labels },
        ...(finalizers.length > 0 ? { finalizers: [...finalizers] } : {}),
      },
    },
    keep: `o${name.slice(-1)}`,
    unseen: true,
  });
  const patch = (name: string, metadata: JsonObject): Step => ({
    as,
    method: 'PATCH',
    path: `${collectionOf(type)}/${name}`,
    headers: { ...AGENT, 'content-type': PATCH.merge },
    body: { metadata },
    unseen: true,
  });
  const list = (path: string): Step => ({ as, method: 'GET', path: `${path}?labelSelector=seq%3D{id}`, keep: 'list' });
  const everywhere = `${type.root}/${type.plural}`;
  return [
    ...defining(type),
    ...granting(type, [
      ...reads.map((row) => rightOf(row, 'get')),
      ...lists.map((row) => rightOf(row, 'list')),
      ...watches.map((row) => rightOf(row, 'watch')),
      ...sweeps.map((row) => rightOf(row, 'deletecollection')),
    ]),
    post('{id}-a', { x: '1', y: '1' }, []),
    post('{id}-b', { x: '2' }, []),
    post('{id}-c', { x: '1' }, []),
    post('{id}-d', { x: '3', y: '1' }, [HOLD]),
    { as, method: 'DELETE', path: `${collectionOf(type)}/{id}-d`, unseen: true },
    ...(type.namespaced ? [post('{id}-e', { x: '1', y: '1' }, [], '{ns2}')] : []),
    list(everywhere),
    ...watches.map((row) => watching(type, row, rightOf(row, 'watch'))),
    ...reads.map((row): Step => {
      const right = rightOf(row, 'get');
      const name = { there: '{id}-a', leaving: '{id}-d' }[row.state ?? ''] ?? '{id}-none';
      const sub = subOf(placeIn(row));
      return {
        as: asking(right),
        method: 'GET',
        path: withQuery(`${collectionOf(type)}/${name}${sub === '' ? '' : `/${sub}`}`, [
          row.version === 'current' && `resourceVersion=<<o${name.slice(-1)}.metadata.resourceVersion>>`,
        ]),
        headers: acceptOf(row),
      };
    }),
    // Each object enters or leaves a selection, changes otherwise, or goes.
    patch('{id}-a', { labels: { x: '2', y: null } }),
    patch('{id}-b', { labels: { x: '1', y: '1' } }),
    patch('{id}-b', { annotations: { note: 'b' } }),
    { as, method: 'DELETE', path: `${collectionOf(type)}/{id}-c`, unseen: true },
    patch('{id}-d', { finalizers: null }),
    post('{id}-f', { x: '1', y: '1' }, []),
    ...lists.flatMap((row) => listing(type, row, rightOf(row, 'list'))),
    ...sweeps.flatMap((row, at) => sweeping(type, row, rightOf(row, 'deletecollection'), at)),
  ];
}

/** One large object, by itself and in a list. */
function reading(type: SequenceType, rows: readonly Row[]): Step[] {
  const name = '{id}-l';
  const { base } = CONTENTS[type.kind] as Contents;
  const encodings: Readonly<Record<string, string>> = { gzip: 'gzip', 'no-gzip': 'gzip;q=0' };
  return [
    ...defining(type),
    {
      as: 'admin',
      method: 'POST',
      path: collectionOf(type),
      headers: AGENT,
      body: {
        ...whole(type, name, base),
        metadata: { name, labels: OWN, annotations: { large: 'large '.repeat(LARGE) } },
      },
      unseen: true,
    },
    ...rows.map((row): Step => {
      const encoding = encodings[row.encoding ?? ''];
      const list = row.verb === 'list';
      return {
        as: 'admin',
        method: 'GET',
        path: list ? `${scopeOf(type, row)}?labelSelector=seq%3D{id}` : `${collectionOf(type)}/${name}`,
        headers: {
          ...acceptOf(row, list ? 'PartialObjectMetadataList' : undefined),
          ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
        },
      };
    }),
  ];
}
/** Times of a word that make more than 128 KiB. */
const LARGE = 25_000;

const scopeOf = (type: SequenceType, { scope }: Row): string =>
  scope === 'all' ? `${type.root}/${type.plural}` : collectionOf(type);

function watching(type: SequenceType, row: Row, right: Right): Step {
  const from: Readonly<Record<string, readonly string[]>> = {
    list: ['resourceVersion=<<list.metadata.resourceVersion>>'],
    object: ['resourceVersion=<<ob.metadata.resourceVersion>>'],
    initial: ['sendInitialEvents=true', 'resourceVersionMatch=NotOlderThan'],
    'initial-of-none': ['sendInitialEvents=true'],
  };
  return {
    as: asking(right),
    method: 'GET',
    path: withQuery(scopeOf(type, row), [
      'watch=true',
      selectedBy(row),
      ...(from[row.from ?? ''] ?? []),
      row.bookmarks === 'yes' && 'allowWatchBookmarks=true',
    ]),
    headers: acceptOf(row),
    open: true,
  };
}

function listing(type: SequenceType, row: Row, right: Right): Step[] {
  const version: Readonly<Record<string, readonly string[]>> = {
    exact: ['resourceVersion=<<list.metadata.resourceVersion>>', 'resourceVersionMatch=Exact'],
    'not-older': ['resourceVersion=<<list.metadata.resourceVersion>>', 'resourceVersionMatch=NotOlderThan'],
    'exact-of-none': ['resourceVersionMatch=Exact'],
    'not-older-than-none': ['resourceVersionMatch=NotOlderThan'],
  };
  const walk = row.limit === 'walk';
  const step = (parts: readonly string[]): Step => ({
    as: asking(right),
    method: 'GET',
    path: withQuery(scopeOf(type, row), parts),
    headers: acceptOf(row, 'PartialObjectMetadataList'),
  });
  const at = version[row.version ?? ''] ?? [];
  if (!walk) return [step([selectedBy(row), ...at])];
  const next = 'continue=<<page.metadata.continue>>';
  const page = (parts: readonly string[]): Step => ({ ...step(['limit=1', ...parts]), keep: 'page' });
  // Where the first chunk is refused there is no token.
  const refused = row.version?.endsWith('none') && row.version !== 'none';
  return refused ? [page(at)] : [page(at), page([next])];
}

function sweeping(type: SequenceType, row: Row, right: Right, at: number): Step[] {
  const name = `{id}-s${at}`;
  const { query, body } = optionsOf(row, '');
  const label = `s${at}`;
  const selected: Readonly<Record<string, string>> = {
    equal: `labelSelector=sweep%3D${label}`,
    in: `labelSelector=sweep+in+(${label})`,
    exists: `labelSelector=${label}`,
    name: `labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D${name}`,
  };
  const held = row.state === 'held' ? { finalizers: [HOLD] } : {};
  return [
    {
      as: 'admin',
      method: 'POST',
      path: collectionOf(type),
      headers: AGENT,
      body: {
        ...whole(type, name, (CONTENTS[type.kind] as Contents).base),
        metadata: { name, labels: { ...OWN, sweep: label, [label]: '1' }, ...held },
      },
      unseen: true,
    },
    {
      as: asking(right),
      method: 'DELETE',
      path: withQuery(collectionOf(type), [selected[row.selector ?? ''] ?? '', ...query]),
      headers: { ...AGENT, ...acceptOf(row) },
      ...(body === undefined ? {} : { body, ...formed(row) }),
    },
  ];
}
