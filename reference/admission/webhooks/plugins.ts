import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../../fixtures/follow.ts';
import type { Admission } from '../../contracts/admission.ts';
import type { ResourceRegistry } from '../../contracts/resourceRegistry.ts';
import type { Store } from '../../contracts/store.ts';
import type { Random } from '../../random.ts';
import type { Clock } from '../../time.ts';
import type { MatchConditions } from '../expressions/conditions.ts';
import { StoredIndex } from '../matching/storedIndex.ts';
import { HookCaller, type PutReview } from './caller.ts';
import { HookConnections } from './connections.ts';
import { type Hook, type HookKind, hooksOf } from './hook.ts';
import { mutatingWebhooks } from './mutating.ts';
import type { ServiceAddresses } from './serviceResolver.ts';
import { type HookDependencies, validatingWebhooks } from './validating.ts';

/** What calling webhooks needs. */
export interface WebhookDependencies {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly dialect: Dialect;
  readonly follow: Follow;
  readonly conditions: MatchConditions;
  /** Where services are that configurations name. */
  readonly services: ServiceAddresses;
  /** What validating hooks are called with instead. */
  readonly seam?: ((dependencies: HookDependencies) => HookDependencies) | undefined;
  /** What stands between the server and hooks of either kind. */
  readonly reviews?: ((put: PutReview) => PutReview) | undefined;
}

const RESOURCES: Readonly<Record<HookKind, string>> = {
  validating: 'validatingwebhookconfigurations',
  mutating: 'mutatingwebhookconfigurations',
};

/**
 * The plugin that calls the webhooks of one kind of configuration. Nothing is read or opened before the first write;
 * `stop` forgets the configurations and closes what is open.
 */
export function webhookPlugin(kind: HookKind, dependencies: WebhookDependencies): Admission {
  const { store, registry, dialect, conditions, services } = dependencies;
  const group = groupName(dialect, 'admissionregistration');
  const connections = new HookConnections(store, services);
  const index: StoredIndex<Hook> = new StoredIndex(store, { group, resource: RESOURCES[kind] }, hooksOf, () =>
    connections.keepOnly(index.known().map(({ client }) => client)),
  );
  const hooks = {
    store,
    registry,
    conditions,
    index,
    group,
    caller: new HookCaller(kind, { ...dependencies, connections }),
  };
  const plugin =
    kind === 'validating'
      ? validatingWebhooks(dependencies.seam?.(hooks) ?? hooks)
      : mutatingWebhooks({ ...hooks, follow: dependencies.follow });
  return {
    ...plugin,
    async stop() {
      index.stop();
      await connections.close();
    },
  };
}
