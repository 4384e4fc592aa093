import { LEVELS_OF_VERSIONS } from '../../../fixtures/ledger/index.ts';
import { type Actor, check, clause, clausesOf, isRecord, type Kind, match, must } from '../../harness/index.ts';
import { type CallWord, callsOf } from '../behavior-when-a-deprecated-endpoint-is-called/everyCall.ts';
import { defineOldType } from '../behavior-when-a-deprecated-endpoint-is-called/oldType.ts';

/** Names of two versions by the level of the deprecated one. */
const NAMES: Readonly<Record<(typeof LEVELS_OF_VERSIONS)[number], { readonly current: string; readonly old: string }>> =
  {
    stable: { current: 'v2', old: 'v1' },
    beta: { current: 'v2', old: 'v1beta2' },
    alpha: { current: 'v2', old: 'v1alpha3' },
  };

/** What a call came to: whether it was done, what the answer says of it, and what is there then, by name. */
interface Outcome {
  readonly done: boolean;
  readonly said: unknown;
  readonly left: unknown;
}

/** What is not of the version, nor of the one object. */
function part(object: unknown): unknown {
  const { size, spec, status, metadata } = isRecord(object) ? object : {};
  return { size, spec, status, generation: isRecord(metadata) ? metadata.generation : undefined };
}

/** Every call to a version, in their order; what it leaves is looked at in the other one, which stays the same. */
async function outcomes(author: Actor, asked: Kind, looked: Kind): Promise<ReadonlyMap<CallWord, Outcome>> {
  const found = new Map<CallWord, Outcome>();
  for (const [word, ask] of callsOf(asked)) {
    const answer = await ask(author, word);
    const all = (await author.prepare(() => author.list(looked))).json;
    const items = isRecord(all) && Array.isArray(all.items) ? all.items.filter(isRecord) : [];
    const left = items.map((each) => [isRecord(each.metadata) ? each.metadata.name : '', part(each)]);
    const said = answer.succeeded && /^(create|get|update|json|merge|apply|status-\w+)$/.test(word);
    found.set(word, { done: answer.succeeded, said: said ? part(answer.json) : undefined, left });
  }
  return found;
}

for (const level of LEVELS_OF_VERSIONS) {
  check(
    `GROUP-SHARED-03.1/${level}`,
    `the author calls both versions of a custom type in every way, a deprecated one of ${level} and the other → each call does the same`,
    clausesOf('GROUP-SHARED-03', level),
    async ({ author }) => {
      const { old, current } = await defineOldType(author, NAMES[level]);
      const expected = await outcomes(author, current, current);
      for (const [word, outcome] of await outcomes(author, old, current)) {
        await clause(`GROUP-SHARED-03/${level}/${word}`, async () =>
          must(`${word} does what it does in the other version`, outcome, match.equal(expected.get(word))),
        );
      }
    },
  );
}
