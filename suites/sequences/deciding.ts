import type { RequirementId } from '../../fixtures/ledger/index.ts';
import { isRecord } from '../harness/json.ts';
import type { SeenDifference } from './compare.ts';
import type { Step } from './step.ts';

/** Where two servers came to differ: the last step that matters, and what differs. */
export interface Place {
  readonly step: Step;
  readonly difference: SeenDifference;
}

/** A request read as what it asks for. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly accept: string;
  readonly difference: SeenDifference;
  readonly step: Step;
  /** Whether one answers with success and the other with an error. */
  readonly refused: boolean;
}

type Row = readonly [RequirementId, (asked: Asked) => boolean];

const has =
  (name: string) =>
  ({ query }: Asked) =>
    query.has(name);
const writes = ({ method }: Asked) => method !== 'GET' && method !== 'HEAD';
const reads = (asked: Asked) => !writes(asked);
const on =
  (...plurals: readonly string[]) =>
  ({ path }: Asked) =>
    plurals.some((plural) => path.includes(`/${plural}`));
const patches =
  (kind: string) =>
  ({ method, contentType }: Asked) =>
    method === 'PATCH' && contentType.includes(kind);
const both =
  (...conditions: readonly ((asked: Asked) => boolean)[]) =>
  (asked: Asked) =>
    conditions.every((condition) => condition(asked));
const differsIn =
  (pattern: RegExp) =>
  ({ difference }: Asked) =>
    pattern.test(difference.path);
const status =
  (...codes: readonly number[]) =>
  ({ difference: { path, first, second } }: Asked) =>
    path === 'status' && codes.some((code) => first === code || second === code);
const event = ({ difference }: Asked) => difference.what === 'events';
const someone = ({ step }: Asked) => step.as !== 'admin';
const deletes = ({ method }: Asked) => method === 'DELETE';
const word =
  (text: string) =>
  ({ step }: Asked) =>
    JSON.stringify(step.body ?? '').includes(text);

/** The requirement that a difference is about, by what was asked and what differs; the first row that fits. */
const ROWS: readonly Row[] = [
  ['DRYRUN-VALUE-03', both(has('dryRun'), ({ query }) => !['', 'All'].includes(query.get('dryRun') ?? ''))],
  ['DRYRUN-EFFECT-01', both(has('dryRun'), ({ difference }) => difference.what !== 'answer')],
  ['DRYRUN-VALUE-01', has('dryRun')],
  [
    'FIELDS-VALUE-01',
    both(
      has('fieldValidation'),
      ({ query }) => !['Strict', 'Warn', 'Ignore'].includes(query.get('fieldValidation') ?? ''),
    ),
  ],
  ['FIELDS-WARN-01', both(has('fieldValidation'), differsIn(/^warnings/))],
  ['FIELDS-STRICT-01', both(has('fieldValidation'), ({ query }) => query.get('fieldValidation') === 'Strict')],
  ['FIELDS-IGNORE-01', has('fieldValidation')],
  ['DEPRECATED-WARNING-01', both(reads, differsIn(/^warnings/))],
  ['FIELDS-WARN-01', differsIn(/^warnings/)],
  ['DEPRECATED-METRIC-01', on('metrics')],
  ['HEALTH-PATH-01', on('healthz', 'livez', 'readyz')],
  ['ERROR-UNAUTHENTICATED-01', status(401)],
  ['BOOTSTRAP-TOKEN-01', on('secrets/bootstrap-token')],
  ['BOOTSTRAP-SIGNER-01', on('configmaps/cluster-info')],
  [
    'AUTHZ-IMPERSONATE-01',
    ({ step }) => Object.keys(step.headers ?? {}).some((name) => name.startsWith('impersonate-')),
  ],
  ['TOKENREVIEW-SERVED-01', on('tokenreviews')],
  ['WHOAMI-REQUEST-01', on('selfsubjectreviews')],
  ['SATOKEN-IDENTITY-01', on('serviceaccounts/sa/token', 'serviceaccounts/imp/token')],
  ['REVIEW-LOCAL-01', on('localsubjectaccessreviews')],
  ['REVIEW-RULES-01', on('selfsubjectrulesreviews')],
  ['REVIEW-SELF-01', on('selfsubjectaccessreviews')],
  ['RBAC-RULE-01', on('subjectaccessreviews')],
  [
    'RBAC-ESCALATION-01',
    both(on('roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'), writes, someone, status(403)),
  ],
  ['AUTHZ-DEFAULT-01', status(403)],
  ['RBAC-AGGREGATE-01', both(on('clusterroles'), differsIn(/^rules/))],
  [
    'CRB-ROLEREF-01',
    both(on('rolebindings', 'clusterrolebindings'), ({ step }) => JSON.stringify(step.body ?? '').includes('roleRef')),
  ],
  ['CRB-SUBJECTS-01', on('rolebindings', 'clusterrolebindings')],
  ['RBAC-KIND-01', both(on('roles', 'clusterroles'), writes)],
  ['RBAC-DEFAULT-01', on('clusterroles')],
  ['VWC-RULES-01', both(on('validatingwebhookconfigurations'), writes, word('operations'))],
  ['VWC-OBJECT-01', both(on('validatingwebhookconfigurations'), writes)],
  ['DISCOVERY-RESOURCE-01', ({ path }) => /^\/(api(\/[^/]+)?|apis(\/[^/]+){0,2})$/.test(path)],
  ['DISCOVERY-OPENAPI-01', on('openapi')],
  ['WATCH-BOOKMARK-01', both(event, has('allowWatchBookmarks'))],
  ['STREAM-INITIAL-01', both(event, has('sendInitialEvents'))],
  ['STREAM-INITIAL-01', has('sendInitialEvents')],
  ['WATCH-FILTER-01', both(event, has('labelSelector'))],
  ['WATCH-RV-01', both(event, has('resourceVersion'))],
  ['WATCH-RELIABLE-01', event],
  ['WATCH-STREAM-01', has('watch')],
  ['CHUNK-TOKEN-01', has('continue')],
  ['CHUNK-REMAINING-01', differsIn(/remainingItemCount/)],
  ['LIST-RV-01', both(reads, has('resourceVersionMatch'))],
  ['CHUNK-LIMIT-01', both(reads, has('limit'))],
  ['OP-LIST-01', both(reads, ({ query }) => query.has('labelSelector') || query.has('fieldSelector'))],
  ['GET-RV-01', both(reads, has('resourceVersion'))],
  ['TABLE-SHAPE-01', ({ accept }) => accept.includes('as=')],
  ['NEGOTIATE-ACCEPT-01', status(406)],
  ['NEGOTIATE-CONTENT-01', status(415)],
  ['NEGOTIATE-ACCEPT-01', both(({ accept }) => accept !== '', differsIn(/^header/))],
  ['GZIP-ACCEPT-01', differsIn(/content-encoding/)],
  ['JSON-DEFAULT-01', differsIn(/^header content-type/)],
  ['YAML-REQUEST-01', ({ contentType, method }) => contentType.includes('yaml') && method !== 'PATCH'],
  ['PROTOBUF-REQUEST-01', ({ contentType }) => contentType.includes('protobuf')],
  ['META-MANAGED-01', both(differsIn(/managedFields/), (asked) => !patches('apply')(asked))],
  ['APPLY-MANAGER-01', both(patches('apply'), differsIn(/managedFields\.\d+\.manager/))],
  ['APPLY-FORCE-01', both(patches('apply'), has('force'))],
  ['APPLY-CONFLICT-01', both(patches('apply'), status(409))],
  ['APPLY-CREATE-01', both(patches('apply'), status(201, 404))],
  ['APPLY-MERGE-01', patches('apply')],
  ['JSONPATCH-OPERATION-01', patches('json-patch')],
  ['STRATEGIC-MERGE-01', patches('strategic')],
  ['MERGEPATCH-RULE-01', patches('merge-patch')],
  ['VERB-PUT-01', both(({ method }) => method === 'PUT', status(201))],
  ['UPDATE-VERSION-01', both(({ method }) => method === 'PUT', status(409))],
  ['UPDATE-REPLACE-01', ({ method }) => method === 'PUT'],
  ['DELETE-OPTIONS-01', both(deletes, ({ step, query }) => step.body !== undefined || query.has('propagationPolicy'))],
  ['DELETE-COLLECTION-01', both(deletes, ({ difference }) => difference.what === 'collection')],
  ['DELETE-PHASE-01', deletes],
  ['META-GENERATE-01', ({ step }) => JSON.stringify(step.body ?? '').includes('generateName')],
  ['META-UID-01', differsIn(/metadata\.uid/)],
  ['META-VERSION-01', differsIn(/metadata\.resourceVersion/)],
  ['META-CREATED-01', differsIn(/metadata\.creationTimestamp/)],
  ['META-DELETION-01', differsIn(/metadata\.deletionTimestamp/)],
  ['META-FINALIZERS-01', differsIn(/metadata\.finalizers/)],
  ['META-LABELS-01', differsIn(/metadata\.labels/)],
  ['META-TYPE-01', differsIn(/^(kind|apiVersion)/)],
  ['NAME-UNIQUE-01', both(({ method }) => method === 'POST', status(409))],
  ['URL-UNKNOWN-01', both(reads, status(404, 405), ({ path }) => !/namespaces\/\{/.test(path))],
  ['GET-MISSING-01', both(reads, status(404))],
  [
    'FIELDS-TYPE-01',
    both(
      ({ method }) => method === 'POST',
      ({ refused }) => refused,
    ),
  ],
];

/** What the text says of any content that was accepted: it is kept and shown again. */
const CONTENT: RequirementId = 'STORE-PERSIST-01';

/** Whether a difference is in content that a client wrote: in what this request states, or what is read of others. */
function isContent({ difference: { path }, step }: Asked): boolean {
  const [member = '', ...within] = path.replace(/^items\.\d+\./, '').split('.');
  if (/^(header |status$|warnings|body$)/.test(path) || ['metadata', 'status', 'kind', 'apiVersion'].includes(member))
    return false;
  return step.body === undefined || states(step.body, [member, ...within]);
}

/** Whether a body has something at these members, or a value that stands for all below it. */
function states(body: unknown, [member, ...within]: readonly string[]): boolean {
  if (member === undefined || !isRecord(body)) return true;
  return Object.hasOwn(body, member) && states(body[member], within);
}

/** The requirement that decides a difference; undefined where the text leaves it open. */
export function decidedBy({ step, difference }: Place): RequirementId | undefined {
  if (difference.wording || differsOpenly(difference)) return undefined;
  const [path = '', query = ''] = step.path.split('?');
  const { path: where, first, second } = difference;
  const refused = where === 'status' && Number(first) < 400 !== Number(second) < 400;
  const asked: Asked = {
    method: step.method,
    path,
    query: new URLSearchParams(query),
    contentType: step.headers?.['content-type'] ?? (step.form ? step.form : ''),
    accept: step.headers?.accept ?? '',
    difference,
    step,
    refused,
  };
  return ROWS.find(([, fits]) => fits(asked))?.[0] ?? (isContent(asked) ? CONTENT : undefined);
}

/** Codes that say the same to a client, and parts of errors that no text names. */
function differsOpenly({ path, first, second, what }: SeenDifference): boolean {
  if (what === 'answer' && /^(reason|code|details|metadata$)/.test(path)) return true;
  if (path !== 'status') return false;
  const [a, b] = [Number(first), Number(second)];
  return LIKE.some((codes) => codes.has(a) && codes.has(b));
}

/** Where the text says that a request is refused, it seldom says by which of these. */
const LIKE: readonly ReadonlySet<number>[] = [new Set([400, 422]), new Set([404, 405]), new Set([400, 415])];
