import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { isObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { forbidden } from '../api/status.ts';
import type { Admission } from '../contracts/admission.ts';
import { type Store, UnreadableObject } from '../contracts/store.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { onlyTypes } from './onlyTypes.ts';

interface Dependencies {
  readonly store: Store;
  readonly dialect: Dialect;
}

/** Plugin DefaultStorageClass: claims that name no class get the newest one that is marked as default. */
export function defaultStorageClass({ store, dialect }: Dependencies): Admission {
  const mark = `storageclass.${dialect.labelDomain}/is-default-class`;
  const oldMark = `storageclass.beta.${dialect.labelDomain}/is-default-class`;
  const oldClass = `volume.beta.${dialect.labelDomain}/storage-class`;
  const classes = { group: groupName(dialect, 'storage'), resource: 'storageclasses' };
  return {
    name: 'DefaultStorageClass',
    concerns: onlyTypes('', 'persistentvolumeclaims'),
    async mutate({ operation, endpoint, object }) {
      const { type, subresource } = endpoint;
      if (operation !== 'CREATE' || subresource || !object) return;
      if (type.group !== '' || type.resource !== 'persistentvolumeclaims') return;
      const spec = isObject(object.spec) ? object.spec : {};
      if (spec.storageClassName !== undefined || object.metadata.annotations?.[oldClass] !== undefined) return;
      const marked = await markedObjects(store, classes, [mark, oldMark]);
      const [newest] = marked.sort(byAge);
      if (newest?.metadata.name) object.spec = { ...spec, storageClassName: newest.metadata.name };
    },
  };
}

/** Plugin DefaultIngressClass: ingresses that name no class get the one that is marked as default. */
export function defaultIngressClass({ store, dialect }: Dependencies): Admission {
  const mark = `ingressclass.${dialect.labelDomain}/is-default-class`;
  const oldClass = `${dialect.labelDomain}/ingress.class`;
  const group = groupName(dialect, 'networking');
  return {
    name: 'DefaultIngressClass',
    concerns: onlyTypes(group, 'ingresses'),
    async mutate({ operation, endpoint, object }) {
      const { type, subresource } = endpoint;
      if (operation !== 'CREATE' || subresource || !object) return;
      if (type.group !== group || type.resource !== 'ingresses') return;
      const spec = isObject(object.spec) ? object.spec : {};
      if (spec.ingressClassName !== undefined || object.metadata.annotations?.[oldClass] !== undefined) return;
      const marked = await markedObjects(store, { group, resource: 'ingressclasses' }, [mark]);
      if (marked.length > 1) {
        const why = `${marked.length} default IngressClasses were found, only 1 allowed`;
        throw forbidden(type, object.metadata.name ?? '', why);
      }
      const [only] = marked;
      if (only?.metadata.name) object.spec = { ...spec, ingressClassName: only.metadata.name };
    },
  };
}

/** Objects of a cluster-scoped type on which one of the annotations is `true`. */
async function markedObjects(
  store: Store,
  type: { group: string; resource: string },
  marks: readonly string[],
): Promise<ApiObject[]> {
  const { entries } = await store.range({ prefix: collectionPrefix(type) });
  return entries.flatMap((entry) => {
    try {
      return marks.some((mark) => entry.object.metadata.annotations?.[mark] === 'true') ? [entry.object] : [];
    } catch (error) {
      if (error instanceof UnreadableObject) return [];
      throw error;
    }
  });
}

/** The newest first; of the same age the first by name. */
function byAge(a: ApiObject, b: ApiObject): number {
  const older = String(b.metadata.creationTimestamp).localeCompare(String(a.metadata.creationTimestamp));
  return older || String(a.metadata.name).localeCompare(String(b.metadata.name));
}
