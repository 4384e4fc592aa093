import { type FieldError, invalid } from './fieldError.ts';
import type { FieldPath } from './fieldPath.ts';
import { dns1123Subdomain } from './nameRules.ts';

const PATH_FORM = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const PATH = new RegExp(`^(?:${PATH_FORM})$`);

/** Faults of a path behind a domain: `example.com/name`. */
export function domainPathFaults(text: string, path: FieldPath): FieldError[] {
  const slash = text.indexOf('/');
  const domain = text.slice(0, Math.max(slash, 0));
  const rest = text.slice(slash + 1);
  if (domain === '' || rest === '') {
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = dns1123Subdomain(domain).map((fault) => invalid(path, domain, fault));
  if (!PATH.test(rest)) errors.push(invalid(path, rest, `Invalid path (regex used for validation is '${PATH_FORM}')`));
  return errors;
}
