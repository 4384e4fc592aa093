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
  constructor(author: Actor, kind: Kind, name: 'status' | 'scale') {
    this.#author = author;
    this.#kind = kind;
    this.#name = name;
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
  #path(): Promise<string> {
    return this.#author.pathOf(this.#kind, 'doc', this.#name);
  }
}

for (const part of ['status', 'scale'] as const) {
  check(
    `DRYRUN-EFFECT-01.5/${part}`,
    `the author writes the ${part} of a custom object late, and as a dry run → refused, and without effect`,
    [
      `UPDATE-VERSION-02/put/custom-${part}`,
      `DRYRUN-EFFECT-01/put/custom-${part}`,
      `DRYRUN-EFFECT-01/merge/custom-${part}`,
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
        const { resourceVersion = '' } = old.metadata as JsonObject;
        const late = { ...change, metadata: { resourceVersion } };
        must('so did a patch', await at.patch(late), match.status(409));
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
      const now = (await author.prepare(() => at.get())).json as JsonObject;
      const dry = { dryRun: 'All' };
      await clause(`DRYRUN-EFFECT-01/put/custom-${part}`, async () => {
        must('it is answered', await at.put({ ...now, ...change }, dry), match.status(200));
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
      await clause(`DRYRUN-EFFECT-01/merge/custom-${part}`, async () => {
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
    `the author reads and writes the scale of ${type} in YAML, late and as a dry run → as the object itself`,
    [
      ...clausesOf('YAML-RESPONSE-01', 'scale', type),
      ...clausesOf('YAML-REQUEST-01', 'scale', type),
      `UPDATE-VERSION-02/put/${type}-scale` as ClauseName,
      `DRYRUN-EFFECT-01/merge/${type}-scale` as ClauseName,
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
      await clause(`DRYRUN-EFFECT-01/merge/${type}-scale` as ClauseName, async () => {
        const tried = await at.patch({ spec: { replicas: before + 1 } }, { dryRun: 'All' });
        must('it is answered', tried, match.status(200), match.field('spec.replicas', before + 1));
        must('it stays as many', await replicas(), match.equal(before));
      });
      await author.prepare((each) => each.patch(kind, 'doc', 'merge', { metadata: { labels: { since: 'yes' } } }));
      await clause(`UPDATE-VERSION-02/put/${type}-scale` as ClauseName, async () => {
        must('it came too late', await at.put({ ...old, spec: { replicas: before + 1 } }), match.status(409));
        const { resourceVersion = '' } = old.metadata as JsonObject;
        const late = { metadata: { resourceVersion }, spec: { replicas: before + 1 } };
        must('so did a patch', await at.patch(late), match.status(409));
        must('it stays as many', await replicas(), match.equal(before));
      });
      await clause(clausesOf('YAML-REQUEST-01', 'scale', type), async () => {
        const { resourceVersion: _, ...metadata } = old.metadata as JsonObject;
        // JSON is YAML. Where nobody else writes it, and without a version where somebody may.
        const now = type === 'custom' ? ((await author.prepare(() => at.get())).json as JsonObject).metadata : metadata;
        const whole = { ...old, metadata: now as JsonObject, spec: { replicas: before + 1 } };
        const put = await at.put(whole, {}, { 'content-type': YAML });
        must('it is taken', put, match.status(200), match.field('spec.replicas', before + 1));
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
        for (const wrong of [{ status: { phase: 7 } }, { metadata: { ...live.metadata, labels: { word: 7 } } }]) {
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
  'the author writes the status of a custom object → another version, and the watcher is told',
  ['META-VERSION-01', 'WATCH-MODIFIED-01', 'NEGOTIATE-ACCEPT-01'],
  ['custom-types'],
  async ({ author, watcher }) => {
    const kind = await things(author);
    const live = await author.given(kind, named('doc', { spec: { replicas: 1 } }));
    const { resourceVersion } = live.metadata;
    const stream = await watcher.watch(kind, { resourceVersion, fieldSelector: 'metadata.name=doc' });
    const at = new Part(author, kind, 'status');
    let before = resourceVersion ?? '';
    const path = await author.pathOf(kind, 'doc', 'status');
    const yaml = await author.request('GET', path, { headers: { accept: 'application/yaml' } });
    must('it can be read in YAML', yaml, match.status(200), match.mediaType('application/yaml'));
    for (const phase of ['new', 'newer']) {
      const patched = must('it is written', await at.patch({ status: { phase } }), match.status(200));
      must('it has another version', patched, match.field('metadata.resourceVersion', match.not(before)));
      must('by which it is read', await author.get(kind, 'doc'), match.body(objectIn(patched)));
      const event = must('the change is told', await stream.until(match.event('MODIFIED')));
      must('in full', event.object, match.equal(objectIn(patched) as never));
      before = objectIn(patched).metadata.resourceVersion ?? '';
    }
  },
);
