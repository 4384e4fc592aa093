import type { Mutant } from '../mutant.ts';
import { DEFAULT_ROLES } from '../rbac/defaultRoles.ts';
import { ESCALATION } from '../rbac/escalation.ts';
import { ROLE_BINDINGS } from '../rbac/roleBindings.ts';
import { ROLES } from '../rbac/roles.ts';

/** Roles and bindings that give more, less or something else than they say. */
export const RBAC: readonly Mutant[] = [...ROLES, ...ROLE_BINDINGS, ...ESCALATION, ...DEFAULT_ROLES];
