import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';

const RULES = 'https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the service's own domains are protected: a definition in one must name where it was approved. */
export function validateApproval(object: ApiObject, old: ApiObject | undefined, dialect: Dialect): FieldError[] {
  const group = textOf(objectOf(object.spec).group);
  if (!isProtected(group, dialect)) return [];
  const annotation = `api-approved.${dialect.labelDomain}`;
  const approval = object.metadata.annotations?.[annotation];
  if (old && approval === old.metadata.annotations?.[annotation]) return [];
  const path = FieldPath.of('metadata', 'annotations').key(annotation);
  if (!approval) {
    return [
      required(path, `protected groups must have approval annotation ${JSON.stringify(annotation)}, see ${RULES}`),
    ];
  }
  if (approval.startsWith('unapproved') || isUrl(approval)) return [];
  const why = `protected groups must have approval annotation ${JSON.stringify(annotation)} with either a URL or a reason starting with "unapproved", see ${RULES}`;
  return [invalid(path, approval, why)];
}

function isProtected(group: string, { apiDomain, labelDomain }: Dialect): boolean {
  return [apiDomain, labelDomain].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

function isUrl(text: string): boolean {
  return URL.canParse(text) && /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text);
}
