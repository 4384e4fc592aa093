import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { Exchange } from '../api/request.ts';
import { userInfo } from '../authentication/identityReviews.ts';
import { pathMatches } from '../authorization/rules.ts';
import type { AuditRule } from '../options/auditPolicy.ts';
import type { AuditOptions } from '../options/serverOptions.ts';
import type { Observed, Observer } from '../pipeline.ts';
import type { ResourceRegistry } from '../resources/registry.ts';
import { formatMicroTime } from '../time.ts';
import type { Reply } from '../transport/reply.ts';
import { endpointOf } from './requestLabels.ts';

/** Where audit events go, one JSON object a line. */
export interface AuditSink {
  write(line: string): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/**
 * Opens the log that the options name; undefined when they name none.
 *
 * @throws Error of the file system when it cannot be opened
 */
export async function openAuditSink({ logPath }: AuditOptions): Promise<AuditSink | undefined> {
  if (logPath === undefined) return undefined;
  if (logPath === '-') return { write: (line) => void process.stdout.write(`${line}\n`), close: async () => {} };
  const stream: Writable = createWriteStream(logPath, { flags: 'a', mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', reject);
  });
  return {
    write: (line) => void stream.write(`${line}\n`),
    async close() {
      stream.end();
      await finished(stream);
    },
  };
}

/** Writes an audit event for every request that the policy does not leave out. */
export class AuditLog implements Observer {
  readonly #sink: AuditSink;
  readonly #policy: readonly AuditRule[] | undefined;
  readonly #dialect: Dialect;
  readonly #registry: ResourceRegistry;

  constructor(sink: AuditSink, options: AuditOptions, dialect: Dialect, registry: ResourceRegistry) {
    this.#sink = sink;
    this.#policy = options.policy;
    this.#dialect = dialect;
    this.#registry = registry;
  }

  ended(observed: Observed, reply: Reply): void {
    const stage = reply.kind === 'stream' ? 'ResponseStarted' : 'ResponseComplete';
    const rule = this.#policy?.find((one) => fits(one, observed.exchange));
    if (this.#policy && (!rule || rule.level === 'None' || rule.omitStages.includes(stage))) return;
    this.#sink.write(JSON.stringify(this.#event(observed, reply, stage)));
  }

  #event({ exchange, auditId, received, took }: Observed, reply: Reply, stage: string) {
    const { info, request, user, audit } = exchange;
    const annotations = Object.fromEntries(audit);
    const deprecation = endpointOf(info, this.#registry)?.version.deprecation;
    if (deprecation) {
      annotations[`${this.#dialect.apiDomain}/deprecated`] = 'true';
      if (deprecation.removedRelease) {
        annotations[`${this.#dialect.apiDomain}/removed-release`] = deprecation.removedRelease;
      }
    }
    return {
      kind: 'Event',
      apiVersion: `${groupName(this.#dialect, 'audit')}/v1`,
      level: 'Metadata',
      auditID: auditId,
      stage,
      requestURI: request.target,
      verb: info.verb,
      user: userInfo(user),
      sourceIPs: request.remoteAddress ? [request.remoteAddress] : undefined,
      userAgent: request.headers['user-agent'],
      objectRef: info.isResource
        ? {
            resource: info.resource,
            namespace: info.namespace || undefined,
            name: info.name || undefined,
            apiGroup: info.group || undefined,
            apiVersion: info.version,
            subresource: info.subresource || undefined,
          }
        : undefined,
      responseStatus: { metadata: {}, code: reply.code },
      requestReceivedTimestamp: formatMicroTime(received),
      stageTimestamp: formatMicroTime(received + took),
      annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
    };
  }
}

const matches = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);

function fits(rule: AuditRule, { info, user }: Exchange): boolean {
  if (!matches(rule.users, user.username) || !matches(rule.verbs, info.verb)) return false;
  if (rule.userGroups.length > 0 && !rule.userGroups.some((group) => user.groups.includes(group))) return false;
  if (!info.isResource) {
    const forResources = rule.namespaces.length > 0 || rule.resources.length > 0;
    if (forResources) return false;
    return rule.nonResourceURLs.length === 0 || rule.nonResourceURLs.some((url) => pathMatches(url, info.path));
  }
  if (rule.nonResourceURLs.length > 0 || !matches(rule.namespaces, info.namespace)) return false;
  if (rule.resources.length === 0) return true;
  const asked = info.subresource ? `${info.resource}/${info.subresource}` : info.resource;
  return rule.resources.some(
    ({ group, resources, resourceNames }) =>
      group === info.group &&
      (resources.length === 0 ||
        resources.some(
          (one) =>
            one === '*' ||
            one === asked ||
            (one.endsWith('/*') && one.slice(0, -2) === info.resource) ||
            (one.startsWith('*/') && one.slice(2) === info.subresource),
        )) &&
      matches(resourceNames, info.name),
  );
}
