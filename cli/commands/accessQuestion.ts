import type { AccessAttributes, NamedType } from '../../suites/accessQuestions/question.ts';
import { UsageError } from '../usageError.ts';

const USAGE = 'doctor --as USER can VERB RESOURCE[.group] [NAME], or can VERB /path';

/**
 * Reads the words behind `doctor`. The user is in the groups given and, as everybody who is known, in
 * `system:authenticated`.
 *
 * @throws UsageError when the words are no such question
 */
export function readQuestion(
  words: readonly string[],
  as: string | undefined,
  groups: readonly string[],
): AccessAttributes {
  const [can, verb, target, name, ...rest] = words;
  if (can !== 'can') {
    throw new UsageError(`doctor takes no words but a question: ${USAGE}; what is ${JSON.stringify(can)}?`);
  }
  if (as === undefined) throw new UsageError(`Who would do it? Say it with --as: ${USAGE}.`);
  if (verb === undefined || target === undefined || rest.length > 0) throw new UsageError(`Ask as in: ${USAGE}.`);
  const who = { user: as, groups: groupsOf(as, groups), verb };
  if (!target.startsWith('/')) return { ...who, about: { type: typeNamed(target), name: name ?? '' } };
  if (name !== undefined) throw new UsageError(`A path is the last word of a question: ${USAGE}.`);
  return { ...who, about: { path: target } };
}

function typeNamed(word: string): NamedType {
  const dot = word.indexOf('.');
  return dot < 0 ? { word, group: undefined } : { word: word.slice(0, dot), group: word.slice(dot + 1) };
}

const ACCOUNT = /^system:serviceaccount:([^:]+):[^:]+$/;

/** The groups that a server puts a user into by itself, behind those given. */
function groupsOf(user: string, given: readonly string[]): readonly string[] {
  const namespace = ACCOUNT.exec(user)?.[1];
  const own =
    user === 'system:anonymous'
      ? ['system:unauthenticated']
      : [
          ...(namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]),
          'system:authenticated',
        ];
  return [...new Set([...given, ...own])];
}
