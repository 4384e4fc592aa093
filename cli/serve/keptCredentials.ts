import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../reference/storage/durable/atomicFile.ts';
import { damaged } from '../../reference/storage/durable/dataDirectoryError.ts';
import type { Issued } from '../../reference/transport/certificates.ts';

/** What a server makes for itself once and keeps, so that what it gave out stays good after a restart. */
export interface KeptCredentials {
  /** Signs the certificates of the server and of its first users. */
  readonly authority: Issued;
  /** Signs service account tokens, PEM. */
  readonly serviceAccountKey: string;
  /** Tokens of a harness's actors, by name. */
  readonly tokens: Readonly<Record<string, string>>;
}

const FILE = 'credentials.json';

/** The credentials kept in a data directory; undefined when there are none yet. Throws DataDirectoryError. */
export function readCredentials(directory: string): KeptCredentials | undefined {
  const path = join(directory, FILE);
  if (!existsSync(path)) return undefined;
  try {
    const { authority, serviceAccountKey, tokens } = JSON.parse(readFileSync(path, 'utf8')) as KeptCredentials;
    const texts: unknown[] = [authority.certificate, authority.key, serviceAccountKey, ...Object.values(tokens)];
    if (texts.every((text) => typeof text === 'string')) return { authority, serviceAccountKey, tokens };
  } catch {
    // Refused below, like anything that is not what was written.
  }
  throw damaged(directory, `${FILE} cannot be read`);
}

/** Keeps credentials in a data directory, where their owner alone can read them. */
export function keepCredentials(directory: string, credentials: KeptCredentials): void {
  writeWhole(join(directory, FILE), `${JSON.stringify(credentials, null, 2)}\n`);
}
