import {
  type Actor,
  type ClauseName,
  clause,
  inconclusive,
  match,
  must,
  type WatchStream,
} from '../../harness/index.ts';
import { type CrossedVersion, ROW } from './crossedRow.ts';

/** The watches of one version: of a collection, and of all namespaces by a label. */
interface Watched {
  readonly version: CrossedVersion;
  readonly streams: readonly WatchStream[];
}

/** Watches every version of a type in two ways. */
export async function watchVersions(author: Actor, versions: readonly CrossedVersion[]): Promise<readonly Watched[]> {
  const watched: Watched[] = [];
  for (const version of versions) {
    const by = `watch=true&labelSelector=${encodeURIComponent(ROW)}`;
    const paths = [`${version.path}?watch=true`, `${version.everywhere}?${by}`];
    const streams: WatchStream[] = [];
    for (const path of paths) streams.push(await author.openStream(`${author.name} watches ${path}`, path));
    watched.push({ version, streams });
  }
  return watched;
}

/**
 * Judges that each watch told the same of some objects, in the words of its version.
 * @param names the objects, by the version in which they were written
 * @param fence the name of one that was made last
 * @param of the group of clauses that speak of such types
 */
export async function judgeEvents(
  watched: readonly Watched[],
  names: ReadonlyMap<string, 'older' | 'newer'>,
  fence: string,
  sort: 'built-in' | 'custom',
  of: 'core' | 'named' | 'custom',
): Promise<void> {
  for (const { streams } of watched) {
    for (const stream of streams) {
      const last = await stream.until(match.event('ADDED', fence));
      // A server may end a watch at any time.
      if (last.differences.length > 0 && stream.ended !== undefined) inconclusive('a watch ended before all was told');
    }
  }
  for (const by of ['older', 'newer'] as const) {
    for (const [type, word] of [
      ['ADDED', 'added'],
      ['MODIFIED', 'modified'],
      ['DELETED', 'deleted'],
    ] as const) {
      const clauses = [`GROUP-SHARED-01/${word}/${sort}/${by}`, `GROUP-VERSION-01/events/${of}`] as const;
      await clause(clauses as readonly ClauseName[], async () => {
        let first: readonly string[] | undefined;
        for (const { version, streams } of watched) {
          for (const stream of streams) {
            const told = stream.seen.filter((event) => event.type === type && names.get(nameOf(event)) === by);
            must(
              `${version.apiVersion} tells of it as of its own`,
              told.map(({ object }) => object),
              match.every(match.at('apiVersion', version.apiVersion)),
            );
            const events = told.map((event) => `${nameOf(event)} at ${event.object.metadata.resourceVersion}`);
            first ??= events;
            must('each watch tells the same', events, match.equal([...first]));
          }
        }
      });
    }
  }
  for (const { streams } of watched) for (const stream of streams) stream.close();
}

const nameOf = ({ object }: WatchStream['seen'][number]): string => String(object.metadata?.name ?? '');
