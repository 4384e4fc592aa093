import { isRecord } from './sight.ts';

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
/** The end of the name of an annotation in which clients keep what they applied. */
const APPLIED = '/last-applied-configuration';
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
// A blank before it may be percent-encoded, as in a query.
const JWT = /(?:\b|(?<=%[\dA-Fa-f]{2}))eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
const JWT_START = 'eyJ';
const PRIVATE_KEY_WORDS = 'PRIVATE KEY-----';
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;

/** Characters that a secret has at most: tokens and keys are far shorter. */
const LONGEST = 65_536;

/** One of these stands in every body in which a secret has its place; escapes, as any of them may be written with them. */
const TELLING = [...[...SECRET_MEMBERS].map((name) => `"${name}"`), '"Secret', APPLIED, '\\u'];

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

  /**
   * A body as text; JSON is read so that secrets are found by their place, anything else by their form.
   * @param wanted how many characters of it are of use: past them, and past what a secret can be long, it may end
   */
  body(text: string, wanted = Number.POSITIVE_INFINITY): string {
    const clean = this.#placed(text);
    return this.text(clean.length > wanted + LONGEST ? clean.slice(0, wanted + LONGEST) : clean);
  }

  text(text: string): string {
    // Looking for a few letters costs far less than for a pattern that may begin anywhere.
    let clean = text.includes(JWT_START) ? text.replace(JWT, REDACTED) : text;
    if (clean.includes(PRIVATE_KEY_WORDS)) clean = clean.replace(PRIVATE_KEY, REDACTED);
    for (const secret of this.#known) if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
    return clean;
  }

  /** A body without the secrets that are told by their place in JSON. */
  #placed(text: string): string {
    const start = text.trimStart()[0];
    if ((start !== '{' && start !== '[') || !TELLING.some((word) => text.includes(word))) return text;
    try {
      const value: unknown = JSON.parse(text);
      const clean = withoutSecrets(value);
      return clean === value ? text : JSON.stringify(clean);
    } catch {
      return text;
    }
  }
}

function redactHeader(value: string): string {
  const scheme = /^(\S+)\s+\S/.exec(value);
  return scheme ? `${scheme[1]} ${REDACTED}` : REDACTED;
}

/** How what is secret is shown. */
export interface Hiding {
  /** @param value a secret. @returns what stands in its place */
  readonly hide: (value: unknown) => unknown;
  /** What is known to be a Secret, or a patch of one, though it does not say so. */
  readonly secret?: boolean;
}
const AS_REDACTED: Hiding = { hide: () => REDACTED };

/** The same value when nothing in it was secret. Past a depth of 64 everything is dropped: no honest body is so deep. */
export function withoutSecrets(value: unknown, hiding: Hiding = AS_REDACTED): unknown {
  if (hiding.secret && Array.isArray(value)) return value.map((operation) => withoutValue(operation, hiding));
  return within(value, 0, hiding.secret ?? false, hiding);
}

/** @param secret whether it is a Secret, whatever its kind says: items of lists and patches have none */
function within(value: unknown, depth: number, secret: boolean, hiding: Hiding): unknown {
  if (depth > 64) return REDACTED;
  if (Array.isArray(value)) {
    const items = value.map((item) => within(item, depth + 1, secret, hiding));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const holdsSecrets = secret || value.kind === 'Secret';
  const below = secret || value.kind === 'SecretList';
  let changed = false;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    let clean = member;
    if (SECRET_MEMBERS.has(key) && typeof member === 'string' && member !== '') clean = hiding.hide(member);
    else if (holdsSecrets && SECRET_CONTENT.has(key)) clean = hidden(member, hiding);
    else if (isAppliedSecret(key, member)) clean = hiding.hide(member);
    else clean = within(member, depth + 1, below && AROUND_OBJECTS.has(key), hiding);
    if (clean !== member) changed = true;
    return [key, clean];
  });
  return changed ? Object.fromEntries(entries) : value;
}
/** Members of lists, tables, their rows and events that hold objects. */
const AROUND_OBJECTS = new Set(['items', 'rows', 'object']);
/** Members of a Secret that hold what is secret of it. */
const SECRET_CONTENT = new Set(['data', 'stringData']);

function hidden(content: unknown, { hide }: Hiding): unknown {
  if (!isRecord(content)) return content === null || content === undefined ? content : hide(content);
  // A patch removes a member by null.
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, value === null ? value : hide(value)]),
  );
}

/** Whether it is the copy of a Secret that clients keep in an annotation of it. */
function isAppliedSecret(name: string, value: unknown): boolean {
  return name.endsWith(APPLIED) && /"kind"\s*:\s*"Secret"/.test(String(value));
}

/** An operation of a JSON patch of a Secret. */
function withoutValue(operation: unknown, hiding: Hiding): unknown {
  if (!isRecord(operation) || operation.value === undefined) return operation;
  const harmless = /^\/metadata\/(?!annotations)|^\/(apiVersion|kind|type|immutable)$/.test(String(operation.path));
  return harmless ? operation : { ...operation, value: hiding.hide(operation.value) };
}
