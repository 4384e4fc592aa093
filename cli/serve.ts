import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMutant, MUTANTS } from '../reference/mutants/index.ts';
import { diskFiles } from '../reference/options/files.ts';
import { readOptions } from '../reference/options/loadOptions.ts';
import { createReference, type Reference } from '../reference/reference.ts';
import { SystemClock } from '../reference/time.ts';
import { openControl } from './serve/control.ts';
import { writeControlFile } from './serve/controlFile.ts';
import { type Provisioned, provision } from './serve/credentials.ts';
import { type Data, takeData } from './serve/data.ts';
import { serveHelp } from './serve/help.ts';
import { writeKubeconfig } from './serve/kubeconfigFile.ts';
import { SCRATCH_STORES, type ScratchStore, scratchStore } from './serve/scratchStore.ts';

const OK = 0;
const USAGE_ERROR = 64;

interface OwnFlags {
  /** For a harness: a free port, tokens for its actors, one JSON line when ready; ends with its standard input. */
  embedded: boolean;
  mutant: string | undefined;
  listMutants: boolean;
  help: boolean;
  out: string | undefined;
  /** What the objects are in while it runs; for a harness. */
  storage: ScratchStore;
  /** A snapshot to begin with. */
  restore: string | undefined;
}

/**
 * `touchstone serve`: runs the reference until it is told to stop.
 * @returns the exit code, when it has stopped: 0, or 64 when it could not start as asked.
 */
export async function serve(argv: readonly string[]): Promise<number> {
  const { own, rest, errors } = splitFlags(argv);
  if (own.help) {
    console.log(serveHelp());
    return OK;
  }
  if (own.listMutants) {
    for (const { id, breaks, sentence } of MUTANTS) console.log(JSON.stringify({ id, breaks, sentence }));
    return OK;
  }
  const mutant = own.mutant === undefined ? undefined : findMutant(own.mutant);
  if (own.mutant !== undefined && !mutant) errors.push(`unknown mutant ${own.mutant}; --list-mutants shows them`);
  const defaults = own.embedded ? ['--secure-port=0', '--clock=running', '--enable-bootstrap-token-auth=true'] : [];
  const scratch = scratchStore(own.storage, rest);
  process.once('exit', scratch.remove);
  const start = { flags: same, files: same, options: same, ...mutant?.start };
  const loaded = readOptions(start.flags([...defaults, ...scratch.flags]), start.files(diskFiles));
  if ('errors' in loaded) errors.push(...loaded.errors);
  if (errors.length > 0 || 'errors' in loaded) return refuse(errors);

  const now = new SystemClock().now();
  const asked = start.options(loaded.options);
  const warnings: string[] = [];
  let reference: Reference;
  let provisioned: Provisioned;
  let data: Data | undefined;
  try {
    data = await takeData(asked, own.restore);
    provisioned = await provision(asked, now, own.embedded, data.keeper);
    const { options, ca } = provisioned;
    const { directory: dataDirectory, image } = data;
    const warn = (text: string) => void warnings.push(text);
    reference = await createReference(options, { seams: mutant?.seams, warn, rootCa: ca, dataDirectory, image });
  } catch (error) {
    data?.directory?.release();
    return refuse([messageOf(error)]);
  }
  const { options, ca, credentials } = provisioned;
  let port: number;
  try {
    port = await reference.listen();
  } catch (error) {
    await reference.close();
    data.directory?.release();
    return refuse([listenFailure(error, options.serving.bindAddress, options.serving.securePort)]);
  }
  const host = options.serving.bindAddress.includes(':')
    ? `[${options.serving.bindAddress}]`
    : options.serving.bindAddress;
  const base = `https://${['0.0.0.0', '[::]'].includes(host) ? '127.0.0.1' : host}:${port}`;

  const directory = own.out ?? (own.embedded ? mkdtempSync(join(tmpdir(), 'touchstone-')) : '.touchstone');
  const files = writeKubeconfig(directory, base, ca, credentials);
  const control = await openControl(reference, options.dialect.name);
  for (const note of [...loaded.notes, ...warnings]) console.error(note);
  if (own.embedded) {
    console.log(
      JSON.stringify({
        ready: true,
        base,
        kubeconfig: files.kubeconfig,
        ca,
        identities: Object.fromEntries(credentials.map(({ name, token }) => [name, { token }])),
        control: { base: control.base, token: control.token },
      }),
    );
  } else {
    writeControlFile(directory, control);
    console.log(
      `Serving release ${options.release.major}.${options.release.minor}, dialect ${options.dialect.name}, at ${base}`,
    );
    if (files.ca) console.log(`CA           ${files.ca}`);
    console.log(
      `kubeconfig   ${files.kubeconfig}  (contexts: ${credentials.map(({ name }) => name).join(', ') || 'none'})`,
    );
    if (credentials.length > 0) console.log(`Try          kubectl --kubeconfig ${files.kubeconfig} get namespaces`);
    if (data.directory) console.log(`Data         ${data.directory.path}`);
    console.log('Ctrl-C stops it.');
  }
  await untilStopped(own.embedded);
  control.close();
  await reference.close();
  data.directory?.release();
  if (own.embedded && !own.out) rmSync(directory, { recursive: true, force: true });
  return OK;
}

function splitFlags(argv: readonly string[]): { own: OwnFlags; rest: string[]; errors: string[] } {
  const own: OwnFlags = {
    embedded: false,
    mutant: undefined,
    listMutants: false,
    help: false,
    out: undefined,
    restore: undefined,
    storage: 'memory',
  };
  const rest: string[] = [];
  const errors: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const [name, inline] = (argv[i] as string).split(/=(.*)/s) as [string, string | undefined];
    const value = () => {
      const given = inline ?? argv[++i];
      if (given === undefined) errors.push(`${name} needs a value`);
      return given;
    };
    if (name === '--embedded') own.embedded = true;
    else if (name === '--list-mutants') own.listMutants = true;
    else if (name === '--help' || name === '-h') own.help = true;
    else if (name === '--mutant') own.mutant = value();
    else if (name === '--out') own.out = value();
    else if (name === '--restore') own.restore = value();
    else if (name === '--storage') own.storage = storageNamed(value(), errors);
    else rest.push(argv[i] as string);
  }
  return { own, rest, errors };
}

function storageNamed(name: string | undefined, errors: string[]): ScratchStore {
  const found = SCRATCH_STORES.find((one) => one === name);
  if (!found) errors.push(`--storage is one of ${SCRATCH_STORES.join(', ')}, not ${name}`);
  return found ?? 'memory';
}

function refuse(errors: readonly string[]): number {
  for (const error of errors) console.error(`touchstone serve: ${error}`);
  return USAGE_ERROR;
}

function listenFailure(error: unknown, host: string, port: number): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is taken; choose another with --secure-port (0 for a free one)`;
  if (code === 'EACCES') return `this user may not listen on port ${port}; choose one above 1023 with --secure-port`;
  if (code === 'EADDRNOTAVAIL') return `${host} is no address of this machine; see --bind-address`;
  return messageOf(error);
}

const same = <T>(value: T): T => value;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Until a signal, or for an embedded reference until its parent closes the pipe. */
function untilStopped(embedded: boolean): Promise<void> {
  return new Promise((resolve) => {
    // The listening socket keeps the process alive; this only waits.
    const stop = () => {
      // An open pipe would keep the process alive.
      if (embedded) process.stdin.destroy();
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    if (embedded) process.stdin.on('end', stop).on('error', stop).resume();
  });
}
