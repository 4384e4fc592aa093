import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { Json, JsonObject } from '../api/json.ts';
import type { Exchange, IncomingRequest } from '../api/request.ts';
import { methodNotAllowed, noSuchResource } from '../api/status.ts';
import { encodeDocument } from '../codecs/document.ts';
import { mediaTypesOf } from '../codecs/mediaType.ts';
import type { Negotiated } from '../codecs/negotiate.ts';
import { checkRoute, Negotiator } from '../codecs/negotiate.ts';
import { contentTypeOf } from '../codecs/representation.ts';
import type { Answer, TextAnswer } from '../contracts/answer.ts';
import type { Release } from '../contracts/release.ts';
import { formatRelease } from '../contracts/release.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { digest } from '../ports/hash.ts';
import { architecture, platform, runtime } from '../ports/host.ts';
import { groupDiscoveryList } from './aggregated.ts';
import { type Preference, type ServedGroup, servedGroups } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';

/** The first release that tells which one it behaves as and the oldest that it gets along with. */
const TELLS_EMULATION = 33;

/** `/version`: the release that the server behaves as. */
function versionDocument(release: Release): JsonObject {
  const [major, minor] = [String(release.major), String(release.minor)];
  return {
    major,
    minor,
    ...(release.minor < TELLS_EMULATION
      ? {}
      : {
          emulationMajor: major,
          emulationMinor: minor,
          minCompatibilityMajor: major,
          minCompatibilityMinor: String(release.minor - 1),
        }),
    gitVersion: `v${formatRelease(release)}.0`,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: runtime,
    compiler: 'v8',
    platform: `${platform}/${architecture === 'x64' ? 'amd64' : architecture}`,
  };
}

export interface DiscoveryOptions {
  readonly registry: ResourceRegistry;
  readonly dialect: Dialect;
  readonly follow: Follow;
  readonly release: Release;
  /** The version that each built-in group prefers; the best one served unless told. */
  readonly prefer?: Preference;
}

/** What answers requests for documents; undefined: not mine. */
export type Source = (exchange: Exchange) => Answer | undefined;

/**
 * Answers `/api`, `/apis`, what lies one and two levels below them, and `/version` from the types served now
 * (3/groups-and-paths). The documents are made once for each state of the registry.
 *
 * The source throws ApiError: 404 for a version that a built-in group does not have, 406 for encodings that discovery
 * does not have, and 405 for methods other than GET where a route leads to the document: `/version`, `/api` and the
 * versions of built-in groups. As in the real service nothing looks at the method of requests for the other documents.
 */
export function createDiscovery(options: DiscoveryOptions, made: MadeDiscovery = new WeakMap()): Source {
  const discovery = new Discovery(options, made);
  return (exchange) => discovery.answer(exchange);
}

/** What discovery says of the types of an edition. */
interface Told {
  readonly groups: readonly ServedGroup[];
  readonly aggregates: Map<string, { readonly body: Uint8Array; readonly etag: string }>;
}
export type MadeDiscovery = WeakMap<object, Told>;

class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #aggregated: Negotiator;
  readonly #types: readonly string[];
  readonly #made: MadeDiscovery;

  constructor(options: DiscoveryOptions, made: MadeDiscovery) {
    this.#options = options;
    this.#made = made;
    this.#aggregated = new Negotiator('aggregated', options.dialect, false, options.follow);
    this.#types = mediaTypesOf(options.dialect, false);
  }

  answer({ request }: Exchange): Answer | undefined {
    const segments = segmentsOf(request.path);
    const [root, group = '', version = ''] = segments;
    if (root === 'version' && segments.length === 1) {
      onlyGet(request);
      return { kind: 'document', code: 200, body: versionDocument(this.#options.release), jsonOnly: true };
    }
    const core = root === 'api' && segments.length <= 2;
    if (!core && (root !== 'apis' || segments.length > 3)) return undefined;
    if (core) return segments.length === 1 ? this.#root(request, true) : this.#resources(request, '', group);
    if (segments.length === 1) return this.#root(request, false);
    return segments.length === 2 ? this.#group(group) : this.#resources(request, group, version);
  }

  get #told(): Told {
    const { registry } = this.#options;
    let told = this.#made.get(registry.edition);
    if (!told) {
      told = { groups: servedGroups(registry, this.#options.prefer), aggregates: new Map() };
      this.#made.set(registry.edition, told);
    }
    return told;
  }
  get #groups(): readonly ServedGroup[] {
    return this.#told.groups;
  }

  /** `/api` and `/apis`, which can be had aggregated. */
  #root(request: IncomingRequest, core: boolean): Answer {
    const accept = acceptOf(request);
    const agreed = this.#aggregated.choose(accept);
    if (core) onlyGet(request);
    if (agreed?.transform) return this.#aggregate(request, core, agreed);
    if (!core) return document(apiGroupList(this.#groups));
    checkRoute(accept, this.#types, [], this.#options.follow);
    const own = this.#groups.find(({ name }) => name === '');
    return document(apiVersions(own, hostOf(request)));
  }

  #group(name: string): Answer | undefined {
    const group = this.#groups.find((one) => one.name === name && name !== '');
    return group && document(apiGroup(group));
  }

  #resources(request: IncomingRequest, name: string, version: string): Answer | undefined {
    const group = this.#groups.find((one) => one.name === name);
    const served = group?.versions.find((one) => one.version === version);
    if (!group || (!served && group.custom)) return undefined;
    if (!served) throw noSuchResource();
    if (!group.custom) {
      onlyGet(request);
      checkRoute(acceptOf(request), this.#types, [], this.#options.follow);
    }
    return document(apiResourceList(group, served));
  }

  #aggregate(request: IncomingRequest, core: boolean, agreed: Negotiated): TextAnswer {
    const { dialect } = this.#options;
    const version = agreed.transform?.version ?? 'v2';
    const name = `${core} ${version} ${agreed.format}`;
    const { groups: all, aggregates } = this.#told;
    let made = aggregates.get(name);
    if (!made) {
      const groups = all.filter((group) => (group.name === '') === core);
      const body = encodeDocument(groupDiscoveryList(groups, version, dialect), agreed.format, false, dialect);
      made = { body, etag: `"${digest('sha512', body).toString('hex').toUpperCase()}"` };
      aggregates.set(name, made);
    }
    const headers = { etag: made.etag, vary: 'Accept', 'cache-control': 'public' };
    const fresh = request.headers['if-none-match'] === made.etag;
    const type = contentTypeOf(agreed.format, dialect);
    return {
      kind: 'text',
      code: fresh ? 304 : 200,
      contentType: `${type};g=apidiscovery.${dialect.apiDomain};v=${version};as=APIGroupDiscoveryList`,
      body: fresh ? '' : made.body,
      headers,
    };
  }
}

/** Path segments; one slash at the end does not count. */
function segmentsOf(path: string): string[] {
  return (path.endsWith('/') ? path.slice(0, -1) : path).split('/').slice(1);
}

function acceptOf(request: IncomingRequest): string {
  const accept = request.headers.accept;
  return typeof accept === 'string' ? accept : '';
}

function hostOf(request: IncomingRequest): string {
  const host = request.headers.host ?? request.headers[':authority'];
  return typeof host === 'string' ? host : '';
}

function document(body: Json): Answer {
  return { kind: 'document', code: 200, body };
}

function onlyGet(request: IncomingRequest): void {
  if (request.method === 'GET') return;
  throw methodNotAllowed();
}
