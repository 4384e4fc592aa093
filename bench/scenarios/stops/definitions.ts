import type { LoadRequest } from '../../load.ts';
import { CONFIG_MAPS } from '../scenario.ts';
import { configMap, full, list, map, post, remove, type Stop, type Stops } from './stop.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

const string = { type: 'string' };

/** A definition of a type `NAMEs.bench.example.com` whose objects have a spec of one schema. */
const definition = (name: string, spec: object, more: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${name}s.bench.example.com` },
  spec: {
    group: 'bench.example.com',
    names: { plural: `${name}s`, singular: name, kind: `K${name}`, listKind: `K${name}List` },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        ...more,
      },
    ],
  },
});
const customPath = (name: string) => `/apis/bench.example.com/v1/namespaces/default/${name}s`;
const custom = (name: string, spec: unknown) => ({
  apiVersion: 'bench.example.com/v1',
  kind: `K${name}`,
  metadata: { name: 'o' },
  spec,
});

/** A definition with as much as fits. */
const defined = (name: string, spec: object, code?: number): Stop => ({
  request: post(CRDS, definition(name, spec)),
  ...(code === undefined ? { last: [remove(`${CRDS}/${name}s.bench.example.com`)] } : { code }),
});
/** An object of a type with a schema. */
const object = (name: string, schema: object, spec: unknown, code?: number): Stop => ({
  after: [post(CRDS, definition(name, schema)), { method: 'GET', path: `${CRDS}/${name}s.bench.example.com` }],
  request: post(customPath(name), custom(name, spec)),
  ...(code === undefined ? {} : { code }),
  last: [remove(`${CRDS}/${name}s.bench.example.com`)],
});
const properties = (schema: (at: number) => object) =>
  Object.fromEntries(list((at) => [`p${at}`, schema(at)], 2_900_000) as [string, object][]);
const texts = () => ({ type: 'array', items: string });
const rule = (text: string, schema: object = texts()) => ({ ...schema, 'x-kubernetes-validations': [{ rule: text }] });

/** A policy that judges config maps of the namespace `judged`, and its binding. */
function policy(name: string, spec: object): readonly LoadRequest[] {
  const metadata = { name };
  return [
    post(POLICIES, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
        ...spec,
      },
    }),
    post(BINDINGS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, validationActions: ['Warn'] },
    }),
  ];
}
const judged = (name: string, expression: string, code?: number): Stop => ({
  after: policy(name, { validations: [{ expression }] }),
  request: post(CONFIG_MAPS, full(name)),
  ...(code === undefined ? {} : { code }),
  last: [remove(`${BINDINGS}/${name}`), remove(`${POLICIES}/${name}`)],
});

/** Definitions of types, objects of such types, policies and what they judge. */
export const DEFINITIONS: Stops = {
  'a definition of many properties': () => defined('prop', { type: 'object', properties: properties(() => string) }),
  'a definition of many properties that are required': () =>
    defined('required', {
      type: 'object',
      properties: Object.fromEntries(list((at) => [`p${at}`, string], 1_900_000) as [string, object][]),
      required: list((at) => `p${at}`, 600_000),
    }),
  'a definition of many properties with patterns': () =>
    defined('pattern', { type: 'object', properties: properties((at) => ({ ...string, pattern: `^a{1,9}${at}$` })) }),
  'a definition of many properties with defaults': () =>
    defined('default', { type: 'object', properties: properties(() => ({ ...string, default: 'd' })) }),
  'a definition of many properties with rules': () =>
    defined('ruled', {
      type: 'object',
      properties: properties(() => ({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] })),
    }),
  'a definition of many rules': () =>
    defined('rules', {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': list((at) => ({ rule: `self.a > ${at}`, message: `m${at}` }), 2_900_000),
    }),
  'a definition with one long rule': () =>
    defined(
      'long',
      rule(`self.a in [${list((at) => at, 2_900_000).join()}]`, {
        type: 'object',
        properties: { a: { type: 'integer' } },
      }),
      422,
    ),
  'a definition with a rule of many terms': () =>
    defined(
      'terms',
      rule((list((at) => `self.a != ${at}`, 2_700_000) as string[]).join(' && '), {
        type: 'object',
        properties: { a: { type: 'integer' } },
      }),
      422,
    ),
  'a definition of values of an enum': () => defined('enum', { ...string, enum: list((at) => `e${at}`) }),
  'a definition of anyOf': () =>
    defined('anyof', {
      type: 'object',
      properties: { a: string },
      anyOf: list((at) => ({ properties: { a: { pattern: `^${at}$` } } }), 2_900_000),
    }),
  'a definition of many columns': () => ({
    request: post(
      CRDS,
      definition(
        'column',
        { type: 'object', properties: { a: string } },
        {
          additionalPrinterColumns: list((at) => ({ name: `c${at}`, type: 'string', jsonPath: '.spec.a' }), 2_900_000),
        },
      ),
    ),
    last: [remove(`${CRDS}/columns.bench.example.com`)],
  }),
  'a definition of many short names': () => {
    const one = definition('short', { type: 'object' });
    return {
      request: post(CRDS, {
        ...one,
        spec: { ...one.spec, names: { ...one.spec.names, shortNames: list((at) => `s${at}`) } },
      }),
      last: [remove(`${CRDS}/shorts.bench.example.com`)],
    };
  },
  'a custom object of an open schema': () =>
    object('open', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, map('v')),
  'a custom object of a map': () => object('map', { type: 'object', additionalProperties: string }, map('v')),
  'a custom object of a list': () =>
    object(
      'list',
      texts(),
      list((at) => `t${at}`),
    ),
  'a custom object of a set': () =>
    object(
      'set',
      { ...texts(), 'x-kubernetes-list-type': 'set' },
      list((at) => `t${at}`),
    ),
  'a custom object of a list with keys': () =>
    object(
      'keyed',
      {
        type: 'array',
        items: { type: 'object', required: ['name'], properties: { name: string } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      list((at) => ({ name: `t${at}` })),
    ),
  'a custom object of unknown fields': () => object('pruned', { type: 'object', properties: { a: string } }, map('v')),
  'a custom object with defaults in a list': () =>
    object(
      'defaulted',
      {
        type: 'array',
        items: { type: 'object', properties: { a: { ...string, default: 'd' }, b: { ...string, default: 'e' } } },
      },
      // Refused as more than a server does for one object.
      list(() => ({})),
      413,
    ),
  'a custom object of wrong values': () =>
    object(
      'wrong',
      { type: 'array', items: string },
      list((at) => at),
      422,
    ),
  'a custom object against anyOf': () =>
    object(
      'any',
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { a: string },
          anyOf: Array.from({ length: 20 }, (_, at) => ({ properties: { a: { pattern: `^x{${at + 1}}y$` } } })),
        },
      },
      list(() => ({ a: `${'x'.repeat(20)}y` })),
      413,
    ),
  'a custom object against a pattern': () =>
    object('long-text', { ...string, pattern: '^(a|b)*$' }, 'ab'.repeat(1_450_000)),
  'a custom object against a pattern that tries again': () =>
    object('again', { ...string, pattern: '^(a+)+$' }, `${'a'.repeat(2_900_000)}b`, 422),
  'a custom object against a rule of each item': () =>
    object(
      'each',
      { ...texts(), items: rule("self.startsWith('t')", { ...string, maxLength: 20 }), maxItems: 1_000_000 },
      list((at) => `t${at}`),
    ),
  'a custom object against a rule over all items': () =>
    object(
      'all',
      { ...rule("self.all(x, x.startsWith('t'))"), items: { ...string, maxLength: 10 }, maxItems: 1_000_000 },
      list((at) => `t${at}`),
    ),
  'a custom object against a rule over a long text': () =>
    object('text', rule("self.matches('^(a|b)*$')", { ...string, maxLength: 3_000_000 }), 'ab'.repeat(1_450_000)),
  'a custom object against a rule that looks for text': () =>
    object(
      'looks',
      rule("!self.contains('aaaaaaaaaaaaaaaaaaab')", { ...string, maxLength: 3_000_000 }),
      'a'.repeat(2_900_000),
    ),
  'a policy over all data': () => judged('over-all', "object.data.all(k, object.data[k] != 'w')"),
  'a policy over pairs of data': () => judged('over-pairs', 'object.data.all(k, object.data.all(l, k == l || k != l))'),
  'a policy of many validations': () => ({
    request: policy('many-validations', {
      validations: list((at) => ({ expression: `object.metadata.name != 'n${at}'` }), 2_900_000),
    })[0] as LoadRequest,
    last: [remove(`${POLICIES}/many-validations`)],
  }),
  'what a policy of 10,000 validations judges': () => ({
    after: policy('thousands', {
      validations: Array.from({ length: 10_000 }, (_, at) => ({ expression: `object.metadata.name != 'n${at}'` })),
    }),
    request: post(CONFIG_MAPS, configMap('of-thousands', {})),
    last: [remove(`${BINDINGS}/thousands`), remove(`${POLICIES}/thousands`)],
  }),
  'a policy of many resource rules': () => ({
    request: policy('many-rules', {
      matchConstraints: {
        resourceRules: list((at) => ({
          apiGroups: [`g${at}`],
          apiVersions: ['v1'],
          operations: ['CREATE'],
          resources: ['r'],
        })),
      },
      validations: [{ expression: 'true' }],
    })[0] as LoadRequest,
    last: [remove(`${POLICIES}/many-rules`)],
  }),
  'a policy of a long selector': () => ({
    request: policy('selecting', {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
        objectSelector: { matchExpressions: list((at) => ({ key: `k${at}`, operator: 'Exists' })) },
      },
      validations: [{ expression: 'true' }],
    })[0] as LoadRequest,
    last: [remove(`${POLICIES}/selecting`)],
  }),
  'many webhooks': () => ({
    request: post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'hooks' },
      webhooks: list((at) => ({
        name: `h${at}.example.com`,
        clientConfig: { url: 'https://example.com' },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        rules: [{ apiGroups: ['none'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['r'] }],
      })),
    }),
  }),
  'a small write beside many webhooks': () => ({
    request: post(CONFIG_MAPS, configMap('beside-hooks', {})),
    last: [remove('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/hooks')],
  }),
};
