/**
 * What declarations of the package say of other packages: these are bundled, and who installs ours has them not.
 * Each has as much as ours name of it; `undefined` where an import is there for what it does.
 */
const STAND_INS = {
  undici: `/** A request and its answer, as undici has them. */
export interface Dispatcher {
    dispatch(options: Dispatcher.DispatchOptions, handler: object): boolean;
}
export declare namespace Dispatcher {
    interface DispatchOptions {
        readonly path: string;
        readonly method: string;
        readonly headers?: unknown;
        readonly body?: unknown;
    }
    interface RequestOptions extends DispatchOptions {
    }
    interface ResponseData {
        readonly statusCode: number;
        readonly headers: Readonly<Record<string, string | string[] | undefined>>;
        readonly body: AsyncIterable<Uint8Array>;
    }
}
`,
  jose: `import type { webcrypto } from 'node:crypto';
export type CryptoKey = webcrypto.CryptoKey;
`,
  'js-yaml': `/** The value of a YAML document. */
export declare function load(text: string): unknown;
`,
  'fast-check': `declare namespace fc {
    /** Samples chosen by chance, as fast-check makes them. */
    interface Arbitrary<Sample> {
        generate(random: never, bias: number | undefined): { readonly value: Sample };
    }
}
export default fc;
`,
  '@peculiar/x509': `export interface X509Certificate {
    toString(format?: never): string;
}
`,
  '@peculiar/asn1-x509': `export type Name = object;
`,
  'reflect-metadata': undefined,
};

/** Packages that who uses the declarations has, too. */
const THERE = /^(node:|@playwright\/test$)/;

/** Statements that import from a package, or for what it does; types that name one in place. */
const IMPORTS =
  /^((?:import|export)\b[^;'"]*?\bfrom\s+|import\s+)(['"])([^.'"][^'"]*)\2;\n|\bimport\((['"])([^.'"][^'"]*)\4\)/gm;

/**
 * Has a declaration name our stand-ins in place of packages.
 * @param pathTo of the stand-ins of a package, from the declaration; called for each that it names
 */
export function withoutPackages(text, pathTo) {
  return text.replace(IMPORTS, (statement, clause, _, named, __, inPlace) => {
    const name = named ?? inPlace;
    if (THERE.test(name)) return statement;
    if (!Object.hasOwn(STAND_INS, name))
      throw new Error(`a declaration of the package names ${name}; let tools/packageTypes.mjs stand in`);
    if (STAND_INS[name] === undefined) return '';
    return clause === undefined ? `import('${pathTo(name)}')` : `${clause}'${pathTo(name)}';\n`;
  });
}

/** The declarations that stand in for a package. */
export const standInOf = (name) => STAND_INS[name];
