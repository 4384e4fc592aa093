import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Control } from '../../embed/control.ts';
import { writeWhole } from '../../reference/storage/durable/atomicFile.ts';

/** Where a server says how it can be reached into, beside its kubeconfig. */
export const CONTROL_FILE = 'control.json';

/**
 * Writes it for the owner alone, or takes away what another server wrote there. Throws what the file system throws.
 * @param control undefined: there is none
 */
export function writeControlFile(directory: string, control: Pick<Control, 'base' | 'token'> | undefined): void {
  const path = join(directory, CONTROL_FILE);
  if (control) writeWhole(path, `${JSON.stringify({ base: control.base, token: control.token })}\n`);
  else rmSync(path, { force: true });
}
