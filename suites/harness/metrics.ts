/** A value of a metric with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][\w:]*/;
/** A line with the name of a metric, in which the labels and the value are told. */
const SAMPLE = /^[^{ ]+(?:\{(.*)\})? (\S+)/;

/** What a server says of itself. */
export class Metrics {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  /** What a server says that a metric is, such as `gauge`; undefined where it does not say. */
  typeOf(name: string): string | undefined {
    return this.#lines
      .find((line) => line.startsWith(`# TYPE ${name} `))
      ?.split(' ')[3]
      ?.trim();
  }

  /** Every value of a metric; a name may be a pattern, since parts of some depend on the implementation. */
  samples(name: string | RegExp): Sample[] {
    const isMeant = (line: string) => {
      // There are tens of thousands, of which few are asked for.
      if (typeof name === 'string' && !line.startsWith(name)) return false;
      const found = NAME.exec(line)?.[0];
      return found !== undefined && (typeof name === 'string' ? found === name : name.test(found));
    };
    return this.#lines.filter(isMeant).flatMap((line) => {
      const [, labels = '', value] = SAMPLE.exec(line) ?? [];
      return value === undefined ? [] : [{ labels: labelsIn(labels), value: Number(value) }];
    });
  }
}

function labelsIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]));
}
