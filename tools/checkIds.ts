// Gives every check of `suites/` that has no id yet the next free one of the requirement that it names first, and notes
// all ids in `fixtures/checkIds.txt`: `node --import tsx tools/checkIds.ts`. What has an id keeps it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallExpression, type Expression, type Node, parse } from 'acorn';
import { transformSync } from 'amaro';
import { formerCheckIds } from '../fixtures/formerCheckIds.ts';
import { IN_SPEC, numberOf } from '../reports/checkId.ts';
import type { PlannedCheck } from '../reports/events.ts';
import { listedChecks } from './listedChecks.ts';

const ROOT = join(import.meta.dirname, '..');
/** Every id that a check ever had, one a line. */
const KNOWN = join(ROOT, 'fixtures/checkIds.txt');

/** A call of `check` in a spec file. */
interface Call {
  readonly line: number;
  readonly start: number;
  readonly arguments: readonly { readonly text: string; readonly node: Expression }[];
}

/** The ids that were ever noted. */
export function knownIds(): string[] {
  return readFileSync(KNOWN, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** The calls of `check` in a file, in the order of its text. */
function callsOf(text: string): Call[] {
  const { code } = transformSync(text, { mode: 'strip-only' });
  const found: Call[] = [];
  const visit = (node: Node): void => {
    if (isCheck(node)) {
      const given = node.arguments.filter((each) => each.type !== 'SpreadElement');
      found.push({
        line: text.slice(0, node.start).split('\n').length,
        start: given[0]?.start ?? node.end,
        arguments: given.map((each) => ({ text: text.slice(each.start, each.end), node: each })),
      });
    }
    for (const value of Object.values(node)) {
      for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) visit(each);
    }
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found.sort((a, b) => a.start - b.start);
}
function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
function isCheck(node: Node): node is CallExpression {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node as CallExpression;
  return callee.type === 'Identifier' && callee.name === 'check';
}

/** Whether its first argument is an id: then a title follows. */
function hasId({ arguments: [first] }: Call): boolean {
  return first !== undefined && IN_SPEC.test(first.text.slice(1).replace(/\$\{[\w.]+\}\.(?=\d)/, 'X-X-00.'));
}

/** What tells the rows of a table apart in a title: what its template names, without what is chosen there. */
function rowWords({ text, node }: Call['arguments'][number], offset: number): string {
  if (node.type !== 'TemplateLiteral') return node.type === 'Literal' ? '' : `/\${${text}}`;
  const words = node.expressions.map((each) => text.slice(each.start - offset, each.end - offset));
  const plain = words.filter((each) => !each.includes('?'));
  return (plain.length > 0 ? plain : words).map((each) => `/\${${each}}`).join('');
}

async function main(): Promise<void> {
  const checks = await listedChecks();
  const used = new Set([...knownIds(), ...Object.keys(formerCheckIds), ...checks.map(({ id }) => id)].map(numberOf));
  const next = (requirements: readonly string[]): number => {
    for (let number = 1; ; number += 1) {
      const mine = requirements.map((each) => `${each}.${number}`);
      if (mine.some((each) => used.has(each))) continue;
      for (const each of mine) used.add(each);
      return number;
    }
  };
  for (const name of readdirSync(join(ROOT, 'suites'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.spec.ts')) continue;
    const file = `suites/${name.replaceAll('\\', '/')}`;
    const text = readFileSync(join(ROOT, file), 'utf8');
    const calls = callsOf(text).filter((call) => !hasId(call));
    let written = text;
    const inserted: { at: number; id: string }[] = [];
    for (const call of calls) {
      const rows = checks.filter((each) => each.file === file && each.line === call.line);
      inserted.push({ at: call.start, id: idFor(call, rows, next) });
    }
    for (const { at, id } of inserted.reverse()) written = `${written.slice(0, at)}${id}, ${written.slice(at)}`;
    if (written !== text) writeFileSync(join(ROOT, file), written);
  }
  spawnSync(join(ROOT, 'node_modules/.bin/biome'), ['check', '--write', 'suites'], { cwd: ROOT, stdio: 'inherit' });
  const now = (await listedChecks()).map(({ id }) => id);
  writeFileSync(KNOWN, `${[...new Set([...knownIds(), ...now])].sort().join('\n')}\n`);
}

/** The text of an id as it is to stand in front of the title. */
function idFor(call: Call, rows: readonly PlannedCheck[], next: (requirements: readonly string[]) => number): string {
  const [title, evidenced] = call.arguments;
  const firsts = [...new Set(rows.map(({ requirements }) => requirements[0] ?? ''))];
  if (!title || !evidenced || firsts.length === 0)
    throw new Error(`line ${call.line} declares no check that is listed`);
  const words = rows.length > 1 ? rowWords(title, title.node.start) : '';
  const [, variable] = /^\[\s*([a-z][\w.]*)\s*[\],]/.exec(evidenced.text) ?? [];
  const requirement = firsts.length > 1 && variable ? `\${${variable}}` : firsts[0];
  const id = `${requirement}.${next(firsts)}${words}`;
  return id.includes('${') ? `\`${id}\`` : `'${id}'`;
}

if (process.argv[1] === import.meta.filename) await main();
