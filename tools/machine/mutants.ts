import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { type Operator, type Site, sitesOf } from './sites.ts';

/** What a mutant by machine is known by, wherever the code around it goes: nothing here is a line or a number. */
export interface MutantName {
  /** From the root of the project. */
  readonly file: string;
  /** The function around it; empty at the top of a module. */
  readonly within: string;
  readonly operator: Operator;
  /** The code that is changed, as the compiler prints it, and what stands there instead. Long code ends with a digest. */
  readonly from: string;
  readonly to: string;
  /** Which of several that are equal in all this; from 0, and absent for the first. */
  readonly nth?: number;
}

export interface MachineMutant extends MutantName {
  readonly site: Site;
  /** In the TypeScript source, from 1. */
  readonly line: number;
}

/** JavaScript of a module and all that can be broken in it. */
export interface Module {
  readonly file: string;
  readonly text: string;
  readonly mutants: readonly MachineMutant[];
}

/** Longer code is cut and told apart by a digest. */
const LONGEST = 120;

/** Paths of the modules of the reference, in order. Fixtures of tests are no part of it. */
export function referenceFiles(root: string): string[] {
  const visit = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'testing' ? [] : visit(path);
      return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
    });
  return visit('reference').sort();
}

/** Compiles a module of the reference and finds its mutants. */
export function readModule(root: string, file: string): Module {
  const { code, map } = transformSync(readFileSync(join(root, file), 'utf8'), {
    loader: 'ts',
    target: 'node20',
    sourcefile: file,
    sourcemap: 'external',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const lines = lineFinder(code, map);
  const seen = new Map<string, number>();
  const mutants = sitesOf(code).map((site): MachineMutant => {
    const name = nameOf(file, site, code);
    const key = keyOf(name);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return { ...name, ...(nth === 0 ? {} : { nth }), site, line: lines(site.start) };
  });
  return { file, text: code, mutants };
}

function nameOf(file: string, site: Site, code: string): MutantName {
  const from = site.dropped ?? code.slice(site.start, site.end);
  const to = site.dropped === undefined ? site.mutated : '';
  return { file, within: site.within, operator: site.operator, from: brief(from), to: brief(to) };
}

/** The whole name as one line of text. */
export function keyOf({ file, within, operator, from, to, nth = 0 }: MutantName): string {
  return [file, within, operator, from, to, String(nth)].join('\t');
}

/** The room of the reference that a file stands in; what stands in none is of the root. */
export function roomOf(file: string): string {
  const [, room = '', ...rest] = file.split('/');
  return rest.length === 0 ? 'root' : room;
}

function brief(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim();
  if (line.length <= LONGEST) return line;
  return `${line.slice(0, LONGEST)}… ${createHash('sha256').update(line).digest('hex').slice(0, 8)}`;
}

function lineFinder(code: string, map: string): (offset: number) => number {
  const sources = new SourceMap(JSON.parse(map));
  const starts = [0];
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const entry = sources.findEntry(low, offset - (starts[low] ?? 0));
    return 'originalLine' in entry ? entry.originalLine + 1 : low + 1;
  };
}
