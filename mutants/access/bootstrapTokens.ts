import { clausesOf, SIGNED_TEXTS } from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import type { Authenticated } from '../../reference/contracts/authenticator.ts';
import { delegate, type Store } from '../../reference/contracts/store.ts';
import { secretText } from '../../reference/objects/bootstrapSecret.ts';
import type { Seams } from '../../reference/seams.ts';
import { changedRequest } from '../alter.ts';
import { onJson } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { called, onIdentity, onOptions, onRefusal, onUser, rememberingFor, tokenOf } from '../onAuthentication.ts';

const BOOTSTRAPPERS = 'system:bootstrappers';

const MARK = 'jws-kubeconfig-';

/** Takes tokens that were refused, where a secret anywhere has their two parts and `lenient` has nothing against it. */
function taking(
  lenient: (secret: ApiObject, token: { readonly id: string; readonly namespace: string }) => boolean,
  groups: (secret: ApiObject) => readonly string[] = () => [],
): Seams {
  let store: Store | undefined;
  return {
    store: (inner) => {
      store = inner;
      return inner;
    },
    ...onRefusal(async (request) => {
      const [id = '', text = ''] = tokenOf(request).split('.');
      const { entries = [] } = (await store?.range({ prefix: '/core/secrets/' })) ?? {};
      for (const { object } of entries) {
        if (text === '' || secretText(object, 'token-secret') !== text) continue;
        const namespace = object.metadata.namespace ?? '';
        if (lenient(object, { id, namespace })) {
          return called(`system:bootstrap:${id}`, [BOOTSTRAPPERS, ...groups(object)]);
        }
      }
      return undefined;
    }),
  };
}

const isToken = (secret: ApiObject): boolean => String(secret.type).startsWith('bootstrap.');

const isOf = (secret: ApiObject, id: string): boolean => secretText(secret, 'token-id') === id;

const extraGroups = (secret: ApiObject): readonly string[] => secretText(secret, 'auth-extra-groups').split(',');

/** Alters the data of the config map that tokens sign, as readers see it. */
const onClusterInfo = (change: (data: JsonObject) => void): Seams =>
  onJson((body, { path, method }) => {
    if (method === 'GET' && path.endsWith('/configmaps/cluster-info') && isObject(body.data)) change(body.data);
  });

const signaturesIn = (data: JsonObject) => Object.entries(data).filter(([key]) => key.startsWith(MARK));

/** What is in a text of which the signature is wrong. */
const MISREAD: Readonly<Record<(typeof SIGNED_TEXTS)[number], readonly [sentence: string, found: RegExp]>> = {
  base64: ['The payload that is signed is in the Base64 of texts and not in that of JWS.', />>>|\?\?\?/],
  letters: ['Letters beyond ASCII are not signed as they are.', /[^\0-\x7f]/],
  blanks: ['The text that is signed is trimmed.', /^\s|\s\s$/],
  'line-ends': ['Line ends of two characters are signed as ones of one.', /\r\n/],
  long: ['Of a long text the beginning is signed.', /^.{65536}/s],
};

function withoutEnd(secret: ApiObject): ApiObject {
  if (!isObject(secret.data)) return secret;
  const { expiration, ...data } = secret.data;
  return { ...secret, data };
}

/** Bootstrap tokens that are believed too much, and what happens with them by itself. */
export const BOOTSTRAP_TOKENS: readonly Mutant[] = [
  {
    id: 'bootstrappers-group-dropped',
    breaks: ['BOOTSTRAP-TOKEN-01'],
    sentence: 'The user of a bootstrap token is not among the bootstrappers.',
    defect: () => onUser((user) => ({ ...user, groups: user.groups.filter((group) => group !== BOOTSTRAPPERS) })),
  },
  {
    id: 'any-secret-is-a-bootstrap-token',
    breaks: ['BOOTSTRAP-TOKEN-02'],
    sentence: 'A secret makes a bootstrap token whatever its type is.',
    defect: () => taking((secret, { id }) => isOf(secret, id) && secret.metadata.name === `bootstrap-token-${id}`),
  },
  {
    id: 'bootstrap-tokens-of-any-length',
    breaks: ['BOOTSTRAP-TOKEN-03'],
    sentence: 'The parts of a bootstrap token may be of any length.',
    defect: () => taking((secret, { id }) => isToken(secret) && isOf(secret, id)),
  },
  {
    id: 'bootstrap-token-with-more-behind-it',
    breaks: ['BOOTSTRAP-TOKEN-03'],
    sentence: 'What follows the form of a bootstrap token is overlooked.',
    defect: () => ({
      authenticator: (inner) => ({
        name: inner.name,
        authenticate: (request) => {
          const form = /^[a-z0-9]{6}\.[a-z0-9]{16}(?!.*\..*\.)/.exec(tokenOf(request))?.[0];
          if (form === undefined) return inner.authenticate(request);
          const headers = { ...request.headers, authorization: `Bearer ${form}` };
          return inner.authenticate(changedRequest(request, { headers }));
        },
      }),
    }),
  },
  {
    id: 'bootstrap-tokens-cannot-be-switched-off',
    breaks: ['BOOTSTRAP-TOKEN-04'],
    sentence: 'Bootstrap tokens are credentials, whatever the flag says.',
    defect: () => ({ start: onOptions((options) => ({ ...options, bootstrapTokens: true })) }),
  },
  {
    id: 'bootstrap-usage-ignored',
    breaks: ['BOOTSTRAP-USAGE-01'],
    sentence: 'Every bootstrap token authenticates, whatever its usage is.',
    defect: () => taking((secret, { id }) => isToken(secret) && isOf(secret, id)),
  },
  {
    id: 'bootstrap-usage-with-a-capital',
    breaks: ['BOOTSTRAP-USAGE-01'],
    sentence: 'A bootstrap token whose usage is True authenticates.',
    defect: () =>
      taking(
        (secret, { id }) =>
          isToken(secret) && isOf(secret, id) && secretText(secret, 'usage-bootstrap-authentication') === 'True',
      ),
  },
  {
    id: 'bootstrap-extra-groups-dropped',
    breaks: ['BOOTSTRAP-GROUPS-01'],
    sentence: 'The extra groups of a bootstrap token are dropped.',
    defect: () =>
      onUser((user) => ({
        ...user,
        groups: user.groups.filter((group) => !group.startsWith(`${BOOTSTRAPPERS}:`)),
      })),
  },
  {
    id: 'bootstrap-groups-unchecked',
    breaks: ['BOOTSTRAP-GROUPS-02'],
    sentence: 'A bootstrap token may put its user into any group.',
    defect: () => taking((secret, { id }) => isToken(secret) && isOf(secret, id), extraGroups),
  },
  {
    id: 'bootstrap-tokens-live-on',
    breaks: ['BOOTSTRAP-EXPIRY-01'],
    sentence: 'A bootstrap token that was taken once is taken after its expiration.',
    defect: () => rememberingFor(({ user }) => user.username.startsWith('system:bootstrap:')),
  },
  {
    id: 'token-cleaner-sees-no-expiration',
    breaks: ['BOOTSTRAP-CLEANER-01'],
    sentence: 'Secrets of expired tokens stay.',
    defect: () => ({
      store: (store) => ({
        ...delegate(store),
        watch: (prefix, after, sink) =>
          store.watch(prefix, after, {
            ...sink,
            event: (event) => {
              const timed = event.key.includes('/bootstrap-token-') && event.type === 'put';
              sink.event(timed ? { ...event, entry: event.entry.seenAs(withoutEnd(event.entry.object)) } : event);
            },
          }),
      }),
    }),
  },
  {
    id: 'bootstrap-tokens-stay-what-they-were',
    breaks: clausesOf('BOOTSTRAP-CHANGE-01', ['expiration', 'usage', 'token-secret', 'groups']),
    sentence: 'A bootstrap token that was taken is taken for ever, with the groups of then.',
    defect: () => {
      const taken = new Map<string, Authenticated>();
      return onIdentity((answer, request) => {
        const before = taken.get(tokenOf(request));
        if (before) return before;
        if (answer && 'user' in answer && answer.user.groups.includes(BOOTSTRAPPERS))
          taken.set(tokenOf(request), answer);
        return answer;
      });
    },
  },
  {
    id: 'refused-bootstrap-tokens-stay-refused',
    breaks: clausesOf('BOOTSTRAP-CHANGE-01', ['usage-on', 'anew']),
    sentence: 'A bootstrap token that was refused once is refused for ever.',
    defect: () => {
      const none = new Set<string>();
      return onIdentity((answer, request) => {
        const token = tokenOf(request);
        if (!/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token)) return answer;
        if (!answer || !('user' in answer)) none.add(token);
        return none.has(token) ? { rejected: 'refused before' } : answer;
      });
    },
  },
  {
    id: 'cluster-info-signed-by-another-key',
    breaks: ['BOOTSTRAP-SIGNER-01'],
    sentence: 'The signatures in cluster-info are by another key than the whole token.',
    defect: () =>
      onClusterInfo((data) => {
        for (const [key, value] of signaturesIn(data)) data[key] = `${String(value).slice(0, -6)}AAAAAA`;
      }),
  },
  ...SIGNED_TEXTS.map((kind): Mutant => {
    const [sentence, found] = MISREAD[kind];
    return {
      id: `cluster-info-signed-over-other-bytes-${kind}`,
      breaks: [`BOOTSTRAP-SIGNER-01/${kind}`],
      sentence,
      defect: () =>
        onClusterInfo((data) => {
          if (!found.test(String(data.kubeconfig))) return;
          for (const [key, value] of signaturesIn(data)) data[key] = `${String(value).slice(0, -6)}AAAAAA`;
        }),
    };
  }),
  {
    id: 'signatures-stay',
    breaks: ['BOOTSTRAP-SIGNER-02'],
    sentence: 'The signature of a token that has gone stays in cluster-info.',
    defect: () => {
      const first = new Map<string, JsonObject[string]>();
      return onClusterInfo((data) => {
        for (const [key, value] of signaturesIn(data)) first.set(key, value);
        for (const [key, value] of first) data[key] = value;
      });
    },
  },
  {
    id: 'changed-cluster-info-not-signed',
    breaks: ['BOOTSTRAP-SIGNER-03'],
    sentence: 'When kubeconfig changes the signatures of the former one stay.',
    defect: () => {
      const first = new Map<string, JsonObject[string]>();
      return onClusterInfo((data) => {
        for (const [key, value] of signaturesIn(data)) {
          if (!first.has(key)) first.set(key, value);
          data[key] = first.get(key) ?? value;
        }
      });
    },
  },
  {
    id: 'cluster-info-closed-to-strangers',
    breaks: ['BOOTSTRAP-INFO-01'],
    sentence: 'Anonymous users read nothing of the API, whatever is bound to them.',
    defect: () => ({
      authorizer: (authorizer) => ({
        name: authorizer.name,
        authorize: async (attributes) => {
          const verdict = await authorizer.authorize(attributes);
          const stranger = attributes.user.username === 'system:anonymous' && attributes.isResource;
          return stranger ? { ...verdict, decision: 'noOpinion' } : verdict;
        },
      }),
    }),
  },
];
