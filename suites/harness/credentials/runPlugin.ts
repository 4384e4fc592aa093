import { spawn } from 'node:child_process';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { type ExecCredential, readExecCredential } from './execCredential.ts';
import { type ExecPlugin, PluginFailed } from './execPlugin.ts';

/** Whoever asks nobody has to be done by then; a person may take their time. */
const DEADLINE = 60_000;
/** The most that a plugin may write, in characters. */
const LARGEST = 1024 * 1024;
/** The word in the name of the environment variable where the domain is not that of a dialect (2/exec-credential-object/b3). */
const ANY_VENDOR = 'CLUSTER';

/**
 * Runs a plugin once and reads what it gives. What it writes to standard error goes to ours: it is for the person.
 *
 * @param person whether somebody sits before us who can be asked.
 * @throws PluginFailed in one sentence, with the install hint where the program is not there.
 */
export async function runPlugin(plugin: ExecPlugin, person = process.stdin.isTTY === true): Promise<ExecCredential> {
  const { command, apiVersion, interactiveMode } = plugin;
  const fail = (why: string): PluginFailed => new PluginFailed(`The credential plugin ${command} failed: ${why}.`);
  if (interactiveMode === 'Always' && !person) throw fail('it has to ask somebody, and nobody is there to be asked');
  const interactive = interactiveMode !== 'Never' && person;
  const { code, output, error } = await outputOf(plugin, interactive);
  if (error?.code === 'ENOENT') {
    const hint = plugin.installHint === undefined ? '' : ` ${plugin.installHint.trim()}`;
    throw new PluginFailed(`The credential plugin ${command} is not there.${hint}`);
  }
  if (error) throw fail(error.message);
  if (code === undefined) throw fail(`it did not end within ${DEADLINE / 1000} seconds, or wrote too much`);
  if (code !== 0) throw fail(`it ended with code ${code ?? 'none'}`);
  try {
    return readExecCredential(output, apiVersion);
  } catch (fault) {
    throw fault instanceof PluginFailed ? fail(fault.message) : fault;
  }
}

/** What a plugin is told, as the environment variable holds it. */
export function execInfo({ apiVersion, cluster }: ExecPlugin, interactive: boolean): string {
  const spec = { interactive, ...(cluster ? { cluster } : {}) };
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
}
/** Name of the variable: `KUBERNETES_EXEC_INFO`, or `CLUSTER_EXEC_INFO`, by the domain of the version. */
export function execInfoName({ apiVersion }: ExecPlugin): string {
  const domain = apiVersion.split('/')[0]?.replace('client.authentication.', '');
  const vendor = domain === kubernetes.apiDomain ? kubernetes.vendor.toUpperCase() : ANY_VENDOR;
  return `${vendor}_EXEC_INFO`;
}

interface Ended {
  readonly output: string;
  /** `undefined` where it was ended by us. */
  readonly code: number | null | undefined;
  readonly error?: NodeJS.ErrnoException;
}

function outputOf(plugin: ExecPlugin, interactive: boolean): Promise<Ended> {
  const child = spawn(plugin.command, plugin.args, {
    env: { ...process.env, ...plugin.env, [execInfoName(plugin)]: execInfo(plugin, interactive) },
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    let output = '';
    const giveUp = () => {
      child.kill('SIGKILL');
      resolve({ output: '', code: undefined });
    };
    const timer = interactive ? undefined : setTimeout(giveUp, DEADLINE);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      if (output.length > LARGEST) giveUp();
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({ output: '', code: null, error });
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ output, code });
    });
  });
}
