import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it, mock } from 'node:test';
import { MetricsRegistry } from '../../reference/observability/metrics.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { createReference } from '../../reference/reference.ts';
import { inProcessRequest } from '../../reference/transport/inProcess.ts';
import { SERVE_FLAGS, SERVE_GROUPS } from './serveTable.ts';

const PAGE = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

/** What stands under a heading of the page, up to the next of its level or above. */
function section(heading: string): string {
  const level = heading.indexOf(' ');
  const lines = PAGE.split('\n');
  const from = lines.indexOf(heading) + 1;
  assert.ok(from > 0, `docs/operating.md has no heading ${heading}`);
  const length = lines.slice(from).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(from, length < 0 ? undefined : from + length).join('\n');
}

it('the page has every flag, in the groups and the words of help', () => {
  const first = new Map(Object.entries(SERVE_GROUPS).map(([title, name]) => [name, title]));
  const expected = Object.entries(SERVE_FLAGS).flatMap(([name, { value, help }]) => {
    const title = first.get(name);
    const flag = `--${name}${value === undefined ? '' : ` ${value}`}`;
    const row = `| \`${flag.replaceAll('|', '\\|')}\` | ${help.replaceAll('|', '\\|')} |`;
    return title === undefined ? [row] : ['', `### ${title}`, '', '| flag | meaning |', '|---|---|', row];
  });
  const text = expected.join('\n').trim();
  assert.equal(section('## Every flag').trim(), text, `the section would be:\n${text}`);
});

/** Settings with which a server of today, and one of a release with older names, count all that there is to count. */
const FILES: Readonly<Record<string, string>> = {
  authentication: '{"apiVersion":"apiserver.config.k8s.io/v1beta1","kind":"AuthenticationConfiguration"}',
  authorization: `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AuthorizationConfiguration",
    "authorizers":[{"type":"RBAC","name":"rbac"}]}`,
  encryption: `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"EncryptionConfiguration",
    "resources":[{"resources":["secrets"],"providers":[{"identity":{}}]}]}`,
  audit: '{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"None"}]}',
};
const EVERYBODY = '--authorization-mode=AlwaysAllow';
const SERVERS: readonly (readonly string[])[] = [
  [
    '--authentication-config=authentication',
    '--authorization-config=authorization',
    '--encryption-provider-config=encryption',
    '--encryption-provider-config-automatic-reload',
    '--audit-policy-file=audit',
    '--audit-log-path=-',
    '--feature-gates=ConstrainedImpersonation=true',
    '--release=1.35',
  ],
  ['--release=1.22', EVERYBODY],
];

it('the page has every metric that a server can tell', async () => {
  const registered = new Set<string>();
  const heard = (['counter', 'gauge', 'histogram'] as const).map((kind) => {
    const before = MetricsRegistry.prototype[kind] as (...given: unknown[]) => unknown;
    return mock.method(MetricsRegistry.prototype, kind, function (this: MetricsRegistry, ...given: unknown[]) {
      registered.add((given[0] as { readonly name: string }).name);
      return before.apply(this, given);
    });
  });
  try {
    for (const flags of SERVERS) {
      const read = readOptions([...flags, '--seed=1', '--clock=virtual'], { read: (path) => FILES[path] as string });
      assert.ok('options' in read, JSON.stringify(read));
      const authentication = { ...read.options.authentication, anonymous: { enabled: true, paths: undefined } };
      const reference = await createReference({ ...read.options, authentication });
      const checks = await reference.handler(inProcessRequest({ target: '/metrics/slis' }));
      assert.equal(checks.code, flags.includes(EVERYBODY) ? 200 : 403);
      await reference.close();
    }
  } finally {
    for (const one of heard) one.mock.restore();
  }
  const told = [...section('## Metrics').matchAll(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g)].map(([, name]) => name);
  assert.deepEqual(told.sort(), [...registered].sort());
});
