import { ingresses } from '../3-versioning/removed-api-versions-by-release/kinds.ts';
import { check } from '../harness/index.ts';
import type { RunSeed } from '../harness/running/seeds.ts';
import type { CrossedGroup } from '../sequences/areas/crossed.ts';
import { covered } from '../sequences/covered/covered.ts';
import { COVERED, IN_CBOR } from '../sequences/covered/coveredTypes.ts';
import type { Facet } from '../sequences/covered/rows.ts';
import type { SequenceType } from '../sequences/types.ts';
import { judgeDrawn, type Parts, WHOLE } from './drawnRequests.ts';

/** Plays the part that a type has in the array of the run. */
async function judgeCovered(type: SequenceType, facet: Facet, runSeed: RunSeed, parts: Parts): Promise<void> {
  await judgeDrawn(parts, {
    covering: (isSpoken) => covered(type, facet, { seed: runSeed, cbor: isSpoken ? 'spoken' : 'unspoken' }),
    areas: [],
    sequences: 0,
    judgement: WHOLE,
  });
}

for (const group of Object.keys(COVERED) as CrossedGroup[]) {
  for (const type of COVERED[group]) {
    check(
      `REQUEST-SEQUENCE-03.2/${type.plural}`,
      `${type.plural} are written, applied and removed in every pair of encoding, patch, parameter, state, content and right → each answer, event and object is as in the reference`,
      [`REQUEST-SEQUENCE-03/${group}`],
      { laborious: true },
      async ({ admin, nobody, space, dialect, seed, runSeed, output }) => {
        if (group === 'with-status') await admin.pathOf(ingresses);
        await judgeCovered(type, 'written', runSeed, { admin, nobody, space, dialect, seed, output });
      },
    );
    check(
      `REQUEST-SEQUENCE-03.3/${type.plural}`,
      `${type.plural} are read, listed, watched, swept away and asked for where they are not in every pair of encoding, scope, parameter, state and right → each answer, event and object is as in the reference`,
      [`REQUEST-SEQUENCE-03/${group}`],
      { laborious: true },
      async ({ admin, nobody, space, dialect, seed, runSeed, output }) => {
        if (group === 'with-status') await admin.pathOf(ingresses);
        await judgeCovered(type, 'shown', runSeed, { admin, nobody, space, dialect, seed, output });
      },
    );
  }
}

for (const type of Object.values(COVERED).flat()) {
  if (!IN_CBOR.includes(type.plural)) continue;
  check(
    `CBOR-ITEM-01.3/${type.plural}`,
    `${type.plural} are written, removed, read and listed in CBOR in every pair of verb, parameter, state and content → each answer and object is as in the reference`,
    ['CBOR-ITEM-01'],
    { laborious: true },
    ({ admin, nobody, space, dialect, seed, runSeed, output }) =>
      judgeDrawn(
        { admin, nobody, space, dialect, seed, output },
        {
          covering: () =>
            (['written', 'shown'] as const).flatMap((facet) => covered(type, facet, { seed: runSeed, cbor: 'always' })),
          areas: [],
          sequences: 0,
          judgement: WHOLE,
          // Watches are in JSON here, and by which code a refusal is told, and what is a change, is for checks of their own.
          counts: ({ what, path, first, second }) => {
            if (what === 'events' || COUNTED_CHANGES.test(path)) return false;
            return path !== 'status' || Number(first) < 300 !== Number(second) < 300;
          },
        },
      ),
  );
}
/** What a server counts up with changes; some have changes of their own. */
const COUNTED_CHANGES = /(^|\.)metadata\.(generation|resourceVersion)$/;
