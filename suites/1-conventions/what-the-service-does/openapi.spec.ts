import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import {
  type Actor,
  apiVersionOf,
  check,
  clusterRoleBindings,
  customResourceDefinitions,
  defineType,
  groupOf,
  isRecord,
  type Kind,
  match,
  namespaces,
  ought,
  roles,
  should,
  valueAt,
  webhookConfigurations,
} from '../../harness/index.ts';

/** Group, version and kind that these definitions say they are of; the extension has the vendor's name. */
function kindsOf(definitions: unknown): unknown[] {
  return Object.values(isRecord(definitions) ? definitions : {}).flatMap((schema) =>
    Object.entries(isRecord(schema) ? schema : {}).flatMap(([name, value]) =>
      /^x-.*-?group-version-kind$/.test(name) && Array.isArray(value) ? value : [],
    ),
  );
}

/** The same of the part of the description that is for one version; none where it has no such part. */
async function described(by: Actor, apiVersion: string): Promise<unknown[]> {
  const index = (await by.request('GET', '/openapi/v3')).json;
  const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
  const place = valueAt(index, ['paths', path, 'serverRelativeURL']);
  if (typeof place !== 'string') return [];
  return kindsOf(valueAt((await by.request('GET', place)).json, ['components', 'schemas']));
}
/** The same of the older form, which is in one piece. */
async function describedWhole(by: Actor): Promise<unknown[]> {
  return kindsOf(valueAt((await by.request('GET', '/openapi/v2')).json, ['definitions']));
}
const definitionOf = (kind: Kind, dialect: Dialect) =>
  match.containing(match.including({ group: groupOf(kind, dialect), version: kind.version, kind: kind.kind }));

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
      ought('which defines the kind', await described(author, version), definitionOf(kind, dialect));
    },
  );
}

check(
  'DISCOVERY-OPENAPI-01.2',
  'the author defines a type, and later another version of it → the description soon has each, in both forms',
  ['DISCOVERY-OPENAPI-01'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const first = await defineType(author, dialect, () => ({ type: 'object' }));
    const second: Kind = { ...first, version: 'v2' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const added = { name: second.version, served: true, storage: false, schema };
    for (const kind of [first, second]) {
      if (kind === second) {
        const patch = [{ op: 'add', path: '/spec/versions/-', value: added }];
        const definition = `${kind.plural}.${kind.group}`;
        await author.prepare((actor) => actor.patch(customResourceDefinitions, definition, 'json', patch));
      }
      const own = definitionOf(kind, dialect);
      ought('it is described', await should(() => described(author, apiVersionOf(kind, dialect)), own));
      ought('in the older form too', await should(() => describedWhole(author), own));
    }
  },
);

for (const kind of [namespaces, roles, clusterRoleBindings, webhookConfigurations]) {
  check(
    `DISCOVERY-OPENAPI-01.3/${kind.kind}`,
    `the author reads the older form of the OpenAPI description → a definition of ${kind.kind}`,
    ['DISCOVERY-OPENAPI-01'],
    async ({ author, dialect }) => {
      ought('it defines the kind', await describedWhole(author), definitionOf(kind, dialect));
    },
  );
}
