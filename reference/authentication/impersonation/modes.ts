import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { User } from '../../api/identity.ts';
import type { Attributes } from '../../contracts/authorizer.ts';
import { accountOf, groupsOf, nodeOf } from './names.ts';
import { wantsMore } from './wanted.ts';

/** What somebody wants: to be another user in a request. */
export interface Wish {
  readonly wanted: User;
  /** What the request asks for, as who asks it. */
  readonly attributes: Attributes;
}

/** One way to act as users of some kind; its verbs are `impersonate:<name>` and `impersonate-on:<name>:<verb>`. */
export interface Mode {
  readonly name: string;
  readonly fits: (wish: Wish, dialect: Dialect) => boolean;
  /** The wish as authorizers see it, where they are not to see all of it. */
  readonly shown?: (wish: Wish, dialect: Dialect) => Wish;
  /** Names the node, where it is not the one of the user name. */
  readonly node?: string;
  readonly groups: (wanted: User) => readonly string[];
}

const NODE_GROUPS = ['system:nodes', 'system:authenticated'];
const givenGroups = ({ username, groups }: User) => groupsOf(username, groups);

/** Constrained ways, in the order in which they are tried. */
export const MODES: readonly Mode[] = [
  {
    name: 'associated-node',
    fits: ({ wanted, attributes: { user } }, dialect) => {
      const [node, ...others] = user.extra[nodeKey(dialect)] ?? [];
      if (wantsMore(wanted) || others.length > 0 || !accountOf(user.username)) return false;
      return node !== undefined && nodeOf(wanted.username) === node;
    },
    // What is permitted is permitted on every node, so nothing that differs from node to node may be looked at.
    shown: ({ wanted, attributes }, dialect) => {
      const keys = Object.keys(attributes.user.extra).sort();
      const extra = { [`authentication.${dialect.labelDomain}/associated-node-keys`]: keys };
      return {
        wanted: { ...wanted, username: 'system:node:*' },
        attributes: { ...attributes, user: { ...attributes.user, extra } },
      };
    },
    node: '*',
    groups: () => NODE_GROUPS,
  },
  {
    name: 'arbitrary-node',
    fits: ({ wanted }) => !wantsMore(wanted) && nodeOf(wanted.username) !== undefined,
    groups: () => NODE_GROUPS,
  },
  {
    name: 'serviceaccount',
    fits: ({ wanted }) => !wantsMore(wanted) && accountOf(wanted.username) !== undefined,
    groups: givenGroups,
  },
  {
    name: 'user-info',
    fits: ({ wanted: { username } }) => nodeOf(username) === undefined && accountOf(username) === undefined,
    groups: givenGroups,
  },
];

function nodeKey({ labelDomain }: Dialect): string {
  return `authentication.${labelDomain}/node-name`;
}
