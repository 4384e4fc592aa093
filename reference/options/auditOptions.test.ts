import assert from 'node:assert/strict';
import test from 'node:test';
import { FileFault, type Files } from '../ports/files.ts';
import { readOptions } from './loadOptions.ts';

const LOG = ['--audit-policy-file=p', '--audit-log-path=-'];
const policyOf = (more: object) => JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...more });
const rulesOf = (...rules: object[]) => policyOf({ rules });

function load(argv: readonly string[], policy?: string) {
  const files: Files = {
    read(path) {
      if (path === 'p' && policy !== undefined) return policy;
      throw new FileFault(`${path}: there is no such file`);
    },
  };
  return readOptions(argv, files);
}
function good(argv: readonly string[], policy?: string) {
  const loaded = load(argv, policy);
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  return loaded;
}
function errorsOf(argv: readonly string[], policy?: string): string {
  const loaded = load(argv, policy);
  assert.ok('errors' in loaded, 'the configuration is accepted');
  return loaded.errors.join('\n');
}

test('a rule takes the stages and the managed fields of its policy, unless it says otherwise', () => {
  const text = policyOf({
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
    rules: [
      { level: 'Request', omitStages: ['Panic'], omitManagedFields: false },
      { level: 'Metadata', resources: [{ group: 'apps', resources: ['deployments/*'], resourceNames: ['a'] }] },
    ],
  });
  const { policy } = good(LOG, text).options.audit;
  assert.deepEqual(
    policy?.rules.map(({ level, omitStages, omitManagedFields }) => [level, omitStages, omitManagedFields]),
    [
      ['Request', ['RequestReceived', 'Panic'], false],
      ['Metadata', ['RequestReceived'], true],
    ],
  );
});

test('every fault of a policy is told with the field it is in', () => {
  const faults: readonly [string, string][] = [
    [rulesOf(), 'rules: at least one rule'],
    [JSON.stringify({ apiVersion: 'audit.k8s.io/v2', kind: 'Policy', rules: [{ level: 'None' }] }), 'apiVersion: '],
    [JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Rules', rules: [{ level: 'None' }] }), 'kind: '],
    [rulesOf({ level: 'Everything' }), 'rules[0].level: '],
    [rulesOf({}), 'rules[0].level: '],
    [rulesOf({ level: 'None', omitStages: ['Response'] }), 'rules[0].omitStages[0]: '],
    [policyOf({ omitStages: ['x'], rules: [{ level: 'None' }] }), 'omitStages[0]: '],
    [rulesOf({ level: 'None', users: 'alice' }), 'rules[0].users: a list'],
    [rulesOf({ level: 'None', verbs: [1] }), 'rules[0].verbs[0]: a text'],
    [rulesOf({ level: 'None', omitManagedFields: 'yes' }), 'rules[0].omitManagedFields: '],
    [rulesOf({ level: 'None', nonResourceURLs: ['version'] }), 'rules[0].nonResourceURLs[0]: '],
    [rulesOf({ level: 'None', nonResourceURLs: ['/a*b'] }), 'rules[0].nonResourceURLs[0]: '],
    [rulesOf({ level: 'None', nonResourceURLs: ['*'], namespaces: ['a'] }), 'rules[0].nonResourceURLs: '],
    [rulesOf({ level: 'None', resources: [{ group: 'UPPER' }] }), 'rules[0].resources[0].group: '],
    [rulesOf({ level: 'None', resources: [{ resourceNames: ['a'] }] }), 'rules[0].resources[0].resourceNames: '],
    [rulesOf({ level: 'None', resources: ['pods'] }), 'rules[0].resources[0]: an object'],
  ];
  for (const [policy, said] of faults) {
    const errors = errorsOf(LOG, policy);
    assert.ok(errors.includes(`p: ${said}`), `${said} is not in: ${errors}`);
  }
  assert.match(errorsOf(LOG), /--audit-policy-file: p: there is no such file/);
});

test('a field that no policy has is passed over and told', () => {
  const { options, notes } = good(LOG, rulesOf({ level: 'None', user: ['x'] }));
  assert.equal(options.audit.policy?.rules.length, 1);
  assert.match(notes.join('\n'), /rules\[0\]\.user: there is no such field; it is passed over/);
});

test('a log without a policy, and a policy without a log, record nothing and say so', () => {
  assert.match(good(['--audit-log-path=-']).notes.join('\n'), /no --audit-policy-file/);
  assert.match(
    good(['--audit-policy-file=p'], rulesOf({ level: 'None' })).notes.join('\n'),
    /neither --audit-log-path/,
  );
  assert.deepEqual(good([]).notes, []);
});

test('flags of delivery become bytes and milliseconds, and contradictions are refused', () => {
  const { log } = good(
    [...LOG, '--audit-log-maxage=2', '--audit-log-maxsize=1', '--audit-log-truncate-enabled'],
    rulesOf({ level: 'None' }),
  ).options.audit;
  assert.deepEqual([log?.rotation.maxAge, log?.rotation.maxBytes], [2 * 86_400_000, 1024 * 1024]);
  assert.deepEqual(log?.truncation, { maxEventBytes: 102_400, maxBatchBytes: 10_485_760 });
  const policy = rulesOf({ level: 'None' });
  for (const [flags, said] of [
    [['--audit-log-format=xml'], /--audit-log-format/],
    [['--audit-log-maxage=-1'], /--audit-log-maxage/],
    [['--audit-log-mode=often'], /--audit-log-mode/],
    [['--audit-log-version=audit.k8s.io/v1beta1'], /--audit-log-version/],
    [['--audit-log-truncate-enabled', '--audit-log-truncate-max-batch-size=5'], /truncate-max-batch-size/],
    [['--audit-log-mode=batch', '--audit-log-batch-throttle-enable'], /throttle-qps/],
    [['--audit-webhook-config-file=none'], /--audit-webhook-config-file: none/],
  ] as const) {
    assert.match(errorsOf([...LOG, ...flags], policy), said);
  }
});
