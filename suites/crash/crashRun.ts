import type { HistoryEntry } from '../../history/format.ts';
import type { Ready } from '../harness/index.ts';
import { isRecord } from '../harness/index.ts';
import { type History, historyOf } from './history.ts';
import type { CrashPlan } from './plan.ts';
import { Recorder } from './recorder.ts';
import { RestartingServer, type RunningServer } from './restartingServer.ts';
import { ResumingWatcher, type Told } from './resumingWatcher.ts';
import { COLLECTION, NAMESPACE, write } from './writer.ts';

/** What clients did and saw of a server that was killed again and again, and went on with what it had stored. */
export interface CrashRun {
  /** Before the first kill, and when all was over, without anybody writing. */
  readonly first: ListSnapshot;
  readonly last: ListSnapshot;
  /** With the streams of each follower one after the other, and last a watch of everything from the first version. */
  readonly history: History;
  /** The same as it was written down. */
  readonly entries: readonly HistoryEntry[];
  /** How often the server died. */
  readonly deaths: number;
  /** Whether a watch was told that the server keeps no more what came after its version, so that no watch tells all of it. */
  readonly forgotten: boolean;
}
export interface ListSnapshot {
  readonly version: string;
  readonly items: readonly unknown[];
}

/** Who watches in all lives of the server, and who once at the end. */
export const FOLLOWERS = ['follower-1', 'follower-2'];
export const REPLAYER = 'replayer';
const CURTAIN = 'curtain';

/** A server that dies, and goes on with what it stored. */
export interface Mortal {
  /** Begins its first or its next life. Throws when it does not come up. */
  begin(): Promise<Pick<Ready, 'base' | 'ca' | 'identities'>>;
  kill(): Promise<void>;
}

/**
 * Runs a server through a plan: clients write and watch, it is killed, begins once more, and so on. It is left running.
 * @param patience milliseconds in which a watch shows at the end what was written before
 * @throws Error when a request of the stage is not answered as it should be, and what the server throws
 */
export async function runCrashes(server: Mortal, plan: CrashPlan, patience: number): Promise<CrashRun> {
  const lifeline = new RestartingServer();
  const recorder = new Recorder();
  const begin = async () => {
    const { base, ca, identities } = await server.begin();
    lifeline.begin({ base, ca, token: identities.admin?.token ?? '' });
  };
  await begin();
  const curtain = new AbortController();
  let clients: Promise<unknown> | undefined;
  try {
    const stage = await lifeline.life();
    await send(stage, recorder, 'POST', '/api/v1/namespaces', named('Namespace', NAMESPACE));
    const first = await list(stage, recorder);
    const isCurtain = ({ name }: Told) => name === CURTAIN;
    const followers = FOLLOWERS.map((client) => new ResumingWatcher(client, first.version, recorder, isCurtain));
    const following = Promise.all(followers.map((follower) => follower.follow(lifeline)));
    const room = { lifeline, recorder, curtain: curtain.signal };
    const writing = Promise.all(plan.writers.map((draws, at) => write(`writer-${at + 1}`, draws, room)));
    clients = Promise.all([following, writing]);
    for (const { answers, delay } of plan.kills) {
      await recorder.answered(answers);
      await new Promise((resolve) => setTimeout(resolve, delay));
      await server.kill();
      lifeline.die();
      await begin();
    }
    await recorder.answered(LAST_ANSWERS);
    curtain.abort();
    await writing;
    const end = await lifeline.life();
    await send(end, recorder, 'POST', COLLECTION, named('ConfigMap', CURTAIN));
    const last = await list(end, recorder);
    const replayer = new ResumingWatcher(REPLAYER, first.version, recorder, isCurtain);
    // A server that lost what it acknowledged may never show the curtain: that is told by what it did show.
    const impatient = setTimeout(() => [...followers, replayer].map((each) => each.leave()), patience);
    await replayer.follow(lifeline);
    await following;
    clearTimeout(impatient);
    const { operations, events } = recorder;
    const entries = [...operations, ...events];
    const forgotten = [...followers, replayer].some((watcher) => watcher.forgotten);
    return { first, last, history: historyOf(operations, events), entries, deaths: plan.kills.length, forgotten };
  } finally {
    curtain.abort();
    lifeline.end();
    lifeline.die();
    await clients?.catch(() => {});
  }
}

/** Answers in the last life. */
const LAST_ANSWERS = 40;

const named = (kind: string, name: string) => ({ apiVersion: 'v1', kind, metadata: { name } });

async function send(life: RunningServer | undefined, recorder: Recorder, method: string, path: string, body?: object) {
  if (!life) throw new Error('the run is over');
  const answer = await recorder.send(life, 'stage', method, path, body);
  const { status = 0 } = answer;
  const ok = status >= 200 && status <= 202;
  if (!ok) throw new Error(`${method} ${path} was answered ${answer.status ?? 'not at all'}`);
  return answer;
}

async function list(life: RunningServer | undefined, recorder: Recorder): Promise<ListSnapshot> {
  const { json } = await send(life, recorder, 'GET', COLLECTION);
  const { metadata, items } = (isRecord(json) ? json : {}) as { metadata?: { resourceVersion?: string }; items?: [] };
  return { version: metadata?.resourceVersion ?? '', items: items ?? [] };
}
