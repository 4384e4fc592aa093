import type { Dialect } from '../fixtures/dialects/dialect.ts';
import type { PlayedRequest } from './played.ts';

/** Names of a dialect, by the words that stand for them: `{api_domain}`. */
export type Words = Readonly<Record<string, string>>;

const NAMED = /\{([a-z_]+)\}/g;
const EARLIER = /\$\{([A-Za-z0-9_-]+)\.([A-Za-z0-9_.]+)\}/g;

/** The words for the names of a dialect. */
export const wordsOf = ({ apiDomain, labelDomain, systemNamespace, vendor }: Dialect): Words => ({
  api_domain: apiDomain,
  label_domain: labelDomain,
  system_namespace: systemNamespace,
  vendor,
});

/** A text with the names of the dialect in place of their placeholders. */
export const withNames = (text: string, words: Words): string =>
  text.replace(NAMED, (whole, name: string) => words[name] ?? whole);

/** A request with the names of the dialect in place of their placeholders. */
export function named(request: PlayedRequest, words: Words): PlayedRequest {
  const fill = (text: string) => withNames(text, words);
  const { path, type, body, headers } = request;
  return { ...request, path: fill(path), type: fill(type), body: fill(body), headers: mapped(headers, fill) };
}

/**
 * A request with parts of earlier answers filled in: `${page.metadata.continue}`. What is not there becomes empty, so
 * that a reader who changed an earlier step sees what the server makes of it. A body with the member `$of` is merged
 * into the answer of the step that it names.
 *
 * @param answers bodies of earlier answers by the id of their step
 */
export function filledIn(request: PlayedRequest, answers: ReadonlyMap<string, unknown>): PlayedRequest {
  const fill = (text: string, write: (value: string) => string) =>
    text.replace(EARLIER, (_, id: string, path: string) => write(partOf(answers.get(id), path)));
  return {
    ...request,
    path: fill(request.path, encodeURIComponent),
    body: onto(
      fill(request.body, (value) => JSON.stringify(value).slice(1, -1)),
      answers,
    ),
    headers: mapped(request.headers, (text) => fill(text, (value) => value)),
  };
}

function onto(body: string, answers: ReadonlyMap<string, unknown>): string {
  if (!body.includes('"$of"')) return body;
  let change: unknown;
  try {
    change = JSON.parse(body);
  } catch {
    return body;
  }
  if (!isMembers(change) || typeof change.$of !== 'string') return body;
  const { $of: id, ...rest } = change;
  return JSON.stringify(merged(answers.get(String(id)) ?? {}, rest), null, 2);
}

/** A merge patch over a value (RFC 7386). */
function merged(base: unknown, change: unknown): unknown {
  if (!isMembers(change)) return change;
  const result: Record<string, unknown> = isMembers(base) ? { ...base } : {};
  for (const [name, inner] of Object.entries(change)) {
    if (inner === null) delete result[name];
    else result[name] = merged(result[name], inner);
  }
  return result;
}
function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped(headers: PlayedRequest['headers'], change: (text: string) => string): PlayedRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, change(text)]));
}

function partOf(value: unknown, path: string): string {
  const part = memberAt(value, path);
  return part === undefined || typeof part === 'object' ? '' : String(part);
}

/** The member of a value at a path of names and places: `items.0.metadata.name`; undefined when there is none. */
export function memberAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
