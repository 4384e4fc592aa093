import { clausesOf } from '../../fixtures/ledger/index.ts';
import type { User } from '../../reference/api/identity.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import { ApiError } from '../../reference/api/status.ts';
import type { Answer } from '../../reference/contracts/answer.ts';
import type { Seams } from '../../reference/seams.ts';
import { changedRequest, onVerbs } from '../alter.ts';
import { onJson } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { part } from '../onAuthentication.ts';

/** Answers a review with what is made of the status that was posted with it and of the one that is meant. */
function believedStatus(believed: (posted: JsonObject, status: JsonObject) => JsonObject = (posted) => posted): Seams {
  let posted: JsonObject[string] | undefined;
  return {
    ...onVerbs(['create'], async (call, serve) => {
      const body: unknown = JSON.parse(Buffer.from(await call.exchange.request.body()).toString() || '{}');
      posted = isObject(body as JsonObject) ? (body as JsonObject).status : undefined;
      return serve(call);
    }),
    ...onJson((body, { path }) => {
      if (!path.endsWith('/selfsubjectreviews') || !isObject(posted)) return;
      body.status = believed(posted, isObject(body.status) ? body.status : {});
    }),
  };
}

/** Around each SelfSubjectReview: whether its body tells of somebody, in whatever encoding. */
const onReviews = (around: (tells: boolean, serve: () => Promise<Answer>) => Promise<Answer>): Seams =>
  onVerbs(['create'], async (call, serve) => {
    if (call.endpoint.type.resource !== 'selfsubjectreviews') return serve(call);
    const body = Buffer.from(await call.exchange.request.body());
    return around(body.includes('system:nobodies'), () => serve(call));
  });

/** Lets some not ask who they are. */
const notAskedBy = (isMeant: (user: User) => boolean): Seams => ({
  authorizer: (authorizer) => ({
    name: authorizer.name,
    authorize: async (attributes) => {
      const verdict = await authorizer.authorize(attributes);
      const asked = attributes.isResource && attributes.resource === 'selfsubjectreviews';
      return asked && isMeant(attributes.user) ? { ...verdict, decision: 'noOpinion' } : verdict;
    },
  }),
});

/** What users are told of themselves (2/identity-endpoints). */
export const WHO_AM_I: readonly Mutant[] = [
  {
    id: 'review-fills-from-its-status',
    breaks: ['WHOAMI-REQUEST-01'],
    sentence: 'A SelfSubjectReview takes from the status that was posted what the user has not.',
    defect: () =>
      believedStatus((posted, status) => ({ userInfo: { ...part(posted, 'userInfo'), ...part(status, 'userInfo') } })),
  },
  {
    id: 'dry-review-tells-nothing',
    breaks: ['WHOAMI-REQUEST-03'],
    sentence: 'A SelfSubjectReview as a dry run has no status.',
    defect: () =>
      onJson((body, { path, query }) => {
        if (path.endsWith('/selfsubjectreviews') && query.has('dryRun')) delete body.status;
      }),
  },
  {
    id: 'review-in-one-encoding',
    breaks: clausesOf('WHOAMI-ENCODING-01', 'taken'),
    sentence: 'A SelfSubjectReview is read as JSON alone.',
    defect: () => ({
      handler: (handler) => async (request) => {
        const other = !/json|^$/.test(String(request.headers['content-type'] ?? ''));
        return request.path.endsWith('/selfsubjectreviews') && other
          ? { kind: 'whole', code: 415, headers: {}, body: new Uint8Array() }
          : handler(request);
      },
    }),
  },
  {
    id: 'review-is-answered-in-json',
    breaks: clausesOf('WHOAMI-ENCODING-01', 'answered'),
    sentence: 'A SelfSubjectReview is answered in JSON, whatever is asked for.',
    defect: () => ({
      handler: (handler) => (request) =>
        handler(
          request.path.endsWith('/selfsubjectreviews')
            ? changedRequest(request, { headers: { ...request.headers, accept: 'application/json' } })
            : request,
        ),
    }),
  },
  {
    id: 'review-believes-its-status',
    breaks: clausesOf('WHOAMI-REQUEST-01', 'with-status', ['json', 'dry-run', 'strict', 'unchecked']),
    sentence: 'A SelfSubjectReview answers the status that was posted with it.',
    defect: () => believedStatus(),
  },
  {
    id: 'review-believes-a-status-in-whatever-encoding',
    breaks: clausesOf('WHOAMI-REQUEST-01', 'with-status'),
    sentence: 'A SelfSubjectReview with a status answers groups that it tells of, whatever it is written in.',
    defect: () => {
      let told = false;
      return {
        ...onReviews((tells, serve) => {
          told = tells;
          return serve();
        }),
        ...onJson((body, { path }) => {
          if (!path.endsWith('/selfsubjectreviews') || !told || !isObject(body.status)) return;
          body.status = { userInfo: { ...part(body.status, 'userInfo'), groups: ['system:nobodies'] } };
        }),
      };
    },
  },
  {
    id: 'reviews-have-to-tell-of-somebody',
    breaks: clausesOf('WHOAMI-REQUEST-01', 'alone'),
    sentence: 'A SelfSubjectReview without a status is refused.',
    defect: () =>
      onReviews((tells, serve) => {
        if (!tells) throw new ApiError(422, 'Invalid', 'status.userInfo is required');
        return serve();
      }),
  },
  {
    id: 'bootstrappers-do-not-learn-who-they-are',
    breaks: ['WHOAMI-REQUEST-02/bootstrap'],
    sentence: 'The user of a bootstrap token may not post a SelfSubjectReview.',
    defect: () => notAskedBy(({ groups }) => groups.includes('system:bootstrappers')),
  },
  {
    id: 'review-for-masters-only',
    breaks: clausesOf('WHOAMI-REQUEST-02'),
    sentence: 'Only who may do everything may ask who they are.',
    defect: () => notAskedBy(({ groups }) => !groups.includes('system:masters')),
  },
];
