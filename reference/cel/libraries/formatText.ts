import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { FunctionFault } from './faults.ts';

/** A text with `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x` and `%X` replaced by values, one each. */
export function formatText(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replace(/%(?:%|(?:\.(\d+))?([a-zA-Z]))/g, (clause, precision: string | undefined, letter: string) => {
    if (clause === '%%') return '%';
    if (next >= values.length) throw new FunctionFault(`index ${next} out of range`);
    return clauseText(letter, values[next++], precision === undefined ? 6 : Number(precision));
  });
}

function clauseText(letter: string, value: unknown, precision: number): string {
  switch (letter) {
    case 's':
      return shown(value);
    case 'd':
      return typeof value === 'number' && !Number.isFinite(value) ? unbounded(value) : String(integerOf(value, letter));
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerOf(value, letter).toString(2);
    case 'o':
      return integerOf(value, letter).toString(8);
    case 'x':
    case 'X': {
      const text = hexOf(value, letter);
      return letter === 'X' ? text.toUpperCase() : text;
    }
    case 'f':
      return fixed(doubleOf(value), precision);
    case 'e':
      return doubleOf(value)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    default:
      throw new FunctionFault(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  }
}

function unbounded(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

/** Halfway between two of them the even one is taken. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return unbounded(value);
  const digits = value.toFixed(Math.min(100, precision + 40));
  const rounded = value.toFixed(precision);
  const cut = digits.slice(0, rounded.length);
  const rest = digits.replace('.', '').slice(cut.replace('.', '').length);
  return /^50*$/.test(rest) && /[02468]$/.test(cut) ? cut : rounded;
}

function integerOf(value: unknown, letter: string): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof UnsignedInt) return value.value;
  throw new FunctionFault(`error during formatting: only integers can be formatted with %${letter}`);
}

function doubleOf(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  throw new FunctionFault('error during formatting: only doubles can be formatted in fixed-point or scientific form');
}

function hexOf(value: unknown, letter: string): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integerOf(value, letter).toString(16);
}

/** Any value as text. */
function shown(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, inner]) => `${shown(key)}: ${shown(inner)}`).sort();
    return `{${entries.join(', ')}}`;
  }
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return shown(new Map(Object.entries(value)));
  }
  return String(value);
}
