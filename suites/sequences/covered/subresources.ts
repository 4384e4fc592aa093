import type { Row } from '../../covering/covering.ts';
import type { Json, JsonObject } from '../../harness/json.ts';
import { whole } from '../areas/objects.ts';
import type { SequenceType } from '../types.ts';
import { contentsOf } from './contents.ts';
import { strangersOf, versionOf } from './said.ts';
import { metadataOf } from './states.ts';

/** A write of a subresource: what is its own, and where a row says so what is not. */
export function throughSub(type: SequenceType, name: string, keep: string, row: Row): Json {
  const { verb = '', sub, content = '' } = row;
  const version = versionOf(row, keep);
  const { rest } = strangersOf(row);
  const scale = sub === 'scale';
  const size: Json = content === 'typed' ? 'x' : 2;
  const status = (content === 'typed' ? contentsOf(type).wrongStatus : contentsOf(type).status) ?? {};
  const own: JsonObject = ['same', 'renamed', 'elsewhere'].includes(content)
    ? {}
    : scale
      ? { spec: { replicas: size } }
      : { status };
  const contents = contentsOf(type);
  if (verb === 'json') {
    const operation: JsonObject[] = [
      ...('resourceVersion' in version
        ? [{ op: 'test', path: '/metadata/resourceVersion', value: version.resourceVersion as Json }]
        : []),
      ...(scale ? [{ op: 'add', path: '/spec/replicas', value: size }] : []),
      ...('status' in own ? [{ op: 'add', path: '/status', value: status }] : []),
      ...(content === 'whole' ? [{ op: 'replace', path: contents.pointer, value: contents.at }] : []),
      ...(content === 'renamed' ? [{ op: 'replace', path: '/metadata/name', value: '{id}-other' }] : []),
      ...(content === 'elsewhere' ? [{ op: 'add', path: '/metadata/namespace', value: '{ns2}' }] : []),
      ...('stranger' in rest ? [{ op: 'add', path: '/stranger', value: '1' }] : []),
    ];
    return operation.length > 0 ? operation : [{ op: 'test', path: '/metadata/labels/seq', value: '{id}' }];
  }
  const renamed = content === 'renamed' ? { name: '{id}-other' } : {};
  const metadata = { ...version, ...renamed, ...(content === 'elsewhere' ? { namespace: '{ns2}' } : {}) };
  if (verb === 'merge' || verb === 'strategic') {
    const more = content === 'whole' ? contents.other : {};
    return { ...own, ...more, ...rest, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
  }
  if (verb === 'apply') return { ...whole(type, name, { ...own, ...rest }), metadata: { name, ...metadata } };
  if (scale) {
    const within = type.namespaced ? { namespace: '{ns}' } : {};
    return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, ...within, ...metadata }, ...own };
  }
  const { base, other } = contents;
  return {
    ...whole(type, name, { ...(content === 'whole' ? other : base), ...own, ...rest }),
    metadata: { ...metadataOf(name), ...metadata },
  };
}
