import { check, configMaps, match, must } from '../../harness/index.ts';
import { calls, inGroups, known, knownBefore, refused, refusedSoon } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';
import { type Differences, given, newToken, removed } from './bootstrapTokens.ts';

for (const [what, description] of [
  ['with', 'for the first node'],
  ['without', undefined],
] as const) {
  check(
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

check(
  'the admin stores secrets that lack what makes a token → none is one',
  ['BOOTSTRAP-TOKEN-02'],
  async ({ admin, someone }) => {
    const sound = newToken();
    await given(admin, sound);
    await knownBefore(someone('node', { token: sound.text }));
    for (const [what, differences] of Object.entries(NO_TOKENS)) {
      const token = newToken();
      await given(admin, token, differences);
      const eve = someone('eve', { token: token.text });
      must(`a secret that ${what} is none`, await whoAmI(eve), refused);
    }
  },
);

check(
  'eve shows tokens of another form, and another secret → each is refused',
  ['BOOTSTRAP-TOKEN-03'],
  async ({ admin, someone }) => {
    const sound = newToken();
    await given(admin, sound);
    await knownBefore(someone('node', { token: sound.text }));
    const tried = {
      'another secret': newToken(sound.id),
      'another separator': { ...sound, text: `${sound.id}:${sound.secret}` },
    };
    for (const [what, token] of Object.entries(tried))
      must(`${what} is refused`, await whoAmI(someone('eve', { token: token.text })), refused);
    for (const [what, token] of Object.entries({
      'an id of five characters': newToken(sound.id.slice(1)),
      'a secret of fifteen characters': newToken(undefined, sound.secret.slice(1)),
      'a secret of seventeen characters': newToken(undefined, `${sound.secret}0`),
      'a secret with upper-case letters': newToken(undefined, `ABCDEF${sound.secret.slice(6)}`),
    })) {
      await given(admin, token);
      must(`${what} is refused`, await whoAmI(someone('eve', { token: token.text })), refused);
    }
  },
);

check(
  'the admin deletes the object of a bootstrap token → it is refused',
  ['BOOTSTRAP-TOKEN-03'],
  async ({ admin, someone }) => {
    const token = newToken();
    await given(admin, token);
    const node = someone('node', { token: token.text });
    await knownBefore(node);
    must('the object is deleted', await removed(admin, token), match.success);
    must('the token is good no longer', await refusedSoon(node));
  },
);

check(
  'the admin stores bootstrap tokens of other usages → only usage-bootstrap-authentication true makes a credential',
  ['BOOTSTRAP-USAGE-01'],
  async ({ admin, someone }) => {
    const sound = newToken();
    await given(admin, sound);
    await knownBefore(someone('node', { token: sound.text }));
    for (const usage of [undefined, 'false', 'TRUE', 'yes', '']) {
      const token = newToken();
      await given(admin, token, {
        data: { 'usage-bootstrap-authentication': usage, 'usage-bootstrap-signing': 'true' },
      });
      const eve = someone('eve', { token: token.text });
      must(`with usage ${JSON.stringify(usage)} it is none`, await whoAmI(eve), refused);
    }
  },
);

check(
  'the admin stores a bootstrap token with extra groups → its user is in each',
  ['BOOTSTRAP-GROUPS-01'],
  async ({ admin, someone }) => {
    const token = newToken();
    const extra = ['system:bootstrappers:red', 'system:bootstrappers:blue:dark'];
    await given(admin, token, { data: { 'auth-extra-groups': extra.join(',') } });
    const groups = inGroups('system:bootstrappers', ...extra);
    must('in all of them', await known(someone('node', { token: token.text }), groups));
  },
);

check(
  'the admin stores a bootstrap token with a group of others → its user is not in that group',
  ['BOOTSTRAP-GROUPS-02'],
  async ({ admin, someone }) => {
    for (const group of ['system:masters', 'system:bootstrappersother', 'staff']) {
      const token = newToken();
      await given(admin, token, { data: { 'auth-extra-groups': `system:bootstrappers:red,${group}` } });
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
