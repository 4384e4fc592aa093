import { check, clusterRoleBindings, groupOf, isRecord, match, must } from '../../harness/index.ts';

check(
  'LEVEL-STABLE-01.1',
  'the watcher reads the groups → each version is below /apis/<group>/<version>',
  ['LEVEL-STABLE-01', 'URL-GROUP-01'],
  async ({ watcher, dialect }) => {
    const group = groupOf(clusterRoleBindings, dialect);
    const document = await watcher.request('GET', `/apis/${group}`);
    const version = match.including({ groupVersion: `${group}/v1`, version: 'v1' });
    must(
      'the group names its versions',
      document,
      match.status(200),
      match.field('versions', match.containing(version)),
    );
    const served = await watcher.request('GET', `/apis/${group}/v1`);
    must('the version is at its path', served, match.status(200), match.field('groupVersion', `${group}/v1`));
  },
);

check(
  'LEVEL-NAME-01.1',
  'the watcher reads the names of all versions → v and a number, perhaps alpha or beta',
  ['LEVEL-NAME-01'],
  async ({ watcher }) => {
    const document = await watcher.request('GET', '/apis');
    const groups = isRecord(document.json) && Array.isArray(document.json.groups) ? document.json.groups : [];
    const versions = groups.flatMap((group) => (Array.isArray(group.versions) ? group.versions : []));
    must('there are versions', versions.length, match.aPositiveInteger);
    const name = match.text('v1, v1alpha1 or v1beta1', /^v\d+((alpha|beta)\d+)?$/);
    must('each is named so', versions, match.every(match.at('version', name)));
  },
);
