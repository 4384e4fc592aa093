import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { DESIGN } from '../design.ts';

const FOLDER = join(import.meta.dirname, 'pictures');
/** Writes pictures in place of comparing with them. */
const WRITES = process.env.UPDATE_PICTURES === '1';
/** A colour of a pixel may differ by so much, and so many of a million pixels by more. */
const SLACK = 12;
const MOST = 200;

/** A page beside another, in which nothing is forbidden. */
async function besides(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  return browser.newPage();
}

/** Both as PNG. @returns how many of a million pixels are otherwise; all where the sizes are */
export async function differingPixels(page: Page, one: Buffer, other: Buffer): Promise<number> {
  if (one.equals(other)) return 0;
  const [a, b] = [one, other].map((png) => `data:image/png;base64,${png.toString('base64')}`);
  const blank = await besides(page);
  const found = await blank.evaluate<number>(`(async () => {
    const pixels = async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      const pen = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d');
      pen.drawImage(image, 0, 0);
      return { width: image.width, data: pen.getImageData(0, 0, image.width, image.height).data };
    };
    const [one, other] = await Promise.all([pixels('${a}'), pixels('${b}')]);
    if (one.width !== other.width || one.data.length !== other.data.length) return 1e6;
    let count = 0;
    for (let at = 0; at < one.data.length; at += 4)
      if ([0, 1, 2].some((part) => Math.abs(one.data[at + part] - other.data[at + part]) > ${SLACK})) count += 1;
    return Math.ceil(count / (one.data.length / 4) * 1e6);
  })()`);
  await blank.close();
  return found;
}

/**
 * Compares a page as it is on the screen with the picture of it that is kept. Letters are drawn otherwise on other machines,
 * so it is compared only where a sample of the fonts is drawn, to the byte, as it was where the pictures were made.
 *
 * @returns undefined where they are alike, else a sentence; `isOther` where they cannot be compared
 */
export async function againstPicture(
  page: Page,
  name: string,
): Promise<{ sentence: string; isOther: boolean } | undefined> {
  const blank = await besides(page);
  try {
    await blank.setViewportSize({ width: 400, height: 160 });
    await blank.setContent(SAMPLE);
    const letters = await blank.screenshot();
    const seen = await page.screenshot({ animations: 'disabled' });
    if (WRITES) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(join(FOLDER, 'letters.png'), letters);
      writeFileSync(join(FOLDER, `${name}.png`), seen);
      return undefined;
    }
    if (!letters.equals(readFileSync(join(FOLDER, 'letters.png')))) {
      return {
        isOther: true,
        sentence: 'This machine draws letters otherwise than that on which the pictures were made.',
      };
    }
    const kept = join(FOLDER, `${name}.png`);
    if (!existsSync(kept)) return { isOther: false, sentence: `There is no picture ${name}; ${AGAIN}` };
    const differing = await differingPixels(page, readFileSync(kept), seen);
    if (differing <= MOST) return undefined;
    const share = `${(differing / 10_000).toFixed(2)} % of the pixels`;
    return { isOther: false, sentence: `${name} looks otherwise than its picture, in ${share}; if it shall, ${AGAIN}` };
  } finally {
    await blank.close();
  }
}
const AGAIN = 'run this test with UPDATE_PICTURES=1 and look at what it writes.';

/** The fonts of the design, with what differs between them. */
const SAMPLE = `<!doctype html><style>${DESIGN} @media screen { body { padding: 8px; } }</style>
<body><p>Sphinx of black quartz <b>judge my vow</b> 0123456789 ✓ ✗ → ← − “”</p>
<pre>Sphinx of black quartz {"a": 1} 0123456789</pre>`;
