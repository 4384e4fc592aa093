import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { User } from '../api/identity.ts';
import { ApiError } from '../api/status.ts';
import { constrained } from '../authentication/impersonation/constrained.ts';
import type { Impersonator } from '../authentication/impersonation/impersonator.ts';
import { unconstrained } from '../authentication/impersonation/unconstrained.ts';
import type { Attributes, AuthorizationResult, Authorizer } from '../contracts/authorizer.ts';
import { VirtualClock } from '../time.ts';
import { requestWith } from './authenticationFixture.ts';

export const ALICE: User = { username: 'alice', uid: 'a-1', groups: ['devs'], extra: {} };

/** A list of pods in a namespace. */
const LIST = {
  isResource: true,
  verb: 'list',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'team',
  name: '',
} as const;

/** A question in few words: the verb, then what it is about. */
function wording(asked: Attributes): string {
  if (!asked.isResource) return `${asked.verb} ${asked.path}`;
  const { verb, group, resource, subresource, namespace, name } = asked;
  const what = [group && `${group}:`, resource, subresource && `/${subresource}`].join('');
  return [verb, namespace && `${namespace}/`, what, name].filter(Boolean).join(' ');
}

/** For tests: impersonation before an authorizer that allows what is told, in the words of the questions. */
export function impersonationFixture(kind: 'constrained' | 'unconstrained' = 'constrained') {
  const clock = new VirtualClock();
  const allowed = new Set<string>();
  const questions: Attributes[] = [];
  const heard: string[] = [];
  let error: string | undefined;
  const authorizer: Authorizer = {
    name: 'told',
    authorize(asked): AuthorizationResult {
      questions.push(asked);
      const decision = allowed.has(wording(asked)) ? 'allow' : 'noOpinion';
      return { decision, reason: '', by: 'told', ...(error === undefined ? {} : { error }) };
    },
  };
  const dependencies = { authorizer, dialect: kubernetes };
  const impersonator: Impersonator =
    kind === 'unconstrained'
      ? unconstrained(dependencies)
      : constrained({
          ...dependencies,
          clock,
          heard: {
            asked: (mode, yes) => heard.push(`${mode} ${yes ? 'allowed' : 'denied'}`),
            tried: (mode) => heard.push(mode === undefined ? 'let nobody through' : `let through by ${mode}`),
          },
        });
  return {
    clock,
    heard,
    allow: (...words: readonly string[]) => {
      for (const one of words) allowed.add(one);
    },
    forbid: (...words: readonly string[]) => {
      for (const one of words) allowed.delete(one);
    },
    fail: (why: string) => {
      error = why;
    },
    /** Questions since the last time, in words. */
    asked: () => questions.splice(0).map(wording),
    /** Questions since the last time, as they were asked. */
    questions: () => questions.splice(0),
    /** Whom a list of pods acts as, or the refusal. */
    async act(headers: Readonly<Record<string, string | string[]>>, user = ALICE) {
      const named = Object.entries(headers).map(([name, value]) => [`impersonate-${name}`, value]);
      try {
        return { acting: await impersonator(requestWith(Object.fromEntries(named)), { ...LIST, user }) };
      } catch (refusal) {
        if (!(refusal instanceof ApiError)) throw refusal;
        return { refusal };
      }
    },
  };
}
