import { requestsBegun } from '../client/requestsBegun.ts';
import { isRecord, type JsonObject } from '../json.ts';
import type { ServiceKind } from './services.ts';
import { openTlsServer, type Reply, type ServiceRequest, type TlsServer } from './tlsServer.ts';

/** An AdmissionReview as the target sent it. */
export interface Review {
  readonly apiVersion: string;
  readonly request: JsonObject;
}
/** What a hook does with a review: `allow`, or anything else it can be made to do. */
export type Behaviour = (review: Review, call: ServiceRequest) => Reply | Promise<Reply>;

/** One webhook at an address of its own: it keeps the reviews that reach it and answers as it is told. */
export class Hook {
  /**
   * Reviews in the order in which they came, one for each stored object that a request is about: a server may decide on
   * a state that it has kept and then ask again, about a later one, or about the same where it is refused and has to
   * be sure that there is none.
   */
  readonly reviews: Review[] = [];
  readonly url: string;
  #behaviour: Behaviour = allow;
  #last: Asking | undefined;

  constructor(url: string) {
    this.url = url;
  }
  /** From now on it behaves so. */
  does(behaviour: Behaviour): this {
    this.#behaviour = behaviour;
    return this;
  }
  answer(call: ServiceRequest): Reply | Promise<Reply> {
    const review = readReview(call.body);
    if (!review) return { status: 400, body: 'this is no AdmissionReview' };
    const asking = askingOf(review);
    if (this.#last && isAskedAgain(asking, this.#last, this.#behaviour !== allow)) this.reviews.pop();
    this.#last = asking;
    this.reviews.push(review);
    return this.#behaviour(review, call);
  }
}

/** What a review is about, and during which request it came. */
interface Asking {
  readonly during: number;
  readonly about: string;
  /** Version of the stored object; none where there is none. */
  readonly version: unknown;
}
function askingOf({ request }: Review): Asking {
  const { operation, resource, subResource, namespace, name, dryRun, oldObject } = request;
  const old = isRecord(oldObject) && isRecord(oldObject.metadata) ? oldObject.metadata : {};
  const about = [operation, resource, subResource, namespace, name, dryRun, old.namespace, old.name];
  return { during: requestsBegun(), about: JSON.stringify(about), version: old.resourceVersion };
}
/** Whether a server asks once more about what it asked before: of another state, or of the same where it may have been refused. */
function isAskedAgain(asking: Asking, before: Asking, mayRefuse: boolean): boolean {
  const isSame = asking.during === before.during && asking.about === before.about;
  return isSame && before.version !== undefined && (mayRefuse || asking.version !== before.version);
}

function readReview(text: string): Review | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && typeof value.apiVersion === 'string' && isRecord(value.request)) {
      return { apiVersion: value.apiVersion, request: value.request as JsonObject };
    }
  } catch {
    // What is no JSON is no review.
  }
  return undefined;
}

/** An answer to a review with this in its `response`; the uid is the asked one unless told. */
export function answerTo(review: Review, response: JsonObject): Reply {
  return {
    body: {
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      response: { uid: review.request.uid, ...response },
    },
  };
}
export const allow: Behaviour = (review) => answerTo(review, { allowed: true });
export const deny: Behaviour = (review) => answerTo(review, { allowed: false });

/** The service by whose name the certificate of the webhooks is good too. */
export const SERVICE = { namespace: 'touchstone', name: 'webhook' } as const;

/** The webhooks of a worker, behind one TLS server. */
export class AdmissionWebhook {
  /** PEM of the authority that signed its certificate. */
  readonly ca: string;
  readonly #server: TlsServer;
  readonly #hooks: Map<string, Hook>;

  constructor(server: TlsServer, hooks: Map<string, Hook>) {
    this.#server = server;
    this.#hooks = hooks;
    this.ca = server.ca;
  }
  /** A new hook, which allows everything until it is told otherwise. */
  hook(): Hook {
    const path = `/hook-${this.#hooks.size + 1}`;
    const hook = new Hook(`${this.#server.base}${path}`);
    this.#hooks.set(path, hook);
    return hook;
  }
  close(): Promise<void> {
    return this.#server.close();
  }
}

export const admissionWebhook: ServiceKind<AdmissionWebhook> = async (services) => {
  const hooks = new Map<string, Hook>();
  const answer = (call: ServiceRequest): Reply | Promise<Reply> =>
    hooks.get(call.path.split('?')[0] ?? '')?.answer(call) ?? { status: 404, body: 'there is no such hook' };
  const names = [`${SERVICE.name}.${SERVICE.namespace}.svc`];
  return new AdmissionWebhook(await openTlsServer(services, answer, names), hooks);
};
