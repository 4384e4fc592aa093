import type { Site } from './sites.ts';

/** A site and the number by which its mutant is switched on. */
export interface Planted {
  readonly number: number;
  readonly site: Site;
}

/** Names that planted code reads: which mutants are in force by their numbers, and the functions that keep what is met. */
export const IN_FORCE = '__mutant';
export const MEET = '__meet';
export const COMPARE = '__compare';

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** How much of the text stands between the two of a pair: of those that begin at one place the widest is outermost. */
  readonly width: number;
  readonly closes: boolean;
}

/**
 * The text with all these mutants in it, each of which is what runs while its number is in force, and is kept as met when
 * it does.
 */
export function withMutants(text: string, planted: readonly Planted[]): string {
  const insertions = planted.flatMap(({ number, site }) => {
    const met = `${MEET}(${number})`;
    if (site.form === 'statement') return around(site, `{if(${IN_FORCE}[${number}])${met};else{`, '}}');
    return around(site, `(${IN_FORCE}[${number}]?(${met},(${site.mutated})):(`, '))');
  });
  return inserted(text, insertions, []);
}

/** The text that keeps, each time it runs, which of these mutants would have made a difference at their place. */
export function withRecorders(text: string, planted: readonly Planted[]): string {
  const insertions: Insertion[] = [];
  const replaced: { at: number; until: number; text: string }[] = [];
  const compared = new Map<number, Planted[]>();
  for (const each of planted) {
    const { number, site } = each;
    if (site.comparison) compared.set(site.start, [...(compared.get(site.start) ?? []), each]);
    else if (site.form === 'statement') insertions.push(...around(site, `{${MEET}(${number});`, '}'));
    else {
      const { start, end, when } = site.met ?? { ...site, when: 'always' };
      insertions.push(...around({ start, end }, `${MEET}(${number},${JSON.stringify(when)},(`, '))'));
    }
  }
  for (const all of compared.values()) {
    const [first] = all;
    const comparison = first?.site.comparison;
    if (!first || !comparison) continue;
    const others = all.map(({ number, site }) => [number, site.comparison?.becomes]);
    insertions.push(
      ...around(first.site, `${COMPARE}(${JSON.stringify(others)},${JSON.stringify(comparison.is)},`, ')'),
    );
    replaced.push({ at: comparison.start, until: comparison.end, text: ',' });
  }
  return inserted(text, insertions, replaced);
}

function around({ start, end }: { start: number; end: number }, before: string, after: string): Insertion[] {
  const width = end - start;
  return [
    { at: start, text: before, width, closes: false },
    { at: end, text: after, width, closes: true },
  ];
}

function inserted(
  text: string,
  insertions: readonly Insertion[],
  replaced: readonly { readonly at: number; readonly until: number; readonly text: string }[],
): string {
  const order = insertions.map((each, index) => ({ ...each, index }));
  order.sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    if (a.closes !== b.closes) return a.closes ? -1 : 1;
    if (a.width !== b.width) return a.closes ? a.width - b.width : b.width - a.width;
    return a.closes ? b.index - a.index : a.index - b.index;
  });
  const parts: string[] = [];
  let done = 0;
  const copyTo = (end: number) => {
    for (const { at, until, text: other } of replaced) {
      if (at < done || at >= end) continue;
      parts.push(text.slice(done, at), other);
      done = until;
    }
    parts.push(text.slice(done, end));
    done = end;
  };
  const sorted = [...replaced].sort((a, b) => a.at - b.at);
  replaced = sorted;
  for (const { at, text: more } of order) {
    if (at > done) copyTo(at);
    parts.push(more);
  }
  copyTo(text.length);
  return parts.join('');
}
