import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../api/nameRules.ts';
import { descending, listOf, noStepsUp, numberOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { parseQuantity } from '../../../schema/quantity.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import {
  fileMode,
  named,
  oneOf,
  optionalOneOf,
  PULL_POLICIES,
  present,
  requiredName,
} from '../../validation/fields.ts';
import { validateDriverName, validateEphemeral } from '../volumes/claimSpec.ts';
import { VOLUME_FIELDS, validateFieldRef, validateResourceRef } from './environment.ts';
import type { PodScope } from './scope.ts';

/** What is asked of the source of a volume. */
export type SourceRule = (source: JsonObject, path: FieldPath, scope: PodScope) => FieldError[];

/** A source of which no more is asked than that some fields are there. */
export const needs =
  (...fields: string[]): SourceRule =>
  (source, path) =>
    fields.flatMap((field) => present(source[field], path.child(field)));

const needsList =
  (field: string): SourceRule =>
  (source, path) =>
    listOf(source[field]).length === 0 ? [required(path.child(field))] : [];

/** Several rules, one after the other. */
export const both =
  (...rules: SourceRule[]): SourceRule =>
  (source, path, scope) =>
    rules.flatMap((rule) => rule(source, path, scope));

const HOST_PATHS = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const partition: SourceRule = (source, path) => {
  const number = numberOf(source.partition) ?? 0;
  if (number >= 0 && number <= 255) return [];
  return [invalid(path.child('partition'), number, 'must be between 1 and 255, inclusive')];
};

/** A secret that may be named must be named where it is. */
const secretName: SourceRule = (source, path) =>
  isObject(source.secretRef) ? present(source.secretRef.name, path.child('secretRef', 'name')) : [];

const nfs: SourceRule = (source, path) => {
  const errors = [...present(source.server, path.child('server')), ...present(source.path, path.child('path'))];
  const text = textOf(source.path);
  return text.startsWith('/') ? errors : [...errors, invalid(path.child('path'), text, 'must be an absolute path')];
};

const flocker: SourceRule = (source, path) => {
  const name = textOf(source.datasetName);
  const uuid = textOf(source.datasetUUID);
  const errors: FieldError[] = [];
  if (name === '' && uuid === '') errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && uuid !== '') {
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (name.includes('/')) errors.push(invalid(path.child('datasetName'), name, "must not contain '/'"));
  return errors;
};

const emptyDir: SourceRule = ({ sizeLimit }, path) => {
  if (sizeLimit === undefined || parseQuantity(textOf(sizeLimit)).digits >= 0n) return [];
  return [forbiddenField(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity')];
};

const hostPath: SourceRule = (source, path) => {
  const text = textOf(source.path);
  if (text === '') return [required(path.child('path'))];
  return [...noStepsUp(text, path.child('path')), ...optionalOneOf(source.type, HOST_PATHS, path.child('type'))];
};

const storageos: SourceRule = (source, path, scope) => [
  ...requiredName(source.volumeName, dns1123Label, path.child('volumeName')),
  ...(textOf(source.volumeNamespace) === ''
    ? []
    : named(source.volumeNamespace, dns1123Label, path.child('volumeNamespace'))),
  ...secretName(source, path, scope),
];

const csi: SourceRule = (source, path) => {
  const errors = validateDriverName(textOf(source.driver), path.child('driver'));
  if (!isObject(source.nodePublishSecretRef)) return errors;
  const name = textOf(source.nodePublishSecretRef.name);
  if (name === '') return [...errors, required(path.child('nodePublishSecretRef', 'name'))];
  return [...errors, ...named(name, dns1123Subdomain, path.child('name'))];
};

const image: SourceRule = (source, path, { isPod }) => [
  ...(isPod ? present(source.reference, path.child('reference')) : []),
  ...oneOf(source.pullPolicy, PULL_POLICIES, path.child('pullPolicy')),
];

const gitRepo: SourceRule = (source, path) => [
  ...present(source.repository, path.child('repository')),
  ...descending(textOf(source.directory), path.child('directory')),
];

/*
 * Volumes whose files come from other objects of the service.
 */

function validateItems(items: Json | undefined, path: FieldPath): FieldError[] {
  return objectsOf(items).flatMap((item, index) => validateItem(item, path.index(index)));
}

function validateItem(item: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...present(item.key, path.child('key')),
    ...present(item.path, path.child('path')),
    ...descendingUnreserved(textOf(item.path), path.child('path')),
    ...fileMode(item.mode, path.child('mode')),
  ];
}

const keyed =
  (nameField: string) =>
  (source: JsonObject, path: FieldPath): FieldError[] => [
    ...present(source[nameField], path.child(nameField)),
    ...fileMode(source.defaultMode, path.child('defaultMode')),
    ...validateItems(source.items, path.child('items')),
  ];
const validateSecret = keyed('secretName');
const validateConfig = keyed('name');

/** Faults of files that show fields of the pod; the service tells all of them of the source as a whole. */
function validateDownward(source: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...fileMode(source.defaultMode, path.child('defaultMode')),
    ...objectsOf(source.items).flatMap((file) => validateDownwardFile(file, path)),
  ];
}

function validateDownwardFile(file: JsonObject, path: FieldPath): FieldError[] {
  const errors = [
    ...present(file.path, path.child('path')),
    ...descendingUnreserved(textOf(file.path), path.child('path')),
  ];
  if (isObject(file.fieldRef)) {
    errors.push(...validateFieldRef(file.fieldRef, VOLUME_FIELDS, path.child('fieldRef')));
    if (isObject(file.resourceFieldRef)) {
      errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (isObject(file.resourceFieldRef)) {
    errors.push(...validateResourceRef(file.resourceFieldRef, path.child('resourceFieldRef'), true));
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...fileMode(file.mode, path.child('mode'))];
}

type Projection = (source: JsonObject, path: FieldPath, volume: FieldPath, paths: PathLedger) => FieldError[];

/** Paths that the parts of a volume take; each may be taken once. */
class PathLedger {
  readonly #taken = new Set<string>();

  /** @param shown is what the fault of a second use shows. */
  take(text: string, shown: string, path: FieldPath): FieldError[] {
    if (!this.#taken.has(text)) {
      this.#taken.add(text);
      return [];
    }
    return [invalid(path, shown, 'conflicting duplicate paths')];
  }
}

const fromMap: Projection = (source, path, volume, paths) => [
  ...present(source.name, path.child('name')),
  ...objectsOf(source.items).flatMap((item, index) => [
    ...validateItem(item, path.child('items').index(index)),
    ...(textOf(item.path) === '' ? [] : paths.take(textOf(item.path), textOf(source.name), volume)),
  ]),
];

const fromPod: Projection = (source, path, volume, paths) =>
  objectsOf(source.items).flatMap((file) => [
    ...validateDownwardFile(file, path),
    ...(textOf(file.path) === '' ? [] : paths.take(textOf(file.path), textOf(file.path), volume)),
  ]);

const SHORTEST_TOKEN = 10 * 60;

const fromToken: Projection = (source, path, volume) => {
  const seconds = numberOf(source.expirationSeconds) ?? 0;
  const at = path.child('expirationSeconds');
  const errors: FieldError[] = [];
  if (seconds < SHORTEST_TOKEN) {
    errors.push(invalid(at, source.expirationSeconds ?? 0, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > 2 ** 32) {
    errors.push(invalid(at, source.expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  const text = textOf(source.path);
  // The service tells the path of the volume, not of the token.
  const place = volume.child('path');
  return [...errors, ...(text === '' ? [required(place)] : descendingUnreserved(text, place))];
};

const fromBundle: Projection = (source, path, volume, paths) => {
  const { name, signerName } = source;
  const errors: FieldError[] = [];
  if (name !== undefined && signerName !== undefined) {
    errors.push(invalid(path, shownBundle(source), 'only one of name and signerName may be used'));
  } else if (name !== undefined) {
    if (textOf(name) === '') errors.push(required(path.child('name'), 'must be a valid object name'));
    if (isObject(source.labelSelector)) {
      const detail = 'labelSelector must be unset if name is specified';
      errors.push(invalid(path.child('labelSelector'), source.labelSelector, detail));
    }
  } else if (signerName !== undefined) {
    if (textOf(signerName) === '') errors.push(required(path.child('signerName'), 'must be a valid signer name'));
    errors.push(...validateLabelSelector(source.labelSelector, path.child('labelSelector')));
  } else errors.push(required(path, 'either name or signerName must be specified'));
  const text = textOf(source.path);
  return [
    ...errors,
    ...present(text, path.child('path')),
    ...descendingUnreserved(text, path.child('path')),
    ...paths.take(text, text, volume),
  ];
};

function shownBundle({ name, signerName, labelSelector, optional, path }: JsonObject): JsonObject {
  return {
    Name: name ?? null,
    SignerName: signerName ?? null,
    LabelSelector: labelSelector ?? null,
    Optional: optional ?? null,
    Path: path ?? '',
  };
}

/** What a volume can be put together from, in the order in which the service looks at it. */
const PROJECTIONS: Readonly<Record<string, Projection>> = {
  secret: fromMap,
  configMap: fromMap,
  downwardAPI: fromPod,
  serviceAccountToken: fromToken,
  clusterTrustBundle: fromBundle,
};

/** Faults of a volume that is put together from several objects. */
function validateProjected(source: JsonObject, path: FieldPath): FieldError[] {
  const errors = fileMode(source.defaultMode, path.child('defaultMode'));
  const paths = new PathLedger();
  objectsOf(source.sources).forEach((part, index) => {
    const at = path.child('sources').index(index);
    const given = Object.keys(PROJECTIONS).filter((name) => isObject(part[name]));
    for (const name of given) {
      errors.push(...(PROJECTIONS[name]?.(objectOf(part[name]), at.child(name), path, paths) ?? []));
    }
    if (given.length > 1) errors.push(forbiddenField(at, 'may not specify more than 1 volume type per source'));
  });
  return errors;
}

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
function validateIscsi(source: JsonObject, path: FieldPath): FieldError[] {
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
function validateFibreChannel(source: JsonObject, path: FieldPath): FieldError[] {
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
function validateQuobyte(source: JsonObject, path: FieldPath): FieldError[] {
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
function validateFlex(source: JsonObject, path: FieldPath): FieldError[] {
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
function validateAzureDisk(source: JsonObject, path: FieldPath): FieldError[] {
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

/*
 * Paths of files inside volumes and containers, which must not lead out of them.
 */

/** The same, for paths beside which the service keeps names that begin with two dots. */
function descendingUnreserved(text: string, path: FieldPath): FieldError[] {
  const errors = descending(text, path);
  if (text.startsWith('..') && !text.startsWith('../')) errors.push(invalid(path, text, "must not start with '..'"));
  return errors;
}

/** Rules of all sources, in the order in which the service looks for them: the first one counts. */
export const VOLUME_SOURCES: Readonly<Record<string, SourceRule>> = {
  emptyDir,
  hostPath,
  gitRepo,
  gcePersistentDisk: both(needs('pdName'), partition),
  awsElasticBlockStore: both(needs('volumeID'), partition),
  secret: validateSecret,
  nfs,
  iscsi: validateIscsi,
  glusterfs: needs('endpoints', 'path'),
  flocker,
  persistentVolumeClaim: needs('claimName'),
  rbd: both(needsList('monitors'), needs('image')),
  cinder: both(needs('volumeID'), secretName),
  cephfs: needsList('monitors'),
  quobyte: validateQuobyte,
  downwardAPI: validateDownward,
  fc: validateFibreChannel,
  flexVolume: validateFlex,
  configMap: validateConfig,
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk: validateAzureDisk,
  storageos,
  projected: validateProjected,
  scaleIO: needs('gateway', 'system', 'volumeName'),
  csi,
  ephemeral: validateEphemeral,
  image,
};

/** Where the service calls a source otherwise: its own faults, and that it is one too many. */
export const SOURCE_PATHS: Readonly<Record<string, { readonly own?: string; readonly second?: string }>> = {
  gcePersistentDisk: { own: 'persistentDisk' },
  cephfs: { second: 'cephFS' },
  downwardAPI: { second: 'downwarAPI' },
};
