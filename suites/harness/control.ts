import type { Actor } from './actor.ts';
import { unsupported } from './endings.ts';
import { groupOf, type Kind } from './kinds.ts';
import type { Target } from './target.ts';

/** What the control port of an embedded target does for checks that no API client could set up. */
async function ask(target: Target, action: string, body: object): Promise<void> {
  if (!target.control) unsupported('no control port was given');
  const { base, token } = target.control;
  const answer = await fetch(`${base}${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the control port answered ${answer.status} to ${action}: ${await answer.text()}`);
}

/** Damages an object in the store, so that reading it fails as a failed decryption would. Needs `store-access`. */
export async function damage(target: Target, by: Actor, kind: Kind, name: string): Promise<void> {
  const namespace = kind.namespaced ? await by.namespace() : '';
  const at = { group: groupOf(kind, target.dialect), resource: kind.plural, namespace };
  await ask(target, '/store/corrupt', { ...at, name: by.space.nameOf(kind, name) });
}

/** Sets the clock of the target ahead. Needs `virtual-clock`. */
export function advanceClock(target: Target, milliseconds: number): Promise<void> {
  return ask(target, '/clock/advance', { milliseconds });
}
