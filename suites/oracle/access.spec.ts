import { check } from '../harness/index.ts';
import { ACTING } from '../sequences/access/acting.ts';
import { CREDENTIALS } from '../sequences/access/credentials.ts';
import { GIVING } from '../sequences/access/giving.ts';
import { NODES } from '../sequences/access/nodes.ts';
import { PATHS } from '../sequences/access/paths.ts';
import { RIGHTS } from '../sequences/access/rights.ts';
import type { RowArea } from '../sequences/rowArea.ts';
import { judgeRows } from './judgeRows.ts';

const AREAS = {
  rights: [
    RIGHTS,
    'somebody has one right, by roles and bindings of every kind, and asks for it and for what is almost it in every way',
  ],
  paths: [PATHS, 'somebody has a right to paths outside the API, and asks for them and for what is almost they'],
  giving: [
    GIVING,
    'somebody writes roles and bindings in every way, and holds what these give or lacks one thing of it',
  ],
  acting: [ACTING, 'somebody with some rights to do so acts as users and accounts, in groups and with extra'],
  credentials: [CREDENTIALS, 'accounts show tokens in every state with requests of every kind, also to act as others'],
  nodes: [NODES, 'nodes read what pods that are bound to them use in every way, and such that are almost these nodes'],
} as const satisfies Readonly<Record<string, readonly [RowArea, string]>>;

/** Where the target runs already, it has to be one that authorizes nodes. */
const OF_NODES = {
  setup: { flags: ['--authorization-mode=Node,RBAC'] },
  orElse: ['node-authorizer'],
  needs: ['pods'],
} as const;

for (const [name, [area, words]] of Object.entries(AREAS) as [keyof typeof AREAS, readonly [RowArea, string]][]) {
  check(
    `REQUEST-SEQUENCE-04.1/${name}`,
    `${words} → each is allowed or refused, and what is stored is, as in the reference`,
    [`REQUEST-SEQUENCE-04/${name}`],
    { laborious: true, ...(name === 'nodes' ? OF_NODES : {}) },
    ({ admin, nobody, space, seed }) => judgeRows({ admin, nobody, space, seed }, area),
  );
}
