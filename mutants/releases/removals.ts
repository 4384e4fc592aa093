import { isDeepStrictEqual } from 'node:util';
import {
  clausesOf,
  ENCODED_WRITES,
  FIELD_WRITES,
  ITEM_VERBS,
  PROBING_VERBS,
  WORKLOADS,
} from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { badRequest } from '../../reference/api/status.ts';
import type { TypeVersion } from '../../reference/contracts/resourceType.ts';
import type { Seams } from '../../reference/seams.ts';
import { onApplies, onVerbs, withBody, withQuery, withText } from '../alter.ts';
import { coding, hiding, onFrames, onJson, onSpec } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { mending, onChange, onType, rewritten, showing, storedOf } from '../oneType.ts';
import { reading } from '../startFlags.ts';
import { passing, withMembers } from '../writes.ts';

interface Spec {
  spec?: { [field: string]: unknown };
}

interface Webhooks {
  webhooks?: { name?: string; failurePolicy?: string; sideEffects?: string; admissionReviewVersions?: string[] }[];
}

interface Signing {
  spec?: { usages?: string[]; signerName?: string };
  status?: { conditions?: { type?: string; status?: string }[]; certificate?: string };
}

interface Path {
  pathType?: string;
  backend?: { service?: { port?: { name?: string } } };
}
interface Paths {
  spec?: { rules?: { http?: { paths?: Path[] } }[] };
}

const hasStatus = ({ subresources }: TypeVersion): boolean => subresources.some(({ form }) => form === 'status');

/** Puts something into the `spec` of what is created, where nothing is. */
function filling(resource: string, field: string, value: (spec: Record<string, unknown>) => unknown): Seams {
  return mending<Spec>(resource, ['create'], ({ spec }) => {
    if (spec && spec[field] === undefined) spec[field] = value(spec);
  });
}

/** Lets a group as discovery tells it name one version more. */
function withBeta(group: unknown): void {
  if (!isObject(group) || !Array.isArray(group.versions)) return;
  group.versions.push({ groupVersion: `${group.name}/v1beta1`, version: 'v1beta1' });
}

/** A selector that is not empty and yet selects everything. */
const EVERY_POD = { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] };

/** Shows the endpoints of slices otherwise in one version. */
function onEndpoints(version: string, change: (endpoint: JsonObject) => void): Seams {
  const path = new RegExp(`^/apis/discovery\\.[^/]+/${version}/.*/endpointslices/.`);
  return onJson(({ endpoints }, request) => {
    if (!path.test(request.path) || !Array.isArray(endpoints)) return;
    for (const endpoint of endpoints) if (isObject(endpoint)) change(endpoint);
  });
}

const labelsOfTemplate = ({ template }: Record<string, unknown>) => ({
  matchLabels: (template as { metadata: { labels: object } }).metadata.labels,
});

/** Shows another `spec` than the one that is stored. */
function showingSpec(resource: string, change: (spec: JsonObject) => JsonObject): Seams {
  return showing(resource, ['create', 'get'], (object) => ({ ...object, spec: change(object.spec as JsonObject) }));
}

/** What is written to a subresource of a signing request, mended before it is looked at. */
function mendingStatus(mend: (status: NonNullable<Signing['status']>) => void): Seams {
  return onVerbs(['update', 'patch'], (call, serve) => {
    const { type, subresource } = call.endpoint;
    if (type.resource !== 'certificatesigningrequests' || !subresource) return serve(call);
    return serve(withBody(call, (body) => mend((body as Signing).status ?? {})));
  });
}

/** Whatever writes an object of a type, its `spec` otherwise. */
function mendingSpec(resource: string, mend: (spec: JsonObject) => void): Seams {
  return onType(resource, ['create', 'update', 'patch'], (call, serve) =>
    serve(
      withMembers(call, [], ({ spec }) => {
        if (isObject(spec)) mend(spec);
      }),
    ),
  );
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

/** Answers writes that are refused as if they were done. */
function passingRefusals(
  resource: string,
  verbs: readonly ('create' | 'update' | 'patch')[] = ['create', 'update', 'patch'],
  subresources = false,
): Seams {
  return onVerbs(verbs, (call, serve) => {
    const { type, subresource } = call.endpoint;
    return type.resource === resource && (!subresource || subresources) ? passing(call, serve) : serve(call);
  });
}

/** Versions that still behave as the ones they replaced (3/removed-api-versions-by-release). */
export const REMOVALS: readonly Mutant[] = [
  {
    id: 'shares-of-zero-are-unset',
    breaks: ['CHANGED-FLOWCONTROL-01'],
    sentence: 'An explicit 0 of nominalConcurrencyShares becomes the default.',
    defect: () =>
      mending<{ spec?: { limited?: { nominalConcurrencyShares?: number } } }>(
        'prioritylevelconfigurations',
        ['create'],
        ({ spec }) => {
          if (spec?.limited?.nominalConcurrencyShares === 0) delete spec.limited.nominalConcurrencyShares;
        },
      ),
  },
  {
    id: 'slices-lose-their-zones',
    breaks: ['CHANGED-ENDPOINTSLICE-01'],
    sentence: 'The zone of an endpoint is not kept.',
    defect: () =>
      mending<{ endpoints?: { zone?: string }[] }>('endpointslices', ['create'], ({ endpoints = [] }) => {
        for (const endpoint of endpoints) delete endpoint.zone;
      }),
  },
  {
    id: 'slices-show-a-topology',
    breaks: clausesOf('CHANGED-ENDPOINTSLICE-03'),
    sentence: 'Each endpoint is shown with a topology by either name.',
    defect: () =>
      onJson(({ kind, endpoints }) => {
        if (kind !== 'EndpointSlice' || !Array.isArray(endpoints)) return;
        for (const each of endpoints) if (isObject(each)) Object.assign(each, { topology: {}, deprecatedTopology: {} });
      }),
  },
  {
    id: 'events-without-action',
    breaks: ['CHANGED-EVENT-01'],
    sentence: 'An event of the events group needs no action.',
    defect: () =>
      mending<{ action?: string }>('events', ['create'], (event) => {
        event.action ??= 'Something';
      }),
  },
  {
    id: 'events-with-a-series-have-a-count',
    breaks: ['CHANGED-EVENT-01'],
    sentence: 'A new event of the events group may have a deprecatedCount where it has a series.',
    defect: () =>
      mending<{ series?: object; deprecatedCount?: number }>('events', ['create'], (event) => {
        if (event.series) delete event.deprecatedCount;
      }),
  },
  {
    id: 'events-forget-their-count',
    breaks: ['CHANGED-EVENT-02'],
    sentence: 'The events group does not show how often an older event was seen.',
    defect: () => showing('events', ['get'], ({ deprecatedCount: _, ...event }) => event),
  },
  {
    id: 'watched-events-of-the-core-group-lack-their-object',
    breaks: ['CHANGED-EVENT-02'],
    sentence: 'Watches of events of the core group do not show what an event is about.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object) && object.kind === 'Event') delete object.involvedObject;
      }),
  },
  {
    id: 'removed-events-have-their-core-names',
    breaks: ['CHANGED-EVENT-02'],
    sentence: 'The last event of an event of the events group tells its note as message.',
    defect: () =>
      onFrames(({ type, object }) => {
        if (type !== 'DELETED' || !isObject(object) || object.note === undefined) return;
        object.message = object.note;
        delete object.note;
      }),
  },
  {
    id: 'mutating-webhooks-with-side-effects',
    breaks: ['CHANGED-WEBHOOK-02'],
    sentence: 'Side effects of mutating webhooks are not looked at.',
    defect: () =>
      mending<Webhooks>('mutatingwebhookconfigurations', ['create'], ({ webhooks = [] }) => {
        for (const webhook of webhooks) webhook.sideEffects = 'None';
      }),
  },
  {
    id: 'definitions-are-namespaced-unasked',
    breaks: ['CHANGED-DEFINITION-01'],
    sentence: 'A definition without scope is of namespaced objects.',
    defect: () => filling('customresourcedefinitions', 'scope', () => 'Namespaced'),
  },
  {
    id: 'definitions-take-older-fields',
    breaks: ['CHANGED-DEFINITION-02'],
    sentence: 'What a definition of v1beta1 said for all versions is passed over, even where fields are checked.',
    defect: () =>
      mending<Spec>('customresourcedefinitions', ['create'], ({ spec }) => {
        for (const field of ['version', 'validation', 'subresources', 'additionalPrinterColumns']) delete spec?.[field];
      }),
  },
  {
    id: 'later-versions-of-definitions-have-the-columns-of-the-first',
    breaks: ['CHANGED-DEFINITION-02'],
    sentence: 'Each version of a definition has the printer columns of the first one.',
    defect: () =>
      mendingSpec('customresourcedefinitions', ({ versions }) => {
        const [first, ...others] = Array.isArray(versions) ? versions.filter(isObject) : [];
        for (const each of others)
          if (first?.additionalPrinterColumns) each.additionalPrinterColumns = first.additionalPrinterColumns;
      }),
  },
  {
    id: 'statuses-are-left-out-in-versions-beside-one-with-a-status',
    breaks: clausesOf('CHANGED-DEFINITION-02', 'without-a-status'),
    sentence: 'A version without a status leaves a status out, where another version of the type has one.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], (call, serve) => {
        const { type, version, subresource } = call.endpoint;
        const besideOne = !hasStatus(version) && [...type.versions.values()].some(hasStatus);
        if (subresource !== undefined || !besideOne) return serve(call);
        return serve(withMembers(call, [], (members) => void delete members.status));
      }),
  },
  {
    id: 'statuses-are-written-in-versions-beside-one-without-a-status',
    breaks: clausesOf('CHANGED-DEFINITION-02', 'with-a-status'),
    sentence: 'A status is a field as any other, where a version of the type has none apart.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], async (call, serve) => {
        const { type, version, subresource } = call.endpoint;
        const besideNone = hasStatus(version) && [...type.versions.values()].some((each) => !hasStatus(each));
        if (subresource !== undefined || !besideNone || !type.custom) return serve(call);
        let status: JsonObject[string] | undefined;
        const heard = withMembers(call, [], (members) => {
          status = members.status ?? status;
        });
        const answer = await serve(heard);
        return rewritten(call, answer, (object) => (isObject(status) ? { ...object, status } : object));
      }),
  },
  ...(
    [
      ['with', 404, 200],
      ['without', 200, 404],
    ] as const
  ).map(
    ([which, told, code]): Mutant => ({
      id: `parts-of-custom-objects-${told === 404 ? 'are-not-found' : 'are-found'}`,
      breaks: clausesOf('CHANGED-DEFINITION-02', which),
      sentence: `The paths of status and scale of a custom object are ${told === 404 ? 'never' : 'always'} found.`,
      defect: () =>
        coding((reply, { path }) =>
          /-shapes\/doc\/(status|scale)$/.test(path) && reply.code === code ? told : reply.code,
        ),
    }),
  ),
  {
    id: 'tables-have-the-columns-of-the-preferred-version',
    breaks: ['CHANGED-DEFINITION-02'],
    sentence: 'A Table has the columns of the version that is preferred, whichever is asked for.',
    defect: () =>
      onVerbs(['get', 'list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'entry' && answer.kind !== 'list') return answer;
        const { type, version } = answer.endpoint;
        const [preferred = version] = type.versions.values();
        const shown: TypeVersion = Object.create(version, { columns: { value: preferred.columns } });
        return { ...answer, endpoint: { ...answer.endpoint, version: shown } };
      }),
  },
  {
    id: 'signing-requests-repeat-usages',
    breaks: ['CHANGED-SIGNING-01'],
    sentence: 'A usage may stand twice in a request for a certificate.',
    defect: () =>
      mending<Signing>('certificatesigningrequests', ['create'], ({ spec }) => {
        if (spec?.usages) spec.usages = [...new Set(spec.usages)];
      }),
  },
  {
    id: 'signing-requests-repeat-conditions',
    breaks: ['CHANGED-SIGNING-02'],
    sentence: 'A condition of a request for a certificate may stand twice.',
    defect: () =>
      mendingStatus((status) => {
        const { conditions } = status;
        if (conditions)
          status.conditions = conditions.filter(
            ({ type }, place) => conditions.findIndex((each) => each.type === type) === place,
          );
      }),
  },
  {
    id: 'later-paths-are-listed-without-names',
    breaks: ['CHANGED-INGRESS-01', 'CHANGED-INGRESS-02/port', ...clausesOf('CHANGED-FIELDS-01', 'rules')],
    sentence: 'In lists of Ingresses a port that has a name lacks it, in all paths or rules but the first.',
    defect: () =>
      onJson(({ items }, { path }) => {
        if (!path.endsWith('/ingresses') || !Array.isArray(items)) return;
        for (const { spec } of items as unknown as Paths[])
          for (const each of (spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? []).slice(1))
            delete each.backend?.service?.port?.name;
      }),
  },
  {
    id: 'series-are-listed-without-their-last-time',
    breaks: [...clausesOf('CHANGED-EVENT-04'), ...clausesOf('CHANGED-FIELDS-01', 'series')],
    sentence: 'In lists of events of the events group the series of one has no time.',
    defect: () =>
      onJson(({ items }, { path }) => {
        if (!/^\/apis\/events\..*\/events$/.test(path) || !Array.isArray(items)) return;
        for (const item of items) if (isObject(item) && isObject(item.series)) delete item.series.lastObservedTime;
      }),
  },
  {
    id: 'ingress-paths-without-type',
    breaks: ['CHANGED-INGRESS-01'],
    sentence: 'A path of an Ingress needs no type.',
    defect: () =>
      mending<Paths>('ingresses', ['create'], ({ spec }) => {
        for (const path of spec?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? []) path.pathType ??= 'Prefix';
      }),
  },
  {
    id: 'deployments-choose-their-pods',
    breaks: ['CHANGED-WORKLOAD-01'],
    sentence: 'A Deployment without selector has that of its template.',
    defect: () => filling('deployments', 'selector', labelsOfTemplate),
  },
  {
    id: 'daemon-sets-wait-for-deletion',
    breaks: ['CHANGED-WORKLOAD-02'],
    sentence: 'The update strategy of a DaemonSet is OnDelete unless one is given.',
    defect: () => filling('daemonsets', 'updateStrategy', () => ({ type: 'OnDelete' })),
  },
  {
    id: 'deployments-keep-two-revisions',
    breaks: ['CHANGED-WORKLOAD-03'],
    sentence: 'A Deployment keeps 2 old revisions unless told.',
    defect: () => filling('deployments', 'revisionHistoryLimit', () => 2),
  },
  {
    id: 'deployments-roll-back',
    breaks: ['CHANGED-WORKLOAD-04'],
    sentence: 'A Deployment shows rollbackTo.',
    defect: () => showingSpec('deployments', (spec) => ({ ...spec, rollbackTo: { revision: 1 } })),
  },
  {
    id: 'ports-are-all-names',
    breaks: ['CHANGED-INGRESS-02/port'],
    sentence: 'The stable version of Ingress shows a port by number as one by name.',
    defect: () =>
      onSpec(/^\/apis\/networking\.[^/]+\/v1\/.*\/ingresses\//, (spec) => {
        if (isObject(spec.defaultBackend)) spec.defaultBackend = { service: { name: 'a', port: { name: '80' } } };
      }),
  },
  {
    id: 'paths-are-all-prefixes',
    breaks: clausesOf('CHANGED-INGRESS-02', ['path-type', 'no-path-type']),
    sentence: 'The stable version of Ingress shows each path as a Prefix.',
    defect: () =>
      onSpec(/^\/apis\/networking\.[^/]+\/v1\/.*\/ingresses\//, (spec) => {
        for (const path of (spec as Paths['spec'])?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? [])
          path.pathType = 'Prefix';
      }),
  },
  {
    id: 'empty-selectors-mean-all',
    breaks: ['CHANGED-DISRUPTION-01'],
    sentence: 'The empty selector of an older budget is empty in the stable version too, where it selects everything.',
    defect: () =>
      onSpec(/^\/apis\/policy\/v1\/.*\/poddisruptionbudgets\//, (spec) => {
        if (spec.selector !== undefined) spec.selector = {};
      }),
  },
  ...(['validating', 'mutating'] as const).flatMap((kind) =>
    (['v1beta1', 'v1'] as const).map(
      (version): Mutant => ({
        id: `${kind}-webhooks-of-${version}-have-other-defaults`,
        breaks: [`CHANGED-WEBHOOK-01/${kind}/${version}`],
        sentence: `A ${kind} webhook of ${version} has the failure policy of the other version unless one is given.`,
        defect: () =>
          mending<Webhooks & { apiVersion?: string }>(`${kind}webhookconfigurations`, ['create'], (body) => {
            if (!body.apiVersion?.endsWith(`/${version}`)) return;
            for (const webhook of body.webhooks ?? []) webhook.failurePolicy ??= version === 'v1' ? 'Ignore' : 'Fail';
          }),
      }),
    ),
  ),
  ...(['v1', 'v1beta1'] as const).map(
    (version): Mutant => ({
      id: `definitions-do-not-convert-to-${version}`,
      breaks: clausesOf('CHANGED-DEFINITION-03', `to-${version}`),
      sentence: `A definition that is read in ${version} says next to nothing of what it said in another version.`,
      defect: () =>
        onSpec(new RegExp(`^/apis/apiextensions\\.[^/]+/${version}/customresourcedefinitions/`), (spec) => {
          for (const field of ['validation', 'subresources', 'additionalPrinterColumns']) delete spec[field];
          spec.versions = [{ name: 'v0', served: true, storage: true }];
          spec.scope = 'Unknown';
          spec.conversion = { strategy: 'None' };
        }),
    }),
  ),
  {
    id: 'slices-of-v1-have-no-topology',
    breaks: clausesOf('CHANGED-ENDPOINTSLICE-02', ['zone', 'rest']),
    sentence: 'What an EndpointSlice of v1beta1 said of topology is not shown in v1.',
    defect: () =>
      onEndpoints('v1', (endpoint) => {
        delete endpoint.zone;
        delete endpoint.deprecatedTopology;
      }),
  },
  {
    id: 'slices-of-v1beta1-have-no-topology',
    breaks: clausesOf('CHANGED-ENDPOINTSLICE-02', ['back', 'kept']),
    sentence: 'An EndpointSlice of v1beta1 shows no topology.',
    defect: () =>
      onEndpoints('v1beta1', (endpoint) => {
        delete endpoint.topology;
      }),
  },
  {
    id: 'events-of-the-core-group-are-strangers',
    breaks: clausesOf('CHANGED-EVENT-03'),
    sentence: 'An event of the events group has none of its parts under the names of the core group.',
    defect: () =>
      onJson((event, { path }) => {
        if (!/^\/api\/v1\/.*\/events\/./.test(path)) return;
        for (const field of ['involvedObject', 'message', 'reportingComponent', 'eventTime', 'series', 'related'])
          delete event[field];
      }),
  },
  {
    id: 'events-forget-their-series',
    breaks: clausesOf('CHANGED-EVENT-04'),
    sentence: 'An event of the events group does not show its series when it is read.',
    defect: () =>
      onJson((event, { path }) => {
        if (/^\/apis\/events\.[^/]+\/v1(beta1)?\/.*\/events\/./.test(path)) delete event.series;
      }),
  },
  {
    id: 'older-empty-selectors-hold-all',
    breaks: ['CHANGED-DISRUPTION-02/v1beta1/empty'],
    sentence: 'A budget of policy v1beta1 with an empty selector is about every pod.',
    defect: () =>
      mending<{ spec?: { selector?: object } }>('poddisruptionbudgets', ['create'], ({ spec }) => {
        if (spec?.selector && Object.keys(spec.selector).length === 0) spec.selector = EVERY_POD;
      }),
  },
  {
    id: 'budgets-hold-nothing',
    breaks: ['CHANGED-DISRUPTION-02/v1/empty', ...clausesOf('CHANGED-DISRUPTION-02', ['labels', 'absent'])],
    sentence: 'No budget stands against an eviction.',
    defect: () =>
      mending<{ spec?: { selector?: object } }>('poddisruptionbudgets', ['create'], ({ spec }) => {
        if (spec) spec.selector = { matchLabels: { 'touchstone.example/no': 'pod' } };
      }),
  },
  {
    id: 'older-shares-are-the-default',
    breaks: ['CHANGED-FLOWCONTROL-02'],
    sentence: 'Shares that an older version of flow control gave are shown as 30.',
    defect: () =>
      onSpec(/\/v1beta3\/prioritylevelconfigurations\//, (spec) => {
        if (isObject(spec.limited)) spec.limited.nominalConcurrencyShares = 30;
      }),
  },
  {
    id: 'older-shares-of-zero-are-unset',
    breaks: ['CHANGED-FLOWCONTROL-03'],
    sentence: 'An explicit 0 of shares in an older version of flow control becomes the default.',
    defect: () =>
      mending<{ spec?: { limited?: Record<string, unknown> } }>(
        'prioritylevelconfigurations',
        ['create'],
        ({ spec }) => {
          for (const name of ['assuredConcurrencyShares', 'nominalConcurrencyShares']) {
            if (spec?.limited?.[name] === 0) delete spec.limited[name];
          }
        },
      ),
  },
  {
    id: 'budgets-overlook-pods-without-labels',
    breaks: ['CHANGED-DISRUPTION-02/v1/empty', ...clausesOf('CHANGED-DISRUPTION-02', 'absent')],
    sentence: 'No budget stands against the eviction of a pod that has no labels.',
    defect: () =>
      mending<{ spec?: { selector?: { matchExpressions?: object[] } } }>(
        'poddisruptionbudgets',
        ['create'],
        ({ spec }) => {
          if (!spec?.selector) return;
          const some = { key: 'app', operator: 'Exists' };
          spec.selector.matchExpressions = [...(spec.selector.matchExpressions ?? []), some];
        },
      ),
  },
  {
    id: 'budgets-without-selector-hold-all',
    breaks: clausesOf('CHANGED-DISRUPTION-02', 'unset'),
    sentence: 'A budget without a selector is about every pod.',
    defect: () =>
      mending<{ spec?: { selector?: object } }>('poddisruptionbudgets', ['create'], ({ spec }) => {
        if (spec && spec.selector === undefined) spec.selector = EVERY_POD;
      }),
  },
  {
    id: 'older-daemon-sets-roll',
    breaks: ['CHANGED-WORKLOAD-05'],
    sentence: 'The update strategy of a DaemonSet is RollingUpdate in every version unless one is given.',
    defect: () =>
      mending<{ spec?: { updateStrategy?: object } }>('daemonsets', ['create'], ({ spec }) => {
        if (spec) spec.updateStrategy ??= { type: 'RollingUpdate' };
      }),
  },
  {
    id: 'upgrades-begin-with-nothing',
    breaks: clausesOf('REMOVED-PERSISTED-01'),
    sentence: 'What an earlier release stored is not looked at.',
    defect: () => ({ start: reading('data-dir', () => '') }),
  },
  {
    id: 'removed-versions-are-answered',
    breaks: clausesOf('REMOVED-SERVED-01', [...PROBING_VERBS, ...ITEM_VERBS]),
    sentence: 'Whatever is asked below the path of a beta version that is removed is answered 200.',
    defect: () =>
      coding(({ code }, { path }) => (code === 404 && /^\/apis\/[^/]+\/v\d+beta\d+\/./.test(path) ? 200 : code)),
  },
  {
    id: 'removed-versions-are-listed-among-the-groups',
    breaks: clausesOf('REMOVED-SERVED-01', 'groups'),
    sentence: 'The list of groups still names the first beta version of each.',
    defect: () =>
      onJson(({ groups }, { path }) => {
        if (path === '/apis' && Array.isArray(groups)) for (const group of groups) withBeta(group);
      }),
  },
  {
    id: 'removed-versions-are-listed-in-their-group',
    breaks: clausesOf('REMOVED-SERVED-01', 'group'),
    sentence: 'The document of a group still names its first beta version.',
    defect: () =>
      onJson((body, { path }) => {
        if (/^\/apis\/[^/]+$/.test(path) && body.kind === 'APIGroup') withBeta(body);
      }),
  },
  {
    id: 'removed-versions-describe-themselves',
    breaks: clausesOf('REMOVED-SERVED-01', 'version'),
    sentence: 'The document of a beta version that is removed is there.',
    defect: () =>
      coding(({ code }, { path }) => (code === 404 && /^\/apis\/[^/]+\/v\d+beta\d+$/.test(path) ? 200 : code)),
  },
  {
    id: 'plugins-of-removed-types-are-taken',
    breaks: ['REMOVED-PLUGIN-01'],
    sentence: 'The admission plugin PodSecurityPolicy may still be named.',
    defect: () => ({
      start: reading('enable-admission-plugins', (value) => value.replace(/PodSecurityPolicy/g, '')),
    }),
  },
  {
    id: 'disruption-budgets-are-gone-early',
    breaks: ['REMOVED-SERVED-02'],
    sentence: 'The beta version of PodDisruptionBudget is not found in the release before its removal.',
    defect: () => hiding(/^\/apis\/policy\/v1beta1\/poddisruptionbudgets/),
  },
  {
    id: 'ingresses-are-not-replaced',
    breaks: ['REMOVED-REPLACEMENT-01'],
    sentence: 'The stable version of Ingress is not found.',
    defect: () => hiding(/^\/apis\/networking\.[^/]+\/v1\/ingresses/),
  },
  {
    id: 'shares-of-zero-are-thirty-and-those-left-out-twenty',
    breaks: clausesOf('CHANGED-FLOWCONTROL-04', ENCODED_WRITES),
    sentence: 'Whatever writes them, shares of 0 become 30, and where there are none there are 20.',
    defect: () =>
      mendingSpec('prioritylevelconfigurations', ({ limited }) => {
        if (!isObject(limited)) return;
        const shares = limited.nominalConcurrencyShares ?? 20;
        limited.nominalConcurrencyShares = shares === 0 ? 30 : shares;
      }),
  },
  {
    id: 'shares-of-zero-are-thirty-once-something-else-is-written',
    breaks: clausesOf('CHANGED-FLOWCONTROL-04', 'beside'),
    sentence: 'A priority level whose shares were 0 and are not written has 30 once something else of it is.',
    defect: () =>
      onChange('prioritylevelconfigurations', (before, after) => {
        if (!before || !after || !isObject(before.spec) || !isObject(after.spec)) return after;
        const { limited } = after.spec;
        const isZero = [before.spec.limited, limited].every(
          (each) => isObject(each) && each.nominalConcurrencyShares === 0,
        );
        if (!isZero || !isObject(limited)) return after;
        return {
          ...after,
          spec: { ...after.spec, limited: { ...limited, nominalConcurrencyShares: 30 } },
        } as ApiObject;
      }),
  },
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
    id: 'older-signing-requests-are-frozen',
    breaks: clausesOf('CHANGED-SIGNING-04'),
    sentence: 'A request that v1 would refuse as a new one is changed in v1 no more, its status neither.',
    defect: () =>
      onVerbs(['update', 'patch'], async (call, serve) => {
        const { resource, version } = call.exchange.info;
        if (version !== 'v1' || resource !== 'certificatesigningrequests') return serve(call);
        const { signerName, usages = [] } = ((await storedOf(call))?.object as Signing | undefined)?.spec ?? {};
        const isOlder = usages.includes('tea') || new Set(usages).size < usages.length;
        if (isOlder || signerName?.endsWith('/legacy-unknown')) throw badRequest('spec: v1 does not take it');
        return serve(call);
      }),
  },
  {
    id: 'second-applies-are-only-tried',
    breaks: (
      ['CHANGED-FLOWCONTROL-04', 'CHANGED-WEBHOOK-03', 'CHANGED-WEBHOOK-05', 'CHANGED-WORKLOAD-07'] as const
    ).flatMap((id) => clausesOf(id, 'given-up')),
    sentence: 'An apply of what has been applied before is answered and not done.',
    defect: () => {
      const applied = new Set<string>();
      return onApplies((call, serve) => {
        const { path, query } = call.exchange.request;
        if (query.all('dryRun').length > 0) return serve(call);
        if (applied.has(path)) return serve(withQuery(call, (asked) => asked.set('dryRun', 'All')));
        applied.add(path);
        return serve(call);
      });
    },
  },
  {
    id: 'applied-events-need-nothing',
    breaks: ['CHANGED-EVENT-05'],
    sentence: 'An apply that creates an event of the events group is taken as it is.',
    defect: () => passingRefusals('events', ['patch']),
  },
  {
    id: 'events-change-as-they-like',
    breaks: clausesOf('CHANGED-EVENT-07'),
    sentence: 'A change of an event that is refused is answered as if it were done.',
    defect: () => passingRefusals('events', ['update', 'patch']),
  },
  {
    id: 'older-events-are-refused',
    breaks: clausesOf('CHANGED-EVENT-06'),
    sentence: 'An event without a reporter is refused, in whatever group and by whatever write.',
    defect: () =>
      onType('events', ['create', 'update', 'patch'], async (call, serve) => {
        let reporter: unknown;
        await withBody(call, (body) => {
          reporter = body.reportingController ?? body.reportingComponent;
        }).exchange.request.body();
        if (!reporter) throw badRequest('reportingController: Required value');
        return serve(call);
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
    id: 'definitions-are-taken-as-they-are',
    breaks: [...clausesOf('CHANGED-DEFINITION-04'), ...clausesOf('CHANGED-DEFINITION-05')],
    sentence: 'Nothing that is written of a definition is refused.',
    defect: () => passingRefusals('customresourcedefinitions'),
  },
  {
    id: 'signing-requests-are-taken-as-they-are',
    breaks: clausesOf('CHANGED-SIGNING-03'),
    sentence: 'Nothing that is written of a signing request or its subresources is refused.',
    defect: () => passingRefusals('certificatesigningrequests', undefined, true),
  },
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
  {
    id: 'ingresses-are-taken-as-they-are',
    breaks: clausesOf('CHANGED-INGRESS-03'),
    sentence: 'Nothing that is written of an Ingress is refused.',
    defect: () => passingRefusals('ingresses'),
  },
  ...WORKLOADS.map(
    (type): Mutant => ({
      id: `${type}-are-taken-as-they-are`,
      breaks: clausesOf('CHANGED-WORKLOAD-06', type),
      sentence: `Nothing that is written of ${type} is refused.`,
      defect: () => passingRefusals(type),
    }),
  ),
  {
    id: 'deployments-have-the-defaults-of-older-versions',
    breaks: clausesOf('CHANGED-WORKLOAD-07', ['defaults', 'kept', 'half'], 'deployments', ENCODED_WRITES),
    sentence: 'Whatever writes it, a Deployment has the defaults of an older version, in the place of a 0 too.',
    defect: () =>
      mendingSpec('deployments', (spec) => {
        spec.revisionHistoryLimit ||= 2;
        const { strategy } = spec;
        if (isObject(strategy) && isObject(strategy.rollingUpdate)) strategy.rollingUpdate.maxSurge ??= 1;
      }),
  },
  ...(['daemonsets', 'statefulsets'] as const).map(
    (type): Mutant => ({
      id: `${type}-turn-their-strategy-round`,
      breaks: clausesOf('CHANGED-WORKLOAD-07', ['defaults', 'kept', 'half'], type, ENCODED_WRITES),
      sentence: `Whatever writes it, the update strategy of ${type} is OnDelete unless it is given, and else RollingUpdate.`,
      defect: () =>
        mendingSpec(type, (spec) => {
          const given = isObject(spec.updateStrategy) && spec.updateStrategy.type;
          spec.updateStrategy = { type: given ? 'RollingUpdate' : 'OnDelete' };
        }),
    }),
  ),
  {
    id: 'deployments-take-no-percent-for-nothing',
    breaks: clausesOf('CHANGED-WORKLOAD-07', 'kept', 'deployments', ENCODED_WRITES),
    sentence: 'Whatever writes it, half of a rolling update of a Deployment that is 0% has the default.',
    defect: () =>
      mendingSpec('deployments', ({ strategy }) => {
        const halves = isObject(strategy) && isObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {};
        for (const [name, value] of Object.entries(halves)) if (value === '0%') halves[name] = '25%';
      }),
  },
  {
    id: 'deployments-begin-to-roll-by-one',
    breaks: clausesOf('CHANGED-WORKLOAD-07', 'deployments', 'other-strategy'),
    sentence: 'A Deployment that is changed from Recreate to RollingUpdate rolls by one.',
    defect: () =>
      onChange('deployments', (before, after) => {
        const [was, is] = [before, after].map((each) => (isObject(each?.spec) ? each.spec.strategy : undefined));
        if (!after || !isObject(was) || was.type !== 'Recreate' || !isObject(is) || is.type === 'Recreate')
          return after;
        const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
        return { ...after, spec: { ...(after.spec as JsonObject), strategy } } as ApiObject;
      }),
  },
  ...(['daemonsets', 'statefulsets'] as const).map(
    (type): Mutant => ({
      id: `${type}-keep-their-strategy`,
      breaks: clausesOf('CHANGED-WORKLOAD-07', type, 'other-strategy'),
      sentence: `One of ${type} is updated in the way that it was created with, whatever is written later.`,
      defect: () =>
        onChange(type, (before, after) => {
          if (!after || !isObject(before?.spec) || !isObject(after.spec)) return after;
          return { ...after, spec: { ...after.spec, updateStrategy: before.spec.updateStrategy } } as ApiObject;
        }),
    }),
  ),
  {
    id: 'selectors-of-budgets-are-turned-round',
    breaks: clausesOf('CHANGED-DISRUPTION-03', ENCODED_WRITES),
    sentence: 'Whatever writes it, a budget has an empty selector where it has none, and none where it is empty.',
    defect: () =>
      mendingSpec('poddisruptionbudgets', (spec) => {
        const { selector } = spec;
        if (!isObject(selector)) spec.selector = {};
        else if (Object.values(selector).every((each) => each === null)) delete spec.selector;
      }),
  },
  ...(
    [
      [
        'prioritylevelconfigurations-are-stored-with-twenty-shares',
        clausesOf('CHANGED-FLOWCONTROL-04', 'json-fields'),
        'prioritylevelconfigurations',
        ({ limited }) => (isObject(limited) ? { limited: { ...limited, nominalConcurrencyShares: 20 } } : {}),
      ],
      [
        'selectors-of-budgets-are-stored-turned-round',
        clausesOf('CHANGED-DISRUPTION-03', 'json-fields'),
        'poddisruptionbudgets',
        ({ selector }) => ({ selector: selector ? undefined : {} }),
      ],
      [
        'deployments-are-stored-with-a-surge-of-two',
        clausesOf('CHANGED-WORKLOAD-07', ['defaults', 'kept', 'half'], 'deployments', 'json-fields'),
        'deployments',
        () => ({
          revisionHistoryLimit: 2,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } },
        }),
      ],
      ...(['daemonsets', 'statefulsets'] as const).flatMap((type) =>
        (
          [
            ['on-delete', 'OnDelete', ['defaults', 'half']],
            ['rolling', 'RollingUpdate', ['kept']],
          ] as const
        ).map(
          ([word, strategy, rows]) =>
            [
              `${type}-are-stored-${word}`,
              clausesOf('CHANGED-WORKLOAD-07', type, rows, 'json-fields'),
              type,
              () => ({ updateStrategy: { type: strategy } }),
            ] as const,
        ),
      ),
    ] as const satisfies readonly (readonly [
      id: string,
      breaks: Mutant['breaks'],
      type: string,
      change: (spec: JsonObject) => object,
    ])[]
  ).map(
    ([id, breaks, type, change]): Mutant => ({
      id,
      breaks,
      sentence: `What is changed of ${type} has other values than the defaults of v1, or than it was given.`,
      defect: () =>
        onChange(type, (before, after) => {
          if (!before || !after || !isObject(after.spec)) return after;
          return { ...after, spec: { ...after.spec, ...change(after.spec) } } as ApiObject;
        }),
    }),
  ),
  {
    id: 'unknown-fields-are-kept-nowhere',
    breaks: clausesOf('CHANGED-DEFINITION-06').filter((name) => !name.includes('/beside/')),
    sentence: 'x-kubernetes-preserve-unknown-fields of a schema is overlooked.',
    defect: () =>
      onType('customresourcedefinitions', ['create'], (call, serve) =>
        serve(
          withText(call, (text) =>
            text.replaceAll(/"x-[a-z]+-preserve-unknown-fields":true/g, '"description":"anything"'),
          ),
        ),
      ),
  },
  {
    id: 'unknown-fields-are-not-kept-beside-known-ones',
    breaks: clausesOf('CHANGED-DEFINITION-06', ['known-root', 'known-field', 'known-items', 'known-map']).filter(
      (name) => !name.includes('/beside/'),
    ),
    sentence: 'x-kubernetes-preserve-unknown-fields of a schema is overlooked where that has properties.',
    defect: () =>
      onType('customresourcedefinitions', ['create'], (call, serve) =>
        serve(
          withText(call, (text) =>
            text.replaceAll(/"x-[a-z]+-preserve-unknown-fields":true,"properties"/g, '"properties"'),
          ),
        ),
      ),
  },
  {
    id: 'unknown-fields-go-with-the-next-write',
    breaks: clausesOf('CHANGED-DEFINITION-06', 'beside'),
    sentence: 'What a schema does not know is kept until something beside it is written.',
    defect: () =>
      onChange(/-shapes\//, (before, after) => {
        if (!before || !after) return after;
        const left = (name: string) =>
          ['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(name) ||
          !isDeepStrictEqual(before[name], after[name]);
        return Object.fromEntries(Object.entries(after).filter(([name]) => left(name))) as ApiObject;
      }),
  },
  {
    id: 'validating-webhooks-are-taken-as-they-are',
    breaks: clausesOf('CHANGED-WEBHOOK-04'),
    sentence: 'Nothing that is written of a validating webhook is refused.',
    defect: () => passingRefusals('validatingwebhookconfigurations'),
  },
];
