import { join } from 'node:path';
import { isEmbedded, NoSuchReference, startEmbedded } from '../diff/embeddedSide.ts';
import { HttpSide } from '../diff/httpSide.ts';
import { detect } from '../suites/harness/target/detect.ts';
import type { Side } from '../suites/sequences/side.ts';
import type { SIDE_FLAGS } from './commands/diffFlags.ts';
import { type Flags, readFlags } from './flags.ts';
import { type Reached, reachTarget, type TargetFlags } from './reach.ts';
import { TARGET_FLAGS } from './targetFlags.ts';
import { UsageError } from './usageError.ts';

/** Both servers, started or found by what the command line calls them, and let go afterwards. */
export async function withSides(
  [a, b]: readonly [string, string],
  flags: Flags<typeof SIDE_FLAGS>,
  use: (first: Side, second: Side) => Promise<number>,
): Promise<number> {
  const opened: { close(): Promise<void> }[] = [];
  try {
    const first = await sideOf(
      a,
      a === b ? `first ${a}` : a,
      { token: flags['first-token'], ca: flags['first-ca'], insecure: flags.insecure },
      opened,
    );
    const second = await sideOf(
      b,
      a === b ? `second ${b}` : b,
      { token: flags['second-token'], ca: flags['second-ca'], insecure: flags.insecure },
      opened,
    );
    return await use(first, second);
  } finally {
    for (const one of opened.reverse()) await one.close();
  }
}

const NO_FLAGS: TargetFlags = readFlags([], TARGET_FLAGS).flags;

/** The embedded reference has an administrator of its own; of all others one is given. */
async function sideOf(
  text: string,
  name: string,
  given: Pick<TargetFlags, 'token' | 'ca' | 'insecure'>,
  opened: { close(): Promise<void> }[],
): Promise<Side> {
  if (isEmbedded(text)) {
    try {
      const side = await startEmbedded(text);
      opened.push(side);
      return Object.defineProperty(side, 'name', { value: name });
    } catch (error) {
      if (error instanceof NoSuchReference) throw new UsageError(error.message);
      throw error;
    }
  }
  const reached = await reachTarget(flagsOf(text, given));
  opened.push({ close: () => reached.stop() });
  const side = new HttpSide(name, await detect(reached.reach));
  opened.push(side);
  return side;
}

/** Reaches a server that a text names over HTTP, the built-in reference too. Throws UsageError. */
export function reachNamed(text: string, given: Pick<TargetFlags, 'token' | 'ca' | 'insecure'>): Promise<Reached> {
  if (!isEmbedded(text)) return reachTarget(flagsOf(text, given));
  const words = text
    .split(':')
    .slice(1)
    .join(':')
    .split(',')
    .filter((word) => word !== '');
  return reachTarget(NO_FLAGS, ['--clock=system', ...words.map((word) => `--${word}`)]);
}

/** `https://…`, `context:NAME`, `kubeconfig:FILE#CONTEXT` or `launch:COMMAND` as the flags that mean the same. */
function flagsOf(text: string, given: Pick<TargetFlags, 'token' | 'ca' | 'insecure'>): TargetFlags {
  if (/^https?:/.test(text)) return { ...NO_FLAGS, ...given, target: text };
  if (text.startsWith('launch:')) return { ...NO_FLAGS, launch: text.slice('launch:'.length) };
  const beside = { insecure: given.insecure, ca: given.ca };
  if (text.startsWith('context:')) {
    const kubeconfig = process.env.KUBECONFIG ?? join(process.env.HOME ?? '', '.kube/config');
    return { ...NO_FLAGS, ...beside, kubeconfig, context: text.slice('context:'.length) };
  }
  if (text.startsWith('kubeconfig:')) {
    const [kubeconfig = '', context] = text.slice('kubeconfig:'.length).split('#');
    return { ...NO_FLAGS, ...beside, kubeconfig, context };
  }
  throw new UsageError(
    `${JSON.stringify(text)} is no server; write https://…, context:NAME, kubeconfig:FILE#CONTEXT, launch:COMMAND, or reference:release=1.34.`,
  );
}
