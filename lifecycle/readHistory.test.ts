import assert from 'node:assert/strict';
import test from 'node:test';
import { HistoryFault } from './fault.ts';
import { readHistory } from './readHistory.ts';

const RELEASES = 'releases:\n  - { name: 1.10, date: 2024-01-15 }\n  - { name: 1.20, date: 2024-05-15 }\n';

test('releases keep their names as they are written, and majors are read from them', () => {
  const { releases } = readHistory(RELEASES);
  assert.deepEqual(
    releases.map(({ name, major, place }) => [name, major, place]),
    [
      ['1.10', '1', 0],
      ['1.20', '1', 1],
    ],
  );
});

test('a release that a timeline does not name has what the one before it had', () => {
  const { tracks } = readHistory(
    `${RELEASES}groups: [{ name: g, timeline: { 1.10: { versions: { v1: served }, preferred: v1 } } }]`,
  );
  assert.deepEqual(
    tracks[0]?.rows.map(({ release, versions, storage }) => [release.name, [...versions], storage]),
    [
      ['1.10', [['v1', 'served']], 'v1'],
      ['1.20', [['v1', 'served']], 'v1'],
    ],
  );
});

test('JSON is read as YAML is', () => {
  assert.equal(readHistory('{"releases":[{"name":"1.0","date":"2024-01-15"}]}').releases.length, 1);
});

for (const [what, text, ...faults] of [
  ['an empty file', '# nothing\n', 'line 1: the file is empty'],
  ['a text that is no YAML', 'releases:\n  - a\n b: c\n', 'line 3: bad indentation'],
  ['two documents', `${RELEASES}---\nreleases: []\n`, 'line 5: a history is one document'],
  ['a list', '- a\n', 'line 1: it has to be a map'],
  ['no releases', 'groups: []\n', 'line 1: releases is missing'],
  ['an unknown member', `${RELEASES}flags: []\n`, 'line 4: there is no member "flags" here'],
  [
    'a wrong word',
    `${RELEASES}groups:\n  - name: g\n    timeline:\n      1.20:\n        versions:\n          v1: gone\n`,
    'line 9: groups[0].timeline["1.20"].versions.v1: it has to be one of served, deprecated',
  ],
  [
    'a deprecated flag that does not say whether it warns',
    `${RELEASES}commandLine: [{ name: --a, audience: user, deprecated: 1.20 }]\n`,
    'line 4: commandLine[0]: warns is needed beside deprecated',
  ],
  [
    'releases that do not follow each other',
    'releases:\n  - { name: a, date: 2024-05-15 }\n  - { name: b, date: 2024-05-15 }\n  - { name: b, date: 2024-02-30 }\n',
    'line 3: releases[1].date: b comes no later than a; releases stand oldest first',
    'line 4: releases[2].name: b stands here a second time',
    'line 4: releases[2].date: "2024-02-30" is no day',
  ],
  [
    'releases and versions that are not there',
    `${RELEASES}groups:\n  - name: g\n    timeline:\n      1.2: { versions: { beta1: served }, preferred: v01 }\n`,
    'line 7: groups[0].timeline["1.2"]: there is no release 1.2 in releases',
    'line 7: groups[0].timeline["1.2"].versions.beta1: "beta1" is no version',
    'line 7: groups[0].timeline["1.2"].preferred: "v01" is no version',
  ],
  [
    'a life that ends before it begins',
    `${RELEASES}metrics: [{ name: a, stability: BETA, introduced: 1.20, removed: 1.10 }]\n`,
    'line 4: metrics[0]: 1.10 is before what has to come first',
  ],
  [
    'a gate whose stages go back, and a deprecated one without notice',
    `${RELEASES}gates:\n  - { name: A, stages: { alpha: 1.20, beta: 1.10 } }\n  - { name: B, stages: { ga: 1.10 } }\n`,
    'line 5: gates[0].stages.beta: beta does not come after alpha',
    'line 5: gates[0]: 1.10 is before what has to come first',
    'line 6: gates[1]: notice is needed once the feature is ga or given up',
  ],
  [
    'an exception to no rule',
    `${RELEASES}exceptions: [{ rule: 12, element: a, reason: b, announced: [1.20] }]\n`,
    'line 4: exceptions[0].rule: there is no rule 12',
  ],
] as const) {
  test(`${what} is refused, with line and path`, () => {
    const fault = thrown(() => readHistory(text));
    assert.equal(fault.faults.length, faults.length, fault.message);
    fault.message.split('\n').forEach((line, place) => {
      assert.ok(line.startsWith(faults[place] as string), `${line}\nis not\n${faults[place]}`);
    });
  });
}

function thrown(act: () => unknown): HistoryFault {
  try {
    act();
  } catch (error) {
    if (error instanceof HistoryFault) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
