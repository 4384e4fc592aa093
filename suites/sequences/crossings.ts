import type { Crossing, Together } from './covering.ts';

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
}

/** What is asked: each kind of request has dimensions of its own. */
export type Asking = 'writes' | 'removals' | 'sweeps' | 'reads' | 'lists' | 'watches' | 'larges';

const PATCHES = ['json', 'merge', 'strategic', 'apply'];
const OTHERS = ['create', 'update', 'json', 'merge', 'strategic'];
const ACCEPTS = ['plain', 'yaml', 'cbor', 'protobuf', 'second', 'weighed'];
const SHOWN = ['table', 'table-second', 'partial', 'partial-yaml', 'partial-protobuf'];
/** Who asks: `only` has this right and no other, `but` every right but this one, `beside` this one on other resources. */
const REFUSED = ['nobody', 'stranger', 'but', 'beside'];
const WHO = ['admin', 'only', ...REFUSED];
const SELECTORS = ['equal', 'unequal', 'in', 'notin', 'exists', 'missing', 'name', 'other-names'];
const SOME = ['top', 'metadata', 'several'];

/**
 * The spaces of combinations of some types. Each table is what can vary in one kind of request, and what cannot.
 * @param cbor whether it is spoken
 */
export function crossingsOf(types: readonly CrossedPlace[], cbor: boolean): Readonly<Record<Asking, Crossing>> {
  const of = (holds: (type: CrossedPlace) => boolean): readonly string[] => types.filter(holds).map(({ name }) => name);
  const subs = [...new Set(types.flatMap(({ subresources }) => subresources))];
  const groups = [...new Set(types.map(({ group }) => group))];
  const place = { group: groups, type: of(() => true) };
  const part = { sub: ['none', ...subs] };
  const customs = of(({ custom }) => custom);
  const cluster = of(({ namespaced }) => !namespaced);
  const keyed = of(({ isKeyed }) => isKeyed);
  const spoken = (values: readonly string[]) => values.filter((value) => cbor || !value.includes('cbor'));
  const ofGroup = groups.map((group) => ({ group: [group], type: of((type) => type.group !== group) }));
  const without: readonly Together[] = [
    ...ofGroup,
    ...subs.map((sub) => ({ sub: [sub], type: of(({ subresources }) => !subresources.includes(sub)) })),
    // Custom types have no Protobuf.
    { type: customs, accept: ['protobuf', 'partial-protobuf'] },
  ];
  const refused = { at: { who: REFUSED }, with: [['group']] };

  return {
    writes: {
      dimensions: {
        verb: ['create', 'update', ...PATCHES],
        ...place,
        ...part,
        form: spoken(['json', 'yaml', 'cbor', 'protobuf']),
        accept: spoken(ACCEPTS),
        dryRun: ['none', 'All', 'Some'],
        fields: ['none', 'Strict', 'Warn', 'Ignore'],
        stranger: ['none', ...SOME],
        manager: ['named', 'agent', 'missing'],
        force: ['no', 'yes'],
        state: ['absent', 'there', 'owned', 'held', 'leaving'],
        version: ['none', 'current', 'stale'],
        who: WHO,
        content: [
          ...['change', 'same', 'removal', 'empty', 'finalizers', 'freed', 'born', 'dying', 'generated'],
          ...['cleared', 'whole', 'typed', 'renamed', 'elsewhere', 'kind', 'copy', 'move', 'escape', 'test'],
        ],
      },
      deeply: [
        ['group', 'verb', 'sub', 'form'],
        ['group', 'verb', 'sub', 'dryRun'],
        ['group', 'verb', 'content'],
        ['group', 'verb', 'fields'],
        ['group', 'verb', 'manager'],
        ['group', 'verb', 'state'],
        ['verb', 'fields', 'stranger'],
        ['verb', 'state', 'dryRun'],
      ],
      ends: [
        { at: { dryRun: ['Some'] }, with: [['group', 'verb', 'sub'], ['form']] },
        {
          at: { who: REFUSED },
          with: [
            ['verb', 'dryRun'],
            ['group', 'sub'],
          ],
        },
        { at: { version: ['stale'] }, with: [['group', 'verb', 'sub'], ['verb', 'dryRun'], ['state'], ['force']] },
        { at: { content: ['typed', 'renamed'] }, with: [['group', 'verb', 'sub'], ['dryRun'], ['form'], ['fields']] },
        { at: { content: ['elsewhere', 'kind'] }, with: [['group', 'verb'], ['dryRun'], ['form']] },
        { at: { content: ['test'] }, with: [['group'], ['dryRun']] },
        { at: { manager: ['missing'] }, with: [['group', 'sub'], ['force'], ['dryRun'], ['form']] },
        {
          at: { fields: ['Strict'], stranger: SOME },
          with: [['group', 'verb', 'sub'], ['verb', 'dryRun'], ['form'], ['state'], ['force']],
        },
        {
          at: { verb: ['create'], state: ['there', 'owned', 'held', 'leaving'] },
          with: [['group'], ['dryRun'], ['form'], ['type']],
        },
        {
          at: { verb: ['json', 'merge', 'strategic'], state: ['absent'] },
          with: [['type'], ['group', 'sub'], ['dryRun']],
        },
        { at: { verb: ['strategic'], type: customs }, with: [['sub'], ['dryRun']] },
        { at: { verb: ['apply'], content: ['cleared'] }, with: [['group'], ['force'], ['form']] },
        {
          at: { verb: ['apply'], state: ['owned'], force: ['no'] },
          with: [['type'], ['group', 'sub'], ['dryRun'], ['form'], ['content']],
        },
        { at: { state: ['leaving'], content: ['finalizers'] }, with: [['verb'], ['group'], ['dryRun']] },
        { at: { verb: ['apply'], state: ['absent'], who: ['only'] }, with: [['group'], ['dryRun']] },
      ],
      never: [
        ...without,
        // Patches have one form, and applies have no Protobuf.
        { verb: ['json', 'merge', 'strategic'], form: ['yaml', 'cbor', 'protobuf'] },
        { verb: ['apply'], form: ['protobuf'] },
        { type: of(({ inProtobuf }) => !inProtobuf), form: ['protobuf'] },
        { sub: subs, form: ['protobuf'] },
        { form: ['protobuf'], content: ['typed', 'cleared', 'born', 'dying', 'kind'] },
        { form: ['protobuf'], stranger: SOME },
        // The manager of an apply is a parameter, and that of others may be.
        { verb: ['apply'], manager: ['agent'] },
        { verb: OTHERS, manager: ['missing'] },
        { verb: OTHERS, force: ['yes'] },
        // What becomes of unknown fields of an apply that are not refused is open.
        { verb: ['apply'], fields: ['none', 'Warn', 'Ignore'], stranger: SOME },
        // A JSON patch adds what is unknown at the top.
        { verb: ['json'], stranger: ['metadata', 'several'] },
        // Whether a PUT creates is open.
        { verb: ['update'], state: ['absent'] },
        // What has no version yet names none, and a custom object is replaced at a version alone.
        { state: ['absent'], version: ['current', 'stale'] },
        { verb: ['create'], version: ['current', 'stale'] },
        { type: customs, verb: ['update'], version: ['none'] },
        { content: ['generated', 'elsewhere'], verb: ['update', ...PATCHES] },
        { content: ['generated'], state: ['there', 'owned', 'held', 'leaving'] },
        { content: ['same', 'removal', 'freed', 'cleared', 'renamed', 'whole'], verb: ['create'] },
        { content: ['same', 'removal', 'freed', 'cleared'], state: ['absent'] },
        // Records are cleared by what changes nothing else, as what becomes of both at once is open.
        { content: ['cleared'], stranger: SOME },
        { content: ['born', 'dying', 'kind'], verb: PATCHES },
        // What only a JSON patch can say.
        { content: ['copy', 'move', 'escape', 'test'], verb: ['create', 'update', 'merge', 'strategic', 'apply'] },
        { content: ['copy', 'move', 'escape', 'test'], sub: subs },
        // What says nothing says nothing wrong either.
        { content: ['same'], stranger: SOME },
        // Through a subresource goes what is its own; `whole` says more, which is overlooked.
        { sub: subs, verb: ['create'] },
        {
          sub: subs,
          content: [
            ...['removal', 'empty', 'finalizers', 'freed', 'born', 'dying', 'generated'],
            ...['cleared', 'elsewhere', 'kind'],
          ],
        },
        { sub: ['none'], content: ['whole'] },
        { sub: subs, stranger: ['metadata', 'several'] },
        { sub: ['scale'], verb: ['strategic', 'apply'] },
        { sub: ['scale'], stranger: ['top'] },
        { sub: ['scale'], content: ['same', 'whole', 'renamed'] },
        { sub: subs, verb: ['apply'], content: ['renamed', 'whole', 'same'] },
        { sub: subs, verb: ['apply'], state: ['absent'] },
        // Nothing but metadata of what is merged by keys.
        { type: keyed, verb: ['strategic', 'merge', 'json'], content: ['typed'] },
      ],
    },

    removals: {
      dimensions: {
        ...place,
        options: spoken(['none', 'json', 'yaml', 'cbor']),
        says: ['nothing', 'uid', 'version', 'other-uid', 'stale'],
        dryRun: ['none', 'query', 'body', 'both', 'query-Some', 'body-Some'],
        more: ['nothing', 'Background', 'Orphan', 'grace', 'no-policy', 'no-grace'],
        state: ['there', 'held', 'leaving', 'absent'],
        accept: spoken(ACCEPTS),
        who: WHO,
      },
      deeply: [
        ['options', 'dryRun', 'state'],
        ['group', 'dryRun'],
      ],
      ends: [
        { at: { who: REFUSED }, with: [['group'], ['dryRun']] },
        { at: { says: ['other-uid', 'stale'] }, with: [['group'], ['options', 'dryRun'], ['state']] },
        { at: { dryRun: ['query-Some', 'body-Some'] }, with: [['group'], ['options']] },
        { at: { more: ['no-policy', 'no-grace'] }, with: [['options']] },
        { at: { state: ['absent'] }, with: [['group'], ['options'], ['dryRun']] },
      ],
      never: [
        ...without,
        { options: ['none'], says: ['uid', 'version', 'other-uid', 'stale'] },
        { options: ['none'], dryRun: ['body', 'both', 'body-Some'] },
        // Where a body comes with parameters the service departs from the text.
        { options: ['json', 'yaml', 'cbor'], dryRun: ['query', 'query-Some'] },
        { state: ['absent'], says: ['uid', 'version', 'stale'] },
      ],
    },

    sweeps: {
      dimensions: {
        ...place,
        options: spoken(['none', 'json', 'yaml', 'cbor']),
        dryRun: ['none', 'query', 'body', 'both', 'query-Some'],
        more: ['nothing', 'Background', 'Orphan', 'grace'],
        selector: ['equal', 'in', 'exists', 'name'],
        state: ['there', 'held'],
        who: WHO,
      },
      deeply: [['options', 'dryRun', 'state']],
      ends: [refused, { at: { dryRun: ['query-Some'] }, with: [['group']] }],
      never: [
        ...ofGroup,
        { options: ['none'], dryRun: ['body', 'both'] },
        { options: ['json', 'yaml', 'cbor'], dryRun: ['query', 'query-Some'] },
      ],
    },

    reads: {
      dimensions: {
        ...place,
        ...part,
        accept: spoken([...ACCEPTS, ...SHOWN, 'none']),
        state: ['there', 'leaving', 'absent'],
        version: ['none', 'current'],
        who: WHO,
      },
      deeply: [['type', 'sub', 'accept']],
      ends: [
        refused,
        { at: { accept: ['none'] }, with: [['type'], ['sub']] },
        { at: { state: ['absent'] }, with: [['type']] },
      ],
      never: [...without, { sub: subs, accept: SHOWN }],
    },

    lists: {
      dimensions: {
        ...place,
        scope: ['one', 'all'],
        accept: spoken([...ACCEPTS, ...SHOWN, 'none']),
        version: ['none', 'exact', 'not-older', 'exact-of-none', 'not-older-than-none'],
        selector: ['own', ...SELECTORS],
        limit: ['none', 'walk'],
        who: WHO,
      },
      deeply: [
        ['group', 'scope', 'accept'],
        ['scope', 'version', 'limit'],
        ['group', 'version', 'limit'],
        ['accept', 'limit'],
      ],
      ends: [
        { at: { who: REFUSED }, with: [['group', 'scope']] },
        { at: { accept: ['none'] }, with: [['group', 'scope']] },
        { at: { version: ['exact-of-none', 'not-older-than-none'] }, with: [['group'], ['scope', 'limit']] },
      ],
      never: [
        ...without,
        { type: cluster, scope: ['one'] },
        { type: of(({ alone }) => !alone), limit: ['walk'] },
        // Of a walk with a selector, what a chunk holds is open, and beyond the namespace others have objects.
        { limit: ['walk'], selector: SELECTORS },
        { limit: ['walk'], scope: ['all'], type: of(({ custom }) => !custom) },
        { limit: ['walk'], version: ['not-older'] },
        { limit: ['walk'], who: REFUSED },
      ],
    },

    // Of what is large an answer may be compressed.
    larges: {
      dimensions: {
        ...place,
        verb: ['get', 'list'],
        scope: ['one', 'all'],
        accept: spoken(['plain', 'yaml', 'cbor', 'protobuf', 'table', 'partial']),
        encoding: ['none', 'gzip', 'no-gzip'],
      },
      deeply: [
        ['group', 'verb', 'accept'],
        ['group', 'verb', 'scope'],
        ['verb', 'accept', 'encoding'],
      ],
      ends: [],
      never: [...without, { type: cluster, scope: ['one'], verb: ['list'] }, { verb: ['get'], scope: ['all'] }],
    },

    watches: {
      dimensions: {
        ...place,
        scope: ['one', 'all'],
        accept: ['plain', 'table', 'partial'],
        from: ['list', 'object', 'none', 'initial', 'initial-of-none'],
        bookmarks: ['no', 'yes'],
        selector: ['own', ...SELECTORS],
        who: WHO,
      },
      deeply: [
        ['group', 'scope', 'accept'],
        ['group', 'scope', 'from'],
        ['group', 'scope', 'selector'],
      ],
      ends: [refused, { at: { from: ['initial-of-none'] }, with: [['group'], ['scope']] }],
      never: [...ofGroup, { type: cluster, scope: ['one'] }],
    },
  };
}
