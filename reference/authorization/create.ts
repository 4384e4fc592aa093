import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import type { Authorizer, RuleResolver } from '../contracts/authorizer.ts';
import type { AuthorizationOptions, AuthorizerOptions } from '../contracts/serverOptions.ts';
import type { Store } from '../contracts/store.ts';
import type { Forked } from '../contracts/storeFollower.ts';
import { ContentFault } from '../ports/files.ts';
import type { Reviews } from '../remote/reviewClient.ts';
import type { Clock } from '../time.ts';
import { AbacAuthorizer } from './abac.ts';
import { AuthorizerChain } from './chain.ts';
import { AlwaysAllowAuthorizer, AlwaysDenyAuthorizer, MastersAuthorizer } from './fixed.ts';
import { NodeAuthorizer } from './node.ts';
import { NodeGraph } from './nodeGraph.ts';
import { RbacAuthorizer } from './rbac.ts';
import { RbacIndex } from './rbacIndex.ts';
import { WebhookAuthorizer } from './webhook.ts';

/** Authorization as options ask for it. */
export interface Authorization {
  /** The whole chain, `system:masters` first. */
  readonly authorizer: Authorizer;
  /** What a user may do, as far as the chain can tell. */
  readonly rules: RuleResolver;
  /** Roles and bindings: also without mode RBAC, for the checks against escalation. */
  readonly rbac: RbacAuthorizer;
  /** Whether mode RBAC is on, so that default roles are kept (2/rbac-behavior/4). */
  readonly usesRbac: boolean;
  /** The type of the authorizer that has this name now; undefined when none has. */
  typeOf(name: string): AuthorizerOptions['type'] | undefined;
  /** Reads what authorizers keep in memory; to be awaited before the first request. */
  start(): Promise<void>;
  /**
   * Takes other authorizers in place of those before.
   *
   * @throws ContentFault when one of them, Node or RBAC, was not there at the start: it keeps what it knows from then on
   */
  replace(authorizers: readonly AuthorizerOptions[]): void;
  stop(): void;
  /** What is kept up to date from the store, for a server that is forked from this one. */
  readonly known: KnownToAuthorization;
}

export interface KnownToAuthorization {
  readonly index: RbacIndex;
  readonly graph: NodeGraph | undefined;
}

export interface AuthorizationDependencies {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly follow: Follow;
  readonly clock: Clock;
  /** Whether a feature gate is on; all are unless told. */
  readonly gate?: (name: string) => boolean;
  /** Stands before the reviews that a remote service is asked for; nothing unless told. */
  readonly reviews?: ((reviews: Reviews) => Reviews) | undefined;
  /** Of the server that this one is forked from. */
  readonly from?: Forked<KnownToAuthorization> | undefined;
  /** Stands around each member of the chain; nothing unless told. */
  readonly around?: (member: Authorizer) => Authorizer;
}

export function createAuthorization(
  options: AuthorizationOptions,
  dependencies: AuthorizationDependencies,
): Authorization {
  const group = groupName(dependencies.dialect, 'rbac.authorization');
  const { from } = dependencies;
  const index = new RbacIndex(
    dependencies.store,
    group,
    departs(dependencies.follow, 'subject-namespace-ignored') ? 'match' : 'fault',
    dependencies.clock,
    from && { of: from.of.index, revision: from.revision },
  );
  const rbac = new RbacAuthorizer(index, group);
  const graph = options.authorizers.some((one) => one.type === 'Node')
    ? new NodeGraph(
        dependencies.store,
        dependencies.dialect,
        dependencies.clock,
        from?.of.graph && { of: from.of.graph, revision: from.revision },
      )
    : undefined;
  const withSelectors = dependencies.gate?.('AuthorizeNodeWithSelectors') ?? true;
  const lasting: Lasting = {
    rbac: options.authorizers.some((one) => one.type === 'RBAC')
      ? (name) => new RbacAuthorizer(index, group, name)
      : undefined,
    node: graph && ((name) => new NodeAuthorizer(graph, dependencies.dialect, withSelectors, name)),
  };
  const masters = new MastersAuthorizer();
  let current = options.authorizers;
  let members = makeAll(current, lasting, dependencies);
  const { around = (member) => member } = dependencies;
  const chain = new AuthorizerChain([masters, ...members].map(around));
  return {
    authorizer: chain,
    rules: chain,
    rbac,
    known: { index, graph },
    usesRbac: lasting.rbac !== undefined,
    typeOf: (name) => current.find((one) => one.name === name)?.type,
    async start() {
      await index.start();
      await graph?.start();
    },
    replace(authorizers) {
      const before = members;
      members = makeAll(authorizers, lasting, dependencies);
      current = authorizers;
      chain.replace([masters, ...members].map(around));
      for (const one of before) if (one instanceof WebhookAuthorizer) void one.close();
    },
    stop() {
      index.stop();
      graph?.stop();
    },
  };
}

/**
 * Authorizers under the name that they have in the configuration, over what is known as long as the server lives; undefined where
 * it does without.
 */
interface Lasting {
  readonly rbac: ((name: string) => Authorizer) | undefined;
  readonly node: ((name: string) => Authorizer) | undefined;
}

function makeAll(
  options: readonly AuthorizerOptions[],
  lasting: Lasting,
  dependencies: AuthorizationDependencies,
): Authorizer[] {
  for (const { type } of options) {
    if ((type === 'RBAC' && !lasting.rbac) || (type === 'Node' && !lasting.node)) {
      throw new ContentFault(`${type} cannot be added while the server runs`);
    }
  }
  return options.flatMap((one) => make(one, lasting, dependencies) ?? []);
}

function make(
  options: AuthorizerOptions,
  { rbac, node }: Lasting,
  dependencies: AuthorizationDependencies,
): Authorizer | undefined {
  switch (options.type) {
    case 'AlwaysAllow':
      return new AlwaysAllowAuthorizer(options.name);
    case 'AlwaysDeny':
      return new AlwaysDenyAuthorizer(options.name);
    case 'ABAC':
      return new AbacAuthorizer(options.policy, options.name);
    case 'Webhook':
      return new WebhookAuthorizer(options.name, options.webhook, dependencies);
    case 'RBAC':
      return rbac?.(options.name);
    case 'Node':
      return node?.(options.name);
  }
}
