import { FuzzServer } from '../server.ts';
import { type Draw, odd, pick, rarely } from '../values.ts';
import { onFork, type Surface } from './surface.ts';

/** Expressions by their type; what stands in braces is an expression of that type, `{any}` of any. */
const FORMS = {
  bool: [
    'true',
    '{int} < {int}',
    '{int} == {int}',
    '{string} == {string}',
    '{string} > {string}',
    '{list} == {list}',
    '{string}.contains({string})',
    '{string}.startsWith({string})',
    '{string}.matches({pattern})',
    '{list}.exists(x, x > {int})',
    '{list}.all(x, x in {list})',
    '{list}.exists_one(x, {bool})',
    '{list}.map(x, {list}.map(y, x * y)).all(z, z.size() > {int})',
    '{int} in {list}',
    "'a' in object.data",
    'has(object.data)',
    '!{bool}',
    '({bool} && {bool})',
    '({bool} || {bool})',
    '({bool} ? {bool} : {bool})',
    '{time} < {time}',
    '{quantity}.isGreaterThan({quantity})',
    'isQuantity({string})',
    'isURL({string})',
    'isIP({string})',
    'isCIDR({string})',
    'isSemver({string})',
    'sets.contains({list}, {list})',
    'dyn({any}) == dyn({any})',
    "format.named('dns1123Label').value().validate({string}).hasValue()",
    'variables.v == {any}',
    "authorizer.path({string}).check('get').allowed()",
    "authorizer.group({string}).resource('pods').namespace({string}).check({string}).allowed()",
    'object.?data[?{string}].hasValue()',
  ],
  int: [
    '0',
    '1',
    '-1',
    '9223372036854775807',
    '-9223372036854775808',
    '{int} + {int}',
    '{int} - {int}',
    '{int} * {int}',
    '{int} / {int}',
    '{int} % {int}',
    '-({int})',
    'size({string})',
    'size({list})',
    '{string}.indexOf({string}, {int})',
    '{list}.indexOf({int})',
    '{list}.sum()',
    '{list}.max()',
    '{list}[{int}]',
    'int({string})',
    'int({double})',
    'int({time})',
    '{time}.getDayOfYear({zone})',
    'duration({string}).getHours()',
    '{quantity}.asInteger()',
    "cidr('10.0.0.0/8').prefixLength()",
    "semver('1.2.3').major()",
    'object.?data.a.orValue("").size()',
    '[{int}, {int}].min()',
  ],
  double: ['0.0', '1e308', 'double({int})', 'double({string})', '{double} / {double}', '-{double}', '{double} * 1e300'],
  string: [
    '""',
    '"a"',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
    '"\\U0001F431é\\u0000"',
    'object.metadata.name',
    "object.data['a']",
    'request.userInfo.username',
    '{string} + {string}',
    'string({int})',
    'string({double})',
    'string({time})',
    'string({quantity}.compareTo({quantity}))',
    '{string}.replace({string}, {string}, {int})',
    '{string}.substring({int}, {int})',
    '{string}.charAt({int})',
    '{string}.lowerAscii()',
    '{string}.find({pattern})',
    '{string}.split({string}, {int}).join({string})',
    "'%s %d %.3f %x %b %e'.format([{any}, {int}, {double}, {string}, {int}, {double}])",
    'url({string}).getEscapedPath()',
    "authorizer.group('').resource({string}).check('get').reason()",
  ],
  list: [
    '[]',
    '[1, 2, 3]',
    '[{int}, {int}]',
    '{list} + {list}',
    '{list}.map(x, x + {int})',
    '{list}.map(x, {bool}, x * x)',
    '{list}.filter(x, {bool})',
    '[{list}, {list}].map(x, x.size())',
    '{string}.split({string}).map(x, size(x))',
    'lists.range({int})',
  ],
  time: ["timestamp('2024-01-01T00:00:00Z')", 'timestamp({string})', '{time} + duration({string})', 'timestamp({int})'],
  quantity: ["quantity('1Gi')", 'quantity({string})', '{quantity}.add({int})', '{quantity}.sub({quantity})'],
  pattern: ["'a*'", "'(a+)+$'", "'(a|a)*b'", "'a{1000}{1000}'", "'('", "'\\\\d+'", "'(?i)A'", '{string}'],
  zone: ["'UTC'", "'-25:99'", "'Nowhere/City'", "'02:00'", '{string}'],
  any: [
    '{int}',
    '{string}',
    '{bool}',
    '{list}',
    '{double}',
    'null',
    '{}',
    "{'a': {int}}",
    'object',
    'type({int})',
    'b"\\xff"',
    '1u',
  ],
} as const;
type Form = keyof typeof FORMS;
const HOLE = new RegExp(`\\{(${Object.keys(FORMS).join('|')})\\}`, 'g');

/** An expression of a type, and now and then one of another or text that is none. */
function expression(draw: Draw, type: Form = 'bool', depth = 0): string {
  const wanted = rarely(draw, 150) ? pick(draw, Object.keys(FORMS) as Form[]) : type;
  const forms: readonly string[] = FORMS[wanted];
  // The simple ones stand first, and what is deep has to end.
  const form = depth > 4 ? (forms[0] as string) : pick(draw, forms);
  const text = form.replace(HOLE, (_, inner: Form) => expression(draw, inner, depth + 1));
  return rarely(draw, 200) ? `${text}${draw(odd)}` : text;
}

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** CEL, where a server compiles it and where it runs it. */
export const expressions: Surface = {
  name: 'expressions',
  about: 'CEL in policies, match conditions and rules of custom types: refused or run within its cost, never a fault',
  start: () => FuzzServer.start(),
  run: (draw, base) =>
    onFork(base, async (server) => {
      const text = expression(draw);
      const message = expression(draw, 'string');
      if (rarely(draw, 3)) await inDefinition(server, text, message);
      else await inPolicy(server, text, message, expression(draw, 'any'));
    }),
};

async function inPolicy(server: FuzzServer, text: string, messageExpression: string, variable: string): Promise<void> {
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
      },
      matchConditions: [{ name: 'c', expression: 'true' }],
      variables: [{ name: 'v', expression: variable }],
      validations: [{ expression: text, messageExpression }],
      auditAnnotations: [{ key: 'k', valueExpression: `string(${variable})` }],
    },
  };
  const made = await server.send({ method: 'POST', target: `${GROUP}/validatingadmissionpolicies`, body: policy });
  if (made.code !== 201) return;
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'p' },
    spec: { policyName: 'p', validationActions: ['Deny', 'Audit'] },
  };
  await server.send({ method: 'POST', target: `${GROUP}/validatingadmissionpolicybindings`, body: binding });
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', labels: { a: 'b' } },
    data: { a: 'aaaa' },
  };
  const target = '/api/v1/namespaces/default/configmaps';
  const created = await server.send({ method: 'POST', target, body: object });
  if (created.code !== 201) return;
  await server.send({ method: 'PUT', target: `${target}/a`, body: object });
  await server.send({ method: 'DELETE', target: `${target}/a` });
}

async function inDefinition(server: FuzzServer, text: string, message: string): Promise<void> {
  const onSelf = (one: string) => one.replaceAll('object', 'self');
  const plain = { rule: onSelf(text), messageExpression: onSelf(message) };
  const list = { type: 'array', maxItems: 10, items: { type: 'integer' } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              'x-kubernetes-validations': [plain],
              properties: {
                data: {
                  type: 'object',
                  additionalProperties: { type: 'string', maxLength: 30 },
                  maxProperties: 10,
                  'x-kubernetes-validations': [plain],
                },
                list: { ...list, 'x-kubernetes-validations': [plain] },
              },
            },
          },
        },
      ],
    },
  };
  const made = await server.send({ method: 'POST', target: CRDS, body: definition });
  if (made.code !== 201) return;
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    data: { a: 'b' },
    list: [1, 2],
  };
  await server.send({ method: 'POST', target: '/apis/example.com/v1/namespaces/default/things', body: object });
}
