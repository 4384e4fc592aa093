import type { Json } from '../api/json.ts';
import { numberOf } from './json.ts';

/** A value that YAML can say and JSON cannot, or a scalar that does not fit its tag. */
export class YamlValueError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'YamlValueError';
  }
}

const WORDS = new Map<string, Json>();
for (const word of ['', '~', 'null', 'Null', 'NULL']) WORDS.set(word, null);
for (const word of ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']) WORDS.set(word, true);
for (const word of ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']) WORDS.set(word, false);

/** No number beyond it is near a double; its digits would take long to tell. */
const LARGEST = 2n ** 1024n;

const DECIMAL = /^[-+]?(0|[1-9][0-9]*)$/;
const OCTAL = /^([-+]?)0o?([0-7]+)$/;
const HEXADECIMAL = /^([-+]?)0x([0-9a-fA-F]+)$/;
const BINARY = /^([-+]?)0b([01]+)$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * The value of a plain scalar by the rules of YAML 1.1, which the service follows: a bare `y` is a boolean.
 * Timestamps stay text.
 * @throws YamlValueError for infinities and NaN
 */
export function resolvePlain(text: string): Json {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  const numeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e;
  if (!numeric) return text;
  if (NOT_FINITE.test(text)) throw new YamlValueError(`json: unsupported value: ${text}`);
  return resolveNumber(text) ?? text;
}

function resolveNumber(text: string): number | bigint | undefined {
  const digits = text.replaceAll('_', '');
  if (DECIMAL.test(digits)) return numberOf(digits.startsWith('+') ? digits.slice(1) : digits, true);
  for (const [pattern, prefix] of [
    [HEXADECIMAL, '0x'],
    [BINARY, '0b'],
    [OCTAL, '0o'],
  ] as const) {
    const found = pattern.exec(digits);
    if (!found) continue;
    const magnitude = BigInt(`${prefix}${found[2]}`);
    if (magnitude > LARGEST)
      throw new YamlValueError(`json: cannot unmarshal number ${text} into Go value of type float64`);
    return numberOf(String(found[1] === '-' ? -magnitude : magnitude), true);
  }
  if (FLOAT.test(digits)) return numberOf(digits.startsWith('+') ? digits.slice(1) : digits, false);
  return undefined;
}

/**
 * The value of a scalar that carries a tag.
 * @param tag as it stands in the text: `!!str`, `!<tag:yaml.org,2002:int>`, `!local`
 * @throws YamlValueError when the text does not fit the tag
 */
export function resolveTagged(tag: string, text: string): Json {
  const name = tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1');
  if (name === '!!binary') return Buffer.from(text, 'base64').toString('utf8');
  if (name !== '!!int' && name !== '!!float' && name !== '!!bool' && name !== '!!null') return text;
  const value = resolvePlain(text);
  const fits =
    (name === '!!null' && value === null) ||
    (name === '!!bool' && typeof value === 'boolean') ||
    (name === '!!int' && (typeof value === 'bigint' || Number.isInteger(value))) ||
    (name === '!!float' && (typeof value === 'bigint' || typeof value === 'number'));
  if (!fits) throw new YamlValueError(`yaml: cannot decode !!str \`${text}\` as a ${name}`);
  return value;
}
