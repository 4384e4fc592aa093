import { departs, type Follow } from '../../../fixtures/follow.ts';
import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { dns1123Subdomain, portNumber } from '../../api/nameRules.ts';
import { numberOf, textOf } from '../../api/parts.ts';
import { X509Certificate } from '../../ports/keys.ts';
import type { RuleContext } from '../builtinType.ts';
import { splitUrl, UrlError, type UrlParts } from './webhookUrl.ts';

const FORM = 'desired format: https://host[/path]';

/**
 * How to reach a hook: exactly one of a URL and a service (1/validatingwebhookconfiguration/t1.5).
 *
 * @param readsBundle whether the content of caBundle is judged
 */
export function validateClientConfig(
  config: JsonObject,
  path: FieldPath,
  { follow }: Pick<RuleContext, 'follow'>,
  readsBundle = !departs(follow, 'webhook-ca-bundle-unchecked'),
): FieldError[] {
  const { url, service } = config;
  const errors: FieldError[] = [];
  if ((url === undefined) === !isObject(service)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) errors.push(...validateUrl(textOf(url), path.child('url'), follow));
  else if (isObject(service)) errors.push(...validateService(service, path.child('service')));
  if (readsBundle) errors.push(...validateBundle(textOf(config.caBundle), path.child('caBundle')));
  return errors;
}

function validateUrl(url: string, path: FieldPath, follow: Follow): FieldError[] {
  let parts: UrlParts;
  try {
    parts = splitUrl(url);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return [required(path, `url must be a valid URL: ${error.message}; ${FORM}`)];
  }
  const { scheme, host, user, fragment, query } = parts;
  const errors: FieldError[] = [];
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme; ${FORM}`));
  if (host === '') errors.push(invalid(path, host, `host must be specified; ${FORM}`));
  if (namesService(host) && !departs(follow, 'webhook-url-of-service')) {
    errors.push(invalid(path, host, 'host must not name a service of the cluster; use service instead'));
  }
  if (user !== undefined) errors.push(invalid(path, user, 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

/** Names of services end in `.svc`, or in that and the domain of the cluster. */
const SERVICE_HOST = /\.svc(\.cluster\.local)?\.?(:[0-9]*)?$/i;

/** Whether a host, with or without a port, is the name by which a cluster knows a service. */
function namesService(host: string): boolean {
  return SERVICE_HOST.test(host);
}

function validateService(service: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  // The service tells a missing name by the path of the namespace, and the other way round.
  if (textOf(service.namespace) === '') errors.push(required(path.child('name')));
  if (textOf(service.name) === '') errors.push(required(path.child('namespace')));
  const port = numberOf(service.port) ?? 443;
  for (const fault of portNumber(port)) errors.push(invalid(path.child('port'), port, `port is not valid: ${fault}`));
  const text = textOf(service.path);
  return [...errors, ...pathFaults(text).map((fault) => invalid(path.child('path'), text, fault))];
}

function pathFaults(path: string): string[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return ['segment[0] may not be empty'];
  const faults = path.startsWith('/') ? [] : ["must start with a '/'"];
  const inner = path.slice(1);
  for (const [index, segment] of (inner.endsWith('/') ? inner.slice(0, -1) : inner).split('/').entries()) {
    if (segment === '') faults.push(`segment[${index}] may not be empty`);
    else faults.push(...dns1123Subdomain(segment).map((fault) => `segment[${index}]: ${fault}`));
  }
  return faults;
}

/** caBundle holds certificates in PEM form (1/validatingwebhookconfiguration/t1.4). */
function validateBundle(base64: string, path: FieldPath): FieldError[] {
  if (base64 === '') return [];
  return isBundle(Buffer.from(base64, 'base64').toString('latin1'))
    ? []
    : [invalid(path, '<bytes>', 'must be a PEM bundle of CA certificates')];
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

function isBundle(text: string): boolean {
  const blocks = [...text.matchAll(BLOCK)];
  return blocks.length > 0 && blocks.every((block) => block[1] === 'CERTIFICATE' && isCertificate(block[0]));
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
