import { type Actor, isRecord, match } from '../harness/index.ts';

/** A value of a metric with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a server says of itself. */
export class Metrics {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** What a server says that a metric is, such as `gauge`; undefined where it does not say. */
  typeOf(name: string): string | undefined {
    return this.#text
      .split('\n')
      .find((line) => line.startsWith(`# TYPE ${name} `))
      ?.split(' ')[3]
      ?.trim();
  }

  /** Every value of a metric; a name may be a pattern, since parts of some depend on the implementation. */
  samples(name: string | RegExp): Sample[] {
    return this.#text.split('\n').flatMap((line) => {
      const [, found = '', labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
      if (typeof name === 'string' ? found !== name : !name.test(found)) return [];
      return [{ labels: labelsIn(labels), value: Number(value) }];
    });
  }
}

function labelsIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]));
}

/** Reads the metrics of the server that an actor speaks to. */
export async function metricsOf(actor: Actor): Promise<Metrics> {
  const answer = await actor.prepare(() =>
    actor.request('GET', '/metrics', { headers: { accept: 'text/plain' }, words: `${actor.name} reads the metrics` }),
  );
  return new Metrics(answer.text);
}

/** A sample with these labels among others, and this value. */
export function sample(labels: Readonly<Record<string, string>>, value?: number) {
  const told = Object.entries(labels).map(([name, text]) => `${name}="${text}"`);
  const holds = (each: unknown) =>
    isRecord(each) &&
    isRecord(each.labels) &&
    Object.entries(labels).every(([name, text]) => (each.labels as Record<string, unknown>)[name] === text) &&
    (value === undefined || each.value === value);
  return match.containing(match.valueMatcher(`{${told.join(', ')}}${value === undefined ? '' : ` ${value}`}`, holds));
}
