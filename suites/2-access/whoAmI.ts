import type { Exchange } from '../harness/index.ts';
import { type Actor, isRecord, selfReview, servesSelfReviews, tokenReview, unsupported } from '../harness/index.ts';

/**
 * The actor asks who they are; the answer has name, uid, groups and extra in `status.userInfo`. Where the target does
 * not serve that question, the administrator asks whose the token is that the actor shows, and who shows none cannot
 * be told. Whoever is refused is so by either.
 */
export async function whoAmI(
  actor: Actor,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<Exchange> {
  const answer = await sendsSelfReview(actor, headers);
  if (servesSelfReviews(actor.target) || answer.status === 401) return answer;
  const { token } = actor.identity;
  if (token === undefined || !canBeTold(actor) || Object.keys(headers).length > 0)
    unsupported('discovery does not name selfsubjectreviews, which alone tell who shows no token or acts as another');
  const { path, body } = tokenReview(actor.dialect, token);
  const words = `admin asks whose the token is that ${actor.name} shows`;
  return asSelfReview(await actor.administrator.request('POST', path, { words, body }));
}

/** Whether it can be told who the actor is, and not only whether they are anybody. */
export const canBeTold = ({ target, identity: { token, certificate, acts } }: Actor): boolean =>
  servesSelfReviews(target) || (token !== undefined && certificate === undefined && acts === undefined);

/** The request itself: it is refused with 401 where the actor is nobody, also where nothing is served there. */
export function sendsSelfReview(
  actor: Actor,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<Exchange> {
  const { path, body } = selfReview(actor.dialect);
  return actor.request('POST', path, { words: `${actor.name} asks who they are`, body, headers });
}

/** The answer to a review of a token, as whoever shows the token would have been answered of themselves. */
function asSelfReview(review: Exchange): Exchange {
  const status = isRecord(review.json) && isRecord(review.json.status) ? review.json.status : undefined;
  if (!review.succeeded || status === undefined) return review;
  if (status.authenticated !== true) return review.readAs(401, review.json);
  return review.readAs(201, { kind: 'SelfSubjectReview', status: { userInfo: status.user } });
}
