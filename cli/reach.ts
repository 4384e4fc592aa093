import { join } from 'node:path';
import { type ExecPlugin, PluginFailed } from '../suites/harness/credentials/execPlugin.ts';
import { runPlugin } from '../suites/harness/credentials/runPlugin.ts';
import { OPTIMIZING_LATE } from '../suites/harness/running/engine.ts';
import { filled } from '../suites/harness/starting/command.ts';
import { type Launched, launch } from '../suites/harness/starting/launch.ts';
import { DIALECTS, type Reach } from '../suites/harness/target/detect.ts';
import type { Commands, Hosted, Identity } from '../suites/harness/target/target.ts';
import { readNamedFile } from './files.ts';
import { duration, type Flags } from './flags.ts';
import { readContext } from './kubeconfig.ts';
import { suggestion } from './nearest.ts';
import { ROOT } from './root.ts';
import type { TARGET_FLAGS } from './targetFlags.ts';
import { UsageError } from './usageError.ts';

export type TargetFlags = Flags<typeof TARGET_FLAGS>;

/** A target that is there to be asked, and how to let it go. */
export interface Reached {
  readonly reach: Reach;
  /** The command that starts it once more; absent for one that was running already. */
  readonly serve?: readonly string[];
  /** How several like it are started in one process. */
  readonly hosted?: Hosted;
  /** The command that ends the target, which was running already, and starts it again. */
  readonly restart?: string | undefined;
  /** Settles when a server of ours ended by itself. */
  readonly exited?: Launched['exited'];
  stop(): Promise<void>;
}

/**
 * Finds or starts the server that the flags mean: an address, a context of a kubeconfig, or the embedded reference.
 * @param more flags for the embedded reference
 * @throws UsageError when flags contradict each other, name what is not there, or are not what they should be.
 */
export async function reachTarget(flags: TargetFlags, more: readonly string[] = []): Promise<Reached> {
  const modes = (['target', 'kubeconfig', 'launch'] as const).filter((name) => flags[name] !== undefined);
  if (modes.length > 1) throw new UsageError(`Give only one of ${modes.map((name) => `--${name}`).join(' and ')}.`);
  const dialect = dialectNamed(flags.dialect);
  const commands = commandsOf(flags);
  const callbackHost = flags['callback-host'];
  const patience =
    flags['request-timeout'] === undefined ? undefined : duration('request-timeout', flags['request-timeout']);
  if (flags.target !== undefined)
    return running(
      { ...byAddress(flags, flags.target), dialect, callbackHost, commands, patience },
      flags['restart-command'],
    );
  if (flags.kubeconfig !== undefined) {
    const reach = byContext(flags, flags.kubeconfig);
    const identities = await withCredentials(reach.identities);
    return running({ ...reach, identities, dialect, callbackHost, commands, patience }, flags['restart-command']);
  }
  if (flags.launch !== undefined) {
    refuseBeside(flags, 'launch', OF_RUNNING);
    return started([...forRun('stand-in'), flags.launch], { mode: 'launch', dialect, commands, patience });
  }
  for (const name of OF_RUNNING) {
    if (flags[name] !== undefined) throw new UsageError(`--${name} needs --target or --kubeconfig beside it.`);
  }
  const own = [...embeddedFlags(flags.dialect ?? 'kubernetes'), ...more];
  return { ...(await started([...forRun('serve'), ...own], { mode: 'embedded', patience })), hosted: hosting(own) };
}

/** What is said of a server that runs already. */
const OF_RUNNING = [
  'context',
  'token',
  'token-file',
  'client-cert',
  'client-key',
  'ca',
  'plain-token',
  'plain-token-file',
  'plain-context',
] as const satisfies readonly (keyof TargetFlags)[];

/** The server of a launch gets its certificate and its users from us. */
function refuseBeside(flags: TargetFlags, one: string, others: readonly (keyof TargetFlags)[]): void {
  const other = others.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} makes no sense beside --${one}.`);
}

function running(reach: Reach, restart: string | undefined): Reached {
  return { reach, restart, stop: async () => {} };
}

/** What the commands of the flags can do. Throws UsageError where they do not fit together. */
function commandsOf(flags: TargetFlags): Commands | undefined {
  const { launch: command, 'restart-command': restart, 'authentication-config': rewritten } = flags;
  const releases = flags.releases?.split(',').map((each) => each.trim()) ?? [];
  const wrong = releases.find((each) => !/^\d+\.\d+$/.test(each));
  if (wrong !== undefined) throw new UsageError(`--releases takes releases such as 1.31,1.32; ${wrong} is none.`);
  if (command?.includes('{release}') !== true && releases.length > 0)
    throw new UsageError('--releases goes with {release} in the command of --launch.');
  if (command?.includes('{release}') === true && releases.length === 0)
    throw new UsageError('{release} in the command of --launch goes with --releases.');
  if (restart !== undefined && flags.target === undefined && flags.kubeconfig === undefined)
    throw new UsageError('--restart-command needs --target or --kubeconfig beside it.');
  if (rewritten !== undefined && flags.target === undefined && flags.kubeconfig === undefined)
    throw new UsageError('--authentication-config needs --target or --kubeconfig beside it.');
  if (rewritten !== undefined && restart !== undefined)
    throw new UsageError('--authentication-config makes no sense beside --restart-command, which can do more.');
  if ((command ?? restart ?? rewritten) === undefined) return undefined;
  const rewrites = rewritten !== undefined;
  return { restarts: restart !== undefined, rewrites, keeps: command?.includes('{data}') === true, releases };
}

/** Starts a server that announces itself and ends with our standard input. */
async function started(
  serve: readonly string[],
  as: Pick<Reach, 'mode' | 'dialect' | 'commands' | 'patience'>,
): Promise<Reached> {
  const release = as.commands?.releases.at(-1);
  const { ready, stop, exited } = await launch(
    serve.map((word) => filled(word, { release })),
    120_000,
  );
  return { reach: { ...ready, ...as }, serve, stop, exited };
}
/** The command that starts an embedded reference, and how several of them share a process. */
export function embedded(dialect: string): { readonly serve: readonly string[]; readonly hosted: Hosted } {
  const flags = embeddedFlags(dialect);
  return { serve: [...forRun('serve'), ...flags], hosted: hosting(flags) };
}
const embeddedFlags = (dialect: string) => ['--embedded', `--dialect=${dialect}`];

function hosting(flags: readonly string[]): Hosted {
  return { command: [...forRun('serve'), '--hosting'], flags };
}
/** A command of this program in a process that lives for a run of checks. */
function forRun(command: string): string[] {
  return [process.execPath, ...OPTIMIZING_LATE, join(ROOT, 'cli/launch.mjs'), command];
}

function byAddress(flags: TargetFlags, address: string): Reach {
  if (flags.context !== undefined || flags['plain-context'] !== undefined) {
    throw new UsageError('--context and --plain-context need --kubeconfig beside them.');
  }
  return {
    base: checkedAddress(address),
    mode: 'url',
    ...(flags.ca === undefined ? {} : { ca: readNamedFile(flags.ca, 'authority') }),
    insecure: flags.insecure,
    identities: identities(flags, credentials(flags) ?? {}, undefined),
  };
}

function byContext(flags: TargetFlags, file: string): Reach {
  const context = readContext(file, flags.context);
  const plain = flags['plain-context'] === undefined ? undefined : readContext(file, flags['plain-context']).identity;
  const ca = flags.ca === undefined ? context.ca : readNamedFile(flags.ca, 'authority');
  return {
    base: checkedAddress(context.base),
    mode: 'url',
    ...(ca === undefined ? {} : { ca }),
    insecure: flags.insecure || context.insecure,
    identities: identities(flags, credentials(flags) ?? context.identity, plain),
  };
}

/**
 * Asks the plugins of identities once, here, where somebody may sit whom they can ask. Whoever is handed these
 * identities needs a plugin only when its credentials have ended.
 */
async function withCredentials(identities: Reach['identities']): Promise<Reach['identities']> {
  const all: Record<string, Identity> = {};
  for (const [name, identity] of Object.entries(identities)) {
    all[name] = identity.exec ? { ...identity, ...(await askedFor(identity.exec)) } : identity;
  }
  return all;
}
async function askedFor(exec: ExecPlugin): Promise<Identity> {
  try {
    return await runPlugin(exec);
  } catch (error) {
    if (error instanceof PluginFailed) throw new UsageError(error.message);
    throw error;
  }
}

function checkedAddress(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new UsageError(`${JSON.stringify(address)} is no address; write it as https://host:port.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(`${address} is neither https nor http.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`The address must hold only scheme, host, port and path; give credentials with --token.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}

/** What the flags say of the one who may do everything; `undefined` when they say nothing. */
function credentials(flags: TargetFlags): Identity | undefined {
  const certificate = flags['client-cert'];
  const key = flags['client-key'];
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError('--client-cert and --client-key are only of use together.');
  }
  const token = tokenOf(flags, 'token');
  if (token === undefined && certificate === undefined) return undefined;
  return {
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined || key === undefined
      ? {}
      : { certificate: readNamedFile(certificate, 'client certificate'), key: readNamedFile(key, 'client key') }),
  };
}

function identities(flags: TargetFlags, admin: Identity, plain: Identity | undefined): Reach['identities'] {
  const token = tokenOf(flags, 'plain-token');
  const second = token === undefined ? plain : { token };
  return { admin, ...(second === undefined ? {} : { plain: second }) };
}

/** The token that a flag gives, or the file of the flag beside it. */
function tokenOf(flags: TargetFlags, name: 'token' | 'plain-token'): string | undefined {
  const file = flags[`${name}-file`];
  if (file === undefined) return flags[name] === undefined ? undefined : checkedToken(name, flags[name]);
  if (flags[name] !== undefined) throw new UsageError(`Give only one of --${name} and --${name}-file.`);
  return checkedToken(`${name}-file`, readNamedFile(file, 'token file').trim());
}

/** A token has to stand in a header. */
function checkedToken(flag: string, token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError(`--${flag} holds characters that no header can carry.`);
  return token;
}

function dialectNamed(name: string | undefined): Reach['dialect'] {
  if (name === undefined) return undefined;
  const dialect = Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
  if (dialect) return dialect;
  const names = Object.keys(DIALECTS);
  throw new UsageError(`There is no dialect ${name}; there are ${names.join(' and ')}.${suggestion(name, names)}`);
}
