import {
  admissionWebhook,
  answerTo,
  authority,
  type Behaviour,
  bundleOfAuthorities,
  check,
  configMaps,
  deny,
  match,
  must,
  named,
} from '../../harness/index.ts';
import { fill, install, told } from './installed.ts';

/** What a webhook can do that is no answer to go by. */
const FAILURES: Readonly<Record<string, Behaviour>> = {
  'answers with status 500': () => ({ status: 500, body: 'out of order' }),
  'answers with status 502 and a review that allows': ({ apiVersion, request: { uid } }) => ({
    status: 502,
    body: { apiVersion, kind: 'AdmissionReview', response: { uid, allowed: true } },
  }),
  'answers with status 404': () => ({ status: 404, body: 'nobody here' }),
  'answers with a body that is no JSON': () => ({ body: 'allowed' }),
  'answers with an empty body': () => ({ body: '' }),
  'answers with another kind of object': (review) => ({
    body: { apiVersion: 'v1', kind: 'Status', response: { uid: review.request.uid, allowed: true } },
  }),
  'answers with a review that has no response': ({ apiVersion }) => ({ body: { apiVersion, kind: 'AdmissionReview' } }),
  'answers with a review of another uid': (review) => answerTo(review, { uid: 'another', allowed: true }),
  'hangs up': () => 'hang-up',
};
/** What is neither an allowance nor a denial that it says: under Fail a request fails in either reading. */
const UNCLEAR: Readonly<Record<string, Behaviour>> = {
  'answers without saying whether it allows': ({ apiVersion, request: { uid } }) => ({
    body: { apiVersion, kind: 'AdmissionReview', response: { uid } },
  }),
  'answers that it allows as a text': ({ apiVersion, request: { uid } }) => ({
    body: { apiVersion, kind: 'AdmissionReview', response: { uid, allowed: 'true' } },
  }),
};

for (const [failure, behaviour] of Object.entries({ ...FAILURES, ...UNCLEAR })) {
  check(
    `WEBHOOK-FAILURE-01.1/${failure}`,
    `a webhook ${failure}, under Fail → the request fails`,
    ['WEBHOOK-FAILURE-01'],
    async ({ admin, author, services }) => {
      const [hook] = await install(admin, services, { failurePolicy: 'Fail' });
      hook?.does(behaviour);
      must('it fails', await author.create(configMaps, named('a')), match.error);
      must('nothing is stored', await author.get(configMaps, 'a'), match.status(404));
    },
  );
}

for (const [failure, behaviour] of Object.entries(FAILURES)) {
  check(
    `WEBHOOK-FAILURE-02.1/${failure}`,
    `a webhook ${failure}, under Ignore → the request passes`,
    ['WEBHOOK-FAILURE-02'],
    async ({ admin, author, services }) => {
      const [hook] = await install(admin, services, { failurePolicy: 'Ignore' });
      hook?.does(behaviour);
      must('it passes', await author.create(configMaps, named('a')), match.created);
      must('it is stored', await author.get(configMaps, 'a'), match.status(200));
    },
  );
}

/** A port of the harness's machine at which nobody listens. */
const nowhere = (url: string) => ({ url: `https://${new URL(url).hostname}:1/` });

for (const [policy, requirement, outcome] of [
  ['Fail', 'WEBHOOK-FAILURE-01', match.error],
  ['Ignore', 'WEBHOOK-FAILURE-02', match.created],
] as const) {
  check(
    `${requirement}.2/${policy}`,
    `nobody listens where a webhook should be, under ${policy} → ${policy === 'Fail' ? 'the request fails' : 'the request passes'}`,
    [requirement],
    async ({ admin, author, services }) => {
      const server = await services.get(admissionWebhook);
      const clientConfig = { ...nowhere(server.hook().url), caBundle: Buffer.from(server.ca).toString('base64') };
      await install(admin, services, { clientConfig, failurePolicy: policy });
      must('it goes by the policy', await author.create(configMaps, named('a')), outcome);
    },
  );
}

check(
  'WEBHOOK-FAILURE-02.3',
  'a webhook denies, under Ignore → the request fails',
  ['WEBHOOK-FAILURE-02'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { failurePolicy: 'Ignore' });
    hook?.does(deny);
    must('a denial is no failure', await author.create(configMaps, named('a')), match.error);
  },
);

check(
  'WEBHOOK-FAILURE-01.3',
  'no failurePolicy is given and the webhook fails → the request fails',
  ['WEBHOOK-FAILURE-01'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, {});
    hook?.does(() => ({ status: 500 }));
    must('the default is Fail', await author.create(configMaps, named('a')), match.error);
  },
);

/** The default is ten seconds: an answer well before it shows that the webhook's own time counts. */
const soon = match.valueMatcher('less than 9 seconds', (took) => typeof took === 'number' && took < 9_000);

for (const [policy, outcome] of [
  ['Fail', match.error],
  ['Ignore', match.created],
] as const) {
  check(
    `WEBHOOK-TIMEOUT-01.1/${policy}`,
    `a webhook of timeoutSeconds 1 does not answer, under ${policy} → ${policy === 'Fail' ? 'the request fails' : 'the request passes'} soon`,
    ['WEBHOOK-TIMEOUT-01'],
    async ({ admin, author, services }) => {
      const [hook] = await install(admin, services, { timeoutSeconds: 1, failurePolicy: policy });
      hook?.does(() => 'silence');
      const answer = await author.create(configMaps, named('a'));
      must('it goes by the policy', answer, outcome);
      must('and does not wait for longer', answer.took, soon);
      must('the webhook was called', told(hook, 'operation'), match.equal(['CREATE']));
    },
  );
}

check(
  'WEBHOOK-TLS-01.1',
  "a webhook's certificate is of another authority than caBundle → the call fails",
  ['WEBHOOK-TLS-01'],
  async ({ admin, author, services }) => {
    const server = await services.get(admissionWebhook);
    const strange = await services.get(authority, 'strange');
    const hook = server.hook();
    const { clientConfig } = fill(admin, strange.pem, hook, 'strange', {});
    await install(admin, services, { clientConfig });
    must('the call fails', await author.create(configMaps, named('a')), match.error);
    must('and nothing was sent', hook.reviews, match.size(0));
  },
);

check(
  'WEBHOOK-TLS-01.2',
  "caBundle holds several authorities, that of a webhook's certificate among some of its name → it is called",
  ['WEBHOOK-TLS-01'],
  async ({ admin, author, services }) => {
    const hook = (await services.get(admissionWebhook)).hook();
    const { clientConfig } = fill(admin, await bundleOfAuthorities(services), hook, 'bundled', {});
    await install(admin, services, { clientConfig });
    must('what it allows is made', await author.create(configMaps, named('a')), match.created);
    must('and it was asked', told(hook, 'object.metadata.name'), match.containing('a'));
  },
);

check(
  'WEBHOOK-TLS-02.1',
  'a webhook has no caBundle and a certificate of a private authority → the call fails',
  ['WEBHOOK-TLS-02'],
  async ({ admin, author, services }) => {
    const hook = (await services.get(admissionWebhook)).hook();
    await install(admin, services, { clientConfig: { url: hook.url } });
    must('the call fails', await author.create(configMaps, named('a')), match.error);
    must('and nothing was sent', hook.reviews, match.size(0));
  },
);
