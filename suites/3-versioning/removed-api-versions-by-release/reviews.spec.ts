import { groupName, protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import {
  type ClauseName,
  check,
  clause,
  clausesOf,
  configMaps,
  match,
  must,
  named,
  protobufBody,
  roleBindings,
  roles,
  should,
} from '../../harness/index.ts';

const KINDS = { subject: 'SubjectAccessReview', local: 'LocalSubjectAccessReview' } as const;

check(
  'CHANGED-FIELDS-01.2',
  'the admin reviews what members of some groups may do, in each review and encoding → each of the groups counts',
  clausesOf('CHANGED-FIELDS-01', 'review-groups'),
  ['rbac'],
  async ({ admin, dialect, space }) => {
    const group = `${space.prefix}-group`;
    const namespace = await admin.namespace();
    const apiGroup = groupName(dialect, 'rbac.authorization');
    const rules = [{ verbs: ['list'], apiGroups: [''], resources: [configMaps.plural] }];
    await admin.given(roles, { ...named('listing'), rules });
    await admin.given(roleBindings, {
      ...named('listing'),
      roleRef: { apiGroup, kind: 'Role', name: 'listing' },
      subjects: [{ kind: 'Group', name: group, apiGroup }],
    });
    const apiVersion = `${groupName(dialect, 'authorization')}/v1`;
    const resourceAttributes = { namespace, verb: 'list', resource: configMaps.plural };
    for (const word of ['subject', 'local'] as const) {
      const kind = KINDS[word];
      const within = word === 'local' ? `/namespaces/${namespace}` : '';
      const path = `/apis/${apiVersion}${within}/${kind.toLowerCase()}s`;
      for (const write of ['post', 'yaml', 'protobuf'] as const) {
        const ask = (groups: readonly string[]) => {
          const metadata = word === 'local' ? { namespace } : {};
          const review = { metadata, spec: { user: 'touchstone-nobody', groups, resourceAttributes } };
          const whole = { apiVersion, kind, ...review };
          const accept = 'application/json';
          if (write === 'post') return admin.request('POST', path, { body: whole });
          const sent =
            write === 'yaml'
              ? { body: JSON.stringify(whole), headers: { accept, 'content-type': 'application/yaml' } }
              : {
                  body: protobufBody(apiVersion, kind, review),
                  headers: { accept, 'content-type': protobufMediaType(dialect) },
                };
          return admin.request('POST', path, sent);
        };
        const says = (allowed: match.Expectation) => match.both(match.created, match.field('status.allowed', allowed));
        await clause(`CHANGED-FIELDS-01/review-groups/${word}/${write}` as ClauseName, async () => {
          for (const groups of [[group], ['none', group], [group, 'none'], ['none', group, 'other']])
            must(`${groups.join(', ')} may`, await should(() => ask(groups), says(true)));
          must('others may not', await ask(['none', 'other']), says(match.empty));
        });
      }
    }
  },
);
