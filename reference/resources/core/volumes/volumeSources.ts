import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../api/nameRules.ts';
import { noStepsUp, objectOf, objectsOf, setDefault, textOf } from '../../../api/parts.ts';
import { requiredName } from '../../validation/fields.ts';
import { deprecatedNodeLabel } from '../nodes/nodeLabelNames.ts';
import type { PodScope } from '../pods/scope.ts';
import { both, needs, SOURCE_PATHS, type SourceRule, VOLUME_SOURCES } from '../pods/volumeSources.ts';
import { validateDriverName } from './claimSpec.ts';

interface Source {
  /** What is asked of it, where that is not what is asked of the source of the same name in a pod. */
  readonly rule?: SourceRule;
  /** What is filled in: for texts also where they are empty. */
  readonly defaults?: JsonObject;
  /** Why it should not be used. */
  readonly warning?: string;
}

/** A secret is named together with its namespace. */
const secretIn =
  (...fields: string[]): SourceRule =>
  (source, path) =>
    fields
      .filter((field) => isObject(source[field]))
      .flatMap((field) => validateSecretRef(objectOf(source[field]), path.child(field)));

function validateSecretRef(ref: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...requiredName(ref.name, dns1123Subdomain, path.child('name')),
    ...requiredName(ref.namespace, dns1123Label, path.child('namespace')),
  ];
}

/** A namespace that may be left out, but is not empty where it is given. */
function namespaceFaults(source: JsonObject, field: string, path: FieldPath): FieldError[] {
  if (source[field] !== '') return [];
  const detail =
    field === 'endpointsNamespace'
      ? 'if the endpointnamespace is set, it must be a valid namespace name'
      : 'must be a valid namespace name';
  return [invalid(path.child(field), '', detail)];
}

const validateGluster: SourceRule = (source, path, scope) => [
  ...needs('endpoints', 'path')(source, path, scope),
  ...namespaceFaults(source, 'endpointsNamespace', path),
];

const validateAzureFile: SourceRule = (source, path, scope) => [
  ...needs('secretName', 'shareName')(source, path, scope),
  ...namespaceFaults(source, 'secretNamespace', path),
];

const validateDriver: SourceRule = (source, path, scope) => [
  ...validateDriverName(textOf(source.driver), path.child('driver')),
  ...needs('volumeHandle')(source, path, scope),
  ...secretIn(
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeStageSecretRef',
    'nodeExpandSecretRef',
  )(source, path, scope),
];

/** Where a volume can lie, in the order in which the service looks for it. */
const sources: Readonly<Record<string, Source>> = {
  hostPath: { defaults: { type: '' } },
  gcePersistentDisk: {},
  awsElasticBlockStore: {},
  glusterfs: { rule: validateGluster, warning: 'deprecated in v1.25, non-functional in v1.26+' },
  flocker: { warning: 'deprecated in v1.22, non-functional in v1.25+' },
  nfs: {},
  rbd: {
    defaults: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
    warning: 'deprecated in v1.28, non-functional in v1.31+',
  },
  quobyte: { warning: 'deprecated in v1.22, non-functional in v1.25+' },
  cephfs: { warning: 'deprecated in v1.28, non-functional in v1.31+' },
  iscsi: { defaults: { iscsiInterface: 'default' } },
  cinder: { rule: both(needs('volumeID'), secretIn('secretRef')) },
  fc: {},
  flexVolume: {},
  azureFile: { rule: validateAzureFile },
  vsphereVolume: {},
  photonPersistentDisk: { warning: 'deprecated in v1.11, non-functional in v1.16+' },
  portworxVolume: {},
  azureDisk: {
    defaults: { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false },
  },
  scaleIO: {
    defaults: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
    warning: 'deprecated in v1.16, non-functional in v1.22+',
  },
  local: { rule: both(needs('path'), (source, path) => noStepsUp(textOf(source.path), path.child('path'))) },
  storageos: { warning: 'deprecated in v1.22, non-functional in v1.25+' },
  csi: { rule: validateDriver },
};
export const SOURCES: readonly string[] = Object.keys(sources);

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

/** Faults of the source of a volume: there is exactly one. What lies on a node says on which. */
export function validateSources(spec: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const errors: FieldError[] = [];
  const given = SOURCES.filter((name) => isObject(spec[name]));
  for (const [index, name] of given.entries()) {
    const { own = name, second = name } = SOURCE_PATHS[name] ?? {};
    const rule = sources[name]?.rule ?? VOLUME_SOURCES[name];
    // Nobody asks whether a flexVolume stands beside another one.
    if (index > 0 && name !== 'flexVolume') {
      errors.push(forbiddenField(path.child(second), 'may not specify more than 1 volume type'));
      continue;
    }
    errors.push(...(rule?.(objectOf(spec[name]), path.child(own), scope) ?? []));
    if (name === 'local' && !isObject(spec.nodeAffinity)) {
      errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
    }
  }
  if (given.length === 0) errors.push(required(path, 'must specify a volume type'));
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
