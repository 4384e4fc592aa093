import { setFlagsFromString } from 'node:v8';
import { CONTROL_FILE, writeControlFile } from './serve/controlFile.ts';
import { withoutStandIn } from './serve/envtest.ts';
import { serveHelp } from './serve/help.ts';
import { host } from './serve/hosting.ts';
import { readyLine } from './serve/readyLine.ts';
import { isStartRefused, type LoadMutants, type Running, startAsked } from './serve/running.ts';
import { readServeFlags } from './serve/serveFlags.ts';
import { SERVE_FLAGS } from './serve/serveTable.ts';
import { withSettings } from './settings.ts';
import { UsageError } from './usageError.ts';

const OK = 0;
const USAGE_ERROR = 64;

/** By how much old objects grow until the engine looks which of them live, in percent of those; unless told by up to 300. */
const HEAP_GROWTH = 50;

/**
 * `touchstone serve`: runs the reference until it is told to stop.
 * @param loadMutants is asked for the mutants when the flags name one, or ask for their list
 * @returns the exit code, when it has stopped: 0, or 64 when it could not start as asked.
 */
export async function serve(given: readonly string[], loadMutants: LoadMutants): Promise<number> {
  let argv: readonly string[] = given;
  if (!startedByUs(given)) {
    try {
      argv = await withSettings({ command: ['serve'], flags: SERVE_FLAGS }, given);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      console.error(`touchstone serve: ${error.message}`);
      return USAGE_ERROR;
    }
  }
  if (readServeFlags(argv).own.envtest) argv = await withoutStandIn(argv);
  const { own } = readServeFlags(argv);
  if (own.help) {
    console.log(serveHelp());
    return OK;
  }
  if (own.listMutants) {
    const { listMutants } = await loadMutants();
    for (const { id, breaks, sentence } of await listMutants(argv))
      console.log(JSON.stringify({ id, breaks, sentence }));
    return OK;
  }
  if (own.hosting) {
    await host(process.stdin, process.stdout, loadMutants);
    return OK;
  }
  let running: Running;
  try {
    running = await startAsked(argv, loadMutants);
  } catch (error) {
    if (!isStartRefused(error)) throw error;
    for (const reason of error.reasons) console.error(`touchstone serve: ${reason}`);
    return USAGE_ERROR;
  }
  // What lives is small beside what a server lets go of each second. It is said only now, since compiled code that is kept
  // beside the program is good for the flags of a start.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  for (const note of running.notes) console.error(note);
  // Who reads that it serves may stop it at once.
  const stopped = untilStopped(own.embedded);
  if (own.embedded) console.log(JSON.stringify(readyLine(running)));
  else {
    if (running.files) writeControlFile(running.files.folder, running.control);
    tell(running);
  }
  await stopped;
  await running.stop();
  return OK;
}

/** A harness says all that it means; what its own caller set for another command is not for its servers. */
function startedByUs(argv: readonly string[]): boolean {
  const { own } = readServeFlags(argv);
  return own.embedded || own.hosting || own.help;
}

function tell({ options, base, insecureBase, mutant, files, credentials, dataDirectory, control }: Running): void {
  const { release, dialect } = options;
  if (mutant) {
    const breaks = mutant.breaks.length === 0 ? '' : `, which breaks ${mutant.breaks.join(', ')}`;
    console.log(`Mutant ${mutant.id}${breaks}: ${mutant.sentence}`);
  }
  console.log(`Serving release ${release.major}.${release.minor}, dialect ${dialect.name}, at ${base}`);
  if (insecureBase) console.log(`Plain HTTP   ${insecureBase}`);
  if (files?.ca) console.log(`CA           ${files.ca}`);
  if (files) {
    const contexts = credentials.map(({ name }) => name).join(', ') || 'none';
    console.log(`kubeconfig   ${files.kubeconfig}  (contexts: ${contexts})`);
    if (credentials.length > 0) console.log(`Try          kubectl --kubeconfig ${files.kubeconfig} get namespaces`);
  }
  if (files && control) console.log(`Control      ${control.base}  (token in ${files.folder}/${CONTROL_FILE})`);
  if (dataDirectory) console.log(`Data         ${dataDirectory}`);
  console.log('Ctrl-C stops it.');
}

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
