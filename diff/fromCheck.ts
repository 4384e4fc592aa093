import type { ExchangeRecorded } from '../reports/events.ts';
import { isRecord } from '../suites/harness/json.ts';
import type { Step, Who } from '../suites/sequences/step.ts';

/** Headers that belong to one connection, or that a side adds by itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'user-agent',
  'host',
  'connection',
  'content-length',
]);
/** What an answer says of itself that later requests may hold. */
const TOLD = ['uid', 'resourceVersion', 'continue'] as const;

/**
 * The requests of a check as a sequence that can be put to any server: its namespaces and names become those of the
 * sequence, and versions, uids and tokens of answers become references to these answers.
 */
export function sequenceOf(exchanges: readonly ExchangeRecorded[]): Step[] {
  const asked = exchanges.filter(({ phase }) => phase !== 'cleanup');
  const words = wordsIn(asked);
  /** Values of earlier answers, by what they are referred to as. */
  const known = new Map<string, string>();
  const steps: Step[] = [];
  for (const exchange of asked) {
    const { method, headers, path } = exchange.request;
    const text = (raw: string) => replaced(replaced(raw, known), words);
    const step: Step = {
      as: whoIs(exchange),
      method,
      path: text(path),
      ...headersOf(headers, text),
      ...bodyOf(exchange.request.body, text),
      keep: `s${exchange.number}`,
      ...(/[?&]watch=(true|1)\b/.test(path) ? { open: true as const } : {}),
    };
    if (!isOwnNamespace(step)) steps.push(step);
    const metadata = metadataIn(exchange.response?.body);
    for (const name of TOLD) {
      const value = metadata?.[name];
      // Short versions would be found where they are not meant.
      if (typeof value === 'string' && value.length > 1) known.set(value, `<<s${exchange.number}.metadata.${name}>>`);
    }
  }
  return steps;
}

/** The namespaces of a check, and the prefix of its names. */
function wordsIn(exchanges: readonly ExchangeRecorded[]): ReadonlyMap<string, string> {
  const names = exchanges.flatMap(({ request }) => {
    const [, inPath] = /\/namespaces\/(touchstone-[^/?]+)/.exec(request.path) ?? [];
    return inPath === undefined ? [] : [inPath];
  });
  const [first, second] = [...new Set(names)].sort((a, b) => a.length - b.length);
  const words = new Map<string, string>();
  // The longer first, as the shorter is its beginning.
  if (second !== undefined) words.set(second, '{ns2}');
  if (first !== undefined) words.set(first, '{ns}');
  return words;
}

function whoIs({ actor, request }: ExchangeRecorded): Who {
  if (request.headers.authorization === undefined && actor === 'nobody') return 'nobody';
  return actor === 'stranger' || actor === 'plain' ? { user: '{id}-stranger' } : 'admin';
}

function headersOf(headers: Readonly<Record<string, string>>, text: (raw: string) => string): Pick<Step, 'headers'> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => !OWN_HEADERS.has(name) && !(name === 'accept' && value === 'application/json'),
  );
  return kept.length === 0 ? {} : { headers: Object.fromEntries(kept.map(([name, value]) => [name, text(value)])) };
}

function bodyOf(body: string | undefined, text: (raw: string) => string): Pick<Step, 'body' | 'text'> {
  if (body === undefined) return {};
  const named = text(body);
  try {
    return { body: JSON.parse(named) as NonNullable<Step['body']> };
  } catch {
    return { text: named };
  }
}

/** A sequence has its namespaces from the start. */
const isOwnNamespace = ({ method, path, body }: Step): boolean =>
  method === 'POST' && path === '/api/v1/namespaces' && /"name":"\{ns2?\}"/.test(JSON.stringify(body ?? ''));

function metadataIn(body: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body ?? '');
    return isRecord(value) && isRecord(value.metadata) ? value.metadata : undefined;
  } catch {
    return undefined;
  }
}

function replaced(text: string, by: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [value, word] of by) {
    // A version stands alone: in quotes, or as the value of a parameter.
    const whole = new RegExp(`(?<![\\w-])${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g');
    result = result.replace(whole, word);
  }
  return result;
}
