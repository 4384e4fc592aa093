import { isObject, type JsonObject, member } from '../api/json.ts';
import type { DeclaredType } from '../cel/declaredType.ts';
import { ExpressionScope } from '../cel/program.ts';
import type { AccessCondition } from '../contracts/serverOptions.ts';

/** The most that one condition may cost. */
const BUDGET = 1_000_000;

const STRING: DeclaredType = { kind: 'string' };
const STRINGS: DeclaredType = { kind: 'list', items: STRING };

function record(fields: Readonly<Record<string, DeclaredType>>): DeclaredType {
  return {
    kind: 'object',
    fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type, source: name }])),
  };
}

function selector(): DeclaredType {
  const requirement = record({ key: STRING, operator: STRING, values: STRINGS });
  return record({ rawSelector: STRING, requirements: { kind: 'list', items: requirement } });
}

const RESOURCE_TEXTS = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];

const REVIEW = record({
  user: STRING,
  groups: STRINGS,
  uid: STRING,
  extra: { kind: 'map', values: STRINGS },
  resourceAttributes: record({
    ...Object.fromEntries(RESOURCE_TEXTS.map((name) => [name, STRING])),
    fieldSelector: selector(),
    labelSelector: selector(),
  }),
  nonResourceAttributes: record({ path: STRING, verb: STRING }),
});

let scope: ExpressionScope | undefined;

/**
 * Compiles a match condition of an authorization webhook: an expression over `request`, the spec of a v1
 * SubjectAccessReview (2/authorization-configuration-file/t1.10).
 *
 * @throws Error that says what is wrong with the expression
 */
export function compileAccessCondition(expression: string): AccessCondition {
  scope ??= new ExpressionScope({ request: REVIEW });
  const own = scope;
  const compiled = own.compile(expression, 'bool');
  if ('fault' in compiled) throw new Error(compiled.fault);
  const { program } = compiled;
  if (program.type !== 'bool') throw new Error('must evaluate to bool');
  return (review) => {
    const outcome = program.evaluate({ request: own.value('request', completed(review)) }, BUDGET);
    if ('fault' in outcome) {
      throw new Error(`cel evaluation error: expression '${expression}' resulted in error: ${outcome.fault}`);
    }
    return outcome.value === true;
  };
}

/** The spec with every text of it, so that an expression may ask for those that are empty. */
function completed(spec: JsonObject): JsonObject {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const texts = (object: JsonObject, names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, member(object, name) ?? '']));
  return {
    groups: [],
    extra: {},
    ...spec,
    ...texts(spec, ['user', 'uid']),
    ...(isObject(resourceAttributes)
      ? { resourceAttributes: { ...resourceAttributes, ...texts(resourceAttributes, RESOURCE_TEXTS) } }
      : {}),
    ...(isObject(nonResourceAttributes)
      ? { nonResourceAttributes: { ...nonResourceAttributes, ...texts(nonResourceAttributes, ['path', 'verb']) } }
      : {}),
  };
}
