import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { readyLine } from './readyLine.ts';
import { isStartRefused, type LoadMutants, type Running, startAsked } from './running.ts';

/** What may be asked of a host, a line of JSON each: the words are the flags that stand behind `serve`. */
export type HostRequest = StartRequest | { readonly end: string };
interface StartRequest {
  readonly start: string;
  readonly flags: readonly string[];
}

/** What it answers, a line of JSON each, about the server of that name: the ready line, words for people, its end. */
export type HostAnswer =
  | ({ readonly server: string; readonly ready: true } & Readonly<Record<string, unknown>>)
  | { readonly server: string; readonly said: string }
  | { readonly server: string; readonly ended: number };

const OK = 0;
const USAGE_ERROR = 64;

/**
 * Starts and ends servers as lines of input ask, until the input ends. Who needs many servers one after the other is
 * spared most of what a process costs at its start.
 */
export async function host(input: Readable, output: Writable, loadMutants: LoadMutants): Promise<void> {
  const servers = new Map<string, Promise<Running | undefined>>();
  const answer = (line: HostAnswer) => output.write(`${JSON.stringify(line)}\n`);
  const end = async (server: string) => {
    const running = await servers.get(server);
    if (!servers.delete(server) || !running) return;
    await running.stop();
    answer({ server, ended: OK });
  };
  for await (const line of createInterface({ input })) {
    const request = JSON.parse(line) as HostRequest;
    if ('end' in request) void end(request.end);
    else servers.set(request.start, begin(request, loadMutants, answer));
  }
  await Promise.all([...servers.keys()].map(end));
}

/** @returns nothing where it did not start, which is told. */
async function begin(
  { start: server, flags }: StartRequest,
  loadMutants: LoadMutants,
  answer: (line: HostAnswer) => void,
): Promise<Running | undefined> {
  try {
    const running = await startAsked(flags, loadMutants);
    for (const said of running.notes) answer({ server, said });
    answer({ server, ready: true, ...readyLine(running) });
    return running;
  } catch (error) {
    if (!isStartRefused(error)) throw error;
    for (const reason of error.reasons) answer({ server, said: `touchstone serve: ${reason}` });
    answer({ server, ended: USAGE_ERROR });
    return undefined;
  }
}
