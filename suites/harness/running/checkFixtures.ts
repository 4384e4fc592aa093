import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  AIM,
  CHECK,
  CLAUSE,
  COUNTED,
  ENOUGH,
  FLAG,
  NEED,
  REQUIREMENT,
  SHARED,
  VARIANT,
} from '../../../reports/annotations.ts';
import { EVIDENCE, TRAIL } from '../../../reports/evidenceRecord.ts';
import { Actor } from '../actor.ts';
import type { Client } from '../client/client.ts';
import { untilRefusedAgain } from '../client/lingering.ts';
import { TargetClock } from '../clock.ts';
import { endsCheck, inconclusive, LeftOut, unsupported } from '../endings.ts';
import { closeEvidence, currentEvidence, Evidence, openEvidence } from '../evidence.ts';
import { groupOf, type Kind } from '../kinds.ts';
import { must } from '../must.ts';
import { judgesOf, levelOf } from '../requirements.ts';
import type { Services } from '../services/services.ts';
import { Space } from '../space.ts';
import { LaunchFailed, UnfitCommand } from '../starting/launch.ts';
import type { OwnServers, Wanted } from '../starting/ownServers.ts';
import type { Place, Places } from '../starting/places.ts';
import type { Setup, SetupOf } from '../starting/setup.ts';
import { setupOf } from '../starting/setups.ts';
import { type EnlistAt, type Started, startFor, starts } from '../starting/started.ts';
import { type Capability, lacking } from '../target/capabilities.ts';
import { type Site, secretsOf } from '../target/site.ts';
import { type Identity, TARGET_FILE, type Target } from '../target/target.ts';
import type { CheckInfo } from './checkInfo.ts';
import type { Fixtures } from './fixtureScope.ts';
import { Catches } from './mutants.ts';
import { confirmed, refuseWithoutTarget } from './play.ts';
import { type RunSeed, seedOfCheck, seedOfRun } from './seeds.ts';

/** The store of the target, for checks that need `store-access`. */
class TargetStore {
  readonly #control: Client | undefined;
  readonly #target: Target;

  /** @param control a client of the control port; `undefined` where the target has none. */
  constructor(control: Client | undefined, target: Target) {
    this.#control = control;
    this.#target = target;
  }

  /** Damages an object of an actor in the store, so that reading it fails as a failed decryption would. */
  async damage(actor: Actor, kind: Kind, name: string): Promise<void> {
    if (!this.#control) unsupported('the target has no store that can be reached into');
    const body = {
      group: groupOf(kind, this.#target.dialect),
      resource: kind.plural,
      namespace: kind.namespaced ? await actor.namespace() : '',
      name: actor.space.nameOf(kind, name),
    };
    const words = `${kind.plural} ${name} is damaged in the store`;
    const answer = await this.#control.send(words, 'POST', '/store/corrupt', { body });
    if (!answer.succeeded) inconclusive(`the object could not be damaged: ${answer.failure ?? answer.status}`);
  }
}

/**
 * Lets the checks of all workers take turns at something that they share. There is one stranger, and a right that
 * one check grants in the whole cluster would be a right in every other check that runs beside it.
 *
 * @param name of what is shared; mutants have a server each and share nothing with others.
 * @returns what gives the turn on.
 */
async function takeTurn(name: string): Promise<() => void> {
  const lock = join(dirname(process.env[TARGET_FILE] ?? '.'), `turn-${name}`);
  while (!seize(lock)) {
    breakStale(lock);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return () => rmSync(lock, { recursive: true, force: true });
}

/** Making a folder either succeeds or fails, for one of all who try: that is the lock. */
function seize(lock: string): boolean {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'owner'), String(process.pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A worker that died cannot give its turn on. */
function breakStale(lock: string): void {
  let owner: number;
  try {
    owner = Number(readFileSync(join(lock, 'owner'), 'utf8'));
  } catch {
    return;
  }
  if (!Number.isInteger(owner) || owner <= 0) return;
  try {
    process.kill(owner, 0);
  } catch {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Who and what a check can ask for by name. */
export interface CheckFixtures {
  /** Writes the objects of the check. */
  readonly author: Actor;
  /** Writes the same objects as the author, with other intentions. */
  readonly rival: Actor;
  /** Only looks. */
  readonly watcher: Actor;
  /** Grants rights and does what needs them all. */
  readonly admin: Actor;
  /** Is somebody, authenticated, and has no rights but those the check grants. */
  readonly stranger: Actor;
  /** Shows no credentials. */
  readonly nobody: Actor;
  /** The clock of the target, which a check that needs `virtual-clock` may set ahead. */
  readonly clock: TargetClock;
  /** The store of the target, in which a check that needs `store-access` may damage an object. */
  readonly store: TargetStore;
  /** For what a check chooses by chance: the same number as long as the seed of the run is the same. */
  readonly seed: number;
  /** For what checks choose together, so that each plays a part of it: the same number for all of a run. */
  readonly runSeed: RunSeed;
  /** Folder for what a check keeps for its reader, such as a sequence to play again. */
  readonly output: string | undefined;
  /** The check's own namespace and names. */
  readonly space: Space;
  readonly target: Target;
  readonly dialect: Dialect;
  /** Somebody else at the server of the check: whoever these credentials are of. */
  readonly someone: (name: string, identity: Identity) => Actor;
  /**
   * Somebody of this check alone, whom the admin acts as: a user called so, behind the prefix of the check unless
   * `acts` gives another name, and in these groups. Needs `impersonation`.
   */
  readonly person: (name: string, acts?: Identity['acts']) => Actor;
  /** Starts a server for this check alone, which ends with it: the check needs `launch`. */
  readonly start: (setup: Setup | SetupOf) => Promise<Started>;
}
interface Machinery {
  /** Name of the mutant that the check is put to; empty for the target of the run. */
  readonly mutant: string;
  readonly place: Place;
  readonly beginning: Beginning;
  /** Where the check looks: the target of the run, or a server of its own kind that the worker has for itself. */
  readonly site: Site;
  readonly evidence: Evidence;
  readonly enlist: (name: string, identity: Identity | undefined) => Actor;
  readonly enlistAt: EnlistAt;
  /** @param another of how many places of the check it is, the first being 0. */
  readonly spaceAt: (site: Site, another?: number) => Space;
}
/** The server that a check looks at, or the one of the run where that does not come up. */
interface Beginning {
  readonly site: Site;
  readonly failure?: string;
  /** Why the target cannot be started as the check has to have it. */
  readonly unfit?: string;
}
/** What a lane has for all of its checks. */
export interface LaneFixtures {
  readonly places: Pick<Places, 'capabilities' | 'of'>;
  /** What the harness runs for a target to call: issuers, webhooks, authorities. */
  readonly services: Services;
}
/** All that a body can ask for. */
export type BodyFixtures = CheckFixtures & Pick<LaneFixtures, 'services'>;

/** Everybody and everything in a check. */
export const FIXTURES: Fixtures<CheckFixtures & Machinery, LaneFixtures, CheckInfo> = {
  // biome-ignore lint/correctness/noEmptyPattern: the names that a fixture needs are read from this pattern.
  mutant: async ({}, use, info) => {
    const mutant = marked(info, VARIANT)[0] ?? '';
    const enough = marked(info, ENOUGH)[0];
    const aims = marked(info, AIM);
    const caught = catchesOf(mutant);
    const isOver = enough !== undefined && caught.count >= Number(enough);
    if (isOver || (aims.length > 0 && aims.every((each) => caught.has(each))))
      throw new LeftOut('it was caught before');
    await use(mutant);
  },
  place: async ({ places, mutant }, use) => use(await places.of(mutant)),
  beginning: async ({ places, place: { own, main } }, use, info) => {
    const needs = marked(info, NEED) as Capability[];
    // Without what it needs the check ends before it asks anything, so no server is started for it.
    const lacks = needs.some((need) => lacking(places.capabilities, need) !== undefined);
    const wanted = {
      needs,
      flags: marked(info, FLAG),
      setup: setupOf(info.annotations),
    };
    await use(lacks ? { site: await main() } : await begin(own, main, wanted));
  },
  site: async ({ beginning }, use) => use(beginning.site),
  evidence: async ({ beginning: { site, failure, unfit }, mutant }, use, info) => {
    const requirements = marked(info, REQUIREMENT);
    const needs = marked(info, NEED) as Capability[];
    const aims = marked(info, AIM);
    const caught = catchesOf(mutant);
    // Given on only after everything else is torn down, the rights that the check granted among it.
    const shared = [...(needs.includes('plain-identity') ? ['stranger'] : []), ...marked(info, SHARED)];
    const turns: (() => void)[] = [];
    for (const what of shared) turns.push(await takeTurn(`${what}-${mutant}`));
    const evidence = new Evidence({
      title: info.title,
      requirements,
      clauses: marked(info, CLAUSE),
      level: levelOf(requirements),
      strict: site.run.strict,
      judges: judgesOf(requirements),
      foreign: site.target.mode !== 'embedded',
      aims: aims.filter((aim) => !caught.has(aim)),
      redactor: site.redactor.copy(),
    });
    openEvidence(evidence);
    try {
      ending(() => {
        for (const need of needs) {
          const reason = lacking(site.target.capabilities, need);
          if (reason !== undefined) unsupported(reason);
        }
        if (unfit !== undefined) unsupported(unfit);
        refuseWithoutTarget(site, evidence);
        if (failure !== undefined) must('the server starts with the flags and files of the check', { failure }, starts);
      });
      await use(evidence);
      await confirmed(evidence, site);
      if (shared.includes('stranger'))
        await untilRefusedAgain(site.client('stranger', site.target.identities.plain), evidence);
    } finally {
      closeEvidence();
      for (const giveOn of turns.reverse()) giveOn();
      if (marked(info, ENOUGH).length > 0) caught.add(evidence.brokenOf(marked(info, COUNTED)));
      if (aims.length > 0) caught.add(evidence.caught);
      info.attachments.push({
        name: EVIDENCE,
        body: Buffer.from(evidence.serialized()),
        contentType: 'application/json',
      });
      // The runner has no need to read it, only to put it into the stream.
      if (!site.run.verdictsOnly)
        info.attachments.push({
          name: TRAIL,
          path: keptTrail(evidence, info),
          contentType: 'application/x-ndjson',
        });
    }
  },
  clock: async ({ site, evidence: _ }, use) => use(new TargetClock(site.control())),
  store: async ({ site, evidence: _ }, use) => use(new TargetStore(site.control(), site.target)),
  seed: async ({ site }, use, info) => use(seedOfCheck(site.run, info.key)),
  runSeed: async ({ site }, use) => use(seedOfRun(site.run)),
  output: async ({ site }, use) => use(site.run.output),
  target: async ({ site }, use) => use(site.target),
  dialect: async ({ site }, use) => use(site.target.dialect),
  spaceAt: async ({ evidence }, use, info) =>
    use((site, another = 0) => {
      const { run, target } = site;
      const admin = site.client('admin', target.identities.admin);
      const check = another === 0 ? info.key : `${info.key}/${another}`;
      return new Space({ run: run.id, check, attempt: info.attempt, admin, target, evidence });
    }),
  space: async ({ site, spaceAt }, use) => {
    const space = spaceAt(site);
    await use(space);
    await space.cleanUp();
  },
  enlistAt: async ({ site, space, evidence, spaceAt }, use) => {
    const enlisted: Actor[] = [];
    const spaces = new Map([[site, space]]);
    await use((at, name, identity) => {
      evidence.hide(secretsOf({ identities: { [name]: identity ?? {} } }));
      const within = spaces.get(at) ?? spaceAt(at, spaces.size);
      spaces.set(at, within);
      const client = at.client(name, identity);
      const administrator = at.client('admin', at.target.identities.admin);
      const actor = new Actor({ client, administrator, space: within, target: at.target, evidence });
      enlisted.push(actor);
      return actor;
    });
    for (const actor of enlisted) actor.closeStreams();
  },
  enlist: async ({ site, enlistAt }, use) => use((name, identity) => enlistAt(site, name, identity)),
  someone: async ({ enlist }, use) => use(enlist),
  person: async ({ site, space, enlist }, use) =>
    use((name, { user = `${space.prefix}-${name}`, ...more } = {}) =>
      enlist(name, { ...site.target.identities.admin, acts: { user, ...more }, user }),
    ),
  start: async ({ place: { own }, enlistAt }, use) => {
    const started: Started[] = [];
    let tried = false;
    await use(async (setup) => {
      tried = true;
      const server = await startFor(own, setup, enlistAt);
      started.push(server);
      return server;
    });
    for (const server of started) await server.stop();
    // One that did not come up may have been in the place of the target, where the check is to be cleaned up.
    if (tried) await own.restore();
  },
  author: async ({ site, enlist }, use) => use(enlist('author', site.target.identities.admin)),
  rival: async ({ site, enlist }, use) => use(enlist('rival', site.target.identities.admin)),
  watcher: async ({ site, enlist }, use) => use(enlist('watcher', site.target.identities.admin)),
  admin: async ({ site, enlist }, use) => use(enlist('admin', site.target.identities.admin)),
  // Where there is none, the check has ended for want of it and asks nothing.
  stranger: async ({ site, enlist }, use) => use(enlist('stranger', site.target.identities.plain)),
  nobody: async ({ enlist }, use) => use(enlist('nobody', undefined)),
};

const catchesOf = (mutant: string) => new Catches(dirname(process.env[TARGET_FILE] ?? '.'), mutant);

/** Writes what a check sent and heard into a file of its own, and says where. */
function keptTrail(evidence: Evidence, info: CheckInfo): string {
  const path = join(dirname(process.env[TARGET_FILE] ?? '.'), `trail-${randomUUID()}`);
  writeFileSync(path, evidence.trail(marked(info, CHECK)[0] ?? '', marked(info, VARIANT)[0] ?? ''), { mode: 0o600 });
  return path;
}

/** A server that refuses what it has to take is a fault that the check must tell, and no fault of the harness. */
async function begin(own: OwnServers, main: Place['main'], wanted: Wanted): Promise<Beginning> {
  try {
    return { site: await own.siteFor(wanted) };
  } catch (error) {
    if (error instanceof UnfitCommand) return { site: await main(), unfit: error.message };
    if (error instanceof LaunchFailed) return { site: await main(), failure: error.message };
    throw error;
  }
}

/** Runs the beginning of a check, which may end it: then nothing more is done, and Playwright need not know. */
function ending(begin: () => void): void {
  try {
    begin();
  } catch (error) {
    if (!endsCheck(error)) throw error;
    currentEvidence().close();
  }
}

function marked(info: CheckInfo, type: string): string[] {
  return info.annotations.flatMap((each) => (each.type === type && each.description ? [each.description] : []));
}
