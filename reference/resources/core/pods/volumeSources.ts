import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../../api/nameRules.ts';
import { listOf, numberOf, textOf } from '../../../api/parts.ts';
import { parseQuantity } from '../../../schema/quantity.ts';
import { named, oneOf, optionalOneOf, PULL_POLICIES, present, requiredName } from '../../validation/values.ts';
import { validateDriverName, validateEphemeral } from './ephemeralClaim.ts';
import { descending, noStepsUp } from './filePaths.ts';
import { validateConfig, validateDownward, validateProjected, validateSecret } from './fileSources.ts';
import type { PodScope } from './scope.ts';
import {
  validateAzureDisk,
  validateFibreChannel,
  validateFlex,
  validateIscsi,
  validateQuobyte,
} from './storageSources.ts';

export type SourceRule = (source: JsonObject, path: FieldPath, scope: PodScope) => FieldError[];

/** A source of which no more is asked than that some fields are there. */
const needs =
  (...fields: string[]): SourceRule =>
  (source, path) =>
    fields.flatMap((field) => present(source[field], path.child(field)));

const needsList =
  (field: string): SourceRule =>
  (source, path) =>
    listOf(source[field]).length === 0 ? [required(path.child(field))] : [];

const both =
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
