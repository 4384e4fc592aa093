import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecPlugin } from '../credentials/execPlugin.ts';

/** Version of the plugins of tests. */
export const V1 = 'client.authentication.k8s.io/v1';

/** A plugin for tests: a program that answers what it was told to, and keeps what it was asked. */
export class ScriptedPlugin {
  readonly plugin: ExecPlugin;
  readonly #folder = mkdtempSync(join(tmpdir(), 'touchstone-plugin-'));

  constructor(changes: Partial<ExecPlugin> = {}) {
    const script = join(this.#folder, 'plugin.cjs');
    writeFileSync(script, PROGRAM);
    this.plugin = {
      apiVersion: V1,
      command: process.execPath,
      args: [script, this.#folder],
      env: {},
      interactiveMode: 'Never',
      ...changes,
    };
    this.answers({ status: { token: 'first-token' } });
  }
  /** What it writes from now on: an ExecCredential with these members, or text as it is. */
  answers(content: string | object): this {
    const whole = { kind: 'ExecCredential', apiVersion: this.plugin.apiVersion };
    writeFileSync(
      this.#path('answer'),
      typeof content === 'string' ? content : JSON.stringify({ ...whole, ...content }),
    );
    return this;
  }
  /** What each call was asked: the environment and arguments that it saw. */
  get calls(): readonly { readonly env: Record<string, string>; readonly args: readonly string[] }[] {
    try {
      return readFileSync(this.#path('calls'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    } catch {
      return [];
    }
  }
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
  #path(name: string): string {
    return join(this.#folder, name);
  }
}

const PROGRAM = `
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const [folder, ...args] = process.argv.slice(2);
appendFileSync(join(folder, 'calls'), JSON.stringify({ env: process.env, args }) + '\\n');
process.stdout.write(readFileSync(join(folder, 'answer'), 'utf8'));
process.exitCode = Number(process.env.EXIT_WITH ?? 0);
`;
