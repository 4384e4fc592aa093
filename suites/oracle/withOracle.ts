import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Actor } from '../harness/index.ts';
import { unsupported } from '../harness/index.ts';
import type { Step } from './command.ts';
import type { Judge } from './judge.ts';
import { Oracle } from './oracle.ts';
import { OracleRun } from './oracleRun.ts';

type Actors = Readonly<Record<Step['client'] | 'watcher', Actor>>;

/** Sets stages, each in a namespace that is new on both sides. */
export type StartRun = (judge: Judge) => Promise<OracleRun>;

/** Runs `action` beside an oracle, which is gone afterwards. Unsupported where there is none for the dialect. */
export async function withOracle(
  dialect: Dialect,
  actors: Actors,
  action: (setStage: StartRun) => Promise<void>,
): Promise<void> {
  const oracle = await Oracle.start(dialect);
  if (!oracle) unsupported(`the reference has no dialect ${dialect.name} to compare with`);
  try {
    await action((judge) => startRun(oracle, actors, judge));
  } finally {
    await oracle.close();
  }
}

async function startRun(oracle: Oracle, { author, rival, watcher }: Actors, judge: Judge): Promise<OracleRun> {
  const name = await author.space.freshNamespace();
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const headers = { 'content-type': 'application/json' };
  await oracle.ask({ method: 'POST', path: '/api/v1/namespaces', headers, body });
  return new OracleRun({
    actors: { author: author.in(name), rival: rival.in(name), watcher: watcher.in(name) },
    oracle,
    judge,
  });
}
