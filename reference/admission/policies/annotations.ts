import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Exchange } from '../../api/request.ts';
import { annotate } from '../auditAnnotation.ts';
import type { Failure } from './evaluation.ts';
import type { PolicyBinding } from './policy.ts';

/** What the bindings of one policy add to the audit event of a request. */
export class PolicyAnnotations {
  readonly #values = new Map<string, string[]>();

  /** A value that several bindings come to counts once. */
  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? [];
    if (!values.includes(value)) this.#values.set(key, [...values, value]);
  }

  publish(policy: string, exchange: Exchange): void {
    for (const [key, values] of this.#values) annotate(exchange, `${policy}/${key}`, values.join(', '));
  }
}

/** Notes a failure in the audit event, where the binding wants that. */
export function noteFailure(
  dialect: Dialect,
  binding: PolicyBinding,
  { index, message }: Failure,
  exchange: Exchange,
): void {
  const { name, policy, actions } = binding;
  const told = { message, policy, binding: name, expressionIndex: index, validationActions: actions };
  annotate(exchange, `${groupName(dialect, 'validation.policy.admission')}/validation_failure`, JSON.stringify([told]));
}
