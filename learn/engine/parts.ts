import type { Scenario } from '../scenario.ts';

/** What scripts beside the engine hand over: packages and files that few requests need. */
export interface Parts {
  /** @param name of the package, or path of the file */
  keep(name: string, exported: object): void;
  has(name: string): boolean;
  /** What a package exports. @throws Error where the part has not been loaded */
  use(part: string, name: string): object;
}

/**
 * Types whose objects hold expressions or patterns, and fields of others that do; objects of types that were made with some
 * come after them.
 */
const WITH_EXPRESSIONS =
  /apiextensions|resource\.|\b(e|valueE)xpression\b|matchConditions|CustomResourceDefinition|admissionpolic/i;
const PROTOBUF = /protobuf/;
const WITH_CERTIFICATES = /certificatesigningrequest/i;

/** The parts that a story may need, by what it asks and by the files that its server reads. */
export function partsOfStory({ steps, files }: Pick<Scenario, 'steps' | 'files'>): string[] {
  const asked = steps.map(({ request, files: changed }) => JSON.stringify([request, changed]));
  return partsNeeded([...asked, JSON.stringify(files)].join('\n'));
}

/** The parts that a request may need, by its path, its headers and its body, or a file by its text. */
export function partsNeeded(text: string): string[] {
  return [
    ...(WITH_EXPRESSIONS.test(text) ? ['expressions'] : []),
    ...(PROTOBUF.test(text) ? ['protobuf'] : []),
    ...(WITH_CERTIFICATES.test(text) ? ['certificates'] : []),
  ];
}

/** @param fetch asks for a script that will call `keep` */
export function createParts(fetch: (part: string) => void): Parts & {
  /** Resolves when all of them are there. */
  loaded(parts: readonly string[]): Promise<void>;
  /** To be called when the script of a part has run. */
  arrived(part: string): void;
} {
  const kept = new Map<string, object>();
  const waiting = new Map<string, { readonly there: Promise<void>; readonly arrive: () => void }>();
  return {
    keep: (name, exported) => kept.set(name, exported),
    has: (name) => kept.has(name),
    use(part, name) {
      const found = kept.get(name);
      if (!found) throw new Error(`the part ${part} of the engine has not been loaded`);
      return found;
    },
    async loaded(parts) {
      for (const part of parts) {
        let one = waiting.get(part);
        if (!one) {
          const { promise: there, resolve: arrive } = withResolvers();
          one = { there, arrive };
          waiting.set(part, one);
          fetch(part);
        }
        await one.there;
      }
    },
    arrived: (part) => waiting.get(part)?.arrive(),
  };
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
