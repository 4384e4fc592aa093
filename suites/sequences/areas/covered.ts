import { type Crossing, covering, endsEarly, type Row } from '../../covering/covering.ts';
import { Dice } from '../../covering/dice.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { type Asking, type CrossedPlace, crossingsOf } from '../crossings.ts';
import type { Sequence, Step, Who } from '../step.ts';
import { collectionOf, type SequenceType, TYPES } from '../types.ts';
import { applying, PARTS } from './applying.ts';
import { CONTENTS, type Contents, isLegal, memberOf, ODD_TEXTS } from './contents.ts';
import { CROSSED, type CrossedGroup, IN_PROTOBUF, PARTIAL, TABLE } from './crossed.ts';
import { defining, PATCH, whole } from './objects.ts';

/** Rows of writes that share two namespaces, and their definitions and rights. */
const TOGETHER = 45;
const HOLD = 'touchstone.example/hold';
const MORE = 'touchstone.example/more';
const THIRD = 'touchstone.example/third';
/** Which objects are of the sequence. */
const OWN = { seq: '{id}' };
const RBAC = 'rbac.authorization.{domain}';

const named = (kind: string): SequenceType => {
  const found = TYPES.find((type) => type.kind === kind);
  if (!found) throw new Error(`there is no type ${kind}`);
  return found;
};
/** The types that are crossed with everything, by what the clauses call them. */
export const COVERED: Readonly<Record<CrossedGroup, readonly SequenceType[]>> = {
  ...CROSSED,
  cluster: [
    ...CROSSED.cluster,
    named('ValidatingWebhookConfiguration'),
    { ...named('Namespace'), subresources: ['status'] },
  ],
};

const contentsOf = ({ kind }: SequenceType): Contents => CONTENTS[kind] as Contents;
const placeOf = (group: CrossedGroup, type: SequenceType): CrossedPlace => ({
  name: type.plural,
  group,
  subresources: type.subresources ?? [],
  custom: type.custom === true,
  namespaced: type.namespaced,
  inProtobuf: IN_PROTOBUF.includes(type.kind),
  alone: type.custom === true || ['Lease', 'Role', 'RoleBinding', 'Ingress'].includes(type.kind),
  isKeyed: type.kind.endsWith('Binding'),
  isLasting: type.kind === 'Namespace',
  legal: contentsOf(type).legal.length,
  illegal: contentsOf(type).illegal.length,
  hasInner: contentsOf(type).inner !== undefined,
  hasFixed: contentsOf(type).fixed !== undefined,
  parts: Object.fromEntries(
    Object.entries(PARTS).flatMap(([part, { kind, values }]) =>
      kind === type.kind ? [[part, Object.keys(values)]] : [],
    ),
  ),
});

const GROUPS = Object.keys(COVERED) as CrossedGroup[];
export const ASKINGS = [
  ...([
    'writes',
    'contents',
    'applies',
    'refusals',
    'removals',
    'sweeps',
    'reads',
    'lists',
    'watches',
    'larges',
    'misplaced',
  ] as const),
] as const;

/** How the crossings of a group are drawn. */
export interface Drawing {
  readonly seed: string;
  /** Whether CBOR is spoken. */
  readonly cbor: boolean;
}

const crossings = new Map<boolean, ReturnType<typeof crossingsOf>>();

/** What a kind of request is crossed with: all groups of types together. The same object each time. */
export function crossingOf(asking: Asking, { cbor }: Pick<Drawing, 'cbor'>): Crossing {
  const places = () => GROUPS.flatMap((group) => COVERED[group].map((type) => placeOf(group, type)));
  const all = crossings.get(cbor) ?? crossingsOf(places(), cbor);
  crossings.set(cbor, all);
  return all[asking];
}

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

/** What of a type is crossed: how it is written, or what is read of it, and how it is refused. */
export const FACETS = ['written', 'shown'] as const;
export type Facet = (typeof FACETS)[number];

/** Whether something of a row is in CBOR, and asked by who may do everything. */
export const isInCbor = ({ form, accept, options, who = 'admin' }: Row): boolean =>
  [form, accept, options].includes('cbor') && who === 'admin';

/**
 * Sequences in which a type meets every combination that the crossings ask of it.
 * @param chosen which of their rows
 */
export function covered(
  type: SequenceType,
  facet: Facet,
  drawing: Drawing,
  chosen: (row: Row) => boolean = () => true,
): readonly Sequence[] {
  const area = `covered/${type.plural}`;
  const of = (asking: Asking) => rowsOf(asking, drawing).filter((row) => row.type === type.plural && chosen(row));
  if (facet === 'shown') {
    return [
      watched(type, of('reads'), of('watches')),
      listed(type, of('lists'), of('sweeps')),
      reading(type, of('larges')),
      misplacing(type, of('misplaced')),
      refusing(type, of('refusals')),
    ].map((steps) => ({ area, steps }));
  }
  const leavesAll = (asking: Asking) => (row: Row) =>
    /^(All|query|body|both)$/.test(row.dryRun ?? '') || endsEarly(row, crossingOf(asking, drawing));
  const changes = [
    ...of('writes').map((row) => ({ row, asked: writing(type, row), leaves: leavesAll('writes')(row) })),
    ...of('contents')
      .map(plainly)
      .map((row) => {
        return { row, asked: writing(type, row), leaves: row.dryRun === 'All' || !isLegal(row.content ?? '') };
      }),
    ...of('removals').map((row) => ({ row, asked: removing(type, row), leaves: leavesAll('removals')(row) })),
  ];
  const count = Math.ceil(changes.length / TOGETHER);
  const together = Array.from({ length: count }, (_, part) => changes.filter((_row, at) => at % count === part));
  return [
    ...together.map((some, at) => ({ area, steps: changing(type, some, at % 2 === 0 ? 'one' : 'all') })),
    { area, steps: sharingParts(type, of('applies')) },
  ];
}

/** A row of contents in which nothing else is unusual. */
const plainly = (row: Row): Row => ({
  ...row,
  sub: 'none',
  accept: 'plain',
  stranger: 'none',
  manager: 'named',
  who: 'admin',
  force: row.verb === 'apply' ? 'yes' : 'no',
  version: row.verb === 'update' ? 'current' : 'none',
});

/** A row that writes or removes. */
interface Change {
  readonly row: Row;
  readonly asked: Asked;
  /** Whether it leaves everything as it is, so that others may be about the same object. */
  readonly leaves: boolean;
}

/** What rows find: an object of their own, or one for all that leave it as it is; all of it watched, and listed at the end. */
function changing(type: SequenceType, changes: readonly Change[], scope: string): readonly Step[] {
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
  const owned: Step = { as: 'admin', method: 'GET', path: `${scopeOf(type, { scope })}?labelSelector=seq%3D{id}` };
  return [
    ...defining(type),
    ...granting(
      type,
      changes.map(({ asked }) => asked.right),
    ),
    { ...owned, path: `${owned.path}&watch=true`, open: true },
    ...[...shared.keys()].flatMap((state) => sharing(type, state)),
    ...asked.flat(),
    owned,
  ];
}

/** An object in a state, of which an older version is kept as well. */
function sharing(type: SequenceType, state: string): Step[] {
  const name = `{id}-${state}`;
  if (state === 'absent' || state === 'former') return preparing(type, name, 'former', { state });
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
  if (who === 'unknown') return { token: UNKNOWN };
  return who === 'stranger' ? { user: '{id}-ann' } : { user: '{id}-ben', groups: [groupOf(right)] };
};
/** A token that no server knows. */
const UNKNOWN = 'known-to-nobody';
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
function preparing(type: SequenceType, name: string, keep: string, row: Row): Step[] {
  const { state, version, says } = row;
  if (state === 'absent') return [];
  if (state === 'former') {
    const gone: Step = { as: 'admin', method: 'DELETE', path: `${collectionOf(type)}/${name}`, unseen: true };
    return [...preparing(type, name, keep, { ...row, state: 'there', version: 'none' }), gone];
  }
  const item = `${collectionOf(type)}/${name}`;
  const { base } = contentsOf(type);
  const held = state === 'held' || state === 'leaving';
  const as = 'admin';
  const post: Step = {
    as,
    method: 'POST',
    path: collectionOf(type),
    headers: AGENT,
    body: {
      ...whole(type, name, base),
      metadata: { ...metadataOf(name), ...(held ? { finalizers: [HOLD, MORE] } : {}) },
    },
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
  const { base } = contentsOf(type);
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
  hollow: { ...NOTHING, metadata: { annotations: {} } },
  nulls: { ...NOTHING, metadata: { annotations: null } },
  odd: { ...NOTHING, annotations: ODD_TEXTS },
  reordered: { ...NOTHING, finalizers: [MORE, HOLD] },
  added: { ...NOTHING, finalizers: [HOLD, MORE, THIRD] },
  'first-off': { ...NOTHING, finalizers: [MORE] },
  'last-off': { ...NOTHING, finalizers: [HOLD] },
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
      // The same once more is another object.
      const again = content === 'generated' ? [step] : [];
      return [...(before.length > 0 ? [inJson] : []), ...reread(row, item, keep, before), step, ...again];
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
  rest: stranger === 'top' ? { stranger: '1' } : stranger === 'several' ? { strangerMore: { deep: '1' } } : {},
});

/** What an apply says: nothing that its creator says otherwise, so that only what was applied by others conflicts. */
const applied = (type: SequenceType, name: string, metadata: JsonObject, contents?: JsonObject): JsonObject => ({
  ...whole(type, name, contents ?? contentsOf(type).base),
  metadata: { name, ...metadata },
});

/** The contents that a row names; undefined where they stay. */
function chosenOf(contents: Contents, said: Said, { content = '', stranger }: Row): JsonObject | undefined {
  if (stranger === 'inner') return contents.inner;
  if (content === 'fixed') return contents.fixed;
  return memberOf(contents, content) ?? (said.contents === undefined ? undefined : contents[said.contents]);
}

function written(type: SequenceType, name: string, keep: string, row: Row): Json {
  const { verb = '', content = '', state = '' } = row;
  const contents = contentsOf(type);
  const said = SAID[content] ?? NOTHING;
  const { metadata, rest } = strangersOf(row);
  const version = versionOf(row, keep);
  if (verb === 'json') return operations(contents, said, version, row, type);
  const chosen = chosenOf(contents, said, row);
  const finalizers = said.finalizers === undefined ? {} : { finalizers: [...said.finalizers] };
  const elsewhere: JsonObject = content === 'elsewhere' ? { namespace: '{ns2}' } : {};
  if (verb === 'merge' || verb === 'strategic') {
    return {
      ...(type.kind.endsWith('Binding') && said.contents !== undefined && row.stranger !== 'inner' ? {} : chosen),
      ...rest,
      metadata: {
        ...(Object.keys(said.labels).length > 0 ? { labels: said.labels } : {}),
        ...(Object.keys(said.annotations).length > 0 ? { annotations: said.annotations } : {}),
        ...(said.finalizers === undefined ? {} : { finalizers: content === 'freed' ? null : [...said.finalizers] }),
        ...said.metadata,
        ...elsewhere,
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
      ...elsewhere,
      ...version,
      ...metadata,
    };
    const isOther = said.contents !== 'other' || row.stranger === 'inner';
    const body = applied(type, name, own, isOther && chosen ? { ...roleRefOf(type), ...chosen } : undefined);
    return { ...body, ...rest };
  }
  if (content === 'list') {
    const items = [{ ...whole(type, name, contents.base), metadata: metadataOf(name) }];
    return { apiVersion: type.apiVersion, kind: `${type.kind}List`, metadata: {}, items };
  }
  const base = metadataOf(name);
  const there =
    state === 'owned' ? { labels: { z: '1' }, annotations: { more: '1' } } : { labels: {}, annotations: {} };
  const texts = (had: unknown, more: JsonObject, change: Said['labels']): JsonObject =>
    Object.fromEntries(
      Object.entries({ ...(had as JsonObject), ...more, ...change }).filter(([, text]) => text !== null),
    ) as JsonObject;
  const held = verb === 'update' && (state === 'held' || state === 'leaving') ? { finalizers: [HOLD, MORE] } : {};
  const named: JsonObject =
    content === 'generated'
      ? { generateName: '{id}-g-' }
      : content === 'elsewhere'
        ? type.namespaced
          ? { name, namespace: '{ns2}' }
          : {}
        : { name };
  return {
    ...whole(type, name, { ...(chosen ? { ...roleRefOf(type), ...chosen } : contents.base), ...rest }),
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
  // A tilde and a one, which no name of an annotation may have.
  tilde: [{ op: 'add', path: '/metadata/annotations/a~01b', value: '1' }],
  take: [{ op: 'remove', path: '/metadata/finalizers/0' }],
  append: [{ op: 'add', path: '/metadata/finalizers/-', value: THIRD }],
  insert: [{ op: 'add', path: '/metadata/finalizers/1', value: THIRD }],
  exchange: [{ op: 'replace', path: '/metadata/finalizers/1', value: THIRD }],
  // The members of an object have no order.
  tested: [
    { op: 'test', path: '/metadata/labels', value: { y: '1', x: '1', ...OWN } },
    { op: 'add', path: '/metadata/labels/w', value: '1' },
  ],
  test: [
    { op: 'add', path: '/metadata/labels/w', value: '1' },
    { op: 'test', path: '/metadata/labels', value: ['nothing', 'like', 'it'] },
  ],
};

function operations(
  contents: Contents,
  said: Said,
  { resourceVersion }: JsonObject,
  row: Row,
  type: SequenceType,
): Json {
  const { stranger, content } = row;
  const change = (member: string, texts: Said['labels']): JsonObject[] =>
    Object.entries(texts).map(([name, value]) =>
      value === null
        ? { op: 'remove', path: `/metadata/${member}/${name}` }
        : { op: 'add', path: `/metadata/${member}/${name}`, value },
    );
  const value = said.contents === 'wrong' ? contents.wrongAt : contents.at;
  const replaced =
    stranger === 'inner' ? contents.inner : said.contents === undefined ? chosenOf(contents, said, row) : undefined;
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
    ...Object.entries(replaced ?? {}).map(([name, inner]) => ({ op: 'add', path: `/${name}`, value: inner as Json })),
    ...(content === 'elsewhere' ? [{ op: 'add', path: '/metadata/namespace', value: '{ns2}' }] : []),
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
  const status = (content === 'typed' ? contentsOf(type).wrongStatus : contentsOf(type).status) ?? {};
  const own: JsonObject = ['same', 'renamed', 'elsewhere'].includes(content)
    ? {}
    : scale
      ? { spec: { replicas: size } }
      : { status };
  const contents = contentsOf(type);
  if (verb === 'json') {
    const operation: JsonObject[] = [
      ...('resourceVersion' in version
        ? [{ op: 'test', path: '/metadata/resourceVersion', value: version.resourceVersion as Json }]
        : []),
      ...(scale ? [{ op: 'add', path: '/spec/replicas', value: size }] : []),
      ...('status' in own ? [{ op: 'add', path: '/status', value: status }] : []),
      ...(content === 'whole' ? [{ op: 'replace', path: contents.pointer, value: contents.at }] : []),
      ...(content === 'renamed' ? [{ op: 'replace', path: '/metadata/name', value: '{id}-other' }] : []),
      ...(content === 'elsewhere' ? [{ op: 'add', path: '/metadata/namespace', value: '{ns2}' }] : []),
      ...('stranger' in rest ? [{ op: 'add', path: '/stranger', value: '1' }] : []),
    ];
    return operation.length > 0 ? operation : [{ op: 'test', path: '/metadata/labels/seq', value: '{id}' }];
  }
  const renamed = content === 'renamed' ? { name: '{id}-other' } : {};
  const metadata = { ...version, ...renamed, ...(content === 'elsewhere' ? { namespace: '{ns2}' } : {}) };
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
  pretty: ['pretty', 'true'],
  timeout: ['timeoutSeconds', 30],
  'odd-limit': ['limit', 'x'],
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
  name: 'labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D{id}-oa',
  'other-names': 'labelSelector=seq%3D{id}&fieldSelector=metadata.name!%3D{id}-oa',
};
const selectedBy = ({ selector = '' }: Row): string => SELECTED[selector] ?? 'labelSelector=seq%3D{id}';

/** Some objects, and lists of them from whose versions watches and lists go on. */
function setting(type: SequenceType): Step[] {
  const post = (name: string, labels: JsonObject, finalizers: readonly string[], namespace = '{ns}'): Step => ({
    as: 'admin',
    method: 'POST',
    path: collectionOf(type, namespace),
    headers: AGENT,
    body: {
      ...whole(type, name, contentsOf(type).base),
      metadata: {
        name,
        labels: { ...OWN, ...labels },
        ...(finalizers.length > 0 ? { finalizers: [...finalizers] } : {}),
      },
    },
    keep: `o${name.slice(-1)}`,
    unseen: true,
  });
  return [
    post('{id}-oa', { x: '1', y: '1' }, []),
    post('{id}-ob', { x: '2' }, []),
    post('{id}-oc', { x: '1' }, []),
    post('{id}-od', { x: '3', y: '1' }, [HOLD]),
    ...going(type, '{id}-od'),
    ...(type.namespaced ? [post('{id}-oe', { x: '1', y: '1' }, [], '{ns2}')] : []),
    ...Object.entries(LISTED).map(
      ([keep, [query, accept]]): Step => ({
        as: 'admin',
        method: 'GET',
        path: `${type.root}/${type.plural}?${query}`,
        ...(accept === undefined ? {} : { headers: { accept } }),
        keep,
      }),
    ),
  ];
}
const going = (type: SequenceType, name: string): Step[] =>
  type.kind === 'Namespace'
    ? []
    : [{ as: 'admin', method: 'DELETE', path: `${collectionOf(type)}/${name}`, unseen: true }];

/** Each of them enters or leaves a selection, changes otherwise, or goes. */
function moving(type: SequenceType): Step[] {
  const patch = (name: string, metadata: JsonObject): Step => ({
    as: 'admin',
    method: 'PATCH',
    path: `${collectionOf(type)}/${name}`,
    headers: { ...AGENT, 'content-type': PATCH.merge },
    body: { metadata },
    unseen: true,
  });
  const [, , last] = setting(type);
  const name = '{id}-of';
  const { body, ...post } = last as Step;
  const more = { ...(body as JsonObject), metadata: { name, labels: { ...OWN, x: '1', y: '1' } } };
  return [
    patch('{id}-oa', { labels: { x: '2', y: null } }),
    patch('{id}-ob', { labels: { x: '1', y: '1' } }),
    patch('{id}-ob', { annotations: { note: 'b' } }),
    ...going(type, '{id}-oc'),
    patch('{id}-od', { finalizers: null }),
    { ...post, body: more, keep: 'of' },
    // What changes nothing is told to nobody.
    patch('{id}-of', { labels: { x: '1' } }),
  ];
}

const rightIn = (row: Row, verb: string): Right => ({ who: row.who ?? '', verb, place: placeIn(row) });

/** Some objects, read, and watched while they change. */
function watched(type: SequenceType, reads: readonly Row[], watches: readonly Row[]): Step[] {
  return [
    ...defining(type),
    ...granting(type, [...reads.map((row) => rightIn(row, 'get')), ...watches.map((row) => rightIn(row, 'watch'))]),
    ...setting(type),
    ...watches.map((row) => watching(type, row, rightIn(row, 'watch'))),
    ...reads.map((row): Step => {
      const right = rightIn(row, 'get');
      const name = { there: '{id}-oa', leaving: '{id}-od' }[row.state ?? ''] ?? '{id}-none';
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
    ...moving(type),
  ];
}

/** Some objects that changed, listed as they are and as they were, and swept away. */
function listed(type: SequenceType, lists: readonly Row[], sweeps: readonly Row[]): Step[] {
  return [
    ...defining(type),
    ...granting(type, [
      ...lists.map((row) => rightIn(row, 'list')),
      ...sweeps.map((row) => rightIn(row, 'deletecollection')),
    ]),
    ...setting(type),
    ...moving(type),
    ...lists.flatMap((row, at) => listing(type, row, rightIn(row, 'list'), at)),
    ...sweeps.flatMap((row, at) => sweeping(type, row, rightIn(row, 'deletecollection'), at)),
  ];
}

/** One large object, by itself and in a list. */
function reading(type: SequenceType, rows: readonly Row[]): Step[] {
  const name = '{id}-l';
  const { base } = contentsOf(type);
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
/** Requests to paths that are not those of an object, beside the one that is meant. */
function misplacing(type: SequenceType, rows: readonly Row[]): Step[] {
  const name = '{id}-m';
  const as = 'admin';
  const { base } = contentsOf(type);
  const post = (namespace: string): Step => ({
    as,
    method: 'POST',
    path: collectionOf(type, namespace),
    headers: AGENT,
    body: { ...whole(type, name, base), metadata: metadataOf(name) },
    keep: 'm',
    unseen: true,
  });
  const seen: Step = { as, method: 'GET', path: `${type.root}/${type.plural}?labelSelector=seq%3D{id}` };
  return [
    ...defining(type),
    ...(type.namespaced ? [post('default')] : []),
    post('{ns}'),
    ...rows.flatMap((row) => [
      misplaced(type, name, row),
      ...(row.verb === 'get' || row.dryRun === 'All' ? [] : [seen]),
    ]),
  ];
}

/** A type of which a path does not lead to one of another scope. */
function misplaced(type: SequenceType, name: string, row: Row): Step {
  const { where = '', verb = '' } = row;
  const { root, plural, namespaced } = type;
  const within = namespaced ? '/namespaces/{ns}' : '';
  const collections: Readonly<Record<string, string>> = {
    'other-scope': namespaced ? `${root}/${plural}` : `${root}/namespaces/{ns}/${plural}`,
    'other-version': `${root.replace(/\/[^/]+$/, '/v9')}${within}/${plural}`,
    'other-group': `/apis/none.example/v1${within}/${plural}`,
    'other-type': `${root}${within}/${plural}s`,
    'sub-of-all': `${root}${within}/${plural}/status`,
  };
  const own = collectionOf(type);
  const collection = collections[where] ?? own;
  const isOfAll = ['list', 'watch', 'create', 'deletecollection'].includes(verb);
  const item = where === 'sub-of-all' ? collection : `${collection}/${name}${where === 'other-sub' ? '/other' : ''}`;
  // What is for one object goes to all, and the other way round.
  const path = (where === 'swapped' ? !isOfAll : isOfAll) ? collection : item;
  const method = { create: 'POST', update: 'PUT', delete: 'DELETE', deletecollection: 'DELETE' }[verb];
  const { labels, annotations } = SAID.change as Said;
  const change = { metadata: { ...metadataOf(name), labels: { ...OWN, ...labels }, annotations } };
  const object = { ...whole(type, name, contentsOf(type).base), ...change };
  const bodies: Readonly<Record<string, Json>> = {
    create: where === 'other-scope' || where === 'swapped' ? { ...object, metadata: metadataOf('{id}-n') } : object,
    update: { ...object, metadata: { ...object.metadata, resourceVersion: '<<m.metadata.resourceVersion>>' } },
    json: [{ op: 'add', path: '/metadata/labels/z', value: '2' }],
    merge: change,
    strategic: change,
    apply: { ...object, metadata: { ...change.metadata, name } },
  };
  const body = bodies[verb];
  const isDeletion = verb === 'delete' || verb === 'deletecollection';
  return {
    as: row.who === 'unknown' ? { token: UNKNOWN } : 'admin',
    method: method ?? (PATCHED.has(verb) ? 'PATCH' : 'GET'),
    path: withQuery(path, [
      row.dryRun === 'All' && 'dryRun=All',
      verb === 'apply' && 'fieldManager=ann&force=true',
      verb === 'watch' && 'watch=true',
      (verb === 'list' || verb === 'watch' || isDeletion) && path === collection && 'labelSelector=seq%3D{id}',
    ]),
    headers: { ...acceptOf(row), ...patchType(row) },
    ...(body === undefined ? {} : { body }),
    ...(verb === 'watch' ? { open: true } : {}),
    // What is left is seen in the list that follows.
    unseen: true,
  };
}

/** Parts that several managers apply, one object for each row. */
function sharingParts(type: SequenceType, rows: readonly Row[]): Step[] {
  return [...defining(type), ...rows.flatMap((row, at) => applying(type, row, at))];
}

/** Writes with flaws, by those who may not even write what is right. */
function refusing(type: SequenceType, rows: readonly Row[]): Step[] {
  const name = '{id}-r';
  const rightOf = ({ verb = '', who = '' }: Row): Right => ({
    who,
    verb: PATCHED.has(verb) ? 'patch' : verb,
    place: type.plural,
  });
  const plain = { sub: 'none', form: 'json', accept: 'plain', dryRun: 'none', fields: 'none', version: 'none' };
  const asked = rows.map((row): Step => {
    const { verb = '', flaw = '' } = row;
    const said = ['typed', 'kind', 'elsewhere', 'renamed'].includes(flaw) ? flaw : 'change';
    const [step] = writing(type, {
      ...plain,
      ...row,
      content: said,
      stranger: flaw === 'stranger' ? 'top' : 'none',
      ...(flaw === 'stranger' ? { fields: 'Strict' } : flaw === 'fields' ? { fields: 'Loose' } : {}),
      dryRun: flaw === 'dryRun' ? 'Some' : 'none',
      accept: flaw === 'accept' ? 'none' : 'plain',
      manager: 'named',
      force: verb === 'apply' ? 'yes' : 'no',
      version: flaw === 'stale' ? 'stale' : 'none',
    }).steps(flaw === 'absent' ? '{id}-none' : name, 'old');
    const { body, ...rest } = step as Step;
    if (flaw === 'no-object') return { ...rest, body: 'x', unseen: true };
    if (flaw === 'garbled') return { ...rest, headers: typed(rest, 'application/json'), text: '{"a":', unseen: true };
    const headers = flaw === 'form' ? { ...rest.headers, 'content-type': 'application/x-none' } : rest.headers;
    return { ...rest, ...(headers ? { headers } : {}), body: body as Json, unseen: true };
  });
  const item = `${collectionOf(type)}/${name}`;
  return [
    ...defining(type),
    ...granting(type, rows.map(rightOf)),
    ...preparing(type, name, 'old', { state: 'there', version: 'stale' }),
    ...asked,
    { as: 'admin', method: 'GET', path: item },
  ];
}
/** Headers of a step with a content type where it has none. */
const typed = ({ headers }: Step, type: string): Record<string, string> => ({ 'content-type': type, ...headers });

/** Times of a word that make more than 128 KiB. */
const LARGE = 25_000;

const scopeOf = (type: SequenceType, { scope }: Row): string =>
  scope === 'all' ? `${type.root}/${type.plural}` : collectionOf(type);

/** Lists from whose version watches go on, by the name under which each is kept. */
const LISTED: Readonly<Record<string, readonly [query: string, accept?: string]>> = {
  'list-of-name': ['labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D{id}-oa'],
  'list-of-nothing': ['labelSelector=seq%3D{id},x%3Dnone'],
  'list-as-table': ['labelSelector=seq%3D{id}', TABLE],
  chunk: ['labelSelector=seq%3D{id}&limit=1'],
  list: ['labelSelector=seq%3D{id}'],
};

function watching(type: SequenceType, row: Row, right: Right): Step {
  const from: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(
      Object.keys(LISTED).map((keep) => [keep, [`resourceVersion=<<${keep}.metadata.resourceVersion>>`]]),
    ),
    zero: ['resourceVersion=0'],
    'initial-at': [
      'sendInitialEvents=true',
      'resourceVersionMatch=NotOlderThan',
      'resourceVersion=<<list.metadata.resourceVersion>>',
    ],
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
      row.bookmarks === 'declined' && 'allowWatchBookmarks=false',
    ]),
    headers: acceptOf(row),
    open: true,
  };
}

function listing(type: SequenceType, row: Row, right: Right, at: number): Step[] {
  const listed = 'resourceVersion=<<list.metadata.resourceVersion>>';
  const version: Readonly<Record<string, readonly string[]>> = {
    zero: ['resourceVersion=0'],
    at: [listed],
    exact: [listed, 'resourceVersionMatch=Exact'],
    'not-older': [listed, 'resourceVersionMatch=NotOlderThan'],
    'not-older-than-zero': ['resourceVersion=0', 'resourceVersionMatch=NotOlderThan'],
    'exact-of-none': ['resourceVersionMatch=Exact'],
    'exact-of-zero': ['resourceVersion=0', 'resourceVersionMatch=Exact'],
    'not-older-than-none': ['resourceVersionMatch=NotOlderThan'],
  };
  const { limit, selector } = row;
  const step = (parts: readonly string[]): Step => ({
    as: asking(right),
    method: 'GET',
    path: withQuery(scopeOf(type, row), [...(selector === 'any' ? [] : [selectedBy(row)]), ...parts]),
    headers: acceptOf(row, 'PartialObjectMetadataList'),
  });
  const asked = version[row.version ?? ''] ?? [];
  if (limit === 'none') return [step(asked)];
  const next = 'continue=<<page.metadata.continue>>';
  const page: Step = { ...step(['limit=1', ...asked]), keep: 'page' };
  if (limit === 'walk-at') return [page, step(['limit=1', next, listed])];
  // Where the first chunk is refused there is no token.
  if (row.version?.includes('-of-') || row.version === 'not-older-than-none') return [page];
  // What comes and goes in between is not seen by later chunks.
  const [first, later] = [`{id}-w${at}`, `{id}-v${at}`];
  const make = (name: string): Step => ({
    as: 'admin',
    method: 'POST',
    path: collectionOf(type),
    headers: AGENT,
    body: { ...whole(type, name, contentsOf(type).base), metadata: { name, labels: { ...OWN, x: '1', y: '1' } } },
    unseen: true,
  });
  const take = (name: string): Step => ({
    as: 'admin',
    method: 'DELETE',
    path: `${collectionOf(type)}/${name}`,
    unseen: true,
  });
  const rest: Step = { ...step(['limit=1', next]), gathers: 'page' };
  if (contentsOf(type) === CONTENTS.Namespace) return [page, rest];
  return [make(first), page, take(first), make(later), rest, take(later)];
}

function sweeping(type: SequenceType, row: Row, right: Right, at: number): Step[] {
  const name = `{id}-s${at}`;
  const { query, body } = optionsOf(row, '');
  const label = `s${at}`;
  const selected: Readonly<Record<string, string>> = {
    equal: `labelSelector=sweep%3D${label}`,
    in: `labelSelector=sweep+in+(${label})`,
    exists: `labelSelector=${label}`,
    name: `fieldSelector=metadata.name%3D${name}`,
    both: `labelSelector=seq%3D{id}&fieldSelector=metadata.name%3D${name}`,
  };
  const held = row.state === 'held' ? { finalizers: [HOLD] } : {};
  return [
    {
      as: 'admin',
      method: 'POST',
      path: collectionOf(type),
      headers: AGENT,
      body: {
        ...whole(type, name, contentsOf(type).base),
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
