import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as playwrightTest, type TestInfo } from '@playwright/test';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { Actor } from './actor.ts';
import { FLAG, NEED, PLACE, REQUIREMENT } from './annotations.ts';
import { type Capability, lacking } from './capabilities.ts';
import { checkId } from './checkId.ts';
import { TargetClock } from './clock.ts';
import { unsupported } from './endings.ts';
import { closeEvidence, Evidence, openEvidence } from './evidence.ts';
import { EVIDENCE } from './evidenceRecord.ts';
import { launchMutant } from './mutantSite.ts';
import { OwnServers } from './ownServers.ts';
import { levelOf, needsOf, profilesOf, type RequirementId } from './requirements.ts';
import { currentSelection, isChosen } from './selection.ts';
import { Site } from './site.ts';
import { Space } from './space.ts';
import { type Identity, loadTargetFile, type Target } from './target.ts';
import { TargetStore } from './targetStore.ts';
import { takeTurn } from './turn.ts';

/** Who and what a check can ask for by name. */
export interface Cast {
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
  /** Folder for what a check keeps for its reader, such as a sequence to play again. */
  readonly output: string | undefined;
  /** The check's own namespace and names. */
  readonly space: Space;
  readonly target: Target;
  readonly dialect: Dialect;
}
interface Machinery {
  /** Where the check looks: the target of the run, or a server of its own kind that the worker has for itself. */
  readonly site: Site;
  readonly evidence: Evidence;
  readonly enlist: (name: string, identity: Identity | undefined) => Actor;
}
interface WorkerCast {
  /** Name of the mutant to start and test; empty for the target of the run. */
  readonly mutant: string;
  readonly main: Site;
  readonly own: OwnServers;
}

const test = playwrightTest.extend<Cast & Machinery, WorkerCast>({
  mutant: ['', { option: true, scope: 'worker' }],
  main: [
    async ({ mutant }, use, workerInfo) => {
      const launched = mutant === '' ? undefined : await launchMutant(mutant);
      const site = new Site(launched?.file ?? loadTargetFile(), workerInfo.workerIndex);
      await use(site);
      await site.close();
      await launched?.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  own: [
    async ({ mutant, main }, use, workerInfo) => {
      const own = new OwnServers({ file: loadTargetFile(), worker: workerInfo.workerIndex, mutant, main });
      await use(own);
      await own.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  site: async ({ own }, use, info) => use(await own.siteFor(marked(info, NEED) as Capability[], marked(info, FLAG))),
  evidence: [
    async ({ site, mutant }, use, info) => {
      const requirements = marked(info, REQUIREMENT);
      const needs = marked(info, NEED) as Capability[];
      // Given on only after everything else is torn down, the rights that the check granted among it.
      const giveOn = needs.includes('plain-identity') ? await takeTurn(`stranger-${mutant}`) : undefined;
      const evidence = new Evidence({
        title: info.title,
        requirements,
        level: levelOf(requirements),
        strict: site.run.strict,
        redactor: site.redactor,
      });
      openEvidence(evidence);
      try {
        for (const need of needs) {
          const reason = lacking(site.target.capabilities, need);
          if (reason !== undefined) unsupported(reason);
        }
        await use(evidence);
      } finally {
        closeEvidence();
        giveOn?.();
        const body = JSON.stringify(evidence.record());
        await info.attach(EVIDENCE, { body, contentType: 'application/json' });
      }
    },
    { auto: true },
  ],
  clock: async ({ site, evidence: _ }, use) => use(new TargetClock(site.control())),
  store: async ({ site, evidence: _ }, use) => use(new TargetStore(site.control(), site.target)),
  seed: async ({ site }, use, info) => {
    const digest = createHash('sha256')
      .update(`${site.run.seed}#${info.titlePath.join('/')}`)
      .digest();
    await use(digest.readInt32BE());
  },
  output: async ({ site }, use) => use(site.run.output),
  target: async ({ site }, use) => use(site.target),
  dialect: async ({ site }, use) => use(site.target.dialect),
  space: async ({ site, evidence }, use, info) => {
    const admin = site.client('admin', site.target.identities.admin);
    const check = info.titlePath.join('/');
    const space = new Space({ run: site.run.id, check, attempt: info.retry, admin, target: site.target, evidence });
    await use(space);
    await space.cleanUp();
  },
  enlist: async ({ site, space, evidence }, use) => {
    const enlisted: Actor[] = [];
    await use((name, identity) => {
      const actor = new Actor({ client: site.client(name, identity), space, target: site.target, evidence });
      enlisted.push(actor);
      return actor;
    });
    for (const actor of enlisted) actor.closeStreams();
  },
  author: async ({ site, enlist }, use) => use(enlist('author', site.target.identities.admin)),
  rival: async ({ site, enlist }, use) => use(enlist('rival', site.target.identities.admin)),
  watcher: async ({ site, enlist }, use) => use(enlist('watcher', site.target.identities.admin)),
  admin: async ({ site, enlist }, use) => use(enlist('admin', site.target.identities.admin)),
  stranger: async ({ site, enlist }, use, info) => {
    // That need is what makes checks with the stranger take turns.
    if (!marked(info, NEED).includes('plain-identity'))
      throw new Error('a check with the stranger needs plain-identity');
    const identity = site.target.identities.plain;
    if (!identity) unsupported(lacking(site.target.capabilities, 'plain-identity') ?? 'no second identity was given');
    await use(enlist('stranger', identity));
  },
  nobody: async ({ enlist }, use) => use(enlist('nobody', undefined)),
});

function marked(info: TestInfo, type: string): string[] {
  return info.annotations.flatMap((each) => (each.type === type && each.description ? [each.description] : []));
}

type Body = (cast: Cast, info: TestInfo) => Promise<void>;
type Requirements = readonly [RequirementId, ...RequirementId[]];

/** What a check asks for beyond its requirements. */
interface Circumstances {
  readonly needs?: readonly Capability[];
  /** Flags of the server that it looks at, which is started for it: such a check needs `launch`. */
  readonly flags?: readonly string[];
}

/**
 * Declares a check: one behaviour, told as `actor does what → what is seen`, and the requirements it is evidence for.
 * It is unsupported where the target lacks what the requirements need, or what `needs` names beyond that. The body
 * asks for its actors by destructuring.
 */
export function check(title: string, requirements: Requirements, body: Body): void;
export function check(title: string, requirements: Requirements, needs: readonly Capability[], body: Body): void;
export function check(title: string, requirements: Requirements, circumstances: Circumstances, body: Body): void;
export function check(
  title: string,
  requirements: Requirements,
  ...rest: readonly [Body] | readonly [readonly Capability[] | Circumstances, Body]
): void {
  const [asked, body] = rest.length === 1 ? [[], rest[0]] : rest;
  const { needs = [], flags = [] }: Circumstances = 'length' in asked ? { needs: asked } : asked;
  const place = placeOfCaller();
  const id = checkId(relative(ROOT, place.slice(0, place.lastIndexOf(':'))), title);
  if (!isChosen({ id, requirements, profiles: profilesOf(requirements) }, chosen)) return;
  const annotation = [
    ...requirements.map((each) => ({ type: REQUIREMENT, description: each })),
    ...[...new Set([...needsOf(requirements), ...needs])].map((need) => ({ type: NEED, description: need })),
    ...flags.map((flag) => ({ type: FLAG, description: flag })),
    { type: PLACE, description: place },
  ];
  test(title, { tag: requirements.map((each) => `@${each}`), annotation }, body);
}

const ROOT = join(import.meta.dirname, '../..');
const chosen = currentSelection();

/** `file:line` of the line that called `check`; Playwright itself would name this file. */
function placeOfCaller(): string {
  const frame = new Error().stack?.split('\n').find((line) => line.includes('.spec.')) ?? '';
  const [, place = '', line = ''] =
    /(?:\(|at |async )((?:file:|\/|[A-Za-z]:[\\/])\S*?):(\d+):\d+\)?$/.exec(frame) ?? [];
  return `${place.startsWith('file:') ? fileURLToPath(place) : place}:${line}`;
}
