import { X509Certificate } from 'node:crypto';
import {
  API_VERBS,
  clausesOf,
  GOING,
  POD_MANNERS,
  TELLING_METHODS,
  TOKEN_CHANGES,
} from '../../fixtures/ledger/index.ts';
import { ANONYMOUS, type User } from '../../reference/api/identity.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import { ApiError } from '../../reference/api/status.ts';
import type { Answer } from '../../reference/contracts/answer.ts';
import type { Authenticated } from '../../reference/contracts/authenticator.ts';
import type { Attributes, ResourceAttributes } from '../../reference/contracts/authorizer.ts';
import { readStaticTokens } from '../../reference/options/staticTokens.ts';
import { diskFiles } from '../../reference/ports/disk.ts';
import type { Files } from '../../reference/ports/files.ts';
import type { Reviews } from '../../reference/remote/reviewClient.ts';
import type { Seams } from '../../reference/seams.ts';
import type { Clock } from '../../reference/time.ts';
import { changedRequest, onVerbs } from '../alter.ts';
import { coding, onJson } from '../asking.ts';
import type { Defect, Mutant } from '../mutant.ts';
import {
  called,
  claimsOf,
  jwtPart,
  onIdentity,
  onOptions,
  onRefusal,
  onUser,
  part,
  rememberingFor,
  tokenOf,
} from '../onAuthentication.ts';
import { onMember } from '../onAuthorizers.ts';

const AUTHENTICATED = 'system:authenticated';

const ACCOUNTS = 'system:serviceaccounts';

/** Tokens that were taken are taken on, once what they stand by goes in a way. */
function livingOn(going: (typeof GOING)[number]): Seams {
  const [what = '', how] = going.split('/');
  const gone: Record<string, boolean> = {};
  const taken = new Map<string, Authenticated>();
  return {
    ...onVerbs(how === 'namespace' ? ['delete'] : ['deletecollection'], (call, serve) => {
      const { resource } = call.endpoint.type;
      const { namespace, name } = call.exchange.info;
      if (how === 'namespace' && resource === 'namespaces') gone[name] = true;
      if (how === 'collection' && resource === WHAT_TOKENS_STAND_BY[what]) gone[namespace] = true;
      return serve(call);
    }),
    ...onIdentity((answer, request) => {
      const [token, { sub = '', ...claims }] = [tokenOf(request), claimsOf(request)];
      const bound = ['secret', 'pod'].find((each) => JSON.stringify(claims).includes(`"${each}":`)) ?? 'account';
      if (bound !== what || !String(sub).startsWith('system:serviceaccount:')) return answer;
      if (answer && 'user' in answer) taken.set(token, answer);
      return gone[String(sub).split(':')[2] ?? ''] ? (taken.get(token) ?? answer) : answer;
    }),
  };
}
const WHAT_TOKENS_STAND_BY: Readonly<Record<string, string>> = {
  account: 'serviceaccounts',
  secret: 'secrets',
  pod: 'pods',
};

/** What a webhook hears in the place of each verb. */
const HEARD: Readonly<Record<(typeof API_VERBS)[number], string>> = {
  create: 'post',
  update: 'patch',
  patch: 'update',
  get: 'list',
  list: 'get',
  watch: 'list',
  delete: 'deletecollection',
  deletecollection: 'delete',
};
/** A webhook is asked about something else than what a request asks. */
const misheard = (change: (asked: ResourceAttributes) => Attributes): Seams =>
  onMember(undefined, (asked, ask, member) =>
    ask(asked.isResource && !['masters', 'node', 'rbac'].includes(member) ? change(asked) : asked),
  );

const DAY = 24 * 3_600_000;

/** Reads other values of the headers in which a request says whom it acts as. */
const onActing = (change: (name: string, values: readonly string[]) => readonly string[]): Seams => ({
  handler: (handler) => (request) => {
    const lines = (name: string) => request.headerLines?.(name) ?? [request.headers[name] ?? []].flat();
    return handler(
      Object.assign(changedRequest(request, {}), { headerLines: (name: string) => change(name, lines(name)) }),
    );
  },
});

/** Reads the file of static tokens anew for each request that would be refused. */
function watchedTokenFile(): Defect {
  let path = '';
  return {
    start: {
      flags: (argv) => {
        path = argv.find((each) => each.startsWith('--token-auth-file='))?.split('=')[1] ?? '';
        return argv;
      },
    },
    ...onRefusal((request) => {
      const { tokens } = readStaticTokens(path === '' ? '' : diskFiles.read(path), 'spec');
      return tokens.map((row) => ({ ...row, extra: {} })).find(({ token }) => token === tokenOf(request));
    }),
  };
}

/** Refuses static tokens when the server has run for a day. */
function endingTokens(): Seams {
  let clock: Clock | undefined;
  let end = 0;
  return {
    clock: (inner) => {
      clock = inner;
      end = inner.now() + DAY;
      return inner;
    },
    ...onIdentity((answer, request) => {
      const opaque = tokenOf(request) !== '' && !tokenOf(request).includes('.');
      return opaque && (clock?.now() ?? 0) > end ? { rejected: 'the token has ended' } : answer;
    }),
  };
}

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

/** Reads another token than the one that a request shows. */
const onToken = (change: (token: string) => string): Seams => ({
  authenticator: (inner) => ({
    name: inner.name,
    authenticate: (request) => {
      const token = tokenOf(request);
      if (token === '') return inner.authenticate(request);
      const authorization = `Bearer ${change(token)}`;
      return inner.authenticate(changedRequest(request, { headers: { ...request.headers, authorization } }));
    },
  }),
});

/** The text of every file, read through `reading`. */
const readingThrough =
  (reading: (text: string, path: string) => string) =>
  (files: Files): Files => ({ read: (path) => reading(files.read(path), path) });

/** Who is taken for whom, by certificates, static tokens and tokens of service accounts (2/general, 2/methods). */
export const IDENTITY: readonly Mutant[] = [
  {
    id: 'review-calls-everybody-user',
    breaks: ['IDENTITY-ATTRIBUTES-01'],
    sentence: 'A SelfSubjectReview does not tell the name of who posts it.',
    defect: () =>
      onJson((body, { path }) => {
        const status = path.endsWith('/selfsubjectreviews') ? body.status : undefined;
        if (isObject(status) && isObject(status.userInfo)) status.userInfo.username = 'user';
      }),
  },
  {
    id: 'review-tells-the-uid-of-who-acts',
    breaks: ['IDENTITY-ATTRIBUTES-01'],
    sentence: 'A SelfSubjectReview of somebody without a uid tells that of who acts as them.',
    defect: () => {
      const acting = new WeakMap<object, string>();
      return {
        ...onIdentity((answer, request) => {
          if (answer && 'user' in answer) acting.set(request.headers, answer.user.uid);
          return answer;
        }),
        ...onJson((body, request) => {
          const status = request.path.endsWith('/selfsubjectreviews') ? body.status : undefined;
          if (isObject(status) && isObject(status.userInfo)) status.userInfo.uid ??= acting.get(request.headers) ?? '';
        }),
      };
    },
  },
  {
    id: 'authenticated-group-dropped',
    breaks: clausesOf('IDENTITY-ATTRIBUTES-02'),
    sentence: 'Authenticated users are not in the group of all of them.',
    defect: () => onUser((user) => ({ ...user, groups: user.groups.filter((group) => group !== AUTHENTICATED) })),
  },
  {
    id: 'names-are-tidied',
    breaks: clausesOf('IDENTITY-OPAQUE-01', 'name', TELLING_METHODS),
    sentence: 'Names of users are turned to lower case.',
    defect: () => onUser((user) => ({ ...user, username: user.username.toLowerCase() })),
  },
  {
    id: 'uids-are-tidied',
    breaks: clausesOf('IDENTITY-OPAQUE-01', 'uid'),
    sentence: 'Blanks in uids of users become dashes.',
    defect: () => onUser((user) => ({ ...user, uid: user.uid.replaceAll(' ', '-') })),
  },
  {
    id: 'fourth-group-is-lost',
    breaks: clausesOf('IDENTITY-OPAQUE-01', 'groups', TELLING_METHODS),
    sentence: 'Of the groups that a method gives three are taken.',
    defect: () =>
      onUser((user) => {
        const lost = user.groups.filter((group) => group !== AUTHENTICATED).slice(3);
        return { ...user, groups: user.groups.filter((group) => !lost.includes(group)) };
      }),
  },
  {
    id: 'groups-of-the-service-are-given-by-none',
    breaks: clausesOf('IDENTITY-OPAQUE-01', 'groups', TELLING_METHODS),
    sentence: 'Groups for nodes and for monitoring are taken from no method.',
    defect: () =>
      onUser((user) => ({
        ...user,
        groups: user.groups.filter((group) => !/^system:(nodes|monitoring)$/.test(group)),
      })),
  },
  {
    id: 'second-key-of-extra-is-lost',
    breaks: clausesOf('IDENTITY-OPAQUE-01', 'extra', TELLING_METHODS),
    sentence: 'Of the keys of extra that a method gives the first is taken.',
    defect: () => onUser((user) => ({ ...user, extra: Object.fromEntries(Object.entries(user.extra).slice(0, 1)) })),
  },
  ...(['uid', 'groups', 'extra'] as const).map(
    (attribute): Mutant => ({
      id: `kept-users-lose-their-${attribute}`,
      breaks: clausesOf('IDENTITY-OPAQUE-01', attribute, TELLING_METHODS),
      sentence: `Of who was known before the ${attribute} is kept no more.`,
      defect: () => {
        const known = new Set<string>();
        return onUser((user) => {
          const key = JSON.stringify(user);
          const again = known.has(key) && !user.groups.includes('system:masters');
          known.add(key);
          if (!again) return user;
          const less = { uid: '', groups: [AUTHENTICATED], extra: {} };
          return { ...user, [attribute]: less[attribute] };
        });
      },
    }),
  ),
  {
    id: 'uids-are-numbers',
    breaks: clausesOf('IDENTITY-OPAQUE-02', 'zeros'),
    sentence: 'A uid of digits is a number, without zeros before it.',
    defect: () => onUser((user) => ({ ...user, uid: /^\d+$/.test(user.uid) ? String(Number(user.uid)) : user.uid })),
  },
  {
    id: 'attributes-are-cut',
    breaks: clausesOf('IDENTITY-OPAQUE-02', 'long', TELLING_METHODS),
    sentence: 'Names, uids and groups are cut at 255 characters.',
    defect: () => {
      const cut = (text: string) => text.slice(0, 255);
      return onUser((user) => ({
        ...user,
        username: cut(user.username),
        uid: cut(user.uid),
        groups: user.groups.map(cut),
      }));
    },
  },
  {
    id: 'groups-beyond-the-thirty-second-are-lost',
    breaks: clausesOf('IDENTITY-OPAQUE-02', 'many', TELLING_METHODS),
    sentence: 'A user is in no more than 32 groups.',
    defect: () => onUser((user) => ({ ...user, groups: user.groups.slice(-32) })),
  },
  {
    id: 'names-and-groups-are-trimmed',
    breaks: clausesOf('IDENTITY-OPAQUE-02', 'blanks'),
    sentence: 'Blanks around names and groups are cut off.',
    defect: () =>
      onUser((user) => ({ ...user, username: user.username.trim(), groups: user.groups.map((group) => group.trim()) })),
  },
  {
    id: 'groups-are-compared-without-case',
    breaks: clausesOf('IDENTITY-OPAQUE-02', 'case', TELLING_METHODS),
    sentence: 'Of groups that differ in case alone the first is kept.',
    defect: () =>
      onUser((user) => {
        const plain = user.groups.map((group) => group.toLowerCase());
        return { ...user, groups: user.groups.filter((_, at) => plain.indexOf(plain[at] ?? '') === at) };
      }),
  },
  {
    id: 'groups-are-split-at-commas',
    breaks: clausesOf('IDENTITY-OPAQUE-02', 'commas'),
    sentence: 'A group with a comma is two.',
    defect: () => onUser((user) => ({ ...user, groups: user.groups.flatMap((group) => group.split(',')) })),
  },
  {
    id: 'keys-of-extra-are-in-lower-case',
    breaks: clausesOf('IDENTITY-OPAQUE-02', 'keys'),
    sentence: 'Keys of extra are turned to lower case.',
    defect: () =>
      onUser((user) => ({
        ...user,
        extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key.toLowerCase(), values])),
      })),
  },
  {
    id: 'those-acted-as-are-in-lower-case',
    breaks: ['IDENTITY-OPAQUE-01/impersonation/name'],
    sentence: 'Names of those who are acted as are turned to lower case.',
    defect: () =>
      onActing((name, values) => (name === 'impersonate-user' ? values.map((each) => each.toLowerCase()) : values)),
  },
  {
    id: 'fourth-group-of-those-acted-as-is-lost',
    breaks: ['IDENTITY-OPAQUE-01/impersonation/groups'],
    sentence: 'Of the groups of those who are acted as three are taken.',
    defect: () => onActing((name, values) => (name === 'impersonate-group' ? values.slice(0, 3) : values)),
  },
  {
    id: 'second-value-of-those-acted-as-is-lost',
    breaks: ['IDENTITY-OPAQUE-01/impersonation/extra'],
    sentence: 'Of the values of a key of those who are acted as one is taken.',
    defect: () => onActing((name, values) => (name.startsWith('impersonate-extra-') ? values.slice(0, 1) : values)),
  },
  {
    id: 'attributes-of-those-acted-as-are-cut',
    breaks: ['IDENTITY-OPAQUE-02/long/impersonation'],
    sentence: 'Names and groups of those who are acted as are cut at 255 characters.',
    defect: () => onActing((_, values) => values.map((each) => each.slice(0, 255))),
  },
  {
    id: 'many-groups-of-those-acted-as-are-lost',
    breaks: ['IDENTITY-OPAQUE-02/many/impersonation'],
    sentence: 'Of the groups of those who are acted as 32 are taken.',
    defect: () => onActing((name, values) => (name === 'impersonate-group' ? values.slice(0, 32) : values)),
  },
  {
    id: 'groups-of-those-acted-as-are-compared-without-case',
    breaks: ['IDENTITY-OPAQUE-02/case/impersonation'],
    sentence: 'Of groups of those who are acted as that differ in case alone the first is kept.',
    defect: () =>
      onActing((name, values) => {
        const plain = values.map((each) => each.toLowerCase());
        return name === 'impersonate-group' ? values.filter((_, at) => plain.indexOf(plain[at] ?? '') === at) : values;
      }),
  },
  {
    id: 'long-tokens-of-accounts-are-refused',
    breaks: ['IDENTITY-BEARER-02/long/account'],
    sentence: 'A JWT of more than two thousand characters is refused.',
    defect: () =>
      onIdentity((answer, request) => (tokenOf(request).length > 2_000 ? { rejected: 'too long' } : answer)),
  },
  {
    id: 'tokens-of-accounts-are-compared-without-case',
    breaks: ['IDENTITY-BEARER-02/case/account'],
    sentence: 'A JWT is taken that differs in the case of its letters from one that was taken.',
    defect: () => {
      const taken = new Map<string, Authenticated>();
      return onIdentity((answer, request) => {
        const token = tokenOf(request).toLowerCase();
        if (token.split('.').length !== 3) return answer;
        if (answer && 'user' in answer) taken.set(token, answer);
        return taken.get(token) ?? answer;
      });
    },
  },
  {
    id: 'tokens-of-few-signs',
    breaks: clausesOf('IDENTITY-BEARER-02', 'signs'),
    sentence: 'Tokens with other signs than those of JWTs are refused.',
    defect: () =>
      onIdentity((answer, request) => (/[^\w.=-]/.test(tokenOf(request)) ? { rejected: 'no such sign' } : answer)),
  },
  {
    id: 'padding-of-tokens-is-cut',
    breaks: clausesOf('IDENTITY-BEARER-02', 'equals'),
    sentence: 'Signs of padding at the end of a token are cut off.',
    defect: () => onToken((token) => token.replace(/=+$/, '')),
  },
  {
    id: 'tokens-are-read-as-in-a-url',
    breaks: clausesOf('IDENTITY-BEARER-02', 'escapes'),
    sentence: 'What looks as an escape of a URL in a token is decoded.',
    defect: () =>
      onToken((token) => token.replace(/%([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))),
  },
  {
    id: 'tokens-of-three-parts-are-read-as-jwts',
    breaks: [
      ...clausesOf('IDENTITY-BEARER-02', 'parts'),
      ...clausesOf('IDENTITY-SEVERAL-01', 'webhook', ['id-token', 'expired-id-token', 'account-token']),
      ...clausesOf('IDENTITY-SEVERAL-01', 'token-file', ['id-token', 'expired-id-token']),
      'TOKENREVIEW-REQUEST-01/of-three-parts',
    ],
    sentence: 'A token of three parts is refused where no method of JWTs takes it.',
    defect: () =>
      onIdentity((answer, request) => {
        const { sub } = claimsOf(request);
        const isParted = tokenOf(request).split('.').length === 3;
        const isOfJwts = answer && 'user' in answer && sub !== undefined && answer.user.username.endsWith(String(sub));
        return isParted && !isOfJwts ? { rejected: 'no such JWT' } : answer;
      }),
  },
  {
    id: 'tokens-of-bootstrappers-are-theirs-alone',
    breaks: clausesOf('IDENTITY-SEVERAL-01', 'bootstrap-token'),
    sentence: 'A token of the form of bootstrap tokens is refused where it is none.',
    defect: () =>
      onIdentity((answer, request) => {
        const isOne = answer && 'user' in answer && answer.user.username.startsWith('system:bootstrap:');
        return /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(tokenOf(request)) && !isOne ? { rejected: 'no such token' } : answer;
      }),
  },
  {
    id: 'failing-webhook-fails-all',
    breaks: clausesOf('IDENTITY-SEVERAL-01', 'webhook-fails'),
    sentence: 'A token is refused for which the webhook fails, whatever other methods say of it.',
    defect: () => {
      let all: Reviews | undefined;
      return {
        reviews: (reviews) => {
          all = reviews;
          return reviews;
        },
        ...onIdentity(async (answer, request) => {
          const token = tokenOf(request);
          if (!answer || !('user' in answer) || token === '') return answer;
          const review = { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'TokenReview', spec: { token } };
          try {
            await all?.ask(review);
            return answer;
          } catch {
            return { rejected: 'the webhook fails' };
          }
        }),
      };
    },
  },
  {
    id: 'tokens-are-cut-at-a-thousand',
    breaks: clausesOf('IDENTITY-BEARER-02', 'long', TELLING_METHODS),
    sentence: 'Of a token that is no JWT a thousand characters are read.',
    defect: () => onToken((token) => (token.split('.').length === 3 ? token : token.slice(0, 1_000))),
  },
  {
    id: 'tokens-are-in-lower-case',
    breaks: clausesOf('IDENTITY-BEARER-02', 'case', TELLING_METHODS),
    sentence: 'Tokens that are no JWT are read in lower case.',
    defect: () => onToken((token) => (token.split('.').length === 3 ? token : token.toLowerCase())),
  },
  {
    id: 'tokens-are-compared-but-for-one-character',
    breaks: clausesOf('IDENTITY-BEARER-03', TOKEN_CHANGES),
    sentence: 'A token is taken that differs from one that was taken in one character, or by one at its end.',
    defect: () => {
      const taken = new Map<string, Authenticated>();
      const near = (one: string, other: string) =>
        one.length === other.length
          ? [...one].filter((letter, at) => letter !== other[at]).length === 1
          : one.slice(0, -1) === other || one === other.slice(0, -1);
      return onIdentity((answer, request) => {
        const token = tokenOf(request);
        if (answer && 'user' in answer) {
          if (token !== '') taken.set(token, answer);
          return answer;
        }
        return [...taken].find(([other]) => near(token, other))?.[1] ?? answer;
      });
    },
  },
  {
    id: 'tokens-are-kept-by-their-beginning',
    breaks: clausesOf('IDENTITY-BEARER-03', 'long'),
    sentence: 'A token that is no JWT is taken whose first thousand characters are those of one that was taken.',
    defect: () => {
      const taken = new Map<string, Authenticated>();
      return onIdentity((answer, request) => {
        const token = tokenOf(request);
        if (token.length < 1_000 || token.split('.').length === 3) return answer;
        const key = token.slice(0, 1_000);
        if (answer && 'user' in answer) taken.set(key, answer);
        return taken.get(key) ?? answer;
      });
    },
  },
  {
    id: 'faults-come-before-the-credential',
    breaks: clausesOf('IDENTITY-ANONYMOUS-04'),
    sentence: 'A request without a good credential is told what else is wrong with it, or that it is forbidden.',
    defect: () => coding(({ code }) => (code === 401 ? 403 : code)),
  },
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
    id: 'token-file-parted-at-every-comma',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'commas'),
    sentence: 'A comma in a quoted name or uid of the file of static tokens parts it.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv')
            ? text.replace(/^([^,\n]*),"([^,"\n]*),[^\n]*first",/gm, '$1,"$2 ""the"" first",')
            : text,
        ),
      },
    }),
  },
  {
    id: 'token-file-loses-quotes',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'quotes'),
    sentence: 'Doubled quotes in the file of static tokens are lost.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/(?<=[\w ,])""(?=\w)|(?<=\w)""/g, '') : text,
        ),
      },
    }),
  },
  {
    id: 'token-file-loses-its-last-line',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'last-line'),
    sentence: 'A last line of the file of static tokens without an end is passed over.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') && !text.endsWith('\n') ? text.slice(0, text.lastIndexOf('\n') + 1) : text,
        ),
      },
    }),
  },
  {
    id: 'carriage-returns-belong-to-columns',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'line-ends'),
    sentence: 'A carriage return before the end of a line of the file of static tokens is part of its last column.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/,([^",\r\n]*)\r$/gm, (_, last) => `,"${last} "`) : text,
        ),
      },
    }),
  },
  {
    id: 'one-group-in-the-file-is-none',
    breaks: clausesOf('TOKENFILE-COLUMNS-04', 'one-group'),
    sentence: 'A column of groups without quotes is not read.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) => (path.endsWith('.csv') ? text.replace(/,staff$/gm, '') : text)),
      },
    }),
  },
  {
    id: 'account-is-for-plain-pods',
    breaks: clausesOf('SATOKEN-POD-02', POD_MANNERS),
    sentence: 'A pod gets the default account when it is posted in JSON, under a name and without that field.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'Pod' && isObject(body.spec) && body.spec.serviceAccountName === 'default')
          delete body.spec.serviceAccountName;
      }),
  },
  {
    id: 'every-pod-is-of-the-default-account',
    breaks: clausesOf('SATOKEN-POD-02', 'named'),
    sentence: 'A pod that names an account gets the default one.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'Pod' && isObject(body.spec)) body.spec.serviceAccountName = 'default';
      }),
  },
  {
    id: 'uid-is-made-of-the-name',
    breaks: ['IDENTITY-UID-01'],
    sentence: 'The uid of a service account is made of its name.',
    defect: () => onUser((user) => ({ ...user, uid: user.uid === '' ? '' : `uid of ${user.username}` })),
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
  ...API_VERBS.map(
    (verb): Mutant => ({
      id: `webhooks-hear-no-${verb}`,
      breaks: [`IDENTITY-ATTRIBUTES-03/${verb}`],
      sentence: `A webhook is asked about another verb where the request is a ${verb}.`,
      defect: () => misheard((asked) => (asked.verb === verb ? { ...asked, verb: HEARD[verb] } : asked)),
    }),
  ),
  {
    id: 'webhooks-hear-subresources-as-resources',
    breaks: ['IDENTITY-ATTRIBUTES-03/subresource'],
    sentence: 'A webhook is asked about the resource pods/log in the place of a resource and its subresource.',
    defect: () =>
      misheard((asked) =>
        asked.subresource === ''
          ? asked
          : { ...asked, resource: `${asked.resource}/${asked.subresource}`, subresource: '' },
      ),
  },
  {
    id: 'webhooks-hear-names-up-to-a-colon',
    breaks: ['IDENTITY-ATTRIBUTES-03/name'],
    sentence: 'A webhook is asked about names up to their first colon.',
    defect: () => misheard((asked) => ({ ...asked, name: asked.name.split(':')[0] ?? '' })),
  },
  {
    id: 'webhooks-hear-paths-without-a-slash',
    breaks: ['IDENTITY-ATTRIBUTES-03/path'],
    sentence: 'A webhook is asked about paths without the slash at their end.',
    defect: () =>
      onMember(undefined, (asked, ask) =>
        ask(asked.isResource ? asked : { ...asked, path: asked.path.replace(/(.)\/$/, '$1') }),
      ),
  },
  {
    id: 'authorizers-see-no-extra',
    breaks: ['IDENTITY-ATTRIBUTES-03'],
    sentence: 'Authorizers are not told the extra of a user.',
    defect: () => ({
      authorizer: (authorizer) => ({
        name: authorizer.name,
        authorize: (attributes) => authorizer.authorize({ ...attributes, user: { ...attributes.user, extra: {} } }),
      }),
    }),
  },
  {
    id: 'anonymous-is-authenticated',
    breaks: ['IDENTITY-ANONYMOUS-01'],
    sentence: 'Anonymous users are in the group of authenticated ones too.',
    defect: () =>
      onUser((user) =>
        user.username === ANONYMOUS.username ? { ...user, groups: [...user.groups, AUTHENTICATED] } : user,
      ),
  },
  {
    id: 'anonymous-flag-ignored',
    breaks: clausesOf('IDENTITY-ANONYMOUS-03'),
    sentence: 'Anonymous requests are taken whatever the flag says.',
    defect: () => ({ start: onOptions((options) => ({ ...options, anonymous: { enabled: true, paths: undefined } })) }),
  },
  {
    id: 'users-are-a-type',
    breaks: ['IDENTITY-KINDS-01'],
    sentence: 'Discovery names a type of normal users.',
    defect: () =>
      onJson((body, { path }) => {
        if (path !== '/api/v1' || !Array.isArray(body.resources)) return;
        body.resources.push({ name: 'users', singularName: 'user', namespaced: false, kind: 'User', verbs: ['get'] });
      }),
  },
  {
    id: 'two-credentials-are-refused',
    breaks: ['IDENTITY-SEVERAL-01'],
    sentence: 'A request with both a certificate and a token is refused.',
    defect: () =>
      onIdentity((answer, request) => {
        const both = (request.peerCertificate?.chain.length ?? 0) > 0 && tokenOf(request) !== '';
        return both ? { rejected: 'two credentials' } : answer;
      }),
  },
  {
    id: 'token-of-any-scheme',
    breaks: ['IDENTITY-BEARER-01'],
    sentence: 'A token is taken behind any scheme.',
    defect: () => ({
      authenticator: (inner) => ({
        name: inner.name,
        authenticate: (request) => {
          const authorization = String(request.headers.authorization ?? '').replace(/^\S+ /, 'Bearer ');
          if (authorization === '') return inner.authenticate(request);
          return inner.authenticate(changedRequest(request, { headers: { ...request.headers, authorization } }));
        },
      }),
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
  {
    id: 'organizations-forgotten',
    breaks: ['CERT-SUBJECT-01'],
    sentence: 'The organizations of a client certificate are no groups.',
    defect: () =>
      onUser((user, { peerCertificate }) =>
        (peerCertificate?.chain.length ?? 0) > 0 ? called(user.username, [AUTHENTICATED]) : user,
      ),
  },
  {
    id: 'subjects-are-read-as-texts',
    breaks: ['CERT-SUBJECT-01', 'IDENTITY-OPAQUE-01/certificate/name', 'IDENTITY-OPAQUE-01/certificate/groups'],
    sentence: 'Signs in the subject of a client certificate stay behind the backslashes of its text.',
    defect: () => {
      const escaped = (text: string) => text.replace(/[+,;<>"\\]/g, '\\$&');
      return onUser((user, { peerCertificate }) =>
        (peerCertificate?.chain.length ?? 0) > 0
          ? { ...user, username: escaped(user.username), groups: user.groups.map(escaped) }
          : user,
      );
    },
  },
  {
    id: 'any-certificate-taken',
    breaks: ['CERT-TRUST-01'],
    sentence: 'A client certificate is taken whoever signed it and whenever it ended.',
    defect: () =>
      onRefusal(({ peerCertificate }) => {
        const [leaf] = peerCertificate?.chain ?? [];
        const name = leaf && /^CN=(.+)$/m.exec(new X509Certificate(leaf).subject)?.[1];
        return name ? called(name) : undefined;
      }),
  },
  {
    id: 'groups-column-not-split',
    breaks: ['TOKENFILE-COLUMNS-01'],
    sentence: 'The quoted groups of the token file are taken for one group.',
    defect: () => ({
      start: onOptions((options) => ({
        ...options,
        staticTokens: options.staticTokens?.map((row) => ({ ...row, groups: [row.groups.join(',')] })),
      })),
    }),
  },
  {
    id: 'token-file-is-watched',
    breaks: ['TOKENFILE-RESTART-01'],
    sentence: 'Tokens that are added to the token file are taken at once.',
    defect: watchedTokenFile,
  },
  {
    id: 'static-tokens-end',
    breaks: ['TOKENFILE-EXPIRY-01'],
    sentence: 'Static tokens are refused when the server has run for a day.',
    defect: () => endingTokens(),
  },
  {
    id: 'account-groups-dropped',
    breaks: clausesOf('SATOKEN-IDENTITY-01'),
    sentence: 'Service accounts are not in the group of those of their namespace.',
    defect: () =>
      onUser((user) => ({ ...user, groups: user.groups.filter((group) => !group.startsWith(`${ACCOUNTS}:`)) })),
  },
  {
    id: 'account-token-read-unverified',
    breaks: ['SATOKEN-SIGNATURE-01'],
    sentence: 'What an altered token of a service account says is believed.',
    defect: () =>
      onRefusal((request) => {
        const { sub } = claimsOf(request);
        return String(sub).startsWith('system:serviceaccount:') ? called(String(sub), [ACCOUNTS]) : undefined;
      }),
  },
  {
    id: 'first-account-key-only',
    breaks: ['SATOKEN-SIGNATURE-02'],
    sentence: 'Of several key files of service account tokens only the first verifies.',
    defect: () => ({
      start: onOptions((options) => ({
        ...options,
        serviceAccounts: { ...options.serviceAccounts, keys: options.serviceAccounts.keys.slice(0, 1) },
      })),
    }),
  },
  {
    id: 'serving-key-verifies-nothing',
    breaks: ['SATOKEN-SIGNATURE-03'],
    sentence: 'The key of the serving certificate does not verify tokens of service accounts.',
    defect: () => ({
      start: onOptions((options) => ({ ...options, serviceAccounts: { ...options.serviceAccounts, keys: [] } })),
    }),
  },
  {
    id: 'tokens-of-deleted-accounts-live-on',
    breaks: ['SATOKEN-REVOKE-01'],
    sentence: 'A token of a service account that was taken once is taken when the account has gone.',
    defect: () => rememberingFor(({ user }) => user.groups.includes(ACCOUNTS)),
  },
  ...GOING.map(
    (going): Mutant => ({
      id: `tokens-live-on-${going.replace('/', '-by-')}`,
      breaks: [`SATOKEN-REVOKE-01/${going}`],
      sentence: `A token of an account that was taken is taken on where what it stands by went so: ${going}.`,
      defect: () => livingOn(going),
    }),
  ),
  {
    id: 'account-tokens-never-end',
    breaks: ['SATOKEN-EXPIRY-01'],
    sentence: 'A token of a service account that was taken once is taken for ever.',
    defect: () =>
      rememberingFor(({ user }, request) => user.groups.includes(ACCOUNTS) && claimsOf(request).exp !== undefined),
  },
  {
    id: 'account-tokens-by-any-issuer',
    breaks: ['SATOKEN-EXPIRY-01'],
    sentence: 'Nobody looks at the issuer of a token of a service account.',
    defect: () =>
      onRefusal((request) => {
        const { iss, sub } = claimsOf(request);
        const alien = iss === 'https://touchstone.invalid' && String(sub).startsWith('system:serviceaccount:');
        return alien ? called(String(sub), [ACCOUNTS]) : undefined;
      }),
  },
  {
    id: 'account-tokens-for-others-are-taken',
    breaks: ['SATOKEN-CREATE-01'],
    sentence: 'A token of a service account is taken whomever it was made for.',
    defect: () =>
      onRefusal((request) => {
        const { aud, sub } = claimsOf(request);
        return Array.isArray(aud) && aud.includes('vault') ? called(String(sub), [ACCOUNTS]) : undefined;
      }),
  },
  {
    id: 'tokens-of-deleted-secrets-live-on',
    breaks: ['SATOKEN-SECRET-01'],
    sentence: 'The token of a secret is taken when the secret is gone.',
    defect: () =>
      rememberingFor(({ user }, request) => user.groups.includes(ACCOUNTS) && claimsOf(request).exp === undefined),
  },
  {
    id: 'account-tokens-by-the-published-key',
    breaks: ['SATOKEN-SIGNATURE-01'],
    sentence: 'A token of a service account may be signed by HMAC with what the server publishes.',
    defect: () =>
      onRefusal((request) => {
        const [{ alg }, { sub }] = [jwtPart(request, 0), claimsOf(request)];
        return String(alg).startsWith('HS') && String(sub).startsWith('system:serviceaccount:')
          ? called(String(sub), [ACCOUNTS])
          : undefined;
      }),
  },
  {
    id: 'requested-tokens-are-cut',
    breaks: ['SATOKEN-CREATE-01'],
    sentence: 'The token subresource answers tokens that nobody takes.',
    defect: () =>
      onJson((body, { path }) => {
        if (path.endsWith('/token') && isObject(body.status))
          body.status.token = String(body.status.token).slice(0, -20);
      }),
  },
  {
    id: 'pod-without-account',
    breaks: ['SATOKEN-POD-01'],
    sentence: 'A pod that names no account has none.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'Pod' && isObject(body.spec)) delete body.spec.serviceAccountName;
      }),
  },
  {
    id: 'token-file-names-the-nameless',
    breaks: ['TOKENFILE-COLUMNS-03'],
    sentence: 'A line without a user name in the file of static tokens is for its uid.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/^([^,\n]*),,([^,\n]*)/gm, '$1,$2,$2') : text,
        ),
      },
    }),
  },
  {
    id: 'token-file-skips-short-lines',
    breaks: ['TOKENFILE-COLUMNS-02'],
    sentence: 'A line of two columns in the file of static tokens is passed over.',
    defect: () => ({
      start: {
        files: readingThrough((text, path) =>
          path.endsWith('.csv') ? text.replace(/^[^,\n]*,[^,\n]*$/gm, '').trim() : text,
        ),
      },
    }),
  },
  {
    id: 'first-client-ca-only',
    breaks: ['CERT-TRUST-02'],
    sentence: 'Of the client CA file only the first certificate is trusted.',
    defect: () => ({
      start: {
        options: (options) => {
          const { clientCa } = options.authentication;
          return { ...options, authentication: { ...options.authentication, clientCa: clientCa?.slice(0, 1) } };
        },
      },
    }),
  },
  {
    id: 'last-client-ca-of-a-name',
    breaks: ['CERT-TRUST-02'],
    sentence: 'Of several client CAs of one subject the last is trusted.',
    defect: () => ({
      start: onOptions((options) => {
        const bySubject = new Map(options.clientCa?.map((pem) => [new X509Certificate(pem).subject, pem]));
        return { ...options, clientCa: options.clientCa && [...bySubject.values()] };
      }),
    }),
  },
];
