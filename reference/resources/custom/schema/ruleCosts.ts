import type { Dialect } from '../../../../fixtures/dialects/dialect.ts';
import { extensionName } from '../../../../fixtures/dialects/dialect.ts';
import { type FieldError, forbiddenField } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { LARGEST_REQUEST, type Measured } from './sizedTypes.ts';

/** What one expression may cost by its estimate, and all of a schema together. */
const EXPRESSION_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;
/** How many of the dearest expressions are named, and what the cheapest of them costs. */
const NAMED = 4;
const NAMED_FROM = SCHEMA_LIMIT / 100;

/** The estimated costs of the expressions of one schema. */
export class RuleCosts {
  #total = 0;
  #dearest: { readonly path: FieldPath; readonly cost: number }[] = [];

  /** Counts an expression. The fault of one that is too dear by itself. */
  observe(path: FieldPath, what: 'rule' | 'messageExpression', cost: number): FieldError[] {
    this.#total += cost;
    if (cost >= NAMED_FROM) {
      this.#dearest = [...this.#dearest, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, NAMED);
    }
    if (cost <= EXPRESSION_LIMIT) return [];
    return [forbiddenField(path, exceeded(`estimated ${what} cost`, cost, EXPRESSION_LIMIT))];
  }

  /** Faults of the schema as a whole. */
  faults(path: FieldPath, dialect: Dialect): FieldError[] {
    if (this.#total <= SCHEMA_LIMIT) return [];
    const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const all = `${extensionName(dialect, 'validations')} estimated rule cost total for entire OpenAPIv3 schema`;
    return [
      ...this.#dearest.map((one) => forbiddenField(one.path, why)),
      forbiddenField(path, exceeded(all, this.#total, SCHEMA_LIMIT)),
    ];
  }
}

function exceeded(what: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? 'more than 100x' : `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factor} (${advice})`;
}

/** How often values of a type can stand in one request where nothing bounds the lists and maps around them. */
export function mostInRequest({ least }: Measured): number {
  return Math.floor(LARGEST_REQUEST / (least + 1));
}
