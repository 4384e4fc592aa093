import { ISSUER_FORMS } from '../../../fixtures/ledger/index.ts';
import { type Claims, check, clause, clausesOf, type Issuer, issuer, match, must } from '../../harness/index.ts';
import { ADA, CLIENT, refusesForgeries } from '../idTokens.ts';
import { calls, known, knownBefore, refused } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';
import { FORMS, ofAnotherDocument, SLASHED, shared, unfound } from './configuration.ts';

check(
  'AUTHNCONF-JWT-02.1',
  'ada shows tokens of two issuers → each is judged by the authenticator of its issuer',
  ['AUTHNCONF-JWT-02'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    for (const [name, user] of [
      ['plain', 'plain:ada'],
      ['bare', 'ada'],
    ] as const) {
      const token = await from.token({ claims: { ...ADA, iss: from.tenant(name) } });
      must(`a token of ${name} is mapped as its own`, await known(someone('ada', { token }), calls(user)));
    }
  },
);

check(
  'AUTHNCONF-JWT-02.2',
  'ada shows tokens of two issuers whose URLs differ in a slash at the end → each is judged by the authenticator of its issuer',
  ['AUTHNCONF-JWT-02'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    for (const name of SLASHED) {
      const token = await from.token({ claims: { ...ADA, iss: from.tenant(name) } });
      must(`a token of ${name} is mapped as its own`, await known(someone('ada', { token }), calls(`${name}:ada`)));
    }
  },
);

check(
  'AUTHNCONF-JWT-03.1',
  'ada shows tokens that are signed by the key of another issuer of the file → each is refused',
  ['AUTHNCONF-JWT-03'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const [home, abroad] = [await services.get(issuer), await services.get(issuer, 'stranger')];
    const claims = { home: { ...ADA, iss: home.tenant('plain') }, abroad: { ...ADA, iss: abroad.tenant('abroad') } };
    const by = async (from: Issuer, said: Claims) => someone('ada', { token: await from.token({ claims: said }) });
    must('at home she is known', await known(await by(home, claims.home), calls('plain:ada')));
    must('and abroad', await known(await by(abroad, claims.abroad), calls('abroad:ada')));
    must('the key of abroad is none at home', await whoAmI(await by(abroad, claims.home)), refused);
    must('nor that of home abroad', await whoAmI(await by(home, claims.abroad)), refused);
  },
);

check(
  'AUTHNCONF-ISSUER-02.1',
  'ada shows tokens of issuers that are almost the one → she is refused',
  ['AUTHNCONF-ISSUER-02'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const by = async (iss: unknown) => someone('ada', { token: await from.token({ claims: { ...ADA, iss } }) });
    await knownBefore(await by(from.tenant('plain')));
    for (const iss of [from.tenant('plain/'), from.tenant('PLAIN'), from.tenant('plain').slice(0, -1), from.url])
      must(`${iss} is another issuer`, await whoAmI(await by(iss)), refused);
  },
);

check(
  'AUTHNCONF-ISSUER-02.2',
  "the issuer's discovery document names another issuer → its tokens are refused",
  ['AUTHNCONF-ISSUER-02'],
  { setup: unfound },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const by = async (name: string) =>
      someone('ada', { token: await from.token({ claims: { ...ADA, iss: from.tenant(name) } }) });
    await knownBefore(await by('plain'));
    must('the token is refused', await whoAmI(await by('names-another')), refused);
    must('and the next one too', await whoAmI(await by('names-another')), refused);
  },
);

check(
  'AUTHNCONF-ISSUER-02.3',
  'issuers are configured with a slash at the end, upper-case letters, a port and an escape → tokens that name them so are taken, and others are refused',
  clausesOf('AUTHNCONF-ISSUER-02', ['taken', 'refused']),
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const by = async (iss: string) => someone('ada', { token: await from.token({ claims: { ...ADA, iss } }) });
    const judged = ISSUER_FORMS.flatMap((form) => {
      const [url, other] = FORMS[form];
      return [
        clause(`AUTHNCONF-ISSUER-02/taken/${form}`, async () => {
          must('as it is configured it is the issuer', await known(await by(url), calls(`${form}:ada`)));
        }),
        clause(`AUTHNCONF-ISSUER-02/refused/${form}`, async () => {
          await knownBefore(await by(url));
          must('written otherwise it is another one', await whoAmI(await by(other)), refused);
        }),
      ];
    });
    // A server may need a while until it knows an issuer, so all wait together.
    await Promise.all(judged);
  },
);

check(
  'AUTHNCONF-ISSUER-02.4',
  'documents of issuers name them with a slash more, in other letters, with a port and with an escape → tokens of these are refused',
  clausesOf('AUTHNCONF-ISSUER-02', 'document'),
  { setup: unfound },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const by = async (iss: string) => someone('ada', { token: await from.token({ claims: { ...ADA, iss } }) });
    const judged = ISSUER_FORMS.map((form) =>
      clause(`AUTHNCONF-ISSUER-02/document/${form}`, async () => {
        await knownBefore(await by(FORMS[form][0]));
        for (const iss of FORMS[form].map(ofAnotherDocument))
          must(`${iss}, of which the document says otherwise, is none`, await whoAmI(await by(iss)), refused);
      }),
    );
    await Promise.all(judged);
  },
);

check(
  'AUTHNCONF-DISCOVERY-01.1',
  'an authenticator has a discoveryURL → the keys are found by it, though there is nothing at the usual path',
  ['AUTHNCONF-DISCOVERY-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const token = await from.token({ claims: { ...ADA, iss: from.tenant('elsewhere') } });
    must('ada is known', await known(someone('ada', { token }), calls('elsewhere:ada')));
  },
);

for (const [title, name] of [
  ['certificateAuthority is another authority', 'other-authority'],
  ['there is no certificateAuthority and the system does not know the authority', 'without-authority'],
] as const) {
  check(
    `AUTHNCONF-CA-01.1/${title}`,
    `${title} → no token of the issuer is taken`,
    ['AUTHNCONF-CA-01'],
    { setup: unfound },
    async ({ someone, services }) => {
      const from = await services.get(issuer);
      const by = async (tenant: string) =>
        someone('ada', { token: await from.token({ claims: { ...ADA, iss: from.tenant(tenant) } }) });
      await knownBefore(await by('plain'));
      must('the token is refused', await whoAmI(await by(name)), refused);
      must('and the next one too', await whoAmI(await by(name)), refused);
    },
  );
}

check(
  'AUTHNCONF-CA-01.2',
  'certificateAuthority holds several authorities, that of the issuer among some of its name → its tokens are taken',
  ['AUTHNCONF-CA-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const token = await from.token({ claims: { ...ADA, iss: from.tenant('several-authorities') } });
    must('ada is known', await known(someone('ada', { token }), calls('several-authorities:ada')));
  },
);

check(
  'AUTHNCONF-AUDIENCE-01.1',
  'ada shows tokens for the audiences of the list and for others → one of the list is enough',
  ['AUTHNCONF-AUDIENCE-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const to = async (name: string, aud: unknown) =>
      someone('ada', { token: await from.token({ claims: { ...ADA, aud, iss: from.tenant(name) } }) });
    for (const aud of ['first', 'second', 'third', ['third'], ['another', 'second'], ['another', 'fourth', 'third']])
      must(`a token for ${JSON.stringify(aud)} is taken`, await known(await to('several', aud)));
    for (const aud of ['touchstone', ['another'], 'first second', 'FIRST', 'first ', 'firs', ['first/second']])
      must(`a token for ${JSON.stringify(aud)} is refused`, await whoAmI(await to('several', aud)), refused);
    for (const aud of [CLIENT, [CLIENT], ['another', CLIENT]])
      must(`alone, a token for ${JSON.stringify(aud)} is taken`, await known(await to('plain', aud)));
    must('another authenticator has other audiences', await whoAmI(await to('plain', 'first')), refused);
  },
);

/** Claims that issuers write into tokens and that no statement asks about, whatever they say. */
const BESIDE: Readonly<Record<string, unknown>> = {
  azp: 'another',
  client_id: 'another',
  appid: 'another',
  scope: 'openid profile',
  nonce: 'once',
  acr: '0',
  amr: ['none'],
  auth_time: 1,
  at_hash: 'AAAAAAAAAAAAAAAAAAAAAA',
  jti: 'the-same-in-each',
  sid: 'another-session',
  typ: 'Refresh',
  token_use: 'refresh',
};

check(
  'AUTHNCONF-AUDIENCE-01.2',
  'ada shows tokens for an audience of the list with claims that nothing asks about → each is taken, shown twice too',
  ['AUTHNCONF-AUDIENCE-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    for (const [name, aud] of [
      ['several', 'second'],
      ['plain', CLIENT],
    ] as const) {
      const claims = { ...ADA, aud, iss: from.tenant(name) };
      for (const [claim, value] of Object.entries(BESIDE)) {
        const ada = someone('ada', { token: await from.token({ claims: { ...claims, [claim]: value } }) });
        must(`a token of ${name} with ${claim} is taken`, await known(ada));
        must('and once more', await whoAmI(ada), match.created);
      }
      const ada = someone('ada', { token: await from.token({ claims: { ...claims, ...BESIDE } }) });
      must(`a token of ${name} with all of them is taken`, await known(ada));
    }
  },
);

check(
  'AUTHNCONF-TOKEN-01.1',
  'ada shows tokens that lack what every token must have → each is refused',
  ['AUTHNCONF-TOKEN-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, iss: from.tenant('plain') };
    await knownBefore(someone('ada', { token: await from.token({ claims }) }));
    for (const claim of ['iss', 'aud', 'exp', 'sub']) {
      const ada = someone('ada', { token: await from.token({ claims: { ...claims, [claim]: undefined } }) });
      must(`a token without ${claim} is refused`, await whoAmI(ada), refused);
    }
    // Where another claim makes the name, neither sub nor any other takes its place.
    const named = { ...ADA, iss: from.tenant('dashed'), email: 'ada@example.com', name: 'ada', username: 'ada' };
    await knownBefore(someone('ada', { token: await from.token({ claims: { ...named, nick: 'queen' } }) }));
    const nameless = someone('ada', { token: await from.token({ claims: named }) });
    must('a token without the claim of its name is refused', await whoAmI(nameless), refused);
  },
);

check(
  'AUTHNCONF-TOKEN-01.2',
  'eve shows forged, expired and unsigned tokens of an authenticator of the file → each is refused',
  ['AUTHNCONF-TOKEN-01', 'OIDC-TOKEN-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    await refusesForgeries({ someone, services }, (await services.get(issuer)).tenant('plain'));
  },
);

check(
  'AUTHNCONF-DISTRIBUTED-01.1',
  'the claim of the name is only distributed → it has no value, and ada is refused',
  ['AUTHNCONF-DISTRIBUTED-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, iss: from.tenant('distributed') };
    await knownBefore(someone('ada', { token: await from.token({ claims: { ...claims, nick: 'queen' } }) }));
    // The place that the claim is said to be at answers it, to whoever should ask.
    const nick = await from.token({ claims: { iss: from.url, nick: 'queen' } });
    from.answer('/claims/nick', { headers: { 'content-type': 'application/jwt' }, body: nick });
    const distributed = {
      _claim_names: { nick: 'source' },
      _claim_sources: { source: { endpoint: `${from.url}/claims/nick` } },
    };
    const ada = someone('ada', { token: await from.token({ claims: { ...claims, ...distributed } }) });
    must(
      'it is not resolved',
      await whoAmI(ada),
      match.either(refused, match.field('status.userInfo.username', match.not('queen'))),
    );
  },
);
