import { internalError } from '../../api/status.ts';
import { forbiddenAttributes } from '../../contracts/forbidden.ts';
import { internalErrorText } from '../../contracts/refusal.ts';
import type { ImpersonationDependencies, Impersonator } from './impersonator.ts';
import { groupsOf } from './names.ts';
import { extraPermissions, groupPermissions, namePermission, type Right, uidPermissions } from './permissions.ts';
import { readWanted, wantsMore } from './wanted.ts';

/**
 * Impersonation by the verb `impersonate` alone: each name, group, uid and extra value taken on is authorized by
 * itself, whatever the request is for. Headers without Impersonate-User are answered 500.
 */
export function unconstrained({ authorizer, dialect }: ImpersonationDependencies): Impersonator {
  return async (request, { user: actor }) => {
    const wanted = readWanted(request);
    const { username, uid, groups, extra } = wanted;
    if (username === '') {
      if (!wantsMore(wanted)) return undefined;
      const others = [...groups, ...(uid === '' ? [] : [uid]), ...Object.values(extra).flat()];
      const why = `requested [${others.join(' ')}] without impersonating a user`;
      const failure = internalError(why);
      failure.plainText = internalErrorText(request.target, why);
      throw failure;
    }
    const right: Right = { actor, verb: 'impersonate', group: '', dialect };
    for (const asked of [
      namePermission(right, username),
      ...groupPermissions(right, groups),
      ...extraPermissions(right, extra),
      ...uidPermissions(right, uid),
    ]) {
      const verdict = await authorizer.authorize(asked);
      if (verdict.decision !== 'allow') throw forbiddenAttributes(asked, verdict.reason);
    }
    return { user: { ...wanted, groups: groupsOf(username, groups) } };
  };
}
