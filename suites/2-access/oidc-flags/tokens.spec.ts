import {
  check,
  configMaps,
  inconclusive,
  issuer,
  match,
  must,
  type Setup,
  secondsFromNow,
} from '../../harness/index.ts';
import { ADA, CLIENT, refusesForgeries } from '../idTokens.ts';
import { calls, known, knownBefore, refused, refusedSoon, refusedWhateverIsAsked } from '../known.ts';
import { refusesAll } from '../refusedSetups.ts';
import { whoAmI } from '../whoAmI.ts';
import { bare, byAnotherAuthority, byRootsOfTheHost, defaults, EMAIL, email } from './setups.ts';

check(
  'OIDC-ISSUER-02.1',
  'the issuer URL is not https → the server does not start',
  ['OIDC-ISSUER-02'],
  ['launch'],
  async ({ start }) => {
    const plain = (url: string): Setup => ({ flags: [`--oidc-issuer-url=${url}`, `--oidc-client-id=${CLIENT}`] });
    await refusesAll(start, {
      'an issuer of http': plain('http://127.0.0.1:9/'),
      'an issuer without a scheme': plain('127.0.0.1'),
    });
  },
);

check(
  'OIDC-CLIENT-01.1',
  'ada shows tokens for another client, and for the client beside others → she is refused, and taken',
  ['OIDC-CLIENT-01'],
  { setup: defaults },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    await knownBefore(someone('ada', { token: await from.token({ claims: ADA }) }));
    for (const aud of ['another', ['another', 'third'], []]) {
      const ada = someone('ada', { token: await from.token({ claims: { ...ADA, aud } }) });
      must(`a token for ${JSON.stringify(aud)} is refused`, await whoAmI(ada), refused);
    }
    for (const aud of [[CLIENT], [CLIENT, 'another'], ['another', 'third', CLIENT]]) {
      const ada = someone('ada', { token: await from.token({ claims: { ...ADA, aud } }) });
      must(`a token for ${JSON.stringify(aud)} is taken`, await known(ada));
    }
    for (const [what, changed] of Object.entries({
      'that the client is authorized to hold': { aud: 'another', azp: CLIENT, client_id: CLIENT },
      'for the client among other words': { aud: `another ${CLIENT}` },
      'for a client in other case': { aud: CLIENT.toUpperCase() },
      'for a client of a longer name': { aud: [`${CLIENT}-too`] },
    })) {
      const ada = someone('ada', { token: await from.token({ claims: { ...ADA, ...changed } }) });
      must(`a token ${what} is refused`, await whoAmI(ada), refused);
    }
  },
);

check(
  'OIDC-TOKEN-01.1',
  'eve shows forged, expired and unsigned tokens → each is refused',
  ['OIDC-TOKEN-01'],
  { setup: defaults },
  async ({ someone, services }) => {
    await refusesForgeries({ someone, services }, (await services.get(issuer)).url);
  },
);

const ALGORITHMS = ['RS384', 'PS256', 'ES256', 'ES384'];
check(
  'OIDC-ALGORITHM-01.1',
  'ada shows tokens by other algorithms where none is named → only RS256 is taken',
  ['OIDC-ALGORITHM-01'],
  { setup: defaults },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    for (const algorithm of ALGORITHMS) await from.key(algorithm);
    await knownBefore(someone('ada', { token: await from.token({ claims: ADA }) }));
    for (const algorithm of ALGORITHMS) {
      const ada = someone('ada', { token: await from.token({ claims: ADA, algorithm }) });
      must(`a token by ${algorithm} is refused`, await whoAmI(ada), refused);
    }
  },
);

check(
  'OIDC-ALGORITHM-01.2',
  'ada shows tokens by the named algorithms and by others → the named are taken',
  ['OIDC-ALGORITHM-01'],
  { setup: email },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, ...EMAIL };
    const by = async (algorithm: string) => someone('ada', { token: await from.token({ claims, algorithm }) });
    for (const algorithm of ['RS256', 'ES256', 'PS384'])
      must(`${algorithm} is taken`, await known(await by(algorithm)));
    for (const algorithm of ['RS512', 'ES384']) must(`${algorithm} is not`, await whoAmI(await by(algorithm)), refused);
  },
);

check(
  'OIDC-ALGORITHM-01.3',
  'ada shows tokens where one algorithm is named that is not RS256 → RS256 is not taken',
  ['OIDC-ALGORITHM-01'],
  { setup: bare },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, nick: 'queen' };
    const by = async (algorithm: string) => someone('ada', { token: await from.token({ claims, algorithm }) });
    await from.key('RS256');
    must('ES256 is taken', await known(await by('ES256')));
    must('RS256 is not', await whoAmI(await by('RS256')), refused);
  },
);

for (const [title, setup] of [
  ['the CA file holds another authority', byAnotherAuthority],
  ['no CA file is given, and the roots of the host do not know the authority', byRootsOfTheHost],
] as const) {
  check(
    `OIDC-CA-01.1/${title}`,
    `${title} → no token of the issuer is taken`,
    ['OIDC-CA-01'],
    { setup },
    async ({ someone, services, admin }) => {
      const ada = someone('ada', { token: await (await services.get(issuer)).token({ claims: ADA }) });
      must('the server serves others', await whoAmI(admin), match.created);
      must('ada is refused', await whoAmI(ada), refused);
      must('and stays so', await whoAmI(ada), refused);
    },
  );
}

check(
  'OIDC-TOKEN-02.1',
  'ada shows a token that is good for a moment → it is taken until then, and gives no rights by itself',
  ['OIDC-TOKEN-02'],
  { setup: defaults },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    await knownBefore(someone('ada', { token: await from.token({ claims: ADA }) }));
    const exp = secondsFromNow(4);
    const ada = someone('ada', { token: await from.token({ claims: { ...ADA, exp, groups: ['system:masters'] } }) });
    const first = await whoAmI(ada);
    if (secondsFromNow(0) >= exp) inconclusive('the token had expired before the server answered');
    must('it authenticates', first, match.created, calls(`${from.url}#ada`));
    must('it allows nothing', await ada.in('default').list(configMaps), match.status(401, 403));
    must('when it has expired it is refused', await refusedSoon(ada));
    await refusedWhateverIsAsked(ada);
  },
);
