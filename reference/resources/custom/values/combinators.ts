import type { Json } from '../../../api/json.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';
import type { Correlation } from './correlation.ts';
import { Findings } from './findings.ts';
import { validateValue } from './validateValue.ts';

/** allOf, anyOf, oneOf and not. Of several schemas that all fail, the one is explained that came closest. */
export function checkCombinators(
  node: SchemaNode,
  value: Json,
  path: string,
  correlation: Correlation | undefined,
  findings: Findings,
): void {
  const quoted = JSON.stringify(path);
  const check = (schema: SchemaNode): Findings => validateValue(schema, value, path, correlation);
  if (node.anyOf.length > 0) {
    const { first, closest } = tryAll(node.anyOf, check, true);
    if (!first) findings.logic(`${quoted} must validate at least one schema (anyOf)`);
    findings.merge(first ?? closest);
  }
  if (node.oneOf.length > 0) {
    const { first, closest, valid } = tryAll(node.oneOf, check, false);
    if (valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      findings.logic(`${quoted} must validate one and only one schema (oneOf). ${found}`);
    }
    if (valid === 0) findings.merge(closest);
    else if (valid === 1 && first) findings.merge(first);
  }
  if (node.allOf.length > 0) {
    let valid = 0;
    for (const schema of node.allOf) {
      const result = check(schema);
      if (result.valid) valid++;
      findings.merge(result);
    }
    if (valid !== node.allOf.length) {
      findings.logic(`${quoted} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
    }
  }
  if (node.not && check(node.not).valid) findings.logic(`${quoted} must not validate the schema (not)`);
  findings.count();
}

function tryAll(schemas: readonly SchemaNode[], check: (schema: SchemaNode) => Findings, stop: boolean) {
  let first: Findings | undefined;
  let closest: Findings | undefined;
  let valid = 0;
  for (const schema of schemas) {
    const result = check(schema);
    if (result.valid) {
      valid++;
      first ??= result;
      if (stop) break;
    } else if (!closest || result.checks > closest.checks) closest = result;
  }
  return { first, closest: closest ?? new Findings(), valid };
}
