import type { Seams } from '../reference/seams.ts';
import { onType } from './oneType.ts';
import { withMembers } from './writes.ts';

/* Mutants of what webhook configurations hold. */

export interface Rule {
  apiGroups?: string[] | undefined;
  apiVersions?: string[] | undefined;
  operations?: string[] | undefined;
  resources?: string[] | undefined;
  scope?: string | undefined;
}

export interface Hook {
  name?: string | undefined;
  admissionReviewVersions?: string[] | undefined;
  clientConfig?: {
    url?: string | undefined;
    caBundle?: string | undefined;
    service?: { name?: string; namespace?: string; path?: string; port?: number } | undefined;
  };
  sideEffects?: string | undefined;
  failurePolicy?: string | undefined;
  matchPolicy?: string | undefined;
  timeoutSeconds?: number | undefined;
  namespaceSelector?: object | undefined;
  objectSelector?: object | undefined;
  rules?: Rule[] | undefined;
  matchConditions?: { name?: string; expression?: string }[] | undefined;
}

export const CONFIGURATIONS = 'validatingwebhookconfigurations';

/** Mends each webhook on its way in, so that what is wrong with it passes. */
export function mendingHooks(mend: (hook: Hook) => void): Seams {
  return onType(CONFIGURATIONS, ['create', 'update', 'patch'], (call, serve) =>
    serve(withMembers(call, [], (members) => ((members.webhooks ?? []) as Hook[]).forEach(mend))),
  );
}
