import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import { ApiError, notAcceptable } from '../api/status.ts';
import { type AcceptClause, covers, parseAccept, wildness } from './accept.ts';
import { JSON_TYPE, mediaTypesOf, YAML_TYPE } from './mediaType.ts';

export type Format = 'json' | 'yaml' | 'protobuf' | 'cbor';
export type TransformKind = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'APIGroupDiscoveryList';

/** A representation other than the object itself, asked for by `as`, `g` and `v`. */
export interface Transform {
  readonly kind: TransformKind;
  readonly version: string;
}
/** What was agreed on. */
export interface Negotiated {
  readonly format: Format;
  readonly transform: Transform | undefined;
  /** The `pretty` parameter of the media type. */
  readonly pretty: boolean;
}

/**
 * What is asked for: an object or list of a built-in type, one of a type made from a definition, a watch of
 * either, a document (discovery), a document that is JSON only (the version), a document that may also be asked for
 * aggregated, or a Status.
 */
export type Form =
  | 'object'
  | 'customObject'
  | 'watch'
  | 'customWatch'
  | 'document'
  | 'jsonDocument'
  | 'aggregated'
  | 'status';

/**
 * Chooses among the encodings of one kind of answer. What an Accept header leads to is remembered, so that the
 * usual request is answered by one look-up.
 */
export class Negotiator {
  readonly #form: Form;
  readonly #dialect: Dialect;
  /** Whether a quality of 0 means that a media type is not wanted. */
  readonly #refuses: boolean;
  readonly #types: readonly string[];
  readonly #known = new Map<string, Negotiated | ApiError>();

  /** @param cbor whether the gate CBORServingAndStorage is on and the answer can be had in CBOR */
  constructor(form: Form, dialect: Dialect, cbor: boolean, follow: Follow) {
    this.#form = form;
    this.#dialect = dialect;
    this.#refuses = !departs(follow, 'accept-quality-zero');
    this.#types = form === 'jsonDocument' ? [JSON_TYPE] : mediaTypesOf(dialect, cbor);
  }

  /** @throws ApiError 406 when no clause of the header can be met */
  negotiate(accept: string): Negotiated {
    let known = this.#known.get(accept);
    if (!known) {
      known = this.#choose(accept) ?? notAcceptable(this.#offered(accept));
      if (accept.length <= LONGEST_REMEMBERED) {
        if (this.#known.size >= REMEMBERED) this.#known.clear();
        this.#known.set(accept, known);
      }
    }
    if (known instanceof ApiError) throw notAcceptable(this.#offered(accept));
    return known;
  }

  /** The same without the refusal. */
  choose(accept: string): Negotiated | undefined {
    try {
      return this.negotiate(accept);
    } catch {
      return undefined;
    }
  }

  /** What a refusal names: streams where only being a watch stands against what was asked for. */
  #offered(accept: string): readonly string[] {
    if (!this.#form.endsWith('atch') || !this.#choose(accept, true)) return this.#types;
    return this.#types.filter((type) => type !== YAML_TYPE).map((type) => `${type};stream=watch`);
  }

  /** @param still whether it is for an answer that is no stream */
  #choose(accept: string, still = !this.#form.endsWith('atch')): Negotiated | undefined {
    if (accept === '') return { format: 'json', transform: undefined, pretty: false };
    const clauses = parseAccept(accept);
    const refusedAt = this.#refuses ? this.#types.map((type) => leastWildness(clauses, type)) : [];
    for (const clause of clauses) {
      if (this.#refuses && clause.refused) continue;
      for (const [at, type] of this.#types.entries()) {
        if (!covers(clause, type)) continue;
        // Of two clauses the one that says more of a media type counts.
        if (this.#refuses && (refusedAt[at] as number) < wildness(clause)) continue;
        const found = this.#meet(clause, type, still);
        if (found) return found;
      }
    }
    return undefined;
  }

  #meet(clause: AcceptClause, type: string, still: boolean): Negotiated | undefined {
    const { parameters } = clause;
    const stream = parameters.get('stream') ?? '';
    if (stream !== '' && (stream !== 'watch' || type === YAML_TYPE)) return undefined;
    if (!still && type === YAML_TYPE) return undefined;
    if (parameters.has('sv') && parameters.get('sv') !== '') return undefined;
    const format = FORMATS[type.slice(type.lastIndexOf('.') + 1)] ?? (type.slice(type.indexOf('/') + 1) as Format);
    const asked = parameters.has('as') || parameters.has('g') || parameters.has('v');
    const transform = asked ? this.#transform(parameters, format) : undefined;
    if (asked ? !transform : !this.#plain(format)) return undefined;
    return { format, transform, pretty: parameters.get('pretty') === '1' };
  }

  /** Whether the thing itself is served in a format: types made from definitions have no Protobuf. */
  #plain(format: Format): boolean {
    if (this.#form === 'aggregated') return false;
    return !this.#form.startsWith('custom') || format !== 'protobuf';
  }

  #transform(parameters: ReadonlyMap<string, string>, format: Format): Transform | undefined {
    const kind = parameters.get('as') ?? '';
    const version = parameters.get('v') ?? '';
    const group = parameters.get('g') ?? '';
    if (this.#form === 'aggregated') {
      const known = kind === 'APIGroupDiscoveryList' && (version === 'v2' || version === 'v2beta1');
      return known && group === groupName(this.#dialect, 'apidiscovery') ? { kind, version } : undefined;
    }
    if (this.#form.endsWith('ocument') || this.#form === 'status') return undefined;
    if (group !== groupName(this.#dialect, 'meta') || (version !== 'v1' && version !== 'v1beta1')) return undefined;
    if (kind === 'Table') return format === 'json' || format === 'yaml' ? { kind, version } : undefined;
    return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList' ? { kind, version } : undefined;
  }
}

/** How much the refusal that says most of a media type leaves open; infinity where none is about it. */
function leastWildness(clauses: readonly AcceptClause[], type: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (const clause of clauses) {
    if (clause.refused && wildness(clause) < least && covers(clause, type)) least = wildness(clause);
  }
  return least;
}

/** Accept headers remembered by one negotiator before it starts anew, and characters of the longest. */
const REMEMBERED = 500;
const LONGEST_REMEMBERED = 1024;
const FORMATS: Readonly<Record<string, Format>> = { protobuf: 'protobuf' };

/**
 * Whether the routing of a built-in endpoint lets an Accept header pass at all. It looks at no parameters, and it is
 * asked before anything else is done.
 * @throws ApiError 406 in the words of the routing
 */
export function checkRoute(accept: string, types: readonly string[], streams: readonly string[], follow: Follow): void {
  if (accept === '' || accept === JSON_TYPE || accept === '*/*') return;
  for (const part of accept.split(',')) {
    const end = part.indexOf(';');
    const type = (end < 0 ? part : part.slice(0, end)).trim();
    if (type === '*/*' || types.includes(type) || streams.includes(type)) return;
    if (type.endsWith('/*') && !departs(follow, 'accept-partial-wildcard')) {
      const under = type.slice(0, -1);
      if (types.some((known) => known.startsWith(under))) return;
    }
  }
  throw new ApiError(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${[...types, ...streams].join(', ')}`,
    {},
  );
}
