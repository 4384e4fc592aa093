import { isRecord } from '../harness/json.ts';
import { compare, type SeenDifference } from '../sequences/compare.ts';
import type { Played } from '../sequences/play.ts';
import type { Sequence, Step } from '../sequences/step.ts';

/**
 * Of all that sequences ask, what the text determines: the rest is left to checks of its own, or to nobody. A step is
 * left out of a sequence where what comes of it is open, as are those in which the real service departs from the text.
 */
export function determinedIn({ area, steps }: Sequence): Sequence {
  return { area, steps: steps.filter((step) => step.open !== true && isDetermined(step)) };
}

/** Resources of which the text says what they hold, and those that it speaks of as examples of any. */
const SPOKEN_OF =
  /\/(configmaps|secrets|serviceaccounts|leases|roles|clusterroles|rolebindings|clusterrolebindings|validatingwebhookconfigurations|customresourcedefinitions|widgets|planets|[a-z]+reviews|selfsubjectreviews)(\/|\?|$)/;

/** Parameters, headers and parts of bodies of which the outcome is open, or differs from text to service. */
const OPEN: readonly RegExp[] = [
  /dryRun=(&|$|Some|All&dryRun)/,
  /fieldManager=(&|$|m{20})|force=1/,
  /fieldValidation=Loose/,
  /gracePeriodSeconds|orphanDependents|propagationPolicy|pretty=|timeoutSeconds/,
  /limit=(x|-1|0)|fieldSelector=(none|spec)|labelSelector=%3D|continue=bm9uZQ/,
  /resourceVersion=(abc|9|<<|&|0|$|1$)|resourceVersionMatch|continue=/,
];

/** Collections of types of which a server may place objects of its own in each namespace, which no label selects surely. */
const AMONG_OTHERS = /\/(configmaps|secrets|serviceaccounts)(\?|$)/;
/** A page of a type of which a server may have objects of its own: which ones stand on it is the server's business. */
const PAGE_AMONG_OTHERS = /\/(?!widgets|planets)[a-z]+\?(.*&)?limit=/;

function isDetermined({ as, method, path, headers = {}, text, form, body }: Step): boolean {
  if (!SPOKEN_OF.test(path) || OPEN.some((pattern) => pattern.test(path))) return false;
  if (PAGE_AMONG_OTHERS.test(path) || (method === 'GET' && AMONG_OTHERS.test(path))) return false;
  if (text !== undefined || form !== undefined) return false;
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) return false;
  if (as !== 'admin' && typeof as === 'object' && 'token' in as && as.token !== '<<tok.status.token>>') return false;
  const { accept, ...others } = headers;
  if (accept !== undefined || others['accept-encoding'] !== undefined) return false;
  // What is impersonated without a user is refused by a code of the server's choice.
  const impersonates = Object.keys(others).some((name) => name.startsWith('impersonate-'));
  if (impersonates && (others['impersonate-user'] ?? '') === '') return false;
  return !isOpenBody(method, path, headers['content-type'] ?? '', body);
}

/** Members of a body that are open where they are sent. */
const OPEN_MEMBERS: ReadonlySet<string> = new Set([
  'managedFields',
  'ownerReferences',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'uid',
  'status',
  'immutable',
  'binaryData',
  'preconditions',
  'propagationPolicy',
  'gracePeriodSeconds',
  'dryRun',
  'unknown',
  '$setElementOrderList',
]);

function isOpenBody(method: string, path: string, type: string, body: unknown): boolean {
  if (/\/(status|scale|nothing)(\?|$)/.test(path) || path.endsWith('rulesreviews')) return true;
  // What a star means in a question is open.
  if (/accessreviews/.test(path) && JSON.stringify(body).includes('*')) return true;
  if (method === 'DELETE') return body !== undefined;
  // Of a JSON patch, what each operation makes of what is not there differs.
  if (type.includes('json-patch'))
    return !JSON.stringify(body).includes('"/rules"') && !JSON.stringify(body).includes('"/roleRef"');
  if (!isRecord(body)) return body !== undefined;
  if (method === 'POST' && (body.kind === undefined || String(body.kind).endsWith('List') || body.kind === 'Other'))
    return true;
  if (body.apiVersion === 'v7' || String(body.apiVersion).startsWith('core/')) return true;
  if (hasUrlOfService(body.webhooks)) return true;
  return hasOpenMember(body) || hasOddMetadata(body.metadata) || hasPersonOfNamespace(body.subjects);
}

/** Whether the url of a webhook names an in-cluster service: the text forbids it, the real service stores it. */
function hasUrlOfService(webhooks: unknown): boolean {
  if (!Array.isArray(webhooks)) return false;
  return webhooks.some(
    (hook) => isRecord(hook) && isRecord(hook.clientConfig) && /\.svc([:/.]|$)/.test(String(hook.clientConfig.url)),
  );
}

/** Whether a binding names a user or group with a namespace: the text refuses its rights, the real service grants them. */
function hasPersonOfNamespace(subjects: unknown): boolean {
  if (!Array.isArray(subjects)) return false;
  return subjects.some(
    (subject) => isRecord(subject) && subject.kind !== 'ServiceAccount' && subject.namespace !== undefined,
  );
}

function hasOpenMember(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOpenMember);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([name, inner]) => OPEN_MEMBERS.has(name) || hasOpenMember(inner));
}

function hasOddMetadata(metadata: unknown): boolean {
  if (!isRecord(metadata)) return false;
  const { labels, finalizers, annotations, resourceVersion, namespace, name } = metadata;
  const texts = (map: unknown) =>
    map === undefined ||
    (isRecord(map) && Object.values(map).every((each) => typeof each === 'string' || each === null));
  if (!texts(labels) || !texts(annotations)) return true;
  if (
    finalizers !== undefined &&
    finalizers !== null &&
    !(Array.isArray(finalizers) && finalizers.every((each) => /^\S+\/\S+$/.test(String(each))))
  )
    return true;
  if (resourceVersion !== undefined && !/^<</.test(String(resourceVersion))) return true;
  return (
    namespace !== undefined ||
    name === null ||
    (name === undefined && metadata.generateName === undefined && Object.keys(metadata).length === 0)
  );
}

/** Where two servers differ in what the text determines. */
export function determinedDifferences(steps: readonly Step[], first: Played, second: Played): SeenDifference[] {
  return compare(first.seen, second.seen).filter((difference) => isDeterminedDifference(steps, difference));
}

/** Whether the target alone has annotations that nothing in the sequence names, as admission may give them (1/dry-run/4). */
export function isAnnotationOfAdmission(
  steps: readonly Step[],
  path: string,
  first: unknown,
  second: unknown,
): boolean {
  const [, name] = /(?:^|\.)metadata\.annotations(?:\.(.+))?$/.exec(path) ?? [path, ''];
  if (name === '' || (first !== undefined) === (second !== undefined)) return false;
  const there = first ?? second;
  const names = name === undefined ? Object.keys(isRecord(there) ? there : {}) : [name];
  const asked = JSON.stringify(steps);
  return names.every((each) => !asked.includes(each));
}

/** Codes that the text names for what they mean. */
const NAMED: ReadonlySet<number> = new Set([401, 403]);
/** Of what is stored, the parts that a client wrote or that the text says are kept for it. */
const KEPT =
  /^(metadata\.(name|namespace|labels|annotations|finalizers|uid|deletionTimestamp)|data|rules|roleRef|subjects|spec|aggregationRule|webhooks)(\.|$)/;

function isDeterminedDifference(
  steps: readonly Step[],
  { what, path, first, second, step, wording }: SeenDifference,
): boolean {
  if (wording || isAnnotationOfAdmission(steps, path, first, second)) return false;
  if (path === 'status') {
    const [a, b] = [Number(first), Number(second)];
    if (a < 300 !== b < 300) return true;
    if (what !== 'answer') return a !== b;
    return a !== b && (NAMED.has(a) || NAMED.has(b)) && a >= 400;
  }
  if (what === 'object') return KEPT.test(path);
  if (what !== 'answer') return false;
  const asked = steps[step]?.path ?? '';
  if (/accessreviews/.test(asked)) return path === 'status.allowed';
  if (/selfsubjectreviews/.test(asked)) return /^status\.userInfo\.(username|groups|extra)/.test(path);
  return KEPT.test(path) || path === 'items.length';
}
