import type { Crossing } from '../../../covering/covering.ts';
import { ACCEPTS, type CrossedSpace, PATCHES } from './space.ts';

const OTHERS = ['create', 'update', 'json', 'merge', 'strategic'];
/** What only a JSON patch can say. */
const POINTING = ['copy', 'move', 'escape', 'tilde', 'test', 'tested', 'take', 'append', 'insert', 'exchange'];
const SOME = ['top', 'metadata', 'several', 'inner'];

/** How an object is written. */
export const writesCrossed = (space: CrossedSpace): Crossing => {
  const { cluster, customs, lasting, of, part, place, protobuf, refusedWith, spoken, subs, who, without, withoutCbor } =
    space;
  const form = spoken(['json', 'yaml', 'cbor', 'protobuf']);
  const accept = spoken(ACCEPTS);
  return {
    dimensions: {
      verb: ['create', 'update', ...PATCHES],
      ...place,
      ...part,
      form,
      accept,
      dryRun: ['none', 'All', 'Some'],
      fields: ['none', 'Strict', 'Warn', 'Ignore'],
      stranger: ['none', ...SOME],
      manager: ['named', 'agent', 'missing'],
      force: ['no', 'yes'],
      state: ['absent', 'former', 'there', 'owned', 'mine', 'held', 'leaving'],
      version: ['none', 'current', 'stale'],
      who,
      content: [
        ...['change', 'same', 'removal', 'empty', 'hollow', 'nulls', 'odd', 'born', 'dying', 'generated'],
        ...['reordered', 'added', 'first-off', 'last-off', 'freed', 'fixed'],
        ...['cleared', 'whole', 'typed', 'renamed', 'elsewhere', 'kind', 'list'],
        ...POINTING,
      ],
    },
    deeply: [
      ['type', 'verb', 'sub', 'form'],
      ['type', 'verb', 'sub', 'dryRun'],
      ['type', 'verb', 'state'],
      ['type', 'verb', 'fields'],
      ['type', 'verb', 'manager'],
      ['group', 'verb', 'content'],
      ['group', 'verb', 'version'],
      ['group', 'verb', 'force'],
      ['group', 'verb', 'state', 'dryRun'],
      ['verb', 'sub', 'state'],
      ['verb', 'fields', 'stranger'],
      ['verb', 'form', 'accept'],
      ['verb', 'form', 'dryRun'],
      ['verb', 'form', 'state'],
      ['verb', 'form', 'manager'],
      ['verb', 'form', 'version'],
      ['verb', 'form', 'content'],
      ['verb', 'version', 'state'],
      ['verb', 'version', 'dryRun'],
      ['verb', 'force', 'state'],
      ['verb', 'content', 'state'],
      ['verb', 'content', 'dryRun'],
      ['content', 'state', 'dryRun'],
    ],
    ends: [
      {
        at: { dryRun: ['Some'] },
        with: [
          ['group', 'verb', 'sub'],
          ['verb', 'form'],
        ],
      },
      ...refusedWith(['verb', 'dryRun'], ['group', 'sub']),
      {
        at: { version: ['stale'] },
        with: [['group', 'verb', 'sub'], ['verb', 'dryRun'], ['verb', 'form'], ['verb', 'state'], ['force']],
      },
      {
        at: { content: ['typed', 'renamed'] },
        with: [['group', 'verb', 'sub'], ['verb', 'dryRun'], ['verb', 'form'], ['fields']],
      },
      { at: { content: ['list'] }, with: [['type', 'dryRun'], ['form']] },
      {
        at: { content: ['elsewhere', 'kind'] },
        with: [
          ['type', 'verb', 'sub'],
          ['verb', 'dryRun'],
          ['verb', 'form'],
        ],
      },
      { at: { content: ['test', 'tilde'] }, with: [['group'], ['dryRun']] },
      { at: { manager: ['missing'] }, with: [['group', 'sub'], ['force'], ['dryRun'], ['form']] },
      {
        at: { fields: ['Strict'], stranger: SOME },
        with: [['group', 'verb', 'sub'], ['verb', 'dryRun'], ['verb', 'form'], ['state'], ['force']],
      },
      {
        at: { verb: ['create'], state: ['there', 'owned', 'mine', 'held', 'leaving'] },
        with: [['type'], ['form', 'dryRun']],
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
      { at: { verb: ['apply'], state: ['absent', 'former'], who: ['only'] }, with: [['type'], ['dryRun'], ['form']] },
    ],
    never: [
      ...without,
      ...withoutCbor({ form, accept }),
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
      { content: ['generated'], state: ['there', 'owned', 'mine', 'held', 'leaving'] },
      { content: ['same', 'removal', 'freed', 'cleared', 'renamed', 'whole'], verb: ['create'] },
      { content: ['same', 'removal', 'freed', 'cleared'], state: ['absent', 'former'] },
      // Records are cleared by what changes nothing else, as what becomes of both at once is open.
      { content: ['cleared'], stranger: SOME },
      { content: ['born', 'dying', 'kind'], verb: PATCHES },
      // What only a JSON patch can say.
      { content: POINTING, verb: ['create', 'update', 'merge', 'strategic', 'apply'] },
      { content: POINTING, sub: subs },
      { content: ['tested'], state: ['owned', 'mine', 'absent', 'former'] },
      { content: ['tested'], version: ['stale'] },
      { content: ['list'], verb: ['update', ...PATCHES] },
      { content: ['take', 'append', 'insert', 'exchange'], state: ['there', 'owned', 'mine', 'absent'] },
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
      { type: of(({ isKeyed }) => isKeyed), verb: ['strategic', 'merge', 'json'], content: ['typed'] },
    ],
  };
};
