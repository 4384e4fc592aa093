import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { parseDuration } from '../api/duration.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { FieldFaults, objects, parseObject, text } from '../codecs/yamlFile.ts';
import type { EncryptionKey, EncryptionProvider, EncryptionRule } from '../contracts/serverOptions.ts';

/** Bytes that the secrets of each provider may have. */
const KEY_SIZES = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] } as const;
type KeyedKind = keyof typeof KEY_SIZES;
const PROVIDERS = ['kms', 'aesgcm', 'aescbc', 'secretbox', 'identity'];

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads an EncryptionConfiguration: which resources are kept encrypted, and by which keys.
 *
 * @throws ContentFault naming every field that is wrong, and never a secret
 */
export function readEncryptionConfig(source: string, dialect: Dialect): EncryptionRule[] {
  const config = parseObject(source);
  const faults = new FieldFaults();
  const apiVersion = `${groupName(dialect, 'apiserver.config')}/v1`;
  if (config.apiVersion !== apiVersion) faults.add('apiVersion', `${apiVersion} is expected`);
  if (config.kind !== 'EncryptionConfiguration') faults.add('kind', 'EncryptionConfiguration is expected');
  faults.unknown(config, '', ['apiVersion', 'kind', 'resources']);
  const list = objects(config.resources);
  if (list.length === 0) faults.add('resources', 'at least one element is needed');
  const kmsNames = new Set<string>();
  const rules = list.map((rule, index) => readRule(rule, `resources[${index}]`, { dialect, faults, kmsNames }));
  faults.check();
  return rules;
}

interface Reading {
  readonly dialect: Dialect;
  readonly faults: FieldFaults;
  readonly kmsNames: Set<string>;
}

function readRule(rule: JsonObject, path: string, reading: Reading): EncryptionRule {
  const { faults } = reading;
  faults.unknown(rule, path, ['resources', 'providers']);
  const names = Array.isArray(rule.resources) ? rule.resources.map(text) : [];
  if (names.length === 0) faults.add(`${path}.resources`, 'at least one resource is needed');
  const resources = names.map(parseResource);
  checkOverlap(resources, `${path}.resources`, faults);
  for (const [index, name] of names.entries()) {
    const fault = resourceFault(name, parseResource(name), reading.dialect);
    if (fault) faults.add(`${path}.resources[${index}]`, `${JSON.stringify(name)}: ${fault}`);
  }
  const given = objects(rule.providers);
  if (given.length === 0) faults.add(`${path}.providers`, 'at least one provider is needed');
  const providers = given.map((one, index) => readProvider(one, `${path}.providers[${index}]`, reading));
  return { resources, providers: providers.filter((one) => one !== undefined) };
}

/** `secrets`, `deployments.apps`, `*.apps`, `*.` for all of the core group, `*.*` for everything. */
function parseResource(name: string): GroupResource {
  const dot = name.indexOf('.');
  return dot < 0 ? { group: '', resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}

/** What the service keeps without serving it. */
const NOT_SERVED = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

function resourceFault(name: string, { group, resource }: GroupResource, dialect: Dialect): string | undefined {
  if (name === '') return 'a resource is needed';
  if (name !== name.toLowerCase()) return 'there are no capital letters in the names of resources';
  if (name === '*') return "use '*.' for all resources of the core group, or '*.*' for all resources";
  if (NOT_SERVED.has(name)) return 'what is not served cannot be encrypted';
  if (group === groupName(dialect, 'events')) return "these objects are kept as those of the core group; use 'events'";
  if (group === 'extensions') return "the group 'extensions' is gone and keeps nothing to be encrypted";
  if (group === '*' && resource !== '*') return 'one resource cannot be encrypted across groups';
  return undefined;
}

function checkOverlap(resources: readonly GroupResource[], path: string, faults: FieldFaults): void {
  const seen = new Set<string>();
  let duplicate = false;
  for (const { group, resource } of resources) {
    const name = `${resource}.${group}`;
    if (seen.has(name)) duplicate = true;
    seen.add(name);
  }
  if (duplicate) faults.add(path, 'the same resource must not stand there twice');
  const distinct = [...seen];
  const hides = (name: string) => {
    const { group, resource } = parseResource(name);
    return distinct.some((other) => {
      if (other === name) return false;
      return name === '*.*' || (resource === '*' && parseResource(other).group === group);
    });
  };
  if (distinct.some(hides)) faults.add(path, "resources such as 'secrets' and '*.' must not overlap in one list");
}

function readProvider(provider: JsonObject, path: string, reading: Reading): EncryptionProvider | undefined {
  const { faults } = reading;
  faults.unknown(provider, path, PROVIDERS);
  const kinds = PROVIDERS.filter((kind) => provider[kind] !== undefined && provider[kind] !== null);
  const [kind] = kinds;
  if (kind === undefined) {
    faults.add(path, `one of ${PROVIDERS.join(', ')} is expected`);
    return undefined;
  }
  if (kinds.length > 1) {
    faults.add(path, `${kinds.join(' and ')} must be elements of their own`);
    return undefined;
  }
  const settings = isObject(provider[kind]) ? (provider[kind] as JsonObject) : {};
  if (kind === 'identity') {
    faults.unknown(settings, `${path}.identity`, []);
    return { kind };
  }
  if (kind === 'kms') {
    readKms(settings, `${path}.kms`, reading);
    return undefined;
  }
  faults.unknown(settings, `${path}.${kind}`, ['keys']);
  return { kind: kind as KeyedKind, keys: readKeys(settings.keys, `${path}.${kind}.keys`, kind as KeyedKind, faults) };
}

function readKeys(value: Json | undefined, path: string, kind: KeyedKind, faults: FieldFaults): EncryptionKey[] {
  const list = objects(value);
  if (list.length === 0) faults.add(path, 'at least one key is needed');
  return list.map((key, index) => {
    const at = `${path}[${index}]`;
    faults.unknown(key, at, ['name', 'secret']);
    const name = text(key.name);
    if (name === '') faults.add(`${at}.name`, 'a name is needed');
    return { name, secret: readSecret(text(key.secret), `${at}.secret`, KEY_SIZES[kind], faults) };
  });
}

function readSecret(encoded: string, path: string, sizes: readonly number[], faults: FieldFaults): Uint8Array {
  // Line breaks are not part of base64, and folded texts have them.
  const joined = encoded.replaceAll(/[\r\n]/g, '');
  if (joined === '') faults.add(path, 'a secret is needed');
  else if (!BASE64.test(joined)) faults.add(path, 'it must be base64');
  else {
    const secret = Buffer.from(joined, 'base64');
    if (sizes.includes(secret.length)) return secret;
    const expected = sizes.length === 1 ? `${sizes[0]}` : `one of ${sizes.join(', ')}`;
    faults.add(path, `it has ${secret.length} bytes, expected is ${expected}`);
  }
  return new Uint8Array();
}

/** Judges the settings of a key management service, so that all is said at once, and refuses it. */
function readKms(kms: JsonObject, path: string, { faults, kmsNames }: Reading): void {
  faults.unknown(kms, path, ['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout']);
  const version = kms.apiVersion === undefined ? 'v1' : text(kms.apiVersion);
  if (version !== 'v1' && version !== 'v2') faults.add(`${path}.apiVersion`, 'one of v1, v2 is expected');
  const name = text(kms.name);
  if (name === '') faults.add(`${path}.name`, 'a name is needed');
  if (version !== 'v1' && name.includes(':')) faults.add(`${path}.name`, 'it must not hold a colon');
  if (version !== 'v1' && kmsNames.has(name)) faults.add(`${path}.name`, `there is ${name} already`);
  kmsNames.add(name);
  const endpoint = text(kms.endpoint);
  if (endpoint === '') faults.add(`${path}.endpoint`, 'an endpoint is needed');
  else if (!/^unix:\/\//.test(endpoint)) faults.add(`${path}.endpoint`, 'only the scheme unix is possible');
  if (version !== 'v1' && kms.cachesize !== undefined) faults.add(`${path}.cachesize`, 'it is not for v2');
  if (version === 'v1' && kms.cachesize === 0)
    faults.add(`${path}.cachesize`, 'it must be above 0, or below to disable it');
  const timeout = kms.timeout === undefined ? 3_000 : parseDuration(text(kms.timeout));
  if (timeout === undefined || timeout <= 0) faults.add(`${path}.timeout`, 'a length of time above 0 is expected');
  faults.add(path, 'this server does not reach key management services');
}
