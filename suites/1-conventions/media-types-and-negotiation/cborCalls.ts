import {
  type Actor,
  type ApiObject,
  cborBody,
  type Exchange,
  type Kind,
  named,
  PATCH_TYPES,
} from '../../harness/index.ts';

const CBOR = 'application/cbor';
const JSON_TYPE = 'application/json';

/** Where a call goes, from what it is about. */
interface About {
  /** An object, its collection, and that of all namespaces. */
  readonly item: string;
  readonly collection: string;
  readonly everywhere: string;
  /** What selects the object alone. */
  readonly only: string;
  readonly live: ApiObject;
  /** What may be applied to the object, and what may be created beside it. */
  readonly applied: object;
  readonly fresh: object;
}

/** A request that leaves everything as it is. */
interface CborCall {
  readonly what: string;
  /** Whether the answer is asked for in CBOR; else in JSON, and the body alone is CBOR. */
  readonly answered: boolean;
  readonly isWatch?: true;
  readonly send: (actor: Actor) => Promise<Exchange>;
}

type Row = readonly [
  what: string,
  method: string,
  path: (about: About) => string,
  body?: readonly [type: string, content: (about: About) => object],
];

const OPTIONS = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] };
const labelled = () => ({ metadata: { labels: { mine: 'yes' } } });

/** Every verb, with the body that it has. */
const VERBS: readonly Row[] = [
  ['a GET', 'GET', ({ item }) => item],
  ['a list', 'GET', ({ collection, only }) => `${collection}?${only}`],
  ['a list of all namespaces', 'GET', ({ everywhere }) => `${everywhere}?limit=1`],
  ['a list in chunks', 'GET', ({ collection }) => `${collection}?limit=1`],
  ['a watch', 'GET', ({ collection, only }) => `${collection}?watch=true&timeoutSeconds=1&${only}`],
  ['a watch of all namespaces', 'GET', ({ everywhere, only }) => `${everywhere}?watch=true&timeoutSeconds=1&${only}`],
  ['a POST', 'POST', ({ collection }) => `${collection}?dryRun=All`, [JSON_TYPE, ({ fresh }) => fresh]],
  ['a PUT', 'PUT', ({ item }) => `${item}?dryRun=All`, [JSON_TYPE, ({ live }) => live]],
  ['a merge patch', 'PATCH', ({ item }) => `${item}?dryRun=All`, [PATCH_TYPES.merge, labelled]],
  [
    'a JSON patch',
    'PATCH',
    ({ item }) => `${item}?dryRun=All`,
    [PATCH_TYPES.json, ({ live }) => [{ op: 'test', path: '/metadata/uid', value: live.metadata.uid }]],
  ],
  [
    'an apply',
    'PATCH',
    ({ item }) => `${item}?dryRun=All&fieldManager=cbor&force=true`,
    [PATCH_TYPES.apply, ({ applied }) => applied],
  ],
  ['a DELETE', 'DELETE', ({ item }) => item, [JSON_TYPE, () => OPTIONS]],
  ['a DELETE of a collection', 'DELETE', ({ collection, only }) => `${collection}?${only}`, [JSON_TYPE, () => OPTIONS]],
];
const STATUS: readonly Row[] = [
  ['a GET of a status', 'GET', ({ item }) => `${item}/status`],
  ['a PUT of a status', 'PUT', ({ item }) => `${item}/status?dryRun=All`, [JSON_TYPE, ({ live }) => live]],
  ['a patch of a status', 'PATCH', ({ item }) => `${item}/status?dryRun=All`, [PATCH_TYPES.merge, labelled]],
];

/** In which CBOR a body may be sent instead; no other patch than an apply has any. */
const IN_CBOR: Readonly<Record<string, string>> = {
  [JSON_TYPE]: CBOR,
  [PATCH_TYPES.apply]: 'application/apply-patch+cbor',
};

/** Every call that asks for CBOR of a type, or sends it, by each verb. Prepares an object. */
export async function cborCalls(author: Actor, kind: Kind, hasStatus = false): Promise<readonly CborCall[]> {
  const live = await author.given(kind, named('doc'));
  const collection = await author.pathOf(kind);
  const about: About = {
    ...{ live, collection, item: await author.pathOf(kind, 'doc') },
    everywhere: collection.replace(/\/namespaces\/[^/]+/, ''),
    only: `fieldSelector=${encodeURIComponent(`metadata.name=${live.metadata.name}`)}`,
    applied: await author.fill(kind, named('doc', { metadata: { name: 'doc' } })),
    fresh: await author.fill(kind, named('other', { metadata: { name: 'other' } })),
  };
  return [...VERBS, ...(hasStatus ? STATUS : [])].flatMap(([what, method, path, body]) => {
    const watches = what.startsWith('a watch');
    const accept = watches ? 'application/cbor-seq, application/cbor' : CBOR;
    const [type = '', content] = body ?? [];
    const ask = (headers: Readonly<Record<string, string>>, sent?: object | Uint8Array) => (actor: Actor) =>
      actor.request(method, path(about), { headers, ...(sent === undefined ? {} : { body: sent }) });
    const typed = content ? { 'content-type': type } : {};
    const inCbor = IN_CBOR[type];
    return [
      {
        what: `${what} of ${kind.plural} that is answered in it`,
        answered: true,
        ...(watches ? { isWatch: true as const } : {}),
        send: ask({ accept, ...typed }, content?.(about)),
      },
      ...(content && inCbor !== undefined
        ? [
            {
              what: `${what} of ${kind.plural} whose body is in it`,
              answered: false,
              send: ask({ accept: JSON_TYPE, 'content-type': inCbor }, cborBody(content(about))),
            },
          ]
        : []),
    ];
  });
}
