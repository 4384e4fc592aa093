import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { badgeSvg } from './badge.ts';
import { DESIGN, GROUNDS, OWN_GROUNDS, PALETTE, TEXT } from './design.ts';
import { HISTORY_STYLE } from './historyPageParts.ts';
import { STYLE } from './htmlParts.ts';
import { matrixHtml } from './mutantMatrix.ts';
import { resultOf } from './results.ts';
import { sampleRun } from './testing/sampleRun.ts';

/** Relative luminance of `#rrggbb`, as WCAG 2.2 has it. */
function luminance(colour: string): number {
  assert.match(colour, /^#[0-9a-f]{6}$/);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

describe('the design of all pages', () => {
  it('measures contrast as it is defined', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  });

  for (const [which, theme] of ['light', 'dark'].entries()) {
    const of = (name: keyof typeof PALETTE): string => PALETTE[name][which as 0 | 1];

    it(`can be read in ${theme}`, () => {
      const pairs = [...TEXT.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)), ...OWN_GROUNDS];
      const weak = pairs.filter(([text, ground]) => contrast(of(text), of(ground)) < 4.5);
      assert.deepEqual(weak, []);
    });

    it(`shows where one can type, press and stand in ${theme}`, () => {
      for (const name of ['edge', 'link'] as const)
        for (const ground of GROUNDS) assert.ok(contrast(of(name), of(ground)) >= 3, `${name} on ${ground}`);
    });
  }

  it('writes white on badges, where it can be read', () => {
    for (const outcome of ['pass', 'fail', 'inconclusive', 'harness-error'] as const) {
      const [, colour = ''] =
        /height="20" fill="(#[0-9a-f]{6})"/.exec(badgeSvg(resultOf(sampleRun([{ outcome }])))) ?? [];
      assert.ok(contrast(colour, '#ffffff') >= 4.5, `${outcome}: ${colour}`);
    }
  });

  it('is the only place of colours and of fonts', () => {
    const page = readFileSync(join(import.meta.dirname, '../learn/page/page.css'), 'utf8');
    const matrix = matrixHtml({ rows: [], problems: [] }).replace(DESIGN, '');
    for (const [name, style] of Object.entries({ STYLE, HISTORY_STYLE, page, matrix })) {
      assert.doesNotMatch(style, /#[0-9a-f]{3,8}\b|\b(rgba?|hsla?|light-dark)\(/i, name);
      assert.doesNotMatch(style, /sans-serif|monospace/, name);
    }
  });

  it('names no colour that there is not', () => {
    const page = readFileSync(join(import.meta.dirname, '../learn/page/page.css'), 'utf8');
    const styles = DESIGN + STYLE + HISTORY_STYLE + page;
    const named = new Set([...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
    const made = new Set([...DESIGN.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    assert.deepEqual(
      [...named].filter((name) => !made.has(name) && name !== '--rows'),
      [],
    );
  });
});
