import type { DeclaredField, DeclaredType } from './declaredType.ts';
import { DYN } from './declaredType.ts';
import { type Compiled, Scope } from './program.ts';

const STRING: DeclaredType = { kind: 'string' };
const BOOL: DeclaredType = { kind: 'bool' };

function record(fields: Readonly<Record<string, DeclaredType>>): DeclaredType {
  const all = Object.entries(fields).map(([name, type]): [string, DeclaredField] => [name, { type, source: name }]);
  return { kind: 'object', fields: new Map(all) };
}

const KIND = record({ group: STRING, version: STRING, kind: STRING });
const RESOURCE = record({ group: STRING, version: STRING, resource: STRING });
const USER = record({
  username: STRING,
  uid: STRING,
  groups: { kind: 'list', items: STRING },
  extra: { kind: 'map', values: { kind: 'list', items: STRING } },
});
const REQUEST = record({
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER,
  dryRun: BOOL,
  options: DYN,
});

let scope: Scope | undefined;

/** What the match conditions of webhooks speak of: the request, both objects, their namespace, and an authorizer. */
export function matchConditionScope(): Scope {
  scope ??= new Scope({
    object: DYN,
    oldObject: DYN,
    namespaceObject: DYN,
    request: REQUEST,
    authorizer: { kind: 'authorizer' },
  });
  return scope;
}

const programs = new Map<string, Compiled>();
const MOST_KEPT = 1_000;

/** The compiled condition, kept for the next time. */
export function matchCondition(expression: string): Compiled {
  let compiled = programs.get(expression);
  if (!compiled) {
    compiled = matchConditionScope().compile(expression, 'bool');
    if (programs.size >= MOST_KEPT) programs.clear();
    programs.set(expression, compiled);
  }
  return compiled;
}

/** What is wrong with a match condition; undefined when it compiles to a boolean. */
export function compileMatchCondition(expression: string): string | undefined {
  const compiled = matchCondition(expression);
  return 'fault' in compiled ? compiled.fault : undefined;
}
