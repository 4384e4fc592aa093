import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { AbacPolicy } from '../contracts/serverOptions.ts';
import { ContentFault } from '../ports/files.ts';

const TEXT_FIELDS = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;

/**
 * Reads an ABAC policy file: one JSON object a line, empty lines and lines that begin with `#` passed over. An
 * object is a `Policy` of `abac.authorization.<domain>/v1beta1`, or has neither apiVersion nor kind: the older
 * form, in which what is left out matches everything.
 *
 * @throws ContentFault naming the line that cannot be used
 */
export function readAbacPolicy(text: string, dialect: Dialect): { policies: AbacPolicy[]; notes: string[] } {
  const policies: AbacPolicy[] = [];
  let old = 0;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new ContentFault(`line ${index + 1} is not JSON`);
    }
    if (!isObject(value)) throw new ContentFault(`line ${index + 1} is not a JSON object`);
    if (value.apiVersion === undefined && value.kind === undefined) {
      old++;
      policies.push(oldForm(fields(value, index + 1)));
    } else policies.push(newForm(value, index + 1, dialect));
  }
  return { policies, notes: old > 0 ? [`${old} lines are in the old form, without apiVersion and kind`] : [] };
}

function newForm(value: JsonObject, line: number, dialect: Dialect): AbacPolicy {
  const versions = new Set(
    [dialect.labelDomain, dialect.apiDomain].map((domain) => `abac.authorization.${domain}/v1beta1`),
  );
  if (!versions.has(String(value.apiVersion)) || value.kind !== 'Policy') {
    throw new ContentFault(`line ${line}: there is no kind ${value.kind ?? ''} in version ${value.apiVersion ?? ''}`);
  }
  if (value.spec !== undefined && !isObject(value.spec)) throw new ContentFault(`line ${line}: spec is not an object`);
  const policy = fields((value.spec as JsonObject | undefined) ?? {}, line);
  return policy.user === '*' || policy.group === '*' ? { ...policy, user: '', group: 'system:authenticated' } : policy;
}

function oldForm(given: AbacPolicy): AbacPolicy {
  const everyone = (given.user === '' && given.group === '') || given.user === '*' || given.group === '*';
  return {
    ...given,
    ...(everyone ? { user: '', group: 'system:authenticated' } : {}),
    apiGroup: '*',
    namespace: given.namespace || '*',
    resource: given.resource || '*',
    nonResourcePath: given.namespace === '' && given.resource === '' ? '*' : '',
  };
}

function fields(value: JsonObject, line: number): AbacPolicy {
  const policy: Record<string, string | boolean> = { readonly: value.readonly === true };
  if (value.readonly !== undefined && typeof value.readonly !== 'boolean') {
    throw new ContentFault(`line ${line}: readonly is neither true nor false`);
  }
  for (const name of TEXT_FIELDS) {
    const field = value[name] ?? '';
    if (typeof field !== 'string') throw new ContentFault(`line ${line}: ${name} is not a string`);
    policy[name] = field;
  }
  return policy as unknown as AbacPolicy;
}
