import { clausesOf, FIELD_WRITES } from '../../../fixtures/ledger/index.ts';
import { isObject } from '../../../reference/api/json.ts';
import { badRequest } from '../../../reference/api/status.ts';
import type { Seams } from '../../../reference/seams.ts';
import { onVerbs } from '../../alter.ts';
import type { Mutant } from '../../mutant.ts';
import { mending, onType, passingRefusals, rewritten } from '../../oneType.ts';
import { withMembers } from '../../writes.ts';

interface Webhooks {
  webhooks?: {
    name?: string;
    failurePolicy?: string;
    matchPolicy?: string;
    sideEffects?: string;
    admissionReviewVersions?: string[];
  }[];
}

/** Takes webhooks from a place on for ones that fail open, unless they say how they fail. */
function failingOpen(resource: string, first: number): Seams {
  const open = (hook: unknown) => {
    if (isObject(hook)) hook.failurePolicy ??= 'Ignore';
  };
  return onType(resource, ['create', 'update', 'patch'], (call, serve) => {
    const whole = withMembers(call, [], ({ webhooks }) => {
      for (const hook of Array.isArray(webhooks) ? webhooks.slice(first) : []) open(hook);
    });
    // A JSON patch may add one by itself, behind the others.
    const added = withMembers(whole, ['webhooks'], (hooks) => {
      for (const [place, hook] of Object.entries(hooks)) if (place === '-' || Number(place) >= first) open(hook);
    });
    return serve(added);
  });
}

/** Webhook configurations that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const WEBHOOK_CHANGES: readonly Mutant[] = [
  {
    id: 'mutating-webhooks-with-side-effects',
    breaks: ['CHANGED-WEBHOOK-02'],
    sentence: 'Side effects of mutating webhooks are not looked at.',
    defect: () =>
      mending<Webhooks>('mutatingwebhookconfigurations', ['create'], ({ webhooks = [] }) => {
        for (const webhook of webhooks) webhook.sideEffects = 'None';
      }),
  },
  ...(['validating', 'mutating'] as const).flatMap((kind) =>
    (['v1beta1', 'v1'] as const).flatMap((version) =>
      (
        [
          ['have-other-defaults', 'failurePolicy', version === 'v1' ? 'Ignore' : 'Fail'],
          ['match-as-the-other', 'matchPolicy', version === 'v1' ? 'Exact' : 'Equivalent'],
        ] as const
      ).map(
        ([word, field, value]): Mutant => ({
          id: `${kind}-webhooks-of-${version}-${word}`,
          breaks: [`CHANGED-WEBHOOK-01/${kind}/${version}`, `CHANGED-WEBHOOK-01/by-default/${kind}/${version}`],
          sentence: `A ${kind} webhook of ${version} has the ${field} of the other version unless one is given.`,
          defect: () =>
            mending<Webhooks & { apiVersion?: string }>(`${kind}webhookconfigurations`, ['create'], (body) => {
              if (!body.apiVersion?.endsWith(`/${version}`)) return;
              for (const webhook of body.webhooks ?? []) webhook[field] ??= value;
            }),
        }),
      ),
    ),
  ),
  {
    id: 'older-webhooks-are-for-nothing',
    breaks: clausesOf('CHANGED-WEBHOOK-01', 'called'),
    sentence: 'A webhook of v1beta1 that is stored is called for no operation.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], async (call, serve) => {
        const answer = await serve(call);
        const { resource, version } = call.exchange.info;
        if (version !== 'v1beta1' || !resource.endsWith('webhookconfigurations')) return answer;
        return rewritten(call, answer, (object) => {
          const webhooks = Array.isArray(object.webhooks) ? object.webhooks.filter(isObject) : [];
          return { ...object, webhooks: webhooks.map((hook) => ({ ...hook, rules: [] })) };
        });
      }),
  },
  {
    id: 'mutating-webhooks-are-taken-as-they-are',
    breaks: clausesOf('CHANGED-WEBHOOK-03', 'refused'),
    sentence: 'Nothing that is written of a mutating webhook is refused.',
    defect: () => passingRefusals('mutatingwebhookconfigurations'),
  },
  {
    id: 'mutating-webhooks-fail-open',
    breaks: clausesOf('CHANGED-WEBHOOK-03', 'defaults'),
    sentence: 'The failure policy of a mutating webhook is Ignore unless one is given.',
    defect: () => failingOpen('mutatingwebhookconfigurations', 0),
  },
  {
    id: 'second-validating-webhooks-fail-open',
    breaks: clausesOf('CHANGED-WEBHOOK-05', FIELD_WRITES),
    sentence: 'The failure policy of a validating webhook behind the first is Ignore unless one is given.',
    defect: () => failingOpen('validatingwebhookconfigurations', 1),
  },
  {
    id: 'older-reviews-alone-are-refused',
    breaks: clausesOf('CHANGED-WEBHOOK-03', 'older-reviews'),
    sentence: 'A mutating webhook that takes reviews in v1beta1 alone is refused.',
    defect: () =>
      onType('mutatingwebhookconfigurations', ['create', 'update', 'patch'], async (call, serve) => {
        const text = Buffer.from(await call.exchange.request.body()).toString('utf8');
        if (text.includes('"admissionReviewVersions":["v1beta1"]')) throw badRequest('v1 is required');
        return serve(call);
      }),
  },
  {
    id: 'validating-webhooks-are-taken-as-they-are',
    breaks: clausesOf('CHANGED-WEBHOOK-04'),
    sentence: 'Nothing that is written of a validating webhook is refused.',
    defect: () => passingRefusals('validatingwebhookconfigurations'),
  },
];
