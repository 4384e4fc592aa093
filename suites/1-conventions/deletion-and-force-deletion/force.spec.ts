import { FORCE_EXCLUDED } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  check,
  clause,
  clausesOf,
  configMaps,
  deny,
  match,
  must,
  named,
} from '../../harness/index.ts';
import { install, rule } from '../validatingwebhookconfiguration/installed.ts';

/** The option that lets a delete go on where the object cannot be read, and the gate that lets the option count. */
const FORCE = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
const GATE = { flags: ['--feature-gates=AllowUnsafeMalformedObjectDeletion=true'] };

const held = (name: string) => ({ metadata: { name, finalizers: ['touchstone.example/hold'] } });
const deleting = match.field('metadata.deletionTimestamp', match.aTimestamp);
const release = { metadata: { finalizers: null } };

check(
  'FORCE-GATE-01.1',
  'the author deletes an object with a finalizer, without the option and with it where there is no gate → it stays',
  ['FORCE-GATE-01'],
  async ({ author }) => {
    await author.given(configMaps, held('held'));
    must('an ordinary delete is taken', await author.delete(configMaps, 'held'), match.status(200, 202));
    must('it waits for its finalizer', await author.get(configMaps, 'held'), match.status(200), deleting);
    // The option may be unknown, be ignored or be refused where its gate is off.
    await author.delete(configMaps, 'held', {}, FORCE);
    must('it still waits', await author.get(configMaps, 'held'), match.status(200), deleting);
  },
);

for (const [form, query, options] of [
  ['query', { gracePeriodSeconds: '0' }, {}],
  ['body', {}, { gracePeriodSeconds: 0 }],
] as const) {
  check(
    `FORCE-GATE-01.2/${form}`,
    `the author deletes at once, by the ${form}, an object with a finalizer → it stays`,
    ['FORCE-GATE-01', 'DELETE-PHASE-01'],
    async ({ author }) => {
      await author.given(configMaps, held('held'));
      must('the delete is taken', await author.delete(configMaps, 'held', query, options), match.status(200, 202));
      must('it waits for its finalizer', await author.get(configMaps, 'held'), match.status(200), deleting);
    },
  );
}

check(
  'FORCE-READABLE-01.1',
  'the author deletes readable objects with the option → finalizers hold one up, and the other is gone',
  ['FORCE-READABLE-01'],
  GATE,
  async ({ author }) => {
    await author.given(configMaps, held('held'));
    await author.given(configMaps, named('free'));
    must('the delete is taken', await author.delete(configMaps, 'free', {}, FORCE), match.status(200, 202));
    must('it is gone', await author.get(configMaps, 'free'), match.status(404));
    must('so is this one', await author.delete(configMaps, 'held', {}, FORCE), match.status(200, 202));
    must('it waits for its finalizer', await author.get(configMaps, 'held'), match.status(200), deleting);
    await author.patch(configMaps, 'held', 'merge', release);
  },
);

check(
  'FORCE-READABLE-01.2',
  'a webhook denies the deletion of a readable object, with the option on → refused, and it stays',
  ['FORCE-READABLE-01'],
  GATE,
  async ({ admin, author, services }) => {
    const live = await author.given(configMaps, named('kept'));
    const [hook] = await install(admin, services, { rules: [rule('DELETE')] });
    hook?.does(deny);
    must('only what cannot be read is forced', await author.delete(configMaps, 'kept', {}, FORCE), match.error);
    must('it stays', await author.get(configMaps, 'kept'), match.status(200), match.body(live));
  },
);

/** Whether a name is taken: what cannot be read tells nothing to a GET, but its name is not free either. */
const again = (author: Actor, name: string) => author.create(configMaps, named(name));

check(
  'FORCE-UNREADABLE-01.1',
  'the author deletes an unreadable object → refused without the option, removed with it',
  ['FORCE-UNREADABLE-01'],
  GATE,
  async ({ author, store }) => {
    await author.given(configMaps, named('broken'));
    await store.damage(author, configMaps, 'broken');
    must('an ordinary delete fails', await author.delete(configMaps, 'broken'), match.error);
    must('its name is still taken', await again(author, 'broken'), match.error);
    must('the forced one removes it', await author.delete(configMaps, 'broken', {}, FORCE), match.success);
    must('its name is free', await again(author, 'broken'), match.created);
  },
);

check(
  'FORCE-FINALIZER-01.1',
  'the author forces an unreadable object with a finalizer → it is removed at once',
  ['FORCE-FINALIZER-01'],
  GATE,
  async ({ author, store }) => {
    await author.given(configMaps, held('broken'));
    await store.damage(author, configMaps, 'broken');
    must('the forced delete removes it', await author.delete(configMaps, 'broken', {}, FORCE), match.success);
    must('its name is free', await again(author, 'broken'), match.created);
  },
);

const versionOf = ({ metadata: { resourceVersion } }: ApiObject) => ({ resourceVersion });
const uidOf = ({ metadata: { uid } }: ApiObject) => ({ uid });

for (const [title, options] of Object.entries({
  preconditions: { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } },
  dryRun: { dryRun: ['All'] },
  gracePeriodSeconds: { gracePeriodSeconds: 0 },
  orphanDependents: { orphanDependents: false },
  propagationPolicy: { propagationPolicy: 'Background' },
})) {
  check(
    `FORCE-OPTIONS-01.1/${title}`,
    `the author asks for force together with ${title} → 4xx, and the object stays`,
    ['FORCE-OPTIONS-01'],
    GATE,
    async ({ author }) => {
      const live = await author.given(configMaps, named('kept'));
      const both =
        title === 'preconditions'
          ? [options, { preconditions: versionOf(live) }, { preconditions: uidOf(live) }]
          : [options];
      for (const each of both) {
        const answer = await author.delete(configMaps, 'kept', {}, { ...FORCE, ...each });
        must('they exclude each other', answer, match.refusal);
      }
      must('nothing is deleted', await author.get(configMaps, 'kept'), match.body(live));
    },
  );
}

for (const [name, value] of Object.entries({
  dryRun: 'All',
  gracePeriodSeconds: '0',
  orphanDependents: 'false',
  propagationPolicy: 'Background',
})) {
  check(
    `FORCE-OPTIONS-02.1/${name}`,
    `the author asks for force in the body and for ${name} in the query → 4xx, and the object stays`,
    ['FORCE-OPTIONS-02'],
    GATE,
    async ({ author }) => {
      const live = await author.given(configMaps, named('kept'));
      must('they exclude each other', await author.delete(configMaps, 'kept', { [name]: value }, FORCE), match.refusal);
      must('nothing is deleted', await author.get(configMaps, 'kept'), match.body(live));
    },
  );
}

/** Options that let the object go, and one that keeps it. */
const BESIDE: Readonly<Record<(typeof FORCE_EXCLUDED)[number], (live: ApiObject) => object>> = {
  preconditions: (live) => ({ preconditions: uidOf(live) }),
  'dry-run': () => ({ dryRun: ['All'] }),
  'grace-period-seconds': () => ({ gracePeriodSeconds: 0 }),
  'orphan-dependents': () => ({ orphanDependents: false }),
  'propagation-policy': () => ({ propagationPolicy: 'Background' }),
};
const UNFORCED = { ignoreStoreReadErrorWithClusterBreakingPotential: false };

check(
  'FORCE-OPTIONS-03.1',
  'the author deletes with a force option of false and each other option → as without it',
  clausesOf('FORCE-OPTIONS-03'),
  GATE,
  async ({ author }) => {
    const given = (name: string) => author.given(configMaps, { metadata: { name, labels: { deleted: name } } });
    const judge = async (option: string, live: ApiObject) => {
      const { name } = live.metadata;
      if (option === 'dry-run') must('it stays', await author.get(configMaps, name), match.body(live));
      else must('it is gone', await author.get(configMaps, name), match.status(404));
    };
    for (const option of FORCE_EXCLUDED)
      await clause(`FORCE-OPTIONS-03/delete/${option}`, async () => {
        const name: string = option;
        const live = await given(name);
        if (option === 'preconditions') {
          const other = { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } };
          must('they hold', await author.delete(configMaps, name, {}, { ...UNFORCED, ...other }), match.refusal);
          must('so it stays', await author.get(configMaps, name), match.body(live));
        }
        const options = { ...UNFORCED, ...BESIDE[option](live) };
        must('it is taken', await author.delete(configMaps, name, {}, options), match.status(200, 202));
        await judge(option, live);
      });
    for (const option of ['dry-run', 'propagation-policy'] as const)
      await clause(`FORCE-OPTIONS-03/deletecollection/${option}`, async () => {
        const name = `all-${option}`;
        const live = await given(name);
        const options = { ...UNFORCED, ...BESIDE[option](live) };
        const answer = await author.deleteAll(configMaps, { labelSelector: `deleted=${name}` }, options);
        must('it is taken', answer, match.status(200));
        await judge(option, live);
      });
  },
);
