import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../fixtures/dialects/kubernetes.ts';
import { lifecycles, NEWEST_RELEASE, versionsOf } from '../fixtures/releases/lifecycles.ts';
import { pluralOf } from '../fixtures/releases/plurals.ts';
import { type listOf, objectsOf, textsOf } from './api/parts.ts';
import { defaultObjects } from './authorization/defaults/defaults.ts';
import { BuiltinMaker } from './resources/builtin.ts';
import { groups } from './resources/groups.ts';
import { readBuiltinTypes } from './resources/typeLines.ts';

/*
 * What a built-in type needs outside its own folder, and what speaks of types that there are not. docs/adding-a-type.md
 * goes through the same list.
 */

const rows = readBuiltinTypes(kubernetes);
const stored = rows.filter(({ verbs }) => verbs.length > 1);
const nameOf = ({ groupPrefix, resource }: { groupPrefix: string; resource: string }) => `${groupPrefix}/${resource}`;
const names = new Set(rows.map(nameOf));

/** Types whose tables have a name and an age and nothing else, on purpose: so has the service. */
const WITHOUT_COLUMNS = new Set([
  '/limitranges',
  'apiextensions/customresourcedefinitions',
  'certificates/clustertrustbundles',
  'coordination/leasecandidates',
  'internal.apiserver/storageversions',
  'policy/podsecuritypolicies',
  'rbac.authorization/clusterroles',
  'rbac.authorization/roles',
  'resource/devicetaintrules',
  'resource/resourcepoolstatusrequests',
  'storage/csistoragecapacities',
  'storagemigration/storageversionmigrations',
]);
/** Namespaced types that the roles for people say nothing of, on purpose: so it is in the service. */
const WITHOUT_ROLES = new Set(['/podtemplates', 'coordination/leasecandidates', 'storage/csistoragecapacities']);
/** Resources of default roles that no built-in type has: others serve them, or they only exist to be granted. */
const GRANTED_ONLY = new Set(['certificates/signers', 'extensions/replicationcontrollers', 'metrics/pods']);

/** The default rules by what they are about: `batch/jobs`, without subresources. */
function granted(forPeople: boolean): ReadonlySet<string> {
  const domain = `.${kubernetes.apiDomain}`;
  const { clusterroles, roles } = defaultObjects(kubernetes);
  const wanted = [...clusterroles, ...roles].filter(
    ({ metadata }) => !forPeople || metadata.name?.startsWith('system:aggregate-to-'),
  );
  return new Set(
    wanted
      .flatMap((role) => objectsOf(role.rules as Parameters<typeof listOf>[0]))
      .flatMap((rule) =>
        textsOf(rule.apiGroups).flatMap((group) =>
          textsOf(rule.resources).map((resource) => `${group.replace(domain, '')}/${resource.split('/')[0]}`),
        ),
      )
      .filter((name) => !name.includes('*')),
  );
}

/** A list of exceptions names types that there are, and none that needs no exception any more. */
function holdsOnly(exceptions: ReadonlySet<string>, list: string, needed: (name: string) => boolean): void {
  for (const name of exceptions) {
    assert.ok(names.has(name), `${list} names ${name}, which is no built-in type`);
    assert.ok(needed(name), `${list} names ${name}, which needs no exception`);
  }
}

describe('every built-in type', () => {
  it('has a life in fixtures/releases/lifecycleTable.ts, and every version of a life can be made', () => {
    const maker = new BuiltinMaker({ dialect: kubernetes, release: NEWEST_RELEASE, follow: 'spec' });
    for (const life of lifecycles()) {
      const row = rows.find(({ groupPrefix, kind }) => groupPrefix === life.groupPrefix && kind === life.kind);
      assert.ok(row, `${life.groupPrefix} ${life.kind} has a life and stands in no group.ts`);
      const version = maker.unserved(row.group, row.resource)?.versions.get(life.version);
      assert.ok(version && version.schema.fields.size > 0, `${life.groupPrefix}/${life.version} ${life.kind}`);
    }
    for (const row of rows) {
      const lives = versionsOf(row.groupPrefix, row.kind);
      assert.ok(lives.length > 0, `${nameOf(row)} has no life`);
      const keeps = row.kept !== undefined || lives.some(({ version }) => version === row.version);
      assert.ok(keeps, `${nameOf(row)} is kept as ${row.version}, which never was`);
    }
  });

  it('has the plural that its kind leads to', () => {
    for (const row of rows) assert.equal(row.resource, pluralOf(row.kind));
  });

  it('has columns, or is named in WITHOUT_COLUMNS', () => {
    const lacking = stored.filter(({ kept, declared }) => !kept && !declared.columns).map(nameOf);
    assert.deepEqual(
      lacking.filter((name) => !WITHOUT_COLUMNS.has(name)),
      [],
    );
    holdsOnly(WITHOUT_COLUMNS, 'WITHOUT_COLUMNS', (name) => lacking.includes(name));
  });

  it('is granted to people by a default role if it is namespaced, or named in WITHOUT_ROLES', () => {
    const people = granted(true);
    const lacking = rows.filter((row) => row.namespaced && !people.has(nameOf(row))).map(nameOf);
    assert.deepEqual(
      lacking.filter((name) => !WITHOUT_ROLES.has(name)),
      [],
    );
    holdsOnly(WITHOUT_ROLES, 'WITHOUT_ROLES', (name) => lacking.includes(name));
  });

  it('has no field, and no subresource, that came after the release from which fields were transcribed', () => {
    for (const { name, fields } of groups) {
      for (const [version, module] of Object.entries(fields)) {
        const text = typeof module === 'function' ? module() : module;
        for (const [, since] of text.matchAll(/ since=(\d+)/g)) {
          assert.ok(Number(since) <= NEWEST_RELEASE, `${name} ${version} has a field since ${since}`);
        }
      }
    }
  });
});

describe('what is said of types elsewhere', () => {
  it('is said of types that there are: default roles', () => {
    const unknown = [...granted(false)].filter((name) => !names.has(name) && !GRANTED_ONLY.has(name));
    assert.deepEqual(unknown, []);
  });

  it('is said of subresources that there are: what reaches into what runs', () => {
    for (const row of rows) {
      const reaching = row.subresources.filter(({ form }) => form === 'connect').map(({ name }) => name);
      if (!row.kept) assert.deepEqual(Object.keys(row.declared.connect ?? {}).sort(), reaching.sort(), nameOf(row));
    }
  });

  it('is said of versions that there are: columns and fields', () => {
    for (const row of rows) {
      const versions = versionsOf(row.groupPrefix, row.kind).map(({ version }) => version);
      for (const version of Object.keys(row.declared.columnsIn ?? {})) {
        assert.ok(versions.includes(version), `${nameOf(row)} has columns in ${version}, which never was`);
      }
    }
    for (const { name, fields } of groups) {
      const prefix = name === 'core' ? '' : name.replace('.{domain}', '');
      const versions = new Set(lifecycles().flatMap((life) => (life.groupPrefix === prefix ? life.version : [])));
      for (const version of Object.keys(fields)) assert.ok(versions.has(version), `${name} has fields in ${version}`);
    }
  });

  it('is said of versions that there are: defaults, conversions and rules', () => {
    const context = { dialect: kubernetes, release: NEWEST_RELEASE, follow: 'spec' } as const;
    for (const row of rows) {
      const own = row.declared.rules?.(context) ?? {};
      const more = row.declared.deprecated?.(own, context) ?? {};
      const versions = new Set(versionsOf(row.groupPrefix, row.kind).map(({ version }) => version));
      for (const part of [own, more]) {
        for (const table of [part.defaults, part.conversions, part.strategies]) {
          for (const version of Object.keys(table ?? {})) {
            assert.ok(versions.has(version), `${nameOf(row)} says something of ${version}, which never was`);
          }
        }
      }
      const subresources = row.subresources.map(({ name }) => name);
      for (const name of Object.keys(own.subresources ?? {})) {
        assert.ok(subresources.includes(name), `${nameOf(row)} has rules of ${name}, which is no subresource of it`);
      }
    }
  });
});
