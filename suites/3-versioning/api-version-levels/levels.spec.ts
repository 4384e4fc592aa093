import type { Started } from '../../harness/index.ts';
import { type Actor, atRelease, check, match, must, ownRelease, unsupported } from '../../harness/index.ts';
import { type Builtin, builtinsAt, discovered, namesEach, namesNone, rootOf, versionsOf } from '../builtins.ts';

type Start = (setup: { flags: string[] }) => Promise<Started>;

/** Of types that are off by default, starts a server with the version of one on. What a target does not have is passed over. */
async function mayBeEnabled(start: Start, watcher: Actor, off: readonly Builtin[]): Promise<void> {
  for (const version of versionsOf(off, watcher).slice(0, 3)) {
    const server = await start({ flags: [`--runtime-config=${version}`] });
    if (server.failure !== undefined) continue;
    const admin = server.as('admin');
    const own = off.filter((each) => rootOf(each, admin).endsWith(version));
    must(`${version} is served when enabled`, await discovered(admin, own), namesEach(own, admin));
    return;
  }
  unsupported('it has none of the versions that the service has at this release');
}

check(
  'the watcher asks for alpha versions → none is served, and one is when it is enabled',
  ['LEVEL-ALPHA-01'],
  async ({ watcher, target, start }) => {
    const alpha = builtinsAt(ownRelease(target), 'alpha');
    if (alpha.length === 0) unsupported('the release has no alpha versions');
    must('they are off', await discovered(watcher, alpha), namesNone(alpha, watcher));
    await mayBeEnabled(start, watcher, alpha);
  },
);

check(
  'the watcher asks for beta versions that came with release 1.22 or later → none is served, and one is when enabled',
  ['LEVEL-BETA-01'],
  async ({ watcher, target, start }) => {
    const beta = builtinsAt(ownRelease(target), 'beta').filter(({ row }) => row.introduced >= 22);
    if (beta.length === 0) unsupported('the release has no such versions');
    must('they are off', await discovered(watcher, beta), namesNone(beta, watcher));
    await mayBeEnabled(start, watcher, beta);
  },
);

for (const release of ['1.16', '1.21', '1.24'] as const) {
  check(
    `the watcher asks release ${release} for beta versions that came before 1.22 → each is served`,
    ['LEVEL-BETA-02'],
    { setup: atRelease(release) },
    async ({ watcher }) => {
      const beta = builtinsAt(Number(release.split('.')[1]), 'beta').filter(({ row }) => row.introduced < 22);
      must('they are on', await discovered(watcher, beta), namesEach(beta, watcher));
    },
  );
}

for (const release of ['1.16', '1.22', '1.25', '1.29', '1.32'] as const) {
  check(
    `the watcher asks release ${release} for every stable version that it or an earlier one brought → each is served`,
    ['LEVEL-STABLE-02', ...(release === '1.32' ? (['GROUP-RELEASE-01'] as const) : [])],
    { needs: ['releases'], setup: atRelease(release) },
    async ({ watcher }) => {
      const stable = builtinsAt(Number(release.split('.')[1]), 'stable');
      must('they are on', await discovered(watcher, stable), namesEach(stable, watcher));
    },
  );
}

check(
  'the watcher asks a target of release 1.32 or later for the stable types of 1.32 → each is served',
  ['GROUP-RELEASE-01'],
  async ({ watcher, target }) => {
    if (ownRelease(target) < 32) unsupported(`the target is of release ${target.release}`);
    const stable = builtinsAt(32, 'stable');
    must('they are on', await discovered(watcher, stable), namesEach(stable, watcher));
    must('the core group is', await watcher.request('GET', '/api/v1'), match.status(200));
  },
);
