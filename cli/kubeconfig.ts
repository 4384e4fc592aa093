import { dirname, isAbsolute, join } from 'node:path';
import { load } from 'js-yaml';
import { type ExecPlugin, PluginFailed } from '../suites/harness/credentials/execPlugin.ts';
import { readPlugin } from '../suites/harness/credentials/readPlugin.ts';
import { isRecord } from '../suites/harness/json.ts';
import type { Identity } from '../suites/harness/target/target.ts';
import { readNamedFile } from './files.ts';
import { suggestion } from './nearest.ts';
import { UsageError } from './usageError.ts';

/** What a context of a kubeconfig says. */
export interface Context {
  readonly name: string;
  readonly base: string;
  /** PEM. */
  readonly ca?: string;
  readonly insecure: boolean;
  readonly identity: Identity;
}

/**
 * Reads one context of a kubeconfig.
 *
 * @param path of the file; relative paths inside it are relative to its folder, as for other clients.
 * @param name of the context; the current one when undefined.
 * @throws UsageError in one sentence that says which part is missing or wrong.
 */
export function readContext(path: string, name?: string): Context {
  const config = parse(path);
  const contexts = entries(config.contexts);
  const wanted = name ?? text(config['current-context']);
  if (!wanted) throw new UsageError(`The kubeconfig ${path} has no current context; choose one with --context.`);
  const context = contexts.get(wanted)?.context;
  if (!isRecord(context)) {
    const names = [...contexts.keys()];
    const has = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    throw new UsageError(`The kubeconfig ${path} has no context ${wanted}; ${has}.${suggestion(wanted, names)}`);
  }
  const cluster = entries(config.clusters).get(text(context.cluster) ?? '')?.cluster;
  if (!isRecord(cluster)) throw new UsageError(`The context ${wanted} of ${path} names a cluster that is not there.`);
  const base = text(cluster.server);
  if (!base) throw new UsageError(`The cluster of context ${wanted} in ${path} has no server.`);
  const user = entries(config.users).get(text(context.user) ?? '')?.user;
  const ca = material(path, cluster, 'certificate-authority');
  return {
    name: wanted,
    base: base.replace(/\/$/, ''),
    ...(ca === undefined ? {} : { ca }),
    insecure: cluster['insecure-skip-tls-verify'] === true,
    identity: isRecord(user) ? identityOf(path, wanted, user, { source: cluster, server: base, ca }) : {},
  };
}

function parse(path: string): Record<string, unknown> {
  const source = readNamedFile(path, 'kubeconfig');
  let config: unknown;
  try {
    config = load(source);
  } catch (error) {
    const first = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new UsageError(`The kubeconfig ${path} is not YAML: ${first}.`);
  }
  if (!isRecord(config)) throw new UsageError(`The kubeconfig ${path} is not a mapping.`);
  return config;
}

function identityOf(
  path: string,
  context: string,
  user: Record<string, unknown>,
  cluster: Parameters<typeof readPlugin>[2],
): Identity {
  const tokenFile = text(user.tokenFile);
  const token =
    text(user.token) ?? (tokenFile ? readNamedFile(beside(path, tokenFile), 'token file').trim() : undefined);
  const certificate = material(path, user, 'client-certificate');
  const key = material(path, user, 'client-key');
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError(`The user of context ${context} in ${path} has only one of client certificate and key.`);
  }
  if (token === undefined && certificate === undefined && user.exec !== undefined) {
    return { exec: pluginOf(path, context, user.exec, cluster) };
  }
  return {
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined ? {} : { certificate, key }),
  };
}

/** The plugin that gives the credentials of a user. It is not run yet. */
function pluginOf(path: string, context: string, exec: unknown, cluster: Parameters<typeof readPlugin>[2]): ExecPlugin {
  try {
    return readPlugin(exec, path, cluster);
  } catch (error) {
    if (!(error instanceof PluginFailed)) throw error;
    throw new UsageError(
      `The user of context ${context} in ${path} has a plugin that cannot be run: ${error.message}.`,
    );
  }
}

/** PEM out of `<name>-data` in base64, or out of the file that `<name>` names; data wins, as for other clients. */
function material(path: string, from: Record<string, unknown>, name: string): string | undefined {
  const data = text(from[`${name}-data`]);
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  const file = text(from[name]);
  return file ? readNamedFile(beside(path, file), name.replaceAll('-', ' ')) : undefined;
}
function beside(path: string, file: string): string {
  return isAbsolute(file) ? file : join(dirname(path), file);
}

/** A list of named entries by name. */
function entries(value: unknown): Map<string, Record<string, unknown>> {
  const list = Array.isArray(value) ? value : [];
  return new Map(
    list.flatMap((each: unknown) => (isRecord(each) && typeof each.name === 'string' ? [[each.name, each]] : [])),
  );
}
function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
