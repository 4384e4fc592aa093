import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { EXIT } from '../../reports/outcome.ts';
import type { KeptViolations } from '../../reports/violationTable.ts';
import { ROOT } from '../root.ts';
import { touchstone } from '../testing/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-violations-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string): string {
  const file = join(folder, 'mine.mjs');
  writeFileSync(file, text);
  return file;
}
const rowsIn = (output: string) =>
  (JSON.parse(readFileSync(join(output, 'violations.json'), 'utf8')) as KeptViolations).rows;

describe('touchstone violations', () => {
  it('tells what is caught, what slips and what throws, and keeps it', async () => {
    const file = fileOf(`export default {
      'unknown-dry-run-is-real': {
        statement: 'Any value of dryRun is taken.',
        requirement: 'DRYRUN-VALUE-03',
        request(x) {
          x.request.query.delete('dryRun');
        },
      },
      'passed-on': {
        statement: 'Answers have one more header, which is allowed.',
        requirement: 'DRYRUN-VALUE-03',
        response(x) {
          x.response.headers['x-passed'] = 'yes';
        },
      },
      'mistaken': {
        statement: 'It calls what there is not.',
        requirement: 'DRYRUN-VALUE-03',
        request(x) {
          x.nothing();
        },
      },
    };`);
    const output = join(folder, 'out');
    const args = ['violations', file, '--depth', 'requirement', '--output', output, '--quiet'];
    const { code, out, errors } = await touchstone(args);
    assert.equal(code, EXIT.ourBug, errors);
    const [caught, slipped, broken] = rowsIn(output);
    assert.equal(caught?.verdict, 'caught');
    assert.ok(caught?.by.some(({ requirements }) => requirements.some((each) => each.startsWith('DRYRUN-VALUE-03'))));
    assert.equal(slipped?.verdict, 'slipped');
    assert.ok(slipped && slipped.checks > 0 && slipped.unjudged === 0);
    assert.equal(broken?.verdict, 'broken');
    assert.match(broken?.notes.join() ?? '', /nothing is not a function/);
    assert.match(out, /✓ unknown-dry-run-is-real +[\d.]+ s {2}caught by DRYRUN-VALUE-03/);
    assert.match(out, /✗ passed-on +[\d.]+ s {2}SLIPPED through \d+ checks, expected DRYRUN-VALUE-03/);
    assert.match(out, /1 of 3 violations caught as expected, 0 elsewhere, 1 slipped, 1 broken/);

    const again = await touchstone([...args, '--resume', '--violation', 'unknown-dry-run-is-real,passed-on']);
    assert.equal(again.code, EXIT.notConformant);
    assert.match(again.out, /1 of 2 violations caught as expected/);
  });

  it('puts all of a file into one server', async () => {
    const file = fileOf(`export default {
      'unknown-dry-run-is-real': {
        statement: 'Any value of dryRun is taken.',
        request(x) {
          x.request.query.delete('dryRun');
        },
      },
      'second-group-is-lost': {
        statement: 'Of the groups in a token file the first counts.',
        text: (text, path) => path.endsWith('.csv') ? text.replace(/"([^",]*),[^"]*"/g, '$1') : text,
      },
    };`);
    const only = ['--only', 'DRYRUN-VALUE-03', '--only', 'TOKENFILE-COLUMNS-01'];
    const together = ['run', '--violations', file, '--violation', 'all', ...only];
    const { code, out } = await touchstone([...together, '--output', join(folder, 'together'), '--quiet']);
    assert.equal(code, EXIT.notConformant);
    assert.match(out, /DRYRUN-VALUE-03/);
    assert.match(out, /TOKENFILE-COLUMNS-01/);
  });

  it('reaches into what a server starts with, whom it takes requests for and whom it asks', async () => {
    const output = join(folder, 'inside');
    const file = fileOf(`export default {
      'second-group-is-lost': {
        statement: 'Of the groups in a token file the first counts.',
        requirement: 'TOKENFILE-COLUMNS-01',
        text: (text, path) => path.endsWith('.csv') ? text.replace(/"([^",]*),[^"]*"/g, '$1') : text,
      },
      'anonymous-without-flag': {
        statement: 'The flag that refuses strangers is overlooked.',
        requirement: 'IDENTITY-ANONYMOUS-03',
        flags: (words) => words.filter((word) => !word.startsWith('--anonymous-auth')),
      },
      'certificates-are-nobody': {
        statement: 'Who shows a certificate is called by another name.',
        requirement: 'CERT-SUBJECT-01',
        user(user, x) {
          if (user && x.token === '') return { ...user, username: 'somebody' };
        },
      },
      'rules-are-overlooked': {
        statement: 'Rules that claims must meet are overlooked.',
        requirement: 'AUTHNCONF-CLAIMRULE-01',
        file(config) {
          for (const each of config.jwt ?? []) delete each.claimValidationRules;
        },
      },
      'everybody-may-list': {
        statement: 'Whoever has no rights may list.',
        requirement: 'AUTHZ-DEFAULT-01',
        authorize: (asked, ask) => (asked.verb === 'list' ? 'allow' : ask(asked)),
      },
      'remote-groups-are-lost': {
        statement: 'Groups of a remote answer are lost.',
        requirement: 'TOKENREVIEW-ANSWER-01',
        async review(review, ask) {
          const answer = await ask(review);
          delete answer.status?.user?.groups;
          return answer;
        },
      },
    };`);
    const args = ['--depth', 'requirement', '--enough', '1', '--output', output, '--quiet'];
    const { out } = await touchstone(['violations', file, ...args]);
    assert.deepEqual(
      rowsIn(output).map(({ verdict }) => verdict),
      ['caught', 'caught', 'caught', 'caught', 'caught', 'caught'],
      out,
    );
  });

  it('catches each of the examples but the one that is no violation', async () => {
    const output = join(folder, 'examples');
    const file = join(ROOT, 'docs/examples/violations.mjs');
    const args = ['--depth', 'requirement', '--enough', '1', '--output', output, '--quiet'];
    const { out } = await touchstone(['violations', file, ...args]);
    const slipped = rowsIn(output).filter(({ verdict }) => verdict !== 'caught');
    assert.deepEqual(
      slipped.map(({ violation, verdict }) => `${violation} ${verdict}`),
      ['changes-nothing slipped'],
      out,
    );
  });

  it('refuses what is no file of violations, in a sentence', async () => {
    for (const [text, sentence] of [
      ['export default 1', /no default export/],
      ['export default { a: {} }', /"a" says in no statement what is broken/],
      ['export default { a: { statement: "s", requests() {} } }', /has requests; what a violation may have is/],
      [
        'export default { a: { statement: "s", requirement: "DRYRUN-VALUES" } }',
        /a expects DRYRUN-VALUES, which is no/,
      ],
    ] as const) {
      const { code, errors } = await touchstone(['violations', fileOf(text)]);
      assert.equal(code, EXIT.usage);
      assert.match(errors, sentence);
    }
    const { code, errors } = await touchstone(['violations', fileOf('export default {}'), '--violation', 'b']);
    assert.equal(code, EXIT.usage);
    assert.match(errors, /There is no violation b/);
  });
  it('lets hundreds of events that stand at once through a change that takes its time', async () => {
    const file = fileOf(`export default {
      'events-are-looked-at': {
        statement: 'Somebody looks at each event, and leaves it as it is.',
        requirement: 'WATCH-RV-06',
        async event() {},
      },
    };`);
    const output = join(folder, 'events');
    const args = ['violations', file, '--only', 'WATCH-RV-06.2', '--output', output, '--quiet'];
    await touchstone(args);
    assert.equal(rowsIn(output)[0]?.verdict, 'slipped');
  });
});
