import type { Page } from '@playwright/test';

/**
 * What is wrong with how a page stands on the screen, whatever fonts there are: it can be scrolled sideways, something
 * reaches over its edge, a text is cut or stands out of its box, two lie over each other, or a control is too small to be
 * hit. What a scroller hides is not seen, and so not at fault; what is folded is not there.
 *
 * @returns a sentence for each fault
 */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(MEASURED);
}

/** Runs in the page. */
const MEASURED = `(() => {
  const faults = new Set();
  const root = document.documentElement;
  const width = root.clientWidth;
  if (root.scrollWidth > width) faults.add('The page is ' + root.scrollWidth + ' pixels wide, the screen ' + width + '.');
  const named = (element) => {
    const kind = typeof element.className === 'string' ? element.className.trim().replace(/^(?=.)|\\s+/g, '.') : '';
    const said = (element.innerText ?? element.value ?? '').trim().replaceAll('\\n', ' ').slice(0, 40);
    return element.localName + (element.id ? '#' + element.id : kind) + (said ? ' “' + said + '”' : '');
  };
  /* What is off the screen is laid out as well. */
  for (const each of document.querySelectorAll('*')) if (getComputedStyle(each).contentVisibility === 'auto') each.style.contentVisibility = 'visible';
  /* What is for readers of the screen alone is cut down to nothing; where it is on the way, so is all in it. */
  const isForReaders = (element) => element !== null && (getComputedStyle(element).clipPath === 'inset(50%)' || isForReaders(element.parentElement));
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('.skip') && !isForReaders(element);
  const scrolls = ({ overflowX, overflowY }) => /auto|scroll/.test(overflowX + overflowY);
  const cuts = ({ overflowX, overflowY }) => /hidden|clip/.test(overflowX + overflowY);
  /* The part of a box that the scrollers around it show. */
  const shown = (element, { left, right, top, bottom }) => {
    let part = { left, right, top, bottom };
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (!scrolls(getComputedStyle(at))) continue;
      const box = at.getBoundingClientRect();
      part = { left: Math.max(part.left, box.left), right: Math.min(part.right, box.right), top: Math.max(part.top, box.top), bottom: Math.min(part.bottom, box.bottom) };
    }
    return part.right - part.left > 1 && part.bottom - part.top > 1 ? part : undefined;
  };
  const items = [];
  const CONTROLS = 'button, .button, select, textarea, input:not([type=file])';
  for (const element of document.querySelectorAll(CONTROLS)) {
    if (!isSeen(element)) continue;
    const box = element.getBoundingClientRect();
    const part = shown(element, box);
    if (part) items.push({ element, part, isControl: true });
    const isHit = !element.matches('[type=checkbox], [type=radio], [type=range]');
    if (isHit && Math.min(box.width, box.height) < 24) faults.add(named(element) + ' is smaller than 24 pixels.');
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === '' || element.closest('script, style, noscript, select, textarea') || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let block = element;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    const frame = block.getBoundingClientRect();
    const { whiteSpace, fontSize } = getComputedStyle(block);
    /* Where lines are kept, the space at which one was broken hangs over. */
    const slack = 1.5 + (whiteSpace === 'pre-wrap' ? parseFloat(fontSize) * 0.7 : 0);
    for (const box of range.getClientRects()) {
      if (box.width < 1) continue;
      if (!scrolls(getComputedStyle(block)) && (box.left < frame.left - 1.5 || box.right > frame.right + slack || box.top < frame.top - 5 || box.bottom > frame.bottom + 5))
        faults.add(named(element) + ' stands out of its box.');
      for (let at = element; at && at !== root; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (scrolls(style)) break;
        if (!cuts(style)) continue;
        const edge = at.getBoundingClientRect();
        if (box.left < edge.left - 1.5 || box.right > edge.right + 1.5 || box.top < edge.top - 3 || box.bottom > edge.bottom + 3) faults.add(named(element) + ' is cut.');
      }
      const part = shown(element, box);
      if (part) items.push({ element, part, isControl: false });
    }
  }
  for (const { element, part } of items)
    if (part.left < -0.5 || part.right > width + 0.5) faults.add(named(element) + ' reaches over the edge.');
  items.sort((one, other) => one.part.top - other.part.top);
  const stuck = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).position === 'sticky' && at.closest('table')) return true;
    return false;
  };
  for (const [index, one] of items.entries()) {
    for (let next = index + 1; next < items.length && items[next].part.top < one.part.bottom; next++) {
      const other = items[next];
      const across = Math.min(one.part.right, other.part.right) - Math.max(one.part.left, other.part.left);
      const down = Math.min(one.part.bottom, other.part.bottom) - other.part.top;
      const low = Math.min(one.part.bottom - one.part.top, other.part.bottom - other.part.top);
      if (across < 2 || down < Math.max(2, low * 0.35) || one.element === other.element) continue;
      if (one.isControl && one.element.contains(other.element)) continue;
      if (other.isControl && other.element.contains(one.element)) continue;
      /* The first column stays while the others of its table are scrolled below it. */
      if (stuck(one.element) !== stuck(other.element)) continue;
      faults.add(named(one.element) + ' lies over ' + named(other.element) + '.');
    }
  }
  return [...faults];
})()`;
