import type { Target } from './target.ts';

/**
 * What a check may need beside a target that answers: named so that a check says `needs: ['plain-identity']` and a
 * report says why it was unsupported. {@link detect} finds out which of them a target has.
 */
export const CAPABILITIES = {
  'admin-identity': 'an identity that may do everything the checks ask for',
  'plain-identity': 'a second identity, authenticated and without rights of its own',
  'anonymous-access': 'requests without credentials that are taken as anonymous, and not refused with 401',
  'anonymous-refused': 'a target that refuses requests without credentials (--anonymous-auth=false)',
  'client-certificate': 'an identity that proves itself with a client certificate',
  'bearer-token': 'an identity that proves itself with a bearer token',
  rbac: 'access decided by the objects of the RBAC group',
  tls: 'a target that speaks TLS',
  'virtual-clock': 'a clock that a check may set ahead',
} as const;
export type Capability = keyof typeof CAPABILITIES;

/** Why a target lacks a capability; `undefined` when it has it. */
export function lacking(target: Pick<Target, 'capabilities'>, capability: Capability): string | undefined {
  const finding = target.capabilities.find((each) => each.name === capability);
  if (finding?.present) return undefined;
  return `needs ${CAPABILITIES[capability]}: ${finding?.because ?? 'not looked for'}`;
}
