import { type Actor, isRecord } from '../../harness/index.ts';
import { aggregated } from '../aggregated.ts';

/** A type of a version of a named group. */
export interface VersionedType {
  /** `<group>/<version>`. */
  readonly version: string;
  readonly plural: string;
}

/** Where a type was seen: it is listed, in the document of its version, and in that of all groups with their types. */
export interface Seen {
  readonly listed: boolean;
  readonly named: boolean;
  readonly aggregated: boolean | undefined;
}

/** All types with where they are seen, by `version/plural`. */
export async function seenTypes(admin: Actor, types: readonly VersionedType[]): Promise<ReadonlyMap<string, Seen>> {
  const document = await aggregated(admin);
  const names = new Map<string, readonly string[]>();
  const found = new Map<string, Seen>();
  for (const { version, plural } of types) {
    const named = names.get(version) ?? (await namesIn(admin, version));
    names.set(version, named);
    const list = await admin.request('GET', `/apis/${version}/${plural}?limit=1`);
    found.set(`${version}/${plural}`, {
      listed: list.status === 200,
      // Its subresources are named with it.
      named: named.some((name) => name === plural || name.startsWith(`${plural}/`)),
      aggregated: document && (document.get(version)?.includes(plural) ?? false),
    });
  }
  return found;
}

/** What the document of a version names. */
async function namesIn(admin: Actor, version: string): Promise<readonly string[]> {
  const { json } = await admin.request('GET', `/apis/${version}`);
  const resources = isRecord(json) && Array.isArray(json.resources) ? json.resources.filter(isRecord) : [];
  return resources.map(({ name }) => String(name));
}
