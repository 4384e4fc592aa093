import {
  apiVersionOf,
  check,
  clusterRoleBindings,
  groupOf,
  isRecord,
  match,
  namespaces,
  ought,
  roles,
  webhookConfigurations,
} from '../../harness/index.ts';

/** Group, version and kind that the definitions of a document say they are of; the extension has the vendor's name. */
function described(document: unknown): unknown[] {
  const components = isRecord(document) && isRecord(document.components) ? document.components.schemas : undefined;
  return Object.values(isRecord(components) ? components : {}).flatMap((schema) =>
    Object.entries(isRecord(schema) ? schema : {}).flatMap(([name, value]) =>
      /^x-.*-?group-version-kind$/.test(name) && Array.isArray(value) ? value : [],
    ),
  );
}

for (const kind of [namespaces, roles, clusterRoleBindings, webhookConfigurations]) {
  check(
    `DISCOVERY-OPENAPI-01.1/${kind.kind}`,
    `the author reads the OpenAPI description → a definition of ${kind.kind}`,
    ['DISCOVERY-OPENAPI-01'],
    async ({ author, dialect }) => {
      const index = await author.request('GET', '/openapi/v3');
      const version = apiVersionOf(kind, dialect);
      const path = version.includes('/') ? `apis/${version}` : `api/${version}`;
      const place = match.including({ [path]: match.including({ serverRelativeURL: match.aString }) });
      ought('it has a part for the version', index, match.status(200), match.field('paths', place));
      const paths = isRecord(index.json) && isRecord(index.json.paths) ? index.json.paths : {};
      const part = paths[path];
      if (!isRecord(part)) return;
      const document = await author.request('GET', String(part.serverRelativeURL));
      const own = match.including({ group: groupOf(kind, dialect), version: kind.version, kind: kind.kind });
      ought('which defines the kind', described(document.json), match.containing(own));
    },
  );
}
