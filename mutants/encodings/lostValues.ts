import {
  type ClauseName,
  ENCODED_VALUES,
  ENCODINGS,
  type EncodedValue,
  type Encoding,
} from '../../fixtures/ledger/index.ts';
import { isObject, type Json } from '../../reference/api/json.ts';
import { type ApiObject, asJson } from '../../reference/api/object.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import type { Mutant } from '../mutant.ts';

/** How values are lost that need more than an encoder or a decoder has room for. */
const LOST: Readonly<Record<EncodedValue, { readonly words: string; readonly of: (value: Json) => Json }>> = {
  integers: {
    words: 'Integers beyond 65535 lose what is beyond',
    of: (value) => (Number.isInteger(value) ? (value as number) % 65_536 : value),
  },
  fractions: {
    words: 'Fractions lose what is beyond the third place',
    of: (value) => (typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 1_000) / 1_000 : value),
  },
  texts: {
    words: 'Texts lose what is beyond the 255th character',
    of: (value) => (typeof value === 'string' ? value.slice(0, 255) : value),
  },
  lists: {
    words: 'Lists lose what is beyond the 255th item',
    of: (value) => (Array.isArray(value) ? value.slice(0, 255) : value),
  },
  maps: {
    words: 'Maps lose what is beyond the 255th member',
    of: (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 255)) : value),
  },
};

function throughout(value: Json, change: (value: Json) => Json): Json {
  const changed = change(value);
  if (Array.isArray(changed)) return changed.map((item) => throughout(item, change));
  if (!isObject(changed)) return changed;
  return Object.fromEntries(
    Object.entries(changed).map(([name, member]) => [name, throughout(member as Json, change)]),
  );
}

/** The same object with less in its `data`. */
function lessIn(object: ApiObject, change: (value: Json) => Json): ApiObject {
  const { data } = asJson(object);
  return data === undefined ? object : { ...object, data: throughout(data, change) };
}

const speaks = (header: string | readonly string[] | undefined, encoding: Encoding): boolean =>
  new RegExp(`^application/(vnd\\..*)?${encoding}$`).test(String(header ?? ''));

function losingReads(encoding: Encoding, change: (value: Json) => Json): Seams {
  return onVerbs(['get'], async (call, serve) => {
    const answer = await serve(call);
    if (answer.kind !== 'entry' || !speaks(call.exchange.request.headers.accept, encoding)) return answer;
    const { code, endpoint, entry } = answer;
    return { kind: 'object', code, endpoint, object: lessIn(entry.object, change) };
  });
}

function losingWrites(encoding: Encoding, change: (value: Json) => Json): Seams {
  return {
    admission: (chain) => ({
      ...chain,
      mutate: (attributes) => {
        const { object, exchange } = attributes;
        if (object && speaks(exchange.request.headers['content-type'], encoding))
          Object.assign(object, lessIn(object, change));
        return chain.mutate(attributes);
      },
    }),
  };
}

/** Values that one encoding has no room for, in answers or in bodies. */
export const LOST_VALUES: readonly Mutant[] = ENCODINGS.flatMap((encoding) =>
  ENCODED_VALUES.filter((what) => encoding !== 'protobuf' || what === 'texts' || what === 'maps').flatMap((what) =>
    (['read', 'written'] as const).map((way): Mutant => {
      const clause: ClauseName = `ENCODE-VALUE-01/${way}/${encoding}/${what}`;
      const { words, of } = LOST[what];
      return {
        id: `${what}-are-lost-when-${way}-in-${encoding}`,
        breaks: [clause],
        sentence: `${words} where they are ${way} in ${encoding}.`,
        defect: () => (way === 'read' ? losingReads(encoding, of) : losingWrites(encoding, of)),
      };
    }),
  ),
);
