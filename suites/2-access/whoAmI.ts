import type { Actor, Exchange } from '../harness/index.ts';

/** The actor asks who they are; the answer has name, uid, groups and extra in `status.userInfo`. */
export function whoAmI(actor: Actor, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
  const apiVersion = `authentication.${actor.dialect.apiDomain}/v1`;
  return actor.request('POST', `/apis/${apiVersion}/selfsubjectreviews`, {
    words: `${actor.name} asks who they are`,
    body: { apiVersion, kind: 'SelfSubjectReview' },
    headers,
  });
}
