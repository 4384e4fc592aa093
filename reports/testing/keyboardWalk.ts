import type { Page } from '@playwright/test';

/** How a page is for somebody who has a keyboard alone. */
export interface KeyboardWalk {
  /** What Tab comes to, in this order. */
  readonly stops: readonly string[];
  /** Stops that are not seen to be where one is, and controls that Tab does not come to. */
  readonly faults: readonly string[];
}

/** No page has so many stops. */
const MOST = 400;

/** Goes through a page by Tab, from its beginning until it leaves it. */
export async function keyboardWalk(page: Page): Promise<KeyboardWalk> {
  await page.evaluate(BEGUN);
  const stops: string[] = [];
  const faults: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | undefined>('keyboardWalk.stop()');
    if (!stop || stops.length === MOST) break;
    stops.push(stop.name);
    faults.push(...stop.faults);
  }
  if (stops.length === MOST) faults.push(`Tab has not left the page after ${MOST} times.`);
  return { stops, faults: [...faults, ...(await page.evaluate<readonly string[]>('keyboardWalk.missed()'))] };
}

interface Stop {
  readonly name: string;
  readonly faults: readonly string[];
}

/** Runs in the page. */
const BEGUN = `globalThis.keyboardWalk = (() => {
  const met = new Set();
  const named = (element) => element.localName + (element.id ? '#' + element.id : '') + ' “' + (element.getAttribute('aria-label') ?? element.innerText ?? element.value ?? '').trim().replaceAll('\\n', ' ').slice(0, 40) + '”';
  const outlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  };
  const isCovered = (element) => {
    const box = (element.closest('.button') ?? element).getClientRects()[0];
    const left = Math.max(0, box.left), right = Math.min(innerWidth, box.right), top = Math.max(0, box.top), bottom = Math.min(innerHeight, box.bottom);
    if (right - left < 1 || bottom - top < 1) return true;
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !there || !(element.contains(there) || there.contains(element) || there.closest('.button')?.contains(element));
  };
  document.activeElement?.blur();
  getSelection().removeAllRanges();
  scrollTo(0, 0);
  return {
    stop() {
      const element = document.activeElement;
      if (!element || element === document.body || element === document.documentElement || met.has(element)) return undefined;
      met.add(element);
      const faults = [];
      if (!outlined(element) && !outlined(element.closest('.button') ?? element)) faults.push(named(element) + ' is not seen to be where one is.');
      if (isCovered(element)) faults.push(named(element) + ' is out of sight, or something lies over it.');
      return { name: named(element), faults };
    },
    missed: () => [...document.querySelectorAll('a[href], button, select, textarea, input, summary')]
      .filter((element) => element.checkVisibility() && !element.disabled && element.tabIndex >= 0 && !met.has(element))
      .map((element) => named(element) + ' is not come to by Tab.'),
  };
})()`;
