import type { Row } from '../../covering/covering.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { RowArea, RowSteps } from '../rowArea.ts';
import type { Step, Who } from '../step.ts';
import { accountSubject, give, groupSubject, post, remove, userSubject } from './people.ts';
import { makeAccount, makeToken, objectOfRow, REQUESTS, requestBy, tokenReview } from './requests.ts';

const SOUND = ['good', 'remade-before', 'other-gone'];
const BENT = ['bent-first', 'bent-last', 'dotted', 'doubled'];
const GOING = ['account-gone', 'account-remade', 'secret-gone', 'secret-remade', 'pod-gone', 'pod-remade'];
const BROKEN = [...BENT, 'other-audience', ...GOING];
const MADE = ['requested', 'bound-to-secret', 'bound-to-pod'];
const RIGHTS = ['none', 'all'];

const PODS = '/api/v1/namespaces/{ns}/pods';
const SECRETS = '/api/v1/namespaces/{ns}/secrets';
const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';

const makeSecret = (name: string): Step => post(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });
const makePod = (name: string, serviceAccountName: string): Step =>
  post(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { serviceAccountName, containers: [{ name: 'c', image: 'i' }] },
  });
/** Accounts, one for each sort of token, state and right; bent tokens are those of good ones. */
const accountOf = ({ made = '', state = '', right = '' }: Row): string =>
  `a-${made}-${BENT.includes(state) ? 'good' : state}-${right}`;

function shared(): readonly Step[] {
  const states = [...SOUND, ...BROKEN].filter((state) => !BENT.includes(state));
  const sorts = RIGHTS.flatMap((right) => MADE.flatMap((made) => states.map((state) => ({ right, made, state }))));
  const some = sorts.filter(
    ({ right, made, state }) =>
      (right === 'all' || SOUND.includes(state)) &&
      (!state.startsWith('secret-') || made === 'bound-to-secret') &&
      (!state.startsWith('pod-') || made === 'bound-to-pod'),
  );
  const all: readonly JsonObject[] = some.flatMap((sort) =>
    sort.right === 'all' ? [accountSubject(accountOf(sort))] : [],
  );
  return [
    makeAccount('beside'),
    ...some.flatMap(lifeOf),
    remove(`${ACCOUNTS}/beside`),
    ...give(
      '{id}-all',
      [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ],
      all,
    ),
    ...give(
      '{id}-acted',
      [{ verbs: ['get', 'list', 'create'], apiGroups: [''], resources: ['configmaps'] }],
      [userSubject('{id}-ben'), groupSubject('{id}-team')],
    ),
  ];
}

/** An account and its token, from the beginning to the state that it is to be in. */
function lifeOf(sort: { readonly made: string; readonly state: string; readonly right: string }): readonly Step[] {
  const name = accountOf(sort);
  const { made, state } = sort;
  const reference = (kind: string): JsonObject => ({ boundObjectRef: { apiVersion: 'v1', kind, name } });
  const bound = made === 'bound-to-secret' ? reference('Secret') : made === 'bound-to-pod' ? reference('Pod') : {};
  const object = made === 'bound-to-secret' ? [makeSecret(name)] : made === 'bound-to-pod' ? [makePod(name, name)] : [];
  const item = made === 'bound-to-pod' ? `${PODS}/${name}?gracePeriodSeconds=0` : `${SECRETS}/${name}`;
  const account = `${ACCOUNTS}/${name}`;
  return [
    makeAccount(name),
    ...(state === 'remade-before' ? [remove(account), makeAccount(name)] : []),
    ...object,
    makeToken(name, name, { ...bound, ...(state === 'other-audience' ? { audiences: ['elsewhere', '{id}'] } : {}) }),
    ...(state.startsWith('account-') ? [remove(account)] : []),
    ...(state === 'account-remade' ? [makeAccount(name)] : []),
    ...(/^(secret|pod)-/.test(state) ? [remove(item)] : []),
    ...(/^(secret|pod)-remade/.test(state) ? object : []),
  ];
}

function stepsOf(row: Row, at: string): RowSteps {
  const { state = '', request = '', acting = 'no' } = row;
  const token = tokenIn(state, `<<${accountOf(row)}.status.token>>`);
  const groups = acting === 'group' ? ['{id}-team'] : [];
  const as: Who = {
    token,
    ...(acting === 'no' ? {} : { acting: { user: acting === 'user' ? '{id}-ben' : '{id}-cem', groups } }),
  };
  const name = `{id}-${at}`;
  const step = request === 'token-review' ? tokenReview(token) : requestBy(request, as, name);
  const needs = step.method !== 'POST' && step.path.includes(name);
  return {
    prepare: needs ? [objectOfRow(name)] : [],
    ask: [{ ...step, question: request }],
    change: [],
    again: [],
  };
}

function tokenIn(state: string, token: string): string {
  if (state === 'bent-first') return `x${token}`;
  if (state === 'bent-last') return `${token}x`;
  if (state === 'dotted') return `${token}.`;
  return state === 'doubled' ? `${token}${token}` : token;
}

/** Tokens of accounts in each state, shown with requests of every kind, by themselves and to act as somebody. */
export const CREDENTIALS: RowArea = {
  name: 'credentials',
  together: 240,
  crossing: {
    dimensions: {
      state: [...SOUND, ...BROKEN],
      made: MADE,
      request: [...Object.keys(REQUESTS), 'token-review'],
      acting: ['no', 'user', 'group'],
      right: RIGHTS,
    },
    deeply: [['request', 'acting']],
    ends: [
      { at: { state: BROKEN }, with: [['state', 'request'], ['made'], ['acting']] },
      { at: { right: ['none'] }, with: [['request'], ['made']] },
    ],
    never: [
      { state: ['secret-gone', 'secret-remade'], made: ['requested', 'bound-to-pod'] },
      { state: ['pod-gone', 'pod-remade'], made: ['requested', 'bound-to-secret'] },
      { request: ['token-review'], acting: ['user', 'group'] },
    ],
  },
  plain: { state: 'good', made: 'requested', request: 'self', acting: 'no', right: 'all' },
  shared: shared(),
  steps: stepsOf,
  names: [
    [{ state: BENT }, 'IDENTITY-BEARER-03', 'SATOKEN-SIGNATURE-01'],
    [{ state: ['other-audience'] }, 'SATOKEN-CREATE-01'],
    [{ state: [...GOING, 'remade-before', 'other-gone'] }, 'SATOKEN-REVOKE-01'],
    [{ state: BROKEN }, 'REQUEST-STAGES-01', 'ERROR-UNAUTHENTICATED-01'],
    [{ made: ['bound-to-secret', 'bound-to-pod'] }, 'SATOKEN-IDENTITY-01'],
    [{ acting: ['user', 'group'] }, 'AUTHZ-IMPERSONATE-01', 'AUTHZ-IMPERSONATE-02'],
    [{ request: ['token-review'] }, 'TOKENREVIEW-SERVED-01'],
    [{ right: ['none'] }, 'AUTHZ-DEFAULT-01', 'ERROR-FORBIDDEN-01', 'REVIEW-PERMISSION-01'],
    [{ request: ['rights-of-self', 'rights-of-other', 'rights-here'] }, 'REVIEW-SELF-01', 'REVIEW-PERMISSION-01'],
    [{ request: ['health', 'alive', 'ready'] }, 'HEALTH-ACCESS-01'],
  ],
  usual: ['SATOKEN-IDENTITY-01'],
};
