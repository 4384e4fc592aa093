import { departs, type Follow } from '../../fixtures/follow.ts';
import { parseCsv } from '../codecs/csv.ts';
import type { StaticToken } from '../contracts/serverOptions.ts';
import { ContentFault } from '../ports/files.ts';

/**
 * Reads a static token file: CSV rows of token, user name, uid and, in one quoted field, groups separated by
 * commas; further fields are not looked at. A later row wins over an earlier one with the same token; a row with
 * an empty token is passed over, with a note.
 *
 * @throws ContentFault for an unclosed quote, for a row of fewer than three fields, and for one without a user name
 *   unless the service is followed
 */
export function readStaticTokens(
  text: string,
  follow: Follow,
): { readonly tokens: readonly StaticToken[]; readonly notes: string[] } {
  const byToken = new Map<string, StaticToken>();
  const notes: string[] = [];
  for (const { fields, line } of parseCsv(text)) {
    if (fields.length < 3) {
      throw new ContentFault(`line ${line} has ${fields.length} columns; token, user name and uid are needed`);
    }
    const [token = '', username = '', uid = '', groups] = fields;
    if (token === '') {
      notes.push(`line ${line} has an empty token and is passed over`);
      continue;
    }
    if (username === '' && !departs(follow, 'nameless-user-by-file')) {
      throw new ContentFault(`line ${line} has no user name`);
    }
    if (byToken.has(token)) notes.push(`line ${line} repeats a token; the later line counts`);
    byToken.set(token, { token, username, uid, groups: groups === undefined ? [] : groups.split(',') });
  }
  return { tokens: [...byToken.values()], notes };
}
