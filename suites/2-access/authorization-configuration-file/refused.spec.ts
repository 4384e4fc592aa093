import { groupName } from '../../../fixtures/dialects/dialect.ts';
import type { RequirementId } from '../../../fixtures/ledger/index.ts';
import { check, match, must } from '../../harness/index.ts';
import { type AuthorizerEntry, asks, byFile, CONFIG, RBAC } from '../authorizers.ts';

/** Configurations that the file must not hold, by the requirement that says so. */
const REFUSED: readonly (readonly [RequirementId, string, readonly AuthorizerEntry[], object?])[] = [
  ['AUTHZCONF-FILE-01', 'another kind', [RBAC], { kind: 'AuthenticationConfiguration' }],
  ['AUTHZCONF-FILE-01', 'another group', [RBAC], { apiVersion: 'example.com/v1' }],
  ['AUTHZCONF-FILE-01', 'a version that there is not', [RBAC], { apiVersion: 'apiserver.config.k8s.io/v9' }],
  ['AUTHZCONF-FILE-01', 'no version', [RBAC], { apiVersion: '' }],
  ['AUTHZCONF-FILE-01', 'no kind', [RBAC], { kind: '' }],
  ['AUTHZCONF-TYPE-01', 'an unknown type', [{ type: 'Touchstone', name: 'touchstone' }]],
  ['AUTHZCONF-TYPE-01', 'an authorizer without a type', [{ name: 'rbac' }]],
  ['AUTHZCONF-TYPE-01', 'a type in the wrong case', [{ type: 'rbac', name: 'rbac' }]],
  ['AUTHZCONF-TYPE-02', 'the mode AlwaysDeny as a type', [{ type: 'AlwaysDeny', name: 'alwaysdeny' }]],
  ['AUTHZCONF-TYPE-01', 'a webhook without its settings', [{ type: 'Webhook', name: 'first' }]],
  ['AUTHZCONF-NAME-01', 'a name with a space', [asks('first', {}, 'a b')]],
  ['AUTHZCONF-NAME-01', 'a name that ends with a hyphen', [asks('first', {}, 'first-')]],
  ['AUTHZCONF-NAME-01', 'a second authorizer without a name', [asks('first'), asks('second', {}, '')]],
  ['AUTHZCONF-TIMEOUT-01', 'a timeout of nothing', [asks('first', { timeout: '0s' })]],
  ['AUTHZCONF-TIMEOUT-01', 'a timeout that is no time', [asks('first', { timeout: 'soon' })]],
  ['AUTHZCONF-TIMEOUT-01', 'a timeout of a minute', [asks('first', { timeout: '1m' })]],
  ['AUTHZCONF-TIMEOUT-01', 'a timeout of an hour', [asks('first', { timeout: '1h0m0s' })]],
  ['AUTHZCONF-TIMEOUT-01', 'a timeout of 30001 milliseconds', [asks('first', { timeout: '30001ms' })]],
  [
    'AUTHZCONF-TIMEOUT-01',
    'a second webhook with too long a timeout',
    [asks('first'), asks('second', { timeout: '31s' })],
  ],
  ['AUTHZCONF-TIMEOUT-01', 'a timeout just above 30 seconds', [asks('first', { timeout: '30.001s' })]],
  [
    'AUTHZCONF-TIMEOUT-01',
    'a second webhook without a timeout',
    [asks('first'), asks('second', { timeout: undefined })],
  ],
  [
    'AUTHZCONF-VERSION-01',
    'a version of reviews with its group',
    [asks('first', { subjectAccessReviewVersion: 'authorization.k8s.io/v1' })],
  ],
  [
    'AUTHZCONF-VERSION-02',
    'no version of reviews for conditions',
    [asks('first', { matchConditionSubjectAccessReviewVersion: undefined })],
  ],
  ['AUTHZCONF-FAILURE-01', 'a failure policy in the wrong case', [asks('first', { failurePolicy: 'deny' })]],
  ['AUTHZCONF-CONNECTION-02', 'no connection', [asks('first', { connectionInfo: undefined })]],
  ['AUTHZCONF-CONNECTION-02', 'a connection without a type', [asks('first', { connectionInfo: {} })]],
  [
    'AUTHZCONF-CONNECTION-02',
    'a connection by a file without a type',
    [asks('first', {}, 'first', { type: undefined })],
  ],
  ['AUTHZCONF-CONDITION-01', 'a match condition over claims', [asks('first', conditions("claims.sub == 'ada'"))]],
  ['AUTHZCONF-CONDITION-01', 'a match condition over no expression', [asks('first', conditions(''))]],
  [
    'AUTHZCONF-CONDITION-01',
    'a match condition over a field that there is not',
    [asks('first', conditions("request.touchstone == 'a'"))],
  ],
  ['AUTHZCONF-TYPE-02', 'an authorizer that always allows', [{ type: 'AlwaysAllow', name: 'alwaysallow' }]],
  ['AUTHZCONF-TYPE-02', 'an authorizer that always denies', [RBAC, { type: 'AlwaysDeny', name: 'alwaysdeny' }]],
  ['AUTHZCONF-TYPE-02', 'an authorizer by a policy file', [{ type: 'ABAC', name: 'abac' }]],
  ['AUTHZCONF-NAME-01', 'an authorizer without a name', [asks('first', {}, '')]],
  ['AUTHZCONF-NAME-01', 'an RBAC authorizer without a name', [{ type: 'RBAC' }]],
  ['AUTHZCONF-NAME-01', 'a Node authorizer without a name', [{ type: 'Node' }, RBAC]],
  ['AUTHZCONF-NAME-01', 'a name that is not like a label', [asks('first', {}, 'Not a Label!')]],
  ['AUTHZCONF-TIMEOUT-01', 'a webhook without a timeout', [asks('first', { timeout: undefined })]],
  ['AUTHZCONF-TIMEOUT-01', 'a negative timeout', [asks('first', { timeout: '-1s' })]],
  ['AUTHZCONF-TIMEOUT-01', 'a timeout above 30 seconds', [asks('first', { timeout: '31s' })]],
  [
    'AUTHZCONF-VERSION-01',
    'no version of reviews',
    [asks('first'), asks('second', { subjectAccessReviewVersion: undefined })],
  ],
  ['AUTHZCONF-VERSION-01', 'an unknown version of reviews', [asks('first', { subjectAccessReviewVersion: 'v2' })]],
  [
    'AUTHZCONF-VERSION-02',
    'conditions over another version of reviews',
    [asks('first', { ...conditions('true'), matchConditionSubjectAccessReviewVersion: 'v1beta1' })],
  ],
  [
    'AUTHZCONF-VERSION-02',
    'conditions without a version of reviews',
    [asks('first', { ...conditions('true'), matchConditionSubjectAccessReviewVersion: undefined })],
  ],
  ['AUTHZCONF-FAILURE-01', 'no failure policy', [asks('first', { failurePolicy: undefined })]],
  ['AUTHZCONF-FAILURE-01', 'an unknown failure policy', [asks('first'), asks('second', { failurePolicy: 'Allow' })]],
  [
    'AUTHZCONF-CONNECTION-01',
    'a client configuration that is not there',
    [asks('first', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/touchstone/absent.json' } })],
  ],
  [
    'AUTHZCONF-CONNECTION-01',
    'a connection without its file',
    [asks('first', { connectionInfo: { type: 'KubeConfigFile' } })],
  ],
  [
    'AUTHZCONF-CONNECTION-02',
    'the connection of a pod in the cluster',
    [asks('first', { connectionInfo: { type: 'InClusterConfig' } })],
  ],
  ['AUTHZCONF-CONNECTION-02', 'an unknown connection', [asks('first', { connectionInfo: { type: 'Touchstone' } })]],
  [
    'AUTHZCONF-CONDITION-01',
    '65 match conditions',
    [asks('first', conditions(...Array.from({ length: 65 }, (_, i) => `request.user != '${i}'`)))],
  ],
  [
    'AUTHZCONF-CONDITION-01',
    'a second webhook with 65 match conditions',
    [asks('first'), asks('second', conditions(...Array.from({ length: 65 }, (_, i) => `request.user != '${i}'`)))],
  ],
  [
    'AUTHZCONF-CONDITION-01',
    'a match condition that is no CEL',
    [asks('first'), asks('second', conditions('true', 'request.user ==='))],
  ],
  ['AUTHZCONF-CONDITION-01', 'a match condition that is no bool', [asks('first', conditions('request.user'))]],
];

for (const [requirement, what, entries, more] of REFUSED) {
  check(
    `${requirement}.3/${what}`,
    `the file holds ${what} → the server does not start`,
    [requirement],
    ['launch'],
    async ({ start }) => {
      must('it is refused', await start(byFile(entries, more)), match.refusesToStart);
    },
  );
}

check(
  'AUTHZCONF-FILE-01.4',
  'the file of the flag is not there → the server does not start',
  ['AUTHZCONF-FILE-01'],
  ['launch'],
  async ({ start }) => {
    const flags = ['--authorization-config=/touchstone/absent.json'];
    must('it is refused', await start({ flags }), match.refusesToStart);
  },
);

check(
  'AUTHZCONF-NAME-03.1',
  'authorizers without settings have names of their own → the server starts',
  ['AUTHZCONF-NAME-03'],
  ['launch'],
  async ({ start }) => {
    const entries = [
      { type: 'Node', name: 'agents' },
      { type: 'RBAC', name: 'roles.of-the-cluster' },
    ];
    must('a name is for the operator to choose', await start(byFile(entries)), match.starts);
  },
);

check(
  'AUTHZCONF-FILE-04.1',
  'the file is of a version before the one of the text → the server does not start',
  ['AUTHZCONF-FILE-04'],
  ['launch'],
  async ({ start, dialect }) => {
    const apiVersion = `${groupName(dialect, 'apiserver.config')}/v1beta1`;
    must('it is refused', await start(byFile([RBAC], { apiVersion })), match.refusesToStart);
  },
);

check(
  'AUTHZCONF-TIMEOUT-01.1',
  'the file holds all that is just allowed → the server starts',
  ['AUTHZCONF-TIMEOUT-01', 'AUTHZCONF-CONDITION-01', 'AUTHZCONF-NAME-01'],
  ['launch'],
  async ({ start }) => {
    const most = conditions(...Array.from({ length: 64 }, (_, i) => `request.user != 'nobody-${i}'`));
    const entries = [
      asks('first', { timeout: '30s', ...most }, 'a-name.of-3-words'),
      asks('second', { timeout: '0.25m14s1000ms', ...most }),
      RBAC,
    ];
    must(`${CONFIG} is good`, await start(byFile(entries)), match.starts);
  },
);

function conditions(...expressions: readonly string[]) {
  return { matchConditions: expressions.map((expression) => ({ expression })) };
}
