import type { ExchangeRecorded } from './events.ts';

/**
 * A shell script that does what a check did, one `curl` each, in the order in which it was sent, and cleans up. What
 * a server makes up (uids, versions) is taken from the answers before. Credentials were redacted long before, so the
 * script takes them from variables that it names at its top; a token that an answer gives it takes from there.
 * @param id part of all names that were made, where it is no run that made them: they get another one each time
 */
export function curlScript(base: string, exchanges: readonly ExchangeRecorded[], id?: string): string {
  const sent = exchanges.filter(({ request }) => request.method !== '').sort((a, b) => a.number - b.number);
  const steps = sent.filter(({ phase }) => phase !== 'cleanup');
  const cleaning = sent.filter(({ phase }) => phase === 'cleanup');
  const roles = [...new Set(sent.flatMap((exchange) => roleOf(exchange) ?? []))];
  const known: Known[] = [];
  const run = sent.flatMap(({ request }) => /touchstone-([a-z0-9]+)-[0-9a-f]{8}/.exec(request.path)?.[1] ?? [])[0];
  const names = id !== undefined ? namesWith(id) : run === undefined ? (quoted: string) => quoted : namesOfRun(run);
  const command = (exchange: ExchangeRecorded) => commandOf(exchange, known, names);
  const lines = [
    '#!/bin/sh',
    "# Set before running: CA (file of the authority, or leave empty for the system's), and of each",
    '# identity its token, or the files of its client certificate and key:',
    ...roles.map((role) => `#   TOKEN_${role}, or CERT_${role} and KEY_${role}`),
    `BASE=\${BASE:-${quote(base)}}`,
    '# Names of this time, as those of the last may still be on their way out.',
    'RUN=again$$',
    'ANSWERS=$(mktemp -d)',
    '# What stands first under a name in the answer to a step.',
    `first() { grep -o "\\"$1\\": *\\"[^\\"]*\\"" "$ANSWERS/$2" | head -n 1 | cut -d'"' -f4; }`,
  ];
  for (const exchange of steps) {
    const { number, words, response } = exchange;
    lines.push('', `# ${number}. ${oneLine(words)}${response ? ` (was answered ${response.status})` : ''}`);
    lines.push(`${command(exchange)} | tee "$ANSWERS/${number}"`, 'echo');
    for (const found of madeUpIn(exchange)) {
      if (known.some(({ value }) => value === found.value)) continue;
      lines.push(`${found.variable}=$(first ${found.member} ${number})`);
      known.push(found);
    }
    if (roles.includes(roleNamed(HOLDER)) && /\/serviceaccounts\/[^/]+\/token$/.test(exchange.request.path))
      lines.push(`TOKEN_${roleNamed(HOLDER)}=$(first token ${number})`);
  }
  if (cleaning.length > 0) lines.push('', '# Cleaning up');
  for (const exchange of cleaning) lines.push(`${command(exchange)} > /dev/null`);
  return `${[...lines, 'rm -r "$ANSWERS"'].join('\n')}\n`;
}

/** Who shows a token that an answer before gave. */
export const HOLDER = 'holder';

/** Quoted text in which names are those of this time. */
type Anew = (quoted: string) => string;
const namesOfRun =
  (run: string): Anew =>
  (quoted) =>
    quoted.replaceAll(new RegExp(`(touchstone(?:-|/run":"))${run}\\b`, 'g'), `$1'"$RUN"'`);
const namesWith =
  (id: string): Anew =>
  (quoted) =>
    quoted.replaceAll(id, `'"$RUN"'`);

/** A value that a server made up, and the variable that has what it made up this time. */
interface Known {
  readonly variable: string;
  readonly member: string;
  readonly value: string;
}

/** What later requests may repeat of an answer, as the script finds it there. */
function madeUpIn({ number, response }: ExchangeRecorded): Known[] {
  return ['uid', 'resourceVersion', 'continue'].flatMap((member) => {
    const value = new RegExp(`"${member}": *"([^"]*)"`).exec(response?.body ?? '')?.[1];
    // Short versions would be found in all kinds of numbers.
    if (value === undefined || value === '' || value === '0') return [];
    return [
      { variable: `${member === 'resourceVersion' ? 'VERSION' : member.toUpperCase()}_${number}`, member, value },
    ];
  });
}

/** Headers that curl sends by itself, or that belong to one connection. */
const OWN_HEADERS = new Set(['authorization', 'user-agent', 'content-length', 'connection', 'host']);

function commandOf(exchange: ExchangeRecorded, known: readonly Known[], anew: Anew): string {
  const { request } = exchange;
  const role = roleOf(exchange);
  const watches = /[?&]watch=(1|true)/.test(request.path);
  const parts = [`curl -sS -i \${CA:+--cacert "$CA"}`];
  if (watches) parts.push('-N --max-time 5');
  if (request.method === 'HEAD') parts.push('-I');
  else if (request.method !== 'GET') parts.push(`-X ${quote(request.method)}`);
  if (role !== undefined) {
    parts.push(`\${TOKEN_${role}:+-H "Authorization: Bearer $TOKEN_${role}"}`);
    parts.push(`\${CERT_${role}:+--cert "$CERT_${role}" --key "$KEY_${role}"}`);
  }
  const agent = request.headers['user-agent'];
  if (agent !== undefined) parts.push(`-A ${quote(agent)}`);
  for (const [name, value] of Object.entries(request.headers)) {
    if (OWN_HEADERS.has(name)) continue;
    for (const each of value.split('\n')) parts.push(`-H ${anew(quote(`${name}: ${each}`))}`);
  }
  // A header that was not sent must not be made up by curl.
  if (request.headers.accept === undefined) parts.push(`-H 'Accept:'`);
  if (request.body !== undefined && request.headers['content-type'] === undefined) parts.push(`-H 'Content-Type:'`);
  if (request.body !== undefined) parts.push(`--data-binary ${anew(filled(request.body, known, inBody))}`);
  parts.push(`"$BASE"${anew(filled(request.path, known, inPath))}`);
  return parts.join(' \\\n  ');
}

const inBody = ({ value }: Known) => `"${value}"`;
const inPath = ({ member, value }: Known) => `${member}=${encodeURIComponent(value)}`;

/** A text in quotes, with the variables of what a server made up in its place. */
function filled(text: string, known: readonly Known[], wrapped: (known: Known) => string): string {
  let quoted = quote(text);
  for (const each of known) {
    const place = wrapped(each);
    const [before = '', after = ''] = place.split(
      place.includes(each.value) ? each.value : encodeURIComponent(each.value),
    );
    quoted = quoted.replaceAll(place, `${before}'"$${each.variable}"'${after}`);
  }
  return quoted;
}

/** Whose credentials a request shows, as a part of names of variables; none for nobody's. */
function roleOf({ actor, request }: ExchangeRecorded): string | undefined {
  if (actor === 'nobody' && request.headers.authorization === undefined) return undefined;
  if (actor === HOLDER) return roleNamed(actor);
  const acting = Object.keys(request.headers).some((name) => name.startsWith('impersonate-'));
  if (acting || ADMINISTRATORS.has(actor)) return 'ADMIN';
  return roleNamed(actor);
}
function roleNamed(actor: string): string {
  return actor.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
/** Actors who show the credentials that the run was given. */
const ADMINISTRATORS: ReadonlySet<string> = new Set(['admin', 'author', 'rival', 'watcher']);

/** Single quotes keep everything but themselves from the shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
/** A comment must not end where a server put a line break. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
