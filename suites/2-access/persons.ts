import { type Actor, type GrantedRule, grantEverywhere, grantHere, must, should } from '../harness/index.ts';
import { mayThey, yes } from './reviews.ts';

/** A right that nobody needs, which tells that the grant beside it is followed. */
const followedBy = (name: string): GrantedRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['fences'],
  resourceNames: [name],
});

/** What somebody is given: rules in the namespace where `by` works, and rules in the whole cluster. */
export interface Given {
  readonly here?: readonly GrantedRule[];
  readonly everywhere?: readonly GrantedRule[];
}

/**
 * Prepares rights of somebody, by roles and bindings called `name`, and returns when they are followed: who grants
 * one thing after another need not ask for each whether it is seen already.
 */
export async function entitled(by: Actor, whom: Actor, { here, everywhere }: Given, name = whom.name): Promise<void> {
  const fence = followedBy(name);
  if (here) await grantHere(by, whom, by.dialect, [...here, fence], name);
  if (everywhere) await grantEverywhere(by, whom, by.dialect, [...everywhere, fence], name);
  const asked = { verb: 'get', group: '', resource: 'fences', name };
  const places = [...(here ? [await by.namespace()] : []), ...(everywhere ? [''] : [])];
  for (const namespace of places) {
    const review = () => mayThey(by, { user: whom.user }, { ...asked, namespace });
    must(`what ${whom.name} is given is followed`, await should(review, yes));
  }
}
