import { groupOf } from '../../../fixtures/releases/lifecycles.ts';
import { type Actor, clause, clausesOf, match, must, unsupported } from '../../harness/index.ts';
import { offByDefault } from '../builtins.ts';
import { seenTypes } from '../groups-and-paths/seenTypes.ts';

/** The stages whose gates are looked at, as clauses name them. */
export type Stage = 'alpha' | 'beta';

/** What says that versions of a level are off by default. */
const OFF = [
  ['LEVEL-ALPHA-01', 'alpha'],
  ['LEVEL-BETA-01', 'beta'],
] as const;

/** The clauses of {@link bringNoVersions}. */
export const versionsByGates = (stages: readonly Stage[]) => OFF.flatMap(([id]) => clausesOf(id, 'gates', stages));

/** Judges that a server on which gates of some stages were switched serves no version that is off by default. */
export async function bringNoVersions(admin: Actor, release: number, stages: readonly Stage[]): Promise<void> {
  for (const [id, level] of OFF) {
    await clause(clausesOf(id, 'gates', stages), async () => {
      const types = offByDefault(release, level, true).map(({ row, plural }) => ({
        version: `${groupOf(row, admin.dialect)}/${row.version}`,
        plural,
      }));
      if (types.length === 0) unsupported('the release has no such versions');
      const seen = await seenTypes(admin, types);
      const off = match.including({ listed: false, named: false, aggregated: match.oneOf(match.absent, false) });
      for (const { version, plural } of types)
        must(`no gate brings ${version} ${plural}`, seen.get(`${version}/${plural}`), off);
    });
  }
}
