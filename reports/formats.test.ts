import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { cardOf, sides } from './card.ts';
import { cardText } from './cardText.ts';
import { conformanceReport, conformanceYaml } from './conformanceReport.ts';
import { curlScript } from './curl.ts';
import { escapeHtml } from './escape.ts';
import { parseEvents } from './events.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { annotations } from './pipeline.ts';
import { type RunResult, resultOf } from './results.ts';
import { terminalSummary } from './terminal.ts';
import { type SampleCheck, sampleRun } from './testing/sampleRun.ts';

const schema = JSON.parse(readFileSync(new URL('./conformanceReport.schema.json', import.meta.url), 'utf8'));
const HOSTILE = '</script><img src=x onerror=alert(1)>\u001b[2J"\'&`]]>\n```\n# x';
const CHECKS: SampleCheck[] = [
  { outcome: 'pass' },
  { outcome: 'fail', broken: ['a taken name is refused', HOSTILE], body: HOSTILE, statuses: [201] },
  { outcome: 'harness-error', reason: 'TypeError: of ours' },
  { outcome: 'unsupported', reason: HOSTILE },
  { outcome: 'inconclusive', reason: 'it could not tell' },
  { outcome: 'warn', broken: ['it ought to'] },
];
const result = resultOf(sampleRun(CHECKS));
const failing = (of: RunResult) => cardOf(of, of.checks[1] as RunResult['checks'][number]);

describe('the failure card', () => {
  it('says what is required, by what, what was sent and answered, where it differs, and how to run it again', () => {
    assert.deepEqual(failing(result).brief, [
      'NAME-UNIQUE-01 (MUST): A name is given once.',
      'from     1/object-naming/1, Object naming: No name is taken twice.',
      'did      author creates configmaps "a"',
      'sent     POST /api/v1/namespaces/n/configmaps → 201',
      'must     a taken name is refused',
      '       - status: 409',
      '       + status: 201',
      `again    ${result.header.again} --only 1-conventions/sample:check-1`,
    ]);
  });
  it("gives the server's own reason and message", () => {
    const body = JSON.stringify({ kind: 'Status', reason: 'Invalid', message: 'spec is required' });
    const said = resultOf(sampleRun([{ outcome: 'fail', broken: ['x'], body, statuses: [422] }]));
    const { brief } = cardOf(said, said.checks[0] as RunResult['checks'][number]);
    assert.ok(brief.includes('server   Invalid: spec is required'), brief.join('\n'));
  });
  it('names types only where they differ', () => {
    const told = (want: string, got: string, gotType: string) => sides({ path: 'a', want, got, gotType });
    assert.deepEqual(told('integer 1', '6', 'integer'), { want: '1', got: '6' });
    assert.deepEqual(told('integer 5', '"5"', 'string'), { want: 'integer 5', got: '"5" (string)' });
    assert.deepEqual(told('any value', 'nothing', 'missing'), { want: 'any value', got: 'nothing' });
  });
  it('shows what the statement says in every form, and its key alone where the stream is older', () => {
    const line = 'No name is taken twice.';
    const forms = {
      text: cardText(failing(result)),
      markdown: markdown(result),
      junit: junit(result),
      html: html(result),
    };
    for (const [form, text] of Object.entries(forms)) assert.ok(text.includes(line), form);
    const { statements } = conformanceReport(result).requirements[0] ?? {};
    assert.deepEqual(statements, [{ key: '1/object-naming/1', section: 'Object naming', line }]);
    const { statements: _, ...ledger } = result.header.ledger;
    const older = failing({ ...result, header: { ...result.header, ledger } });
    assert.equal(older.brief[1], 'from     1/object-naming/1');
  });
  it('tells the shortest form of a sequence, and the command that puts it to the target again', () => {
    const replay = `--first reference:dialect=cluster --second https://target.example --second-token "$TOUCHSTONE_TOKEN"`;
    const shortest = { requests: [`admin POST /a?b=${HOSTILE}`, 'admin GET /a'], file: "it's/replay.json" };
    const of = (check: Partial<SampleCheck>, header = { replay }) =>
      resultOf(sampleRun([{ outcome: 'fail', broken: ['x'], shortest, ...check }], { header }));
    const command = `npx touchstone replay 'it'\\''s/replay.json' ${replay}`;
    const text = cardText(cardOf(of({}), of({}).checks[0] as RunResult['checks'][number]));
    assert.ok(text.includes(`2. admin GET /a\nreplay   ${command}`), text);
    const page = html(of({}));
    assert.match(page, /<li><code>admin GET \/a<\/code><\/li>/);
    assert.ok(page.includes(escapeHtml(command)));
    assert.doesNotMatch(page, /<img/);
    const mutant = html(of({ variant: 'broken' }, { replay: '--second reference:dialect=cluster' }));
    assert.ok(mutant.includes('--second reference:dialect=cluster,mutant=broken'));
    // What is kept nowhere can only be read.
    const unkept = html(of({ shortest: { requests: ['author creates a'] } }));
    assert.match(unkept, /author creates a/);
    assert.doesNotMatch(unkept, /touchstone replay/);
  });
  it('tells every broken assertion, the transcript and a script', () => {
    const text = cardText(failing(result));
    assert.match(text, /a taken name is refused/);
    assert.match(text, /POST \/api\/v1\/namespaces\/n\/configmaps/);
    assert.match(text, /curl -sS/);
    assert.ok(!text.includes('\u001b'), 'control characters of a target reach no terminal');
  });
});

describe('the curl script', () => {
  it('is a script that a shell can read, whatever the bodies hold', () => {
    const [check] = resultOf(sampleRun([{ outcome: 'fail', body: HOSTILE }])).checks;
    const script = curlScript('https://target.example', check?.exchanges ?? []);
    assert.equal(spawnSync('sh', ['-n'], { input: script }).status, 0);
    const said = spawnSync('sh', [], {
      input: `curl() { printf '%s\\n' "$@"; }\n${script}`,
      encoding: 'utf8',
      env: { ...process.env, TOKEN_ADMIN: 't0k' },
    });
    assert.match(said.stdout, /^\{"a":"it's"\}$/m);
    assert.match(said.stdout, /^Authorization: Bearer t0k$/m);
    assert.match(said.stdout, /^https:\/\/target\.example\/api\/v1\/namespaces\/n\/configmaps$/m);
  });
});

describe('JUnit', () => {
  const xml = junit(result);
  it('tells failures from errors, and both from what was skipped', () => {
    assert.match(xml, /<testsuites name="touchstone" tests="6" failures="1" errors="2" skipped="1"/);
    assert.match(xml, /<failure type="fail" message="a taken name is refused">/);
    assert.match(xml, /<error type="harness-error" message="TypeError: of ours">/);
  });
  it('carries requirement ids as properties', () => {
    assert.equal(xml.match(/<property name="requirement" value="NAME-UNIQUE-01"\/>/g)?.length, 6);
  });
  it('has an error for what did not run, and for the run itself, where it broke or was stopped', () => {
    const ends = [
      { finished: { problems: ['the suites do not load'] } },
      { finished: { interrupted: true } },
      { finished: { stopped: { by: 'target-gone', words: 'nobody listens there' } } as const },
      { finished: null },
    ];
    for (const end of ends) {
      const xml = junit(resultOf(sampleRun([{ outcome: 'not-run' }], end)));
      assert.match(xml, /<testsuites name="touchstone" tests="2" failures="0" errors="2" skipped="0"/);
    }
    assert.match(junit(resultOf(sampleRun([{ outcome: 'not-run' }]))), /tests="1" failures="0" errors="0" skipped="1"/);
  });
  it('holds no markup and no character of a target that XML cannot', () => {
    assert.ok(!xml.includes('<img'));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  });
});

describe('the HTML report', () => {
  const page = html(result);
  it('loads nothing from anywhere', () => {
    assert.doesNotMatch(page, /<(link|img|iframe|object|embed)\b|<[^>]*\ssrc=|@import|url\(/i);
    for (const [, to] of page.matchAll(/<[^>]*\shref="([^"]*)"/g)) assert.match(to ?? '', /^(learn\/index\.html)?#/);
    assert.match(page, /Content-Security-Policy" content="default-src 'none'/);
  });
  it('has one script, its own', () => {
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.equal(page.match(/<\/script>/g)?.length, 1);
    assert.ok(!page.includes('\u001b'));
  });
  it('has an anchor for each check and requirement, each once, and no link that leads nowhere', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes('req-NAME-UNIQUE-01') && ids.includes('check-1-conventions/sample:check-0'));
    for (const [, to] of page.matchAll(/href="#([^"?]+)"/g)) assert.ok(ids.includes(decodeURIComponent(to ?? '')), to);
  });
  it('says of a profile that nobody looked at just that', () => {
    assert.match(html(resultOf(sampleRun([]))), /not looked at/);
  });
  it('has a card for what did not go well, open where it failed, and every outcome in its filter', () => {
    assert.match(
      page,
      /<details class="check fail" id="check-1-conventions\/sample:check-1" data-outcome="fail" [^>]*open>/,
    );
    assert.match(page, /<details class="check pass" id="[^"]*" data-outcome="pass" [^>]*>/);
    for (const { outcome } of CHECKS) assert.ok(page.includes(`value="${outcome}"`), outcome);
  });
});

describe('the annotations of a pipeline', () => {
  it('are one line each, ten at most, the verdict first', () => {
    const many = resultOf(sampleRun(Array.from({ length: 40 }, () => CHECKS[1] as SampleCheck)));
    const lines = annotations(many);
    assert.equal(lines.length, 10);
    assert.match(lines[0] ?? '', /^::error title=Conformance%3A not conformant::https:\/\/target\.example: 40 checks/);
    for (const line of lines) assert.match(line, /^::error title=[^:\n]*::[^\n]*$/);
  });
});

describe('Markdown', () => {
  it('keeps what a target says inside its block', () => {
    const text = markdown(result);
    assert.match(text, /^# Conformance: not conformant$/m);
    const outside = text.replace(/^(`{3,})[^`\n]*\n[\s\S]*?\n\1$/gm, '');
    assert.ok(!outside.includes('<img'), outside);
  });
});

describe('Markdown of a run in which much fails', () => {
  it('stays below what a comment may have, and counts the rest', () => {
    const many = resultOf(
      sampleRun(Array.from({ length: 900 }, () => ({ outcome: 'fail', broken: ['x'.repeat(2_000)] }) as const)),
    );
    const text = markdown(many);
    assert.ok(Buffer.byteLength(text) <= 60_000, `${Buffer.byteLength(text)} bytes`);
    assert.match(text, /… and 8\d\d more in the full report\./);
  });
});

describe('the ConformanceReport', () => {
  const validate = new Ajv({ allErrors: true }).compile(schema);
  it('keeps to its schema, however the run went', () => {
    for (const checks of [CHECKS, [], [{ outcome: 'pass' } as const]]) {
      assert.ok(validate(conformanceReport(resultOf(sampleRun(checks)))), JSON.stringify(validate.errors));
    }
  });
  it('is refused by its schema when a member is missing or unknown', () => {
    const { seed: _, ...without } = conformanceReport(result);
    assert.ok(!validate(without));
    assert.ok(!validate({ ...conformanceReport(result), more: 1 }));
  });
  it('is the same object in YAML', () => {
    const report = conformanceReport(result);
    assert.deepEqual(load(conformanceYaml(report)), JSON.parse(JSON.stringify(report)));
  });
});

describe('the terminal summary', () => {
  it('fits the screen, verdict last, however many checks failed', () => {
    const many = resultOf(sampleRun(Array.from({ length: 200 }, () => CHECKS[1] as SampleCheck)));
    const text = terminalSummary(many, { width: 80, height: 24, reports: 'reports/out/report.html' });
    const lines = text.split('\n');
    assert.ok(lines.length <= 24, `${lines.length} lines`);
    for (const line of lines) assert.ok(line.length <= 80 || line.startsWith('  again '), line);
    assert.match(lines.slice(-4).join('\n'), /^not conformant: https:\/\/target\.example/m);
    assert.match(text, /… and 19\d more in the reports/);
    assert.ok(!text.includes('\u001b'));
  });
});

describe('the event stream', () => {
  it('reads back as it was written', () => {
    const events = sampleRun(CHECKS);
    assert.deepEqual(
      parseEvents(events.map((event) => JSON.stringify(event)).join('\n')),
      JSON.parse(JSON.stringify(events)),
    );
  });
  it('names the line that is no event, and a stream of another version', () => {
    const [first] = sampleRun([]);
    assert.throws(() => parseEvents(`${JSON.stringify(first)}\n{"type"`), /line 2/);
    assert.throws(
      () => parseEvents(JSON.stringify({ ...first, stream: 'touchstone.events/9' })),
      /touchstone\.events\/9/,
    );
    assert.throws(() => parseEvents(''), /does not begin with run-started/);
  });
});

describe('the result of a run', () => {
  it('is its worst child, requirement by requirement', () => {
    assert.equal(result.requirements[0]?.outcome, 'fail');
    assert.equal(result.profiles[0]?.conformance, 'not-conformant');
    assert.equal(
      resultOf(sampleRun([{ outcome: 'pass' }, { outcome: 'skipped' }])).profiles[0]?.conformance,
      'partial',
    );
    assert.equal(resultOf(sampleRun([{ outcome: 'pass' }])).profiles[0]?.conformance, 'conformant');
  });
  it('knows a check that began and never ended as not run', () => {
    const events = sampleRun([{ outcome: 'pass' }]).filter(({ type }) => type !== 'check-finished');
    assert.equal(resultOf(events).checks[0]?.outcome, 'not-run');
  });
});

describe('clauses', () => {
  const [PUT, POST] = ['NAME-UNIQUE-01/put', 'NAME-UNIQUE-01/post'];
  const [sample] = sampleRun([]);
  assert.equal(sample?.type, 'run-started');
  const requirements = (sample.type === 'run-started' ? sample.ledger.requirements : []).map((facts) => ({
    ...facts,
    clauses: [PUT, POST],
  }));
  const run = resultOf(
    sampleRun([{ outcome: 'fail', clauses: { [PUT]: 'fail', [POST]: 'pass' } }], {
      header: { ledger: { digest: 'sha256:0', requirements } },
    }),
  );
  it('stand in every report with what became of each', () => {
    const [told] = conformanceReport(run).requirements;
    assert.deepEqual(told?.clauses, [
      { clause: PUT, outcome: 'fail' },
      { clause: POST, outcome: 'pass' },
    ]);
    const validate = new Ajv({ allErrors: true }).compile(schema);
    assert.ok(validate(JSON.parse(JSON.stringify(conformanceReport(run)))), JSON.stringify(validate.errors));
    assert.match(html(run), /1 of 2 clauses kept.*NAME-UNIQUE-01\/put<\/code> fail/s);
    assert.match(markdown(run), /Judged by 2 clauses, of which 1 are broken\.\n\n- `NAME-UNIQUE-01\/put`/);
    assert.match(terminalSummary(run, { width: 100, height: 40 }), /2 clauses judged, 1 broken: NAME-UNIQUE-01\/put/);
    assert.match(junit(run), /<property name="broken-clause" value="NAME-UNIQUE-01\/put"\/>/);
  });
  it('are what the card names, and what is run again', () => {
    const { brief } = cardOf(run, run.checks[0] as RunResult['checks'][number]);
    assert.match(brief[0] ?? '', /^NAME-UNIQUE-01\/put \(MUST\)/);
    assert.match(brief.at(-1) ?? '', /--only 1-conventions\/sample:check-0$/);
  });
});
