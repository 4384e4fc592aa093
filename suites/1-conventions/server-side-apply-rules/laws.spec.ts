import fc from 'fast-check';
import type { Exchange } from '../../harness/index.ts';
import { type Actor, check, holds, match, must, objectIn } from '../../harness/index.ts';
import { ownersIn } from './owned.ts';
import { services } from './services.ts';

/** What one manager applies to a service: a granular map, an atomic one, and a list with two keys. */
interface Part {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly { readonly port: number; readonly appProtocol: string }[];
}

const LETTERS = ['a', 'b', 'c'];
const letter = fc.constantFrom(...LETTERS);
const texts = fc.dictionary(letter, fc.constantFrom('1', '2'), { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const port = fc.record({ port: fc.constantFrom(80, 81, 82), variant: fc.constantFrom('a', 'b') });
const ports = fc.uniqueArray(port, { selector: (one) => one.port, minLength: 1, maxLength: 3 }).map((all) =>
  all.map(({ port: number, variant }) => ({
    port: number,
    protocol: 'TCP',
    name: `p${number}`,
    appProtocol: `touchstone.example/${variant}`,
  })),
);
const some = (of: { [Name in keyof Part]: fc.Arbitrary<Part[Name]> }): fc.Arbitrary<Part> =>
  fc.record(of, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Part>;
const part = some({ annotations: texts, selector: texts, ports });
/** What three managers forced before. */
const history = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), part), { maxLength: 4 });

const FORCED = { force: true };
const draft = (name: string, { annotations, selector, ports }: Part, spec: object = {}) => ({
  metadata: { name, ...(annotations ? { annotations } : {}) },
  spec: { ...spec, ...(selector ? { selector } : {}), ...(ports ? { ports } : {}) },
});
const apply = (actor: Actor, name: string, manager: string, what: Part, query: object = {}): Promise<Exchange> =>
  actor.apply(services, draft(name, what), { fieldManager: manager, ...query });

/** Prepares: somebody applies what a service without addresses cannot be without, and others have been at it. */
async function begin(author: Actor, name: string, writes: readonly (readonly [string, Part])[] = []): Promise<void> {
  const base = draft(name, {}, { type: 'ExternalName', externalName: 'touchstone.example' });
  await author.prepare((each) => each.apply(services, base, { fieldManager: 'keeper' }));
  for (const [manager, what] of writes) await author.prepare((each) => apply(each, name, manager, what, FORCED));
}
const content = (answer: Exchange) => {
  const { metadata, spec } = objectIn(answer) as unknown as { metadata: { annotations?: object }; spec: Part };
  // Admission may have given it others.
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => LETTERS.includes(key));
  return { annotations: Object.fromEntries(annotations), selector: spec.selector ?? {}, ports: spec.ports ?? [] };
};

check(
  'APPLY-MERGE-03.2',
  'anything is applied twice → the second changes nothing',
  ['APPLY-MERGE-03'],
  async ({ author, seed }) => {
    await holds(seed, fc.tuple(history, part), async ([writes, what], name) => {
      await begin(author, name, writes);
      const first = must('it is taken', await apply(author, name, 'me', what, FORCED), match.success);
      must('nothing changes', await apply(author, name, 'me', what), match.status(200), match.body(objectIn(first)));
    });
  },
);

check(
  'APPLY-FORCE-01.2',
  'anything is forced → what it changes has one owner',
  ['APPLY-FORCE-01'],
  async ({ author, seed }) => {
    await holds(seed, fc.tuple(history, part), async ([writes, what], name) => {
      await begin(author, name, writes);
      const before = content(await author.prepare((each) => each.get(services, name)));
      const forced = must('it is taken', await apply(author, name, 'me', what, FORCED), match.status(200));
      const was: Readonly<Record<string, unknown>> = { ...before.annotations };
      for (const [key, value] of Object.entries(what.annotations ?? {})) {
        if (was[key] === value) continue;
        must(
          `annotation ${key} has one`,
          ownersIn(forced.json, `metadata.annotations.${key}`),
          match.equal(['me Apply']),
        );
      }
      if (!what.selector) return;
      must('the selector is as applied', forced, match.field('spec.selector', what.selector));
      if (match.equal(what.selector).differences(before.selector, '').length === 0) return;
      must('the selector has one', ownersIn(forced.json, 'spec.selector'), match.equal(['me Apply']));
    });
  },
);

check(
  'APPLY-REMOVE-01.2',
  'all managers give up what they applied → nothing of it is left',
  ['APPLY-REMOVE-01'],
  async ({ author, seed }) => {
    await holds(seed, history, async (writes, name) => {
      await begin(author, name, writes);
      for (const manager of ['x', 'y', 'z']) await author.prepare((each) => apply(each, name, manager, {}));
      const left = content(await author.prepare((each) => each.get(services, name)));
      must('nobody owns anything of it', left, match.equal({ annotations: {}, selector: {}, ports: [] }));
    });
  },
);

check(
  'APPLY-SHARE-01.1',
  'two share anything and one applies another thing → a conflict exactly where that changes what they share',
  ['APPLY-SHARE-01', 'APPLY-SHARE-02'],
  async ({ author, seed }) => {
    await holds(seed, fc.tuple(part, part), async ([shared, other], name) => {
      await begin(author, name, [
        ['x', shared],
        ['y', shared],
      ]);
      const allowed = clash(shared, other) ? match.refusal : match.status(200);
      must('who changes what is shared conflicts', await apply(author, name, 'y', other), allowed);
    });
  },
);

check(
  'APPLY-MERGE-01.2',
  'two managers apply different things in either order → the same object and owners',
  ['APPLY-MERGE-01'],
  async ({ author, seed }) => {
    const mine = some({ annotations: texts });
    const theirs = some({ selector: texts, ports });
    await holds(seed, fc.tuple(mine, theirs, mine, theirs), async ([a, b, c, d], name) => {
      const orders = {
        forth: [
          ['x', a],
          ['y', b],
          ['x', c],
          ['y', d],
        ],
        back: [
          ['y', b],
          ['x', a],
          ['y', d],
          ['x', c],
        ],
      };
      const ends: unknown[] = [];
      for (const [order, writes] of Object.entries(orders)) {
        await begin(author, `${name}-${order}`);
        for (const [manager, what] of writes as [string, Part][]) {
          must('neither is in the way', await apply(author, `${name}-${order}`, manager, what), match.status(200));
        }
        const { json } = await author.prepare((each) => each.get(services, `${name}-${order}`));
        const owners = ['metadata.annotations', 'spec.selector', 'spec.ports'].map((path) =>
          ownersIn(json, path).sort(),
        );
        ends.push({ ...content(await author.get(services, `${name}-${order}`)), owners });
      }
      must('the order does not count', ends[0], match.equal(ends[1]));
    });
  },
);

/** Whether one configuration changes a field of another. */
function clash(before: Part, after: Part): boolean {
  const differ = <Value>(was: Readonly<Record<string, Value>>, is: Readonly<Record<string, Value>>) =>
    Object.entries(is).some(([key, value]) => Object.hasOwn(was, key) && was[key] !== value);
  const protocols = ({ ports = [] }: Part) => Object.fromEntries(ports.map((one) => [one.port, one.appProtocol]));
  const whole = before.selector && after.selector;
  if (whole && match.equal(before.selector).differences(after.selector, '').length > 0) return true;
  return differ(before.annotations ?? {}, after.annotations ?? {}) || differ(protocols(before), protocols(after));
}
