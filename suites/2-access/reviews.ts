import { groupName } from '../../fixtures/dialects/dialect.ts';
import type { Exchange } from '../harness/index.ts';
import { type Actor, groupOf, type Kind, match, unsupported } from '../harness/index.ts';

/** Attributes of a question: a resource, or a path. */
export type ReviewedAttributes =
  | {
      readonly verb: string;
      readonly group?: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly namespace?: string;
      readonly name?: string;
    }
  | { readonly verb: string; readonly path: string };

/** Who a question is about, where it is not who asks. */
export interface ReviewedUser {
  readonly user?: string;
  readonly groups?: readonly string[];
}

/** What a question about a kind is like. */
export function about(kind: Kind, actor: Actor, verb: string, more: object = {}): ReviewedAttributes {
  return { verb, group: groupOf(kind, actor.dialect), resource: kind.plural, ...more };
}

/** The actor asks whether they themselves may do something. */
export function mayI(actor: Actor, question: ReviewedAttributes): Promise<Exchange> {
  return review(actor, 'SelfSubjectAccessReview', attributes(question));
}
/** The actor asks whether somebody may do something. */
export function mayThey(actor: Actor, { user, groups }: ReviewedUser, question: ReviewedAttributes): Promise<Exchange> {
  return review(actor, 'SubjectAccessReview', { user, groups, ...attributes(question) });
}
/** The actor asks the same within a namespace. */
export function mayTheyIn(
  actor: Actor,
  namespace: string,
  { user, groups }: ReviewedUser,
  question: ReviewedAttributes,
) {
  return review(actor, 'LocalSubjectAccessReview', { user, groups, ...attributes(question) }, namespace);
}

/** A review that was answered, and says yes or does not. */
export const yes = match.both(match.created, match.field('status.allowed', true));
export const no = match.both(match.created, match.field('status.allowed', match.empty));

/** Ends the check where the target has no reviews of paths: the text names reviews of resources alone. */
export async function reviewsPaths(admin: Actor): Promise<void> {
  const masters = { user: 'touchstone-master', groups: ['system:masters'] };
  const answer = await mayThey(admin, masters, { verb: 'get', path: '/touchstone/nowhere' });
  if (yes.differences(answer, '').length > 0) unsupported('the target does not review what may be done at a path');
}

/** Posts any review. */
export function review(actor: Actor, kind: string, spec: object, namespace = ''): Promise<Exchange> {
  const apiVersion = `${groupName(actor.dialect, 'authorization')}/v1`;
  const within = namespace === '' ? '' : `/namespaces/${namespace}`;
  const metadata = namespace === '' ? {} : { metadata: { namespace } };
  return actor.request('POST', `/apis/${apiVersion}${within}/${kind.toLowerCase()}s`, {
    words: `${actor.name} asks by a ${kind}`,
    body: { apiVersion, kind, ...metadata, spec },
  });
}

function attributes(question: ReviewedAttributes): object {
  return 'path' in question ? { nonResourceAttributes: question } : { resourceAttributes: question };
}
