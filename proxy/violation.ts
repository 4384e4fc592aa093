import type { Awaitable } from '../reference/api/awaitable.ts';
import type { User } from '../reference/api/identity.ts';
import type { JsonObject } from '../reference/api/json.ts';
import type { Attributes, AuthorizationResult } from '../reference/contracts/authorizer.ts';
import type { Changed, WatchEvent } from './events.ts';
import type { Exchange } from './exchange.ts';
import type { Interceptor } from './interceptor.ts';

/** Something that a server does wrong, done to a sound one from outside. */
export interface Violation {
  /** What is broken, in words. */
  readonly statement: string;
  /** The requirement, clause or area that forbids it, as far as its author knows: its checks are run first. */
  readonly requirement?: string | readonly string[];
  /** Sees each request before the server behind does; where it answers by itself, that one is never asked. */
  readonly request?: (exchange: Exchange) => unknown;
  /** Sees each answer of the server behind. */
  readonly response?: (exchange: Exchange) => unknown;
  /** Sees each event of each watch. */
  readonly event?: (event: WatchEvent, exchange: Exchange) => Changed | Promise<Changed>;
  /** Sees each object that is shown, wherever that is: by itself, in a list or table, in an event. */
  readonly object?: (object: JsonObject, exchange: Exchange) => unknown;
  /** The command line that a server is started with, before it is read; returns another. */
  readonly flags?: (words: readonly string[]) => readonly string[];
  /** Sees the object in each configuration file, JSON or YAML, as it is read at the start and later. */
  readonly file?: (object: JsonObject, path: string) => unknown;
  /** The text of each file that flags name, as it is read; returns another. */
  readonly text?: (text: string, path: string) => string;
  /** Sees who a request is taken for; undefined: it is refused. Returns somebody else, or null to refuse. */
  readonly user?: (user: User | undefined, exchange: Exchange) => Awaitable<User | null | undefined>;
  /** Stands between a server and a remote service that it puts reviews to; returns what shall be its answer. */
  readonly review?: (review: JsonObject, ask: (review: JsonObject) => Promise<JsonObject>) => Awaitable<JsonObject>;
  /**
   * Stands between a server and its webhooks of admission: `ask` puts this or another AdmissionReview to the webhook and
   * gives its answer, or throws where that has none that is JSON. Returns what shall count as its answer, or nothing for
   * the webhook's own.
   */
  readonly admission?: (
    review: JsonObject,
    ask: (review: JsonObject) => Promise<JsonObject>,
    at: AskedWebhook,
  ) => Awaitable<JsonObject | undefined>;
  /**
   * Stands around each authorizer of the chain; `ask` gives what that one says of these or other attributes. Returns
   * another verdict, or nothing for its own.
   */
  readonly authorize?: (
    asked: Attributes,
    ask: (asked: Attributes) => Promise<AuthorizationResult>,
    at: Asked,
  ) => Awaitable<AuthorizationResult | AuthorizationResult['decision'] | undefined>;
}

/** Which authorizer is asked, and where a violation remembers something: the same as in exchanges. */
export interface Asked {
  readonly name: string;
  readonly memory: Map<string, unknown>;
}

/** Which webhook is asked, by its own name and that of its configuration. */
export interface AskedWebhook {
  readonly name: string;
  readonly configuration: string;
  readonly memory: Map<string, unknown>;
}

/** What only a server itself can be made to do, and nobody in front of it. */
export const INSIDE = [
  'flags',
  'file',
  'text',
  'user',
  'review',
  'admission',
  'authorize',
] as const satisfies readonly (keyof Violation)[];

/** What a file of violations exports by default, by name. */
export type Violations = Readonly<Record<string, Violation>>;

/** The interceptor that commits a violation. */
export function committing({ request, response, event, object }: Violation): Interceptor {
  return async (exchange, next) => {
    await request?.(exchange);
    if (exchange.answered) return;
    await next();
    if (object && exchange.response.succeeded)
      for (const each of await exchange.response.objects()) await object(each, exchange);
    await response?.(exchange);
    if (object) exchange.onEvent((each) => shown(each, object, exchange));
    if (event) exchange.onEvent((each) => event(each, exchange));
  };
}

async function shown(event: WatchEvent, object: NonNullable<Violation['object']>, exchange: Exchange): Promise<void> {
  if (event.type !== 'ERROR') await object(event.object, exchange);
}
