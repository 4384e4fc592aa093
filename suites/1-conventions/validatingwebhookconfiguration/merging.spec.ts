import { check, match, must, webhookConfigurations } from '../../harness/index.ts';
import { first, HOOK, hook, hooked, RULE } from '../server-side-apply-rules/hook.ts';

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
