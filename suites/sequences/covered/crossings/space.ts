import type { End, Together } from '../../../covering/covering.ts';

/** A type that rows of a crossing ask. */
export interface CrossedPlace {
  /** `widgets` */
  readonly name: string;
  /** Types of one group are written alike, so that what matters most meets each group and not each type. */
  readonly group: string;
  readonly subresources: readonly string[];
  readonly custom: boolean;
  readonly namespaced: boolean;
  /** Whether its messages are known whole, so that it is written in Protobuf. */
  readonly inProtobuf: boolean;
  /** Whether a server makes no objects of the type by itself, so that chunks hold those of the sequence alone. */
  readonly alone: boolean;
  /** Whether its lists are merged by keys, so that patches change metadata alone. */
  readonly isKeyed: boolean;
  /** Whether its objects go only after a while, so that none is taken away. */
  readonly isLasting: boolean;
  /** How many members of its contents are kept, and refused, each by itself. */
  readonly legal: number;
  readonly illegal: number;
  /** Whether its lists are of objects that may have unknown fields. */
  readonly hasInner: boolean;
  /** Whether part of it may not change. */
  readonly hasFixed: boolean;
  /** Parts that several managers apply, by name, and what each may become. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

/** Whether CBOR is spoken, among other encodings or in something of every row. */
export type Cbor = 'unspoken' | 'spoken' | 'always';

export const PATCHES = ['json', 'merge', 'strategic', 'apply'];
export const ACCEPTS = ['plain', 'yaml', 'cbor', 'protobuf', 'second', 'weighed'];
export const SHOWN = ['table', 'table-second', 'partial', 'partial-yaml', 'partial-protobuf'];
/** Who asks: `only` has this right and no other, `but` every right but this one, `beside` this one on other resources. */
const MAY_NOT = ['nobody', 'unknown', 'stranger', 'but', 'beside'];
export const SELECTORS = ['equal', 'unequal', 'in', 'notin', 'exists', 'missing', 'name', 'other-names', 'both'];

/** Which encodings are asked in; where all is about CBOR, beside it JSON alone. */
const SPOKEN: Readonly<Record<Cbor, (encoding: string) => boolean>> = {
  unspoken: (encoding) => encoding !== 'cbor',
  spoken: () => true,
  always: (encoding) => ['none', 'json', 'plain', 'cbor'].includes(encoding),
};

/** What the tables of some types share. */
export interface CrossedSpace {
  readonly types: readonly CrossedPlace[];
  /** The names of those types of which something holds. */
  readonly of: (holds: (type: CrossedPlace) => boolean) => readonly string[];
  readonly subs: readonly string[];
  /** Dimensions of where something is. */
  readonly place: { readonly group: readonly string[]; readonly type: readonly string[] };
  readonly part: { readonly sub: readonly string[] };
  readonly customs: readonly string[];
  /** Types without namespaces. */
  readonly cluster: readonly string[];
  readonly lasting: readonly string[];
  /** Values without those that are not spoken. */
  readonly spoken: (values: readonly string[]) => readonly string[];
  /** What cannot come together where CBOR is in every row, and these dimensions say what is in it. */
  readonly withoutCbor: (encoded: Readonly<Record<string, readonly string[]>>) => readonly Together[];
  /** Who asks, and those among them who may not; where all is about CBOR none of these. */
  readonly who: readonly string[];
  readonly refused: readonly string[];
  /** Who may not is told so, crossed with other things. */
  readonly refusedWith: (...shapes: End['with'][number][]) => readonly End[];
  /** Types of other groups than that of a row. */
  readonly ofGroup: readonly Together[];
  /** The same, and subresources and encodings that a type has not. */
  readonly without: readonly Together[];
  /** Custom types have no Protobuf: asked for it alone they are refused. */
  readonly protobuf: Together;
}

/** What the tables of some types share. */
export function crossedSpace(types: readonly CrossedPlace[], cbor: Cbor): CrossedSpace {
  const of = (holds: (type: CrossedPlace) => boolean): readonly string[] => types.filter(holds).map(({ name }) => name);
  const subs = [...new Set(types.flatMap(({ subresources }) => subresources))];
  const groups = [...new Set(types.map(({ group }) => group))];
  const customs = of(({ custom }) => custom);
  const ofGroup = groups.map((group) => ({ group: [group], type: of((type) => type.group !== group) }));
  const refused = cbor === 'always' ? [] : MAY_NOT;
  return {
    types,
    of,
    subs,
    place: { group: groups, type: of(() => true) },
    part: { sub: ['none', ...subs] },
    customs,
    cluster: of(({ namespaced }) => !namespaced),
    lasting: of(({ isLasting }) => isLasting),
    spoken: (values) => values.filter((value) => SPOKEN[cbor](value)),
    withoutCbor: (encoded) => {
      if (cbor !== 'always') return [];
      const others = Object.entries(encoded).map(([name, values]) => [
        name,
        values.filter((value) => value !== 'cbor'),
      ]);
      return [Object.fromEntries(others) as Together];
    },
    who: cbor === 'always' ? ['admin'] : ['admin', 'only', ...refused],
    refused,
    refusedWith: (...shapes) => (refused.length === 0 ? [] : [{ at: { who: refused }, with: shapes }]),
    ofGroup,
    without: [
      ...ofGroup,
      ...subs.map((sub) => ({ sub: [sub], type: of(({ subresources }) => !subresources.includes(sub)) })),
      { type: customs, accept: ['partial-protobuf'] },
    ],
    protobuf: { type: customs, accept: ['protobuf'] },
  };
}
