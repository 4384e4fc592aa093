import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveFile } from '../../history/archiveFile.ts';
import { HistoryFile } from '../../history/writer.ts';
import { startProxy } from '../../proxy/proxy.ts';
import { type Recorded, Recording } from '../../proxy/recording.ts';
import { counted } from '../../reports/counted.ts';
import { EXIT } from '../../reports/outcome.ts';
import { fileToWrite, folderToWrite, pathFromHere, reasonOf } from '../files.ts';
import { readFlags, withoutSecrets } from '../flags.ts';
import { announce, cannotListen, certificateOf, listenAt, reachBehind, untilStopped } from '../listening.ts';
import { suiteVersion } from '../root.ts';
import { UsageError } from '../usageError.ts';
import { RECORD_FLAGS } from './recordFlags.ts';

/**
 * `touchstone record`: stands in front of a server and writes down what clients do and see there, until it is told to
 * stop.
 * @returns 0. Throws UsageError, also where the disk takes no more.
 */
export async function record(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, RECORD_FLAGS);
  if (words.length > 0) throw new UsageError(`record takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const listen = listenAt(flags.listen);
  const tls = certificateOf(flags['tls-cert'], flags['tls-key']);
  if (flags.har !== undefined) fileToWrite(flags.har);
  const file = join(folderToWrite(flags.output ?? 'reports/out/record'), 'history-0.ndjson');
  const reached = await reachBehind(flags);
  try {
    const { base, ca, insecure = false, identities } = reached.reach;
    const credentials = identities.admin ?? {};
    const command = `touchstone record ${withoutSecrets(argv, RECORD_FLAGS).join(' ')}`.trim();
    const history = opened(file, () => {
      rmSync(file, { force: true });
      return new HistoryFile(file, { by: 'record', began: new Date().toISOString(), servers: [base], command });
    });
    const { har } = flags;
    const archive =
      har === undefined ? undefined : opened(har, () => new ArchiveFile(har, `touchstone ${suiteVersion()}`));
    let fail: (error: unknown) => void = () => {};
    const failing = new Promise<never>((_, reject) => {
      fail = reject;
    });
    failing.catch(() => {});
    const recording = new Recording({
      history,
      archive,
      base,
      secrets: [credentials.token, credentials.key].filter((secret) => secret !== undefined),
      failed: (error) => fail(new UsageError(`The history cannot be written any more: ${reasonOf(error)}.`)),
    });
    const running = await startProxy({
      target: { base, ca, insecure },
      credentials,
      lend: flags.lend,
      listen,
      ...(tls ? { tls } : {}),
      interceptors: [recording.interceptor],
    }).catch((error: unknown) => {
      throw cannotListen(listen, error);
    });
    await announce(running.base, reached);
    console.log(`What clients do there is written to ${pathFromHere(file)}${har === undefined ? '' : ` and ${har}`}`);
    try {
      await Promise.race([untilStopped(), failing]);
    } finally {
      await running.close();
      closed(recording);
    }
    console.log(summary(recording.counts));
    console.log(`history  ${pathFromHere(file)}   judge it with: touchstone judge ${pathFromHere(file)}`);
    return EXIT.conformant;
  } finally {
    await reached.stop();
  }
}

function opened<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`);
  }
}
function closed(recording: Recording): void {
  try {
    recording.close();
  } catch (error) {
    throw new UsageError(`The end of the history cannot be written: ${reasonOf(error)}.`);
  }
}

function summary({ operations, events, unanswered, unread }: Readonly<Recorded>): string {
  const said = [counted(operations, 'operation'), counted(events, 'event')];
  if (unanswered > 0) said.push(`${unanswered} without an answer`);
  if (unread > 0)
    said.push(`${counted(unread, 'answer')} not looked into: neither JSON nor YAML nor CBOR, or too large`);
  return said.join(', ');
}
