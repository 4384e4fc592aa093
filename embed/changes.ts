import { equalJson, isObject, type Json } from '../reference/api/json.ts';
import { asJson } from '../reference/api/object.ts';
import type { Entry } from '../reference/contracts/entry.ts';
import { readable } from '../reference/contracts/readable.ts';
import type { Store } from '../reference/contracts/store.ts';

/** An object that is otherwise than before. */
export interface StateChange {
  readonly change: 'created' | 'changed' | 'deleted';
  /** Where it is stored: `/core/configmaps/default/a`, `/apps/deployments/default/web`. */
  readonly key: string;
  /** Each field that is otherwise, by its path: `spec.replicas`; `managedFields` is left out. Undefined: not there. */
  readonly fields: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** What one store holds otherwise than another, in the order of keys. */
export async function stateChanges(before: Store, after: Store): Promise<StateChange[]> {
  const [old, now] = await Promise.all([before.range({ prefix: '' }), after.range({ prefix: '' })]);
  const rest = new Map(old.entries.map((entry) => [entry.key, entry]));
  const changes: StateChange[] = [];
  for (const entry of now.entries) {
    const { key } = entry;
    const was = rest.get(key);
    rest.delete(key);
    if (was === entry || was?.modRevision === entry.modRevision) continue;
    changes.push({ change: was ? 'changed' : 'created', key, fields: was ? fieldsOf(was, entry) : [] });
  }
  for (const key of rest.keys()) changes.push({ change: 'deleted', key, fields: [] });
  return changes.sort((a, b) => (a.key < b.key ? -1 : 1));
}

type Fields = { path: string; before?: Json; after?: Json }[];

function fieldsOf(before: Entry, after: Entry): Fields {
  const fields: Fields = [];
  const [old, now] = [readable(before), readable(after)];
  if (old && now) compare(asJson(old), asJson(now), '', fields);
  return fields.filter(({ path }) => path !== 'metadata.resourceVersion' && path !== 'metadata.managedFields');
}

function compare(before: Json | undefined, after: Json | undefined, path: string, found: Fields): void {
  if (before !== undefined && after !== undefined && equalJson(before, after)) return;
  if (isObject(before) && isObject(after) && path !== 'metadata.managedFields') {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const below = /^[\w-]+$/.test(name)
        ? path === ''
          ? name
          : `${path}.${name}`
        : `${path}[${JSON.stringify(name)}]`;
      if (before[name] === undefined && after[name] === undefined) continue;
      compare(before[name], after[name], below, found);
    }
    return;
  }
  found.push({
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}
