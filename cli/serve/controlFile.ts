import { join } from 'node:path';
import { writeWhole } from '../../reference/storage/durable/atomicFile.ts';
import type { Control } from './control.ts';

/** Where a server says how it can be reached into, beside its kubeconfig. */
export const CONTROL_FILE = 'control.json';

/** Writes it for the owner alone. Throws what the file system throws. */
export function writeControlFile(directory: string, { base, token }: Control): void {
  writeWhole(join(directory, CONTROL_FILE), `${JSON.stringify({ base, token })}\n`);
}
