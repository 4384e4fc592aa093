import {
  bundleOfAuthorities,
  check,
  MINUTE,
  match,
  must,
  SECOND,
  type SetupOf,
  tokenWebhook,
  WEBHOOK_CLIENT,
} from '../../harness/index.ts';
import { calls, inGroups, known, refused } from '../known.ts';
import { refusesAll } from '../refusedSetups.ts';
import { whoAmI } from '../whoAmI.ts';
import { asV1, asVersion, byAnotherAuthority, byDefault, CACHE, configured, hooked } from './setups.ts';

const ADA = { status: { authenticated: true, user: { username: 'ada' } } };
const once = match.size(1);

for (const [title, setup, version] of [
  ['no version is given → the review is a v1beta1', byDefault, 'v1beta1'],
  ['the version is v1 → the review is a v1', asV1, 'v1'],
] as const) {
  check(
    `TOKENREVIEW-VERSION-01.1/${title}`,
    title,
    ['TOKENREVIEW-VERSION-01'],
    { setup },
    async ({ someone, services, dialect }) => {
      const webhook = await services.get(tokenWebhook);
      const token = `opaque-token-for-${version}`;
      webhook.answer(token, ADA);
      must('ada is known', await known(someone('ada', { token }), calls('ada')));
      const [review] = webhook.asked(token);
      must(
        'the review is of that version',
        review,
        match.at('apiVersion', `authentication.${dialect.apiDomain}/${version}`),
      );
      must('and a TokenReview', review, match.at('kind', 'TokenReview'));
    },
  );
}

check(
  'TOKENREVIEW-VERSION-02.1',
  'the version is another than the two → the server does not start',
  ['TOKENREVIEW-VERSION-02'],
  ['launch'],
  async ({ start }) => {
    await refusesAll(start, {
      'a version that does not exist': asVersion('v7'),
      'the version of another group': hooked('--authentication-token-webhook-version=example.com/v1'),
      'a word': hooked('--authentication-token-webhook-version=newest'),
    });
  },
);

for (const [asked, answered, setup] of [
  ['v1beta1', 'v1', byDefault],
  ['v1', 'v1beta1', asV1],
] as const) {
  check(
    `TOKENREVIEW-VERSION-03.2/${asked}/${answered}`,
    `the webhook is asked in ${asked} and answers in ${answered} → the token authenticates nobody`,
    [`TOKENREVIEW-VERSION-03/${asked}`],
    { setup },
    async ({ someone, services, dialect }) => {
      const webhook = await services.get(tokenWebhook);
      const [sound, faulty] = ['opaque-token-of-ada', `opaque-token-in-${answered}`];
      webhook.answer(sound, ADA);
      webhook.answer(faulty, { ...ADA, apiVersion: `authentication.${dialect.apiDomain}/${answered}` });
      must('in the same version it is taken', await known(someone('ada', { token: sound })));
      must('in another it is not', await whoAmI(someone('ada', { token: faulty })), refused);
    },
  );
}

const cachedByDefault = hooked();

check(
  'TOKENREVIEW-CACHE-01.1',
  'ada and eve show tokens again and again → the webhook is asked again only after two minutes',
  ['TOKENREVIEW-CACHE-01'],
  { setup: cachedByDefault },
  async ({ someone, services, clock }) => {
    const webhook = await services.get(tokenWebhook);
    const [good, bad] = ['opaque-token-that-is-cached', 'opaque-token-that-is-cached-as-unknown'];
    webhook.answer(good, ADA);
    const [ada, eve] = [someone('ada', { token: good }), someone('eve', { token: bad })];
    const both = async () => {
      must('ada is known', await whoAmI(ada), match.created);
      must('eve is not', await whoAmI(eve), refused);
    };
    await both();
    await both();
    await clock.advance(MINUTE + 45 * SECOND);
    await both();
    for (const token of [good, bad]) must('it was asked once', webhook.asked(token), once);
    // What it says now is another decision of each.
    const user = { username: 'ada-anew', uid: 'anew', groups: ['new'] };
    webhook.answer(good, { status: { authenticated: true, user } });
    webhook.answer(bad, ADA);
    await clock.advance(30 * SECOND);
    const anew = match.field('status.userInfo.groups', match.containing('new'));
    must(
      'ada is who she is now',
      await whoAmI(ada),
      calls(user.username),
      anew,
      match.field('status.userInfo.uid', 'anew'),
    );
    must('and eve is known', await whoAmI(eve), match.created, calls('ada'));
    for (const token of [good, bad]) must('it is asked again', webhook.asked(token), match.size(2));
  },
);

/** Ten minutes in several units, no part of which comes near to them. */
const cachedLong = hooked(`${CACHE}=0.1h1.5m149s1000ms`);

check(
  'TOKENREVIEW-CACHE-02.1',
  'the flag says ten minutes → the webhook is asked again after ten minutes and not before',
  ['TOKENREVIEW-CACHE-02'],
  { setup: cachedLong },
  async ({ someone, services, clock }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-that-is-cached-long';
    const unknown = `${token}-as-unknown`;
    webhook.answer(token, ADA);
    const [ada, eve] = [someone('ada', { token }), someone('eve', { token: unknown })];
    const both = async () => {
      must('ada is known', await whoAmI(ada), match.created);
      must('eve is not', await whoAmI(eve), refused);
    };
    await both();
    await clock.advance(9 * MINUTE);
    await both();
    for (const each of [token, unknown]) must('it was asked once', webhook.asked(each), once);
    await clock.advance(2 * MINUTE);
    await both();
    for (const each of [token, unknown]) must('it is asked again', webhook.asked(each), match.size(2));
  },
);

const cachedShortly = hooked(`${CACHE}=100ms`);

check(
  'TOKENREVIEW-CACHE-02.3',
  'the flag says less than a second, and the webhook thinks better of it → that is followed before a second is over',
  ['TOKENREVIEW-CACHE-02'],
  { setup: cachedShortly },
  async ({ someone, services, clock }) => {
    const webhook = await services.get(tokenWebhook);
    // Time goes on by itself too: on a slow machine a second may be over before one of them is asked again.
    for (const turn of ['first', 'second', 'third', 'fourth']) {
      const token = `opaque-token-that-is-cached-shortly-${turn}`;
      webhook.answer(token, ADA);
      const ada = someone('ada', { token });
      must('ada is known', await known(ada));
      webhook.answer(token, { status: { authenticated: false } });
      await clock.advance(600);
      must('and not when the webhook says so no longer', await whoAmI(ada), refused);
    }
  },
);

const uncached = hooked(`${CACHE}=0s`);

check(
  'TOKENREVIEW-CACHE-02.2',
  'the flag says no time at all → the webhook is asked each time',
  ['TOKENREVIEW-CACHE-02'],
  { setup: uncached },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-that-is-not-cached';
    webhook.answer(token, ADA);
    const ada = someone('ada', { token });
    must('ada is known', await known(ada));
    webhook.answer(token, { status: { authenticated: false } });
    must('and not when the webhook says so no longer', await whoAmI(ada), refused);
    webhook.answer(token, ADA);
    must('and again when it does', await known(ada));
    const user = { username: 'ada', uid: 'anew', groups: ['new'] };
    webhook.answer(token, { status: { authenticated: true, user } });
    const anew = [match.field('status.userInfo.uid', 'anew'), inGroups('new')];
    must('and who she is now', await known(ada, calls('ada'), ...anew));
  },
);

check(
  'TOKENREVIEW-CONFIG-01.1',
  'the webhook is asked → by the client certificate of the file',
  ['TOKENREVIEW-CONFIG-01'],
  { setup: byDefault },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-for-the-client-certificate';
    webhook.answer(token, ADA);
    must('ada is known', await known(someone('ada', { token })));
    must('the server shows itself', webhook.asked(token)[0], match.at('client', WEBHOOK_CLIENT));
  },
);

check(
  'TOKENREVIEW-CONFIG-01.2',
  'certificate-authority is another authority → the webhook is not trusted with any token',
  ['TOKENREVIEW-CONFIG-01'],
  { setup: byAnotherAuthority },
  async ({ someone, services, admin }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-for-a-stranger';
    webhook.answer(token, ADA);
    must('the server serves others', await whoAmI(admin), match.created);
    must('ada is refused', await whoAmI(someone('ada', { token })), refused);
    must('and her token did not leave the server', webhook.asked(token), match.size(0));
  },
);

const severalContexts = configured((sound) => {
  const nowhere = (name: string) => ({ name, cluster: { server: `https://127.0.0.1:9/${name}` } });
  const around = (key: string, make: (name: string) => object) => [
    make('before'),
    ...(Array.isArray(sound[key]) ? sound[key] : []),
    make('behind'),
  ];
  return {
    ...sound,
    clusters: around('clusters', nowhere),
    users: around('users', (name) => ({ name, user: {} })),
    contexts: around('contexts', (name) => ({ name, context: { cluster: name, user: name } })),
  };
});

check(
  'TOKENREVIEW-CONFIG-03.1',
  'the file has several contexts → the webhook of the current one is asked, by its user',
  ['TOKENREVIEW-CONFIG-03'],
  { setup: severalContexts },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-for-the-current-context';
    webhook.answer(token, ADA);
    must('ada is known', await known(someone('ada', { token }), calls('ada')));
    must('the server shows itself', webhook.asked(token)[0], match.at('client', WEBHOOK_CLIENT));
  },
);

/** The authority of the webhook stands among others. */
const severalAuthorities: SetupOf = async (services) => {
  const { flags, files } = (await services.get(tokenWebhook)).setup;
  return { flags, files: { ...files, 'token-webhook-ca.crt': await bundleOfAuthorities(services) } };
};

check(
  'TOKENREVIEW-CONFIG-01.3',
  'certificate-authority holds several authorities, that of the webhook among some of its name → it is asked',
  ['TOKENREVIEW-CONFIG-01'],
  { setup: severalAuthorities },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    const token = 'opaque-token-for-several-authorities';
    webhook.answer(token, ADA);
    must('ada is known', await known(someone('ada', { token }), calls('ada')));
  },
);

check(
  'TOKENREVIEW-CONFIG-02.1',
  'the client configuration is missing, cannot be read, or has no current context → the server does not start',
  ['TOKENREVIEW-CONFIG-02'],
  ['launch'],
  async ({ start }) => {
    await refusesAll(start, {
      'a file that is not there': { flags: ['--authentication-token-webhook-config-file=/no/such/file'] },
      'a file that cannot be read': configured(() => 'clusters: [unclosed'),
      'a file without a current context': configured((sound) => ({ ...sound, 'current-context': '' })),
      'a current context that is not there': configured((sound) => ({ ...sound, 'current-context': 'gone' })),
    });
  },
);
