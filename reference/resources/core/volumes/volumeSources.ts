import { type FieldError, forbiddenField, invalid, notSupported, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { objectOf, objectsOf, setDefault, textOf } from '../../../api/parts.ts';
import { deprecatedNodeLabel } from '../nodes/nodeLabelNames.ts';

interface Source {
  /** Texts that must be there, in the order in which they are missed. */
  readonly required?: readonly string[];
  /** What is filled in: for texts also where they are empty. */
  readonly defaults?: JsonObject;
  /** Why it should not be used. */
  readonly warning?: string;
}

/** Where a volume can lie, in the order in which the service looks for it. */
const sources: Readonly<Record<string, Source>> = {
  hostPath: { required: ['path'], defaults: { type: '' } },
  gcePersistentDisk: { required: ['pdName'] },
  awsElasticBlockStore: { required: ['volumeID'] },
  glusterfs: { required: ['endpoints', 'path'], warning: 'deprecated in v1.25, non-functional in v1.26+' },
  flocker: { warning: 'deprecated in v1.22, non-functional in v1.25+' },
  nfs: { required: ['server', 'path'] },
  rbd: {
    required: ['image'],
    defaults: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
    warning: 'deprecated in v1.28, non-functional in v1.31+',
  },
  quobyte: { required: ['registry', 'volume'], warning: 'deprecated in v1.22, non-functional in v1.25+' },
  cephfs: { warning: 'deprecated in v1.28, non-functional in v1.31+' },
  iscsi: { required: ['targetPortal', 'iqn'], defaults: { iscsiInterface: 'default' } },
  cinder: { required: ['volumeID'] },
  fc: {},
  flexVolume: { required: ['driver'] },
  azureFile: { required: ['secretName', 'shareName'] },
  vsphereVolume: { required: ['volumePath'] },
  photonPersistentDisk: { required: ['pdID'], warning: 'deprecated in v1.11, non-functional in v1.16+' },
  portworxVolume: { required: ['volumeID'] },
  azureDisk: {
    required: ['diskName', 'diskURI'],
    defaults: { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false },
  },
  scaleIO: {
    required: ['gateway', 'system', 'volumeName'],
    defaults: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
    warning: 'deprecated in v1.16, non-functional in v1.22+',
  },
  local: { required: ['path'] },
  storageos: { warning: 'deprecated in v1.22, non-functional in v1.25+' },
  csi: { required: ['driver', 'volumeHandle'] },
};
export const SOURCES: readonly string[] = Object.keys(sources);

const PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Fills what the source of a volume leaves out, in place. */
export function fillSource(spec: JsonObject): void {
  for (const [name, { defaults = {} }] of Object.entries(sources)) {
    const source = spec[name];
    if (!isObject(source)) continue;
    for (const [field, value] of Object.entries(defaults)) {
      if (value === '') source[field] ??= value;
      else setDefault(source, field, value);
    }
  }
}

/** Faults of the source of a volume: there is exactly one. */
export function validateSources(spec: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const given = SOURCES.filter((name) => isObject(spec[name]));
  for (const [index, name] of given.entries()) {
    const at = path.child(name);
    if (index > 0) errors.push(forbiddenField(at, 'may not specify more than 1 volume type'));
    else errors.push(...validateSource(name, objectOf(spec[name]), at));
  }
  if (given.length === 0) errors.push(required(path, 'must specify a volume type'));
  if (isObject(spec.local) && spec.nodeAffinity === undefined) {
    errors.push(required(FieldPath.of('metadata', 'annotations'), 'Local volume requires node affinity'));
  }
  return errors;
}

function validateSource(name: string, source: JsonObject, path: FieldPath): FieldError[] {
  const errors = (sources[name]?.required ?? [])
    .filter((field) => textOf(source[field]) === '')
    .map((field) => required(path.child(field)));
  const place = textOf(source.path);
  const at = path.child('path');
  if (name === 'nfs' && place !== '' && !place.startsWith('/')) {
    errors.push(invalid(at, place, 'must be an absolute path'));
  }
  if ((name === 'hostPath' || name === 'local') && place.split('/').includes('..')) {
    errors.push(invalid(at, place, "must not contain '..'"));
  }
  if (name === 'hostPath' && typeof source.type === 'string' && !PATH_TYPES.includes(source.type)) {
    errors.push(notSupported(path.child('type'), source.type, PATH_TYPES));
  }
  return errors;
}

/** Warnings about sources that are on their way out, or gone. */
export function sourceWarnings(spec: JsonObject, labelDomain: string): string[] {
  const shown: Readonly<Record<string, string>> = { cephfs: 'cephFS', storageos: 'storageOS' };
  const warnings = Object.entries(sources).flatMap(([name, { warning }]) =>
    warning !== undefined && isObject(spec[name]) ? [`spec.${shown[name] ?? name}: ${warning}`] : [],
  );
  const path = FieldPath.of('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');
  for (const [index, term] of objectsOf(objectOf(objectOf(spec.nodeAffinity).required).nodeSelectorTerms).entries()) {
    for (const [at, expression] of objectsOf(term.matchExpressions).entries()) {
      const key = textOf(expression.key);
      const text = deprecatedNodeLabel(key, labelDomain);
      if (text === undefined) continue;
      const place = path.index(index).child('matchExpressions').index(at).child('key');
      warnings.push(`${place}: ${key} is ${text}`);
    }
  }
  return warnings;
}
