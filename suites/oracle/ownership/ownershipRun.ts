import fc from 'fast-check';
import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { schemaOf } from '../../1-conventions/merge-annotations-on-fields/markedType.ts';
import { entriesIn } from '../../1-conventions/server-side-apply-rules/owned.ts';
import type { Exchange } from '../../harness/index.ts';
import {
  type Actor,
  apiVersionOf,
  customResourceDefinitions,
  inconclusive,
  isRecord,
  type JsonObject,
  type Kind,
  match,
  must,
  PATCH_TYPES,
  pathOf,
} from '../../harness/index.ts';
import type { Oracle, Said } from '../oracle.ts';
import { anySpec, EVERY_MARKER, UNORDERED } from './fields.ts';

const APPLIERS = ['ann', 'ben', 'cem'] as const;
const UPDATERS = ['uma', 'vic'] as const;

/** What one of the managers does. */
export interface ManagerStep {
  readonly manager: string;
  readonly how: 'apply' | 'force' | 'put' | 'patch';
  readonly spec: JsonObject;
}
const stepOf = (managers: readonly string[], ...hows: readonly ManagerStep['how'][]): fc.Arbitrary<ManagerStep> =>
  fc.record({ manager: fc.constantFrom(...managers), how: fc.constantFrom(...hows), spec: anySpec });

/** Any sequence of what three appliers and two updaters may do. */
export const anySteps: fc.Arbitrary<readonly ManagerStep[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: stepOf(APPLIERS, 'apply', 'force') },
    { weight: 1, arbitrary: stepOf(UPDATERS, 'put', 'patch') },
  ),
  { minLength: 1, maxLength: 12, size: 'max' },
);

/** One type and namespace on the target and in the oracle. */
export class OwnershipRun {
  readonly #actor: Actor;
  readonly #oracle: Oracle;
  readonly #type: Kind;
  readonly #dialect: Dialect;

  private constructor(actor: Actor, oracle: Oracle, type: Kind, dialect: Dialect) {
    this.#actor = actor;
    this.#oracle = oracle;
    this.#type = type;
    this.#dialect = dialect;
  }

  /** The type is served by the target already; the oracle learns it here. */
  static async of(actor: Actor, oracle: Oracle, type: Kind, dialect: Dialect): Promise<OwnershipRun> {
    const headers = { 'content-type': 'application/json' };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: await actor.namespace() } };
    await oracle.ask({ method: 'POST', path: '/api/v1/namespaces', headers, body: namespace });
    const { kind, plural, group, version } = type;
    const schema = { openAPIV3Schema: schemaOf(dialect, EVERY_MARKER) };
    const body = {
      apiVersion: apiVersionOf(customResourceDefinitions, dialect),
      kind: customResourceDefinitions.kind,
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural, kind },
        versions: [{ name: version, served: true, storage: true, schema }],
      },
    };
    await oracle.ask({ method: 'POST', path: pathOf(customResourceDefinitions, dialect, ''), headers, body });
    const path = await actor.pathOf(type);
    for (let tries = 0; (await oracle.ask({ method: 'GET', path, headers })).status !== 200; tries += 1) {
      if (tries === 100) inconclusive('the reference does not serve the type');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return new OwnershipRun(actor, oracle, type, dialect);
  }

  /** Plays steps on an object that is not there yet; after each, both must show the same. Throws as `must` does. */
  async play(steps: readonly ManagerStep[], name: string): Promise<void> {
    for (const step of steps) {
      const before = await this.#both('GET', name, undefined, [undefined, undefined]);
      // A PUT of what is not there may be refused or create.
      if (step.how === 'put' && before.oracle.status !== 200) continue;
      const words = `${step.manager} sends ${step.how} ${JSON.stringify(step.spec)}`;
      const bodies = [before.target.json, before.oracle.json].map((live) => this.#bodyOf(step, name, live));
      const { target, oracle } = await this.#both(step.how === 'put' ? 'PUT' : 'PATCH', name, step, bodies);
      must(`${words}: as in the reference`, target, outcome(oracle));
      const after = await this.#both('GET', name, undefined, [undefined, undefined]);
      must('it is there as in the reference', after.target, match.status(after.oracle.status));
      if (after.oracle.status === 200) this.#compare(after.target, after.oracle.json);
    }
  }

  #compare(target: Exchange, oracle: unknown): void {
    must('the object is the same', contentOf(target.json), match.equal(contentOf(oracle)));
    must('the same managers have records', ownersOf(target.json), match.equal(ownersOf(oracle)));
  }

  async #both(
    method: string,
    name: string,
    step: ManagerStep | undefined,
    [first, second]: readonly (object | undefined)[],
  ) {
    const item = `${await this.#actor.pathOf(this.#type, name)}`;
    const force = step?.how === 'force' ? '&force=true' : '';
    const path = step ? `${item}?fieldManager=${step.manager}${force}` : item;
    const headers = { 'content-type': step ? TYPES[step.how] : 'application/json' };
    const target = await this.#actor.request(method, path, { headers, ...(first ? { body: first } : {}) });
    const oracle = await this.#oracle.ask({ method, path, headers, ...(second ? { body: second } : {}) });
    return { target, oracle };
  }

  #bodyOf({ how, spec }: ManagerStep, name: string, live: unknown): object {
    if (how === 'patch') return { spec };
    if (how === 'put') return { ...(live as object), spec };
    const { kind } = this.#type;
    return { apiVersion: apiVersionOf(this.#type, this.#dialect), kind, metadata: { name }, spec };
  }
}

const TYPES: Readonly<Record<ManagerStep['how'], string>> = {
  apply: PATCH_TYPES.apply,
  force: PATCH_TYPES.apply,
  put: 'application/json',
  patch: PATCH_TYPES.merge,
};

/** What the answer of the oracle allows the target to answer. */
function outcome({ status }: Said): match.Matcher<Exchange> {
  if (status < 300) return match.success;
  // By which code a conflict of ownership is refused is open.
  if (status === 409) return match.refusal;
  return status === 404 ? match.status(404) : match.error;
}

/** The spec of an object, with unordered lists in one order. */
function contentOf(object: unknown): unknown {
  return settled(isRecord(object) ? object.spec : undefined, '');
}
function settled(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => settled(item, ''));
    return UNORDERED.has(name) ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (!isRecord(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, inner]) => [key, settled(inner, key)]));
}

/**
 * By manager and operation, the fields that it owns as far as names of fields reach: how items of lists are named is
 * not said, so of these it is only told that there are some.
 */
function ownersOf(object: unknown): Readonly<Record<string, readonly string[]>> {
  const owners = entriesIn(object).map(({ manager, operation, fieldsV1 }) => {
    return [`${manager} ${operation}`, [...readable(fieldsV1, '')].sort()] as const;
  });
  return Object.fromEntries(owners.sort(([a], [b]) => (a < b ? -1 : 1)));
}
function* readable(fields: unknown, path: string): Generator<string> {
  if (!isRecord(fields)) return;
  const names = Object.keys(fields).filter((name) => name !== '.');
  if (names.length === 0) yield path;
  else if (names.some((name) => !name.startsWith('f:'))) yield `${path}[]`;
  for (const name of names) if (name.startsWith('f:')) yield* readable(fields[name], `${path}.${name.slice(2)}`);
}
