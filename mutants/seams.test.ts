import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HookDependencies } from '../reference/admission/webhooks/validating.ts';
import type { AdmissionChain } from '../reference/contracts/admission.ts';
import type { Authenticator } from '../reference/contracts/authenticator.ts';
import type { Authorizer } from '../reference/contracts/authorizer.ts';
import type { VerbTable } from '../reference/contracts/call.ts';
import { delegate, type Store } from '../reference/contracts/store.ts';
import type { FieldOwnership } from '../reference/fields/fieldOwnership.ts';
import type { Reviews } from '../reference/remote/reviewClient.ts';
import type { Seams } from '../reference/seams.ts';
import type { Clock } from '../reference/time.ts';
import { MUTANTS } from './index.ts';
import { TWINS } from './permissive/index.ts';

/** What stands at each seam but those that get values or functions; each member by name, so that a new one has to come here. */
interface Standing {
  readonly clock: Clock;
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly eachAuthorizer: Authorizer;
  readonly admission: AdmissionChain;
  readonly webhooks: HookDependencies;
  readonly ownership: FieldOwnership;
  readonly verbs: VerbTable;
  readonly reviews: Reviews;
}
const MEMBERS: {
  readonly [Seam in keyof Standing]: Readonly<Record<keyof Standing[Seam], 'value' | 'method'>>;
} & Readonly<Record<Exclude<keyof Seams, 'reply' | 'handler' | 'hookReviews'>, object>> = {
  clock: { now: 'method', after: 'method', every: 'method', elapsed: 'method' },
  store: {
    historyWindow: 'value',
    epoch: 'value',
    revision: 'method',
    get: 'method',
    range: 'method',
    commit: 'method',
    watch: 'method',
    exclusively: 'method',
    compact: 'method',
    oldestRevision: 'method',
    historyBytes: 'method',
    unchangedSince: 'method',
    close: 'method',
  },
  authenticator: { name: 'value', authenticate: 'method' },
  authorizer: { name: 'value', authorize: 'method' },
  eachAuthorizer: { name: 'value', authorize: 'method' },
  admission: { name: 'value', mutate: 'method', validate: 'method', stop: 'method' },
  webhooks: { index: 'value', caller: 'value', group: 'value', conditions: 'value', store: 'value', registry: 'value' },
  ownership: { apply: 'method', update: 'method' },
  verbs: {
    get: 'method',
    list: 'method',
    watch: 'method',
    create: 'method',
    update: 'method',
    patch: 'method',
    delete: 'method',
    deletecollection: 'method',
  },
  reviews: { ask: 'method' },
};

/** What the server puts together as a plain object; the others are instances of classes, of which a spread keeps little. */
const PLAIN: readonly (keyof Standing)[] = ['admission', 'webhooks', 'ownership', 'verbs'];

/** Something with the members of what stands at a seam. */
function standingAt(seam: keyof Standing): object {
  const members: object = {};
  for (const [name, kind] of Object.entries(MEMBERS[seam])) {
    const value: unknown = kind === 'value' ? VALUES[name] : () => undefined;
    const enumerable = true;
    Object.defineProperty(members, name, kind === 'value' ? { get: () => value, enumerable } : { value, enumerable });
  }
  return PLAIN.includes(seam) ? members : (Object.create(members) as object);
}
const VALUES: Readonly<Record<string, unknown>> = {
  historyWindow: 300_000,
  epoch: 7,
  // Authorizers that mutants look for by their names.
  name: 'rbac',
  index: { items: () => [] },
  caller: {},
  group: 'a.example',
  conditions: {},
  store: {},
  registry: {},
};

/** Members of what stands at a seam that a decorator of it loses. */
function lost(seam: keyof Standing, decorate: (standing: never) => object): string[] {
  const altered = decorate(standingAt(seam) as never) as Record<string, unknown>;
  return Object.entries(MEMBERS[seam]).flatMap(([name, kind]) => {
    const kept = kind === 'method' ? typeof altered[name] === 'function' : altered[name] !== undefined;
    return kept ? [] : [name];
  });
}

it('a mutant or a twin hands on every member of what it stands around', () => {
  const twins = TWINS.map(({ id, choice }) => ({ id, defect: choice }));
  const found = [...MUTANTS, ...twins].flatMap(({ id, defect }) => {
    const { start: _, reply: __, handler: ___, hookReviews: ____, ...seams } = defect();
    return Object.entries(seams).flatMap(([seam, decorate]) =>
      lost(seam as keyof Standing, decorate as (standing: never) => object).map((name) => `${id}: ${seam}.${name}`),
    );
  });
  assert.deepEqual(found, []);
});

it('a store keeps how long its history is and whose turn it is behind a decorator', () => {
  assert.deepEqual(lost('store', delegate), []);
  const { historyWindow, epoch } = delegate(standingAt('store') as Store);
  assert.deepEqual([historyWindow, epoch], [300_000, 7]);
});

it('would be seen to lose one', () => {
  const forgetful = (store: Store) => ({ ...store, commit: () => undefined });
  assert.ok(lost('store', forgetful).includes('exclusively'), 'a spread loses what a prototype has');
  const { stop: _, ...rest } = { name: 'a', mutate: () => undefined, validate: () => undefined, stop: () => undefined };
  assert.deepEqual(
    lost('admission', () => rest),
    ['stop'],
  );
});
