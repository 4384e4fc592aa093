import { parseApiVersion } from '../api/groupVersion.ts';
import { equalJson, type Json } from '../api/json.ts';
import type { OwnerReference } from '../api/object.ts';
import { forbidden } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Authorizer, ResourceAttributes } from '../contracts/authorizer.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';

interface Dependencies {
  readonly authorizer: Authorizer;
  readonly registry: ResourceRegistry;
}

/**
 * Plugin OwnerReferencesPermissionEnforcement: who changes the owners of an object must hold the verb `delete` on it,
 * and who lets it hold up the deletion of an owner the verb `update` on the finalizers of that owner.
 */
export function ownerPermissions(dependencies: Dependencies): Admission {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    async validate(attributes) {
      const { operation, object, oldObject, endpoint, name } = attributes;
      if ((operation !== 'CREATE' && operation !== 'UPDATE') || !object?.metadata) return;
      if (operation === 'UPDATE' && endpoint.subresource?.name === 'status') return;
      const now = object.metadata.ownerReferences ?? [];
      const before = oldObject?.metadata.ownerReferences ?? [];
      const refuse = (why: string) => forbidden(endpoint.type, object.metadata.name || name || 'Unknown', why);
      if (equalJson(now as unknown as Json, before as unknown as Json)) return;
      const { group, resource } = endpoint.type;
      // What is new is nobody's yet.
      const self = { group, resource, subresource: '', namespace: attributes.namespace, name };
      if (oldObject && !(await allowed('delete', self, attributes, dependencies))) {
        throw refuse("cannot set an ownerRef on a resource you can't delete: , <nil>");
      }
      for (const reference of now.filter(
        (one) => blocks(one) && !before.some((old) => blocks(old) && old.uid === one.uid),
      )) {
        const type = dependencies.registry.typeOfKind(
          parseApiVersion(reference.apiVersion)?.group ?? '',
          reference.kind,
        );
        const owner = {
          group: type?.group ?? '',
          resource: type?.resource ?? reference.kind,
          subresource: 'finalizers',
          namespace: type?.namespaced ? attributes.namespace : '',
          name: reference.name,
        };
        if (type && (await allowed('update', owner, attributes, dependencies))) continue;
        const why =
          "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
        throw refuse(`${why}: , <nil>`);
      }
    },
  };
}

function blocks({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

async function allowed(
  verb: string,
  target: Pick<ResourceAttributes, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
  { exchange }: AdmissionAttributes,
  { authorizer }: Dependencies,
): Promise<boolean> {
  const asked = { isResource: true, user: exchange.user, verb, version: '*', ...target } as const;
  return (await authorizer.authorize(asked)).decision === 'allow';
}
