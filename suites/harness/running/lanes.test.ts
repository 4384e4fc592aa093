import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { CHECK, LABORIOUS, REQUIREMENT } from '../../../reports/annotations.ts';
import { EVIDENCE, type EvidenceRecord, TRAIL } from '../../../reports/evidenceRecord.ts';
import * as match from '../match.ts';
import { must } from '../must.ts';
import { TARGET_FILE, type TargetFile } from '../target/target.ts';
import type { Body, CheckRun, Declaration } from './checkRun.ts';
import { Lanes } from './lanes.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-lanes-'));
process.env[TARGET_FILE] = join(folder, 'target.json');
after(() => rmSync(folder, { recursive: true, force: true }));

/** A target that nobody asks. */
const FILE = {
  target: {
    mode: 'url',
    base: 'https://127.0.0.1:1',
    dialect: kubernetes,
    identities: {},
    capabilities: [],
    rights: { all: true },
  },
  run: { id: 'run', seed: 'seed', strict: false },
} as unknown as TargetFile;

const declaration = (key: string, body: Body): Declaration => ({
  key,
  title: `it is ${key}`,
  annotations: [
    { type: CHECK, description: key },
    { type: REQUIREMENT, description: 'GET-MISSING-01' },
  ],
  body,
});
const recordOf = ({ attachments }: CheckRun): EvidenceRecord =>
  JSON.parse(String(attachments.find(({ name }) => name === EVIDENCE)?.body)) as EvidenceRecord;
const sentencesOf = (run: CheckRun) => recordOf(run).assertions.map(({ sentence }) => sentence);

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('the lanes of a process', () => {
  it('run checks side by side, each with evidence of its own, in the order in which they are asked for', async () => {
    const [second, third] = [gate(), gate()];
    const begun: string[] = [];
    const declared = [
      declaration('first', async () => {
        begun.push('first');
        await second.opened;
        must('the first goes on', 1, match.equal(1));
        await third.opened;
      }),
      declaration('second', async () => {
        begun.push('second');
        must('the second is there', 1, match.equal(1));
        second.open();
      }),
      declaration('third', async () => {
        begun.push('third');
        third.open();
        must('the third goes on', 1, match.equal(1));
        throw new Error('a fault of ours');
      }),
    ];
    const lanes = new Lanes(declared, FILE, 0, 2);
    try {
      const first = await lanes.runOf('first');
      await first.over;
      assert.deepEqual(begun, ['first', 'second', 'third']);
      assert.deepEqual(sentencesOf(first), ['the first goes on']);
      assert.deepEqual(sentencesOf(await lanes.runOf('second')), ['the second is there']);
      const failing = await lanes.runOf('third');
      await failing.over;
      assert.deepEqual(sentencesOf(failing), ['the third goes on']);
      assert.deepEqual(failing.errors.map(String), ['Error: a fault of ours']);
      assert.deepEqual(first.errors, []);
      const trail = first.attachments.find(({ name }) => name === TRAIL)?.path ?? '';
      assert.equal(readFileSync(trail, 'utf8'), '');
    } finally {
      await lanes.close();
    }
  });

  it('begin nothing before it is asked for where there is one, and nothing twice', async () => {
    const begun: string[] = [];
    const body = (key: string) => declaration(key, async () => void begun.push(key));
    const lanes = new Lanes(['first', 'second', 'third'].map(body), FILE, 0, 1);
    try {
      await (await lanes.runOf('second')).over;
      assert.deepEqual(begun, ['second']);
      await (await lanes.runOf('third')).over;
      assert.deepEqual(begun, ['second', 'third']);
      await assert.rejects(lanes.runOf('fourth'), /there is no check fourth/);
    } finally {
      await lanes.close();
    }
  });

  it('run one laborious check at a time, and others beside it', async () => {
    const [end, others] = [gate(), gate()];
    const begun: string[] = [];
    const laborious = (key: string): Declaration => {
      const declared = declaration(key, async () => {
        begun.push(key);
        await end.opened;
      });
      return { ...declared, annotations: [...declared.annotations, { type: LABORIOUS, description: 'yes' }] };
    };
    const light = declaration('light', async () => {
      begun.push('light');
      others.open();
    });
    const lanes = new Lanes([laborious('first'), laborious('second'), light], FILE, 0, 3);
    try {
      await lanes.runOf('first');
      await others.opened;
      assert.deepEqual(begun, ['first', 'light']);
      const second = lanes.runOf('second');
      end.open();
      await (await second).over;
      assert.deepEqual(begun, ['first', 'light', 'second']);
      assert.equal((await lanes.runOf('light')).isOver, true);
    } finally {
      await lanes.close();
    }
  });

  it('give up what hangs, and what nobody asked for, and tell of it what there is', async () => {
    const hangs: Body = async () => {
      must('it got so far', 1, match.equal(1));
      await new Promise(() => {});
    };
    const lanes = new Lanes([declaration('first', hangs), declaration('second', hangs)], FILE, 0, 2);
    const run = await lanes.runOf('first');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(run.isOver, false);
    await lanes.close();
    assert.equal(run.isOver, true);
    assert.deepEqual(sentencesOf(run), ['it got so far']);
  });

  it('have a body ask for more time before or after somebody hears of it', async () => {
    const asks = gate();
    const body: Body = async (_, info) => {
      info.setTimeout(1_000);
      await asks.opened;
      info.setTimeout(2_000);
    };
    const lanes = new Lanes([declaration('first', body)], FILE, 0, 1);
    try {
      const run = await lanes.runOf('first');
      await new Promise((resolve) => setTimeout(resolve, 20));
      const heard: number[] = [];
      run.whenAsksForTime((milliseconds) => heard.push(milliseconds));
      asks.open();
      await run.over;
      assert.deepEqual(heard, [1_000, 2_000]);
    } finally {
      await lanes.close();
    }
  });
});
