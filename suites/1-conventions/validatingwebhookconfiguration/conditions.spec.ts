import { check, configMaps, grantHere, match, must, named, on, should } from '../../harness/index.ts';
import { install, rule, told } from './installed.ts';

const conditions = (...expressions: readonly string[]) => ({
  matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
});

check(
  'MATCHCOND-VARIABLE-01.1',
  'conditions look at object and oldObject → they are null where there is none',
  ['MATCHCOND-VARIABLE-01'],
  async ({ admin, author, services }) => {
    const rules = [rule('*')];
    const [create, update, remove] = await install(
      admin,
      services,
      { rules, ...conditions("oldObject == null && object != null && object.metadata.name == 'a'") },
      {
        rules,
        ...conditions("oldObject != null && object != null && oldObject.data.a == '1' && object.data.a == '2'"),
      },
      { rules, ...conditions("object == null && oldObject != null && oldObject.data.a == '2'") },
    );
    await author.given(configMaps, named('a', { data: { a: '1' } }));
    await author.prepare((each) => each.patch(configMaps, 'a', 'merge', { data: { a: '2' } }));
    await author.prepare((each) => each.delete(configMaps, 'a'));
    const operations = [create, update, remove].map((hook) => told(hook, 'operation'));
    must('each was called for its own', operations, match.equal([['CREATE'], ['UPDATE'], ['DELETE']]));
  },
);

check(
  'MATCHCOND-VARIABLE-01.2',
  'conditions look at request → it has the attributes of the admission request',
  ['MATCHCOND-VARIABLE-01'],
  async ({ admin, author, services }) => {
    const namespace = await author.namespace();
    const holding = [
      "request.operation == 'CREATE'",
      "request.kind.kind == 'ConfigMap' && request.kind.version == 'v1' && request.kind.group == ''",
      "request.resource.resource == 'configmaps'",
      `request.namespace == '${namespace}'`,
      "request.name == 'a'",
      `request.userInfo.username == '${author.user}'`,
      "'system:authenticated' in request.userInfo.groups",
      "!has(request.subResource) || request.subResource == ''",
    ];
    const [all, other, tried] = await install(
      admin,
      services,
      conditions(...holding),
      conditions(`request.userInfo.username == 'somebody-else'`),
      conditions('request.dryRun == true', "request.name == 'tried'"),
    );
    const dryRun = await author.create(configMaps, named('tried'), { dryRun: 'All' });
    must('it is tried', dryRun, match.created);
    must('that it is a dry run too', told(tried, 'name'), match.equal(['tried']));
    must('and that it was none', await author.create(configMaps, named('tried')), match.created);
    must('holds no more', told(tried, 'name'), match.equal(['tried']));
    if (all) all.reviews.length = 0;
    must('it is created', await author.create(configMaps, named('a')), match.created);
    must('all hold', told(all, 'operation'), match.equal(['CREATE']));
    must('and what does not hold does not', other?.reviews, match.size(0));
  },
);

check(
  'MATCHCOND-VARIABLE-02.1',
  'conditions ask the authorizer → it answers for the sender of the request',
  ['MATCHCOND-VARIABLE-02'],
  async ({ admin, stranger, services, dialect }) => {
    const namespace = await admin.namespace();
    await grantHere(admin, stranger, dialect, [
      on(configMaps, dialect, 'create', 'list'),
      { ...on(configMaps, dialect, 'get'), resourceNames: ['a'] },
    ]);
    const asked = (of: string, verb: string) =>
      `authorizer.group('').resource('configmaps')${of}.check('${verb}').allowed()`;
    const may = (verb: string) => asked(`.namespace('${namespace}')`, verb);
    const hooks = await install(
      admin,
      services,
      conditions(may('create')),
      conditions(may('delete')),
      conditions("authorizer.requestResource.check('create').allowed()"),
      conditions("authorizer.requestResource.check('delete').allowed()"),
      conditions(asked(`.namespace('${namespace}').name('a')`, 'get')),
      conditions(asked(`.namespace('${namespace}').name('b')`, 'get')),
      conditions(asked(`.namespace('${namespace}').subresource('status')`, 'create')),
      conditions(asked(".namespace('default')", 'create')),
      conditions(asked('', 'create')),
    );
    const created = await should(() => stranger.create(configMaps, named('by-stranger')), match.created);
    must('the stranger may create', created);
    const called = () => hooks.map((hook) => told(hook, 'userInfo.username').length);
    must('what the stranger may holds', called(), match.equal([1, 0, 1, 0, 1, 0, 0, 0, 0]));
    must('an admin creates', await admin.create(configMaps, named('by-admin')), match.created);
    must('an admin may all of it', called(), match.equal([2, 1, 2, 1, 2, 1, 1, 1, 1]));
  },
);

for (const [title, expressions, calls] of [
  ['all are true', ['true', "object.metadata.name == 'a'"], 1],
  ['there are none', [], 1],
  ['the last is false', ['true', 'true', 'false'], 0],
] as const) {
  check(
    `MATCHCOND-ORDER-01.1/${title}`,
    `the author creates where of the conditions ${title} → the webhook is ${calls === 1 ? '' : 'not '}called`,
    ['MATCHCOND-ORDER-01'],
    async ({ admin, author, services }) => {
      const [hook] = await install(admin, services, conditions(...expressions));
      must('it is created', await author.create(configMaps, named('a')), match.created);
      must('the webhook was called as they say', hook?.reviews, match.size(calls));
    },
  );
}

/** Compiles, and fails for the config map `a`, which has no such member. */
const ERROR = "object.metadata.name != 'a' || object.data.absent == 'x'";

for (const expressions of [
  [ERROR, 'false'],
  ['false', ERROR],
  ['true', ERROR, 'false'],
]) {
  check(
    `MATCHCOND-ORDER-02.1/${expressions.map((each) => (each === ERROR ? 'error' : each)).join(', ')}`,
    `conditions ${expressions.map((each) => (each === ERROR ? 'error' : each)).join(', ')}, under Fail → the webhook is skipped`,
    ['MATCHCOND-ORDER-02'],
    async ({ admin, author, services }) => {
      const [hook] = await install(admin, services, { failurePolicy: 'Fail', ...conditions(...expressions) });
      must('the request passes', await author.create(configMaps, named('a')), match.created);
      must('the webhook was not called', hook?.reviews, match.size(0));
    },
  );
}

for (const [policy, outcome] of [
  ['Fail', match.error],
  ['Ignore', match.created],
] as const) {
  check(
    `MATCHCOND-ORDER-03.1/${policy}`,
    `a condition errors and none is false, under ${policy} → ${policy === 'Fail' ? 'the request fails' : 'the request passes'}, and no call`,
    ['MATCHCOND-ORDER-03'],
    async ({ admin, author, services }) => {
      const [hook] = await install(admin, services, { failurePolicy: policy, ...conditions('true', ERROR) });
      must('it goes by the policy', await author.create(configMaps, named('a')), outcome);
      must('the webhook was not called', hook?.reviews, match.size(0));
    },
  );
}
