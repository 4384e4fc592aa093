import {
  apiVersionOf,
  check,
  clusterRoleBindings,
  isRecord,
  match,
  must,
  namespaces,
  roles,
  webhookConfigurations,
} from '../../harness/index.ts';

const EACH = [namespaces, roles, clusterRoleBindings, webhookConfigurations];
const rootOf = (version: string) => (version.includes('/') ? `/apis/${version}` : `/api/${version}`);

for (const kind of EACH) {
  check(
    `the author reads discovery of ${kind.plural} → name, kind, scope and verbs`,
    ['DISCOVERY-RESOURCE-01', 'DISCOVERY-NAME-01', 'DISCOVERY-SCOPE-01'],
    async ({ author, dialect }) => {
      const document = await author.request('GET', rootOf(apiVersionOf(kind, dialect)));
      const entry = match.including({
        name: kind.plural,
        kind: kind.kind,
        namespaced: kind.namespaced,
        verbs: match.both(match.containing('get'), match.containing('list'), match.containing('create')),
      });
      must('it is named', document, match.status(200), match.field('resources', match.containing(entry)));
    },
  );
}

check(
  'the author lists every type that discovery says can be listed → none is answered 404 or 405',
  ['DISCOVERY-CLAIM-01'],
  async ({ author, target }) => {
    const versions = [
      ...new Set(
        target.served.map((path) =>
          path
            .split('/')
            .slice(0, path.startsWith('v1/') ? 1 : 2)
            .join('/'),
        ),
      ),
    ];
    for (const version of versions) {
      const document = await author.request('GET', rootOf(version));
      const resources =
        isRecord(document.json) && Array.isArray(document.json.resources) ? document.json.resources : [];
      const listed = resources.filter((each) => Array.isArray(each.verbs) && each.verbs.includes('list'));
      for (const { name } of listed) {
        const list = await author.request('GET', `${rootOf(version)}/${name}?limit=1`);
        must(`${name} of ${version} is listed`, list.status, match.not(match.oneOf(404, 405)));
      }
    }
  },
);

check(
  'the author looks at the names of groups → one domain ends those of the service',
  ['DIALECT-NAME-01'],
  async ({ author, dialect }) => {
    const groups = await author.request('GET', '/apis');
    const group = (prefix: string) =>
      match.field('groups', match.containing(match.including({ name: `${prefix}.${dialect.apiDomain}` })));
    must('they share a domain', groups, match.status(200), group('rbac.authorization'), group('admissionregistration'));
  },
);

check('the author reads the core versions → v1 is named', ['URL-CORE-01'], async ({ author }) => {
  const versions = await author.request('GET', '/api');
  must('the core group is v1', versions, match.status(200), match.field('versions', match.containing('v1')));
});
