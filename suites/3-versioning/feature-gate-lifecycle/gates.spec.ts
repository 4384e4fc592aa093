import type { ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import type { Actor, Started } from '../../harness/index.ts';
import { check, clause, clausesOf, match, minorOf, must, ownRelease, unsupported } from '../../harness/index.ts';
import { effectsOf } from './effects.ts';
import { type Gate, gatesAt, gatesOf } from './gatesOf.ts';
import { bringNoVersions, type Stage, versionsByGates } from './versionsByGates.ts';

type Start = (setup: { flags: string[]; release?: ReleaseName }) => Promise<Started>;

/** Starts a server with the first of some gates set; the next one where a gate needs another beside it. */
async function startWith(start: Start, gates: readonly Gate[], on: boolean): Promise<{ server: Started; gate: Gate }> {
  let last: { server: Started; gate: Gate } | undefined;
  for (const gate of gates.slice(0, 3)) {
    last = { gate, server: await start({ flags: [`--feature-gates=${gate.name}=${on}`] }) };
    if (last.server.failure === undefined) break;
  }
  return last ?? unsupported('there is no such gate');
}

check(
  'GATE-STAGE-01.1',
  'the operator switches the gate of an alpha feature on → it was off, and is on',
  ['GATE-STAGE-01'],
  async ({ start, watcher }) => {
    const gates = await gatesAt(watcher, 'ALPHA');
    must('alpha gates are off', gates, match.every(match.at('on', false)));
    const { server, gate } = await startWith(start, gates, true);
    must('the server starts', server, match.starts);
    const admin = server.as('admin');
    must('the gate is on', await gatesOf(admin), match.containing({ ...gate, on: true }));
    const others = (await gatesAt(admin, 'ALPHA')).filter(({ name }) => name !== gate.name);
    must('no other alpha gate is', others, match.every(match.at('on', false)));
    const before = (await gatesAt(watcher, 'BETA')).filter(({ on }) => on);
    const after = await gatesAt(admin, 'BETA');
    for (const beta of before) must(`${beta.name} is as it was`, after, match.containing({ ...beta }));
  },
);

check(
  'GATE-STAGE-02.1',
  'the operator switches the gate of a beta feature off → it was on, and is off',
  ['GATE-STAGE-02'],
  async ({ start, watcher }) => {
    const gates = await gatesAt(watcher, 'BETA');
    // Servers in use keep some beta gates off, so it is not asked of every one.
    must('beta gates are on', gates, match.containing(match.including({ on: true })));
    const { server, gate } = await startWith(
      start,
      gates.filter(({ on }) => on),
      false,
    );
    must('the server starts', server, match.starts);
    const admin = server.as('admin');
    must('the gate is off', await gatesOf(admin), match.containing({ ...gate, on: false }));
    must('those of alpha features are', await gatesAt(admin, 'ALPHA'), match.every(match.at('on', false)));
  },
);

check(
  'GATE-STAGE-02.2',
  'the operator switches the gates of two beta features off → both are off',
  ['GATE-STAGE-02'],
  async ({ start, watcher }) => {
    const on = (await gatesAt(watcher, 'BETA')).filter((gate) => gate.on);
    // Some need another one beside them, so a few pairs are tried.
    for (const first of [0, 2, 4]) {
      const pair = on.slice(first, first + 2);
      if (pair.length < 2) break;
      const server = await start({ flags: [`--feature-gates=${pair.map(({ name }) => `${name}=false`).join(',')}`] });
      if (server.failure !== undefined) continue;
      const seen = await gatesOf(server.as('admin'));
      for (const gate of pair) must(`${gate.name} is off`, seen, match.containing({ ...gate, on: false }));
      return;
    }
    unsupported('no two of them may be off together');
  },
);

/** Whether all gates of a stage are as they are by default. */
async function judgeDefaults(watcher: Actor, stage: 'ALPHA' | 'BETA'): Promise<void> {
  const wrong = (await gatesAt(watcher, stage)).filter((gate) => gate.on !== (stage === 'BETA'));
  must(`each is ${stage === 'BETA' ? 'on' : 'off'}`, wrong, match.equal([]));
}

check(
  'GATE-STAGE-05.1',
  'the watcher reads the gates of a server with no flag for them → those of beta features are on, of alpha ones off',
  ['GATE-STAGE-05/alpha', 'GATE-STAGE-05/beta'],
  { setup: { flags: [], without: ['feature-gates'] } },
  async ({ watcher }) => {
    // Who tells none of them is not asked about each stage.
    await gatesOf(watcher);
    await clause('GATE-STAGE-05/alpha', () => judgeDefaults(watcher, 'ALPHA'));
    await clause('GATE-STAGE-05/beta', () => judgeDefaults(watcher, 'BETA'));
  },
);

for (const [name, stage, keys] of [
  ['GATE-STAGE-05/alpha/versions-on', 'ALPHA', 'api/alpha=true,api/beta=true'],
  ['GATE-STAGE-05/beta/versions-off', 'BETA', 'api/beta=false'],
] as const) {
  check(
    `GATE-STAGE-05.2/${keys}`,
    `the watcher reads the gates of a server with --runtime-config=${keys} and no flag for gates → those of ${stage.toLowerCase()} features are as ever`,
    [name],
    { setup: { flags: [`--runtime-config=${keys}`], without: ['feature-gates'] } },
    async ({ watcher }) => {
      await gatesOf(watcher);
      await clause(name, () => judgeDefaults(watcher, stage));
    },
  );
}

/** The gates of a stage with how they are switched, and the clauses that speak of the stage. */
const SWITCHED = [
  ['ALPHA', 'alpha', true],
  ['BETA', 'beta', false],
] as const satisfies readonly (readonly [string, Stage, boolean])[];

for (const [stage, word, on] of SWITCHED) {
  check(
    `GATE-STAGE-06.1/${word}`,
    `the operator switches all gates of ${word} features ${on ? 'on' : 'off'} → each is, and they bring no version that is off by default`,
    [...clausesOf('GATE-STAGE-06', word), ...versionsByGates([word])],
    async ({ start, watcher, target }) => {
      const gates = await gatesAt(watcher, stage);
      const server = await start({ flags: [`--feature-gates=${gates.map(({ name }) => `${name}=${on}`).join(',')}`] });
      // Some of a server may not go together.
      if (server.failure !== undefined) unsupported('it does not start with all of them');
      const admin = server.as('admin');
      await clause(`GATE-STAGE-06/${word}`, async () => {
        const seen = await gatesOf(admin);
        const wrong = gates.filter(({ name }) => seen.find((each) => each.name === name)?.on !== on);
        must(`each is ${on ? 'on' : 'off'}`, wrong, match.equal([]));
      });
      await bringNoVersions(admin, ownRelease(target), [word]);
    },
  );
}

// Versions come and go, and the gates that they need besides.
for (const release of ['1.27', '1.30', '1.33', '1.35'] as const) {
  check(
    `GATE-STAGE-06.2/${release}`,
    `the operator of release ${release} switches all gates of alpha and beta features on → they bring no version that is off by default`,
    [...clausesOf('LEVEL-ALPHA-01', 'gates'), ...clausesOf('LEVEL-BETA-01', 'gates')],
    { needs: ['releases'], setup: { release } },
    async ({ start, watcher }) => {
      const gates = [...(await gatesAt(watcher, 'ALPHA')), ...(await gatesAt(watcher, 'BETA'))];
      const server = await start({
        release,
        flags: [`--feature-gates=${gates.map(({ name }) => `${name}=true`).join(',')}`],
      });
      // Some of a server may not go together.
      if (server.failure !== undefined) unsupported('it does not start with all of them');
      await bringNoVersions(server.as('admin'), minorOf(release), ['alpha', 'beta']);
    },
  );
}

/** As few lists of gates as there can be so that for any two of them one list has the first and not the second. */
function turnsFor(gates: readonly Gate[]): readonly (readonly Gate[])[] {
  for (let count = 1; ; count++) {
    // As many turns for each, and no two have the same.
    const turns = Array.from({ length: 2 ** count }, (_, bits) =>
      Array.from({ length: count }, (_, turn) => turn).filter((turn) => (bits >> turn) % 2 === 1),
    ).filter(({ length }) => length === Math.floor(count / 2));
    if (turns.length < gates.length) continue;
    return Array.from({ length: count }, (_, turn) => gates.filter((_, place) => turns[place]?.includes(turn)));
  }
}

for (const [stage, word, on] of SWITCHED) {
  check(
    `GATE-STAGE-07.1/${word}`,
    `the operator switches some gates of ${word} features ${on ? 'on' : 'off'}, and says of others what they are or nothing → each is as it is told, or as it was, and no version is that is off by default`,
    [...clausesOf('GATE-STAGE-07', word), ...versionsByGates([word])],
    async ({ start, watcher, target }) => {
      const gates = await gatesAt(watcher, stage);
      let started = 0;
      // Once each is told what it is.
      for (const switched of [...turnsFor(gates), []]) {
        const wanted = gates.map((gate) => ({ ...gate, on: switched.includes(gate) ? on : gate.on }));
        const told =
          switched.length === 0 ? wanted : wanted.filter((_, place) => switched.includes(gates[place] as Gate));
        const server = await start({ flags: [`--feature-gates=${told.map((each) => `${each.name}=${each.on}`)}`] });
        // Some of a server may not go together.
        if (server.failure !== undefined) continue;
        started++;
        const admin = server.as('admin');
        await clause(`GATE-STAGE-07/${word}`, async () => {
          const seen = await gatesOf(admin);
          const wrong = wanted.filter(({ name, on }) => seen.find((each) => each.name === name)?.on !== on);
          must('each is as it is told, or as it was', wrong, match.equal([]));
        });
        await bringNoVersions(admin, ownRelease(target), [word]);
        await server.stop();
      }
      if (started === 0) unsupported('it starts with none of these lists');
    },
  );
}

check(
  'GATE-STAGE-07.2',
  'the operator switches some gates of alpha and of beta features at once, in turning order, and says of some others what they are → each is as it is told, or as it was, and no version is that is off by default',
  [...clausesOf('GATE-STAGE-07'), ...versionsByGates(['alpha', 'beta'])],
  async ({ start, watcher, target }) => {
    const gates = [...(await gatesAt(watcher, 'ALPHA')), ...(await gatesAt(watcher, 'BETA'))];
    let started = 0;
    for (const [turn, switched] of turnsFor(gates).entries()) {
      const wanted = gates.map((gate) => ({ ...gate, on: switched.includes(gate) !== gate.on }));
      const told = wanted.filter((_, place) => switched.includes(gates[place] as Gate) || (place + turn) % 3 === 0);
      const first = (turn * 7) % told.length;
      const list = [...told.slice(first), ...told.slice(0, first)].map((each) => `${each.name}=${each.on}`);
      const server = await start({ flags: [`--feature-gates=${list}`] });
      // Some of a server may not go together.
      if (server.failure !== undefined) continue;
      started++;
      const admin = server.as('admin');
      const seen = await gatesOf(admin);
      for (const [stage, word] of SWITCHED) {
        await clause(`GATE-STAGE-07/${word}`, async () => {
          const own = wanted.filter((gate) => gate.stage === stage);
          const wrong = own.filter(({ name, on }) => seen.find((each) => each.name === name)?.on !== on);
          must('each is as it is told, or as it was', wrong, match.equal([]));
        });
      }
      await bringNoVersions(admin, ownRelease(target), ['alpha', 'beta']);
      await server.stop();
    }
    if (started === 0) unsupported('it starts with none of these lists');
  },
);

/**
 * Gates that have been without effect since their feature became generally available. A gate may stay operational
 * beyond that, and no server tells which does; so others are not looked at.
 */
const WITHOUT_EFFECT = [
  'AdmissionWebhookMatchConditions',
  'AdvancedAuditing',
  'AggregatedDiscoveryEndpoint',
  'APIListChunking',
  'APIPriorityAndFairness',
  'APISelfSubjectReview',
  'BoundServiceAccountTokenVolume',
  'CronJobControllerV2',
  'CronJobTimeZone',
  'CSIStorageCapacity',
  'CSRDuration',
  'CustomResourceFieldSelectors',
  'CustomResourceValidationExpressions',
  'DryRun',
  'EndpointSlice',
  'EphemeralContainers',
  'HPAContainerMetrics',
  'ImmutableEphemeralVolumes',
  'IndexedJob',
  'IngressClassNamespacedParams',
  'IPv6DualStack',
  'JobMutableNodeSchedulingDirectives',
  'JobTrackingWithFinalizers',
  'KMSv2',
  'LegacyServiceAccountTokenCleanUp',
  'LegacyServiceAccountTokenNoAutoGeneration',
  'LegacyServiceAccountTokenTracking',
  'NetworkPolicyEndPort',
  'OpenAPIV3',
  'PodDisruptionBudget',
  'PodOverhead',
  'PodSecurity',
  'ReadWriteOncePod',
  'RemainingItemCount',
  'RetryGenerateName',
  'RootCAConfigMap',
  'RuntimeClass',
  'SelectorIndex',
  'ServerSideApply',
  'ServerSideFieldValidation',
  'ServiceAccountIssuerDiscovery',
  'ServiceAccountTokenJTI',
  'ServiceAccountTokenNodeBindingValidation',
  'ServiceAccountTokenPodNodeInfo',
  'ServiceAppProtocol',
  'ServiceInternalTrafficPolicy',
  'StatefulSetAutoDeletePVC',
  'StatefulSetMinReadySeconds',
  'StatefulSetStartOrdinal',
  'StrictCostEnforcementForVAP',
  'StrictCostEnforcementForWebhooks',
  'StructuredAuthorizationConfiguration',
  'SuspendJob',
  'TokenRequest',
  'TTLAfterFinished',
  'ValidatingAdmissionPolicy',
  'WarningHeaders',
  'WatchBookmark',
];

const withoutEffect = async (actor: Actor) =>
  (await gatesAt(actor, '')).filter(({ name }) => WITHOUT_EFFECT.includes(name));

/**
 * Judges that gates that a list switches off are on all the same, or that the list is refused
 * (3/feature-gate-lifecycle/p1). Out: whether it is taken.
 */
function effectless(start: Start, release?: ReleaseName): (list: string, ...gates: Gate[]) => Promise<boolean> {
  const at = release === undefined ? {} : { release };
  let usual: Promise<unknown> | undefined;
  return async (list, ...gates) => {
    const server = await start({ ...at, flags: [`--feature-gates=${list}`] });
    if (server.failure !== undefined) return false;
    const admin = server.as('admin');
    const seen = await gatesOf(admin);
    for (const { name } of gates)
      must(`${list} leaves ${name} on`, seen, match.containing(match.including({ name, on: true })));
    usual ??= start({ ...at, flags: [] }).then((plain) => effectsOf(plain.as('admin')));
    must(`${list} leaves all features as they are`, await effectsOf(admin), match.equal(await usual));
    await server.stop();
    return true;
  };
}

check(
  'GATE-STAGE-03.1',
  'the operator sets the gate of a feature that is generally available → on is accepted, off is refused or has no effect',
  ['GATE-STAGE-03'],
  async ({ start, watcher }) => {
    const known = await withoutEffect(watcher);
    const [gate] = known;
    if (!gate) unsupported('none of its gates is known to be without effect');
    must('on is accepted', await start({ flags: [`--feature-gates=${gate.name}=true`] }), match.starts);
    const done = (await gatesAt(watcher, '')).filter(({ on }) => on).map(({ name }) => `${name}=true`);
    must('so is each of the others', await start({ flags: [`--feature-gates=${done.join(',')}`] }), match.starts);
    const hasNoEffect = effectless(start);
    for (const each of known) await hasNoEffect(`${each.name}=false`, each);
    const other = (await gatesAt(watcher, 'BETA')).find(({ on }) => on);
    const words = [`${other?.name ?? gate.name}=true`, `${gate.name}=false`];
    for (const list of [words.join(','), words.reverse().join(','), `${gate.name}=true,${gate.name}=false`])
      await hasNoEffect(list, gate);
  },
);

/** Releases in which all these gates were without effect, one or another. */
for (const release of ['1.21', '1.23', '1.25', '1.27', '1.29', '1.31'] as const) {
  check(
    `GATE-STAGE-03.2/${release}`,
    `the operator of release ${release} sets the gate of each feature that is generally available → on is accepted, off is refused or has no effect`,
    ['GATE-STAGE-03'],
    ['releases'],
    async ({ start }) => {
      const plain = await start({ release, flags: [] });
      must('it starts without', plain, match.starts);
      const known = await withoutEffect(plain.as('admin'));
      if (known.length === 0) unsupported('none of its gates is known to be without effect');
      await plain.stop();
      const on = known.map(({ name }) => `${name}=true`).join(',');
      must('on is accepted', await start({ release, flags: [`--feature-gates=${on}`] }), match.starts);
      const hasNoEffect = effectless(start, release);
      // What is taken together and does nothing is not tried one by one.
      if (await hasNoEffect(known.map(({ name }) => `${name}=false`).join(','), ...known)) return;
      for (const each of known) await hasNoEffect(`${each.name}=false`, each);
    },
  );
}

/** Gates that are gone, with the release from which on they are. */
const GONE = [
  ['RuntimeClass', 24],
  ['EndpointSlice', 25],
  ['TTLAfterFinished', 25],
  ['CSRDuration', 26],
  ['EphemeralContainers', 27],
  ['DryRun', 28],
  ['PodSecurity', 28],
  ['CSIStorageCapacity', 28],
  ['CronJobTimeZone', 29],
  ['JobTrackingWithFinalizers', 29],
  ['AdvancedAuditing', 31],
  ['APIPriorityAndFairness', 31],
  ['CustomResourceValidationExpressions', 31],
] as const;

check(
  'GATE-STAGE-04.2',
  'the operator sets each of the gates that were removed in the last years → the server does not start',
  ['GATE-STAGE-04'],
  async ({ start, target }) => {
    const gone = GONE.filter(([, release]) => release <= ownRelease(target));
    if (gone.length === 0) unsupported('none of them is known to be gone');
    for (const [name] of gone)
      for (const value of ['true', 'false'])
        must(`${name}=${value}`, await start({ flags: [`--feature-gates=${name}=${value}`] }), match.refusesToStart);
  },
);

for (const [what, name] of [
  ['that never existed', 'TouchstoneNeverExisted'],
  ['that was removed', 'CustomPodDNS'],
] as const) {
  check(
    `GATE-STAGE-04.1/${what}`,
    `the operator sets a gate ${what} → the server does not start`,
    ['GATE-STAGE-04'],
    async ({ start, watcher }) => {
      const known = (await gatesOf(watcher)).find(({ on, stage }) => on && stage === 'BETA');
      const beside = known ? [`${known.name}=true,${name}=true`, `${name}=true,${known.name}=true`] : [];
      for (const list of [`${name}=true`, `${name}=false`, ...beside])
        must(`${list} is refused`, await start({ flags: [`--feature-gates=${list}`] }), match.refusesToStart);
    },
  );
}

/** What no boolean is, or is one elsewhere: in YAML, in other programs. */
const NO_BOOLEANS = ['perhaps', '', '2', 'truee', 'yes', 'no', 'on', 'off', 'y', 'N', 'enabled', '-1', 'null'];

check(
  'GATE-VALUE-01.1',
  'the operator gives a gate of each stage a value that is no boolean, alone and among others → the server does not start',
  ['GATE-VALUE-01'],
  async ({ start, watcher }) => {
    const all = await gatesOf(watcher);
    const [alpha, beta, done] = (['ALPHA', 'BETA', ''] as const).map((stage) =>
      all.find((gate) => gate.stage === stage && gate.on === (stage !== 'ALPHA') && !/^All/.test(gate.name)),
    );
    const gates = [alpha, beta, done].filter((gate) => gate !== undefined);
    for (const [place, gate] of gates.entries()) {
      const others = gates.filter((each) => each !== gate).map(({ name, on }) => `${name}=${on}`);
      for (const [turn, value] of NO_BOOLEANS.entries()) {
        // The first at every stage, the others at one each.
        if (turn >= 4 && turn % gates.length !== place) continue;
        const at = (place + turn) % 4;
        const wrong = `${gate.name}=${value}`;
        const list = at === 3 ? [wrong] : [...others.slice(0, at), wrong, ...others.slice(at)];
        must(`${list} is refused`, await start({ flags: [`--feature-gates=${list}`] }), match.refusesToStart);
      }
    }
  },
);
