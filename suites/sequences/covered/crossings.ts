import type { Crossing, Together } from '../../covering/covering.ts';
import { BECOMING } from './applying.ts';

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

/** What is asked: each kind of request has dimensions of its own. */
export type Asking =
  | 'writes'
  | 'contents'
  | 'applies'
  | 'refusals'
  | 'removals'
  | 'sweeps'
  | 'reads'
  | 'lists'
  | 'watches'
  | 'larges'
  | 'misplaced';

const PATCHES = ['json', 'merge', 'strategic', 'apply'];
const OTHERS = ['create', 'update', 'json', 'merge', 'strategic'];
const ACCEPTS = ['plain', 'yaml', 'cbor', 'protobuf', 'second', 'weighed'];
const SHOWN = ['table', 'table-second', 'partial', 'partial-yaml', 'partial-protobuf'];
/** Who asks: `only` has this right and no other, `but` every right but this one, `beside` this one on other resources. */
const REFUSED = ['nobody', 'unknown', 'stranger', 'but', 'beside'];
const WHO = ['admin', 'only', ...REFUSED];
const SELECTORS = ['equal', 'unequal', 'in', 'notin', 'exists', 'missing', 'name', 'other-names'];
/** What only a JSON patch can say. */
const POINTING = ['copy', 'move', 'escape', 'tilde', 'test', 'tested', 'take', 'append', 'insert', 'exchange'];
const NO_VERSION = ['exact-of-none', 'not-older-than-none', 'exact-of-zero'];
const SOME = ['top', 'metadata', 'several', 'inner'];

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
  const lasting = of(({ isLasting }) => isLasting);
  const numbered = (word: 'legal' | 'illegal'): readonly string[] =>
    Array.from({ length: Math.max(...types.map((type) => type[word])) }, (_, at) => `${word}${at}`);
  const spoken = (values: readonly string[]) => values.filter((value) => cbor || !value.includes('cbor'));
  const ofGroup = groups.map((group) => ({ group: [group], type: of((type) => type.group !== group) }));
  const without: readonly Together[] = [
    ...ofGroup,
    ...subs.map((sub) => ({ sub: [sub], type: of(({ subresources }) => !subresources.includes(sub)) })),
    { type: customs, accept: ['partial-protobuf'] },
  ];
  // Custom types have no Protobuf: asked for it alone they are refused.
  const protobuf: Together = { type: customs, accept: ['protobuf'] };
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
        state: ['absent', 'former', 'there', 'owned', 'held', 'leaving'],
        version: ['none', 'current', 'stale'],
        who: WHO,
        content: [
          ...['change', 'same', 'removal', 'empty', 'hollow', 'nulls', 'odd', 'born', 'dying', 'generated'],
          ...['reordered', 'added', 'first-off', 'last-off', 'freed', 'fixed'],
          ...['cleared', 'whole', 'typed', 'renamed', 'elsewhere', 'kind', 'list'],
          ...POINTING,
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
        { at: { content: ['list'] }, with: [['type', 'dryRun'], ['form']] },
        { at: { content: ['elsewhere', 'kind'] }, with: [['group', 'verb', 'sub'], ['dryRun'], ['form']] },
        { at: { content: ['test', 'tilde'] }, with: [['group'], ['dryRun']] },
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
        { at: { state: ['leaving'], content: ['added'] }, with: [['verb'], ['group'], ['dryRun']] },
        { at: { content: ['fixed'] }, with: [['type', 'verb', 'version'], ['verb', 'dryRun'], ['form']] },
        { at: { verb: ['apply'], state: ['absent', 'former'], who: ['only'] }, with: [['group'], ['dryRun']] },
      ],
      never: [
        ...without,
        protobuf,
        // Patches have one form, and applies have no Protobuf.
        { verb: ['json', 'merge', 'strategic'], form: ['yaml', 'cbor', 'protobuf'] },
        { verb: ['apply'], form: ['protobuf'] },
        { type: of(({ inProtobuf }) => !inProtobuf), form: ['protobuf'] },
        { sub: subs, form: ['protobuf'] },
        { form: ['protobuf'], content: ['list', 'typed', 'cleared', 'born', 'dying', 'kind', 'nulls', 'fixed'] },
        { form: ['protobuf'], stranger: SOME },
        // The manager of an apply is a parameter, and that of others may be.
        { verb: ['apply'], manager: ['agent'] },
        { verb: OTHERS, manager: ['missing'] },
        { verb: OTHERS, force: ['yes'] },
        // What becomes of unknown fields of an apply that are not refused is open.
        { verb: ['apply'], fields: ['none', 'Warn', 'Ignore'], stranger: SOME },
        // A JSON patch adds what is unknown at the top.
        { verb: ['json'], stranger: ['metadata', 'several'] },
        { sub: subs, stranger: ['inner'] },
        { content: ['list'], stranger: SOME },
        // Whether a PUT creates is open.
        { verb: ['update'], state: ['absent', 'former'] },
        { verb: ['json', 'merge', 'strategic'], state: ['former'] },
        { sub: subs, state: ['former'] },
        { content: ['generated', 'elsewhere', 'list'], state: ['former'] },
        { type: lasting, state: ['former'] },
        // What has no version yet names none, and a custom object is replaced at a version alone.
        { state: ['absent', 'former'], version: ['current', 'stale'] },
        { verb: ['create'], version: ['current', 'stale'] },
        { type: customs, verb: ['update'], version: ['none'] },
        { content: ['generated'], verb: ['update', ...PATCHES] },
        { content: ['elsewhere'], type: cluster },
        { content: ['elsewhere'], sub: ['none'], state: ['absent', 'former'], verb: ['update', ...PATCHES] },
        // What strategic merges and applies make of lists of finalizers the text does not say.
        { content: ['reordered', 'first-off', 'last-off'], verb: ['strategic', 'apply'] },
        { content: ['nulls'], verb: ['apply'] },
        { content: ['fixed'], type: of(({ hasFixed }) => !hasFixed) },
        { content: ['fixed'], verb: ['create'] },
        { content: ['fixed'], state: ['absent', 'former'] },
        { stranger: ['inner'], type: of(({ hasInner }) => !hasInner) },
        { stranger: ['inner'], content: ['fixed', 'test', 'tilde', 'born', 'dying', 'same', 'cleared'] },
        { content: ['generated'], state: ['there', 'owned', 'held', 'leaving'] },
        { content: ['same', 'removal', 'freed', 'cleared', 'renamed', 'whole'], verb: ['create'] },
        { content: ['same', 'removal', 'freed', 'cleared'], state: ['absent', 'former'] },
        // Records are cleared by what changes nothing else, as what becomes of both at once is open.
        { content: ['cleared'], stranger: SOME },
        { content: ['born', 'dying', 'kind'], verb: PATCHES },
        // What only a JSON patch can say.
        { content: POINTING, verb: ['create', 'update', 'merge', 'strategic', 'apply'] },
        { content: POINTING, sub: subs },
        { content: ['tested'], state: ['owned', 'absent', 'former'] },
        { content: ['tested'], version: ['stale'] },
        { content: ['list'], verb: ['update', ...PATCHES] },
        { content: ['take', 'append', 'insert', 'exchange'], state: ['there', 'owned', 'absent'] },
        { content: ['append', 'insert', 'exchange'], state: ['leaving'] },
        // What says nothing says nothing wrong either.
        { content: ['same'], stranger: SOME },
        // Through a subresource goes what is its own; `whole` says more, which is overlooked.
        { sub: subs, verb: ['create'] },
        {
          sub: subs,
          content: [
            ...['removal', 'empty', 'hollow', 'nulls', 'odd', 'born', 'dying', 'generated', 'cleared', 'kind'],
            ...['reordered', 'added', 'first-off', 'last-off', 'freed', 'fixed'],
          ],
        },
        { sub: ['none'], content: ['whole'] },
        { sub: subs, stranger: ['metadata', 'several'] },
        { sub: ['scale'], verb: ['strategic', 'apply'] },
        { sub: ['scale'], stranger: ['top'] },
        { sub: ['scale'], content: ['same', 'whole', 'renamed', 'elsewhere'] },
        { sub: subs, verb: ['apply'], content: ['renamed', 'whole', 'same', 'elsewhere'] },
        { type: lasting, state: ['leaving'] },
        { sub: subs, verb: ['apply'], state: ['absent'] },
        // Nothing but metadata of what is merged by keys.
        { type: keyed, verb: ['strategic', 'merge', 'json'], content: ['typed'] },
      ],
    },

    // Each member that is kept, or refused, by every verb.
    contents: {
      dimensions: {
        verb: ['create', 'update', ...PATCHES],
        ...place,
        content: [...numbered('legal'), ...numbered('illegal')],
        form: spoken(['json', 'yaml', 'cbor']),
        dryRun: ['none', 'All'],
        fields: ['none', 'Strict', 'Ignore'],
        state: ['absent', 'there'],
      },
      deeply: [['type', 'content']],
      ends: [{ at: { content: numbered('illegal') }, with: [['type'], ['verb'], ['dryRun'], ['form'], ['fields']] }],
      never: [
        ...ofGroup,
        { type: customs, verb: ['strategic'] },
        { verb: ['json', 'merge', 'strategic'], form: ['yaml', 'cbor'] },
        { verb: ['update', 'json', 'merge', 'strategic'], state: ['absent'] },
        { verb: ['create'], state: ['there'] },
        ...[...numbered('legal'), ...numbered('illegal')].map((content) => {
          const word = content.startsWith('legal') ? 'legal' : 'illegal';
          return { content: [content], type: of((type) => type[word] <= Number(content.slice(word.length))) };
        }),
      ],
    },

    // One part, by who owned it before, and what an apply makes of it.
    applies: {
      dimensions: {
        ...place,
        part: types.flatMap(({ parts }) => Object.keys(parts)),
        owner: ['none', 'updated', 'own', 'applied', 'shared'],
        becomes: ['left', ...new Set(types.flatMap(({ parts }) => Object.values(parts).flat()))],
        force: ['no', 'yes'],
        form: spoken(['json', 'yaml', 'cbor']),
        dryRun: ['none', 'All'],
      },
      deeply: [['owner', 'becomes', 'force']],
      ends: [],
      never: [
        ...ofGroup,
        ...types.flatMap(({ name, parts }): readonly Together[] =>
          Object.entries(parts).flatMap(([part, all]) => [
            { part: [part], type: of((type) => type.name !== name) },
            { part: [part], becomes: BECOMING.filter((each) => !all.includes(each)) },
          ]),
        ),
        { type: of(({ parts }) => Object.keys(parts).length === 0) },
      ],
    },

    // Whoever may not is refused for that, whatever else is wrong with a request.
    refusals: {
      dimensions: {
        verb: ['create', 'update', ...PATCHES],
        ...place,
        flaw: [
          ...['no-object', 'garbled', 'typed', 'kind', 'elsewhere', 'renamed', 'stale', 'absent'],
          ...['dryRun', 'stranger', 'form', 'accept', 'fields'],
        ],
        who: REFUSED,
      },
      deeply: [
        ['verb', 'flaw'],
        ['who', 'flaw'],
      ],
      ends: [],
      never: [...ofGroup, { flaw: ['stale', 'absent'], verb: ['create'] }, { flaw: ['elsewhere'], type: cluster }],
    },

    // What is asked for where it is not.
    misplaced: {
      dimensions: {
        ...place,
        verb: ['get', 'list', 'watch', 'create', 'update', ...PATCHES, 'delete', 'deletecollection'],
        who: ['admin', 'unknown'],
        where: ['other-scope', 'other-version', 'other-group', 'other-type', 'other-sub', 'sub-of-all', 'swapped'],
        accept: ['plain', 'yaml', 'table'],
        dryRun: ['none', 'All'],
      },
      deeply: [],
      ends: [
        { at: { verb: ['get'], who: ['admin'] }, with: [['type', 'where']] },
        { at: { who: ['unknown'] }, with: [['verb'], ['where']] },
      ],
      never: [
        ...ofGroup,
        { verb: ['get', 'list', 'watch'], dryRun: ['All'] },
        { verb: ['list', 'watch', 'deletecollection', 'create'], where: ['other-sub', 'sub-of-all'] },
        // A DELETE is of one or of all.
        { verb: ['get', 'list', 'watch', 'delete', 'deletecollection'], where: ['swapped'] },
        // A collection of a namespaced type without its namespace is that of all; what writes to it do is open.
        {
          where: ['other-scope'],
          verb: ['list', 'watch', 'create', 'deletecollection'],
          type: of(({ namespaced }) => namespaced),
        },
        { where: ['other-scope'], type: lasting },
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
        protobuf,
        { options: ['none'], says: ['uid', 'version', 'other-uid', 'stale'] },
        { options: ['none'], dryRun: ['body', 'both', 'body-Some'] },
        // Where a body comes with parameters the service departs from the text.
        { options: ['json', 'yaml', 'cbor'], dryRun: ['query', 'query-Some'] },
        { state: ['absent'], says: ['uid', 'version', 'stale'] },
        { type: lasting, dryRun: ['none'] },
        { type: lasting, state: ['leaving'] },
      ],
    },

    sweeps: {
      dimensions: {
        ...place,
        options: spoken(['none', 'json', 'yaml', 'cbor']),
        dryRun: ['none', 'query', 'body', 'both', 'query-Some'],
        more: ['nothing', 'Background', 'Orphan', 'grace', 'pretty', 'timeout', 'odd-limit', 'no-policy'],
        selector: ['equal', 'in', 'exists', 'name', 'both'],
        state: ['there', 'held'],
        who: WHO,
      },
      deeply: [
        ['options', 'dryRun', 'state'],
        ['group', 'dryRun', 'selector'],
      ],
      ends: [
        refused,
        { at: { dryRun: ['query-Some'] }, with: [['group']] },
        { at: { more: ['odd-limit', 'no-policy'] }, with: [['group'], ['options']] },
      ],
      never: [
        ...ofGroup,
        // Namespaces have no deletion of all.
        { type: lasting },
        { options: ['json', 'yaml', 'cbor'], more: ['pretty', 'timeout', 'odd-limit'] },
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
        { at: protobuf, with: [['sub'], ['state']] },
        { at: { state: ['absent'] }, with: [['type']] },
      ],
      never: [...without, { sub: subs, accept: SHOWN }, { type: lasting, state: ['leaving'] }],
    },

    lists: {
      dimensions: {
        ...place,
        scope: ['one', 'all'],
        accept: spoken([...ACCEPTS, ...SHOWN, 'none']),
        version: ['none', 'zero', 'at', 'exact', 'not-older', 'not-older-than-zero', ...NO_VERSION],
        selector: ['own', 'any', ...SELECTORS],
        limit: ['none', 'walk', 'walk-at'],
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
        { at: protobuf, with: [['scope'], ['limit']] },
        { at: { version: NO_VERSION }, with: [['group'], ['scope', 'limit'], ['accept']] },
        { at: { limit: ['walk-at'] }, with: [['group'], ['scope'], ['accept'], ['selector']] },
      ],
      never: [
        ...without,
        { type: cluster, scope: ['one'] },
        // Where others have objects too, a walk over all of them is theirs.
        { limit: ['walk', 'walk-at'], selector: ['any'], type: of(({ alone }) => !alone) },
        { limit: ['walk', 'walk-at'], selector: ['any'], scope: ['all'], type: of(({ custom }) => !custom) },
        // The real service overlooks the limit at version 0.
        { limit: ['walk', 'walk-at'], version: ['zero', 'not-older', 'at', 'not-older-than-zero'] },
        { limit: ['walk-at'], version: ['zero', ...NO_VERSION, 'exact'] },
        { limit: ['walk', 'walk-at'], who: REFUSED },
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
      never: [
        ...without,
        protobuf,
        { type: cluster, scope: ['one'], verb: ['list'] },
        { verb: ['get'], scope: ['all'] },
      ],
    },

    watches: {
      dimensions: {
        ...place,
        scope: ['one', 'all'],
        accept: ['plain', 'table', 'partial'],
        from: [
          ...['list', 'list-of-name', 'list-of-nothing', 'list-as-table', 'chunk', 'object'],
          ...['none', 'zero', 'initial', 'initial-at', 'initial-of-none'],
        ],
        bookmarks: ['no', 'yes', 'declined'],
        selector: ['own', ...SELECTORS],
        who: WHO,
      },
      deeply: [
        ['group', 'scope', 'accept'],
        ['group', 'scope', 'from'],
        ['group', 'scope', 'selector'],
      ],
      ends: [refused, { at: { from: ['initial-of-none'] }, with: [['group'], ['scope']] }],
      never: [
        ...ofGroup,
        { type: cluster, scope: ['one'] },
        // Which one a chunk of others' objects holds is theirs.
        { from: ['chunk'], type: lasting },
      ],
    },
  };
}
