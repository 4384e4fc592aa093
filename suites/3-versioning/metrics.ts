import { type Actor, isRecord, Metrics, match } from '../harness/index.ts';

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
    // A label without a value is the same as none.
    Object.entries(labels).every(([name, text]) => ((each.labels as Record<string, unknown>)[name] ?? '') === text) &&
    (value === undefined || each.value === value);
  return match.containing(match.valueMatcher(`{${told.join(', ')}}${value === undefined ? '' : ` ${value}`}`, holds));
}
