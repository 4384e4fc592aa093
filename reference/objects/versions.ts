import { formatApiVersion, type GroupResource } from '../api/groupVersion.ts';
import type { ApiObject } from '../api/object.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ResourceType, TypeVersion } from '../contracts/resourceType.ts';

/** The version of a type in which its objects are stored and in which strategies see them. */
export function storageVersionOf(type: ResourceType): TypeVersion {
  const version = type.versions.get(type.storageVersion);
  if (!version) throw new Error(`${type.resource}.${type.group} has no version ${type.storageVersion}`);
  return version;
}

/** An object of a served version in the storage version; the argument is not changed. */
export function toStorage({ type, version }: Endpoint, object: ApiObject): ApiObject {
  if (version.version === type.storageVersion && !type.storedAs) return object;
  return named(type.storedAs ?? type, type.storageVersion, version.toStorage ? version.toStorage(object) : object);
}

/** A stored object in a served version; the argument is not changed. */
export function fromStorage({ type, version }: Endpoint, object: ApiObject): ApiObject {
  if (version.version === type.storageVersion && !type.storedAs) return object;
  return named(type, version.version, version.fromStorage ? version.fromStorage(object) : object);
}

function named({ group }: GroupResource, version: string, object: ApiObject): ApiObject {
  const apiVersion = formatApiVersion({ group, version });
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
