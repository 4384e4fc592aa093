// What stands beside a story: another server with the same requests, or another step; and where the two are not alike.
import { wordOf } from './outcome.mjs';

const told = ({ delivered }) => delivered.map(({ watch, type, object }) => `${watch} ${type} ${object}`).join('\n');
const thought = ({ decisions }) =>
  decisions.map((one) => `${one.stage} ${one.by} ${one.outcome} ${one.because}`).join('\n');
const stored = ({ changes }) => changes.map((one) => `${wordOf(one)} ${one.key} ${one.after ?? ''}`).join('\n');
const said = ({ said: lines = [] }) => lines.join('\n');
const headersOf = ({ answer }) =>
  Object.entries(answer?.headers ?? {})
    .filter(([name]) => name !== 'audit-id')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** What the other step has otherwise, in sentences; none where the two are alike. */
export function otherwise(here, there) {
  if (!there) return ['There is no such step there.'];
  const [one, other] = [here.answer, there.answer];
  const sentences = [];
  if (one?.code !== other?.code)
    sentences.push(`It answers ${other?.code ?? 'nothing'}, here ${one?.code ?? 'nothing'}.`);
  else if (one?.body !== other?.body) sentences.push('The answer holds something else.');
  else if (headersOf(here) !== headersOf(there)) sentences.push('The headers of the answer are others.');
  if (here.judged?.text !== there.judged?.text) sentences.push('Something else is found of the history.');
  if (stored(here) !== stored(there)) {
    const count = ({ changes }) => (changes.length === 1 ? '1 change' : `${changes.length} changes`);
    const same = here.changes.length === there.changes.length;
    sentences.push(same ? 'It stores something else.' : `Its store sees ${count(there)}, here ${count(here)}.`);
  }
  if (told(here) !== told(there)) {
    const types = ({ delivered }) => delivered.map(({ type }) => type).join(', ') || 'nothing';
    const same = types(here) === types(there);
    sentences.push(
      same ? 'Watches are told of other objects.' : `Watches are told ${types(there)}, here ${types(here)}.`,
    );
  }
  if (said(here) !== said(there)) sentences.push('It says something else to its operator.');
  if (sentences.length === 0 && thought(here) !== thought(there)) sentences.push('It thinks otherwise on its way.');
  return sentences;
}

/**
 * What may stand beside a story.
 * @returns by value of the link: its name in the list
 */
export function choicesFor({ original, changed, branch, scenario, releases, at }) {
  const choices = new Map([['', 'nothing']]);
  if (original.broken) choices.set('broken', 'a server that breaks the rule');
  if (changed && original.steps.length > 0 && !original.isOwn) choices.set('story', 'the story as it stands');
  if (branch) choices.set('branch', 'the branch that was left');
  choices.set('flag:--follow=service', 'a server that does as the real service, where the text says otherwise');
  for (const release of releases) {
    if (!scenario.flags.includes(`--release=${release}`))
      choices.set(`flag:--release=${release}`, `a server of release ${release}`);
  }
  scenario.steps.forEach((step, index) => {
    if (index !== at) choices.set(`step:${index + 1}`, `step ${index + 1}: ${step.title}`);
  });
  return choices;
}

/** The story that is played beside another, and on what; undefined where nothing has to be played. */
export function storyBeside(beside, { original, scenario, branch }) {
  const plain = { ...scenario, statements: [] };
  if (beside === 'broken' && original.broken) return { scenario: plain, mutant: original.broken.mutant };
  if (beside === 'story') return { scenario: { ...plain, steps: original.steps } };
  if (beside === 'branch' && branch) return { scenario: { ...plain, steps: branch } };
  const [, flag] = /^flag:(--(?:follow|release)=[\w.]+)$/.exec(beside ?? '') ?? [];
  if (flag === undefined) return undefined;
  const name = flag.split('=')[0];
  return { scenario: { ...plain, flags: [...scenario.flags.filter((one) => !one.startsWith(`${name}=`)), flag] } };
}
