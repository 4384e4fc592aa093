import { readFileSync } from 'node:fs';
import type { ServerFault, ServerHurt } from '../storm/storm.ts';
import { Connections } from '../suites/harness/client/connections.ts';
import { Prober } from '../suites/harness/target/probe.ts';
import type { Target } from '../suites/harness/target/target.ts';

/**
 * Names a file for the process group of the server of a stand-in. Whoever asks for it hurts the server: it is started
 * again, with the same flags and data, whenever it ends.
 */
export const SERVER_PID_FILE = 'TOUCHSTONE_SERVER_PID_FILE';

/** How long a server may take to answer again, in milliseconds. */
const COMES_BACK = 60_000;
/** The longest time that a server is stopped for, in milliseconds. */
const LONGEST_PAUSE = 3_000;

/**
 * Kills, pauses or restarts a server that a stand-in started, and waits until it answers again.
 * @param pidFile where the stand-in writes the process group of the server
 * @param draw decides which of them, and how long
 */
export async function hurtServer(
  target: Target,
  pidFile: string,
  among: readonly ServerFault[],
  draw: number,
): Promise<ServerHurt> {
  const fault = among[draw % among.length] as ServerFault;
  const group = Number(readFileSync(pidFile, 'utf8'));
  if (!(group > 1)) return { fault, what: 'there is no server' };
  const length = 200 + ((draw >>> 8) % LONGEST_PAUSE);
  if (fault === 'pause') {
    signal(group, 'SIGSTOP');
    try {
      await pause(length);
    } finally {
      signal(group, 'SIGCONT');
    }
    return { fault, what: `the server was stopped for ${length} ms` };
  }
  signal(group, fault === 'kill' ? 'SIGKILL' : 'SIGTERM');
  const began = performance.now();
  await pause(100);
  const connections = new Connections(target);
  const prober = new Prober(target.base, connections);
  try {
    for (;;) {
      const started = readFileSync(pidFile, 'utf8') !== String(group);
      if (started && (await prober.get(target.identities.admin ?? {}, '/readyz')).status === 200) break;
      if (performance.now() - began > COMES_BACK) return { fault, what: 'the server did not come back' };
      await pause(50);
    }
  } finally {
    await connections.close();
  }
  return { fault, what: `the server answered again after ${Math.round(performance.now() - began)} ms` };
}

function signal(group: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL' | 'SIGTERM'): void {
  try {
    process.kill(-group, name);
  } catch {
    // It has ended by itself.
  }
}
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
