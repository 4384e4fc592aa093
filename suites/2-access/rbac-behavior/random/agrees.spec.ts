import type { Exchange, Matcher } from '../../../harness/index.ts';
import { check, holds, must, should } from '../../../harness/index.ts';
import { authorized, forbidden } from '../../decisions.ts';
import { no, yes } from '../../reviews.ts';
import { GrantScenarioRun } from './grantScenarioRun.ts';
import { type Grants, granted } from './grants.ts';
import { type GrantScenario, scenarios } from './scenario.ts';

/** The two ways to learn what somebody may do. */
const WAYS: Readonly<
  Record<
    string,
    { readonly by: 'review' | 'request'; readonly granted: Matcher<Exchange>; readonly not: Matcher<Exchange> }
  >
> = {
  'reviews are asked': { by: 'review', granted: yes, not: no },
  'requests are sent': { by: 'request', granted: authorized, not: forbidden },
};

for (const [words, { by, granted: may, not: mayNot }] of Object.entries(WAYS)) {
  check(
    `RBAC-RULE-07.1/${words}`,
    `roles and bindings are as chance has it, and ${words} → each is granted that the text grants, and no rule takes one away`,
    ['RBAC-RULE-07', 'RBAC-BINDING-01', 'RBAC-BINDING-02', 'AUTHZ-ATTRIBUTE-01'],
    by === 'request' ? ['impersonation'] : [],
    async ({ admin, seed }) => {
      await holds(seed, scenarios, async ({ grants, added, questions }: GrantScenario, name) => {
        const stage = await GrantScenarioRun.of(admin, name);
        const askAll = async (as: Grants, sentence: (grants: boolean) => string) => {
          for (const { who, asked } of questions) {
            const is = granted(as, who, asked);
            // A grant may be seen a moment later; what is granted by nothing never was.
            if (is) must(sentence(is), await should(() => stage[by](who, asked), may));
            else must(sentence(is), await stage[by](who, asked), mayNot);
          }
        };
        await stage.set(grants);
        await askAll(grants, (is) => (is ? 'some rule grants it' : 'no rule grants it'));
        await stage.add(added.rule, added.role(grants));
        await askAll(added.to(grants), (is) => (is ? 'with one more rule it is granted' : 'with one more it is not'));
      });
    },
  );
}
