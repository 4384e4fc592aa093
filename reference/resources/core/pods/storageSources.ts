import { type FieldError, invalid, notSupported, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { listOf, numberOf, objectOf, textOf } from '../../../api/parts.ts';
import { optionalOneOf, present } from '../../validation/values.ts';

/*
 * Volumes on storage systems that need more than a few fields.
 */

const LUN_RANGE = 'must be between 0 and 255, inclusive';
const INITIATORS: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function initiatorFault(name: string): string | undefined {
  const form = INITIATORS[name.slice(0, 3)];
  if (!form) return 'must be valid format starting with iqn, eui, or naa';
  return form.test(name) ? undefined : 'must be valid format';
}

/** Faults of an iSCSI disk. */
export function validateIscsi(source: JsonObject, path: FieldPath): FieldError[] {
  const errors = [
    ...present(source.targetPortal, path.child('targetPortal')),
    ...present(source.iqn, path.child('iqn')),
  ];
  const iqn = textOf(source.iqn);
  const fault = iqn === '' ? undefined : initiatorFault(iqn);
  if (fault !== undefined) errors.push(invalid(path.child('iqn'), iqn, fault));
  const lun = numberOf(source.lun) ?? 0;
  if (lun < 0 || lun > 255) errors.push(invalid(path.child('lun'), lun, LUN_RANGE));
  if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && !isObject(source.secretRef)) {
    errors.push(required(path.child('secretRef')));
  }
  if (source.initiatorName !== undefined) {
    const name = textOf(source.initiatorName);
    const wrong = initiatorFault(name);
    if (wrong !== undefined) errors.push(invalid(path.child('initiatorname'), name, wrong));
  }
  return errors;
}

/** Faults of a Fibre Channel disk. */
export function validateFibreChannel(source: JsonObject, path: FieldPath): FieldError[] {
  const names = listOf(source.targetWWNs);
  const ids = listOf(source.wwids);
  const at = path.child('targetWWNs');
  const errors: FieldError[] = [];
  if (names.length === 0 && ids.length === 0) {
    errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (names.length > 0 && ids.length > 0) {
    errors.push(invalid(at, source.targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (names.length === 0) return errors;
  const lun = numberOf(source.lun);
  if (lun === undefined) errors.push(required(path.child('lun'), 'lun is required if targetWWNs is specified'));
  else if (lun < 0 || lun > 255) errors.push(invalid(path.child('lun'), lun, LUN_RANGE));
  return errors;
}

const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';
const HOST_PORT = /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/;

/** Faults of a Quobyte volume. */
export function validateQuobyte(source: JsonObject, path: FieldPath): FieldError[] {
  const registry = textOf(source.registry);
  const errors: FieldError[] = [];
  if (registry === '') errors.push(required(path.child('registry'), REGISTRY));
  else if (Buffer.byteLength(textOf(source.tenant)) >= 65) {
    errors.push(required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    for (const pair of registry.split(',')) {
      if (!HOST_PORT.test(pair)) errors.push(invalid(path.child('registry'), registry, REGISTRY));
    }
  }
  return [...errors, ...present(source.volume, path.child('volume'))];
}

const RESERVED = ['kubernetes.io', 'k8s.io'];

/** Faults of a volume by a driver on the node; some domains of its options belong to the service. */
export function validateFlex(source: JsonObject, path: FieldPath): FieldError[] {
  const errors = present(source.driver, path.child('driver'));
  for (const option of Object.keys(objectOf(source.options))) {
    const slash = option.indexOf('/');
    const domain = `.${(slash < 0 ? option : option.slice(0, slash)).toLowerCase()}`;
    if (!RESERVED.some((reserved) => domain.endsWith(`.${reserved}`))) continue;
    const detail = `${RESERVED.join(' and ')} namespaces are reserved`;
    errors.push(invalid(path.child('options').key(option), option, detail));
  }
  return errors;
}

const MANAGED_URI = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_URI = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** Faults of an Azure disk. */
export function validateAzureDisk(source: JsonObject, path: FieldPath): FieldError[] {
  const uri = textOf(source.diskURI);
  const errors = [
    ...present(source.diskName, path.child('diskName')),
    ...present(uri, path.child('diskURI')),
    ...optionalOneOf(source.cachingMode, ['None', 'ReadOnly', 'ReadWrite'], path.child('cachingMode')),
    ...optionalOneOf(source.kind, ['Dedicated', 'Managed', 'Shared'], path.child('kind')),
  ];
  if (source.kind === undefined) return errors;
  const managed = source.kind === 'Managed';
  if (uri.startsWith(managed ? '/subscriptions/' : 'https://')) return errors;
  return [...errors, notSupported(path.child('diskURI'), uri, [managed ? MANAGED_URI : BLOB_URI])];
}
