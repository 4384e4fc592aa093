/**
 * Who asks. `admin` is whom the storm was given; it acts as the others, who were given rights in all namespaces of the
 * storm, in the first of them, to read only, and none.
 */
export const USERS = ['admin', 'writer', 'local', 'reader', 'nobody'] as const;
export type StormUser = (typeof USERS)[number];

/** How often each of them asks, among the others. */
const SHARES: Readonly<Record<StormUser, number>> = { admin: 3, writer: 5, local: 3, reader: 2, nobody: 1 };

/** Users as often as they ask. */
export function inShares(users: readonly StormUser[]): readonly StormUser[] {
  return users.flatMap((user) => Array.from({ length: SHARES[user] }, () => user));
}

/** @param first whether it is about the first namespace of the storm, and no more than that */
export function mayAsk(
  user: StormUser,
  { writes, first }: { readonly writes: boolean; readonly first: boolean },
): boolean {
  switch (user) {
    case 'admin':
    case 'writer':
      return true;
    case 'local':
      return first;
    case 'reader':
      return !writes;
    case 'nobody':
      return false;
  }
}

/** The name by which a server knows one whom the administrator acts as. */
export function userName(storm: string, user: StormUser): string {
  return `${storm}-${user}`;
}

/** One request of somebody: whom it is sent as, and whether it has to be refused. */
export interface Asker {
  readonly user: StormUser;
  /** Whom the administrator acts as; absent where it asks itself. */
  readonly as?: string;
  readonly denied: boolean;
}
