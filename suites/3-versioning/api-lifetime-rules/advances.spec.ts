import { exists, groupOf, lifecycles } from '../../../fixtures/releases/lifecycles.ts';
import { pluralOf } from '../../../fixtures/releases/plurals.ts';
import type { ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import {
  type Actor,
  before,
  check,
  clause,
  clausesOf,
  isRecord,
  match,
  minorOf,
  must,
  type Started,
  unsupported,
} from '../../harness/index.ts';

/** What discovery of a release says of versions. */
interface Told {
  /** The version that a group prefers, as the list of groups and its own document say, and all of them, by its name. */
  readonly groups: ReadonlyMap<
    string,
    { readonly preferred: readonly unknown[]; readonly versions: readonly string[] }
  >;
  /** The mark of the storage version by `group/version/plural`; what has none is left out. */
  readonly marks: ReadonlyMap<string, string>;
}

async function toldBy(actor: Actor): Promise<Told> {
  const document = await actor.prepare(() => actor.request('GET', '/apis'));
  const groups = new Map<string, { preferred: unknown[]; versions: string[] }>();
  const marks = new Map<string, string>();
  for (const group of listed(document.json, 'groups')) {
    const versions = listed(group, 'versions').map(({ version }) => String(version));
    const own = await actor.prepare(() => actor.request('GET', `/apis/${group.name}`));
    const preferred = [group, own.json].map((document) => {
      const { preferredVersion } = isRecord(document) ? document : {};
      return isRecord(preferredVersion) ? preferredVersion.version : undefined;
    });
    groups.set(String(group.name), { preferred, versions });
    for (const version of versions) {
      const { json } = await actor.prepare(() => actor.request('GET', `/apis/${group.name}/${version}`));
      for (const { name, storageVersionHash } of listed(json, 'resources')) {
        if (typeof storageVersionHash === 'string') marks.set(`${group.name}/${version}/${name}`, storageVersionHash);
      }
    }
  }
  return { groups, marks };
}

function listed(json: unknown, member: string): Record<string, unknown>[] {
  const list = isRecord(json) ? json[member] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The versions of a built-in type that a release has, on or off. */
function versionsIn(release: number, group: string, plural: string, dialect: Actor['dialect']): string[] {
  return lifecycles()
    .filter((row) => groupOf(row, dialect) === group && pluralOf(row.kind) === plural && exists(row, release))
    .map(({ version }) => version);
}

/** Releases that bring a version beside an older one. */
for (const release of ['1.16', '1.19', '1.20', '1.21', '1.23', '1.24'] as const satisfies readonly ReleaseName[]) {
  const last = before(release);
  check(
    `GROUP-ADVANCE-01.1/${last}/${release}`,
    `the watcher compares releases ${last} and ${release} → what is new is neither preferred nor stored yet`,
    clausesOf('GROUP-ADVANCE-01'),
    ({ start, dialect }) => doesNotAdvance(start, dialect, last, release),
  );
}

/** Releases that bring a version beside a beta version which is off unless it is enabled, or that is off so itself. */
for (const release of ['1.23', '1.26', '1.29'] as const satisfies readonly ReleaseName[]) {
  const last = before(release);
  check(
    `GROUP-ADVANCE-01.2/${last}/${release}`,
    `the watcher compares releases ${last} and ${release} with every version enabled → what is new is neither preferred nor stored yet`,
    clausesOf('GROUP-ADVANCE-01'),
    ({ start, dialect }) => doesNotAdvance(start, dialect, last, release, ['--runtime-config=api/all=true']),
  );
}

/** Judges that a release neither prefers nor stores what the one before it had not. */
async function doesNotAdvance(
  start: (setup: { flags: string[]; release: ReleaseName }) => Promise<Started>,
  dialect: Actor['dialect'],
  last: ReleaseName,
  release: ReleaseName,
  flags: string[] = [],
): Promise<void> {
  const [earlier, later] = [await start({ release: last, flags }), await start({ release, flags })];
  const [was, is] = [await toldBy(earlier.as('admin')), await toldBy(later.as('admin'))];
  await clause('GROUP-ADVANCE-01/preferred', async () => {
    for (const [group, { preferred }] of is.groups) {
      const known = was.groups.get(group)?.versions;
      if (known) must(`${group} prefers what ${last} had`, preferred, match.every(match.oneOf(...known)));
    }
  });
  // The mark says nothing but whether the version is another: what had one version could be stored in no other.
  await clause('GROUP-ADVANCE-01/stored', async () => {
    if (is.marks.size === 0) unsupported('discovery has no marks of storage versions');
    for (const [type, mark] of is.marks) {
      const [group = '', , plural = ''] = type.split('/');
      // Its types have moved: another group's version of them may be what is stored.
      if (group === 'extensions') continue;
      const versions = versionsIn(minorOf(last), group, plural, dialect);
      const old = versions.length === 1 ? was.marks.get(`${group}/${versions[0]}/${plural}`) : undefined;
      if (old !== undefined) must(`${type} is stored as in ${last}`, mark, match.equal(old));
    }
  });
}
