import { clausesOf, METHODS_OF_IDENTITY, METHODS_OF_TOKENS, TOKEN_CHANGES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  authority,
  check,
  clause,
  type Identity,
  match,
  must,
  tokenWebhook,
  unsupported,
} from '../../harness/index.ts';
import { everyMethod, LONG, STAFF, TOKEN_BY, type TokenMethod } from '../everyMethod.ts';
import { known, knownBefore, NEVER_GOOD, refused, refusedWhateverIsAsked } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';

/** Methods whose tokens a server makes, or is given by objects, so that one that runs already can be shown them. */
const WITHIN: readonly TokenMethod[] = ['account', 'bootstrap'];

check(
  'IDENTITY-ATTRIBUTES-02.1',
  'somebody is known by each method, to a server that has them all → always in the group of the authenticated, once, and never in that of the others',
  [...clausesOf('IDENTITY-ATTRIBUTES-02'), ...clausesOf('WHOAMI-REQUEST-02')],
  { setup: everyMethod, needs: ['service-account-tokens'] },
  async ({ admin, someone, services }) => {
    const certificate = await (await services.get(authority)).client('ada', STAFF);
    const identities: Record<string, Identity> = { certificate };
    for (const method of METHODS_OF_TOKENS) identities[method] = await TOKEN_BY[method](admin, services);
    const judged = METHODS_OF_IDENTITY.map((method) =>
      clause([`IDENTITY-ATTRIBUTES-02/${method}`, `WHOAMI-REQUEST-02/${method}`], async () => {
        const actor = someone(method, identities[method] ?? {});
        const first = must('they are known', await known(actor));
        // Whoever was known once may be kept, and what is added to a kept user stays.
        for (const seen of [first, await whoAmI(actor), await whoAmI(actor)]) {
          const { groups: all = [] } = userInfoOf(must('they are known still', seen, match.created).json);
          const count = all.filter((group) => group === 'system:authenticated').length;
          must('they are in the group of the authenticated', count, match.equal(1));
          must('and in no other', all.includes('system:unauthenticated'), match.equal(false));
        }
      }),
    );
    await Promise.all(judged);
  },
);

check(
  'TOKENREVIEW-SERVED-01.3/every-method',
  'the admin posts a review of a token of each method, to a server that has them all → as whom it authenticates',
  clausesOf('TOKENREVIEW-SERVED-01'),
  { setup: everyMethod, orElse: [], needs: ['service-account-tokens'] },
  async ({ admin, someone, services, dialect, target }) => {
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    const judged = METHODS_OF_TOKENS.map((method) =>
      clause(`TOKENREVIEW-SERVED-01/${method}`, async () => {
        if (target.mode === 'url' && !WITHIN.includes(method))
          unsupported('--restart-command or --launch lets us start the target with tokens by this method');
        const identity = await TOKEN_BY[method](admin, services);
        const themselves = must('they are known', await known(someone(method, identity)));
        const { username, uid, groups = [], extra } = userInfoOf(themselves.json);
        const answer = await admin.request('POST', `/apis/${apiVersion}/tokenreviews`, {
          words: `admin asks whose token by ${method} this is`,
          body: { apiVersion, kind: 'TokenReview', spec: { token: identity.token } },
        });
        must('it is known', answer, match.created, match.field('status.authenticated', true));
        must('the name is that of the user', answer, match.field('status.user.username', username));
        must('so are the groups', answer, match.field('status.user.groups', match.sameItems(groups)));
        must('so is the uid', answer, match.field('status.user.uid', match.alike(uid)));
        must('so is the extra', answer, match.field('status.user.extra', match.alike(extra)));
      }),
    );
    await Promise.all(judged);
  },
);

/** What the answer to a review of oneself says. */
function userInfoOf(answer: unknown): UserInfo {
  return (answer as { status: { userInfo: UserInfo } }).status.userInfo;
}
interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Letters of base64url, of which the first half and the second differ in the bit that means most. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CHANGED: Readonly<Record<(typeof TOKEN_CHANGES)[number], (token: string) => string>> = {
  first: (token) => changedAt(token, 0),
  middle: (token) => changedAt(token, Math.floor(token.length / 2) + 1),
  last: (token) => changedAt(token, token.length - 1),
  longer: (token) => `${token}A`,
  shorter: (token) => token.slice(0, -1),
};
/** The token with another character there. Also the last one of a signature then stands for other bits. */
function changedAt(token: string, place: number): string {
  const letter = LETTERS[(LETTERS.indexOf(token[place] ?? '') + LETTERS.length / 2) % LETTERS.length] ?? '';
  return `${token.slice(0, place)}${letter}${token.slice(place + 1)}`;
}

check(
  'IDENTITY-BEARER-03.1',
  'tokens of every method are taken, and then such that differ in one character, or have one more or less → each is refused',
  clausesOf('IDENTITY-BEARER-03', TOKEN_CHANGES),
  { setup: everyMethod, orElse: [], needs: ['service-account-tokens'] },
  async ({ admin, someone, services, target }) => {
    const judged = METHODS_OF_TOKENS.map(async (method) => {
      let taken: Promise<string> | undefined;
      for (const change of TOKEN_CHANGES) {
        await clause(`IDENTITY-BEARER-03/${change}/${method}`, async () => {
          if (target.mode === 'url' && !WITHIN.includes(method))
            unsupported('--restart-command or --launch lets us start the target with tokens by this method');
          taken ??= takenToken(await TOKEN_BY[method](admin, services), (identity) => someone(method, identity));
          const token = await taken;
          const eve = someone('eve', { token: CHANGED[change](token) });
          must('it is another token', await whoAmI(eve), refused);
          await refusedWhateverIsAsked(eve, NEVER_GOOD);
        });
      }
    });
    await Promise.all(judged);
  },
);

/** Behind so many characters a long token differs from one that was taken: sums and keys of caches may end there. */
const BEHIND = [64, 72, 128, 255, 256, 1_024, 3_999];

check(
  'IDENTITY-BEARER-03.2',
  'tokens of four thousand characters are taken, and then such that differ far behind their beginning → each is refused',
  clausesOf('IDENTITY-BEARER-03', 'long'),
  { setup: everyMethod },
  async ({ someone, services }) => {
    const user = { username: 'long', groups: STAFF };
    const webhook = await services.get(tokenWebhook);
    webhook.answer(LONG.webhook.token ?? '', { status: { authenticated: true, user } });
    const judged = Object.entries(LONG).map(([method, identity]) =>
      clause(`IDENTITY-BEARER-03/long/${method}`, async () => {
        await knownBefore(someone('long', identity));
        const token = identity.token ?? '';
        for (const place of BEHIND) {
          const eve = someone('eve', { token: changedAt(token, place) });
          must(`one that differs behind ${place} characters is another`, await whoAmI(eve), refused);
        }
        const part = someone('eve', { token: token.slice(0, 3_000) });
        must('a part of it is another', await whoAmI(part), refused);
        must('it is known still', await known(someone('long', identity)));
      }),
    );
    await Promise.all(judged);
  },
);

async function takenToken(identity: Identity, actor: (identity: Identity) => Actor): Promise<string> {
  await knownBefore(actor(identity));
  return identity.token ?? '';
}
