import type { User } from '../../api/identity.ts';
import type { RequestInfo, ResourceRequest } from '../../api/request.ts';
import type { AuditResources, AuditRule } from '../../contracts/auditOptions.ts';
import { pathMatches } from '../../contracts/rbacRules.ts';

/** Whether a rule speaks of a request. @param user undefined where nobody was authenticated */
export function ruleFits(rule: AuditRule, info: RequestInfo, user: User | undefined): boolean {
  if (rule.users.length > 0 && !(user && rule.users.includes(user.username))) return false;
  if (rule.userGroups.length > 0 && !rule.userGroups.some((group) => user?.groups.includes(group))) return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(info.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return info.isResource && resourceFits(rule, info);
  if (rule.nonResourceURLs.length === 0) return true;
  return !info.isResource && rule.nonResourceURLs.some((pattern) => pathMatches(pattern, info.path));
}

function resourceFits({ namespaces, resources }: AuditRule, info: ResourceRequest): boolean {
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some((one) => namesResource(one, info));
}

function namesResource({ group, resources, resourceNames }: AuditResources, info: ResourceRequest): boolean {
  if (group !== info.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  const { resource, subresource } = info;
  const asked = subresource ? `${resource}/${subresource}` : resource;
  return resources.some(
    (pattern) =>
      pattern === '*' ||
      pattern === asked ||
      pattern === `${resource}/*` ||
      (subresource !== '' && pattern === `*/${subresource}`),
  );
}
