import type { Dialect } from '../../fixtures/dialects/dialect.ts';

/** Labels of the service's own domains that a node agent may set; `@` stands for the domain of labels. */
const ALLOWED: readonly string[] = [
  '@/hostname',
  '@/os',
  '@/arch',
  'topology.@/zone',
  'topology.@/region',
  'failure-domain.beta.@/zone',
  'failure-domain.beta.@/region',
  'node.@/instance-type',
  'beta.@/instance-type',
  'beta.@/os',
  'beta.@/arch',
];
const ALLOWED_DOMAINS: readonly string[] = ['kubelet.@', 'node.@'];

type Labels = Readonly<Record<string, string>>;

/**
 * Labels that a write of a node agent sets, changes or removes though they are not the agent's to decide
 * (2/node-authorization/3), in order of name.
 */
export function forbiddenNodeLabels(labels: Labels, before: Labels, dialect: Dialect): string[] {
  const names = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...names].filter((name) => labels[name] !== before[name] && forbidden(name, dialect)).sort();
}

function forbidden(label: string, dialect: Dialect): boolean {
  const slash = label.indexOf('/');
  const domain = slash < 0 ? '' : label.slice(0, slash);
  const fill = (text: string) => text.replaceAll('@', dialect.labelDomain);
  const within = (parent: string) => domain === parent || domain.endsWith(`.${parent}`);
  if (within(fill('node-restriction.@'))) return true;
  if (!within(dialect.labelDomain) && !within(dialect.apiDomain)) return false;
  return !ALLOWED.some((allowed) => fill(allowed) === label) && !ALLOWED_DOMAINS.some((one) => within(fill(one)));
}
