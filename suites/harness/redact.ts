import { isRecord } from './json.ts';

export const REDACTED = '<redacted>';

/** Members whose values are secret wherever they stand in a body. */
const SECRET_MEMBERS = new Set([
  'token',
  'token-secret',
  'clientKeyData',
  'client-key-data',
  'id-token',
  'refresh-token',
  'password',
]);
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const JWT = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;

/** Takes secrets out of what a run keeps. `known` are the run's own credentials, removed wherever they occur. */
export class Redactor {
  #known: readonly string[] = [];

  constructor(known: readonly string[]) {
    this.learn(known);
  }

  /** From now on these are taken out too. */
  learn(secrets: readonly string[]): void {
    // A short one would eat innocent text: nobody's one-letter token is a secret worth a garbled transcript.
    const long = secrets.filter((secret) => secret.length >= 6 && !this.#known.includes(secret));
    if (long.length === 0) return;
    this.#known = [...new Set([...this.#known, ...long])].sort((a, b) => b.length - a.length);
  }
  /** One that knows the same, and may learn more. */
  copy(): Redactor {
    return new Redactor(this.#known);
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      kept[name] = SECRET_HEADERS.has(name.toLowerCase()) ? redactHeader(value) : this.text(value);
    }
    return kept;
  }

  /** A body as text; JSON is read so that secrets are found by their place, anything else by their form. */
  body(text: string): string {
    const start = text.trimStart()[0];
    if (start !== '{' && start !== '[') return this.text(text);
    try {
      const value: unknown = JSON.parse(text);
      const clean = withoutSecrets(value, 0);
      return this.text(clean === value ? text : JSON.stringify(clean));
    } catch {
      return this.text(text);
    }
  }

  text(text: string): string {
    let clean = text.replace(JWT, REDACTED).replace(PRIVATE_KEY, REDACTED);
    for (const secret of this.#known) clean = clean.replaceAll(secret, REDACTED);
    return clean;
  }
}

function redactHeader(value: string): string {
  const scheme = /^(\S+)\s+\S/.exec(value);
  return scheme ? `${scheme[1]} ${REDACTED}` : REDACTED;
}

/** The same value when nothing in it was secret. Past a depth of 64 everything is dropped: no honest body is so deep. */
function withoutSecrets(value: unknown, depth: number): unknown {
  if (depth > 64) return REDACTED;
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutSecrets(item, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const holdsSecrets = value.kind === 'Secret';
  let changed = false;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    let clean = member;
    if (SECRET_MEMBERS.has(key) && typeof member === 'string' && member !== '') clean = REDACTED;
    else if (holdsSecrets && (key === 'data' || key === 'stringData') && isRecord(member)) {
      clean = Object.fromEntries(Object.keys(member).map((name) => [name, REDACTED]));
    } else clean = withoutSecrets(member, depth + 1);
    if (clean !== member) changed = true;
    return [key, clean];
  });
  return changed ? Object.fromEntries(entries) : value;
}
