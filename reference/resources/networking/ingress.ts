import { ipFaults } from '../../api/addresses/addressFaults.ts';
import { parseIp } from '../../api/addresses/ipAddress.ts';
import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { dns1123Subdomain, wildcardSubdomain } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { nameFaults, requiredChoiceFaults } from '../validation/fields.ts';
import { validateBackend } from './ingressBackend.ts';

const SPEC = FieldPath.of('spec');
const NO_ADDRESS = 'must be a DNS name, not an IP address';
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const BAD_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_ENDS = ['/..', '/.'];

/** Rules by which web traffic from outside is led to services. */
export const ingressRules: RuleMaker = ({ dialect, release }) => {
  const classAnnotation = `${dialect.labelDomain}/ingress.class`;
  return {
    strategy: {
      validate: (ingress) => [...validate(ingress, undefined, release), ...validateClass(ingress, classAnnotation)],
      validateUpdate: (ingress, old) => validate(ingress, old, release),
      warnings: ({ metadata, spec }, old) =>
        !old && metadata.annotations?.[classAnnotation] !== undefined && objectOf(spec).ingressClassName === undefined
          ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
          : [],
    },
    subresources: { status: { validateUpdate: (ingress, old) => validateStatus(ingress, old, release) } },
  };
};

function validate(ingress: ApiObject, old: ApiObject | undefined, release: number): FieldError[] {
  const spec = objectOf(ingress.spec);
  const errors: FieldError[] = [];
  const rules = objectsOf(spec.rules);
  if (rules.length === 0 && spec.defaultBackend === undefined) {
    errors.push(invalid(SPEC, spec.rules, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (isObject(spec.defaultBackend)) {
    errors.push(...validateBackend(spec.defaultBackend, SPEC.child('defaultBackend'), release));
  }
  for (const [index, rule] of rules.entries()) {
    errors.push(...validateRule(rule, SPEC.child('rules').index(index), release));
  }
  errors.push(...validateTls(objectsOf(spec.tls), objectsOf(objectOf(old?.spec).tls)));
  if (typeof spec.ingressClassName === 'string') {
    errors.push(...nameFaults(spec.ingressClassName, dns1123Subdomain, SPEC.child('ingressClassName')));
  }
  return errors;
}

/** The class was an annotation once; where it is both, both say the same. */
function validateClass({ metadata, spec }: ApiObject, annotation: string): FieldError[] {
  const value = metadata.annotations?.[annotation];
  const name = objectOf(spec).ingressClassName;
  if (value === undefined || name === undefined || value === name) return [];
  return [
    invalid(FieldPath.of('annotations', annotation), value, 'must match `ingressClassName` when both are specified'),
  ];
}

function validateRule(rule: JsonObject, path: FieldPath, release: number): FieldError[] {
  const host = textOf(rule.host);
  const errors: FieldError[] = [];
  if (host !== '') {
    if (parseIp(host)) errors.push(invalid(path.child('host'), host, NO_ADDRESS));
    errors.push(...nameFaults(host, hostRule(host), path.child('host')));
  }
  if (!isObject(rule.http)) return errors;
  const paths = objectsOf(rule.http.paths);
  const pathsPath = path.child('http', 'paths');
  if (paths.length === 0) errors.push(required(pathsPath));
  return [...errors, ...paths.flatMap((one, index) => validatePath(one, pathsPath.index(index), release))];
}

function hostRule(host: string) {
  return host.includes('*') ? wildcardSubdomain : dns1123Subdomain;
}

function validatePath(rule: JsonObject, path: FieldPath, release: number): FieldError[] {
  if (rule.pathType === undefined) return [required(path.child('pathType'), 'pathType must be specified')];
  const text = textOf(rule.path);
  const at = path.child('path');
  const errors = requiredChoiceFaults(rule, 'pathType', PATH_TYPES, path);
  const exact = rule.pathType === 'Exact' || rule.pathType === 'Prefix';
  if (errors.length === 0 && !text.startsWith('/') && (exact || text !== '')) {
    errors.push(invalid(at, text, 'must be an absolute path'));
  }
  if (exact) {
    for (const part of BAD_PARTS) {
      if (text.includes(part)) errors.push(invalid(at, text, `must not contain '${part}'`));
    }
    for (const end of BAD_ENDS) if (text.endsWith(end)) errors.push(invalid(at, text, `cannot end with '${end}'`));
  }
  return [...errors, ...validateBackend(objectOf(rule.backend), path.child('backend'), release)];
}

/** Names of secrets that were wrong before may stay so. */
function validateTls(tls: readonly JsonObject[], old: readonly JsonObject[]): FieldError[] {
  const secretFaults = (one: JsonObject) =>
    textOf(one.secretName) === '' ? [] : dns1123Subdomain(textOf(one.secretName));
  const lenient = old.some((one) => secretFaults(one).length > 0);
  return tls.flatMap((one, index) => {
    const path = SPEC.child('tls').index(index);
    const errors = textsOf(one.hosts).flatMap((host, at) =>
      nameFaults(host, hostRule(host), path.child('hosts').index(at)),
    );
    if (!lenient) {
      for (const fault of secretFaults(one)) errors.push(invalid(path.child('secretName'), one.secretName, fault));
    }
    return errors;
  });
}

function validateStatus(ingress: ApiObject, old: ApiObject, release: number): FieldError[] {
  const entriesOf = ({ status }: ApiObject) => objectsOf(objectOf(objectOf(status).loadBalancer).ingress);
  const before = entriesOf(old).map(({ ip }) => textOf(ip));
  return entriesOf(ingress).flatMap((entry, index) => {
    const path = FieldPath.of('status', 'loadBalancer', 'ingress').index(index);
    const ip = textOf(entry.ip);
    const hostname = textOf(entry.hostname);
    const errors = ip === '' ? [] : ipFaults(ip, path.child('ip'), { release, old: before });
    if (hostname !== '') {
      errors.push(...nameFaults(hostname, dns1123Subdomain, path.child('hostname')));
      if (parseIp(hostname)) errors.push(invalid(path.child('hostname'), hostname, NO_ADDRESS));
    }
    return errors;
  });
}
