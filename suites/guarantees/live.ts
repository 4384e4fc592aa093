import type { Exchange } from '../harness/exchange.ts';
import type { WatchStream } from '../harness/watchStream.ts';
import { type History, historyOf, type RecordedOperation } from './history.ts';

/** What a check itself did and saw, as a history. */
export function historyOfRun(exchanges: readonly Exchange[], streams: readonly WatchStream[]): History {
  const opened = streams.map(({ opening }) => opening);
  const events = streams.flatMap(({ opening, seen }) =>
    seen.map((event) => ({ number: opening.number, event: JSON.stringify(event) })),
  );
  return historyOf([...exchanges, ...opened].map(recorded), events);
}

function recorded({ actor, number, at, took, sent, received, text }: Exchange): RecordedOperation {
  return {
    client: actor,
    number,
    start: at,
    end: at + took,
    method: sent.method,
    path: sent.path,
    ...(typeof sent.body === 'string' ? { body: sent.body } : {}),
    ...(received ? { status: received.status, answer: text } : {}),
  };
}
