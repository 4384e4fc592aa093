import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import { parseDuration } from '../api/duration.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { FieldFaults, parseObject } from '../codecs/yamlFile.ts';
import type { AccessCondition, AuthorizationWebhookOptions, AuthorizerOptions } from '../contracts/serverOptions.ts';
import { ContentFault, FileFault, type Files } from '../ports/files.ts';
import { compileAccessCondition } from './accessConditions.ts';
import { readClientConfig } from './clientConfig.ts';

/** Authorizers that have no settings, with the names that the service asks of them. */
const PLAIN = { AlwaysAllow: 'alwaysallow', AlwaysDeny: 'alwaysdeny', RBAC: 'rbac', Node: 'node' } as const;
type PlainType = keyof typeof PLAIN;

const LONGEST_TIMEOUT = 30_000;
const MOST_CONDITIONS = 64;
const AUTHORIZED_TTL = 5 * 60_000;
const UNAUTHORIZED_TTL = 30_000;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Those of them that the text knows (2/authorization-configuration-file/t1.1). */
const BY_TEXT: readonly string[] = ['RBAC', 'Node'];

interface Reading {
  readonly follow: Follow;
  readonly files: Files;
  readonly faults: FieldFaults;
}

/**
 * Reads an AuthorizationConfiguration (2/authorization-configuration-file): the authorizers in their order.
 *
 * @param release minor of the release
 * @throws ContentFault naming every field that is wrong
 */
export function readAuthorizationConfig(
  text: string,
  dialect: Dialect,
  files: Files,
  follow: Follow,
  release: number,
): AuthorizerOptions[] {
  const config = parseObject(text);
  const faults = new FieldFaults();
  const group = groupName(dialect, 'apiserver.config');
  const versions = versionsIn(follow, release).map((version) => `${group}/${version}`);
  if (!versions.includes(String(config.apiVersion))) faults.add('apiVersion', `${versions.join(' or ')} is expected`);
  if (config.kind !== 'AuthorizationConfiguration') faults.add('kind', 'AuthorizationConfiguration is expected');
  faults.unknown(config, '', ['apiVersion', 'kind', 'authorizers']);
  const list = Array.isArray(config.authorizers) ? config.authorizers : [];
  if (list.length === 0) faults.add('authorizers', 'at least one authorizer is needed');
  const names = new Set<string>();
  const types = new Set<string>();
  const reading = { follow, files, faults };
  const read = list.map((value, index) => {
    const path = `authorizers[${index}]`;
    const one = isObject(value) ? value : {};
    faults.unknown(one, path, ['type', 'name', 'webhook']);
    checkName(one, path, names, faults);
    if (one.type !== 'Webhook') {
      if (types.has(String(one.type))) faults.add(`${path}.type`, `there is ${one.type} already`);
      types.add(String(one.type));
    }
    return readAuthorizer(one, path, reading);
  });
  faults.check();
  return read.filter((one) => one !== undefined);
}

/** The text has one version; a release that had others only takes them too. */
function versionsIn(follow: Follow, release: number): readonly string[] {
  const all = release < FIRST_WITH_V1 || departs(follow, 'authorization-configuration-versions');
  return all ? ['v1', 'v1beta1', 'v1alpha1'] : ['v1'];
}
const FIRST_WITH_V1 = 32;

function checkName(one: JsonObject, path: string, names: Set<string>, faults: FieldFaults): void {
  const name = typeof one.name === 'string' ? one.name : '';
  if (name === '') faults.add(`${path}.name`, 'a name is needed');
  else if (!NAME.test(name))
    faults.add(`${path}.name`, `${JSON.stringify(name)} is no name of lower-case letters, digits, - and .`);
  else if (names.has(name)) faults.add(`${path}.name`, `there is ${name} already`);
  names.add(name);
}

function readAuthorizer(one: JsonObject, path: string, reading: Reading): AuthorizerOptions | undefined {
  const { faults, follow } = reading;
  const type = String(one.type ?? '');
  const name = String(one.name ?? '');
  if (type === 'Webhook') {
    if (!isObject(one.webhook)) {
      faults.add(`${path}.webhook`, 'a webhook needs its settings');
      return undefined;
    }
    const webhook = readWebhook(one.webhook, `${path}.webhook`, reading);
    return webhook && { type, name, webhook };
  }
  const known = departs(follow, 'authorizer-types') ? Object.keys(PLAIN) : BY_TEXT;
  if (!known.includes(type)) {
    faults.add(`${path}.type`, `one of Webhook, ${known.join(', ')} is expected`);
    return undefined;
  }
  if (one.webhook !== undefined) faults.add(`${path}.webhook`, `only a webhook has it, not ${type}`);
  if (name !== '' && name !== PLAIN[type as PlainType] && departs(follow, 'authorizer-names')) {
    faults.add(`${path}.name`, `the name of ${type} is ${PLAIN[type as PlainType]}`);
  }
  return { type: type as PlainType, name };
}

const FIELDS = [
  'authorizedTTL',
  'unauthorizedTTL',
  'timeout',
  'subjectAccessReviewVersion',
  'matchConditionSubjectAccessReviewVersion',
  'failurePolicy',
  'connectionInfo',
  'matchConditions',
];

function readWebhook(hook: JsonObject, path: string, reading: Reading): AuthorizationWebhookOptions | undefined {
  const { faults } = reading;
  faults.unknown(hook, path, FIELDS);
  const time = (field: string, fallback: number | undefined, most = Number.POSITIVE_INFINITY): number => {
    const given = hook[field];
    const value = given === undefined ? fallback : typeof given === 'string' ? parseDuration(given) : undefined;
    if (value === undefined) {
      faults.add(`${path}.${field}`, given === undefined ? 'it is needed' : 'a length of time such as 3s is expected');
    } else if (value <= 0 || value > most) {
      faults.add(`${path}.${field}`, `it must be above 0${most === LONGEST_TIMEOUT ? ' and at most 30s' : ''}`);
    }
    return value ?? 0;
  };
  const word = <W extends string>(field: string, words: readonly W[]): W => {
    const found = words.find((one) => one === hook[field]);
    if (found === undefined) faults.add(`${path}.${field}`, `one of ${words.join(', ')} is expected`);
    return found ?? (words[0] as W);
  };
  const options = {
    version: word('subjectAccessReviewVersion', ['v1', 'v1beta1']),
    timeout: time('timeout', undefined, LONGEST_TIMEOUT),
    authorizedTtl: time('authorizedTTL', AUTHORIZED_TTL),
    unauthorizedTtl: time('unauthorizedTTL', UNAUTHORIZED_TTL),
    failurePolicy: word('failurePolicy', ['NoOpinion', 'Deny']),
    conditions: readConditions(hook.matchConditions, `${path}.matchConditions`, reading),
  };
  word('matchConditionSubjectAccessReviewVersion', ['v1']);
  const remote = readConnection(hook.connectionInfo, `${path}.connectionInfo`, reading);
  return remote && { ...options, remote };
}

function readConnection(value: Json | undefined, path: string, { files, faults }: Reading) {
  const connection = isObject(value) ? value : {};
  faults.unknown(connection, path, ['type', 'kubeConfigFile']);
  const { type, kubeConfigFile } = connection;
  if (type === 'InClusterConfig') {
    faults.add(`${path}.type`, 'a server cannot use the configuration of a pod for itself');
    return undefined;
  }
  if (type !== 'KubeConfigFile') {
    faults.add(`${path}.type`, 'KubeConfigFile is expected');
    return undefined;
  }
  if (typeof kubeConfigFile !== 'string' || kubeConfigFile === '') {
    faults.add(`${path}.kubeConfigFile`, 'a file is needed');
    return undefined;
  }
  try {
    return readClientConfig(kubeConfigFile, files);
  } catch (error) {
    if (!(error instanceof ContentFault || error instanceof FileFault)) throw error;
    faults.add(`${path}.kubeConfigFile`, error.message);
    return undefined;
  }
}

function readConditions(value: Json | undefined, path: string, { faults }: Reading): AccessCondition[] {
  const list = Array.isArray(value) ? value : [];
  if (list.length > MOST_CONDITIONS) faults.add(path, `there may be at most ${MOST_CONDITIONS}`);
  const seen = new Set<string>();
  const conditions: AccessCondition[] = [];
  for (const [index, one] of list.entries()) {
    const at = `${path}[${index}].expression`;
    const expression = isObject(one) && typeof one.expression === 'string' ? one.expression.trim() : '';
    if (expression === '') faults.add(at, 'an expression is needed');
    else if (seen.has(expression)) faults.add(at, 'the same expression stands there already');
    else {
      try {
        conditions.push(compileAccessCondition(expression));
      } catch (error) {
        faults.add(at, error instanceof Error ? error.message : String(error));
      }
    }
    seen.add(expression);
  }
  return conditions;
}
