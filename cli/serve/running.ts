import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Control, type ForkPlace, openControl } from '../../embed/control.ts';
import { type ControlledFamily, ControlledServer } from '../../embed/controlledServer.ts';
import type { Mutant } from '../../mutants/mutant.ts';
import { nearest } from '../../reference/collections/nearest.ts';
import type { Handler } from '../../reference/contracts/reply.ts';
import type { ServerOptions } from '../../reference/contracts/serverOptions.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { diskFiles } from '../../reference/ports/disk.ts';
import type { Lineage, Ports, Reference } from '../../reference/reference.ts';
import { createReference } from '../../reference/reference.ts';
import type { Seams } from '../../reference/seams.ts';
import { SystemClock } from '../../reference/time.ts';
import { reasonOf } from '../files.ts';
import { type Credential, provision } from './credentials.ts';
import { type Data, takeData } from './data.ts';
import { writeKubeconfig } from './kubeconfigFile.ts';
import { scratchStore } from './scratchStore.ts';
import { readServeFlags, type ServeFlags } from './serveFlags.ts';

/** A harness moves the clock, and an idle server leaves its store as it is. */
const EMBEDDED = [
  '--secure-port=0',
  '--clock=running',
  '--enable-bootstrap-token-auth=true',
  '--identity-lease-renew-interval-seconds=0',
];

/** A reference that serves, with all that a client needs to speak to it. */
export interface Running {
  readonly base: string;
  /** For plain HTTP, where a port was asked for. */
  readonly insecureBase: string | undefined;
  /** The rule that is broken on purpose; undefined: none. */
  readonly mutant: Mutant | undefined;
  /** PEM; undefined when the certificate was given. */
  readonly ca: string | undefined;
  readonly credentials: readonly Credential[];
  readonly options: ServerOptions;
  /** What was written for clients to read; a harness is told instead, unless it names a folder. */
  readonly files: Files | undefined;
  /** Path of the directory that its objects are kept in; undefined: they end with it. */
  readonly dataDirectory: string | undefined;
  /** Where it can be reached into; undefined: nobody asked for that. */
  readonly control: Control | undefined;
  /** What whoever started it should know. */
  readonly notes: readonly string[];
  /** Ends it in order, and takes away what was made for it alone; as often as it is asked for, once. */
  stop(): Promise<void>;
}

interface Files extends ReturnType<typeof writeKubeconfig> {
  readonly folder: string;
}

/** A server could not start as asked; a sentence for each reason. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly reasons: readonly string[];
  constructor(reasons: readonly string[]) {
    super(reasons.join('; '));
    this.reasons = reasons;
  }
}

/** Whether an error is a StartRefused, of this bundle or of that of the mutants, which has a class of its own. */
export function isStartRefused(error: unknown): error is StartRefused {
  return error instanceof Error && error.name === 'StartRefused';
}

/** References with one rule broken: what the bundle of the mutants offers to that of the reference. */
export interface MutantServers {
  /** All that the flags can name. */
  listMutants(argv: readonly string[]): Promise<readonly Pick<Mutant, 'id' | 'breaks' | 'sentence'>[]>;
  /** As `startRunning`, for flags that name a mutant. */
  startMutant(argv: readonly string[]): Promise<Running>;
}
export type LoadMutants = () => MutantServers | Promise<MutantServers>;

/**
 * Starts the reference or the mutant that the flags of `touchstone serve` ask for. Mutants are loaded only when one
 * is named.
 * @throws StartRefused
 */
export async function startAsked(argv: readonly string[], loadMutants: LoadMutants): Promise<Running> {
  const { mutant } = readServeFlags(argv).own;
  return mutant === undefined ? startRunning(argv) : (await loadMutants()).startMutant(argv);
}

/** What is said of a name that neither a mutant goes by, nor a violation of a file where one is given. */
function unknown(names: string, file: string | undefined, mutants: readonly Mutant[]): string {
  const name = names.split(',').find((each) => !mutants.some(({ id }) => id === each)) ?? names;
  const what = file === undefined ? 'mutant' : 'violation';
  const like = nearest(
    name,
    mutants.map(({ id }) => id),
  );
  const where = file === undefined ? '' : ` in ${file}`;
  return `there is no ${what} ${name}${where}; ${like ? `did you mean ${like}?` : '--list-mutants shows them'}`;
}

/**
 * Starts the reference that the flags of `touchstone serve` ask for, or the one of some mutants that they name.
 * Several may run in one process.
 * @throws StartRefused
 */
export async function startRunning(argv: readonly string[], mutants: readonly Mutant[] = []): Promise<Running> {
  const { own, rest, errors } = readServeFlags(argv);
  const mutant = mutants.find(({ id }) => id === own.mutant);
  const { start: misread, ...seams } = mutant?.defect() ?? {};
  if (own.mutant !== undefined && !mutant) errors.push(unknown(own.mutant, own.violations, mutants));
  const defaults = own.embedded ? EMBEDDED : [];
  const scratch = scratchStore(own.storage, rest);
  const undo: Undo[] = [scratch.remove];
  let ended: Promise<void> | undefined;
  // Of a process that is told to exit at once.
  process.once('exit', scratch.remove);
  undo.push(() => void process.off('exit', scratch.remove));
  try {
    const start = { flags: same, files: same, options: same, ...misread };
    const loaded = readOptions(start.flags([...defaults, ...scratch.flags]), start.files(diskFiles));
    if ('errors' in loaded) errors.push(...loaded.errors);
    if (errors.length > 0 || 'errors' in loaded) throw new StartRefused(errors);

    const asked = start.options(loaded.options);
    const data = await takeData(asked, own.restore);
    undo.push(() => data.directory?.release());
    const provisioned = await provision(asked, new SystemClock().now(), own.embedded, data.keeper);
    const { options, ca, credentials } = provisioned;
    const warnings: string[] = [];
    const parts = { ca, data, seams, warn: (text: string) => warnings.push(text) };
    const reference = await create(options, parts);
    let controlled: ControlledServer | undefined;
    // What answers on the ports ends after them.
    undo.push(() => controlled?.current.retire());
    undo.push(() => reference.close());
    if (own.control || own.embedded) controlled = await controllable(reference, options, parts, own.control);
    const ports = await listen(reference, options, own.control ? controlled?.handler : undefined);
    const base = `https://${hostOf(options)}:${ports.secure}`;
    const folder = own.out ?? (own.embedded || own.envtest ? undefined : '.touchstone');
    const files = folder === undefined ? undefined : { folder, ...writeKubeconfig(folder, base, ca, credentials) };
    const control =
      controlled &&
      (await openControlAt(own, controlled, (fork) => listenForFork(fork, withPorts(options, 0), hostOf(options))));
    undo.push(() => control?.close());
    return {
      base,
      insecureBase: ports.insecure === undefined ? undefined : `http://127.0.0.1:${ports.insecure}`,
      mutant,
      ca,
      credentials,
      options,
      files,
      dataDirectory: data.directory?.path,
      control,
      notes: [...loaded.notes, ...warnings],
      // Once, however often it is asked for: what was released before may be somebody else's by now.
      stop: () => {
        ended ??= undoAll(undo);
        return ended;
      },
    };
  } catch (error) {
    await undoAll(undo);
    throw isStartRefused(error) ? error : new StartRefused([messageOf(error)]);
  }
}

type Undo = () => void | Promise<void>;

/** In the order opposite to that in which things were done. */
async function undoAll(undo: readonly Undo[]): Promise<void> {
  for (const each of [...undo].reverse()) await each();
}

function create(
  options: ServerOptions,
  parts: {
    readonly ca: string | undefined;
    readonly data: Data;
    readonly seams: Seams;
    readonly warn: (text: string) => void;
    readonly lineage?: Lineage;
  },
): Promise<Reference> {
  const { ca, data, seams, warn, lineage } = parts;
  return createReference(options, {
    seams,
    warn,
    rootCa: ca,
    hostname: hostname(),
    dataDirectory: data.directory,
    image: data.image,
    lineage,
  });
}

/** Requests that a control port tells of. */
const REMEMBERED = 1_000;

/** The server, so that it can be reached into; the one of a harness is neither reset nor forked. Its ports stay those of the first, whichever answers there. */
function controllable(
  reference: Reference,
  options: ServerOptions,
  parts: Parameters<typeof create>[1],
  resettable: boolean,
): Promise<ControlledServer> {
  const family: ControlledFamily = {
    clock: options.clock,
    remembered: REMEMBERED,
    begin: (image, { lineage }) => create(options, { ...parts, lineage, data: { ...parts.data, image } }),
    replaced: (before) => before.retire(),
  };
  return ControlledServer.of(family, reference, resettable);
}

/** @throws StartRefused */
async function openControlAt(
  { controlPort: port, controlTokenFile }: ServeFlags,
  ...[server, listenFor]: readonly [ControlledServer, (fork: ControlledServer) => Promise<ForkPlace>]
): Promise<Control> {
  const token = controlTokenFile === undefined ? undefined : readFileSync(controlTokenFile, 'utf8').trim();
  if (token === '') throw new StartRefused([`--control-token-file: ${controlTokenFile} is empty`]);
  try {
    return await openControl(server, listenFor, { port, token });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartRefused([
      `port ${port} of 127.0.0.1 is taken; choose another with --control-port (0 for a free one)`,
    ]);
  }
}

function withPorts(options: ServerOptions, port: number): ServerOptions {
  const { insecurePort } = options.serving;
  const insecure = insecurePort === undefined ? undefined : port;
  return { ...options, serving: { ...options.serving, securePort: port, insecurePort: insecure } };
}

async function listenForFork(fork: ControlledServer, { serving }: ServerOptions, host: string): Promise<ForkPlace> {
  const first = fork.current;
  const ports = await first.listen(fork.handler, serving);
  return {
    base: `https://${host}:${ports.secure}`,
    insecureBase: ports.insecure === undefined ? undefined : `http://127.0.0.1:${ports.insecure}`,
    async close() {
      await fork.current.retire();
      await first.close();
    },
  };
}

/** @throws StartRefused */
async function listen(reference: Reference, { serving }: ServerOptions, through?: Handler): Promise<Ports> {
  try {
    return await reference.listen(through);
  } catch (error) {
    throw new StartRefused([listenFailure(error, serving)]);
  }
}

function listenFailure(error: unknown, { bindAddress, securePort, insecurePort }: ServerOptions['serving']): string {
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const plain = port !== securePort && port === insecurePort;
  const flag = plain ? '--insecure-port' : '--secure-port';
  const host = plain ? '127.0.0.1' : bindAddress;
  const free = plain ? '' : ' (0 for a free one)';
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is taken; choose another with ${flag}${free}`;
  if (code === 'EACCES') return `this user may not listen on port ${port}; choose one above 1023 with ${flag}`;
  if (code === 'EADDRNOTAVAIL') return `${host} is no address of this machine; see --bind-address`;
  return messageOf(error);
}

/** An address that a client on this machine finds it at. */
function hostOf({ serving: { bindAddress } }: ServerOptions): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

const same = <T>(value: T): T => value;

/** What went wrong, in words; of a file, which it is. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') {
    const [, name] = /Cannot find (?:package|module) '([^']+)'/.exec(error.message) ?? [];
    if (name !== undefined && OPTIONAL.includes(name)) {
      return `a data directory needs packages that are not installed: npm install ${OPTIONAL.join(' ')}`;
    }
  }
  return path === undefined || typeof code !== 'string' ? error.message : `${path}: ${reasonOf(error)}`;
}

/** Packages that whoever keeps nothing does without. */
const OPTIONAL = ['lmdb', 'fs-native-extensions'];
