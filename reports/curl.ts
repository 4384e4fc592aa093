import type { ExchangeRecorded } from './events.ts';

/**
 * A shell script that sends a check's requests again, one `curl` each. Credentials were redacted long before, so the
 * script takes them from variables that it names at its top.
 */
export function curlScript(base: string, exchanges: readonly ExchangeRecorded[]): string {
  const sent = exchanges.filter((exchange) => exchange.phase !== 'cleanup');
  const actors = [...new Set(sent.filter(authorized).map((exchange) => exchange.actor))];
  const lines = [
    '#!/bin/sh',
    "# Set before running: CA (file of the authority, or leave empty for the system's)",
    ...actors.map((actor) => `#   ${tokenOf(actor)} (bearer token of ${oneLine(actor)})`),
    `BASE=${quote(base)}`,
  ];
  for (const exchange of sent) lines.push('', `# ${exchange.number}. ${oneLine(exchange.words)}`, command(exchange));
  return `${lines.join('\n')}\n`;
}

/** Headers that curl sends by itself, or that belong to one connection. */
const OWN_HEADERS = new Set(['authorization', 'user-agent', 'content-length', 'connection', 'host']);

function command({ actor, request }: ExchangeRecorded): string {
  const parts = [`curl -sS -i \${CA:+--cacert "$CA"}`];
  if (request.method !== 'GET') parts.push(`-X ${quote(request.method)}`);
  if (request.headers.authorization) parts.push(`-H "Authorization: Bearer $${tokenOf(actor)}"`);
  for (const [name, value] of Object.entries(request.headers)) {
    if (OWN_HEADERS.has(name)) continue;
    for (const each of value.split('\n')) parts.push(`-H ${quote(`${name}: ${each}`)}`);
  }
  if (request.body !== undefined) parts.push(`--data-binary ${quote(request.body)}`);
  parts.push(`"$BASE"${quote(request.path)}`);
  return parts.join(' \\\n  ');
}

function authorized(exchange: ExchangeRecorded): boolean {
  return exchange.request.headers.authorization !== undefined;
}
function tokenOf(actor: string): string {
  return `TOKEN_${actor.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}
/** Single quotes keep everything but themselves from the shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
/** A comment must not end where a server put a line break. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
