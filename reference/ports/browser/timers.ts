import type { Wait } from '../node/timers.ts';
import { kept } from './context.ts';

export type { Wait };

/** Runs `action` once. @param delay milliseconds */
export function later(delay: number, action: () => void): Wait {
  const handle = setTimeout(kept(action), delay);
  return { cancel: () => clearTimeout(handle) };
}

/** Runs `action` again and again. @param period milliseconds */
export function repeatedly(period: number, action: () => void): Wait {
  const handle = setInterval(kept(action), period);
  return { cancel: () => clearInterval(handle) };
}

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port1.addEventListener('message', () => waiting.shift()?.());
port1.start();

/** Runs `action` when what is ready now has been seen to; a message, since timers of a tab may wait a while. */
export function nextTurn(action: () => void): void {
  waiting.push(kept(action));
  port2.postMessage(undefined);
}
