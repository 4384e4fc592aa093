import { ingresses } from '../3-versioning/removed-api-versions-by-release/kinds.ts';
import { check, lacking } from '../harness/index.ts';
import type { CrossedGroup } from '../sequences/areas/crossed.ts';
import { judgeDrawn, WHOLE } from './drawnRequests.ts';
import { webhookByName } from './webhookByName.ts';

/** What users with rights write and read; watches and the surface of a server have checks of their own. */
const AREAS = ['objects', 'collections', 'escalation', 'access', 'impersonation'];
/** Roles that a controller fills. */
const BY_CONTROLLERS = ['aggregation'];

check(
  'REQUEST-SEQUENCE-01.1',
  'users with different rights ask anything as chance has it → each answer and each object is as in the reference',
  ['REQUEST-SEQUENCE-01'],
  { laborious: true },
  ({ admin, nobody, space, dialect, seed, output, target }) => {
    const areas = lacking(target.capabilities, 'controllers') === undefined ? [...AREAS, ...BY_CONTROLLERS] : AREAS;
    return judgeDrawn({ admin, nobody, space, dialect, seed, output }, { areas, sequences: 12 });
  },
);

/** Rights that are almost those that a request needs, asked for in every manner. */
const RIGHTS = ['rights', 'subjects', 'grants', 'manners', 'selves'];

check(
  'REQUEST-SEQUENCE-01.2',
  'users ask in every manner for what they have almost the right to → each answer and each object is as in the reference',
  ['REQUEST-SEQUENCE-01'],
  { laborious: true },
  ({ admin, nobody, space, dialect, seed, output }) =>
    judgeDrawn({ admin, nobody, space, dialect, seed, output }, { areas: RIGHTS, sequences: 14 }),
);

const CROSSED: Readonly<Record<CrossedGroup, string>> = {
  namespaced: 'objects of types with namespaces',
  cluster: 'objects of the whole cluster',
  'with-status': 'objects with a status',
  'custom-namespaced': 'custom objects in namespaces',
  'custom-cluster': 'custom objects of the whole cluster',
};

for (const group of Object.keys(CROSSED) as CrossedGroup[]) {
  check(
    `REQUEST-SEQUENCE-03.1/${group}`,
    `users write, read and watch ${CROSSED[group]} by chance in every encoding, patch, scope and parameter → each answer, event and object is as in the reference`,
    [`REQUEST-SEQUENCE-03/${group}`],
    { laborious: true },
    async ({ admin, nobody, space, dialect, seed, output }) => {
      // Looks whether it is served: the specification asks for no such type.
      if (group === 'with-status') await admin.pathOf(ingresses);
      await judgeDrawn(
        { admin, nobody, space, dialect, seed, output },
        { areas: [`crossed/${group}`], sequences: 2, judgement: WHOLE },
      );
    },
  );
}

check(
  'REQUEST-SEQUENCE-02.1',
  'webhooks are registered as chance has it, and all is written before, under and after them → what is allowed, and each object, is as in the reference',
  ['REQUEST-SEQUENCE-02'],
  { laborious: true },
  async ({ admin, nobody, space, dialect, seed, output, services }) => {
    await judgeDrawn(
      { admin, nobody, space, dialect, seed, output },
      {
        areas: ['hooked'],
        sequences: 3,
        webhook: await webhookByName(services),
        // By which code a refusal is told is for checks of its own.
        counts: ({ path, first, second }) => path !== 'status' || Number(first) < 300 !== Number(second) < 300,
      },
    );
  },
);
