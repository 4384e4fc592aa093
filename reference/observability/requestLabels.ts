import type { Exchange, RequestInfo } from '../api/request.ts';
import type { Endpoint, ResourceRegistry } from '../contracts/resourceRegistry.ts';

/** Where a request leads; undefined where it leads nowhere. */
export function endpointOf(info: RequestInfo, registry: ResourceRegistry): Endpoint | undefined {
  return info.isResource ? registry.endpoint(info.group, info.version, info.resource, info.subresource) : undefined;
}

/** Labels by which requests are counted. What leads nowhere is counted without names, so that clients cannot make up new ones. */
export interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
  readonly component: string;
  readonly dry_run: string;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'CONNECT']);
const BY_VERB: Readonly<Record<string, string>> = {
  list: 'LIST',
  watch: 'WATCH',
  deletecollection: 'DELETECOLLECTION',
};

export function requestLabels({ info, request }: Exchange, known: boolean): RequestLabels {
  const method = METHODS.has(request.method) ? request.method : 'other';
  const dryRun = request.query.get('dryRun') === 'All' ? 'All' : '';
  if (!info.isResource || !known) {
    return {
      verb: method,
      group: '',
      version: '',
      resource: '',
      subresource: info.isResource ? '' : (knownPath(info.path) ?? ''),
      scope: '',
      component: 'apiserver',
      dry_run: dryRun,
    };
  }
  const type = String(request.headers['content-type'] ?? '');
  const applies = info.verb === 'patch' && type.startsWith('application/apply-patch');
  return {
    verb: applies ? 'APPLY' : (BY_VERB[info.verb] ?? method),
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    scope: info.name || info.verb === 'create' ? 'resource' : info.namespace ? 'namespace' : 'cluster',
    component: 'apiserver',
    dry_run: dryRun,
  };
}

const PATHS = ['/healthz', '/livez', '/readyz', '/metrics', '/version', '/openapi', '/apis', '/api'];
function knownPath(path: string): string | undefined {
  return PATHS.find((known) => path === known || path.startsWith(`${known}/`));
}
