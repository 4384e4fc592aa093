import { cluster } from '../fixtures/dialects/cluster.ts';
import { groupName } from '../fixtures/dialects/dialect.ts';
import { kubernetes } from '../fixtures/dialects/kubernetes.ts';
import { addReport, reportOf } from './report.ts';
import { openServer, type ReferenceOptions, type ReferenceServer } from './server.ts';

export type {
  Actor,
  Address,
  ClientNodeOptions,
  Kubeconfig,
  ListenOptions,
  RecordedRequest,
  ReferenceOptions,
  ReferenceServer,
  StateChange,
  ToldDecision,
} from './reference.ts';

/** What somebody may do in every test. */
export interface UserRights {
  /** Beside `system:authenticated`. */
  readonly groups?: readonly string[];
  /** A cluster role that is bound to the user: `view`, `edit`, `admin`, `cluster-admin` or one of the objects. */
  readonly clusterRole?: string;
  /** Where it holds; everywhere unless told. */
  readonly namespace?: string;
}

/** What every server of the tests begins with. */
export interface ServersOptions extends ReferenceOptions {
  readonly namespaces?: readonly string[];
  /** Types, roles, webhooks, policies and whatever else: objects or YAML, in order. */
  readonly objects?: readonly (object | string)[];
  readonly users?: Readonly<Record<string, UserRights>>;
  /** Does what is left to do, once. */
  readonly prepare?: (server: ReferenceServer) => void | Promise<void>;
}

/** A server for each test, forked from one that is prepared when the first is asked for. */
export interface Servers {
  /**
   * The body of a test of any runner, given a server of its own; whatever the runner hands a test comes behind it. The
   * server is closed behind the test. Of one that fails, the error tells what reached the server, what was decided on it
   * and what it changed.
   */
  test<Context extends readonly unknown[]>(
    body: (server: ReferenceServer, ...context: Context) => unknown,
  ): (...context: Context) => Promise<void>;
  /** A fixture of Vitest: `test.extend({ server: servers.vitest })`. */
  vitest(context: VitestContext, use: (server: ReferenceServer) => Promise<void>): Promise<void>;
  /** A fixture of Playwright Test: `test.extend({ server: servers.playwright })`. */
  playwright(
    fixtures: Readonly<Record<never, never>>,
    use: (server: ReferenceServer) => Promise<void>,
    info: PlaywrightInfo,
  ): Promise<void>;
  /** A server that its user closes, for hooks. */
  fork(): Promise<ReferenceServer>;
  /** What {@link Servers.test} tells of a server when a test fails. */
  report(server: ReferenceServer): Promise<string>;
  /** Lets go of the prepared server. Nothing of it keeps the process alive: needed only where its memory matters. */
  close(): Promise<void>;
}

/** What a fixture needs of what Vitest hands it. */
export interface VitestContext {
  readonly task: { readonly result?: { readonly errors?: readonly object[] | undefined } | undefined };
}
/** What a fixture needs of `TestInfo`. */
export interface PlaywrightInfo {
  readonly errors: readonly object[];
  attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

/**
 * Servers for tests. Time goes by in them unless the options say otherwise.
 *
 * ```js
 * const servers = apiServers({ namespaces: ['team'], users: { jane: { clusterRole: 'view' } } });
 * test('jane reads', servers.test(async (server) => { … }));
 * ```
 */
export function apiServers(options: ServersOptions = {}): Servers {
  let prepared: Promise<ReferenceServer> | undefined;

  async function fork(): Promise<ReferenceServer> {
    prepared ??= prepare(options);
    return (await prepared).fork();
  }

  async function using(run: (server: ReferenceServer) => unknown, failed: (server: ReferenceServer) => Promise<void>) {
    const server = await fork();
    try {
      await run(server);
      await failed(server);
    } finally {
      await server.close();
    }
  }

  return {
    fork,
    report: reportOf,
    // A body that names no parameters is not taken for one that calls back.
    test:
      (body) =>
      (...context) =>
        using(
          async (server) => {
            try {
              await body(server, ...context);
            } catch (error) {
              addReport(error, await reportOf(server));
              throw error;
            }
          },
          async () => undefined,
        ),
    // Both runners read from the source of a fixture which others it needs.
    vitest: async ({ task }, use) =>
      using(use, async (server) => {
        for (const error of task.result?.errors ?? []) addReport(error, await reportOf(server));
      }),
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for just this
    playwright: async ({}, use, info) =>
      using(use, async (server) => {
        if (info.errors.length === 0) return;
        const report = await reportOf(server);
        for (const error of info.errors) addReport(error, report);
        await info.attach('server', { body: report, contentType: 'text/plain' });
      }),
    async close() {
      await (await prepared)?.close();
      prepared = undefined;
    },
  };
}

async function prepare({ namespaces = [], objects = [], users = {}, prepare: more, ...options }: ServersOptions) {
  const groups = Object.fromEntries(Object.entries(users).map(([name, rights]) => [name, rights.groups ?? []]));
  const server = await openServer({ ...options, groups: { ...options.groups, ...groups } }, false);
  const apiGroup = groupName(options.dialect === 'cluster' ? cluster : kubernetes, 'rbac.authorization');
  await server.apply(
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...objects,
    ...Object.entries(users).flatMap(([name, rights]) => bindingOf(apiGroup, name, rights)),
  );
  await more?.(server);
  return server;
}

function bindingOf(apiGroup: string, user: string, { clusterRole, namespace }: UserRights): object[] {
  if (clusterRole === undefined) return [];
  return [
    {
      apiVersion: `${apiGroup}/v1`,
      kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
      metadata: { name: `${user}-${clusterRole}`, ...(namespace === undefined ? {} : { namespace }) },
      roleRef: { apiGroup, kind: 'ClusterRole', name: clusterRole },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    },
  ];
}
