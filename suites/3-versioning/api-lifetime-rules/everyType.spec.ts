import { isDeepStrictEqual } from 'node:util';
import { PERSISTED_TYPES } from '../../../fixtures/ledger/index.ts';
import { apiVersionOf, exists, lifecycles, replacementIn } from '../../../fixtures/releases/lifecycles.ts';
import { apiVersionIn } from '../../../fixtures/releases/removedVersion.ts';
import {
  type Actor,
  type ApiObject,
  atRelease,
  before,
  check,
  clause,
  clausesOf,
  type Exchange,
  isRecord,
  match,
  minorOf,
  must,
  PATCH_TYPES,
} from '../../harness/index.ts';
import { NAMESPACED } from '../removed-api-versions-by-release/drafts.ts';
import { contentOf, fullDraftOf } from '../removed-api-versions-by-release/fullDrafts.ts';
import { grouped, type Removal } from '../removed-api-versions-by-release/rows.ts';
import { common } from './sharedTypes.ts';

/** A version that goes, and one beside it that stays a while, of a type that a release serves in both. */
interface Both {
  readonly removal: Removal;
  readonly older: string;
  readonly newer: string;
}

/** The pairs of versions of each type that is removed at the next release. */
function pairsAt(release: number, rows: readonly Removal[], { dialect }: Actor): Both[] {
  return rows.flatMap((removal) => {
    const older = apiVersionIn(dialect, removal.version);
    const row = lifecycles().find((each) => each.kind === removal.kind && apiVersionOf(each, dialect) === older);
    const better = row && replacementIn(row, release);
    if (!better || !exists(better, release)) return [];
    return [{ removal, older, newer: apiVersionOf(better, dialect) }];
  });
}

/** One object of a type, by its name, as requests of either version speak of it. */
class Item {
  readonly #author: Actor;
  readonly #plural: string;
  readonly #within: string;

  constructor(author: Actor, { kind, plural }: Removal, namespace: string) {
    this.#author = author;
    this.#plural = plural;
    this.#within = NAMESPACED.has(kind) ? `/namespaces/${namespace}` : '';
  }
  ask(method: string, version: string, name = '', options: Parameters<Actor['request']>[2] = {}): Promise<Exchange> {
    const path = `/apis/${version}${this.#within}/${this.#plural}${name.startsWith('?') ? name : name && `/${name}`}`;
    return this.#author.request(method, path, options);
  }
  merge(version: string, name: string, metadata: object): Promise<Exchange> {
    const headers = { 'content-type': PATCH_TYPES.merge };
    return this.ask('PATCH', version, name, { headers, body: { metadata } });
  }
  /** What a version shows: by itself, in a list of what has a label, and in one of all that there is. */
  async shown(version: string, name: string, label: string): Promise<unknown[]> {
    const own = await this.ask('GET', version, name);
    const everywhere = `/apis/${version}/${this.#plural}`;
    const lists = [
      await this.ask('GET', version, `?labelSelector=part%3D${label}`),
      await this.#author.request('GET', everywhere),
    ];
    return [own.json, ...lists.map(({ json }) => this.#among(json, name))];
  }
  #among(list: unknown, name: string): unknown {
    const items = isRecord(list) && Array.isArray(list.items) ? list.items.filter(isRecord) : [];
    return items.find(
      ({ metadata }) =>
        isRecord(metadata) &&
        metadata.name === name &&
        (this.#within === '' || this.#within === `/namespaces/${metadata.namespace}`),
    );
  }
  /** How a version tells of it to whoever begins to watch. */
  async told(version: string, name: string) {
    const query = `watch=true&resourceVersion=0&timeoutSeconds=60&fieldSelector=metadata.name%3D${name}`;
    const path = `/apis/${version}${this.#within}/${this.#plural}?${query}`;
    const stream = await this.#author.openStream(`${this.#author.name} watches ${version} ${this.#plural}`, path);
    const event = await stream.until(match.event('ADDED', name));
    stream.close();
    return event;
  }
}

/** How often two versions are read for one state, where controllers of the target write in between. */
const READINGS = 10;

/** What each version shows of one state: asked again where somebody, as a controller, wrote between the answers. */
async function shownInBoth(item: Item, name: string, label: string, [from, to]: readonly [string, string]) {
  let [mine] = await item.shown(from, name, label);
  for (let reading = 1; ; reading++) {
    const theirs = await item.shown(to, name, label);
    const [still] = await item.shown(from, name, label);
    if (reading === READINGS || isDeepStrictEqual(still, mine)) return { mine, theirs };
    mine = still;
  }
}

/** Of an object that is the same in two versions: what it was given, where both have the same fields. */
interface OneObject {
  readonly name: string;
  readonly label: string;
  readonly full: object | undefined;
}

/** An object that one version has made is the same in the other, which changes and removes it. */
async function areOne(
  item: Item,
  { name, label, full }: OneObject,
  [from, to]: readonly [string, string],
): Promise<void> {
  const { mine, theirs } = await shownInBoth(item, name, label, [from, to]);
  for (const each of theirs) {
    must(`${to} shows what ${from} has`, common(each, full), match.equal(common(mine, full)));
    if (full === undefined) continue;
    must(`${to} shows all of it`, contentOf(each), match.equal(contentOf(mine)));
    must(`${to} shows it as it was given`, common(each, full).fields, match.equal(full));
  }
  must('it says of which version it is', theirs[0], match.at('apiVersion', to));
  const event = must(`${to} tells of it`, await item.told(to, name));
  must('the event says so too', event, match.eventField('apiVersion', to));
  must('it is changed', await item.merge(to, name, { labels: { part: 'changed' } }), match.status(200));
  const after = await item.ask('GET', from, name);
  must(`${from} shows the change`, after, match.status(200), match.field('metadata.labels.part', 'changed'));
  must('its end is asked for', await item.ask('DELETE', to, `${name}?propagationPolicy=Background`), match.success);
  must(
    `it ends in ${from}`,
    await item.ask('GET', from, name),
    match.field('metadata.deletionTimestamp', match.aTimestamp),
  );
  must('it is let go', await item.merge(from, name, { finalizers: null }), match.success);
  must(`${to} has it no more`, await item.ask('GET', to, name), match.status(404));
}

for (const [release, rows] of grouped((removal) => removal.release)) {
  const last = before(release);
  const held = rows.filter(({ plural, replacement }) => replacement && PERSISTED_TYPES.some((each) => each === plural));
  const plurals = [...new Set(held.map(({ plural }) => plural))];
  if (plurals.length === 0) continue;
  check(
    `GROUP-ALIKE-04.1/${last}/${release}`,
    `the author writes at ${last} in both versions of all that ${release} removes → each is one object in both`,
    clausesOf('GROUP-ALIKE-04', plurals),
    { needs: ['releases'], setup: atRelease(last) },
    async ({ author, dialect }) => {
      const namespace = await author.namespace();
      for (const [place, { removal, older, newer }] of pairsAt(minorOf(last), held, author).entries()) {
        await clause(`GROUP-ALIKE-04/${removal.plural}`, async () => {
          const item = new Item(author, removal, namespace);
          const { draft, full, empty } = fullDraftOf(removal.kind, { namespace, dialect });
          const name = draft.metadata?.name ?? `${author.space.prefix}-${place}`;
          const metadata = { labels: { part: 'old' }, finalizers: ['touchstone.example/held'] };
          const body = { apiVersion: older, kind: removal.kind, ...draft, metadata: { name, ...metadata } };
          await author.prepare(() => item.ask('POST', older, '', { body }));
          const seen = (await item.ask('GET', newer, name)).json as ApiObject;
          await areOne(item, { name, label: 'old', full }, [older, newer]);
          // What follows from its name would be another object under another one.
          if (draft.metadata?.name !== undefined) return;
          const { status: _, ...rest } = seen;
          const again = { ...rest, ...empty, metadata: { ...metadata, name: `${name}-new`, labels: { part: 'new' } } };
          must(`${newer} takes it`, await item.ask('POST', newer, '', { body: again }), match.created);
          const said = full && { ...full, ...empty };
          await areOne(item, { name: `${name}-new`, label: 'new', full: said }, [newer, older]);
        });
      }
    },
  );
}
