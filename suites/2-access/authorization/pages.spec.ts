import {
  type Actor,
  check,
  configMaps,
  type Exchange,
  match,
  must,
  named,
  on,
  roleBindings,
  secrets,
  should,
} from '../../harness/index.ts';
import { forbidden } from '../decisions.ts';
import { entitled } from '../persons.ts';

/** The token of a first page; `undefined` where a list comes whole. */
const tokenIn = (page: Exchange): string | undefined =>
  (page.json as { metadata?: { continue?: string } }).metadata?.continue || undefined;

/** Lists that somebody else may read, by whose tokens one may go on. */
const OTHERS: Readonly<Record<string, (admin: Actor, there: Actor) => Promise<Exchange>>> = {
  'of another namespace': (_, there) => there.list(configMaps, { limit: 1 }),
  'of another type': (admin) => admin.list(secrets, { limit: 1 }),
  'of all namespaces': (admin) => admin.listEverywhere(configMaps, { limit: 1 }),
};

check(
  'AUTHZ-ATTRIBUTE-03.6',
  'somebody who may list config maps here goes on by tokens of lists of another namespace, of another type and of all → nothing of these is told',
  ['AUTHZ-ATTRIBUTE-03/continued'],
  ['impersonation'],
  async ({ admin, person, dialect, space }) => {
    const kept = `kept-${space.prefix}`;
    const there = admin.elsewhere();
    for (const name of ['doc', 'doc-behind']) {
      await admin.given(configMaps, named(name));
      await admin.given(secrets, { metadata: { name, labels: { kept } } });
      await there.given(configMaps, { metadata: { name, labels: { kept } } });
    }
    const eve = person('eve');
    await entitled(admin, eve, { here: [on(configMaps, dialect, 'list')] });
    for (const [what, page] of Object.entries(OTHERS)) {
      const token = tokenIn(await page(admin, there));
      if (token === undefined) continue;
      const { text } = await eve.list(configMaps, { continue: token });
      must(`nothing is told by a token of a list ${what}`, text.includes(kept), match.equal(false));
    }
    must('that there is some is known', (await there.list(configMaps)).text.includes(kept), match.equal(true));
  },
);

check(
  'AUTHZ-ATTRIBUTE-03.7',
  'somebody who may list reads a page, and may no longer → what is behind it is refused soon after',
  ['AUTHZ-ATTRIBUTE-03/continued'],
  ['impersonation'],
  async ({ admin, person, dialect }) => {
    for (const name of ['doc', 'doc-behind']) await admin.given(configMaps, named(name));
    const eve = person('eve');
    await entitled(admin, eve, { here: [on(configMaps, dialect, 'list')] });
    const page = must('they may', await eve.list(configMaps, { limit: 1 }), match.status(200));
    const next = () => eve.list(configMaps, { limit: 1, continue: tokenIn(page) ?? 'none' });
    await admin.prepare((actor) => actor.delete(roleBindings, 'eve'));
    must('they may not go on', await should(next, forbidden));
    must('nor begin anew', await eve.list(configMaps, { limit: 1 }), forbidden);
  },
);
