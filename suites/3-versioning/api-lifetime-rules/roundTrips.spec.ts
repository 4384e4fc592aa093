import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { atRelease, check, clause, clausesOf, isRecord, type Kind, match, must, named } from '../../harness/index.ts';
import { overLatest } from '../overLatest.ts';
import { ingresses } from '../removed-api-versions-by-release/kinds.ts';

const container = { name: 'main', image: 'touchstone.example/none' };
const cronJobs: Kind = {
  ...ingresses,
  kind: 'CronJob',
  plural: 'cronjobs',
  prefix: 'batch',
  group: 'batch',
  specified: true,
};
const scalers: Kind = {
  ...cronJobs,
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  prefix: 'autoscaling',
  group: 'autoscaling',
};
const backend = (serviceName: string, servicePort: number | string) => ({ serviceName, servicePort });

/** A type with a version that is removed later, an object in it with one of its words, and the version that stays. */
const TRIPS = [
  {
    release: '1.21',
    kind: { ...ingresses, specified: true },
    old: 'v1beta1',
    current: 'v1',
    word: ['rules.0.http.paths.0.pathType', 'Exact'],
    optional: { older: 'backend', newer: 'defaultBackend' },
    spec: {
      backend: backend('a', 80),
      rules: [{ host: 'a.example', http: { paths: [{ path: '/', pathType: 'Exact', backend: backend('b', 'web') }] } }],
    },
  },
  {
    release: '1.24',
    kind: cronJobs,
    old: 'v1beta1',
    current: 'v1',
    word: ['concurrencyPolicy', 'Replace'],
    optional: { older: 'startingDeadlineSeconds', newer: 'startingDeadlineSeconds' },
    spec: {
      schedule: '0 3 * * *',
      suspend: true,
      startingDeadlineSeconds: 100,
      concurrencyPolicy: 'Replace',
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 0,
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [container] } } } },
    },
  },
  {
    release: '1.24',
    kind: scalers,
    old: 'v2beta2',
    current: 'v2',
    word: ['behavior.scaleDown.selectPolicy', 'Disabled'],
    optional: { older: 'behavior', newer: 'behavior' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' },
      maxReplicas: 4,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
      behavior: { scaleDown: { selectPolicy: 'Disabled', stabilizationWindowSeconds: 0 } },
    },
  },
] as const;

/** What an object is without what a write changes. */
function said(answer: { readonly json?: unknown }): Record<string, unknown> {
  const { metadata: _, status: __, ...rest } = isRecord(answer.json) ? answer.json : {};
  return rest;
}

for (const { release, kind, old, current, word, optional, spec } of TRIPS) {
  check(
    `GROUP-ROUNDTRIP-01.1/${kind.kind}/${old}`,
    `the author writes a ${kind.kind} in ${old}, and the rival writes back what each version shows → nothing is lost`,
    clausesOf('GROUP-ROUNDTRIP-01'),
    { setup: atRelease(release) },
    async ({ author, rival, dialect }) => {
      const [before, after] = [
        { ...kind, version: old, least: () => ({}) },
        { ...kind, version: current, least: () => ({}) },
      ];
      const first = await author.given(before, { ...named('a'), spec });
      must('what was given is there', first, match.at(`spec.${word[0]}`, word[1]));
      const shown = { [old]: await author.get(before, 'a'), [current]: await author.get(after, 'a') };
      const media = protobufMediaType(dialect);
      for (const [form, type] of [
        ['json', 'application/json'],
        ['protobuf', media],
      ] as const) {
        for (const [way, through] of [
          ['back-through-newer', after],
          ['back-through-older', before],
        ] as const) {
          await clause(`GROUP-ROUNDTRIP-01/${form}/${way}`, async () => {
            const written = await overLatest(
              () => rival.get(through, 'a'),
              async () => {
                const read = await rival.get(through, 'a', {}, { headers: { accept: type } });
                must(`${through.version} is shown so`, read, match.status(200), match.mediaType(type));
                const body = read.received?.bytes ?? new Uint8Array();
                const path = await rival.pathOf(through, 'a');
                return rival.request('PUT', path, { headers: { 'content-type': type }, body });
              },
            );
            must(`${through.version} takes what it shows`, written, match.status(200));
            for (const each of [before, after]) {
              const now = said(await author.get(each, 'a'));
              must(`${each.version} shows what it did`, now, match.equal(said(shown[each.version] ?? {})));
            }
          });
        }
      }
      for (const [by, through] of [
        ['older', before],
        ['newer', after],
      ] as const) {
        await clause(`GROUP-ROUNDTRIP-01/taken-away/in-${by}`, async () => {
          await author.given(before, { ...named(by), spec });
          const taken = await overLatest(
            () => rival.get(through, by),
            (live) => {
              const { [optional[by]]: had, ...rest } = live.spec as Readonly<Record<string, unknown>>;
              must('it had it', had, match.present);
              return rival.update(through, { ...live, spec: rest });
            },
          );
          must('it is taken', taken, match.status(200));
          for (const [version, name] of [
            [before, optional.older],
            [after, optional.newer],
          ] as const) {
            const seen = await author.get(version, by);
            must(
              `${version.version} has it no more`,
              seen,
              match.status(200),
              match.field(`spec.${name}`, match.absent),
            );
          }
        });
      }
    },
  );
}
