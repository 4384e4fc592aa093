import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { judge } from '../judge.ts';
import { readHistory } from '../readHistory.ts';
import { svg } from './svg.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const draw = (text: string): string => {
  const history = readHistory(text);
  return svg(history, judge(history).findings);
};
const example = draw(readFileSync(join(DOCS, 'examples/timeline.yaml'), 'utf8'));
const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

test('the picture in the documents is the one that the example gives', () => {
  assert.equal(readFileSync(join(DOCS, 'images/timeline.svg'), 'utf8'), example);
});

test('every release has a column with its date, every version a lane, every stage a bar', () => {
  assert.equal(count(example, /class="release"/g), 16);
  assert.equal(count(example, /class="date"/g), 16);
  assert.equal(count(example, /class="version"/g), 10);
  // Each of the ten is served, and five are deprecated later; one of each is in the legend.
  assert.equal(count(example, /<rect class="served"/g), 10 + 1);
  assert.equal(count(example, /<rect class="deprecated"/g), 5 + 1);
  // A preferred and a storage version a release, and the two of the legend.
  assert.equal(count(example, /class="badge"/g), 32 + 2);
  assert.match(example, /<title>v1beta1 is served, deprecated, from X\+3 to X\+5<\/title>/);
});

test('who does not see it reads it, and both grounds have colors', () => {
  assert.match(example, /role="img" aria-labelledby="title description"/);
  assert.match(
    example,
    /<desc id="description">widgets\.example\.com, by release: X: v1alpha1; preferred v1alpha1; stored v1alpha1\. X\+1/,
  );
  assert.match(example, /prefers-color-scheme: dark/);
});

test('what breaks a rule is marked where it does, and named', () => {
  const broken = draw(
    'releases: [{ name: a, date: 2024-01-15 }, { name: b, date: 2024-05-15 }]\ngroups: [{ name: g, timeline: { a: { versions: { v1: served } }, b: { versions: {} } } }]',
  );
  assert.match(broken, /<g class="finding"><title>Rule 4a: v1 is generally available and was removed in b/);
  assert.equal(count(broken, /class="finding"/g), 2);
  assert.equal(count(example, /class="finding"/g), 0);
});

test('names stay text, whatever they hold', () => {
  const odd = draw(
    'releases: [{ name: "<b>&", date: 2024-01-15 }]\ngroups: [{ name: "</text><script>", timeline: { "<b>&": { versions: { v1: served } } } }]',
  );
  assert.doesNotMatch(odd, /<b>|<script>/);
  assert.match(odd, /&lt;b&gt;&amp;/);
});
