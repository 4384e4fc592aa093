import type { Environment } from '@marcbachmann/cel-js';
import { compareQuantities, parseQuantity, type Quantity, quantityValue } from '../../schema/quantity.ts';
import { FunctionFault, parsed, parses } from './faults.ts';
import { registerAll, registerOpaque } from './register.ts';

/** An amount with a unit, as expressions hold it. */
class QuantityValue {
  readonly amount: Quantity;

  constructor(amount: Quantity) {
    this.amount = amount;
  }
  equals(other: unknown): boolean {
    return other instanceof QuantityValue && compareQuantities(this.amount, other.amount) === 0;
  }
}

const NAME = 'kubernetes.Quantity';
const MOST = 2n ** 63n;

function combine({ amount: a }: QuantityValue, { amount: b }: QuantityValue, sign: bigint): QuantityValue {
  const scale = Math.min(a.scale, b.scale);
  const digits = (one: Quantity): bigint => one.digits * 10n ** BigInt(one.scale - scale);
  return new QuantityValue({ digits: digits(a) + sign * digits(b), scale, format: a.format });
}

const whole = (value: bigint): QuantityValue => new QuantityValue({ digits: value, scale: 0, format: 'decimal' });

/** The amount as an integer; undefined when it has a fraction or is too large. */
function exact({ amount }: QuantityValue): bigint | undefined {
  const value = quantityValue(amount);
  const back: Quantity = { digits: value, scale: 0, format: 'decimal' };
  return compareQuantities(back, amount) === 0 && value < MOST && value >= -MOST ? value : undefined;
}

function order(a: QuantityValue, b: QuantityValue): number {
  return compareQuantities(a.amount, b.amount);
}

/** Quantities such as `500m` and `1Gi`. */
export function registerQuantities(environment: Environment): void {
  registerOpaque(environment, NAME, QuantityValue);
  environment.registerOperator(`${NAME} == ${NAME}`, (a: QuantityValue, b: QuantityValue) => a.equals(b));
  registerAll(environment, {
    [`quantity(string): ${NAME}`]: (text: string) => new QuantityValue(parsed(() => parseQuantity(text))),
    'isQuantity(string): bool': (text: string) => parses(() => parseQuantity(text)),
    [`${NAME}.isInteger(): bool`]: (value: QuantityValue) => exact(value) !== undefined,
    [`${NAME}.asInteger(): int`]: (value: QuantityValue) => {
      const integer = exact(value);
      if (integer === undefined) throw new FunctionFault('cannot convert value to integer');
      return integer;
    },
    [`${NAME}.asApproximateFloat(): double`]: ({ amount }: QuantityValue) => Number(amount.digits) * 10 ** amount.scale,
    [`${NAME}.sign(): int`]: ({ amount }: QuantityValue) => (amount.digits > 0n ? 1n : amount.digits < 0n ? -1n : 0n),
    [`${NAME}.add(${NAME}): ${NAME}`]: (a: QuantityValue, b: QuantityValue) => combine(a, b, 1n),
    [`${NAME}.add(int): ${NAME}`]: (a: QuantityValue, b: bigint) => combine(a, whole(b), 1n),
    [`${NAME}.sub(${NAME}): ${NAME}`]: (a: QuantityValue, b: QuantityValue) => combine(a, b, -1n),
    [`${NAME}.sub(int): ${NAME}`]: (a: QuantityValue, b: bigint) => combine(a, whole(b), -1n),
    [`${NAME}.isGreaterThan(${NAME}): bool`]: (a: QuantityValue, b: QuantityValue) => order(a, b) > 0,
    [`${NAME}.isLessThan(${NAME}): bool`]: (a: QuantityValue, b: QuantityValue) => order(a, b) < 0,
    [`${NAME}.compareTo(${NAME}): int`]: (a: QuantityValue, b: QuantityValue) => BigInt(Math.sign(order(a, b))),
  });
}
