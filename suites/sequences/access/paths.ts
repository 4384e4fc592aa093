import type { Row } from '../../covering/covering.ts';
import { type Rule, rolePath } from '../areas/roles.ts';
import type { RowArea, RowStep, RowSteps } from '../rowArea.ts';
import type { Person, Step } from '../step.ts';
import { bindingBody, bindingPath, groupSubject, makeRole, post, remove, reviewStep, userSubject } from './people.ts';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** Rights to paths outside the API, of which each row has one of its own. */
export const PATHS: RowArea = {
  name: 'paths',
  together: 70,
  crossing: {
    dimensions: {
      role: ['ClusterRole', 'beside-resources', 'behind'],
      binding: ['ClusterRoleBinding', 'RoleBinding'],
      subject: ['user', 'group', 'second'],
      method: METHODS,
      verbs: ['exact', 'star', 'several', 'near'],
      urls: ['exact', 'below', 'beginning', 'several', 'all', 'near'],
      asked: ['request', 'review', 'self'],
      near: ['path', 'below', 'method', 'person'],
      gone: ['kept', 'role', 'binding'],
    },
    deeply: [['urls', 'method', 'near']],
    ends: [
      { at: { binding: ['RoleBinding'] }, with: [['method'], ['urls'], ['asked']] },
      { at: { verbs: ['near'] }, with: [['method'], ['asked']] },
      { at: { urls: ['near'] }, with: [['method'], ['asked']] },
    ],
    never: [],
  },
  plain: {
    ...{ role: 'ClusterRole', binding: 'ClusterRoleBinding', subject: 'user', method: 'get', verbs: 'exact' },
    ...{ urls: 'exact', asked: 'request', near: 'path', gone: 'kept' },
  },
  shared: [],
  steps: stepsOf,
  names: [
    [{ role: ['beside-resources', 'behind'] }, 'RBAC-RULE-07', 'RBAC-RULE-05'],
    [{ binding: ['RoleBinding'] }, 'RBAC-RULE-06'],
    [{ subject: ['group', 'second'] }, 'RBAC-SUBJECT-01'],
    [{ method: METHODS }, 'AUTHZ-ATTRIBUTE-02'],
    [{ verbs: ['star', 'near'] }, 'RBAC-RULE-04', 'RBAC-RULE-05'],
    [{ verbs: ['several'] }, 'RBAC-RULE-05'],
    [{ urls: ['below', 'beginning', 'several', 'all', 'near'] }, 'RBAC-RULE-05'],
    [{ question: ['path', 'below'] }, 'RBAC-RULE-05', 'AUTHZ-ATTRIBUTE-02'],
    [{ question: ['method'] }, 'AUTHZ-ATTRIBUTE-02'],
    [{ question: ['person'] }, 'RBAC-SUBJECT-01'],
    [{ asked: ['review'] }, 'REVIEW-SUBJECT-01'],
    [{ asked: ['self'] }, 'REVIEW-SELF-01'],
    [{ time: ['after'] }, 'RBAC-RULE-08'],
    [{ differs: ['code'] }, 'ERROR-FORBIDDEN-01', 'AUTHZ-DEFAULT-01'],
  ],
  usual: ['RBAC-RULE-05', 'AUTHZ-ATTRIBUTE-02'],
};

function stepsOf(row: Row, at: string): RowSteps {
  const name = `{id}-p${at}`;
  const person: Person = row.subject === 'group' ? { user: '{id}-any', groups: [`${name}-g`] } : { user: `${name}-u` };
  const own = row.subject === 'group' ? groupSubject(`${name}-g`) : userSubject(`${name}-u`);
  const path = `/{id}/${at}`;
  const rule = ruleOf(row, path);
  const things: Rule = { verbs: ['use'], apiGroups: ['other.example'], resources: ['things'] };
  const rules =
    row.role === 'ClusterRole'
      ? [rule]
      : row.role === 'behind'
        ? [{ verbs: ['get'], nonResourceURLs: ['/other/*'] }, rule]
        : [things, rule];
  const binding = row.binding as string;
  const subjects = row.subject === 'second' ? [userSubject('{id}-first'), own] : [own];
  const ask = (question: string, asked: string, method = row.method ?? '', as = person): RowStep => ({
    ...asking(row, asked, method, as),
    question,
  });
  const next = METHODS[(METHODS.indexOf(row.method ?? '') + 1) % METHODS.length] as string;
  const near: Readonly<Record<string, readonly RowStep[]>> = {
    path: [ask('path', `${path}/a/b/c`), ask('path', `${path}-longer`), ask('path', `${path}/`)],
    below: [ask('below', '/{id}'), ask('below', `${path}/A`), ask('below', `/x${path}`)],
    method: [ask('method', `${path}/a`, next), ask('method', path, next)],
    person: [
      ask('person', `${path}/a`, row.method, { user: `${name}-v` }),
      ask('person', path, row.method, { user: `${name}-u`.toUpperCase().replace('{ID}', '{id}') }),
    ],
  };
  const change: Step[] =
    row.gone === 'role'
      ? [remove(`${rolePath('ClusterRole')}/${name}`)]
      : row.gone === 'binding'
        ? [remove(`${bindingPath(binding)}/${name}`)]
        : [];
  const exact = [ask('exact', path), ask('exact', `${path}/a`)];
  return {
    prepare: [
      makeRole('ClusterRole', name, rules),
      post(bindingPath(binding), bindingBody(binding, name, { kind: 'ClusterRole', name }, subjects)),
    ],
    ask: [...exact, ...(near[row.near ?? ''] ?? [])],
    change,
    again: change.length === 0 ? [] : exact,
  };
}

function ruleOf({ method = '', verbs = '', urls = '' }: Row, path: string): Rule {
  const words: Readonly<Record<string, readonly string[]>> = {
    exact: [method],
    star: ['*'],
    several: ['use', method],
    near: [method.toUpperCase(), `${method}s`, `${method.slice(0, 1)}*`, 'list', 'update', 'create'].filter(
      (verb) => verb !== method,
    ),
  };
  const places: Readonly<Record<string, readonly string[]>> = {
    exact: [path],
    below: [`${path}/*`],
    beginning: [`${path}*`],
    several: ['/other', path, `${path}/a`],
    all: ['*'],
    near: [`${path}x`, `${path}/a/`, `/x${path}`, `${path}/a/b`],
  };
  return { verbs: words[verbs] ?? [], nonResourceURLs: places[urls] ?? [] };
}

function asking({ asked = '' }: Row, path: string, method: string, as: Person): Step {
  const nonResourceAttributes = { path, verb: method };
  if (asked === 'self') return reviewStep('SelfSubjectAccessReview', { nonResourceAttributes }, as);
  if (asked === 'review') {
    const groups = [...(as.groups ?? []), 'system:authenticated'];
    return reviewStep('SubjectAccessReview', { user: as.user, groups, nonResourceAttributes }, 'admin');
  }
  return { as, method: method.toUpperCase(), path };
}
