import { isObject, type JsonObject, setMember } from '../../../api/json.ts';
import { textOf } from '../../../api/parts.ts';
import { formatQuantity, parseQuantity, scaledValue } from '../../../schema/quantity.ts';

/** Amounts are kept in thousandths; what is finer is rounded up. */
const FINEST = -3;

/** Rounds `limits` and `requests` of a container, volume claim or node, in place. */
export function roundAmounts(resources: JsonObject): void {
  roundList(resources.limits);
  roundList(resources.requests);
}

/** Rounds named amounts, in place. */
export function roundList(amounts: unknown): void {
  if (!isObject(amounts)) return;
  for (const name of Object.keys(amounts)) {
    const rounded = roundAmount(textOf(amounts[name]));
    if (rounded !== undefined) setMember(amounts, name, rounded);
  }
}

/** The rounded text; undefined where nothing changes. Decoding has proved the text to be a quantity. */
function roundAmount(text: string): string | undefined {
  // Only these suffixes, and fractions, can mean less than a thousandth.
  if (!/[nu.eEm]/.test(text)) return undefined;
  const amount = parseQuantity(text);
  if (amount.scale >= FINEST) return undefined;
  const digits = scaledValue(amount, FINEST);
  if (digits * 10n ** BigInt(FINEST - amount.scale) === amount.digits) return undefined;
  return formatQuantity({ digits, scale: FINEST, format: amount.format });
}
