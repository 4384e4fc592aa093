import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ReleaseFixture, releaseFixture } from './testing/releaseFixture.ts';

/*
 * What a call to a deprecated version brings, by release (3/behavior-when-a-deprecated-endpoint-is-called), and what
 * becomes of deprecated metrics (3/metric-stability).
 */

const CRON_JOBS = '/apis/batch/v1beta1/namespaces/default/cronjobs';

async function withRelease<T>(release: string, flags: readonly string[], use: (fixture: ReleaseFixture) => Promise<T>) {
  const fixture = await releaseFixture(release, flags);
  try {
    return await use(fixture);
  } finally {
    await fixture.close();
  }
}

/** The lines of a metric. */
async function metric(fixture: ReleaseFixture, name: string): Promise<readonly string[]> {
  const { bytes } = await fixture.send('GET', '/metrics');
  return Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`# HELP ${name} `));
}
const labelsOf = (line = '') => new Set(line.match(/[a-z_]+="[^"]*"/g));

describe('a call to a deprecated version', () => {
  it('earns one warning and sets the gauge, whatever comes of it', async () => {
    await withRelease('1.21', [], async (fixture) => {
      const text = 'batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob';
      for (const [method, target, body] of [
        ['GET', CRON_JOBS],
        ['GET', `${CRON_JOBS}/none`],
        ['POST', CRON_JOBS, { spec: { schedule: 1 } }],
        ['DELETE', `${CRON_JOBS}/none`],
      ] as const) {
        const heard = await fixture.send(method, target, body);
        assert.deepEqual(
          heard.warnings.filter((one) => one.includes('deprecated')),
          [`299 - "${text}"`],
          `${method} ${target}`,
        );
      }
      assert.deepEqual((await fixture.send('GET', CRON_JOBS.replace('v1beta1', 'v1'))).warnings, []);
      const [help, line, ...more] = await metric(fixture, 'apiserver_requested_deprecated_apis');
      assert.match(help ?? '', /\[STABLE\]/);
      assert.equal(
        line,
        'apiserver_requested_deprecated_apis{group="batch",removed_release="1.25",resource="cronjobs",subresource="",version="v1beta1"} 1',
      );
      assert.deepEqual(more, []);
      // The labels that both have are the same, so that the two can be joined.
      const shared = [...labelsOf(line)].filter((label) => !label.startsWith('removed_release'));
      const requests = (await metric(fixture, 'apiserver_request_total')).filter((one) =>
        shared.every((label) => labelsOf(one).has(label)),
      );
      assert.equal(requests.length, 4);
    });
  });

  it('tells a subresource apart, and a version that goes without a release', async () => {
    await withRelease('1.21', [], async (fixture) => {
      await fixture.send('GET', `${CRON_JOBS}/none/status`);
      await fixture.send('GET', '/api/v1/componentstatuses');
      const lines = await metric(fixture, 'apiserver_requested_deprecated_apis');
      assert.ok(lines.some((line) => line.includes('removed_release="1.25"') && line.includes('subresource="status"')));
      assert.ok(lines.some((line) => line.includes('removed_release=""') && line.includes('componentstatuses')));
    });
  });

  it('is silent before release 1.19, and where the version is not deprecated yet', async () => {
    for (const [release, target] of [
      ['1.18', '/apis/extensions/v1beta1/ingresses'],
      ['1.20', CRON_JOBS],
    ] as const) {
      await withRelease(release, [], async (fixture) => {
        const heard = await fixture.send('GET', target);
        assert.equal(heard.code, 200);
        assert.deepEqual(heard.warnings, []);
        assert.deepEqual(await metric(fixture, 'apiserver_requested_deprecated_apis'), []);
      });
    }
  });

  it('warns of a custom type in the words of its definition, escaped', async () => {
    await withRelease('1.32', [], async (fixture) => {
      const schema = { openAPIV3Schema: { type: 'object' } };
      const version = (name: string, more: object) => ({ name, served: true, storage: name === 'v1', schema, ...more });
      const made = await fixture.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: 'things.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [
            version('v1', {}),
            version('v1beta1', { deprecated: true }),
            version('v1alpha1', { deprecated: true, deprecationWarning: 'say "no" \\ more' }),
          ],
        },
      });
      assert.equal(made.code, 201, JSON.stringify(made.body));
      await fixture.settled('/apis/example.com/v1/things');
      const warnings = async (name: string) => (await fixture.send('GET', `/apis/example.com/${name}/things`)).warnings;
      assert.deepEqual(await warnings('v1'), []);
      assert.deepEqual(await warnings('v1beta1'), [
        '299 - "example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing"',
      ]);
      assert.deepEqual(await warnings('v1alpha1'), ['299 - "say \\"no\\" \\\\ more"']);
      const lines = await metric(fixture, 'apiserver_requested_deprecated_apis');
      assert.ok(lines.some((line) => line.includes('group="example.com"') && line.includes('removed_release=""')));
    });
  });
});

describe('a deprecated metric', () => {
  const states: readonly [release: string, flags: readonly string[], seen: 'plain' | 'marked' | 'gone'][] = [
    ['1.21', [], 'plain'],
    ['1.22', [], 'marked'],
    ['1.24', [], 'marked'],
    ['1.25', [], 'gone'],
    ['1.25', ['--show-hidden-metrics-for-version=1.24'], 'marked'],
    ['1.26', ['--show-hidden-metrics-for-version=1.25'], 'gone'],
  ];
  for (const [release, flags, seen] of states) {
    it(`is ${seen} in ${release}${flags.length > 0 ? ` with ${flags[0]}` : ''}`, async () => {
      await withRelease(release, flags, async (fixture) => {
        const [help, ...lines] = await metric(fixture, 'etcd_object_counts');
        assert.equal(help === undefined, seen === 'gone');
        assert.equal(/\[STABLE\] \(Deprecated from 1\.22\) /.test(help ?? ''), seen === 'marked');
        if (seen !== 'gone') assert.ok(lines.includes('etcd_object_counts{resource="namespaces"} 4'), lines.join('\n'));
        assert.ok((await metric(fixture, 'apiserver_storage_objects')).length > 1);
      });
    });
  }
});
