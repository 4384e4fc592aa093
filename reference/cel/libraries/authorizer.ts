import type { Environment } from '@marcbachmann/cel-js';
import { registerAll, registerOpaque } from './register.ts';

/** What an expression asks an authorizer. */
export interface AuthorizerCheck {
  /** Undefined for the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string;
  /** Set for paths, and then nothing else is. */
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}
export interface AuthorizerAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** Empty when the authorizer could decide. */
  readonly error: string;
}
/** Decides at once: expressions cannot wait. */
export type Decide = (question: AuthorizerCheck) => AuthorizerAnswer;

type Account = AuthorizerCheck['serviceAccount'];

class Asker {
  readonly decide: Decide;
  readonly account: Account;

  constructor(decide: Decide, account: Account) {
    this.decide = decide;
    this.account = account;
  }
}
/** The variable `authorizer`: who asks, and what the request itself is about. */
class RequestAsker extends Asker {
  readonly requestResource: ResourceCheck;

  constructor(decide: Decide, resource: Omit<AuthorizerCheck, 'verb'>) {
    super(decide, undefined);
    this.requestResource = new ResourceCheck(this, resource);
  }
}
class PathCheck {
  readonly asker: Asker;
  readonly path: string;

  constructor(asker: Asker, path: string) {
    this.asker = asker;
    this.path = path;
  }
}
class GroupCheck {
  readonly asker: Asker;
  readonly group: string;

  constructor(asker: Asker, group: string) {
    this.asker = asker;
    this.group = group;
  }
}
class ResourceCheck {
  readonly asker: Asker;
  readonly question: Omit<AuthorizerCheck, 'verb'>;

  constructor(asker: Asker, question: Omit<AuthorizerCheck, 'verb'>) {
    this.asker = asker;
    this.question = question;
  }
  with(part: Partial<AuthorizerCheck>): ResourceCheck {
    return new ResourceCheck(this.asker, { ...this.question, ...part });
  }
}
class Decision {
  readonly verdict: AuthorizerAnswer;

  constructor(verdict: AuthorizerAnswer) {
    this.verdict = verdict;
  }
}

const PREFIX = 'kubernetes.authorization';
/** The type of the variable `authorizer`; messages call it like any other authorizer. */
export const REQUEST_AUTHORIZER = `${PREFIX}.RequestAuthorizer`;
const AUTHORIZER = `${PREFIX}.Authorizer`;
const PATH = `${PREFIX}.PathCheck`;
const GROUP = `${PREFIX}.GroupCheck`;
const RESOURCE = `${PREFIX}.ResourceCheck`;
const DECISION = `${PREFIX}.Decision`;

/** The value of the variable `authorizer` for one request. */
export function authorizerValue(decide: Decide, requestResource: Omit<AuthorizerCheck, 'verb'>): unknown {
  return new RequestAsker(decide, requestResource);
}

/** Checks of authorization inside expressions. */
export function registerAuthorizer(environment: Environment): void {
  registerOpaque(environment, AUTHORIZER, Asker);
  registerOpaque(environment, PATH, PathCheck);
  registerOpaque(environment, GROUP, GroupCheck);
  registerOpaque(environment, RESOURCE, ResourceCheck);
  registerOpaque(environment, DECISION, Decision);
  environment.registerType(REQUEST_AUTHORIZER, { ctor: RequestAsker, fields: { requestResource: RESOURCE } });
  for (const type of [AUTHORIZER, REQUEST_AUTHORIZER]) {
    registerAll(environment, {
      [`${type}.path(string): ${PATH}`]: (asker: Asker, path: string) => new PathCheck(asker, path),
      [`${type}.group(string): ${GROUP}`]: (asker: Asker, group: string) => new GroupCheck(asker, group),
      [`${type}.serviceAccount(string, string): ${AUTHORIZER}`]: (asker: Asker, namespace: string, name: string) =>
        new Asker(asker.decide, { namespace, name }),
    });
  }
  registerAll(environment, {
    [`${PATH}.check(string): ${DECISION}`]: ({ asker, path }: PathCheck, verb: string) =>
      new Decision(asker.decide({ serviceAccount: asker.account, verb, path })),
    [`${GROUP}.resource(string): ${RESOURCE}`]: ({ asker, group }: GroupCheck, resource: string) =>
      new ResourceCheck(asker, { serviceAccount: asker.account, group, resource }),
    [`${RESOURCE}.check(string): ${DECISION}`]: ({ asker, question }: ResourceCheck, verb: string) =>
      new Decision(asker.decide({ ...question, serviceAccount: asker.account, verb })),
    [`${DECISION}.allowed(): bool`]: ({ verdict }: Decision) => verdict.allowed,
    [`${DECISION}.reason(): string`]: ({ verdict }: Decision) => verdict.reason,
    [`${DECISION}.error(): string`]: ({ verdict }: Decision) => verdict.error,
    [`${DECISION}.errored(): bool`]: ({ verdict }: Decision) => verdict.error !== '',
  });
  for (const part of ['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'] as const) {
    registerAll(environment, {
      [`${RESOURCE}.${part}(string): ${RESOURCE}`]: (check: ResourceCheck, value: string) =>
        check.with({ [part]: value }),
    });
  }
}
