/** How firmly a metric's name and labels stand (3/metrics). */
export type Stability = 'ALPHA' | 'BETA' | 'STABLE';

export interface MetricDescription<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly stability: Stability;
  readonly labels: readonly L[];
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

/** Numbers that only rise (counter), or stand at what was last set (gauge), one for each combination of labels. */
export class Numbers<L extends string> implements Family {
  readonly name: string;
  readonly #description: MetricDescription<L>;
  readonly #type: 'counter' | 'gauge';
  readonly #cells = new Map<string, { readonly labels: LabelValues<L>; value: number }>();

  constructor(description: MetricDescription<L>, type: 'counter' | 'gauge') {
    this.name = description.name;
    this.#description = description;
    this.#type = type;
  }
  add(labels: LabelValues<L>, by = 1): void {
    this.#cell(labels).value += by;
  }
  set(labels: LabelValues<L>, value: number): void {
    this.#cell(labels).value = value;
  }
  #cell(labels: LabelValues<L>) {
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

/** How often values were at most so large, for each combination of labels. */
export class Histogram<L extends string> implements Family {
  readonly name: string;
  readonly #description: MetricDescription<L>;
  readonly #bounds: readonly number[];
  readonly #series = new Map<
    string,
    { readonly labels: string[]; readonly counts: number[]; sum: number; count: number }
  >();

  /** @param bounds upper bounds of the buckets, rising; the last, infinite one is added */
  constructor(description: MetricDescription<L>, bounds: readonly number[]) {
    this.name = description.name;
    this.#description = description;
    this.#bounds = bounds;
  }
  observe(labels: LabelValues<L>, value: number): void {
    const key = keyOf(this.#description.labels, labels);
    let series = this.#series.get(key);
    if (!series) {
      series = { labels: pairs(this.#description.labels, labels), counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(key, series);
    }
    series.sum += value;
    series.count++;
    for (let i = this.#bounds.length - 1; i >= 0 && value <= (this.#bounds[i] as number); i--) {
      series.counts[i] = (series.counts[i] as number) + 1;
    }
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

/** All metrics of a server, told in the text form in order of name. */
export class MetricsRegistry {
  readonly #families = new Map<string, Family>();

  counter<const L extends string>(description: MetricDescription<L>): Numbers<L> {
    return this.#register(new Numbers(description, 'counter'));
  }
  gauge<const L extends string>(description: MetricDescription<L>): Numbers<L> {
    return this.#register(new Numbers(description, 'gauge'));
  }
  histogram<const L extends string>(description: MetricDescription<L>, bounds: readonly number[]): Histogram<L> {
    return this.#register(new Histogram(description, bounds));
  }
  #register<F extends Family>(family: F): F {
    if (this.#families.has(family.name)) throw new Error(`metric ${family.name} is there twice`);
    this.#families.set(family.name, family);
    return family;
  }
  text(): string {
    return [...this.#families.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((family) => family.text())
      .join('');
  }
}
