import { API_VERBS, clausesOf, TELLING_METHODS, TOKEN_CHANGES } from '../../fixtures/ledger/index.ts';
import { ANONYMOUS } from '../../reference/api/identity.ts';
import { isObject } from '../../reference/api/json.ts';
import type { Authenticated } from '../../reference/contracts/authenticator.ts';
import type { Attributes, ResourceAttributes } from '../../reference/contracts/authorizer.ts';
import type { Reviews } from '../../reference/remote/reviewClient.ts';
import type { Seams } from '../../reference/seams.ts';
import { changedRequest } from '../alter.ts';
import { coding, onJson } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { claimsOf, onIdentity, onOptions, onUser, tokenOf } from '../onAuthentication.ts';
import { onMember } from '../onAuthorizers.ts';

const AUTHENTICATED = 'system:authenticated';

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

/** Reads other values of the headers in which a request says whom it acts as. */
const onActing = (change: (name: string, values: readonly string[]) => readonly string[]): Seams => ({
  handler: (handler) => (request) => {
    const lines = (name: string) => request.headerLines?.(name) ?? [request.headers[name] ?? []].flat();
    return handler(
      Object.assign(changedRequest(request, {}), { headerLines: (name: string) => change(name, lines(name)) }),
    );
  },
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

/** Who is taken for whom, and what their attributes and tokens are (2/general, 2/methods). */
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
    id: 'uid-is-made-of-the-name',
    breaks: ['IDENTITY-UID-01'],
    sentence: 'The uid of a service account is made of its name.',
    defect: () => onUser((user) => ({ ...user, uid: user.uid === '' ? '' : `uid of ${user.username}` })),
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
];
