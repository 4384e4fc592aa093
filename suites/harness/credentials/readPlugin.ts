import { dirname, isAbsolute, join } from 'node:path';
import { isRecord } from '../json.ts';
import type { ClusterInfo, ExecPlugin, InteractiveMode } from './execPlugin.ts';
import { PluginFailed } from './execPlugin.ts';

const VERSIONS = /^client\.authentication\.[a-z0-9.-]+\/(v1|v1beta1)$/;
const MODES: readonly InteractiveMode[] = ['Never', 'IfAvailable', 'Always'];

/** Name of the extension of a cluster that holds what plugins are to know of it, by the group of the plugin. */
const extensionOf = (apiVersion: string): string => `${apiVersion.split('/')[0]}/exec`;

/**
 * Reads the `exec` part of a user.
 *
 * @param path of the client configuration: a command with a slash in it is relative to its folder.
 * @param cluster as the configuration writes it, with its authority as PEM.
 * @throws PluginFailed that says which part is missing or wrong.
 */
export function readPlugin(
  exec: unknown,
  path: string,
  cluster: {
    readonly source: Readonly<Record<string, unknown>>;
    readonly server: string;
    readonly ca?: string | undefined;
  },
): ExecPlugin {
  if (!isRecord(exec)) throw new PluginFailed('exec is no mapping');
  const apiVersion = text(exec.apiVersion);
  if (!VERSIONS.test(apiVersion)) {
    throw new PluginFailed(
      `exec.apiVersion has to be version v1 or v1beta1 of client.authentication, not ${JSON.stringify(apiVersion)}`,
    );
  }
  const command = text(exec.command);
  if (command === '') throw new PluginFailed('exec.command is missing');
  const args = listOf(exec.args, 'args').map((one, index) => {
    if (typeof one !== 'string') throw new PluginFailed(`exec.args[${index}] is no text`);
    return one;
  });
  const hint = text(exec.installHint);
  return {
    apiVersion,
    command: command.includes('/') && !isAbsolute(command) ? join(dirname(path), command) : command,
    args,
    env: readEnvironment(exec.env),
    interactiveMode: readMode(exec.interactiveMode, apiVersion),
    ...(hint === '' ? {} : { installHint: hint }),
    ...(exec.provideClusterInfo === true ? { cluster: clusterInfo(cluster, extensionOf(apiVersion)) } : {}),
  };
}

function readEnvironment(value: unknown): Record<string, string> {
  return Object.fromEntries(
    listOf(value, 'env').map((one, index) => {
      if (!isRecord(one) || text(one.name) === '') throw new PluginFailed(`exec.env[${index}] has no name`);
      return [text(one.name), text(one.value)];
    }),
  );
}

/** It has to be said in v1, and may be left out in v1beta1. */
function readMode(value: unknown, apiVersion: string): InteractiveMode {
  if (value === undefined && apiVersion.endsWith('/v1beta1')) return 'IfAvailable';
  const mode = MODES.find((each) => each === value);
  if (!mode) throw new PluginFailed(`exec.interactiveMode has to be one of ${MODES.join(', ')}`);
  return mode;
}

function clusterInfo({ source, server, ca }: Parameters<typeof readPlugin>[2], extension: string): ClusterInfo {
  const given = listOf(source.extensions, 'extensions').find((one) => isRecord(one) && one.name === extension);
  const [serverName, proxy] = [text(source['tls-server-name']), text(source['proxy-url'])];
  return {
    server,
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(source['insecure-skip-tls-verify'] === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(serverName === '' ? {} : { 'tls-server-name': serverName }),
    ...(proxy === '' ? {} : { 'proxy-url': proxy }),
    ...(isRecord(given) ? { config: given.extension } : {}),
  };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new PluginFailed(`exec.${name} is no list`);
  return value;
}
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
