import type { PlayedRequest } from './played.ts';

/** Names of a dialect and of the story's own servers: `{api_domain}`, `{webhook_url}`. */
export type Words = Readonly<Record<string, string>>;

const NAMED = /\{([a-z_]+)\}/g;
const EARLIER = /\$\{([A-Za-z0-9_]+)\.([A-Za-z0-9_.]+)\}/g;

/** A request with the names of the dialect in place of their placeholders. */
export function named(request: PlayedRequest, words: Words): PlayedRequest {
  const fill = (text: string) => text.replace(NAMED, (whole, name: string) => words[name] ?? whole);
  return { ...request, path: fill(request.path), type: fill(request.type), body: fill(request.body) };
}

/**
 * A request with parts of earlier answers filled in: `${page.metadata.continue}`. What is not there becomes empty, so
 * that a reader who changed an earlier step sees what the server makes of it.
 *
 * @param answers bodies of earlier answers by the id of their step
 */
export function filledIn(request: PlayedRequest, answers: ReadonlyMap<string, unknown>): PlayedRequest {
  const fill = (text: string, write: (value: string) => string) =>
    text.replace(EARLIER, (_, id: string, path: string) => write(partOf(answers.get(id), path)));
  return {
    ...request,
    path: fill(request.path, encodeURIComponent),
    body: fill(request.body, (value) => JSON.stringify(value).slice(1, -1)),
  };
}

function partOf(value: unknown, path: string): string {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return '';
    at = (at as Record<string, unknown>)[name];
  }
  return typeof at === 'object' ? '' : String(at);
}
