import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { ResourceRegistry } from '../../reference/contracts/resourceRegistry.ts';
import type { ServerOptions } from '../../reference/contracts/serverOptions.ts';
import type { OpenedStore } from '../../reference/contracts/store.ts';
import { typePrefix } from '../../reference/contracts/storeKeys.ts';
import { encryptionOf, openStore } from '../../reference/openStore.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { type BuiltinOptions, builtinTypes } from '../../reference/resources/builtin.ts';
import type { FindSchema } from '../../reference/storage/etcd/keptForms.ts';
import { decodeSnapshot, type Snapshot, SnapshotFault } from '../../reference/storage/snapshot/snapshot.ts';
import { readSnapshotFile, writeSnapshotFile } from '../../reference/storage/snapshot/snapshotFile.ts';
import { imageOf } from '../../reference/storage/storeImage.ts';
import { SystemClock } from '../../reference/time.ts';
import { EXIT } from '../../reports/outcome.ts';
import { readFlags } from '../flags.ts';
import { CONTROL_FILE } from '../serve/controlFile.ts';
import { takeData } from '../serve/data.ts';
import { UsageError } from '../usageError.ts';
import { SNAPSHOT_FLAGS } from './snapshotFlags.ts';

type Words = readonly string[];
type Asked = ReturnType<typeof readFlags<typeof SNAPSHOT_FLAGS>>['flags'];

/**
 * `touchstone snapshot save|restore|inspect FILE`: all that a server stores, in a file and back.
 * @returns 0. Throws UsageError.
 */
export async function snapshot(argv: Words): Promise<number> {
  const { flags, words } = readFlags(argv, SNAPSHOT_FLAGS);
  const [act = '', file, ...more] = words;
  if (!Object.hasOwn(ACTS, act) || file === undefined || more.length > 0) {
    throw new UsageError('snapshot takes what to do and one file: touchstone snapshot save|restore|inspect FILE.');
  }
  try {
    await ACTS[act as keyof typeof ACTS](file, flags);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}.`);
  }
  return EXIT.conformant;
}

const ACTS = { save, restore, inspect };

async function save(file: string, flags: Asked): Promise<void> {
  const options = storedIn(flags);
  const taken = options ? await fromStore(options) : await fromServer(flags.from ?? '.touchstone');
  writeSnapshotFile(file, taken);
  console.log(`${file}: ${summary(taken)}`);
}

async function restore(file: string, flags: Asked): Promise<void> {
  const options = storedIn(flags);
  if (!options || flags.from !== undefined) {
    throw new UsageError(
      'A snapshot is restored with --data-dir or --etcd-servers, or into memory by serve --restore.',
    );
  }
  const data = await takeData(options, file);
  if (data.directory) data.directory.release();
  else await closed(await openStore(options.storage, { ...storeDependencies(options), image: data.image }));
  console.log(`${file} is restored: ${summary(readSnapshotFile(file))}`);
}

function inspect(file: string): void {
  const found = readSnapshotFile(file);
  console.log(`${file}: ${summary(found)}`);
  console.log(`taken ${new Date(found.taken).toISOString()}, dialect ${found.dialect}, ${statSync(file).size} bytes`);
  const counts = new Map<string, number>();
  for (const { key } of found.image.entries) {
    const type = typePrefix(key).slice(1, -1);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  for (const [type, count] of counts) console.log(`${String(count).padStart(8)}  ${type}`);
}

function summary({ image }: Snapshot): string {
  return `${image.entries.length} objects at version ${image.revision}`;
}

/** The options of a server with the store that the flags name; undefined where they name none. */
function storedIn({ from, ...flags }: Asked): ServerOptions | undefined {
  const given = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  if (flags['data-dir'] === undefined && flags['etcd-servers'] === undefined) {
    if (given.length > 0) throw new UsageError('These flags go with --data-dir or --etcd-servers.');
    return undefined;
  }
  if (from !== undefined) throw new UsageError('--from names a running server; leave out the flags of a store.');
  const loaded = readOptions(given);
  if ('errors' in loaded) throw new UsageError(`${loaded.errors.join('; ')}.`);
  return loaded.options;
}

const storeDependencies = ({ storage, dialect, follow, release }: ServerOptions) => ({
  clock: new SystemClock(),
  dialect,
  encryption: encryptionOf(storage, dialect),
  schemaOf: builtinSchemas({ dialect, follow, release: release.minor }),
});

/** What built-in kinds look like, gathered when an object is met that the real service wrote. */
function builtinSchemas(of: BuiltinOptions): FindSchema {
  let registry: ResourceRegistry | undefined;
  return (apiVersion, kind) => {
    if (!registry) {
      registry = new ResourceRegistry();
      for (const type of builtinTypes(of)) registry.set(type);
    }
    return registry.schemaOf(apiVersion, kind);
  };
}

async function fromStore(options: ServerOptions): Promise<Snapshot> {
  const { dataDirectory } = options.storage;
  if (dataDirectory !== undefined && !statSync(dataDirectory, { throwIfNoEntry: false })) {
    throw new UsageError(`There is no data directory ${dataDirectory}.`);
  }
  const opened = await openStore(options.storage, storeDependencies(options));
  try {
    return { image: await imageOf(opened.store), dialect: options.dialect.name, taken: Date.now() };
  } finally {
    await closed(opened);
  }
}

async function closed({ store, release }: OpenedStore): Promise<void> {
  await store.close();
  release();
}

/** Asks a running server, at the control port that it wrote down beside its kubeconfig. */
async function fromServer(directory: string): Promise<Snapshot> {
  const path = join(directory, CONTROL_FILE);
  let control: { base: string; token: string };
  try {
    control = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageError(
      `No server wrote its control port into ${directory}: start it with --control, or name its folder with --from.`,
    );
  }
  const headers = { authorization: `Bearer ${control.token}` };
  let answer: Awaited<ReturnType<typeof request>>;
  try {
    answer = await request(`${control.base}/snapshot`, { headers });
  } catch {
    throw new UsageError(`The server that wrote ${path} does not run any more.`);
  }
  if (answer.statusCode !== 200) throw new Error(`the server did not give its objects: ${await answer.body.text()}`);
  try {
    return decodeSnapshot(await answer.body.bytes());
  } catch (error) {
    throw error instanceof SnapshotFault
      ? new Error(`what the server at ${control.base} sent ${error.message}`)
      : error;
  }
}
