import type { SchemaNode } from '../schema/schemaNode.ts';
import type { FaultList } from './faultList.ts';

const INT32 = 2 ** 31;
const INT64 = 2n ** 63n;

/** Bounds, multiples, and whether a number is of the size that its format says. */
export function checkNumber(node: SchemaNode, value: number | bigint, path: string, findings: FaultList): void {
  findings.count();
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = node;
  if (!isOfSize(node, value)) {
    const { type, format } = node;
    findings.logic(
      format === ''
        ? `Checked value must be of type ${type} (default format) in ${path}`
        : `Checked value must be of type ${type} with format ${format} in ${path}`,
    );
  }
  if (multipleOf !== undefined) {
    if (multipleOf <= 0) {
      findings.value(path, multipleOf, `factor MultipleOf declared for ${path} must be positive: ${multipleOf}`);
    } else if (!isMultiple(value, multipleOf)) {
      findings.value(path, value, `should be a multiple of ${plain(multipleOf)}`);
    }
  }
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum && isEqual(value, maximum)))) {
    findings.value(path, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${plain(maximum)}`);
  }
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum && isEqual(value, minimum)))) {
    findings.value(path, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${plain(minimum)}`);
  }
}

function isOfSize({ type, format, intOrString }: SchemaNode, value: number | bigint): boolean {
  if (type !== 'integer' || intOrString) return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  if (format === 'int32') return value >= -INT32 && value < INT32;
  return typeof value === 'number' ? Math.abs(value) < 2 ** 63 : value >= -INT64 && value < INT64;
}

function isEqual(value: number | bigint, bound: number): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of one value are only loosely equal
  return value == bound;
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (Number.isInteger(factor) && (typeof value === 'bigint' || Number.isSafeInteger(value))) {
    return BigInt(value) % BigInt(factor) === 0n;
  }
  return Number.isInteger(Number(value) / factor);
}

/** A bound as messages write it. */
function plain(bound: number): string {
  const exponent = bound === 0 ? 0 : Math.floor(Math.log10(Math.abs(bound)));
  if (exponent >= -4 && exponent < 21) return String(bound);
  return bound.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
