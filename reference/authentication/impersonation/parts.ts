import type { User } from '../../api/identity.ts';
import type { ApiError } from '../../api/status.ts';
import type { ResourceAttributes } from '../../contracts/authorizer.ts';
import { forbiddenAttributes } from '../../contracts/forbidden.ts';
import { extraFault } from './extraFault.ts';
import { nodeOf } from './names.ts';
import {
  extraPermissions,
  groupPermissions,
  namePermission,
  permission,
  type Right,
  uidPermissions,
} from './permissions.ts';

/** From this many permissions on, one for all of them is asked first. */
const MANY = 4;
const MASTERS = 'system:masters';

/** One part of a user who is wanted: the permissions that it takes, in order. */
export interface Part {
  readonly each: readonly ResourceAttributes[];
  /** A permission that stands for all of `each`. */
  readonly all?: ResourceAttributes;
  /** Why nobody may have the part. */
  readonly fault?: ApiError;
}

/** The parts of a user by the verb `impersonate`, in the order in which they are asked about. */
export function plainParts(right: Right, wanted: User): Part[] {
  return [
    { each: [namePermission(right, wanted.username)] },
    { each: uidPermissions(right, wanted.uid) },
    { each: groupPermissions(right, wanted.groups) },
    { each: extraPermissions(right, wanted.extra) },
  ];
}

/** The parts of a user by a constrained verb: nodes have names of their own, and not everything can be had. */
export function constrainedParts(right: Right, wanted: User, node = nodeOf(wanted.username)): Part[] {
  const [name, uid, groups, extra] = plainParts(right, wanted) as [Part, Part, Part, Part];
  return [
    node === undefined ? name : { each: [permission(right, 'nodes', { name: node })] },
    uid,
    { ...atOnce(groups, { name: '*' }), ...faultOfGroups(right, wanted.groups) },
    { ...atOnce(extra, { name: '*', subresource: '*' }), ...faultOfExtra(extra, wanted.extra) },
  ];
}

function atOnce(part: Part, all: Partial<ResourceAttributes>): Part {
  const [first] = part.each;
  return first && part.each.length >= MANY ? { ...part, all: { ...first, ...all } } : part;
}

function faultOfGroups(right: Right, groups: readonly string[]): Pick<Part, 'fault'> {
  for (const name of ['', MASTERS]) {
    if (!groups.includes(name)) continue;
    const why = `impersonating the ${name === '' ? 'empty string' : name} group is not allowed`;
    return { fault: forbiddenAttributes(permission(right, 'groups', { name }), why) };
  }
  return {};
}

function faultOfExtra({ each: [first] }: Part, extra: User['extra']): Pick<Part, 'fault'> {
  const why = extraFault(extra);
  return first && why !== undefined ? { fault: forbiddenAttributes({ ...first, subresource: '', name: '' }, why) } : {};
}
