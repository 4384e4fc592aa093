import { type Control, openControl } from '../../embed/control.ts';
import { ControlledServer } from '../../embed/controlledServer.ts';
import type { Reference } from '../../reference/reference.ts';

/** The control port of a server that is neither reset nor forked. */
export async function controlOf(reference: Reference): Promise<Control> {
  const nothing = () => Promise.reject(new Error('nothing of this is asked'));
  const family = { clock: 'virtual', remembered: 0, begin: nothing, replaced: nothing } as const;
  return openControl(await ControlledServer.of(family, reference, false), nothing);
}
