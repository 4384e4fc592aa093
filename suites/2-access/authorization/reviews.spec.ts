import { check, configMaps, grantHere, groupOf, match, must, named, on, should } from '../../harness/vocabulary.ts';

check(
  'the stranger reviews what they may do → it agrees with what the request meets',
  ['REVIEW-SELF-01'],
  async ({ admin, stranger, dialect }) => {
    await admin.given(configMaps, named('doc'));
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'get')]);
    const apiVersion = `authorization.${dialect.apiDomain}/v1`;
    const namespace = await stranger.namespace();
    const may = (verb: string) => {
      const resourceAttributes = {
        verb,
        namespace,
        group: groupOf(configMaps, dialect),
        resource: 'configmaps',
        name: 'doc',
      };
      const body = { apiVersion, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } };
      return stranger.request('POST', `/apis/${apiVersion}/selfsubjectaccessreviews`, { body });
    };
    must('the request is allowed', await should(() => stranger.get(configMaps, 'doc'), match.status(200)));
    must('so says the review', await may('get'), match.status(201), match.field('status.allowed', true));
    must('another is not allowed', await stranger.delete(configMaps, 'doc'), match.status(403));
    must(
      'so says the review of that',
      await may('delete'),
      match.status(201),
      match.field('status.allowed', match.empty),
    );
  },
);

check(
  'the admin reviews for a group → its rights count',
  ['REVIEW-SUBJECT-02', 'REVIEW-STATUS-01'],
  async ({ admin, dialect }) => {
    const apiVersion = `authorization.${dialect.apiDomain}/v1`;
    const review = (groups: readonly string[]) => {
      const resourceAttributes = { verb: 'delete', resource: 'nodes' };
      const body = {
        apiVersion,
        kind: 'SubjectAccessReview',
        spec: { user: 'touchstone-nobody', groups, resourceAttributes },
      };
      return admin.request('POST', `/apis/${apiVersion}/subjectaccessreviews`, { body });
    };
    const masters = await review(['system:masters']);
    must(
      'the group may',
      masters,
      match.status(201),
      match.field('status.allowed', true),
      match.field('status.denied', match.empty),
    );
    must(
      'somebody else may not',
      await review(['touchstone-none']),
      match.status(201),
      match.field('status.allowed', match.empty),
    );
  },
);
