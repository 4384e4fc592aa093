import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../freePort.ts';

/** Why tests that need etcd do not run; false where they can. */
export const NO_ETCD: string | false =
  spawnSync('etcd', ['--version']).status === 0 ? false : 'there is no etcd here; Debian has it as etcd-server';

export interface Member {
  readonly url: string;
  readonly name: string;
  start(): Promise<void>;
  /** Ends the process as a crash would. */
  kill(): Promise<void>;
  readonly running: boolean;
}

export interface MembersOptions {
  /** One unless told. */
  readonly count?: number;
  /** Further flags for each member. */
  readonly flags?: readonly string[];
  readonly scheme?: 'http' | 'https';
}

/** etcd members on loopback with a temporary directory, started. Ends with the call of `stop`. */
export async function startEtcd({ count = 1, flags = [], scheme = 'http' }: MembersOptions = {}): Promise<{
  readonly members: readonly Member[];
  readonly servers: readonly string[];
  stop(): Promise<void>;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'touchstone-etcd-'));
  const ports: number[] = [];
  while (ports.length < count * 2) ports.push(await freePort());
  const peers = Array.from({ length: count }, (_, i) => `m${i}=http://127.0.0.1:${ports[count + i]}`).join(',');
  const members = Array.from({ length: count }, (_, i) => {
    const url = `${scheme}://127.0.0.1:${ports[i]}`;
    const peer = `http://127.0.0.1:${ports[count + i]}`;
    return new Process(`m${i}`, url, [
      ...['--name', `m${i}`, '--data-dir', join(directory, `m${i}`), '--log-level', 'error'],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', peers],
      ...['--initial-cluster-token', directory, '--experimental-watch-progress-notify-interval', '1s'],
      ...flags,
    ]);
  });
  await Promise.all(members.map((member) => member.start()));
  // While members are down nothing else may keep a test waiting for them.
  const alive = createServer().listen(0, '127.0.0.1');
  return {
    members,
    servers: members.map(({ url }) => url),
    async stop() {
      alive.close();
      await Promise.all(members.map((member) => member.kill()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

class Process implements Member {
  readonly name: string;
  readonly url: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  constructor(name: string, url: string, args: readonly string[]) {
    this.name = name;
    this.url = url;
    this.#args = args;
  }
  get running(): boolean {
    return this.#child !== undefined;
  }
  async start(): Promise<void> {
    const child = spawn('etcd', [...this.#args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => {
      said = `${said}${text}`.slice(-2_000);
    });
    this.#child = child;
    const port = Number(new URL(this.url).port);
    while (!(await isOpen(port))) {
      if (child.exitCode !== null) throw new Error(`etcd ended at once: ${said}`);
      await sleep(20);
    }
  }
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function isOpen(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
