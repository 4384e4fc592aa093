import { setImmediate } from 'node:timers';

/** Something that is still to happen. */
export interface Wait {
  cancel(): void;
}

/** Runs `action` once. It does not keep the process alive. @param delay milliseconds */
export function later(delay: number, action: () => void): Wait {
  const handle = setTimeout(action, delay);
  handle.unref();
  return { cancel: () => clearTimeout(handle) };
}

/** Runs `action` again and again. It does not keep the process alive. @param period milliseconds */
export function repeatedly(period: number, action: () => void): Wait {
  const handle = setInterval(action, period);
  handle.unref();
  return { cancel: () => clearInterval(handle) };
}

/** Runs `action` when what is ready now has been seen to; not by the global function, which others replace in tests. */
export function nextTurn(action: () => void): void {
  setImmediate(action);
}
