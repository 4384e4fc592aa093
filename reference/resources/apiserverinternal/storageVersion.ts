import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { JsonObject } from '../../api/json.ts';
import { dns1035Label, dns1123Subdomain, type ObjectNameRule } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';

const STATUS = FieldPath.of('status');

/** A resource is named behind its group: `apps.deployments`; the core group is called so. */
const resourceName: ObjectNameRule = (name) => {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [...dns1123Subdomain(name.slice(0, dot)), ...dns1035Label(name.slice(dot + 1))];
};

/** In which versions the servers of a cluster store a resource. */
export const storageVersionRules: RuleMaker = () => ({
  strategy: { validateName: resourceName, validate: validateStatus, validateUpdate: () => [] },
  subresources: { status: { validateUpdate: validateStatus } },
});

function validateStatus({ status }: ApiObject): FieldError[] {
  const servers = objectsOf(objectOf(status).storageVersions);
  const errors = servers.flatMap((server, index) =>
    validateServer(server, STATUS.child('storageVersions').index(index)),
  );
  // There is a common version where all servers have the same one.
  const encodings = new Set(servers.map(({ encodingVersion }) => encodingVersion));
  const common = objectOf(status).commonEncodingVersion;
  const path = STATUS.child('commonEncodingVersion');
  const [only] = encodings;
  if (encodings.size === 1 && common !== only) {
    errors.push(invalid(path, common, `the common encoding version is ${textOf(only)}`));
  }
  if (encodings.size !== 1 && common !== undefined) {
    errors.push(invalid(path, common, 'should be nil if servers do not agree on the same encoding version'));
  }
  return errors;
}

function validateServer(server: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const encoding = textOf(server.encodingVersion);
  const decodable = new Set(textsOf(server.decodableVersions));
  if (textOf(server.apiServerID) === '') errors.push(required(path.child('apiServerID')));
  if (encoding === '') errors.push(required(path.child('encodingVersion')));
  else if (!decodable.has(encoding)) {
    const detail = `decodableVersions must include encodingVersion ${encoding}`;
    errors.push(invalid(path.child('decodableVersions'), [...textsOf(server.decodableVersions)], detail));
  }
  for (const [index, version] of textsOf(server.servedVersions).entries()) {
    if (decodable.has(version)) continue;
    errors.push(invalid(path.child('servedVersions').index(index), version, 'must be one of the decodable versions'));
  }
  return errors;
}
