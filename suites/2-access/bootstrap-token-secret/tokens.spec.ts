import type { Identity } from '../../harness/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  givenAccount,
  match,
  must,
  secrets,
} from '../../harness/index.ts';
import {
  calls,
  inGroups,
  known,
  knownBefore,
  notInGroup,
  refused,
  refusedSoon,
  refusedWhateverIsAsked,
} from '../known.ts';
import { CHANGING } from '../rbac-behavior/escalation.ts';
import { whoAmI } from '../whoAmI.ts';
import {
  type Differences,
  given,
  inSeconds,
  NOT_TRUE,
  newToken,
  removed,
  stored,
  storedOrRefused,
} from './bootstrapTokens.ts';

for (const [what, description] of [
  ['with', 'for the first node'],
  ['without', undefined],
] as const) {
  check(
    `BOOTSTRAP-TOKEN-01.1/${what}`,
    `the admin stores a bootstrap token ${what} a description → it is a bearer token of a bootstrapper`,
    ['BOOTSTRAP-TOKEN-01'],
    async ({ admin, someone }) => {
      const token = newToken();
      await given(admin, token, { data: { description } });
      const node = someone('node', { token: token.text });
      const named = calls(`system:bootstrap:${token.id}`);
      must('its user', await known(node, named, inGroups('system:bootstrappers', 'system:authenticated')));
    },
  );
}

const NO_TOKENS: Readonly<Record<string, Differences>> = {
  'is of another type': { type: 'Opaque' },
  'is in another namespace': { namespace: 'default' },
  'has another name': { name: 'bootstrap-token-touchstone' },
  'has no token-id': { data: { 'token-id': undefined } },
  'has another token-id than its name': { data: { 'token-id': 'abcdef' } },
  'has no token-secret': { data: { 'token-secret': undefined } },
};

/** Stores a sound token and returns when it is taken: by then, what was stored before has been seen. */
async function storedLater(admin: Actor, someone: (name: string, identity: Identity) => Actor): Promise<void> {
  const token = newToken();
  await given(admin, token);
  await knownBefore(someone('node', { token: token.text }));
}

check(
  'BOOTSTRAP-TOKEN-02.1',
  'the admin stores secrets that lack what makes a token → none is one',
  ['BOOTSTRAP-TOKEN-02'],
  async ({ admin, someone, dialect }) => {
    const domain = dialect.apiDomain;
    const almost: Readonly<Record<string, Differences>> = {
      'is of a type whose name is longer': { type: `bootstrap.${domain}/tokens` },
      'is of its type in upper case': { type: `bootstrap.${domain}/Token` },
      'is of a type of another domain': { type: 'bootstrap.touchstone.example/token' },
      'is in the public namespace': { namespace: dialect.publicNamespace },
    };
    const tokens = Object.entries({ ...NO_TOKENS, ...almost }).map(([what, differences]) => ({
      what,
      differences,
      token: newToken(),
    }));
    for (const { token, differences } of tokens) await storedOrRefused(admin, token, differences);
    await storedLater(admin, someone);
    for (const { what, token } of tokens)
      must(`a secret that ${what} is none`, await whoAmI(someone('eve', { token: token.text })), refused);
  },
);

check(
  'BOOTSTRAP-TOKEN-03.1',
  'eve shows tokens of another form, and another secret → each is refused',
  ['BOOTSTRAP-TOKEN-03'],
  async ({ admin, someone }) => {
    // With letters in both parts, so that there is an upper case of them.
    const sound = newToken(`${newToken().id.slice(3)}abc`, `def${newToken().secret.slice(3)}`);
    const other = newToken();
    await given(admin, sound);
    await given(admin, other);
    await knownBefore(someone('node', { token: sound.text }));
    await knownBefore(someone('other-node', { token: other.text }));
    const tried = {
      'another secret': newToken(sound.id),
      'the secret of another token': newToken(sound.id, other.secret),
      'upper case': { ...sound, text: sound.text.toUpperCase() },
      'another separator': { ...sound, text: `${sound.id}:${sound.secret}` },
      'more behind it': { ...sound, text: `${sound.text}0` },
      'a part behind it': { ...sound, text: `${sound.text}.${sound.id}` },
      'more before it': { ...sound, text: `0${sound.text}` },
      'a part before it': { ...sound, text: `${sound.id}.${sound.text}` },
      'its secret alone': { ...sound, text: sound.secret },
      'its id alone': { ...sound, text: `${sound.id}.` },
      'a part of its secret': { ...sound, text: sound.text.slice(0, -1) },
    };
    for (const [what, token] of Object.entries(tried))
      must(`${what} is refused`, await whoAmI(someone('eve', { token: token.text })), refused);
    const malformed = Object.entries({
      'an id of five characters': newToken(sound.id.slice(1)),
      'an id of seven characters': newToken(`${sound.id}0`),
      'a secret of fifteen characters': newToken(undefined, sound.secret.slice(1)),
      'a secret of seventeen characters': newToken(undefined, `${sound.secret}0`),
      'a secret with upper-case letters': newToken(undefined, `ABCDEF${sound.secret.slice(6)}`),
      'a secret with a hyphen': newToken(undefined, `ab-def${sound.secret.slice(6)}`),
    });
    for (const [, token] of malformed) await storedOrRefused(admin, token);
    await storedLater(admin, someone);
    for (const [what, token] of malformed)
      must(`${what} is refused`, await whoAmI(someone('eve', { token: token.text })), refused);
  },
);

check(
  'BOOTSTRAP-TOKEN-03.2',
  'the admin deletes the object of a bootstrap token → it is refused',
  ['BOOTSTRAP-TOKEN-03'],
  async ({ admin, someone }) => {
    const token = newToken();
    await given(admin, token);
    const node = someone('node', { token: token.text });
    await knownBefore(node);
    must('the object is deleted', await removed(admin, token), match.success);
    must('the token is good no longer', await refusedSoon(node));
    await refusedWhateverIsAsked(node);
  },
);

check(
  'BOOTSTRAP-TOKEN-03.3',
  'the admin deletes the object of a bootstrap token as one of a collection → it is refused',
  ['BOOTSTRAP-TOKEN-03'],
  // A server that overlooks the selector would lose what it lives by.
  ['launch'],
  async ({ admin, someone, dialect }) => {
    const token = newToken();
    await given(admin, token);
    const node = someone('node', { token: token.text });
    await knownBefore(node);
    const fieldSelector = `metadata.name=${token.name}`;
    await admin.prepare((actor) => actor.in(dialect.systemNamespace).deleteAll(secrets, { fieldSelector }));
    must('the token is good no longer', await refusedSoon(node));
  },
);

const switchedOff = { flags: ['--enable-bootstrap-token-auth=false'] };

check(
  'BOOTSTRAP-TOKEN-04.1',
  'the admin stores a bootstrap token on a server that takes none → it is refused',
  ['BOOTSTRAP-TOKEN-04'],
  { setup: switchedOff, needs: ['service-account-tokens'] },
  async ({ admin, someone }) => {
    const token = newToken();
    await stored(admin, token);
    // When an account that was made later is known, the secret has been seen.
    await knownBefore(someone('robot', await givenAccount(admin, 'robot')));
    must('it is no credential', await whoAmI(someone('node', { token: token.text })), refused);
  },
);

check(
  'BOOTSTRAP-USAGE-01.1',
  'the admin stores bootstrap tokens of other usages → only usage-bootstrap-authentication true makes a credential',
  ['BOOTSTRAP-USAGE-01'],
  async ({ admin, someone }) => {
    const tokens = [undefined, ...NOT_TRUE].map((usage) => ({ usage, token: newToken() }));
    for (const { usage, token } of tokens)
      await given(admin, token, {
        data: { 'usage-bootstrap-authentication': usage, 'usage-bootstrap-signing': 'true' },
      });
    await storedLater(admin, someone);
    for (const { usage, token } of tokens)
      must(`with usage ${JSON.stringify(usage)}`, await whoAmI(someone('eve', { token: token.text })), refused);
    const turned = newToken();
    await given(admin, turned);
    const node = someone('node', { token: turned.text });
    must('with usage "true" it is one', await known(node));
    const off = { stringData: { 'usage-bootstrap-authentication': 'false' } };
    await admin.prepare((actor) => actor.in(actor.dialect.systemNamespace).patch(secrets, turned.name, 'merge', off));
    must('when that is switched off it is none', await refusedSoon(node));
  },
);

check(
  'BOOTSTRAP-GROUPS-01.1',
  'the admin stores a bootstrap token with extra groups → its user is in each',
  ['BOOTSTRAP-GROUPS-01'],
  async ({ admin, someone }) => {
    const token = newToken();
    const extra = ['red', 'blue:dark', 'green', 'red-too', '5'].map((group) => `system:bootstrappers:${group}`);
    await given(admin, token, { data: { 'auth-extra-groups': extra.join(',') } });
    const groups = inGroups('system:bootstrappers', ...extra);
    const node = someone('node', { token: token.text });
    must('in all of them', await known(node, groups));
    must('and once more', await whoAmI(node), match.created, groups);
  },
);

check(
  'BOOTSTRAP-GROUPS-02.1',
  'the admin stores a bootstrap token with a group of others → its user is not in that group',
  ['BOOTSTRAP-GROUPS-02'],
  async ({ admin, someone }) => {
    const groups = ['system:masters', 'system:bootstrappersother', 'staff', 'System:bootstrappers:blue'];
    const tokens = groups.map((group) => ({ group, token: newToken() }));
    for (const { group, token } of tokens)
      await storedOrRefused(admin, token, { data: { 'auth-extra-groups': `system:bootstrappers:red,${group}` } });
    await storedLater(admin, someone);
    for (const { group, token } of tokens) {
      const eve = someone('eve', { token: token.text });
      // Refused, or taken without that group: the text leaves open which.
      const without = match.field(
        'status.userInfo.groups',
        match.both(match.anArray, match.not(match.containing(group))),
      );
      must(`it gives no ${group}`, await whoAmI(eve), match.either(refused, without));
      must('and none of its rights', await eve.in('default').list(configMaps), match.status(401, 403));
    }
  },
);

/** Changes of the secret after which a token is none. */
const ENDS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  expiration: () => ({ expiration: inSeconds(-60) }),
  usage: () => ({ 'usage-bootstrap-authentication': 'false' }),
  'token-secret': () => ({ 'token-secret': newToken().secret }),
};

check(
  'BOOTSTRAP-CHANGE-01.1',
  'the admin changes the secrets of tokens that were taken → each is what its secret says now',
  clausesOf('BOOTSTRAP-CHANGE-01'),
  async ({ admin, someone }) => {
    const change = (name: string, stringData: object, way: keyof typeof CHANGING = 'merge') =>
      admin.prepare(async (actor) => {
        const at = actor.in(actor.dialect.systemNamespace);
        return CHANGING[way](at, secrets, (await at.get(secrets, name)).json as object, name, { stringData });
      });
    const ways = ['merge', 'json', 'put', 'strategic'] as const;
    const ended = Object.entries(ENDS).flatMap(([what, data]) =>
      ways.map((way) =>
        clause(`BOOTSTRAP-CHANGE-01/${what}`, async () => {
          const token = newToken();
          await given(admin, token);
          const node = someone('node', { token: token.text });
          await knownBefore(node);
          await change(token.name, data(), way);
          must(`by another ${what}, that came by ${way}, it is none`, await refusedSoon(node));
        }),
      ),
    );
    const regrouped = clause('BOOTSTRAP-CHANGE-01/groups', async () => {
      const token = newToken();
      const [red, blue] = ['system:bootstrappers:red', 'system:bootstrappers:blue'];
      await given(admin, token, { data: { 'auth-extra-groups': red } });
      const node = someone('node', { token: token.text });
      must('it has the first group', await known(node, inGroups(red)));
      await change(token.name, { 'auth-extra-groups': blue });
      must('it has the other one, and not the first', await known(node, inGroups(blue), notInGroup(red)));
    });
    const switchedOn = clause('BOOTSTRAP-CHANGE-01/usage-on', async () => {
      const token = newToken();
      await given(admin, token, { data: { 'usage-bootstrap-authentication': 'false' } });
      await storedLater(admin, someone);
      const node = someone('node', { token: token.text });
      must('without the usage it is none', await whoAmI(node), refused);
      await change(token.name, { 'usage-bootstrap-authentication': 'true' });
      must('with it it is one', await known(node));
    });
    const anew = clause('BOOTSTRAP-CHANGE-01/anew', async () => {
      const token = newToken();
      await given(admin, token);
      const node = someone('node', { token: token.text });
      await knownBefore(node);
      for (const next of [token, newToken(token.id)]) {
        await admin.prepare((actor) => removed(actor, token));
        must('when it is gone it is none', await refusedSoon(node));
        await given(admin, next);
        must('made anew it is one', await known(someone('next-node', { token: next.text })));
      }
      must('the one before is none', await whoAmI(node), refused);
    });
    await Promise.all([...ended, regrouped, switchedOn, anew]);
  },
);
