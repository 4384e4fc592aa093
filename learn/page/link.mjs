// The state of the page as the fragment of its address: `#01-apply-conflict/2&dialect=cluster&changed=…`.
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';

/** What a link says that was cut, or changed by hand. */
export class CutLink extends Error {}

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** A checksum, so that a link that was cut is told from one that was not. */
function sumOf(text) {
  let sum = 0;
  for (const unit of text) sum = (sum * 31 + unit.codePointAt(0)) >>> 0;
  return sum.toString(36);
}

/** @param state name of a story, place of the step from 0, dialect, and the scenario where it is not as in the library */
export function fragmentOf({ name, at, dialect, changed }) {
  const parts = [`${encodeURIComponent(name)}/${at + 1}`];
  if (dialect !== 'kubernetes') parts.push(`dialect=${dialect}`);
  if (changed) {
    const text = JSON.stringify(changed);
    parts.push(`changed=${base64url(deflateSync(strToU8(text), { level: 9 }))}.${sumOf(text)}`);
  }
  return `#${parts.join('&')}`;
}

/** @returns what {@link fragmentOf} was given, as far as it is there. Throws CutLink. */
export function readFragment(fragment) {
  const [, path = '', rest = ''] = /^#?([^&=]*)(?:&|$)?(.*)$/.exec(fragment.replace(/^#(?=\w+=)/, '#&')) ?? [];
  const fields = new URLSearchParams(rest);
  const [name, step] = decoded(path).split('/');
  const changed = fields.get('changed');
  return {
    name: name || undefined,
    at: Math.max(0, (Number.parseInt(step ?? '1', 10) || 1) - 1),
    dialect: fields.get('dialect') === 'cluster' ? 'cluster' : 'kubernetes',
    changed: changed === null ? undefined : readChanged(changed),
  };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CutLink();
  }
}

function readChanged(packed) {
  const [body = '', sum] = packed.split('.');
  let text;
  try {
    text = strFromU8(inflateSync(bytesOf(body)));
  } catch {
    throw new CutLink();
  }
  if (sumOf(text) !== sum) throw new CutLink();
  const value = JSON.parse(text);
  if (!Array.isArray(value?.steps) || value.steps.length === 0) throw new CutLink();
  return value;
}
