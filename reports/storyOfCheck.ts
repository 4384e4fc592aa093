import type { CheckResult } from './checkResult.ts';
import type { AssertionRecorded, ExchangeRecorded, Level, RunStarted } from './events.ts';
import type { RunResult } from './results.ts';
import { fragmentOf, type LinkedRequest, type LinkedStep, type LinkedStory } from './storyLink.ts';

/** Headers that belong to one connection, or that whoever plays a story adds. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['authorization', 'host', 'connection', 'content-length', 'content-type'],
  ...['accept-encoding', 'audit-id', 'transfer-encoding'],
]);
/** Actors who show the credentials of an administrator. */
const ADMINISTRATORS: ReadonlySet<string> = new Set(['admin', 'author', 'rival', 'watcher']);
/** What a server makes up and later requests repeat. */
const MADE_UP = ['uid', 'resourceVersion', 'continue'] as const;
const MOST_STEPS = 200;
const NAMESPACE = /\/namespaces\/(touchstone-[^/?]+)/;

/**
 * The requests of a check as a story of `touchstone learn`, which plays them to a reference of its own. Consecutive
 * requests that are the same, as of somebody who waits, become the last of them.
 *
 * @returns undefined where they cannot be put to such a server: they need one that is started with flags, credentials
 * that only the run had, or bytes that are no text
 */
export function storyOfCheck(check: CheckResult, broken: AssertionRecorded | undefined): LinkedStory | undefined {
  const asked = check.exchanges.filter(({ phase, request }) => phase !== 'cleanup' && request.method !== '');
  if (check.notes.length > 0 || asked.length === 0 || asked.length > MOST_STEPS) return undefined;
  if (!asked.every(isPlayable)) return undefined;
  const stranger = nameOfStranger(asked);
  /** Values of earlier answers, by what they are referred to as. */
  const known = new Map<string, string>();
  const steps: LinkedStep[] = namespacesOf(asked).map(givenNamespace);
  let last: ExchangeRecorded | undefined;
  for (const [index, exchange] of asked.entries()) {
    const next = asked[index + 1];
    if (next && isSame(exchange, next) && exchange.number !== broken?.exchange) continue;
    const waited = last === undefined ? 0 : Math.floor((exchange.at - last.at) / 1000) * 1000;
    last = exchange;
    steps.push({
      id: `s${exchange.number}`,
      title: exchange.words,
      look: lookOf(exchange, broken),
      wait: exchange.request.method === 'GET' ? waited : 0,
      request: requestOf(exchange, stranger, known),
      holds: {},
    });
    for (const [value, path] of madeUpIn(exchange)) known.set(value, `\${s${exchange.number}.${path}}`);
  }
  return { title: check.title, about: ABOUT, flags: [], steps };
}
const ABOUT =
  'The requests of a check that failed, put to the reference: it shows what a server that keeps the rule makes of them.';

/** The checks of a run that failed, as stories by the ids of the checks; see {@link storyOfCheck}. */
export function storiesOfRun({ checks }: Pick<RunResult, 'checks'>): Record<string, LinkedStory> {
  const failed = checks.filter(({ outcome, variant }) => outcome === 'fail' && variant === '');
  return Object.fromEntries(
    failed.flatMap((check) => {
      const story = storyOfCheck(check, brokenOf(check)[0]);
      return story ? [[check.id, story]] : [];
    }),
  );
}

const BAD_FIRST: Readonly<Record<Level, number>> = { MUST: 0, SHOULD: 1, MAY: 2 };

/** Assertions that do not hold, worst first. */
export function brokenOf({ assertions }: CheckResult): AssertionRecorded[] {
  return assertions.filter(({ holds }) => !holds).sort((a, b) => BAD_FIRST[a.level] - BAD_FIRST[b.level]);
}

/** The address of that story in a page of `learn` whose folder stands beside the report; see {@link storyOfCheck}. */
export function linkOfCheck({ target }: Pick<RunStarted, 'target'>, check: CheckResult): string | undefined {
  const { dialect } = target;
  const [broken] = brokenOf(check);
  if (dialect !== 'kubernetes' && dialect !== 'cluster') return undefined;
  const changed = storyOfCheck(check, broken);
  if (!changed) return undefined;
  const found = changed.steps.findIndex(({ id }) => id === `s${broken?.exchange}`);
  const at = found < 0 ? changed.steps.length - 1 : found;
  return `${LEARN_FOLDER}/index.html${fragmentOf({ name: undefined, at, dialect, changed })}`;
}
/** Where the page is, beside the report. */
export const LEARN_FOLDER = 'learn';

function isPlayable({ actor, request }: ExchangeRecorded): boolean {
  const acting = Object.keys(request.headers).some((name) => name.startsWith('impersonate-'));
  const isKnown = ADMINISTRATORS.has(actor) || ['nobody', 'stranger', 'plain'].includes(actor) || acting;
  const body = request.body ?? '';
  return isKnown && !body.startsWith('base64:') && !/ … \(\d+ characters\)$/.test(body);
}

function isSame(one: ExchangeRecorded, other: ExchangeRecorded): boolean {
  const { request: first } = one;
  const { request: second } = other;
  return (
    first.method === 'GET' &&
    second.method === 'GET' &&
    one.actor === other.actor &&
    first.path === second.path &&
    first.headers.accept === second.headers.accept &&
    !/[?&]watch=/.test(first.path)
  );
}

/** Namespaces that requests are about and that none of them makes. */
function namespacesOf(asked: readonly ExchangeRecorded[]): string[] {
  const named = asked.flatMap(({ request }) => NAMESPACE.exec(request.path)?.[1] ?? []);
  const made = (name: string) =>
    asked.some(
      ({ request }) =>
        request.method === 'POST' &&
        /\/namespaces(\?|$)/.test(request.path) &&
        (request.body ?? '').includes(JSON.stringify(name)),
    );
  return [...new Set(named)].filter((name) => !made(name));
}

function givenNamespace(name: string): LinkedStep {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, null, 2);
  const request = { who: 'admin', method: 'POST', path: '/api/v1/namespaces', type: 'application/json' };
  return {
    title: `the namespace ${name} is made`,
    look: '',
    wait: 0,
    request: { ...request, body, headers: {} },
    holds: {},
  };
}

/** By what name the roles of a check know the stranger; undefined where it grants none. */
function nameOfStranger(asked: readonly ExchangeRecorded[]): string | undefined {
  if (!asked.some(({ actor }) => actor === 'stranger' || actor === 'plain')) return undefined;
  const names = asked.flatMap(({ request }) =>
    /rolebindings/.test(request.path)
      ? [...(request.body ?? '').matchAll(/"kind":"User","name":"([^"]+)"|"name":"([^"]+)","kind":"User"/g)]
      : [],
  );
  const all = new Set(names.map(([, one, other]) => one ?? other));
  return all.size === 1 ? [...all][0] : undefined;
}

function requestOf(
  { actor, request }: ExchangeRecorded,
  stranger: string | undefined,
  known: ReadonlyMap<string, string>,
): LinkedRequest {
  const who = actor === 'nobody' ? 'nobody' : actor === 'stranger' || actor === 'plain' ? 'stranger' : 'admin';
  const renamed = (text: string) =>
    stranger === undefined ? text : text.replaceAll(JSON.stringify(stranger), '"stranger"');
  const headers = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name));
  return {
    who,
    method: request.method,
    path: inPath(request.path, known),
    type: request.headers['content-type'] ?? '',
    body: pretty(inBody(renamed(request.body ?? ''), known)),
    headers: Object.fromEntries(headers),
  };
}

function lookOf({ number, response, failure }: ExchangeRecorded, broken: AssertionRecorded | undefined): string {
  const answered = `The target answered ${response?.status ?? `nothing: ${failure ?? 'nobody knows why'}`}.`;
  if (number !== broken?.exchange) return answered;
  const seen = broken.differences.map(
    ({ path, want, got }) => `${path === '' ? 'It' : path}: ${want}, and there ${got}.`,
  );
  return [`Here the check failed: ${broken.sentence}.`, answered, ...seen].join(' ');
}

/** JSON in lines, for people; a body that is another text stays as it is. */
function pretty(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const written = JSON.stringify(value, null, 2);
    // Numbers past what JavaScript holds, and members that are there twice, are not to be lost.
    return JSON.stringify(value) === body ? written : body;
  } catch {
    return body;
  }
}

function madeUpIn({ response }: ExchangeRecorded): [value: string, path: string][] {
  let metadata: unknown;
  try {
    ({ metadata } = JSON.parse(response?.body ?? '') as { metadata?: unknown });
  } catch {
    return [];
  }
  if (typeof metadata !== 'object' || metadata === null) return [];
  return MADE_UP.flatMap((name) => {
    const value = (metadata as Record<string, unknown>)[name];
    // Short versions would be found where they are not meant.
    return typeof value === 'string' && value.length > 1 ? [[value, `metadata.${name}`] as [string, string]] : [];
  });
}

const MEMBER = new RegExp(`("(?:${MADE_UP.join('|')})":\\s*)"([^"\\\\]*)"`, 'g');

/** A body with references in the place of what an answer made up. */
function inBody(body: string, known: ReadonlyMap<string, string>): string {
  return body.replace(MEMBER, (whole, name: string, value: string) => {
    const reference = known.get(value);
    return reference === undefined ? whole : `${name}"${reference}"`;
  });
}

/** A path with references in the place of versions and tokens that an answer made up. */
function inPath(path: string, known: ReadonlyMap<string, string>): string {
  const [plain = '', query] = path.split('?', 2);
  if (query === undefined) return path;
  const fields = query.split('&').map((field) => {
    const [name = '', value = ''] = field.split('=', 2);
    const reference = (MADE_UP as readonly string[]).includes(name) ? known.get(decoded(value)) : undefined;
    return reference === undefined ? field : `${name}=${reference}`;
  });
  return `${plain}?${fields.join('&')}`;
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
