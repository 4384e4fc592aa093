import { type Actor, check, configMaps, match, must } from '../../harness/index.ts';
import { applied, apply, doc, patch } from './doc.ts';
import { managed, owned } from './owned.ts';

const FORCED = { fieldManager: 'controller', force: true };
const WANTED = { a: '1', b: '1' };

/** What others may have left, and what of it the controller has no say in. */
const LEFT: Readonly<Record<string, { readonly make: (actor: Actor) => Promise<unknown>; readonly more: object }>> = {
  'nothing at all': { make: async () => undefined, more: {} },
  'an object without fields': { make: (actor) => actor.given(configMaps, doc()), more: {} },
  'other values, applied': { make: (actor) => applied(actor, { a: '9', b: '9', c: '9' }), more: { c: '9' } },
  'other values, put': { make: (actor) => actor.given(configMaps, doc({ a: '9', c: '9' })), more: { c: '9' } },
  'its own earlier configuration': { make: (actor) => applied(actor, { a: '0', z: '0' }, FORCED), more: {} },
  'its own fields, changed and taken away': {
    make: async (actor) => {
      await applied(actor, WANTED, FORCED);
      await actor.prepare((each) => patch(each, { a: '9', b: null }));
    },
    more: {},
  },
};

for (const [state, { make, more }] of Object.entries(LEFT)) {
  check(
    `APPLY-FORCE-03.1/${state}`,
    `a controller forces all that it cares about over ${state} → its fields are as it wants them`,
    ['APPLY-FORCE-03'],
    async ({ author }) => {
      await make(author);
      const forced = await apply(author, WANTED, FORCED);
      must('the object is as wanted', forced, match.success, match.field('data', { ...more, ...WANTED }));
      must('and its own', forced, owned('data.a', 'controller Apply'), owned('data.b', 'controller Apply'));
    },
  );
}

check(
  'APPLY-HANDOVER-01.1',
  'the author hands a field over under a second name → the value stays until the controller writes it',
  ['APPLY-HANDOVER-01'],
  async ({ author }) => {
    await applied(author, { name: 'x', size: '3' });
    await applied(author, { size: '3' }, { fieldManager: 'handover' });
    const dropped = await apply(author, { name: 'x' });
    must('the value stays', dropped, match.status(200), match.field('data.size', '3'));
    must('under the second name', dropped, owned('data.size', 'handover Apply'));
    const written = await patch(author, { size: '5' }, { fieldManager: 'controller' });
    must("then it is the controller's", written, match.status(200), owned('data.size', 'controller Update'));
    must('and the second name is gone', written, managed('author Apply', 'controller Update'));
    const again = await apply(author, { name: 'x' });
    must('the author goes on in peace', again, match.status(200), match.field('data.size', '5'));
  },
);
