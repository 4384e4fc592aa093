import { dump } from 'js-yaml';
import { cborBody } from '../harness/encodings/cbor.ts';
import { protobufBody } from '../harness/encodings/protobuf.ts';
import { isRecord, type Json, type JsonObject } from '../harness/json.ts';
import type { Person, Step, Who, Words } from './step.ts';

/** A request as one server gets it. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** Lower-case names. A header that is sent several times has a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | undefined;
  /** Whether the one who may do everything sends it, in their own name or in that of another. */
  readonly admin: boolean;
}

/** Answers that a sequence kept, by name. */
export type Kept = ReadonlyMap<string, unknown>;

const NAMED = /\{(id|ns|ns2|domain|vendor|label|system|public|hook|ca)\}/g;
const PART = /<<([\w-]+)((?:\.[^.<>]+)*)>>/g;

/** A step with everything filled in. What no kept answer has becomes empty text. */
export function fill(step: Step, words: Words, kept: Kept): WireRequest {
  const named = (text: string) => text.replace(NAMED, (_, name: keyof Words) => words[name] ?? '');
  const text = (raw: string) =>
    named(raw).replace(PART, (_, name: string, path: string) => String(part(kept, name, path)));
  const body = step.text === undefined ? step.body && filled(step.body, text, kept) : undefined;
  const headers: Record<string, string | readonly string[]> = { ...identity(step.as, text) };
  if (body !== undefined && step.headers?.['content-type'] === undefined) {
    headers['content-type'] = step.form ? formType(step.form, words) : 'application/json';
  }
  for (const [name, value] of Object.entries(step.headers ?? {})) headers[name] = text(value);
  return {
    method: step.method,
    path: named(step.path).replace(PART, (_, name: string, path: string) =>
      encodeURIComponent(String(part(kept, name, path))),
    ),
    headers,
    body: step.text === undefined ? (body === undefined ? undefined : written(body, step.form)) : text(step.text),
    admin: step.as === 'admin' || (typeof step.as === 'object' && 'user' in step.as),
  };
}

function identity(as: Who, text: (raw: string) => string): Record<string, string | readonly string[]> {
  if (typeof as === 'string') return {};
  if (!('token' in as)) return impersonation(as, text);
  const acting = as.acting === undefined ? {} : impersonation(as.acting, text);
  return { authorization: `Bearer ${text(as.token)}`, ...acting };
}

function impersonation(
  { user, groups = [], uid, extra = {} }: Person,
  text: (raw: string) => string,
): Record<string, string | readonly string[]> {
  return {
    'impersonate-user': text(user),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups.map(text) }),
    ...(uid === undefined ? {} : { 'impersonate-uid': text(uid) }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, values.map(text)]),
    ),
  };
}

const formType = (form: NonNullable<Step['form']>, { vendor }: Words): string =>
  form === 'protobuf' ? `application/vnd.${vendor}.protobuf` : `application/${form}`;

function written(body: Json, form: Step['form']): string | Uint8Array {
  if (form === 'yaml') return dump(body);
  if (form === 'cbor') return cborBody(body);
  if (form === 'protobuf' && isRecord(body)) {
    return protobufBody(String(body.apiVersion ?? ''), String(body.kind ?? ''), body);
  }
  return JSON.stringify(body);
}

function filled(value: Json, text: (raw: string) => string, kept: Kept): Json {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item: Json) => filled(item, text, kept));
  if (!isRecord(value)) return value;
  const { $of: base, ...rest } = value as JsonObject;
  const own = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [text(key), filled(inner as Json, text, kept)]),
  );
  return typeof base === 'string' ? over((kept.get(base) ?? {}) as Json, own) : own;
}

/** A merge patch over a value (RFC 7386). */
function over(base: Json, change: Json): Json {
  if (!isRecord(change)) return change;
  const merged: Record<string, Json | undefined> = isRecord(base) ? { ...(base as JsonObject) } : {};
  for (const [key, inner] of Object.entries(change as JsonObject)) {
    if (inner === null || inner === undefined) delete merged[key];
    else merged[key] = over(merged[key] ?? null, inner);
  }
  return merged;
}

function part(kept: Kept, name: string, path: string): unknown {
  let at: unknown = kept.get(name);
  for (const key of path.split('.').slice(1))
    at = isRecord(at) || Array.isArray(at) ? (at as JsonObject)[key] : undefined;
  return at === undefined || at === null ? '' : typeof at === 'object' ? JSON.stringify(at) : at;
}
