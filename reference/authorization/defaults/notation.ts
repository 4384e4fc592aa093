import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../../api/json.ts';

/**
 * A default cluster role in short. Rules are written `verbs groups: resources`, with ` named a,b` for resource names,
 * or `verbs path: /a /b`; `core` is the empty group. In all texts `~` stands for the API domain, `@` for the domain of
 * labels and `^` for the prefix of components.
 */
export interface DefaultRole {
  readonly rules: readonly string[];
  /** The aggregate that gathers this role: `view` for the label `…/aggregate-to-view`. */
  readonly partOf?: string;
  /** Gathers the roles that say so of this name. */
  readonly gathers?: string;
  /** Subjects of the cluster role binding of the same name, `Group system:masters`; none when there is no binding. */
  readonly boundTo?: readonly string[];
}
/** A default role in a namespace of the service. */
export interface NamespacedDefaultRole {
  readonly namespace: 'system' | 'public';
  readonly name: string;
  readonly rules: readonly string[];
  /** The role's own name unless told. */
  readonly bindingName?: string;
  readonly boundTo?: readonly string[];
}

/** A text with the names of a dialect filled in. */
export function fillNames(text: string, dialect: Dialect): string {
  return text
    .replaceAll('^', dialect.componentPrefix)
    .replaceAll('@', dialect.labelDomain)
    .replaceAll('~', dialect.apiDomain);
}

/** A rule as the API writes it. */
export function expandRule(short: string, dialect: Dialect): JsonObject {
  const [verbs = '', ...rest] = short.split(' ');
  const target = rest.join(' ');
  if (target.startsWith('path: ')) {
    return { nonResourceURLs: target.slice('path: '.length).split(' '), verbs: verbs.split(',') };
  }
  const [left = '', names] = target.split(' named ');
  const colon = left.indexOf(': ');
  return {
    apiGroups: left
      .slice(0, colon)
      .split(',')
      .map((group) => (group === 'core' ? '' : fillNames(group, dialect))),
    ...(names === undefined ? {} : { resourceNames: names.split(',').map((name) => fillNames(name, dialect)) }),
    resources: left.slice(colon + 2).split(','),
    verbs: verbs.split(','),
  };
}

/** `Group system:masters` as a subject of a binding; service accounts live in the system namespace. */
export function expandSubject(short: string, dialect: Dialect, rbacGroup: string): JsonObject {
  const space = short.indexOf(' ');
  const kind = short.slice(0, space);
  const name = fillNames(short.slice(space + 1), dialect);
  return kind === 'ServiceAccount'
    ? { kind, name, namespace: dialect.systemNamespace }
    : { apiGroup: rbacGroup, kind, name };
}
