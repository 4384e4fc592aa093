import { load } from 'js-yaml';
import { objectInCbor, sequenceInCbor } from '../harness/encodings/cbor.ts';
import { envelopeIn, objectInProtobuf } from '../harness/encodings/protobuf.ts';
import { isRecord } from '../harness/json.ts';
import { warningsIn } from '../harness/warningHeader.ts';
import type { Answer } from './side.ts';
import { Sightings } from './sightings.ts';
import type { Words } from './step.ts';

/** What was seen of a server, without what differs from one sound server to the next. */
export interface Seen {
  /** Place of the step that it was seen after, from 0. */
  readonly step: number;
  readonly what: 'answer' | 'object' | 'collection' | 'events';
  readonly status: number;
  /** Media type and the like of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts of warnings, sorted. */
  readonly warnings: readonly string[];
  readonly body: unknown;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
/** What the server adds to names of its own making. */
const SUFFIX = /\b((?:kube-)?api-access|[a-z-]+-token|dockercfg)-[a-z0-9]{5}\b/g;
/** A signed token, or the signature of something else without what is signed. */
const JWT = /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/;
const BASE64 = /^[A-Za-z0-9+/]{8,}={0,2}$/;
/** Of a published key, what is drawn anew for each server. */
const KEY_MEMBERS: ReadonlySet<string> = new Set(['n', 'x', 'y', 'kid']);
/** Members of a service whose values a server draws from a range. */
const DRAWN: ReadonlySet<string> = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort']);
/** Lists of built-in types of which an empty one says as much as none. */
const OR_NONE: ReadonlySet<string> = new Set(['rules', 'subjects', 'webhooks']);
/** Where a server is found, before a path of it. */
const ORIGIN = /^https?:\/\/[^/]+/;
const CERTIFICATES = /-----BEGIN CERTIFICATE-----/;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** A name that was generated for something that was then refused, so that no object tells of it. */
const REFUSED_NAME = /-g-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const COMPARED = ['content-type', 'content-encoding', 'location', 'allow'];
const ENCODINGS = /json|yaml|cbor|protobuf/;
/** Said of a version at which an object looked otherwise before, with where. */
export const OTHERWISE = 'a version that was shown with another ';
/** Events that show an object as it is stored. */
const LIVE: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED']);

/**
 * Turns answers of one server into what can be compared with those of another: uids, versions, times, generated names
 * and tokens become what they are among those seen before.
 */
export class Normalizer {
  readonly #uids = new Map<string, string>();
  /** By the object that they are of. */
  readonly #versions = new Map<string, Map<string, string>>();
  /** In milliseconds. */
  readonly #births = new Map<string, number>();
  readonly #drawn = new Map<string, string>();
  readonly #generated = new Map<string, string>();
  readonly #walks = new Map<string, string>();
  readonly #id: string;
  readonly #domain: string;
  readonly #vendor: string;
  readonly #admin: string | undefined;
  readonly #sightings = new Sightings();
  /** Texts that were told before, which most are. */
  readonly #texts = new Map<string, string>();
  /** Those of them that are no time, token, certificate or the like: what they are depends on no more than their place. */
  readonly #plain = new Set<string>();
  #newest = -1n;
  /** Whether what is looked at is stored: an answer may be to a trial. */
  #isStored = false;
  /** Whether versions in what is looked at need not be those of what is stored. */
  #isPassing = false;
  /** Whether objects are held against how they looked before. */
  #isHeld = true;
  /** Of what a list is. */
  #listed = '';

  /**
   * @param words what the names of the sequence are on this server
   * @param admin what it calls whoever asks and may everything, which each server calls otherwise
   */
  constructor({ id, domain, vendor }: Words, admin?: string) {
    this.#admin = admin;
    this.#id = id;
    this.#domain = `.${domain}`;
    this.#vendor = vendor;
  }

  /** @param passing whether it shows what is not stored as it is shown: after a trial, or of what goes */
  seen(step: number, what: Seen['what'], answer: Answer, path: string, passing = false): Seen {
    this.#isStored = what !== 'answer';
    this.#isPassing = passing || what === 'events';
    this.#isHeld = !passing;
    const header = (name: string): string => {
      const value = answer.headers[name];
      return this.#text(typeof value === 'string' ? value : (value ?? []).join(', '));
    };
    const headers: Record<string, string> = {};
    for (const name of COMPARED) {
      const value = header(name);
      if (value !== '') headers[name] = value.replaceAll(' ', '');
    }
    const warnings = warningsOf(answer).map((text) => this.#text(text));
    const body = this.#body(answer.bytes, header('content-type'), path);
    return { step, what, status: answer.status, headers, warnings: warnings.sort(), body };
  }

  #body(bytes: Uint8Array, type: string, path: string): unknown {
    if (bytes.length === 0) return '';
    const read = decoded(bytes, type);
    if (path === '/metrics' && typeof read === 'string') return deprecatedCalls(read);
    if (typeof read === 'string') return this.#text(read);
    // What a decoder knows of a message in Protobuf need not be all of it.
    if (type.includes('protobuf')) this.#isHeld = false;
    this.#listed = isRecord(read) && Array.isArray(read.items) ? String(read.kind).replace(/List$/, '') : '';
    return this.#value(relevant(read, this.#id), '', path, undefined);
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const told = this.#named(text);
    // What an id once stood for it stands for ever.
    this.#texts.set(text, told);
    return told;
  }

  #named(text: string): string {
    return text
      .replaceAll(this.#id, '{id}')
      .replaceAll(SUFFIX, '$1-<made>')
      .replaceAll(this.#domain, '.{domain}')
      .replaceAll(`vnd.${this.#vendor}.`, 'vnd.{vendor}.')
      .replaceAll(`x-${this.#vendor}-`, 'x-{vendor}-')
      .replace(UUID, (uid) => numbered(this.#uids, uid, 'uid'));
  }

  #value(value: unknown, key: string, path: string, owner: string | undefined): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, key, path, owner));
    if (
      DRAWN.has(key) &&
      (typeof value === 'number' || (typeof value === 'string' && value !== '' && value !== 'None'))
    )
      return numbered(this.#drawn, String(value), key);
    if (typeof value === 'string') return this.#string(value, key, path, owner);
    if (!isRecord(value)) return value;
    if (this.#admin !== undefined && value.username === this.#admin) {
      const { username: _, uid: __, groups: ___, extra: ____, ...rest } = value;
      return this.#value({ ...rest, username: '<admin>' }, key, path, owner);
    }
    // What an object was when it went is open.
    if (isRecord(value.object) && typeof value.type === 'string') this.#isHeld = LIVE.has(value.type);
    const members: Record<string, unknown> = {};
    const uid = typeof value.uid === 'string' ? value.uid : owner;
    const otherwise = this.#isHeld ? this.#sightings.differs(value, this.#listed) : undefined;
    if (key === 'metadata') this.#learnName(value);
    for (const name of inOrder(Object.keys(value))) {
      const inner = value[name];
      // What is live may say so, or nothing.
      if (name === 'deletionTimestamp' && inner === null && key === 'metadata') continue;
      // The empty group is what a subject has that names none (1/clusterrolebinding/t1.11).
      if (name === 'apiGroup' && inner === '') continue;
      if (OR_NONE.has(name) && (inner === null || (Array.isArray(inner) && inner.length === 0))) continue;
      if (name === 'resourceVersion' && key === 'metadata') {
        members[name] =
          value.uid === undefined && value.name === undefined
            ? this.#ofList(inner, path)
            : this.#version(inner, String(value.uid));
      } else if (name === 'continue' && key === 'metadata') members[name] = inner === '' ? '' : '<token>';
      // Their form is up to the server: one is known by where it stands, or from there.
      else if (
        name === 'uid' &&
        typeof inner === 'string' &&
        (key === 'metadata' ? inner !== '' : this.#uids.has(inner))
      )
        members[name] = numbered(this.#uids, inner, 'uid');
      else members[this.#text(name)] = this.#value(inner, name, path, uid);
    }
    if (otherwise !== undefined && isRecord(members.metadata)) {
      members.metadata = { ...members.metadata, resourceVersion: `${OTHERWISE}${otherwise}` };
    }
    return withoutAges(members);
  }

  #certificates(text: string): string {
    return text.replaceAll(CERTIFICATE, (certificate) => numbered(this.#drawn, certificate, 'certificate'));
  }

  #string(value: string, key: string, path: string, owner: string | undefined): string {
    if (KEY_MEMBERS.has(key) && path.startsWith('/openid/')) return '<key>';
    if (key === 'serverAddress' && value !== '') return '<address>';
    if (key === 'jwks_uri') return this.#text(value.replace(ORIGIN, ''));
    const generated = this.#generated.get(value);
    if (!this.#plain.has(value)) {
      if (TIME.test(value)) return this.#time(value, key, owner);
      if (JWT.test(value)) return this.#token(value);
      const inside = BASE64.test(value) ? Buffer.from(value, 'base64').toString('utf8') : '';
      if (JWT.test(inside)) return `base64 of ${this.#token(inside)}`;
      if (inside.includes(this.#id)) return `base64 of ${this.#text(inside)}`;
      if (generated !== undefined) return generated;
      if (CERTIFICATES.test(value)) return this.#certificates(value);
      if (CERTIFICATES.test(inside)) return `base64 of ${this.#certificates(inside)}`;
      this.#plain.add(value);
    }
    return generated ?? this.#text(key === 'name' ? value.replace(REFUSED_NAME, '-g-<generated>') : value);
  }

  /** A name that the server made is the first, second, … of its kind. */
  #learnName({ name, generateName }: Record<string, unknown>): void {
    if (typeof name !== 'string' || typeof generateName !== 'string' || !name.startsWith(generateName)) return;
    if (name.length > generateName.length && !this.#generated.has(name)) {
      this.#generated.set(name, `${this.#text(generateName)}<${this.#generated.size + 1}>`);
    }
  }

  /** A version is told from the former ones of its object, and by whether it is newer than all of any. */
  #version(version: unknown, uid: string): unknown {
    if (typeof version !== 'string' || version === '') return version;
    const versions = this.#versions.get(uid) ?? new Map<string, string>();
    const known = versions.get(version);
    if (known !== undefined) return known;
    if (this.#isPassing) return '<version>';
    const number = /^\d+$/.test(version) ? BigInt(version) : undefined;
    const order = number === undefined ? 'no number' : number > this.#newest ? 'newer' : 'older';
    if (number !== undefined && number > this.#newest) this.#newest = number;
    const told = `version ${versions.size + 1}, ${order}`;
    this.#versions.set(uid, versions.set(version, told));
    return told;
  }

  /** The version of a list depends on what else goes on; in a walk by chunks it stays that of the first. */
  #ofList(version: unknown, path: string): unknown {
    if (typeof version !== 'string' || version === '') return version;
    const [collection = '', query = ''] = path.split('?');
    const walk = this.#walks.get(collection);
    this.#walks.set(collection, version);
    if (!/(^|&)continue=./.test(query)) return '<version>';
    return walk === version ? '<version of the walk>' : '<another version than that of the walk>';
  }

  /** Whether an object was made and marked at the time that it told first. */
  #time(time: string, key: string, owner: string | undefined): string {
    if (owner === undefined || (key !== 'creationTimestamp' && key !== 'deletionTimestamp')) return '<time>';
    const name = `${owner}/${key}`;
    const first = this.#births.get(name);
    const instant = Date.parse(time);
    if (first === undefined && this.#isStored) this.#births.set(name, instant);
    return first === undefined || first === instant ? '<time>' : '<another time than before>';
  }

  /** What a signed token says, without what is made anew for each. */
  #token(token: string): string {
    try {
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<
        string,
        unknown
      >;
      const { exp, iat, nbf: _, jti: __, ...rest } = claims;
      const lasts = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : 'no end';
      return `token of ${JSON.stringify(this.#value(rest, '', '', undefined))}, lasts ${lasts}`;
    } catch {
      return '<token>';
    }
  }
}

/** Sorted by the code units of names; most servers write them so. */
function inOrder(names: string[]): string[] {
  for (let at = 1; at < names.length; at++) if ((names[at - 1] as string) > (names[at] as string)) return names.sort();
  return names;
}

function numbered(map: Map<string, string>, value: string, word: string): string {
  const known = map.get(value);
  if (known !== undefined) return known;
  const told = `${word} ${map.size + 1}`;
  map.set(value, told);
  return told;
}

/** The texts of warnings; the whole of what has no text. */
function warningsOf({ headers: { warning = [] } }: Answer): string[] {
  return warningsIn(typeof warning === 'string' ? [warning] : warning).map(({ text, written }) => text ?? written);
}

/** What was read of bodies, which are looked at more than once. */
const bodies = new WeakMap<Uint8Array, { readonly type: string; readonly read: unknown }>();

/** Takes what others read of a body in JSON for what it says. */
export function keepDecoded(bytes: Uint8Array, type: string, read: unknown): void {
  if (ENCODINGS.exec(type)?.[0] === 'json') bodies.set(bytes, { type, read });
}

/** What a body says, in whichever encoding; as text where it is in none, or not what its type says. Nobody changes it. */
export function decoded(bytes: Uint8Array, type: string): unknown {
  const before = bodies.get(bytes);
  if (before?.type === type) return before.read;
  const read = decodedAnew(bytes, type);
  bodies.set(bytes, { type, read });
  return read;
}

function decodedAnew(bytes: Uint8Array, type: string): unknown {
  const format = ENCODINGS.exec(type)?.[0];
  const text = () => Buffer.from(bytes).toString('utf8');
  if (type.includes('cbor-seq')) return sequenceInCbor(bytes) ?? text();
  if (format === 'cbor') return objectInCbor(bytes) ?? text();
  if (format === 'protobuf') {
    const envelope = envelopeIn(bytes);
    const { apiVersion, kind, raw } = envelope ?? {};
    return objectInProtobuf(bytes) ?? (envelope ? { apiVersion, kind, length: raw?.length } : text());
  }
  try {
    if (format === 'yaml') return load(text());
    return JSON.parse(text());
  } catch {
    return framesIn(text()) ?? text();
  }
}

/** Of all that is measured, what the text speaks of. */
function deprecatedCalls(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => /^\w*requested_deprecated_apis\{/.test(line))
    .sort();
}

/** The events of a watch in JSON, one a line. */
function framesIn(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
}

/** The test types of other sequences and the objects of others, in namespaces of the sequence too, are left out. */
function relevant(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.filter((event) => !isForeign(event, id));
  if (!isRecord(value)) return value;
  const others = (list: unknown, nameOf: (item: Record<string, unknown>) => unknown) =>
    Array.isArray(list)
      ? list.filter((item: unknown) => {
          const name = isRecord(item) ? nameOf(item) : undefined;
          return typeof name !== 'string' || !name.endsWith(TEST_DOMAIN) || name.includes(id);
        })
      : list;
  if ('groups' in value) return { ...value, groups: others(value.groups, ({ name }) => name) };
  if (isRecord(value.paths)) {
    const paths = Object.keys(value.paths).filter((name) => !name.includes(TEST_DOMAIN) || name.includes(id));
    return { paths: paths.sort() };
  }
  for (const name of ['items', 'rows'] as const) {
    const list = value[name];
    if (!Array.isArray(list)) continue;
    return {
      ...value,
      [name]: list.filter((item) => !isForeign(name === 'rows' && isRecord(item) ? item.object : item, id)),
    };
  }
  return value;
}

/** The end of the groups of types that sequences define. */
export const TEST_DOMAIN = '.seq.example';

/** Whether an object is not of the sequence: those of it have its id in their names. */
function isForeign(item: unknown, id: string): boolean {
  const object = isRecord(item) && isRecord(item.object) ? item.object : item;
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : undefined;
  return typeof metadata?.name === 'string' && !metadata.name.includes(id);
}

/** A Table tells ages, which pass. */
function withoutAges(value: Record<string, unknown>): Record<string, unknown> {
  const { columnDefinitions: columns, rows } = value;
  if (!Array.isArray(columns) || !Array.isArray(rows)) return value;
  const ages = new Set(columns.flatMap((column, at) => (isRecord(column) && column.name === 'Age' ? [at] : [])));
  const still = rows.map((row) =>
    isRecord(row) && Array.isArray(row.cells)
      ? { ...row, cells: row.cells.map((cell, at) => (ages.has(at) ? '<age>' : cell)) }
      : row,
  );
  return { ...value, rows: still };
}
