import { groupName } from '../../fixtures/dialects/dialect.ts';
import { type Actor, isRecord } from '../harness/index.ts';

/** The parts of a list member that are objects. */
function listed(json: unknown, member: string): Record<string, unknown>[] {
  const list = isRecord(json) ? json[member] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/**
 * What the one document of discovery says that holds all groups with their versions and types. Out: the plurals by
 * `group/version`; undefined where the target has no such document.
 */
export async function aggregated(actor: Actor): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const group = groupName(actor.dialect, 'apidiscovery');
  const forms = ['v2', 'v2beta1'].map((version) => `application/json;v=${version};g=${group};as=APIGroupDiscoveryList`);
  const headers = { accept: [...forms, 'application/json;q=0.5'].join(', ') };
  const { json } = await actor.request('GET', '/apis', { headers });
  if (!isRecord(json) || json.kind !== 'APIGroupDiscoveryList') return undefined;
  const found = new Map<string, readonly string[]>();
  for (const each of listed(json, 'items')) {
    const name = isRecord(each.metadata) ? each.metadata.name : undefined;
    for (const served of listed(each, 'versions'))
      found.set(
        `${name}/${served.version}`,
        listed(served, 'resources').map(({ resource }) => String(resource)),
      );
  }
  return found;
}
