import {
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  defineType,
  type Json,
  type JsonObject,
  type Kind,
  leases,
  match,
  must,
  named,
  objectIn,
  secrets,
  serviceAccounts,
  webhookConfigurations,
} from '../../harness/index.ts';
import { services } from '../server-side-apply-rules/services.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';
import { warningsNaming } from './warnings.ts';

const UNKNOWN = { data: { a: '1' }, touchstoneUnknown: 'x', touchstoneOther: 1 };
check(
  'FIELDS-TYPE-01.1',
  'the author writes a value of another type → 4xx, whatever is asked',
  ['FIELDS-TYPE-01'],
  async ({ author }) => {
    for (const fieldValidation of [undefined, 'Ignore', 'Warn', 'Strict']) {
      const created = await author.create(configMaps, named('bad', { data: { a: 1 } as never }), { fieldValidation });
      must('a number is no string', created, match.refusal);
    }
    must('nothing is stored', await author.get(configMaps, 'bad'), match.status(404));
    const metadata = { name: 'doc', labels: { a: '1' }, annotations: { a: '1' } };
    const live = await author.given(configMaps, { metadata, data: { a: '1' } });
    for (const map of ['/metadata/labels', '/metadata/annotations', '/data'])
      for (const value of [7, true, ['a'], {}])
        for (const [op, key] of [
          ['add', 'b'],
          ['replace', 'a'],
        ] as const) {
          const patched = await author.patch(configMaps, 'doc', 'json', [{ op, path: `${map}/${key}`, value }]);
          must(`${op} of ${JSON.stringify(value)} in ${map}`, patched, match.refusal);
        }
    must('nothing changes', await author.get(configMaps, 'doc'), match.body(live));
  },
);

check(
  'FIELDS-TYPE-01.2',
  'the author writes values of other types to a custom object → 4xx, and nothing is stored',
  ['FIELDS-TYPE-01'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const types = ['integer', 'number', 'string', 'boolean', 'array', 'object'] as const;
    const properties = Object.fromEntries(
      types.map((type) => [type, type === 'array' ? { type, items: { type: 'string' } } : { type }]),
    );
    const things = await defineType(author, dialect, () => ({ type: 'object', properties }));
    const sound = { integer: 1, number: 1.5, string: '1', boolean: true, array: ['1'], object: {} };
    must('each takes its own', await author.create(things, { ...named('sound'), ...sound }), match.created);
    const fits: Readonly<Record<string, readonly string[]>> = { integer: ['integer', 'number'] };
    for (const [has, value] of Object.entries({ ...sound, fraction: 2.5 }))
      for (const type of types) {
        if ((fits[has] ?? [has === 'fraction' ? 'number' : has]).includes(type)) continue;
        const bad = { ...named('bad'), [type]: value };
        must(`${JSON.stringify(value)} as ${type}`, await author.create(things, bad), match.refusal);
      }
    must('nothing is stored', await author.get(things, 'bad'), match.status(404));
  },
);

/** The template of the least deployment, with this in the second item of a list of containers. */
function templateWith(list: string, wrong: JsonObject): JsonObject {
  const container = (name: string) => ({ name, image: 'a' });
  const spec = { containers: [container('a')], [list]: [container('a'), { ...container('b'), ...wrong }] };
  return { metadata: { labels: { app: 'touchstone' } }, spec };
}
/** Numbers, truths and texts of built-in types beside those that are looked at in every way of writing. */
const OF_BUILT_IN: readonly (readonly [kind: Kind, content: JsonObject, wrong: readonly JsonObject[]])[] = [
  [
    deployments,
    {},
    [
      ...['1', '', true, 1.5, [1]].map((replicas) => ({ spec: { replicas } })),
      ...['30', false].map((minReadySeconds) => ({ spec: { minReadySeconds } })),
      ...['true', 1].map((paused) => ({ spec: { paused } })),
      ...[
        { ports: [{ containerPort: 80 }, { containerPort: '81' }] },
        { env: [{ name: 'A', value: 7 }] },
        { args: 'a' },
        { tty: 'true' },
        { securityContext: { runAsUser: '7' } },
      ].flatMap((wrong) =>
        ['containers', 'initContainers'].map((list) => ({ spec: { template: templateWith(list, wrong) } })),
      ),
      ...[7, [], { Recreate: true }].map((strategy) => ({ spec: { strategy: { type: strategy as Json } } })),
    ],
  ],
  [
    leases,
    { spec: { leaseDurationSeconds: 15 } },
    ['15', 1.5].map((each) => ({ spec: { leaseDurationSeconds: each } })),
  ],
  [
    services,
    { spec: { clusterIP: 'None', ports: [{ name: 'a', port: 80 }] } },
    [
      ...['80', 80.5].map((port) => ({ spec: { ports: [{ name: 'a', port }] } })),
      ...['true', 1].map((publishNotReadyAddresses) => ({ spec: { publishNotReadyAddresses } })),
    ],
  ],
  [secrets, {}, [...['true', 1].map((immutable) => ({ immutable })), { data: { word: 7 } }, { type: 7 }]],
  [serviceAccounts, {}, ['true', 1].map((automountServiceAccountToken) => ({ automountServiceAccountToken }))],
];

check(
  'FIELDS-TYPE-01.3',
  'the author writes numbers and truths of built-in types as texts, and the reverse, in every way → 4xx, and nothing is stored',
  ['FIELDS-TYPE-01'],
  async ({ author, dialect }) => {
    for (const [kind, content, wrong] of OF_BUILT_IN) {
      const live = await author.given(kind, named('doc', content));
      const least = { ...kind.least(dialect), ...content } as { readonly spec?: JsonObject };
      for (const each of wrong) {
        const { spec, ...members } = each;
        const whole = { ...least, ...members, ...(spec ? { spec: { ...least.spec, ...(spec as JsonObject) } } : {}) };
        const [[member = '', value] = []] = Object.entries((spec ?? members) as JsonObject);
        const path = `/${spec ? 'spec/' : ''}${member}`;
        const answers = [
          await author.create(kind, named('bad', whole)),
          await author.update(kind, { ...live, ...whole, metadata: live.metadata }),
          await author.patch(kind, 'doc', 'merge', each),
          await author.patch(kind, 'doc', 'strategic', each),
          await author.patch(kind, 'doc', 'json', [{ op: 'add', path, value }]),
        ];
        for (const answer of answers) must(`${JSON.stringify(each)} is refused`, answer, match.refusal);
        // Which status an apply is refused with is not shown.
        const applied = await author.apply(kind, named('doc', whole), { force: true });
        must('and applied', applied, match.either(match.refusal, match.status(500)));
      }
      must('nothing is stored', await author.get(kind, 'bad'), match.status(404));
      // Others may write the status of what they look after.
      const specOf = ({ spec }: Readonly<Record<string, unknown>>) => spec ?? {};
      const now = objectIn(await author.get(kind, 'doc'));
      must('nor changed', specOf({ ...now }), match.equal(specOf({ ...live }) as JsonObject));
    }
  },
);

check(
  'FIELDS-REQUIRED-01.1',
  'the author leaves a required field out → 4xx, whatever is asked',
  ['FIELDS-REQUIRED-01'],
  async ({ author }) => {
    for (const fieldValidation of [undefined, 'Ignore', 'Warn', 'Strict']) {
      const created = await author.create(
        clusterRoleBindings,
        { ...named('bad'), roleRef: undefined },
        { fieldValidation },
      );
      must('it is required', created, match.refusal);
    }
  },
);

check(
  'FIELDS-UNKNOWN-01.2',
  'the author writes unknown fields → they are dropped, and the rest is stored',
  ['FIELDS-UNKNOWN-01'],
  async ({ author }) => {
    const rules = [{ verbs: ['get'], nonResourceURLs: ['/x'], touchstoneDeep: true }];
    const created = await author.create(
      clusterRoles,
      named('doc', { rules: rules as never[], touchstoneUnknown: 'x' }),
    );
    must('it is created without them', created, match.created, match.field('touchstoneUnknown', match.absent));
    must('deep inside too', created, match.field('rules.0', { verbs: ['get'], nonResourceURLs: ['/x'] }));
  },
);

check(
  'FIELDS-DUPLICATE-01.1',
  'the author writes a field twice → it is stored once',
  ['FIELDS-DUPLICATE-01'],
  async ({ author }) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"twice"},"data":{"a":"1"},"data":{"a":"2"}}';
    const created = await author.request('POST', await author.pathOf(configMaps), { body });
    must('one of them is stored', created, match.created, match.field('data.a', match.oneOf('1', '2')));
  },
);

check(
  'FIELDS-IGNORE-01.1',
  'the author writes unknown fields under Ignore → stored without them, and no warning',
  ['FIELDS-IGNORE-01'],
  async ({ author }) => {
    const created = await author.create(configMaps, named('doc', UNKNOWN), { fieldValidation: 'Ignore' });
    must('it is created', created, match.created, match.field('touchstoneUnknown', match.absent));
    must('in silence', warningsNaming(created, 'touchstone'), match.empty);
  },
);

for (const fieldValidation of [undefined, 'Warn']) {
  check(
    `FIELDS-WARN-01.1/${fieldValidation ?? 'no word'}`,
    `the author writes unknown fields under ${fieldValidation ?? 'no word'} → a warning for each`,
    ['FIELDS-WARN-01'],
    async ({ author }) => {
      const created = await author.create(configMaps, named('doc', UNKNOWN), { fieldValidation });
      must('it is created', created, match.created, match.field('data', { a: '1' }));
      for (const field of ['touchstoneUnknown', 'touchstoneOther']) {
        must('one entry names the field', warningsNaming(created, field), match.size(1));
      }
    },
  );
}

check(
  'FIELDS-STRICT-01.2',
  'the author writes unknown fields under Strict → 400 that names all, and nothing is stored',
  ['FIELDS-STRICT-01', 'FIELDS-STRICT-03'],
  async ({ author }) => {
    const created = await author.create(configMaps, named('doc', UNKNOWN), { fieldValidation: 'Strict' });
    must('it is refused', created, match.status(400));
    for (const field of ['touchstoneUnknown', 'touchstoneOther']) {
      must('every offence is named', created.text.includes(field), match.equal(true));
    }
    must('nothing is stored', await author.get(configMaps, 'doc'), match.status(404));
  },
);

check(
  'FIELDS-STRICT-03.1',
  'the author writes a field twice under Strict → 400 that names it',
  ['FIELDS-STRICT-03'],
  async ({ author }) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"twice"},"immutable":true,"immutable":true}';
    const created = await author.request('POST', `${await author.pathOf(configMaps)}?fieldValidation=Strict`, { body });
    must('it is refused', created, match.status(400));
    must('it is named', created.text.includes('immutable'), match.equal(true));
  },
);

check(
  'FIELDS-STRICT-01.3',
  'the author replaces with an unknown field under Strict → 400, and nothing changes',
  ['FIELDS-STRICT-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc'));
    const written = await author.update(configMaps, { ...live, ...UNKNOWN }, { fieldValidation: 'Strict' });
    must('it is refused', written, match.status(400));
    must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
  },
);

check(
  'FIELDS-STRICT-02.1',
  'the author patches an unknown field under Strict → 400, and nothing changes',
  ['FIELDS-STRICT-02'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('doc'));
    const patched = await author.patch(configMaps, 'doc', 'merge', UNKNOWN, { fieldValidation: 'Strict' });
    must('it is refused', patched, match.status(400));
    must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
  },
);

check(
  'FIELDS-STRICT-01.4',
  'the author writes what is all known under Strict → it is stored',
  ['FIELDS-STRICT-01'],
  async ({ author }) => {
    const created = await author.create(webhookConfigurations, named('doc'), { fieldValidation: 'Strict' });
    must('there is no offence', created, match.created);
  },
);

check(
  'FIELDS-YAML-01.1',
  'the author writes YAML with unknown fields → as in JSON',
  ['FIELDS-YAML-01'],
  async ({ author }) => {
    const headers = { 'content-type': 'application/yaml' };
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: doc\ntouchstoneUnknown: x\n';
    const path = await author.pathOf(configMaps);
    must(
      'Strict refuses',
      await author.request('POST', `${path}?fieldValidation=Strict`, { headers, body }),
      match.status(400),
    );
    const created = await author.request('POST', path, { headers, body });
    must('else it is dropped', created, match.created, match.field('touchstoneUnknown', match.absent));
    must('with a warning', warningsNaming(created, 'touchstoneUnknown'), match.size(1));
  },
);

check(
  'FIELDS-VALUE-01.2',
  'the author asks for another value of fieldValidation → 4xx',
  ['FIELDS-VALUE-01'],
  async ({ author }) => {
    must(
      'there is no such value',
      await author.create(configMaps, named('doc'), { fieldValidation: 'Loose' }),
      match.refusal,
    );
  },
);
