import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { validateAction } from '@action-validator/core';
import { Ajv } from 'ajv';
import { validate as dockerfileFaults } from 'dockerfile-utils';
import { load, loadAll } from 'js-yaml';
import { RUN_FLAGS } from '../cli/commands/run.ts';
import { variableOf } from '../cli/settings.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('node_modules/@playwright/test/package.json')) as { version: string };

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}
/** Inputs of the action that are no flags. */
const OF_ACTION = ['fail', 'package', 'node-version', 'config'];

describe('the action for GitHub', () => {
  const action = load(read('action.yml')) as Action;
  const step = action.runs.steps.find(({ id }) => id === 'run');

  it('fits the public schema of actions', () => {
    assert.deepEqual(validateAction(read('action.yml')).errors, []);
    assert.notDeepEqual(validateAction(read('action.yml').replace('using: composite', 'using: compost')).errors, []);
  });
  it('hands each input to the flag of its name', () => {
    for (const name of Object.keys(action.inputs)) {
      if (OF_ACTION.includes(name)) continue;
      assert.ok(Object.hasOwn(RUN_FLAGS, name), `run has no flag --${name}`);
      assert.equal(step?.env?.[variableOf(name)], `\${{ inputs.${name} }}`);
    }
    const written = JSON.stringify(action.runs.steps.map(({ run }) => run));
    assert.ok(!written.includes('${{'), 'what a caller gives would be run as a script');
    assert.ok(written.includes(`@playwright/test@${version}`));
  });

  /** Runs the step with a command that ends with a code and has written a report, or none. */
  function told(code: number, word: string | undefined, fail = 'true') {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-action-'));
    try {
      const bin = join(folder, 'touchstone/node_modules/.bin');
      mkdirSync(bin, { recursive: true });
      const report = JSON.stringify({ verdict: { word } });
      const writes = word === undefined ? '' : `mkdir -p out && echo '${report}' > out/report.json\n`;
      writeFileSync(join(bin, 'touchstone'), `#!/bin/sh\n${writes}exit ${code}\n`);
      chmodSync(join(bin, 'touchstone'), 0o755);
      const output = join(folder, 'outputs');
      const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? ''], {
        cwd: folder,
        env: { ...process.env, RUNNER_TEMP: folder, GITHUB_OUTPUT: output, TOUCHSTONE_OUTPUT: 'out', FAIL: fail },
      });
      return { status, outputs: readFileSync(output, 'utf8').trim().split('\n') };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  it('ends as the run does, and tells its verdict', () => {
    const report = 'report=out/report.json';
    assert.deepEqual(told(0, 'conformant'), { status: 0, outputs: ['verdict=conformant', 'exit-code=0', report] });
    const broken = { status: 1, outputs: ['verdict=not conformant', 'exit-code=1', report] };
    assert.deepEqual(told(1, 'not conformant'), broken);
    assert.deepEqual(told(1, 'not conformant', 'false'), { ...broken, status: 0 });
    assert.deepEqual(told(64, undefined), { status: 64, outputs: ['verdict=', 'exit-code=64', 'report='] });
    for (const name of Object.keys(action.outputs)) {
      assert.ok(told(0, 'conformant').outputs.some((line) => line.startsWith(`${name}=`)));
    }
  });
});

const texts = { type: 'array', items: { type: 'string' } };
/** What GitLab takes of a component and of a job, as far as the template uses it: from its public schema of CI files. */
const SPEC = {
  type: 'object',
  additionalProperties: false,
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      additionalProperties: false,
      properties: {
        inputs: {
          type: 'object',
          propertyNames: { pattern: '^[a-zA-Z0-9_-]+$' },
          additionalProperties: {
            type: 'object',
            additionalProperties: false,
            properties: {
              default: { type: ['string', 'number', 'boolean', 'array'] },
              description: { type: 'string', maxLength: 1024 },
              type: { enum: ['string', 'number', 'boolean', 'array'] },
              options: { type: 'array', minItems: 1 },
              regex: { type: 'string' },
            },
          },
        },
      },
    },
  },
};
const JOBS = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['script'],
    properties: {
      stage: { type: 'string' },
      image: { type: 'string' },
      parallel: { type: ['string', 'integer'] },
      variables: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
      before_script: texts,
      script: texts,
      allow_failure: {
        anyOf: [
          { type: 'boolean' },
          {
            type: 'object',
            additionalProperties: false,
            required: ['exit_codes'],
            properties: { exit_codes: { type: ['integer', 'array'], items: { type: 'integer' } } },
          },
        ],
      },
      artifacts: {
        type: 'object',
        additionalProperties: false,
        properties: {
          when: { enum: ['on_success', 'on_failure', 'always'] },
          paths: texts,
          expire_in: { type: 'string' },
          reports: { type: 'object', additionalProperties: false, properties: { junit: { type: 'string' } } },
        },
      },
    },
  },
};

describe('the template for GitLab', () => {
  const text = read('ci/gitlab.yml');
  const [header, jobs] = loadAll(text) as [{ spec: { inputs: object } }, Record<string, { variables: object }>];

  it('fits what GitLab takes', () => {
    const ajv = new Ajv({ allowUnionTypes: true });
    for (const [schema, part] of [
      [SPEC, header],
      [JOBS, jobs],
    ] as const) {
      const validate = ajv.compile(schema);
      assert.ok(validate(part), JSON.stringify(validate.errors));
    }
  });
  it('uses each of its inputs, and no other', () => {
    const used = new Set([...text.matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, name]) => name));
    assert.deepEqual([...used].sort(), Object.keys(header.spec.inputs).sort());
  });
  it('sets variables of flags that there are, and the Playwright that is tested', () => {
    const known = [...Object.keys(RUN_FLAGS).map(variableOf), 'TOUCHSTONE_PACKAGE'];
    for (const name of Object.keys(jobs.touchstone?.variables ?? {})) assert.ok(known.includes(name), name);
    assert.ok(text.includes(`@playwright/test@${version}`));
  });
});

describe('the image', () => {
  const text = read('Dockerfile');

  it('is written as Docker reads it', () => assert.deepEqual(dockerfileFaults(text), []));
  it('runs as nobody of importance, tells its health, and names the Playwright that is tested', () => {
    assert.match(text, /^USER node$/m);
    assert.match(text, /^HEALTHCHECK /m);
    assert.ok(text.includes(`@playwright/test@${version}`));
  });
  it('knows a healthy server by its health check', () => {
    const [, words = '[]'] = /^ {4}CMD (\[.*\])$/m.exec(text) ?? [];
    const [command, ...args] = JSON.parse(words) as string[];
    assert.equal(command, 'node');
    // Nobody listens on port 1.
    const script = (args[1] ?? '').replace('port: 6443', 'port: 1');
    assert.equal(spawnSync(process.execPath, ['-e', script]).status, 1);
  });
});
