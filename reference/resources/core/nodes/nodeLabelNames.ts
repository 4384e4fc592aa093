/** Labels of nodes that have another name by now; `{domain}` stands for the label domain of the dialect. */
const successors: Readonly<Record<string, readonly [since: string, label: string]>> = {
  'beta.{domain}/arch': ['v1.14', '{domain}/arch'],
  'beta.{domain}/os': ['v1.14', '{domain}/os'],
  'failure-domain.beta.{domain}/region': ['v1.17', 'topology.{domain}/region'],
  'failure-domain.beta.{domain}/zone': ['v1.17', 'topology.{domain}/zone'],
  'beta.{domain}/instance-type': ['v1.17', 'node.{domain}/instance-type'],
};

/** How the service words that a label of nodes has another name by now; undefined for the others. */
export function deprecatedNodeLabel(label: string, labelDomain: string): string | undefined {
  const slash = label.indexOf('/');
  const prefix = label.slice(0, slash);
  if (!prefix.endsWith(labelDomain)) return undefined;
  const known = `${prefix.slice(0, prefix.length - labelDomain.length)}{domain}${label.slice(slash)}`;
  const found = Object.hasOwn(successors, known) ? successors[known] : undefined;
  return found && `deprecated since ${found[0]}; use "${found[1].replace('{domain}', labelDomain)}" instead`;
}
