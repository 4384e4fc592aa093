import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { readCertificates, readPrivateKey } from '../codecs/pem.ts';
import { parseObject } from '../codecs/yamlFile.ts';
import type { RemoteService } from '../contracts/remoteService.ts';
import { ContentFault, type Files, readIn } from '../ports/files.ts';
import { besideFile } from '../ports/paths.ts';

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/**
 * Reads a client configuration file (2/webhook-token-flags): the cluster and the user of its current context.
 *
 * @throws ContentFault, FileFault naming what is missing or wrong
 */
export function readClientConfig(path: string, files: Files): RemoteService {
  const config = readIn(files, path, parseObject);
  const fault = (what: string) => new ContentFault(`${path}: ${what}`);
  const current = text(config['current-context']);
  if (current === '') throw fault('it has no current-context');
  const context = entry(config.contexts, current, 'context');
  if (!context) throw fault(`there is no context ${current}`);
  const cluster = entry(config.clusters, text(context.cluster), 'cluster');
  if (!cluster) throw fault(`there is no cluster ${text(context.cluster)}`);
  const userName = text(context.user);
  const user = userName === '' ? {} : entry(config.users, userName, 'user');
  if (!user) throw fault(`there is no user ${userName}`);

  const url = text(cluster.server);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw fault(`server ${url} is no URL`);
  /** The text under a name: inline in base64, or in a file beside the configuration. */
  const part = (from: JsonObject, name: string): string | undefined => {
    const inline = text(from[`${name}-data`]);
    if (inline !== '') return Buffer.from(inline, 'base64').toString();
    const file = text(from[name]);
    return file === '' ? undefined : files.read(besideFile(path, file));
  };
  const ca = part(cluster, 'certificate-authority');
  const certificate = part(user, 'client-certificate');
  const key = part(user, 'client-key');
  if ((certificate === undefined) !== (key === undefined))
    throw fault('client-certificate and client-key belong together');
  try {
    if (ca !== undefined) readCertificates(ca);
    if (certificate !== undefined) readCertificates(certificate);
    if (key !== undefined) readPrivateKey(key);
  } catch (error) {
    if (error instanceof ContentFault) throw fault(error.message);
    throw error;
  }
  const tokenFile = text(user.tokenFile);
  return {
    url,
    ca,
    serverName: text(cluster['tls-server-name']) || undefined,
    insecure: cluster['insecure-skip-tls-verify'] === true,
    clientCertificate: certificate !== undefined && key !== undefined ? { certificate, key } : undefined,
    token:
      text(user.token) || (tokenFile === '' ? undefined : files.read(besideFile(path, tokenFile)).trim()) || undefined,
  };
}

/** The content of the named entry of a list `[{name, <member>: {…}}]`. */
function entry(list: Json | undefined, name: string, member: string): JsonObject | undefined {
  for (const one of Array.isArray(list) ? list : []) {
    if (isObject(one) && one.name === name) return isObject(one[member]) ? one[member] : {};
  }
  return undefined;
}
