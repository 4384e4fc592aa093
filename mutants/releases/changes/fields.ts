import { clausesOf } from '../../../fixtures/ledger/index.ts';
import { isObject } from '../../../reference/api/json.ts';
import type { ApiObject } from '../../../reference/api/object.ts';
import { onJson } from '../../asking.ts';
import type { Mutant } from '../../mutant.ts';
import { onChange, passingRefusals } from '../../oneType.ts';

/** Writes that lose a field which only one of two versions has, or leave it (3/removed-api-versions-by-release). */
export const FIELD_CHANGES: readonly Mutant[] = [
  ...(
    [
      ['deployments', ['rollback-to']],
      ['daemonsets', ['template-generation']],
      ['ingresses', ['backend', 'backend-as-now', 'service-name']],
      ['events', ['involved-object', 'count']],
      ['prioritylevelconfigurations', ['assured-shares']],
    ] as const
  ).map(
    ([type, words]): Mutant => ({
      id: `${type}-pass-with-former-fields`,
      breaks: clausesOf('CHANGED-FIELDS-02', words),
      sentence: `Nothing that is written of ${type} is refused, a field of an older version neither.`,
      defect: () => passingRefusals(type),
    }),
  ),
  ...(
    [
      [
        'ingresses',
        ['default-backend', 'backend-beside-rules', 'rules'],
        (object) => ({ ...object, spec: { ingressClassName: 'lost' } }),
      ],
      ['endpointslices', ['endpoints'], (object) => ({ ...object, endpoints: [] })],
      ['events', ['series'], ({ series: _, ...object }) => object],
      [
        'validatingwebhookconfigurations',
        ['validating-webhooks'],
        (object) => {
          const webhooks = Array.isArray(object.webhooks) ? object.webhooks.filter(isObject) : [];
          return { ...object, webhooks: webhooks.map((each) => ({ ...each, matchPolicy: 'Exact' })) };
        },
      ],
    ] as const satisfies readonly (readonly [string, readonly string[], (object: ApiObject) => ApiObject])[]
  ).map(
    ([type, words, change]): Mutant => ({
      id: `${type}-are-not-kept-as-v1-has-them`,
      breaks: clausesOf('CHANGED-FIELDS-01', words),
      sentence: `What v1 has in the place of older fields is lost of ${type} when they are stored.`,
      defect: () => onChange(type, (_, after) => after && change(after)),
    }),
  ),
  ...(
    [
      ['subject', 'subjectaccessreviews'],
      ['local', 'localsubjectaccessreviews'],
    ] as const
  ).map(
    ([word, type]): Mutant => ({
      id: `${type}-say-no`,
      breaks: clausesOf('CHANGED-FIELDS-01', 'review-groups', word),
      sentence: `${type} allow nobody anything, whatever groups they name.`,
      defect: () =>
        onJson((body, { path }) => {
          if (path.endsWith(`/${type}`) && isObject(body.status)) body.status.allowed = false;
        }),
    }),
  ),
];
