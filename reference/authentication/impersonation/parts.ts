import { domainPathFaults } from '../../api/domainPath.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { User } from '../../api/identity.ts';
import type { ApiError } from '../../api/status.ts';
import type { ResourceAttributes } from '../../contracts/authorizer.ts';
import { forbiddenAttributes } from '../../contracts/forbidden.ts';
import { nodeOf } from './names.ts';
import {
  extraPermissions,
  groupPermissions,
  namePermission,
  permission,
  type Right,
  uidPermissions,
} from './permissions.ts';

const KEY = FieldPath.of('extra').child('key');

/** Why extra values cannot be taken on by a constrained verb: keys are paths behind a domain, and none is empty. */
function extraFault(extra: User['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    const what = faultOf(key, values);
    if (what !== undefined) return `impersonating ${what}`;
  }
  return undefined;
}

function faultOf(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'the empty string key in extra is not allowed';
  const faults = domainPathFaults(key, KEY).map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > 0) {
    const all = faults.length > 1 ? `[${faults.join(', ')}]` : faults[0];
    return `an invalid key in extra is not allowed: ${all}`;
  }
  if (values.length === 0) return 'empty values in extra is not allowed';
  return values.includes('') ? 'the empty string value in extra is not allowed' : undefined;
}

/** From this many permissions on, one for all of them is asked first. */
const MANY = 4;
const MASTERS = 'system:masters';

/** One part of a user who is wanted: the permissions that it takes, in order. */
export interface ImpersonatedPart {
  readonly each: readonly ResourceAttributes[];
  /** A permission that stands for all of `each`. */
  readonly all?: ResourceAttributes;
  /** Why nobody may have the part. */
  readonly fault?: ApiError;
}

/** The parts of a user by the verb `impersonate`, in the order in which they are asked about. */
export function plainParts(right: Right, wanted: User): ImpersonatedPart[] {
  return [
    { each: [namePermission(right, wanted.username)] },
    { each: uidPermissions(right, wanted.uid) },
    { each: groupPermissions(right, wanted.groups) },
    { each: extraPermissions(right, wanted.extra) },
  ];
}

/** The parts of a user by a constrained verb: nodes have names of their own, and not everything can be had. */
export function constrainedParts(right: Right, wanted: User, node = nodeOf(wanted.username)): ImpersonatedPart[] {
  const [name, uid, groups, extra] = plainParts(right, wanted) as [
    ImpersonatedPart,
    ImpersonatedPart,
    ImpersonatedPart,
    ImpersonatedPart,
  ];
  return [
    node === undefined ? name : { each: [permission(right, 'nodes', { name: node })] },
    uid,
    { ...atOnce(groups, { name: '*' }), ...faultOfGroups(right, wanted.groups) },
    { ...atOnce(extra, { name: '*', subresource: '*' }), ...faultOfExtra(extra, wanted.extra) },
  ];
}

function atOnce(part: ImpersonatedPart, all: Partial<ResourceAttributes>): ImpersonatedPart {
  const [first] = part.each;
  return first && part.each.length >= MANY ? { ...part, all: { ...first, ...all } } : part;
}

function faultOfGroups(right: Right, groups: readonly string[]): Pick<ImpersonatedPart, 'fault'> {
  for (const name of ['', MASTERS]) {
    if (!groups.includes(name)) continue;
    const why = `impersonating the ${name === '' ? 'empty string' : name} group is not allowed`;
    return { fault: forbiddenAttributes(permission(right, 'groups', { name }), why) };
  }
  return {};
}

function faultOfExtra({ each: [first] }: ImpersonatedPart, extra: User['extra']): Pick<ImpersonatedPart, 'fault'> {
  const why = extraFault(extra);
  return first && why !== undefined ? { fault: forbiddenAttributes({ ...first, subresource: '', name: '' }, why) } : {};
}
