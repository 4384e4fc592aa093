import { formatApiVersion } from '../api/groupVersion.ts';
import type { JsonObject } from '../api/json.ts';
import type { IncomingRequest } from '../api/request.ts';
import { ApiError } from '../api/status.ts';
import { covers, parseAccept } from '../codecs/accept.ts';
import { stringify } from '../codecs/jsonText.ts';
import type { TextAnswer } from '../contracts/answer.ts';
import { formatRelease } from '../contracts/release.ts';
import { digest } from '../ports/hash.ts';
import type { DiscoveryOptions, Source } from './discoverySource.ts';
import { type ServedResource, servedGroups } from './groups.ts';
import { openapiDocument } from './openapiDocument.ts';
import { openapiProtobuf } from './openapiProtobuf.ts';
import type { Flavor } from './openapiSchemas.ts';

const JSON_TYPE = 'application/json';
/** The list of documents is JSON that the service does not call so. */
const INDEX_TYPE = 'text/plain; charset=utf-8';
/** A year: what an address that carries the hash of its content may be kept for. */
const FOREVER = 'public, immutable, max-age=31536000';

/**
 * Answers `/openapi/v2`, `/openapi/v3` and what lies below, built from the types served now. A document is made
 * when first asked for and kept until one of its types changes.
 *
 * The source throws ApiError 406 for other encodings than JSON and, of documents, the Protobuf of OpenAPI. It does not look at the method, as the real service.
 */
export function createOpenapi(options: DiscoveryOptions, made: MadeOpenapi = new WeakMap()): Source {
  const openapi = new Openapi(options, made);
  return ({ request }) => openapi.answer(request);
}

/** A document, its bytes by media type as they were asked for. */
interface Made {
  readonly json: Uint8Array;
  readonly etag: string;
  protobuf?: Uint8Array;
}
/** The document of one group and version, while its types stay the same. */
interface Section {
  readonly resources: readonly ServedResource[];
  readonly hash: string;
  made: Made | undefined;
}

/** What OpenAPI says of the types of an edition. */
interface Told {
  /** By path below `/openapi/v3/`. */
  readonly sections: ReadonlyMap<string, Section>;
  whole: Made | undefined;
}
export type MadeOpenapi = WeakMap<object, Told>;

class Openapi {
  readonly #options: DiscoveryOptions;
  readonly #made: MadeOpenapi;
  #told: Told;

  constructor(options: DiscoveryOptions, made: MadeOpenapi) {
    this.#options = options;
    this.#made = made;
    this.#told = made.get(options.registry.edition) ?? { sections: new Map(), whole: undefined };
  }

  answer(request: IncomingRequest): TextAnswer | undefined {
    const path = request.path.endsWith('/') ? request.path.slice(0, -1) : request.path;
    if (path !== '/openapi/v2' && path !== '/openapi/v3' && !path.startsWith('/openapi/v3/')) return undefined;
    this.#refresh();
    if (path === '/openapi/v2') return this.#second(request);
    if (path === '/openapi/v3') return this.#index(request);
    return this.#section(request, path.slice('/openapi/v3/'.length));
  }

  #refresh(): void {
    const { registry } = this.#options;
    const known = this.#made.get(registry.edition);
    this.#told = known ?? { sections: this.#sections(this.#told.sections), whole: undefined };
    if (!known) this.#made.set(registry.edition, this.#told);
  }

  /** @param before of another edition, from which is kept what stays the same */
  #sections(before: Told['sections']): Told['sections'] {
    const sections = new Map<string, Section>();
    for (const { name, versions } of servedGroups(this.#options.registry)) {
      for (const { version, resources } of versions) {
        const path = `${name === '' ? 'api' : 'apis'}/${formatApiVersion({ group: name, version })}`;
        const known = before.get(path);
        const same =
          known?.resources.length === resources.length &&
          resources.every((one, at) => one.type === known.resources[at]?.type);
        sections.set(path, same ? known : { resources, hash: this.#hash(resources), made: undefined });
      }
    }
    return sections;
  }

  /** Built-in types stay what they are while the process runs; others are told apart by all that they say. */
  #hash(resources: readonly ServedResource[]): string {
    const { release, dialect } = this.#options;
    const parts = [`${formatRelease(release)} ${dialect.name}`];
    for (const { type, version } of resources) {
      parts.push(`${type.group}/${version.version}/${type.resource}/${version.subresources.map(({ name }) => name)}`);
    }
    const custom = resources.filter(({ type }) => type.custom);
    if (custom.length > 0) parts.push(stringify(this.#document(custom)));
    return digest('sha512', parts.join('')).toString('hex').toUpperCase();
  }

  #document(resources: readonly ServedResource[]): JsonObject {
    return openapiDocument(resources, 'v3', this.#options.dialect, this.#options.release);
  }

  #second(request: IncomingRequest): TextAnswer {
    const told = this.#told;
    if (!told.whole) {
      const all = [...told.sections.values()].flatMap(({ resources }) => resources);
      const { dialect, release } = this.#options;
      told.whole = make(stringify(openapiDocument(all, 'v2', dialect, release)));
    }
    return document(request, told.whole, 'v2', 'no-cache, private');
  }

  #index(request: IncomingRequest): TextAnswer {
    const paths: JsonObject = {};
    for (const [path, { hash }] of this.#told.sections) {
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
    }
    chosenType(request, [JSON_TYPE]);
    const { json, etag } = make(stringify({ paths }));
    return reply(request, json, { etag, cache: 'no-cache, private', contentType: INDEX_TYPE });
  }

  #section(request: IncomingRequest, path: string): TextAnswer | undefined {
    const section = this.#told.sections.get(path);
    if (!section) return undefined;
    const asked = request.query.get('hash');
    if (asked && asked !== section.hash) {
      const location = `/openapi/v3/${path}?hash=${section.hash}`;
      return { kind: 'text', code: 301, contentType: 'text/plain; charset=utf-8', body: '', headers: { location } };
    }
    section.made ??= make(stringify(this.#document(section.resources)), section.hash);
    return document(request, section.made, 'v3', asked ? FOREVER : 'no-cache, private');
  }
}

function make(text: string, hash?: string): Made {
  const json = Buffer.from(text);
  return { json, etag: `"${hash ?? digest('sha512', json).toString('hex').toUpperCase()}"` };
}

function document(request: IncomingRequest, made: Made, flavor: Flavor, cache: string): TextAnswer {
  const [former, latter] = PROTOBUF_TYPES[flavor];
  const { json, etag } = made;
  const chosen = chosenType(request, [JSON_TYPE, latter, former]);
  if (chosen === JSON_TYPE) return reply(request, json, { etag, cache, contentType: JSON_TYPE });
  made.protobuf ??= openapiProtobuf(JSON.parse(Buffer.from(json).toString('utf8')) as JsonObject, flavor);
  return reply(request, made.protobuf, { etag, cache, contentType: latter });
}

interface ReplyAbout {
  readonly etag: string;
  readonly cache: string;
  readonly contentType: string;
}

function reply(request: IncomingRequest, body: Uint8Array, { etag, cache, contentType }: ReplyAbout): TextAnswer {
  const fresh = request.headers['if-none-match'] === etag;
  return {
    kind: 'text',
    code: fresh ? 304 : 200,
    contentType,
    body: fresh ? '' : body,
    headers: { etag, vary: 'Accept', 'cache-control': cache },
  };
}

/** The media types in which a document can be asked for in Protobuf, by its flavor; answers have the latter. */
const PROTOBUF_TYPES: Readonly<Record<Flavor, readonly [former: string, latter: string]>> = {
  v2: [
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  ],
  v3: [
    'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  ],
};

/** The best media type of an answer that the client accepts. Throws ApiError 406. */
function chosenType({ headers: { accept } }: IncomingRequest, types: readonly string[]): string {
  if (typeof accept !== 'string' || accept === '') return types[0] as string;
  for (const clause of parseAccept(accept)) {
    const found = types.find((type) => covers(clause, type));
    if (found !== undefined) return found;
  }
  throw new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);
}
