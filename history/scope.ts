/** Whether labels are as one part of a selector asks. */
type Requirement = (labels: Readonly<Record<string, unknown>>) => boolean;

/**
 * Reads a label selector: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, joined by commas.
 * `undefined` for what is none.
 */
function parseLabels(text: string): readonly Requirement[] | undefined {
  if (text.trim() === '') return [];
  // A comma within parentheses separates values and not requirements.
  const parts = text.split(/,(?![^(]*\))/).map(parsePart);
  return parts.includes(undefined) ? undefined : (parts as Requirement[]);
}

function parsePart(part: string): Requirement | undefined {
  const set = /^\s*(\S+)\s+(in|notin)\s*\(([^)]*)\)\s*$/.exec(part);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    const within: Requirement = (labels) => Object.hasOwn(labels, key) && values.includes(String(labels[key]));
    return operator === 'in' ? within : (labels) => !within(labels);
  }
  const pair = /^\s*([^\s!=]+)\s*(==|!=|=)\s*([^\s=]*)\s*$/.exec(part);
  if (pair) {
    const [, key = '', operator, value] = pair;
    return (labels) => (Object.hasOwn(labels, key) && labels[key] === value) === (operator !== '!=');
  }
  const presence = /^\s*(!?)\s*([^\s!=()]+)\s*$/.exec(part);
  if (!presence) return undefined;
  const [, absent, key = ''] = presence;
  return (labels) => Object.hasOwn(labels, key) === (absent === '');
}

/** The place that a request is about. */
export interface Scope {
  /** Group, version and plural: `v1/configmaps`, `apps/v1/deployments`. */
  readonly type: string;
  /** Empty over all namespaces and for what has none. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
  readonly subresource: string;
}

/** Reads a path (1/url-shapes); `undefined` where it is no path of a resource. */
export function scopeOf(path: string): Scope | undefined {
  const [root, ...parts] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const depth = root === 'api' ? 1 : root === 'apis' ? 2 : 0;
  const version = parts.slice(0, depth).join('/');
  const rest = parts.slice(depth);
  if (depth === 0 || rest.length === 0) return undefined;
  const within = rest[0] === 'namespaces' && rest.length >= 3 && !PARTS_OF_NAMESPACES.has(rest[2] ?? '');
  const [plural = '', name = '', subresource = ''] = within ? rest.slice(2) : rest;
  return { type: `${version}/${plural}`, namespace: within ? (rest[1] ?? '') : '', name, subresource };
}
const PARTS_OF_NAMESPACES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** What selectors look at. */
export interface Selectable {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
/** What a list or watch selects. */
export interface ObjectSelection {
  readonly scope: Scope;
  /** Tells selections apart: the same key, the same question. */
  readonly key: string;
  /** Whether it selects all of its scope. */
  readonly everything: boolean;
  /** Whether it selects by name or namespace as well, and not by labels alone. */
  readonly named: boolean;
  /** Whether an object of the type is selected; `undefined` where the selector uses a field we cannot look up. */
  selects(object: Selectable): boolean | undefined;
}

export function selectionOf(scope: Scope, query: URLSearchParams): ObjectSelection {
  const label = query.get('labelSelector') ?? '';
  const field = query.get('fieldSelector') ?? '';
  const labels = parseLabels(label);
  const fields = field === '' ? [] : field.split(',').map(parseField);
  return {
    scope,
    key: JSON.stringify([scope.type, scope.namespace, scope.name, label, field]),
    everything: label === '' && field === '' && scope.name === '',
    named: field !== '' || scope.name !== '',
    selects: (object) => {
      if (scope.namespace !== '' && object.namespace !== scope.namespace) return false;
      if (scope.name !== '' && object.name !== scope.name) return false;
      for (const { path, equal, value } of fields) {
        if (path !== 'metadata.name' && path !== 'metadata.namespace') return undefined;
        const found = path === 'metadata.name' ? object.name : (object.namespace ?? '');
        if ((found === value) !== equal) return false;
      }
      return labels?.every((requirement) => requirement(object.labels ?? {}));
    },
  };
}

interface FieldTerm {
  readonly path: string;
  readonly equal: boolean;
  readonly value: string;
}
function parseField(term: string): FieldTerm {
  const [, path = '', operator = '=', value = ''] = /^\s*([^!=\s]+)\s*(==|!=|=)(.*)$/.exec(term) ?? [];
  return { path, equal: operator !== '!=', value: value.trim() };
}
