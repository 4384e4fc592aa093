import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { Follow } from '../../fixtures/follow.ts';
import { admissionChain } from '../admission/chain.ts';
import { namespaceLifecycle } from '../admission/namespaceLifecycle.ts';
import type { User } from '../api/identity.ts';
import type { JsonObject } from '../api/json.ts';
import { asJson } from '../api/object.ts';
import { parseQuery } from '../api/query.ts';
import type { ResourceRequest } from '../api/request.ts';
import { ApiError } from '../api/status.ts';
import { Warnings } from '../api/warnings.ts';
import type { AccountKeys } from '../authentication/accountKeys.ts';
import { compileMatchCondition } from '../cel/matchConditions.ts';
import type { Admission } from '../contracts/admission.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Authorizer } from '../contracts/authorizer.ts';
import { type Services, servicesFor } from '../contracts/call.ts';
import { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { USUAL_RELEASE } from '../contracts/servedVersions.ts';
import { type Controllers, startControllers } from '../controllers/start.ts';
import { FIELD_OWNERSHIP } from '../fields/fieldOwnership.ts';
import { fromStorage } from '../objects/versions.ts';
import { SeededRandom } from '../random.ts';
import { customTypeServing } from '../resources/apiextensions/customTypes.ts';
import { builtinTypes } from '../resources/builtin.ts';
import { MemoryStore } from '../storage/memory.ts';
import { VirtualClock } from '../time.ts';
import { requestInfo } from '../transport/requestInfo.ts';
import { findEndpoint } from '../verbs/dispatch.ts';
import { InternalClient } from '../verbs/internalClient.ts';
import { bindings, podBinding, podEviction } from '../verbs/podOperations.ts';
import { VERBS } from '../verbs/table.ts';

/** An answer as tests look at it. */
export interface Heard {
  readonly status: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text goes as it is. */
  readonly body?: unknown;
  readonly user?: User;
}
/** A server without network, authentication and encoding: the least in which writes can be rehearsed in tests. */
export interface WritingFixture {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  readonly services: Services;
  readonly controllers: Controllers;
  send(method: string, target: string, sending?: Sending): Promise<Heard>;
}
export interface WritingOptions {
  readonly follow?: Follow;
  readonly gates?: readonly string[];
  readonly admission?: readonly Admission[];
  readonly authorizer?: Authorizer;
  readonly accountKeys?: AccountKeys;
}

const ADMIN: User = { username: 'admin', uid: '', groups: ['system:masters'], extra: {} };
const ALL: Authorizer = { name: 'all', authorize: () => ({ decision: 'allow', reason: '', by: 'all' }) };

export async function writingFixture(options: WritingOptions = {}): Promise<WritingFixture> {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const registry = new ResourceRegistry();
  const follow = options.follow ?? 'spec';
  const subresources = { '/pods/binding': podBinding(clock), '/pods/eviction': podEviction(() => services) };
  for (const type of builtinTypes({
    dialect: kubernetes,
    follow,
    release: USUAL_RELEASE[follow],
    compileMatchCondition,
  }))
    registry.set(type);
  const services: Services = {
    store,
    registry,
    clock,
    random: new SeededRandom(1),
    dialect: kubernetes,
    admission: admissionChain([namespaceLifecycle(store, kubernetes), ...(options.admission ?? [])]),
    ownership: FIELD_OWNERSHIP,
    shortestWatch: 30 * 60_000,
    authorizer: options.authorizer ?? ALL,
    operations: { types: { '/bindings': bindings(store, clock) }, subresources },
    follow,
    gate: (name) => options.gates?.includes(name) ?? false,
  };
  const controllers = await startControllers(services, {
    clientOf: (manager) => new InternalClient(services, manager),
    customTypes: customTypeServing(services),
    rootCa: 'certificates',
    ...(options.accountKeys ? { accountKeys: options.accountKeys } : {}),
  });
  return {
    clock,
    store,
    services,
    controllers,
    send: (method, target, sending) => send(services, method, target, sending),
  };
}

async function send(services: Services, method: string, target: string, sending: Sending = {}): Promise<Heard> {
  const [path = '', search = ''] = target.split('?', 2);
  const query = parseQuery(search);
  const warnings = new Warnings();
  const { body } = sending;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const info = requestInfo(method, path, query, services.follow) as ResourceRequest;
  const exchange = {
    request: {
      method,
      path,
      target,
      query,
      headers: sending.headers ?? {},
      remoteAddress: '',
      secure: true,
      peerCertificate: undefined,
      headerLines: undefined,
      signal: new AbortController().signal,
      body: async () => Buffer.from(text),
    },
    info,
    user: sending.user ?? ADMIN,
    warnings,
    audit: new Map<string, string>(),
    trace: undefined,
  };
  try {
    const endpoint = findEndpoint(services.registry, info, method);
    if ('kind' in endpoint) return { status: endpoint.code, body: {}, warnings: [] };
    const answer = await VERBS[info.verb as keyof typeof VERBS]({
      exchange,
      endpoint,
      services: servicesFor(endpoint, services),
    });
    return { ...shown(answer), warnings: warnings.list() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.code, body: error.toStatus() as unknown as JsonObject, warnings: warnings.list() };
  }
}

function shown(answer: Answer): { status: number; body: JsonObject } {
  switch (answer.kind) {
    case 'entry':
      return { status: answer.code, body: asJson(fromStorage(answer.endpoint, answer.entry.object)) };
    case 'object':
      return { status: answer.code, body: asJson(answer.object) };
    case 'status':
      return { status: answer.code, body: answer.status as unknown as JsonObject };
    case 'list': {
      const items = answer.entries.map((entry) => asJson(fromStorage(answer.endpoint, entry.object)));
      return { status: answer.code, body: { metadata: { ...answer.metadata }, items } };
    }
    default:
      throw new Error(`a write does not answer a ${answer.kind}`);
  }
}
