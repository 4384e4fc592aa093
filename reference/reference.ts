import { createAdmission } from './admission/create.ts';
import type { GroupResource } from './api/groupVersion.ts';
import type { AccountKeys } from './authentication/accountKeys.ts';
import { createAuthentication } from './authentication/create.ts';
import { identityReviews } from './authentication/identityReviews.ts';
import { constrained } from './authentication/impersonation/constrained.ts';
import { unconstrained } from './authentication/impersonation/unconstrained.ts';
import { issuerDiscovery } from './authentication/issuerDiscovery.ts';
import { tokenRequest } from './authentication/tokenRequest.ts';
import { accessReviews } from './authorization/accessReviews.ts';
import { attributesOf } from './authorization/attributes.ts';
import { counted } from './authorization/counted.ts';
import { createAuthorization, type KnownToAuthorization } from './authorization/create.ts';
import { EscalationCheck } from './authorization/escalation.ts';
import { reconcileDefaults } from './authorization/reconcile.ts';
import { compileMatchCondition } from './cel/matchConditions.ts';
import { LargeWork } from './collections/largeWork.ts';
import type { Attributes, AuthorizationResult } from './contracts/authorizer.ts';
import type { Services } from './contracts/call.ts';
import { type ConfigSource, followConfig } from './contracts/configSource.ts';
import { refusal } from './contracts/refusal.ts';
import type { Handler } from './contracts/reply.ts';
import { ResourceRegistry } from './contracts/resourceRegistry.ts';
import type { Operations } from './contracts/resourceType.ts';
import type { ServerOptions } from './contracts/serverOptions.ts';
import type { ForkedStore } from './contracts/store.ts';
import { objectKey } from './contracts/storeKeys.ts';
import type { TokenAuthenticator } from './contracts/tokenAuthenticator.ts';
import { type ControllerSettings, type Controllers, startControllers } from './controllers/start.ts';
import { discoveryDocuments, type MadeDocuments } from './discovery/documents.ts';
import { createEncoder } from './encoding/encode.ts';
import { FIELD_OWNERSHIP } from './fields/fieldOwnership.ts';
import { createFlowControl, type KnownToFlowControl } from './flowcontrol/create.ts';
import { Auditor } from './observability/audit/auditor.ts';
import { openSinks } from './observability/audit/openSinks.ts';
import { decisionMetrics } from './observability/decisionMetrics.ts';
import { toldMethod, toldTokenMethod } from './observability/explain/authenticators.ts';
import { toldAuthorizer } from './observability/explain/authorizers.ts';
import { explainEndpoint } from './observability/explain/endpoint.ts';
import { Explanations } from './observability/explain/explanations.ts';
import { flowControlMetrics } from './observability/flowControlMetrics.ts';
import { Health } from './observability/health.ts';
import { impersonationMetrics } from './observability/impersonationMetrics.ts';
import { MetricsRegistry } from './observability/metrics.ts';
import { describeServer, metricsDocuments } from './observability/metricsDocuments.ts';
import { reloadMetrics } from './observability/reloadMetrics.ts';
import { RequestMetrics } from './observability/requestMetrics.ts';
import { storageMetrics } from './observability/storageMetrics.ts';
import { encryptionOf, openStore } from './openStore.ts';
import { createPipeline } from './pipeline.ts';
import { type OwnRandom, SeededRandom, SystemRandom, uuid } from './random.ts';
import { customTypeServing } from './resources/apiextensions/customTypes.ts';
import { deploymentRollback } from './resources/apps/rollback.ts';
import { BuiltinMaker } from './resources/builtin.ts';
import type { Seams } from './seams.ts';
import type { DataDirectory } from './storage/durable/dataDirectory.ts';
import type { StoreImage } from './storage/storeImage.ts';
import { imageOf } from './storage/storeImage.ts';
import { type Clock, type OwnClock, RunningClock, SystemClock, VirtualClock } from './time.ts';
import { type Listener, listen } from './transport/listener.ts';
import { InternalClient } from './verbs/internalClient.ts';
import { bindings, podBinding, podEviction } from './verbs/podOperations.ts';
import { VERBS } from './verbs/table.ts';

export interface ReferenceExtras {
  /** Decorators: defects, traces, faults. */
  readonly seams?: Seams;
  /** Hears what an operator should know while the server starts. */
  readonly warn?: (text: string) => void;
  /** PEM that the root CA config map publishes; the end of the chain of the server certificate unless told. */
  readonly rootCa?: string | undefined;
  /** Further methods that know bearer tokens, asked first. */
  readonly tokens?: readonly TokenAuthenticator[];
  /** Names this server in its identity Lease; undefined: it has none. */
  readonly hostname?: string;
  /** The data directory of the options, where it is taken already; it stays taken. */
  readonly dataDirectory?: DataDirectory | undefined;
  /** What a new store begins with; nothing when undefined. */
  readonly image?: StoreImage | undefined;
  /** That of the server whose place it takes. */
  readonly lineage?: Lineage | undefined;
}

/** Which of the servers that began as one it is. */
export interface Lineage {
  /** 0 for the first, then in the order in which they were forked. */
  readonly number: number;
  /** The last number given out. */
  readonly given: { last: number };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** Passwords and tokens must not cross a network in plain text; here nobody else hears them. */
const LOOPBACK = '127.0.0.1';

/** Where a server listens. */
export interface Ports {
  readonly secure: number;
  /** For plain HTTP, on loopback; undefined: none. */
  readonly insecure: number | undefined;
}

/** A server that has its first objects and runs, whether or not it listens. */
export interface Reference {
  readonly services: Services;
  /** Answers a request without any network. */
  readonly handler: Handler;
  /** The accounts of the last requests; undefined unless the options ask for them. */
  readonly explanations: Explanations | undefined;
  /**
   * Opens the ports of the options; answers their numbers. Throws what the listener throws.
   * @param through answers what comes there; this server unless told
   * @param serving where, in place of what the options say
   */
  listen(through?: Handler, serving?: ServerOptions['serving']): Promise<Ports>;
  /** Ends what it does, but for its ports: another server answers there. */
  retire(): Promise<void>;
  /** Tells where clients find it, when somebody else listens for it: what it publishes about itself names this URL. */
  servedAt(base: string): void;
  /** Ends its timers: from now on it is there to be forked. */
  freeze(): void;
  /** Moves a virtual or running clock ahead. Throws on the machine's clock. */
  advance(milliseconds: number): void;
  /** Makes a stored object unreadable, as a failed decryption would. Throws when there is none. */
  corrupt(type: GroupResource, namespace: string, name: string): Promise<void>;
  /** All that is stored now. Throws UnreadableObject. */
  image(): Promise<StoreImage>;
  /**
   * Another server that begins where this one stands when its controllers have nothing to do: with the same objects,
   * the same time and the same chance, without watches, metrics and the past. It takes the same time however much is
   * stored, since each of the two copies what it changes. Throws where objects are not kept in memory.
   *
   * @param lineage of the server whose place it takes; it gets an audit log of its own unless told
   */
  fork(lineage?: Lineage): Promise<Reference>;
  readonly lineage: Lineage;
  /** Whether it can be forked. */
  readonly forkable: boolean;
  /** Resolves when the controllers have done what they can do now. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What a fork has of the server that it is forked from. */
interface Inherited {
  readonly opened: ForkedStore;
  readonly clock: OwnClock;
  readonly random: OwnRandom;
  readonly auditIds: OwnRandom;
  readonly accountKeys: AccountKeys;
  readonly registry: ResourceRegistry;
  readonly authorization: KnownToAuthorization;
  readonly flowControl: KnownToFlowControl;
  readonly customTypes: ReturnType<typeof customTypeServing>;
  readonly largeWork: LargeWork | undefined;
  readonly controllers: Controllers;
  readonly documents: MadeDocuments;
}

/**
 * Builds the server from options and starts it: the composition root, the only file that imports every stage.
 * @throws Error with one sentence when the store cannot be opened.
 */
export function createReference(options: ServerOptions, extras: ReferenceExtras = {}): Promise<Reference> {
  return assemble(options, extras, undefined);
}

async function assemble(
  options: ServerOptions,
  extras: ReferenceExtras,
  inherited: Inherited | undefined,
): Promise<Reference> {
  const { dialect, follow, features } = options;
  const seams = extras.seams ?? {};
  const lineage = extras.lineage ?? { number: 0, given: { last: 0 } };
  const ownClock = inherited?.clock ?? createClock(options.clock);
  const clock = seams.clock?.(ownClock) ?? ownClock;
  const gate = (name: string) => features.enabled(name);
  const { dataDirectory: directory, image } = extras;
  const encryption = encryptionOf(options.storage, dialect);
  const opened =
    inherited?.opened ??
    (await openStore(options.storage, {
      clock,
      dialect,
      encryption,
      directory,
      image,
      schemaOf: (apiVersion, kind) => registry.schemaOf(apiVersion, kind),
    }));
  const store = seams.store?.(opened.store) ?? opened.store;
  // A server that goes on with what another stored must not draw the same ids once more.
  const random: OwnRandom =
    inherited?.random ??
    (options.seed === undefined ? new SystemRandom() : new SeededRandom(options.seed, opened.store.epoch));

  // Sources of their own: what is only read takes nothing from the sequence that names and uids are drawn from, nor do keys.
  const auditIds: OwnRandom =
    inherited?.auditIds ??
    (options.seed === undefined ? new SystemRandom() : new SeededRandom(options.seed + 2, opened.store.epoch));
  const keySource = options.seed === undefined ? undefined : new SeededRandom(options.seed + 1);
  const explanations = options.explain ? new Explanations() : undefined;
  const authentication = createAuthentication(options.authentication, {
    store,
    clock,
    dialect,
    follow,
    accountKeys: inherited?.accountKeys,
    keySource,
    reviews: seams.reviews,
    tokens: extras.tokens,
    around: explanations && { method: toldMethod, token: toldTokenMethod },
  });
  const authorization = createAuthorization(options.authorization, {
    store,
    clock,
    dialect,
    follow,
    gate,
    reviews: seams.reviews,
    from: inherited && { of: inherited.authorization, revision: inherited.opened.revision },
    around: (member) => {
      const each = seams.eachAuthorizer?.(member) ?? member;
      return explanations ? toldAuthorizer(each) : each;
    },
  });
  const authenticator = seams.authenticator?.(authentication.authenticator) ?? authentication.authenticator;
  const metrics = new MetricsRegistry({
    release: options.release.minor,
    showHidden: options.showHiddenMetricsFor !== undefined,
    warn: extras.warn,
  });
  const decided = counted(authorization.authorizer, decisionMetrics(metrics, authorization.typeOf));
  const authorizer = seams.authorizer?.(decided) ?? decided;

  const { serviceAccounts, audiences } = options.authentication;
  const keys = authentication.accountKeys;
  const operations: Operations = {
    types: {
      ...accessReviews({ authorizer, rules: authorization.rules, dialect }),
      ...identityReviews(authentication.tokens, clock),
      '/bindings': bindings(store, clock),
    },
    subresources: {
      'apps/deployments/rollback': deploymentRollback,
      'extensions/deployments/rollback': deploymentRollback,
      '/pods/binding': podBinding(clock),
      '/pods/eviction': podEviction(() => services),
      '/serviceaccounts/token': tokenRequest({
        store,
        clock,
        random,
        dialect,
        keys,
        options: serviceAccounts,
        audiences,
      }),
    },
  };
  const registry = inherited?.registry ?? builtinRegistry(options);
  storageMetrics(metrics, { store, registry, release: options.release.minor });

  const escalation = new EscalationCheck({ authorizer, rbac: authorization.rbac, dialect });
  const { services: hookServices = new Map() } = options.admission;
  const plugins = createAdmission(
    options.admission,
    {
      store,
      registry,
      dialect,
      random,
      clock,
      authorizer,
      follow,
      services: hookServices,
      webhooks: seams.webhooks,
      hookReviews: seams.hookReviews,
    },
    [escalation],
  );
  const services: Services = {
    store,
    registry,
    clock,
    random,
    dialect,
    follow,
    gate,
    authorizer,
    ownership: seams.ownership?.(FIELD_OWNERSHIP) ?? FIELD_OWNERSHIP,
    shortestWatch: options.serving.minimumWatchTime,
    admission: seams.admission?.(plugins) ?? plugins,
    operations,
    largeWork: inherited?.largeWork ?? new LargeWork(),
  };

  const customTypes = customTypeServing(services, inherited?.customTypes);
  const { maxReadsInFlight, maxWritesInFlight, priorityAndFairness, requestTimeout } = options.serving;
  const flowControl = createFlowControl(
    { reads: maxReadsInFlight, writes: maxWritesInFlight, priorities: priorityAndFairness, requestTimeout },
    { store, clock, dialect, from: inherited && { of: inherited.flowControl, revision: inherited.opened.revision } },
  );
  const settings: ControllerSettings = {
    priorityAndFairness,
    eventTimeToLive: options.serving.eventTtl,
    clientOf: (manager) => new InternalClient(services, manager),
    customTypes,
    rootCa: extras.rootCa ?? options.serving.tls?.certificate.match(CERTIFICATE)?.at(-1),
    bootstrapTokens: options.authentication.bootstrapTokens,
    chosen: options.controllers,
    accountKeys: keys,
    identityLease: inherited ? undefined : identityLeaseOf(options, extras.hostname),
    election: opened.election,
  };
  // Before anything is waited for: the other server goes on.
  const forked = inherited?.controllers.fork(services, settings, inherited.opened.revision);

  if (authorization.usesRbac && !inherited) await reconcileDefaults({ store, clock, random, dialect });
  await authorization.start();
  const controllers = await startControllers(services, settings, forked);
  await flowControl.start();
  flowControlMetrics(metrics, flowControl);
  const health = new Health({ ...options.health, store, clock, dialect, follow });

  describeServer(metrics, dialect, options.release, features);
  const requests = new RequestMetrics(metrics, registry);
  const reloads = [
    follows(options.authentication.file, (config) => authentication.replace(config), 'authentication'),
    follows(options.authorization.file, (list) => authorization.replace(list), 'authorization'),
    follows(options.storage.encryption?.file, (rules) => encryption?.replace(rules), 'encryption'),
  ];
  function follows<T>(source: ConfigSource<T> | undefined, take: (config: T) => void, subject: string) {
    return source && followConfig(source, clock, take, reloadMetrics(metrics, subject, clock));
  }

  let address = '';
  const documents = inherited?.documents ?? { discovery: new WeakMap(), openapi: new WeakMap() };
  const encoder = createEncoder({ dialect, follow, clock, gate });
  const audit = openSinks(options.audit, clock, dialect, lineage.number);
  const auditor = audit && new Auditor(audit, { clock, dialect, registry, encoder, metrics });
  const refuse = (asked: Attributes, verdict: AuthorizationResult, target = '') =>
    refusal(asked, verdict, follow, target);
  const pipeline = createPipeline({
    services,
    authenticator,
    authorizer,
    impersonate: gate('ConstrainedImpersonation')
      ? constrained({ authorizer, dialect, clock, heard: impersonationMetrics(metrics) })
      : unconstrained({ authorizer, dialect }),
    attributesOf: (info, user, request) => attributesOf(info, user, request.query, gate('AuthorizeWithSelectors')),
    refusal: refuse,
    verbs: seams.verbs?.(VERBS) ?? VERBS,
    documents: [
      discoveryDocuments(services, options.release, documents),
      health.documents,
      metricsDocuments(metrics, health, dialect),
      issuerDiscovery(serviceAccounts, keys, () => address),
      ...(explanations ? [explainEndpoint(explanations)] : []),
    ],
    encoder,
    observers: [requests],
    auditor,
    auditId: (request) => {
      const given = request.headers['audit-id'];
      return typeof given === 'string' && given !== '' ? given : uuid(auditIds);
    },
    flowControl: flowControl.control,
    requestTimeout,
    explanations,
  });
  const { reply } = seams;
  const replying: Handler = reply ? async (request) => reply(await pipeline(request), request) : pipeline;
  const handler = seams.handler?.(replying) ?? replying;

  health.started();
  let retired = false;
  async function retire(): Promise<void> {
    if (retired) return;
    retired = true;
    for (const reload of reloads) reload?.cancel();
    await controllers.stop();
    flowControl.stop();
    authorization.stop();
    await plugins.stop?.();
    ownClock.stop();
    await store.close();
    opened.release();
    await audit?.sink.close();
  }

  let listener: Listener | undefined;
  let insecure: Listener | undefined;
  return {
    services,
    handler,
    explanations,
    async listen(through = handler, serving = options.serving) {
      const { authentication: who } = options;
      listener = await listen(
        {
          host: serving.bindAddress,
          port: serving.securePort,
          http2: serving.http2,
          tls: serving.tls && {
            ...serving.tls,
            minimumVersion: serving.minimumTlsVersion,
            ...(who.clientCa ? { clientCa: who.clientCa.join('\n') } : {}),
          },
        },
        through,
      );
      address = `https://${serving.bindAddress}:${listener.port}`;
      if (serving.insecurePort !== undefined) {
        insecure = await listen({ host: LOOPBACK, port: serving.insecurePort, http2: serving.http2 }, through);
      }
      return { secure: listener.port, insecure: insecure?.port };
    },
    servedAt(base) {
      address = base;
    },
    freeze: () => ownClock.stop(),
    advance(milliseconds) {
      if (!('advance' in ownClock)) throw new Error("the machine's clock cannot be advanced");
      (ownClock as VirtualClock).advance(milliseconds);
    },
    async corrupt(type, namespace, name) {
      const found = await opened.corrupt(objectKey(type, namespace, name));
      if (!found) throw new Error(`no ${type.resource} ${name} is stored`);
    },
    image: () => imageOf(store),
    settled: () => controllers.idle(),
    forkable: opened.fork !== undefined,
    lineage,
    async fork(place) {
      if (!opened.fork) throw new Error('only a server that keeps its objects in memory can be forked');
      while (controllers.busy) await controllers.idle();
      const clock = ownClock.fork();
      const own = place ?? { number: ++lineage.given.last, given: lineage.given };
      return assemble(
        options,
        { ...extras, lineage: own },
        {
          opened: opened.fork(clock),
          clock,
          random: random.fork(),
          auditIds: auditIds.fork(),
          accountKeys: keys,
          registry: registry.fork(),
          authorization: authorization.known,
          flowControl: flowControl.known,
          customTypes,
          largeWork: services.largeWork,
          controllers,
          documents,
        },
      );
    },
    async close() {
      health.beginShutdown();
      if (listener && options.health.shutdownDelay > 0) await passed(clock, options.health.shutdownDelay);
      await Promise.all([insecure?.close(), listener?.close()]);
      await retire();
    },
    retire,
  };
}

/** The built-in types of the release, as the options ask for them. */
function builtinRegistry({ dialect, follow, release, runtimeConfig, features }: ServerOptions): ResourceRegistry {
  const builtins = new BuiltinMaker({
    dialect,
    follow,
    release: release.minor,
    asked: runtimeConfig,
    gate: (name) => features.enabled(name),
    compileMatchCondition,
  });
  const registry = new ResourceRegistry((group, resource) => builtins.unserved(group, resource));
  for (const type of builtins.types()) registry.set(type);
  return registry;
}

/** In the dialect that knows such leases, where the gate is on and time goes by itself. */
function identityLeaseOf(options: ServerOptions, hostname: string | undefined) {
  const { dialect, features, clock } = options;
  const { renewInterval, duration } = options.identityLease;
  const held = dialect.name === 'kubernetes' && features.enabled('APIServerIdentity') && clock !== 'virtual';
  return hostname !== undefined && held && renewInterval > 0
    ? { hostname, port: options.serving.securePort, renewInterval, duration }
    : undefined;
}

function createClock(kind: ServerOptions['clock']): OwnClock {
  if (kind === 'virtual') return new VirtualClock();
  return kind === 'running' ? new RunningClock() : new SystemClock();
}

function passed(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => clock.after(milliseconds, resolve));
}
