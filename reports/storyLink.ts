import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';

/** A story as a link holds it: a part of what a file of `learn --stories` says. */
export interface LinkedStory {
  readonly title?: string;
  readonly about?: string;
  /** Keys of statements. */
  readonly statements?: readonly string[];
  /** Of the server, beside the usual ones. */
  readonly flags?: readonly string[];
  /** Texts of the files that flags name, by their names, and the services that the server asks. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly services?: readonly unknown[] | undefined;
  readonly steps: readonly LinkedStep[];
}
export interface LinkedStep {
  /** By which later steps name its answer: `${page.metadata.continue}`. */
  readonly id?: string | undefined;
  readonly title: string;
  readonly look: string;
  /** Milliseconds that pass before the request. */
  readonly wait: number;
  readonly request?: LinkedRequest | undefined;
  /** Status of the answer that the story tells of. */
  readonly expect?: number | undefined;
  readonly holds: Readonly<Record<string, unknown>>;
}
export interface LinkedRequest {
  readonly who: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What stands in the story before it was forked. */
export interface ForkedStory extends LinkedStory {
  /** The steps as they went on. */
  readonly branch?: readonly LinkedStep[] | undefined;
}

/** What the page of `touchstone learn` shows, as the fragment of its address holds it. */
export interface PageState {
  /** Of a story. */
  readonly name: string | undefined;
  /** Place of the step, from 0. */
  readonly at: number;
  readonly dialect: 'kubernetes' | 'cluster';
  /** What stands beside the story: `broken`, `step:3`, `story`, `branch`, `flag:--follow=service`; undefined: nothing. */
  readonly beside?: string | undefined;
  /** The story where it is not as in the library. */
  readonly changed?: ForkedStory | undefined;
}

/** The fragment is not as it was written: the link was cut, or changed by hand. */
export class CutLink extends Error {
  override readonly name = 'CutLink';
}

/** `#01-apply-conflict/2&dialect=cluster&changed=…` */
export function fragmentOf({ name, at, dialect, beside, changed }: PageState): string {
  const parts = [`${encodeURIComponent(name ?? '')}/${at + 1}`];
  if (dialect !== 'kubernetes') parts.push(`dialect=${dialect}`);
  if (beside !== undefined) parts.push(`beside=${encodeURIComponent(beside)}`);
  if (changed) {
    const text = JSON.stringify(changed);
    parts.push(`changed=${base64url(deflateSync(strToU8(text), { level: 9 }))}.${sumOf(text)}`);
  }
  return `#${parts.join('&')}`;
}

/** Reads what {@link fragmentOf} wrote, as far as it is there. @throws CutLink */
export function readFragment(fragment: string): PageState {
  const [, path = '', rest = ''] = /^#?([^&=]*)(?:&|$)?(.*)$/.exec(fragment.replace(/^#(?=\w+=)/, '#&')) ?? [];
  const fields = new URLSearchParams(rest);
  const [name, step] = decoded(path).split('/');
  const changed = fields.get('changed');
  return {
    name: name || undefined,
    at: Math.max(0, (Number.parseInt(step ?? '1', 10) || 1) - 1),
    dialect: fields.get('dialect') === 'cluster' ? 'cluster' : 'kubernetes',
    beside: fields.get('beside') ?? undefined,
    changed: changed === null ? undefined : readChanged(changed),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CutLink();
  }
}

function readChanged(packed: string): LinkedStory {
  const [body = '', sum] = packed.split('.');
  let text: string;
  try {
    text = strFromU8(inflateSync(bytesOf(body)));
  } catch {
    throw new CutLink();
  }
  if (sumOf(text) !== sum) throw new CutLink();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CutLink();
  }
  if (!isStory(value)) throw new CutLink();
  return value;
}

/** Whether a value is a story in its outline: who writes links by hand may write anything. */
function isStory(value: unknown): value is LinkedStory {
  if (!isObject(value) || !Array.isArray(value.steps) || value.steps.length === 0) return false;
  return value.steps.every(
    (step) =>
      isObject(step) &&
      typeof step.title === 'string' &&
      (step.request === undefined || (isObject(step.request) && typeof step.request.path === 'string')),
  );
}
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function base64url(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
function bytesOf(text: string): Uint8Array {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** A checksum, so that a link that was cut is told from one that was not. */
function sumOf(text: string): string {
  let sum = 0;
  for (const unit of text) sum = (sum * 31 + (unit.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(36);
}
