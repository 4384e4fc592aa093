import { PATCHES } from '../../../fixtures/ledger/index.ts';
import type { Actor, Exchange, JsonObject, Query } from '../../harness/index.ts';
import {
  type ClauseName,
  check,
  clause,
  clausesOf,
  defineType,
  type Kind,
  load,
  match,
  must,
  named,
  objectIn,
  PATCH_TYPES,
  queryText,
  should,
  valueAt,
} from '../../harness/index.ts';
import { entriesIn } from '../server-side-apply-rules/owned.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';

const YAML = 'application/yaml';

const NUMBER = { type: 'integer' };
/** A type whose objects have a status and a scale. */
const things = (author: Actor): Promise<Kind> =>
  defineType(
    author,
    author.dialect,
    () => ({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { replicas: NUMBER } },
        status: { type: 'object', properties: { replicas: NUMBER, phase: { type: 'string' } } },
      },
    }),
    true,
    {
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    },
  );

/** Writes one part of an object: whole by a PUT, or what changes by a merge patch. */
class Part {
  readonly #author: Actor;
  readonly #kind: Kind;
  readonly #name: 'status' | 'scale';
  readonly #object: string;
  constructor(author: Actor, kind: Kind, name: 'status' | 'scale', object = 'doc') {
    this.#author = author;
    this.#kind = kind;
    this.#name = name;
    this.#object = object;
  }
  async get(headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    return this.#author.request('GET', await this.#path(), { headers });
  }
  async put(object: object, query: Query = {}, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    const typed = { 'content-type': 'application/json', ...headers };
    return this.#author.request('PUT', (await this.#path()) + queryText(query), { headers: typed, body: object });
  }
  async patch(change: object, query: Query = {}, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    const typed = { 'content-type': PATCH_TYPES.merge, ...headers };
    return this.#author.request('PATCH', (await this.#path()) + queryText(query), { headers: typed, body: change });
  }
  /** Says by a patch how many there are to be; `metadata` stands beside it. */
  async scale(write: (typeof PATCHES)[number] | 'apply', replicas: number, metadata: JsonObject = {}) {
    const headers = { 'content-type': PATCH_TYPES[write] };
    if (write === 'json') {
      const stated = Object.entries(metadata).map(([member, value]) => ({
        op: 'add',
        path: `/metadata/${member}`,
        value,
      }));
      return this.patch([...stated, { op: 'add', path: '/spec/replicas', value: replicas }], {}, headers);
    }
    if (write !== 'apply') return this.patch({ metadata, spec: { replicas } }, {}, headers);
    const { apiVersion, kind, metadata: own } = (await this.#author.prepare(() => this.get())).json as JsonObject;
    const { name } = own as JsonObject;
    const whole = { apiVersion, kind, metadata: { name, ...metadata }, spec: { replicas } };
    return this.patch(whole, { fieldManager: 'scaler', force: true }, headers);
  }
  #path(): Promise<string> {
    return this.#author.pathOf(this.#kind, this.#object, this.#name);
  }
}

for (const part of ['status', 'scale'] as const) {
  check(
    `DRYRUN-EFFECT-01.5/${part}`,
    `the author writes the ${part} of a custom object late, and as a dry run → refused, and without effect`,
    [
      `UPDATE-VERSION-02/put/custom-${part}`,
      `UPDATE-VERSION-05/merge/custom-${part}`,
      `DRYRUN-EFFECT-01/put/custom-${part}`,
      `DRYRUN-UPDATE-01/put/custom-${part}`,
      `DRYRUN-EFFECT-01/merge/custom-${part}`,
      `DRYRUN-PATCH-01/merge/custom-${part}`,
    ],
    ['custom-types'],
    async ({ author }) => {
      const kind = await things(author);
      await author.given(kind, named('doc', { spec: { replicas: 1 } }));
      const at = new Part(author, kind, part);
      const change: JsonObject = part === 'status' ? { status: { phase: 'new' } } : { spec: { replicas: 2 } };
      const old = (await author.prepare(() => at.get())).json as JsonObject;
      await author.prepare((each) => each.patch(kind, 'doc', 'merge', { metadata: { labels: { since: 'yes' } } }));
      const live = objectIn(await author.get(kind, 'doc'));
      await clause(`UPDATE-VERSION-02/put/custom-${part}`, async () => {
        must('it came too late', await at.put({ ...old, ...change }), match.status(409));
        must('so does what would change nothing', await at.put(old), match.status(409));
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
      await clause(`UPDATE-VERSION-05/merge/custom-${part}`, async () => {
        const { resourceVersion = '' } = old.metadata as JsonObject;
        const late = { ...change, metadata: { resourceVersion } };
        must('it came too late', await at.patch(late), match.status(409));
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
      const now = (await author.prepare(() => at.get())).json as JsonObject;
      const dry = { dryRun: 'All' };
      await clause([`DRYRUN-EFFECT-01/put/custom-${part}`, `DRYRUN-UPDATE-01/put/custom-${part}`], async () => {
        must('it is answered', await at.put({ ...now, ...change }, dry), match.status(200));
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
      await clause([`DRYRUN-EFFECT-01/merge/custom-${part}`, `DRYRUN-PATCH-01/merge/custom-${part}`], async () => {
        must('it is answered', await at.patch(change, dry), match.status(200));
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
        must('the real one does', await at.patch(change), match.status(200), match.body(match.including(change)));
      });
    },
  );
}

/** Types with a scale, and how an object of each says how many. */
const SCALED = {
  custom: { make: things, given: named('doc', { spec: { replicas: 1 } }) },
  deployments: { make: async () => deployments, given: named('doc') },
} as const;

for (const [type, { make, given }] of Object.entries(SCALED)) {
  check(
    `YAML-RESPONSE-01.2/${type}`,
    `the author reads and writes the scale of ${type} in YAML, late, as a dry run and with what is no number → as the object itself`,
    [
      ...clausesOf('YAML-RESPONSE-01', 'scale', type),
      ...clausesOf('YAML-REQUEST-01', 'scale', type),
      ...clausesOf('FIELDS-TYPE-01', `${type}-scale`),
      `UPDATE-VERSION-02/put/${type}-scale` as ClauseName,
      ...clausesOf('UPDATE-VERSION-05', `${type}-scale`),
      ...clausesOf('APPLY-BODY-04', `${type}-scale`),
      `DRYRUN-EFFECT-01/merge/${type}-scale` as ClauseName,
      `DRYRUN-PATCH-01/merge/${type}-scale` as ClauseName,
    ],
    ['custom-types'],
    async ({ author }) => {
      const kind = await make(author);
      await author.given(kind, given);
      const at = new Part(author, kind, 'scale');
      const replicas = async () => valueAt((await author.get(kind, 'doc')).json, ['spec', 'replicas']);
      const old = (await author.prepare(() => at.get())).json as JsonObject;
      const before = (await replicas()) as number;
      await clause(clausesOf('YAML-RESPONSE-01', 'scale', type), async () => {
        const read = await at.get({ accept: YAML });
        must('it is YAML', read, match.status(200), match.mediaType(YAML));
        const shown = load(read.text) as JsonObject;
        must('with the same members', Object.keys(shown), match.sameItems(Object.keys(old)));
        must('of the same', shown.spec ?? {}, match.equal(old.spec as JsonObject));
        const patched = await at.patch({ spec: { replicas: before } }, {}, { accept: YAML });
        must('so is the answer to a patch', patched, match.status(200), match.mediaType(YAML));
      });
      const tries = ['DRYRUN-EFFECT-01', 'DRYRUN-PATCH-01'].map((id) => `${id}/merge/${type}-scale` as ClauseName);
      await clause(tries, async () => {
        const tried = await at.patch({ spec: { replicas: before + 1 } }, { dryRun: 'All' });
        must('it is answered', tried, match.status(200), match.field('spec.replicas', before + 1));
        must('it stays as many', await replicas(), match.equal(before));
      });
      for (const write of ['put', 'merge'] as const)
        await clause(`FIELDS-TYPE-01/${write}/${type}-scale` as ClauseName, async () => {
          const { resourceVersion: _, ...metadata } = old.metadata as JsonObject;
          const numbers = [String(before + 1), '', 'many', true, 1.5, [1]].map((replicas) => ({ spec: { replicas } }));
          for (const wrong of [...numbers, { metadata: { ...metadata, labels: { word: 7 } } }]) {
            const sent = write === 'put' ? at.put({ ...old, metadata, ...wrong }) : at.patch(wrong);
            must(`${JSON.stringify(wrong)} is refused`, await sent, match.refusal);
          }
          must('it stays as many', await replicas(), match.equal(before));
        });
      await author.prepare((each) => each.patch(kind, 'doc', 'merge', { metadata: { labels: { since: 'yes' } } }));
      await clause(`UPDATE-VERSION-02/put/${type}-scale` as ClauseName, async () => {
        must('it came too late', await at.put({ ...old, spec: { replicas: before + 1 } }), match.status(409));
        must('it stays as many', await replicas(), match.equal(before));
      });
      const versionIn = ({ metadata }: JsonObject) => (metadata as JsonObject).resourceVersion ?? '';
      for (const patch of [...PATCHES, 'apply'] as const) {
        if (patch === 'strategic' && type === 'custom') continue;
        const id = patch === 'apply' ? 'APPLY-BODY-04' : 'UPDATE-VERSION-05';
        await clause(clausesOf(id, patch, `${type}-scale`), async () => {
          const late = { resourceVersion: versionIn(old) };
          for (const many of [before + 1, before])
            must('it came too late', await at.scale(patch, many, late), match.status(409));
          must('it stays as many', await replicas(), match.equal(before));
          // A controller may write between the two.
          const now = async () => {
            const { json } = await author.prepare(() => at.get());
            return at.scale(patch, before, { resourceVersion: versionIn(json as JsonObject) });
          };
          must('at the stored version it is taken', await should(now, match.status(200), { within: 2_000 }));
          must('without a version it is taken', await at.scale(patch, before), match.status(200));
        });
      }
      await clause(clausesOf('YAML-REQUEST-01', 'scale', type), async () => {
        // JSON is YAML. A controller may write between the two.
        const put = async () => {
          const { metadata } = (await author.prepare(() => at.get())).json as { readonly metadata: JsonObject };
          return at.put({ ...old, metadata, spec: { replicas: before + 1 } }, {}, { 'content-type': YAML });
        };
        const taken = match.both(match.status(200), match.field('spec.replicas', before + 1));
        must('it is taken', await should(put, taken, { within: 2_000 }));
        must('and stored', await replicas(), match.equal(before + 1));
      });
    },
  );
}

check(
  'FIELDS-STRICT-01.5',
  'the author writes the status of a custom object with wrong fields, without a manager and by a strategic patch → as the object itself',
  [
    'FIELDS-STRICT-01/put/custom-status',
    'FIELDS-STRICT-02/merge/custom-status',
    'FIELDS-TYPE-01/put/custom-status',
    'FIELDS-TYPE-01/merge/custom-status',
    'APPLY-MANAGER-04/put/custom-status',
    'APPLY-MANAGER-04/merge/custom-status',
    'STRATEGIC-CUSTOM-01/status',
  ],
  ['custom-types'],
  async ({ author }) => {
    const kind = await things(author);
    const live = await author.given(kind, named('doc', { spec: { replicas: 1 } }));
    const at = new Part(author, kind, 'status');
    const unchanged = async () => must('nothing changes', await author.get(kind, 'doc'), match.body(live));
    const strict = { fieldValidation: 'Strict' };
    const unknown = { status: { phase: 'new', unheardOf: 'yes' } };
    await clause('FIELDS-STRICT-01/put/custom-status', async () => {
      must('nobody knows it', await at.put({ ...live, ...unknown }, strict), match.status(400));
      await unchanged();
    });
    await clause('FIELDS-STRICT-02/merge/custom-status', async () => {
      must('nobody knows it', await at.patch(unknown, strict), match.status(400));
      await unchanged();
    });
    for (const write of ['put', 'merge'] as const) {
      await clause(`FIELDS-TYPE-01/${write}/custom-status`, async () => {
        const statuses = [{ phase: 7 }, { phase: ['a'] }, { replicas: '1' }, { replicas: 1.5 }, { replicas: true }];
        const labelled = { metadata: { ...live.metadata, labels: { word: 7 } } };
        for (const wrong of [...statuses.map((status) => ({ status })), labelled]) {
          const sent = write === 'put' ? at.put({ ...live, ...wrong }) : at.patch(wrong);
          must('it is of another type', await sent, match.refusal);
        }
        await unchanged();
      });
    }
    await clause('STRATEGIC-CUSTOM-01/status', async () => {
      const headers = { 'content-type': PATCH_TYPES.strategic };
      must('there are no merge keys', await at.patch({ status: { phase: 'new' } }, {}, headers), match.refusal);
      await unchanged();
    });
    for (const write of ['put', 'merge'] as const) {
      await clause(`APPLY-MANAGER-04/${write}/custom-status`, async () => {
        const now = objectIn(await author.get(kind, 'doc'));
        const agent = { 'user-agent': `${write}ter/1.2 (linux)` };
        const status = { status: { phase: write } };
        const written = await (write === 'put'
          ? at.put({ ...now, ...status }, {}, agent)
          : at.patch(status, {}, agent));
        must('it is stored', written, match.status(200));
        const owners = entriesIn(written.json).filter(({ subresource }) => subresource === 'status');
        const named = owners.map(({ manager }) => String(manager).startsWith(`${write}ter`));
        must('its manager is named after the agent', named, match.containing(true));
      });
    }
  },
);

check(
  'META-VERSION-01.9',
  'the author writes status and scale of a custom object → another version, and every watcher is told',
  ['META-VERSION-01', 'WATCH-MODIFIED-01', 'WATCH-FILTER-01', 'WATCH-RELIABLE-01', 'NEGOTIATE-ACCEPT-01'],
  ['custom-types'],
  async ({ author, watcher }) => {
    const kind = await things(author);
    const live = await author.given(kind, {
      metadata: { name: 'doc', labels: { part: 'one' } },
      spec: { replicas: 1 },
    });
    const { resourceVersion } = live.metadata;
    const selections: readonly Query[] = [
      { fieldSelector: 'metadata.name=doc' },
      { labelSelector: 'part=one,!none' },
      { fieldSelector: 'metadata.name!=other', labelSelector: 'part in (one,two)' },
      {},
    ];
    const streams = await Promise.all(selections.map((query) => watcher.watch(kind, { resourceVersion, ...query })));
    const [status, scale] = [new Part(author, kind, 'status'), new Part(author, kind, 'scale')];
    let before = resourceVersion ?? '';
    const path = await author.pathOf(kind, 'doc', 'status');
    const yaml = await author.request('GET', path, { headers: { accept: 'application/yaml' } });
    must('it can be read in YAML', yaml, match.status(200), match.mediaType('application/yaml'));
    for (const write of [
      () => status.patch({ status: { phase: 'new' } }),
      () => scale.patch({ spec: { replicas: 2 } }),
      () => status.patch({ status: { phase: 'newer' } }),
      async () => status.put({ ...objectIn(await author.get(kind, 'doc')), status: { phase: 'newest' } }),
    ]) {
      const written = must('it is written', await write(), match.status(200));
      must('it has another version', written, match.field('metadata.resourceVersion', match.not(before)));
      const now = await author.get(kind, 'doc');
      before = objectIn(written).metadata.resourceVersion ?? '';
      must('by which it is read', now, match.field('metadata.resourceVersion', before));
      for (const stream of streams) {
        const event = must('the change is told', await stream.until(match.event('MODIFIED')));
        must('in full', event.object, match.equal(objectIn(now) as never));
      }
    }
  },
);

/** Types with a status and a scale, with an object of each. */
const PARTED = async (author: Actor) =>
  [
    [await things(author), named('doc', { spec: { replicas: 1 } })],
    [deployments, named('doc')],
  ] as const;

/** What a patch says of an object so that it would be deleted no more. */
const REVIVING = [
  ['json', [{ op: 'remove', path: '/metadata/deletionTimestamp' }]],
  ['json', [{ op: 'replace', path: '/metadata/deletionTimestamp', value: null }]],
  ['merge', { metadata: { deletionTimestamp: null } }],
  ['strategic', { metadata: { deletionTimestamp: null, deletionGracePeriodSeconds: null } }],
] as const;

check(
  'META-DELETION-01.4',
  'the author writes the status and the scale of deleting objects in every way as if they were not → they stay deleting',
  ['META-DELETION-01'],
  ['custom-types'],
  async ({ author }) => {
    for (const [kind, draft] of await PARTED(author)) {
      const held = { ...draft, metadata: { ...draft.metadata, finalizers: ['touchstone.example/hold'] } };
      await author.given(kind, held);
      await author.prepare((actor) => actor.delete(kind, 'doc'));
      const { deletionTimestamp = '' } = objectIn(await author.get(kind, 'doc')).metadata;
      const deleting = match.field('metadata.deletionTimestamp', deletionTimestamp);
      for (const name of ['status', 'scale'] as const) {
        const part = new Part(author, kind, name);
        const replacing = async (stamps: JsonObject) => {
          const { metadata, ...whole } = (await author.prepare(() => part.get())).json as JsonObject;
          const { deletionTimestamp: _, ...rest } = metadata as JsonObject;
          return part.put({ ...whole, metadata: { ...rest, ...stamps } });
        };
        for (const write of [
          () => replacing({}),
          () => replacing({ deletionTimestamp: null }),
          ...REVIVING.map(
            ([patch, body]) =>
              () =>
                part.patch(body, {}, { 'content-type': PATCH_TYPES[patch] }),
          ),
        ]) {
          must('it is refused or overlooked', await write(), match.either(match.refusal, match.success));
          must('nothing makes it live again', await author.get(kind, 'doc'), match.status(200), deleting);
        }
      }
    }
  },
);

check(
  'GET-MISSING-01.2',
  'the author reads and writes the status and the scale of an object that is not there → 4xx, and nothing is made',
  ['GET-MISSING-01', 'PATCH-TYPE-02', 'VERB-PUT-01'],
  ['custom-types'],
  async ({ author }) => {
    for (const [kind, draft] of await PARTED(author)) {
      await author.given(kind, draft);
      for (const part of ['status', 'scale'] as const) {
        const there = new Part(author, kind, part);
        const { metadata, ...whole } = (await author.prepare(() => there.get())).json as JsonObject;
        const missing = new Part(author, kind, part, 'missing');
        must('there is nothing to read', await missing.get(), match.status(404));
        must('nor in YAML', await missing.get({ accept: YAML }), match.status(404));
        const { resourceVersion: _, uid: _uid, ...rest } = metadata as JsonObject;
        const put = await missing.put({ ...whole, metadata: { ...rest, name: 'missing' } });
        must('nor to replace', put, match.refusal);
        const change = part === 'status' ? { status: {} } : { spec: { replicas: 0 } };
        for (const query of [{}, { dryRun: 'All' }])
          must('nor to patch', await missing.patch(change, query), match.status(404));
        must('nothing is made of it', await author.get(kind, 'missing'), match.status(404));
      }
    }
  },
);

check(
  'NAME-SCOPE-02.2',
  'the author puts a status and a scale of another object than the path names → 4xx, and nothing changes',
  ['NAME-SCOPE-02', 'NAME-PATH-01', 'META-TYPE-02'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const namespace = await author.elsewhere().namespace();
    for (const [kind, draft] of await PARTED(author)) {
      await author.given(kind, draft);
      // Where somebody else writes the object too, its version may be another each time.
      const replicas = async () => valueAt((await author.get(kind, 'doc')).json, ['spec', 'replicas']);
      const before = (await replicas()) as number;
      for (const part of ['status', 'scale'] as const) {
        const at = new Part(author, kind, part);
        const whole = (await author.prepare(() => at.get())).json as JsonObject;
        const { resourceVersion: _, ...metadata } = whole.metadata as JsonObject;
        const changed = { ...whole, ...(part === 'status' ? {} : { spec: { replicas: before + 1 } }) };
        for (const other of [
          { metadata: { ...metadata, namespace } },
          { metadata: { ...metadata, name: 'other' } },
          { metadata, kind: 'Other' },
          { metadata, apiVersion: `none.${dialect.apiDomain}/v1` },
        ])
          for (const headers of [{}, { 'content-type': YAML }])
            must('it is of another one', await at.put({ ...changed, ...other }, {}, headers), match.refusal);
        must('it stays as many', await replicas(), match.equal(before));
        must('and nothing is made', await author.get(kind, 'other'), match.status(404));
      }
    }
  },
);
