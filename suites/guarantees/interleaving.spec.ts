import fc from 'fast-check';
import { check, configMaps, inconclusive, match, must, unsupported } from '../harness/index.ts';
import type { GuaranteeResult } from './index.ts';
import { GUARANTEES, judge } from './index.ts';
import { type ClientPlan, carryOut, PLAIN, plans } from './interleaving.ts';

/** What each guarantee is evidence for. */
const EVIDENCE = {
  linearizable: ['STORE-LINEAR-01'],
  'watch-filtered': ['WATCH-FILTER-01'],
  'watch-unique': ['WATCH-UNIQUE-01'],
  'watch-ordered': ['WATCH-ORDER-01'],
  'watch-reliable': ['WATCH-RELIABLE-01'],
  'watch-bookmarkable': ['WATCH-BOOKMARK-03'],
  'watch-resumable': ['WATCH-RESUME-01'],
  'list-then-watch': ['WATCH-RESUME-02'],
  'one-snapshot': ['CHUNK-SNAPSHOT-02', 'CHUNK-WALK-01'],
} as const;

/** Enough for each guarantee to be exercised many times, and over in a moment. */
const RUNS = { numRuns: 9, examples: [[PLAIN]] as [ClientPlan][], interruptAfterTimeLimit: 20_000 };

for (const [name, requirements] of Object.entries(EVIDENCE)) {
  const { sentence } = GUARANTEES.find((each) => each.name === name) ?? { sentence: name };
  check(
    `STORE-LINEAR-01.3/${name}`,
    `several clients write, list, walk and watch at the same time → ${name}`,
    requirements,
    async ({ author, rival, watcher, space, seed }) => {
      const found = new Map<string, GuaranteeResult>();
      const property = fc.asyncProperty(plans, async (plan) => {
        const namespace = await space.freshNamespace();
        const history = await carryOut(plan, [author.in(namespace), rival.in(namespace), watcher.in(namespace)]);
        const { finding } = judge(history).find((each) => each.guarantee.name === name) ?? {};
        if (!finding) return true;
        if (finding.bound) unsupported(finding.bound);
        // Chance has a hand in the order of things: a plan that broke it once may keep it the next time.
        const before = found.get(JSON.stringify(plan));
        found.set(JSON.stringify(plan), before && before.violations.length > 0 ? before : finding);
        return finding.violations.length === 0;
      });
      const { counterexample } = await fc.check(property, { ...RUNS, seed });
      const broken = counterexample ? found.get(JSON.stringify(counterexample[0])) : undefined;
      const cases = [...found.values()].reduce((sum, finding) => sum + finding.cases, 0);
      if (cases === 0) inconclusive(`no history of ${configMaps.plural} gave it anything to look at`);
      const seen = broken?.violations.map(({ sentence, operations }) => `${sentence} (${operations.join(', ')})`);
      must(sentence, seen ?? [], match.equal([]));
    },
  );
}
