import type { User } from '../../api/identity.ts';
import {
  type AuthorizerCheck,
  authorizerValue,
  type AuthorizerAnswer as Decided,
} from '../../cel/libraries/authorizer.ts';
import type { Attributes, AuthorizationResult, Authorizer } from '../../contracts/authorizer.ts';
import { fieldRequirementsForAuthorizer, parseFieldSelector } from '../../selectors/fields.ts';
import type { SelectorRequirement } from '../../selectors/labelRequirement.ts';
import { labelRequirementsForAuthorizer } from '../../selectors/labelRequirement.ts';
import { parseLabelSelector } from '../../selectors/labels.ts';

/** What an expression is told meanwhile; it is evaluated again when the answer is there. */
const NOT_YET: Decided = { allowed: false, reason: '', error: '' };

/** What the conditions of one request ask the authorizer, each question once. */
export class AuthorizerQuestions {
  readonly #authorizer: Authorizer;
  readonly #user: User;
  readonly #answers = new Map<string, Decided>();
  readonly #open = new Map<string, Promise<AuthorizationResult>>();

  /** @param user of the request, for whom is asked */
  constructor(authorizer: Authorizer, user: User) {
    this.#authorizer = authorizer;
    this.#user = user;
  }

  /** The variable `authorizer`. */
  value(requestResource: Omit<AuthorizerCheck, 'verb'>): unknown {
    return authorizerValue((question) => this.#decide(question), requestResource);
  }

  /** Waits for what is open; false when nothing was. */
  async answered(): Promise<boolean> {
    if (this.#open.size === 0) return false;
    const open = [...this.#open];
    this.#open.clear();
    for (const [key, verdict] of open) this.#answers.set(key, decided(await verdict));
    return true;
  }

  #decide(question: AuthorizerCheck): Decided {
    const key = JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known) return known;
    const verdict = this.#authorizer.authorize(attributesOf(question, this.#user));
    if (verdict instanceof Promise) {
      this.#open.set(key, verdict);
      return NOT_YET;
    }
    const answer = decided(verdict);
    this.#answers.set(key, answer);
    return answer;
  }
}

function decided({ decision, reason, error }: AuthorizationResult): Decided {
  return { allowed: decision === 'allow', reason, error: error ?? '' };
}

function attributesOf(question: AuthorizerCheck, requester: User): Attributes {
  const { serviceAccount, verb, path } = question;
  const user = serviceAccount ? accountUser(serviceAccount) : requester;
  if (path !== undefined) return { isResource: false, user, verb, path };
  const fields = selected(question.fieldSelector, (text) => fieldRequirementsForAuthorizer(parseFieldSelector(text)));
  const labels = selected(question.labelSelector, (text) => labelRequirementsForAuthorizer(parseLabelSelector(text)));
  return {
    isResource: true,
    user,
    verb,
    group: question.group ?? '',
    version: '*',
    resource: question.resource ?? '',
    subresource: question.subresource ?? '',
    namespace: question.namespace ?? '',
    name: question.name ?? '',
    ...(fields ? { fieldSelector: fields } : {}),
    ...(labels ? { labelSelector: labels } : {}),
  };
}

/** A selector that cannot be read narrows nothing. */
function selected(
  text: string | undefined,
  read: (text: string) => readonly SelectorRequirement[],
): readonly SelectorRequirement[] | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

function accountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): User {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: {},
  };
}
