import { parseBoolean } from './flag.ts';

/** Which API versions and resources are served, as far as `--runtime-config` tells. */
export interface RuntimeConfig {
  /** `undefined` where the flag is silent, so that the version's own default counts. */
  version(group: string, version: string): boolean | undefined;
  /** `undefined` where the flag is silent; otherwise it overrules what holds for the version. */
  resource(group: string, version: string, resource: string): boolean | undefined;
  /** Groups named, for the check that they exist; the core group is the empty one. */
  readonly groups: readonly string[];
}

type Stage = 'ga' | 'beta' | 'alpha';
/** Wholesale keys, from the widest to the narrowest: a later one overrules an earlier one. */
const WHOLESALE = ['api/all', 'api/ga', 'api/beta', 'api/alpha'] as const;

function stageOf(version: string): Stage {
  return /^v\d+alpha\d+$/.test(version) ? 'alpha' : /^v\d+beta\d+$/.test(version) ? 'beta' : 'ga';
}

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
  const groups = new Set<string>();

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
    groups.add(group);
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
        wholesale.get(`api/${stageOf(version)}`) ??
        // The core group stays whatever else is taken away.
        (group === '' ? undefined : wholesale.get('api/all')),
      resource: (group, version, resource) => resources.get(`${group}/${version}/${resource}`),
      groups: [...groups],
    },
  };
}

/**
 * Errors for groups that this server does not have.
 *
 * @param known names of all built-in groups, served or not; the core group is the empty one
 */
export function unknownGroups(config: RuntimeConfig, known: ReadonlySet<string>): string[] {
  return config.groups
    .filter((group) => !known.has(group))
    .map((group) => `--runtime-config: there is no API group ${group || '""'} here`);
}
