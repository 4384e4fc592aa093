import type { User } from '../../api/identity.ts';

const list = (values: readonly string[]): string =>
  `[]string${values.length > 0 ? `{${values.map((value) => JSON.stringify(value)).join(', ')}}` : '(nil)'}`;

/** Whom headers describe, as the service prints a user when it has no better words. */
export function wantedText({ username, uid, groups, extra }: User): string {
  const entries = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  const map = `map[string][]string${members.length > 0 ? `{${members.join(', ')}}` : '(nil)'}`;
  return `&user.DefaultInfo{Name:${JSON.stringify(username)}, UID:${JSON.stringify(uid)}, Groups:${list(groups)}, Extra:${map}}`;
}
