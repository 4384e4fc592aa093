import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { exists, groupOf, lifecycles } from '../../fixtures/releases/lifecycles.ts';
import { levelOf } from '../../fixtures/releases/versionNames.ts';
import type { NamedVersion, RuntimeConfig } from '../contracts/serverOptions.ts';
import { parseBoolean } from './flag.ts';

/** The wholesale key of a version, by its level. */
const KEYS = { stable: 'api/ga', beta: 'api/beta', alpha: 'api/alpha' } as const;
/** Wholesale keys, from the widest to the narrowest: a later one overrules an earlier one. */
const WHOLESALE = ['api/all', 'api/ga', 'api/beta', 'api/alpha'] as const;

/**
 * Reads `--runtime-config`: `group/version[=bool]`, `group/version/resource[=bool]`, `v1`, and the wholesale keys
 * `api/all`, `api/ga`, `api/beta`, `api/alpha`. A key without a value is on.
 *
 * @returns what is on and off, or every error found, one sentence each
 */
export function readRuntimeConfig(
  asked: readonly (readonly [string, string | undefined])[],
): { readonly config: RuntimeConfig } | { readonly errors: readonly string[] } {
  const errors: string[] = [];
  const wholesale = new Map<string, boolean>();
  const versions = new Map<string, boolean>();
  const resources = new Map<string, boolean>();
  const named = new Map<string, NamedVersion>();

  for (const [key, text] of asked) {
    const value = text === undefined || text === '' ? true : parseBoolean(text);
    if (value === undefined) {
      errors.push(`--runtime-config: ${key}=${text} is neither true nor false`);
      continue;
    }
    if ((WHOLESALE as readonly string[]).includes(key)) {
      wholesale.set(key, value);
      continue;
    }
    const parts = key === 'v1' || key === 'api/v1' ? ['', 'v1'] : key.split('/');
    const [group = '', version = '', resource] = parts;
    if (parts.length < 2 || parts.length > 3 || !/^v\d+((alpha|beta)\d+)?$/.test(version)) {
      errors.push(`--runtime-config: ${key} is neither group/version nor group/version/resource`);
      continue;
    }
    named.set(`${group}/${version}`, { group, version });
    if (resource === undefined) versions.set(`${group}/${version}`, value);
    else resources.set(`${group}/${version}/${resource}`, value);
  }
  if (wholesale.get('api/ga') === false) errors.push('--runtime-config: api/ga=false would leave nothing to serve');
  if (wholesale.get('api/all') === false && versions.size === 0) {
    errors.push('--runtime-config: api/all=false alone would leave nothing to serve');
  }
  if (errors.length > 0) return { errors };
  return {
    config: {
      version: (group, version) =>
        versions.get(`${group}/${version}`) ??
        wholesale.get(KEYS[levelOf(version)]) ??
        // The core group stays whatever else is taken away.
        (group === '' ? undefined : wholesale.get('api/all')),
      resource: (group, version, resource) => resources.get(`${group}/${version}/${resource}`),
      named: [...named.values()],
    },
  };
}

/**
 * Errors for groups and versions that no release up to this one has, and notes on versions that this one has no more:
 * those change nothing.
 *
 * @param release minor of the release whose types are served
 */
export function checkNamedVersions(
  { named }: RuntimeConfig,
  release: number,
  dialect: Dialect,
): { readonly errors: readonly string[]; readonly notes: readonly string[] } {
  const errors: string[] = [];
  const notes: string[] = [];
  for (const { group, version } of named) {
    const ofGroup = lifecycles().filter((row) => groupOf(row, dialect) === group && row.introduced <= release);
    const rows = ofGroup.filter((row) => row.version === version);
    const shown = group === '' ? version : `${group}/${version}`;
    if (ofGroup.length === 0) errors.push(`--runtime-config: there is no API group ${group || '""'} here`);
    else if (rows.length === 0) errors.push(`--runtime-config: there is no version ${shown} in release 1.${release}`);
    else if (!rows.some((row) => exists(row, release))) {
      notes.push(`--runtime-config: ${shown} is not in release 1.${release} any more, so that the key changes nothing`);
    }
  }
  return { errors, notes };
}
