/** A release history, in words with the key of a statement, and the rule that it breaks; null: it keeps them all. */
export interface TriedHistory {
  readonly statement: string;
  readonly rule: string | null;
  readonly history: object;
}

/** `count` minor releases from 1.0 on, `months` apart, the first one on 15 January 2020. */
export function every(months: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const month = index * months;
    const date = `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`;
    return { name: `1.${index}`, date };
  });
}

/** The same, and what was told of them. */
export const history = (months: number, count: number, more: object) => ({ releases: every(months, count), ...more });
