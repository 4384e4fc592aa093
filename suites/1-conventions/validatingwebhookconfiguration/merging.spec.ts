import { check, clause, clausesOf, match, must, webhookConfigurations } from '../../harness/index.ts';
import { config, first, HOOK, hook, hooked, RULE } from '../server-side-apply-rules/hook.ts';

const { name } = HOOK;
const OTHER = { ...RULE, resources: ['touchstone-other'] };
const condition = (word: string, expression = 'true') => ({ name: word, expression });

check(
  'VWC-RULES-01.1',
  'the rival merges other rules and review versions → each list is replaced whole',
  ['VWC-RULES-01'],
  async ({ author, rival }) => {
    await hooked(author, { rules: [{ ...RULE, scope: '*' }] });
    const patch = {
      webhooks: [{ name, rules: [{ ...OTHER, scope: '*' }], admissionReviewVersions: ['v1beta1', 'v1'] }],
    };
    const patched = await rival.patch(webhookConfigurations, 'config', 'strategic', patch);
    must('rules are replaced', patched, match.status(200), first('rules', [{ ...OTHER, scope: '*' }]));
    must('review versions are replaced', patched, first('admissionReviewVersions', ['v1beta1', 'v1']));
  },
);

check(
  'VWC-RULES-01.2',
  'the rival applies other rules and review versions → each list has one owner',
  ['VWC-RULES-01'],
  async ({ author, rival }) => {
    await hooked(author, { rules: [RULE] });
    must('rules have', await hook(rival, { name, rules: [RULE, OTHER] }), match.refusal);
    const versions = { name, admissionReviewVersions: ['v1', 'v1beta1'] };
    must('review versions have', await hook(rival, versions), match.refusal);
  },
);

const SCOPED = [RULE, OTHER].map((rule) => ({ ...rule, scope: '*' }));
/** What is given in the place of two rules. */
const REPLACED = { none: [], fewer: SCOPED.slice(1), reversed: [...SCOPED].reverse() } as const;

for (const write of ['strategic', 'apply'] as const) {
  check(
    `VWC-RULES-01.3/${write}`,
    `the rival merges no rules, fewer and the same in another order, by ${write === 'apply' ? 'an apply' : 'a patch'} → the list is replaced whole`,
    clausesOf('VWC-RULES-01', write),
    async ({ author, rival }) => {
      for (const [what, rules] of Object.entries(REPLACED)) {
        await author.prepare((each) =>
          each.apply(webhookConfigurations, config({ ...HOOK, rules: SCOPED }), { force: true }),
        );
        await clause(clausesOf('VWC-RULES-01', what, write), async () => {
          const merged = { webhooks: [{ name, rules }] };
          const written =
            write === 'apply'
              ? await rival.apply(webhookConfigurations, config({ name, rules }), { force: true })
              : await rival.patch(webhookConfigurations, 'config', write, merged);
          const expected = rules.length > 0 ? match.equal(rules) : match.empty;
          must('it is as it was given', written, match.status(200), first('rules', expected));
          must('and stored so', await author.get(webhookConfigurations, 'config'), first('rules', expected));
        });
      }
    },
  );
}

check(
  'VWC-CONDITIONS-02.1',
  'the rival merges other match conditions → they are told apart by name',
  ['VWC-CONDITIONS-02'],
  async ({ author, rival }) => {
    await hooked(author, { matchConditions: [condition('mine')] });
    const applied = await hook(rival, { name, matchConditions: [condition('theirs')] });
    const both = (mine: string) =>
      first('matchConditions', match.sameItems([condition('mine', mine), condition('theirs')]));
    must('an apply adds to them', applied, match.status(200), both('true'));
    const patch = { webhooks: [{ name, matchConditions: [condition('mine', 'false')] }] };
    const patched = await rival.patch(webhookConfigurations, 'config', 'strategic', patch);
    must('a strategic merge patch changes one of them', patched, match.status(200), both('false'));
  },
);
