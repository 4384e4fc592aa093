import type { Awaitable } from '../api/awaitable.ts';

/** How firmly a metric's name and labels stand (3/metrics). */
export type MetricStability = 'ALPHA' | 'BETA' | 'STABLE';

export interface MetricDescription<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly stability: MetricStability;
  readonly labels: readonly L[];
  /** Minor of the release that deprecated it; undefined: none did. */
  readonly deprecated?: number;
}
export type LabelValues<L extends string> = Readonly<Record<L, string>>;

/** A metric in the text form. */
interface Family {
  readonly name: string;
  text(): string;
}

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
function pairs(labels: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return [...labels].sort().map((label) => `${label}="${escaped(values[label] ?? '')}"`);
}
/** Tells combinations of labels apart on the hot path; the text form is made only when somebody reads it. */
function keyOf(labels: readonly string[], values: Readonly<Record<string, string>>): string {
  let key = '';
  for (const label of labels) key += `${values[label] ?? ''}\u0001`;
  return key;
}
const braces = (parts: readonly string[]) => (parts.length > 0 ? `{${parts.join(',')}}` : '');
function head({ name, help, stability }: MetricDescription<string>, type: string): string {
  return `# HELP ${name} [${stability}] ${help}\n# TYPE ${name} ${type}\n`;
}

/** One number of a metric. */
export interface Cell<L extends string> {
  readonly labels: LabelValues<L>;
  value: number;
}

/** Numbers that only rise (counter), or stand at what was last set (gauge), one for each combination of labels. */
export class Numbers<L extends string> implements Family {
  readonly name: string;
  readonly #description: MetricDescription<L>;
  readonly #type: 'counter' | 'gauge';
  readonly #cells = new Map<string, Cell<L>>();

  constructor(description: MetricDescription<L>, type: 'counter' | 'gauge') {
    this.name = description.name;
    this.#description = description;
    this.#type = type;
  }
  add(labels: LabelValues<L>, by = 1): void {
    this.of(labels).value += by;
  }
  set(labels: LabelValues<L>, value: number): void {
    this.of(labels).value = value;
  }
  /** The number of a combination of labels, for those who count it often; it is told of from then on. */
  of(labels: LabelValues<L>): Cell<L> {
    const key = keyOf(this.#description.labels, labels);
    let cell = this.#cells.get(key);
    if (!cell) {
      cell = { labels, value: 0 };
      this.#cells.set(key, cell);
    }
    return cell;
  }
  text(): string {
    if (this.#cells.size === 0) return '';
    const lines = [...this.#cells.values()]
      .map(({ labels, value }) => `${this.name}${braces(pairs(this.#description.labels, labels))} ${value}\n`)
      .sort();
    return head(this.#description, this.#type) + lines.join('');
  }
}

/** Values of one combination of labels. */
export class Series {
  readonly labels: readonly string[];
  /** How many values were at most each bound. */
  readonly counts: number[];
  readonly #bounds: readonly number[];
  sum = 0;
  count = 0;

  constructor(labels: readonly string[], bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.counts = bounds.map(() => 0);
  }
  observe(value: number): void {
    this.sum += value;
    this.count++;
    for (let i = this.#bounds.length - 1; i >= 0 && value <= (this.#bounds[i] as number); i--) {
      this.counts[i] = (this.counts[i] as number) + 1;
    }
  }
}

/** How often values were at most so large, for each combination of labels. */
export class Histogram<L extends string> implements Family {
  readonly name: string;
  readonly #description: MetricDescription<L>;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  /** @param bounds upper bounds of the buckets, rising; the last, infinite one is added */
  constructor(description: MetricDescription<L>, bounds: readonly number[]) {
    this.name = description.name;
    this.#description = description;
    this.#bounds = bounds;
  }
  observe(labels: LabelValues<L>, value: number): void {
    this.of(labels).observe(value);
  }
  /** The series of a combination of labels, for those who observe it often; it is told of from then on. */
  of(labels: LabelValues<L>): Series {
    const key = keyOf(this.#description.labels, labels);
    let series = this.#series.get(key);
    if (!series) {
      series = new Series(pairs(this.#description.labels, labels), this.#bounds);
      this.#series.set(key, series);
    }
    return series;
  }
  text(): string {
    if (this.#series.size === 0) return '';
    let text = head(this.#description, 'histogram');
    for (const { labels, counts, sum, count } of [...this.#series.values()].sort(byLabels)) {
      for (const [i, bound] of this.#bounds.entries()) {
        text += `${this.name}_bucket${braces([...labels, `le="${bound}"`])} ${counts[i]}\n`;
      }
      text += `${this.name}_bucket${braces([...labels, 'le="+Inf"'])} ${count}\n`;
      text += `${this.name}_sum${braces(labels)} ${sum}\n${this.name}_count${braces(labels)} ${count}\n`;
    }
    return text;
  }
}

function byLabels(a: { readonly labels: readonly string[] }, b: { readonly labels: readonly string[] }): number {
  return a.labels.join() < b.labels.join() ? -1 : 1;
}

/** What a release does with deprecated metrics (3/metric-stability). */
export interface MetricsRelease {
  /** Minor of the release. */
  readonly release: number;
  /** Hidden metrics are shown. */
  readonly showHidden: boolean;
  /** Hears of every deprecated metric that is registered. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** Releases after which a deprecated metric is hidden, and after which it is no more. */
const HIDDEN_AFTER = 3;
const DELETED_AFTER = 4;

/** All metrics of a server, told in the text form in order of name. */
export class MetricsRegistry {
  readonly #families = new Map<string, Family>();
  readonly #samplers: (() => Awaitable<void>)[] = [];
  readonly #release: MetricsRelease | undefined;

  /** @param release undefined: nothing is deprecated */
  constructor(release?: MetricsRelease) {
    this.#release = release;
  }

  counter<const L extends string>(description: MetricDescription<L>): Numbers<L> {
    return this.#register(new Numbers(this.#told(description), 'counter'), description);
  }
  gauge<const L extends string>(description: MetricDescription<L>): Numbers<L> {
    return this.#register(new Numbers(this.#told(description), 'gauge'), description);
  }
  histogram<const L extends string>(description: MetricDescription<L>, bounds: readonly number[]): Histogram<L> {
    return this.#register(new Histogram(this.#told(description), bounds), description);
  }
  /** Whether a metric of this description is told of by the release: not when it is hidden or no more. */
  tells({ deprecated }: MetricDescription<string>): boolean {
    const age = this.#age(deprecated);
    return age < HIDDEN_AFTER || (age < DELETED_AFTER && (this.#release?.showHidden ?? false));
  }

  /** Releases since the deprecation; negative when it is still to come. */
  #age(deprecated: number | undefined): number {
    return deprecated === undefined || !this.#release ? -1 : this.#release.release - deprecated;
  }

  /** The description with the notice of its deprecation in front. */
  #told<L extends string>(description: MetricDescription<L>): MetricDescription<L> {
    const { deprecated, help } = description;
    if (this.#age(deprecated) < 0) return description;
    return { ...description, help: `(Deprecated from 1.${deprecated}) ${help}` };
  }

  /** What is not told of can still be counted, which nobody sees. */
  #register<F extends Family>(family: F, description: MetricDescription<string>): F {
    if (this.#families.has(family.name)) throw new Error(`metric ${family.name} is there twice`);
    if (!this.tells(description)) return family;
    if (this.#age(description.deprecated) >= 0) {
      this.#release?.warn?.(`metric ${family.name} is deprecated from 1.${description.deprecated}`);
    }
    this.#families.set(family.name, family);
    return family;
  }
  /** Called before the metrics are read, for those that are not kept up to date all the time. */
  beforeReading(sampler: () => Awaitable<void>): void {
    this.#samplers.push(sampler);
  }
  /** The text form, with everything as it is now. */
  async read(): Promise<string> {
    for (const sampler of this.#samplers) await sampler();
    return this.text();
  }
  text(): string {
    return [...this.#families.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((family) => family.text())
      .join('');
  }
}
