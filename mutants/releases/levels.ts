import {
  ALIKE_READS,
  clausesOf,
  DISCOVERY,
  ITEM_VERBS,
  PROBING_VERBS,
  RETIRED_VOLUMES,
} from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import { ApiError, conflict } from '../../reference/api/status.ts';
import type { Call } from '../../reference/contracts/call.ts';
import type { Seams } from '../../reference/seams.ts';
import { onApplies, onReplies, onVerbs, withBody, withQuery, withText } from '../alter.ts';
import { asking, coding, hiding, onFrames, onJson, onSpec, onValues, refusingWhere } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { onType, rewritten, withMetadata } from '../oneType.ts';
import { adding, reading } from '../startFlags.ts';
import { passing } from '../writes.ts';

function isBeta({ endpoint }: Call): boolean {
  return endpoint.version.version.includes('beta');
}

/** A clause of all that is served. */
const served = (word: string) =>
  (['LEVEL-STABLE-03', 'LEVEL-BETA-03', 'GROUP-RUNTIME-06'] as const).flatMap((id) => clausesOf(id, word));

/** Leaves out of a group as discovery tells it its versions that are not stable, and all of runtime classes. */
function forgetting(group: unknown): void {
  if (!isObject(group) || !Array.isArray(group.versions)) return;
  const left = String(group.name).startsWith('node.') ? /^$/ : /^v\d+$/;
  group.versions = group.versions.filter((each) => isObject(each) && left.test(String(each.version)));
}

/** A call of a type whose objects are served in several versions. */
function isShared({ endpoint }: Call): boolean {
  return endpoint.type.versions.size > 1 || endpoint.type.resource === 'events';
}

/** Alters the metadata of objects wherever they are shown: by themselves, in lists and tables, and in events. */
function onShown(
  change: (metadata: JsonObject, apiVersion: string) => JsonObject,
  but: readonly unknown[] = ['ConfigMap', 'Namespace'],
): Seams {
  const one = (object: unknown, apiVersion: unknown) => {
    if (!isObject(object) || !isObject(object.metadata) || object.metadata.uid === undefined) return;
    if (but.includes(object.kind)) return;
    object.metadata = change(object.metadata, String(object.apiVersion ?? apiVersion));
  };
  const whole = onValues((body) => {
    one(body, '');
    for (const item of Array.isArray(body.items) ? body.items : []) one(item, body.apiVersion);
    for (const row of Array.isArray(body.rows) ? body.rows : []) if (isObject(row)) one(row.object, '');
  });
  const frames = onFrames(({ object }) => one(object, ''));
  return {
    reply: (reply, request) => {
      const changed = whole.reply?.(reply, request) ?? reply;
      return frames.reply?.(changed, request) ?? changed;
    },
  };
}

/** Versions, defaults and shapes of types that are not those of their release. */
export const LEVELS: readonly Mutant[] = [
  {
    id: 'a-version-has-no-number',
    breaks: ['LEVEL-NAME-01'],
    sentence: 'Discovery calls the first version of each group beta.',
    defect: () =>
      onJson(({ groups }) => {
        for (const group of Array.isArray(groups) ? groups : []) {
          const [first] = isObject(group) && Array.isArray(group.versions) ? group.versions : [];
          if (isObject(first)) first.version = 'beta';
        }
      }),
  },
  {
    id: 'a-stable-version-is-not-served',
    breaks: ['LEVEL-STABLE-01'],
    sentence: 'The stable version of the group of roles is not found.',
    defect: () => hiding(/^\/apis\/rbac\.authorization\.[^/]+\/v1$/),
  },
  {
    id: 'alpha-versions-are-on',
    breaks: clausesOf('LEVEL-ALPHA-01', [...DISCOVERY, ...PROBING_VERBS]),
    sentence: 'Alpha versions are served without being enabled.',
    defect: () => ({ start: adding('runtime-config', () => 'api/alpha=true') }),
  },
  {
    id: 'late-beta-versions-are-on',
    breaks: clausesOf('LEVEL-BETA-01', [...DISCOVERY, ...PROBING_VERBS]),
    sentence: 'Every beta version is served without being enabled.',
    defect: () => ({ start: adding('runtime-config', () => 'api/beta=true') }),
  },
  ...(['alpha', 'beta'] as const).flatMap((level): Mutant[] => {
    const id = level === 'alpha' ? 'LEVEL-ALPHA-01' : 'LEVEL-BETA-01';
    const path = new RegExp(`^/apis/[^/]+/v\\d+${level}\\d+/.`);
    return [
      {
        id: `${level}-versions-are-only-hidden`,
        breaks: clausesOf(id, PROBING_VERBS),
        sentence: `Paths of ${level} versions are answered, though discovery does not name them.`,
        defect: () => coding(({ code }, request) => (code === 404 && path.test(request.path) ? 200 : code)),
      },
      {
        id: `${level}-versions-come-with-gates`,
        breaks: clausesOf(id, 'gates'),
        sentence: `A server whose flags switch any gate of a feature serves every ${level} version.`,
        defect: () => ({
          start: adding('runtime-config', (argv) =>
            argv.some((word) => word.startsWith('--feature-gates=')) ? `api/${level}=true` : undefined,
          ),
        }),
      },
      {
        id: `${level}-versions-stay-off`,
        breaks: [`${id}/enabled`],
        sentence: `No ${level} version is found, enabled or not.`,
        defect: () => hiding(new RegExp(`^/apis/[^/]+/v\\d+${level}\\d+`)),
      },
    ];
  }),
  {
    id: 'an-alpha-version-comes-with-its-gate',
    breaks: clausesOf('LEVEL-ALPHA-01', 'gates', 'alpha'),
    sentence: 'The gate that an alpha version needs besides makes it served by itself.',
    defect: () => ({
      start: adding('runtime-config', (argv) =>
        argv.some((word) => /^--feature-gates=(.*,)?MutatingAdmissionPolicy=true/.test(word))
          ? 'admissionregistration.k8s.io/v1alpha1=true'
          : undefined,
      ),
    }),
  },
  {
    id: 'groups-prefer-new-versions',
    breaks: ['GROUP-ADVANCE-01/preferred'],
    sentence: 'Every group prefers its stable version from the release on that brings it.',
    defect: () =>
      onJson(({ groups }) => {
        for (const group of Array.isArray(groups) ? groups : []) {
          const versions = isObject(group) && Array.isArray(group.versions) ? group.versions : [];
          const stable = versions.find((each) => isObject(each) && each.version === 'v1');
          if (isObject(group) && stable) group.preferredVersion = stable;
        }
      }),
  },
  {
    id: 'flow-control-prefers-its-new-version',
    breaks: ['GROUP-ADVANCE-01/preferred'],
    sentence: 'Flow control prefers its stable version from the release on that brings it.',
    defect: () =>
      onJson(({ groups }) => {
        for (const group of Array.isArray(groups) ? groups : []) {
          if (!isObject(group) || !/^flowcontrol\./.test(String(group.name))) continue;
          const versions = Array.isArray(group.versions) ? group.versions : [];
          const stable = versions.find((each) => isObject(each) && each.version === 'v1');
          if (stable) group.preferredVersion = stable;
        }
      }),
  },
  {
    id: 'objects-are-stored-in-new-versions',
    breaks: ['GROUP-ADVANCE-01/stored'],
    sentence: 'Objects are stored in the stable version of their type from the release on that brings it.',
    defect: () =>
      onJson(({ resources }, { path }) => {
        for (const each of path.endsWith('/v1') && Array.isArray(resources) ? resources : []) {
          if (isObject(each) && each.storageVersionHash !== undefined) each.storageVersionHash = 'stable';
        }
      }),
  },
  {
    id: 'early-beta-versions-are-off',
    breaks: ['LEVEL-BETA-02'],
    sentence: 'No beta version is served unless it is enabled.',
    defect: () => ({ start: adding('runtime-config', () => 'api/beta=false') }),
  },
  {
    id: 'leases-are-forgotten',
    breaks: ['LEVEL-STABLE-02', 'GROUP-RELEASE-01'],
    sentence: 'Discovery of a stable version leaves a resource out.',
    defect: () =>
      onJson((body) => {
        if (!Array.isArray(body.resources)) return;
        body.resources = body.resources.filter((each) => !isObject(each) || each.name !== 'leases');
      }),
  },
  ...(['json', 'protobuf'] as const).map(
    (form): Mutant => ({
      id: `types-lose-fields-in-${form}`,
      breaks: clausesOf('GROUP-ROUNDTRIP-01', form),
      sentence: `A CronJob that is written in ${form} is suspended no more.`,
      defect: () =>
        onType('cronjobs', ['update'], async (call, serve) => {
          const answer = await serve(call);
          if (!String(call.exchange.request.headers['content-type']).includes(form)) return answer;
          return rewritten(call, answer, (object) => {
            const spec = isObject(object.spec) ? { ...object.spec, suspend: false } : {};
            return { ...object, spec };
          });
        }),
    }),
  ),
  {
    id: 'what-is-written-in-protobuf-has-no-labels',
    breaks: clausesOf('GROUP-FORMATS-01'),
    sentence: 'Objects that are written in Protobuf are stored without labels.',
    defect: () =>
      onVerbs(['create', 'update'], async (call, serve) => {
        const answer = await serve(call);
        if (!String(call.exchange.request.headers['content-type']).includes('protobuf')) return answer;
        return rewritten(call, answer, (object) => withMetadata(object, { labels: {} }));
      }),
  },
  {
    id: 'runtime-config-is-not-heeded',
    breaks: [...clausesOf('GROUP-RUNTIME-01'), 'GROUP-RUNTIME-03', 'GROUP-RUNTIME-04'],
    sentence: '--runtime-config is not read.',
    defect: () => ({ start: reading('runtime-config', () => '') }),
  },
  {
    id: 'runtime-config-without-value-is-nothing',
    breaks: [...clausesOf('GROUP-RUNTIME-02'), ...clausesOf('GROUP-RUNTIME-06', 'bare')],
    sentence: 'A key of --runtime-config without a value is passed over.',
    defect: () => ({
      start: reading('runtime-config', (value) =>
        value
          .split(',')
          .filter((key) => key.includes('='))
          .join(','),
      ),
    }),
  },
  {
    id: 'runtime-config-of-true-is-nothing',
    breaks: [...clausesOf('GROUP-RUNTIME-06', 'true'), 'LEVEL-ALPHA-01/enabled', 'LEVEL-BETA-01/enabled'],
    sentence: 'A key of --runtime-config with the value true is passed over.',
    defect: () => ({
      start: reading('runtime-config', (value) =>
        value
          .split(',')
          .filter((key) => !key.endsWith('=true'))
          .join(','),
      ),
    }),
  },
  {
    id: 'runtime-config-without-value-is-off',
    breaks: clausesOf('GROUP-RUNTIME-02'),
    sentence: 'A key of --runtime-config without a value switches its version off.',
    defect: () => ({
      start: reading('runtime-config', (value) =>
        value.replace(/([^=,]+)(?=,|$)/g, (key, _, at) => (value[at - 1] === '=' ? key : `${key}=false`)),
      ),
    }),
  },
  ...(
    [
      ['first', (keys) => keys.slice(1)],
      ['between', (keys) => keys.filter((_, place) => place === 0 || place === keys.length - 1)],
      ['last', (keys) => keys.slice(0, -1)],
    ] as const satisfies readonly (readonly [string, (keys: readonly string[]) => readonly string[]])[]
  ).map(
    ([place, kept]): Mutant => ({
      id: `keys-of-runtime-config-count-but-for-${place}`,
      breaks: [`GROUP-RUNTIME-08/${place}`],
      sentence: `Of four and more keys of --runtime-config, what stands ${place} is not read.`,
      defect: () => ({
        start: reading('runtime-config', (value) => {
          const keys = value.split(',');
          return (keys.length > 3 ? kept(keys) : keys).join(',');
        }),
      }),
    }),
  ),
  {
    id: 'some-versions-are-not-among-the-groups',
    breaks: served('groups'),
    sentence: 'The list of all groups leaves out beta versions, and the stable one of runtime classes.',
    defect: () =>
      onJson(({ groups }, { path }) => {
        if (path === '/apis' && Array.isArray(groups)) for (const group of groups) forgetting(group);
      }),
  },
  {
    id: 'some-versions-are-not-in-their-group',
    breaks: [...served('group'), 'GROUP-SHARED-02/discovered'],
    sentence: 'The document of a group leaves out beta versions, and the stable one of runtime classes.',
    defect: () =>
      onJson((body) => {
        if (body.kind === 'APIGroup') forgetting(body);
      }),
  },
  {
    id: 'some-versions-are-not-in-the-document-of-all',
    breaks: served('aggregated'),
    sentence:
      'The document of all groups with their types leaves out beta versions, and the stable one of runtime classes.',
    defect: () =>
      onJson(({ kind, items }) => {
        if (kind !== 'APIGroupDiscoveryList' || !Array.isArray(items)) return;
        for (const each of items) {
          if (!isObject(each) || !isObject(each.metadata)) continue;
          const group = { name: each.metadata.name, versions: each.versions };
          forgetting(group);
          each.versions = group.versions ?? [];
        }
      }),
  },
  {
    id: 'the-document-of-all-tells-of-what-is-off',
    breaks: ['GROUP-RUNTIME-05/aggregated', 'REMOVED-SERVED-01/aggregated'],
    sentence:
      'The document of all groups with their types names scheduled jobs and a first beta version of each group.',
    defect: () =>
      onJson(({ kind, items }) => {
        if (kind !== 'APIGroupDiscoveryList' || !Array.isArray(items)) return;
        for (const each of items) {
          if (!isObject(each) || !Array.isArray(each.versions)) continue;
          for (const served of each.versions)
            if (isObject(served) && Array.isArray(served.resources)) served.resources.push({ resource: 'cronjobs' });
          each.versions.push({ version: 'v1beta1', resources: [] });
        }
      }),
  },
  {
    id: 'some-types-are-only-told-of',
    breaks: served('list'),
    sentence: 'Collections of beta versions and of runtime classes are not found, though discovery names them.',
    defect: () => hiding(/^\/apis\/([^/]+\/v\d+(alpha|beta)\d+\/|node\.[^/]+\/v1\/runtimeclasses)/),
  },
  {
    id: 'resources-that-are-off-are-answered',
    breaks: clausesOf('GROUP-RUNTIME-05', [...PROBING_VERBS, ...ITEM_VERBS]),
    sentence: 'Whatever is not found of scheduled jobs is answered 200.',
    defect: () => coding(({ code }, { path }) => (code === 404 && /\/cronjobs(\/|$)/.test(path) ? 200 : code)),
  },
  {
    id: 'resources-that-are-off-are-told-of',
    breaks: ['GROUP-RUNTIME-05/version'],
    sentence: 'The stable version of batches names scheduled jobs, served or not.',
    defect: () =>
      onJson(({ resources }, { path }) => {
        if (path === '/apis/batch/v1' && Array.isArray(resources))
          resources.push({ name: 'cronjobs', kind: 'CronJob', namespaced: true, verbs: ['get'] });
      }),
  },
  {
    id: 'lists-and-status-have-another-api-version',
    breaks: clausesOf('GROUP-VERSION-01', ['answers', 'status']),
    sentence: 'Lists and what is answered of a status have the version alone as apiVersion, or another one.',
    defect: () =>
      onJson((body, { path }) => {
        if (Array.isArray(body.items) || path.endsWith('/status')) body.apiVersion = 'v0';
      }),
  },
  {
    id: 'lists-of-nothing-say-the-preferred-version',
    breaks: clausesOf('GROUP-VERSION-01', 'nothing'),
    sentence: 'A list without objects and a bookmark have the version v0.',
    defect: () => {
      const lists = onJson((body) => {
        if (Array.isArray(body.items) && body.items.length === 0) body.apiVersion = 'v0';
      });
      const marks = onFrames(({ type, object }) => {
        if (type === 'BOOKMARK' && isObject(object)) object.apiVersion = 'v0';
      });
      return {
        reply: (reply, request) => marks.reply?.(lists.reply?.(reply, request) ?? reply, request) ?? reply,
      };
    },
  },
  {
    id: 'superseded-versions-are-read-only',
    breaks: ['LEVEL-STABLE-02'],
    sentence: 'The first version of autoscaling takes no write.',
    defect: () =>
      refusingWhere(['create', 'update', 'patch'], ({ exchange: { info } }) =>
        info.group === 'autoscaling' && info.version === 'v1' ? new ApiError(405, 'MethodNotAllowed', '') : undefined,
      ),
  },
  {
    id: 'superseded-versions-have-no-status',
    breaks: ['LEVEL-STABLE-03/subresources'],
    sentence: 'The first version of autoscaling names no subresource.',
    defect: () =>
      onJson(({ resources }, { path }) => {
        if (!path.endsWith('/autoscaling/v1') || !Array.isArray(resources)) return;
        const left = resources.filter((each) => isObject(each) && !String(each.name).includes('/'));
        resources.splice(0, resources.length, ...left);
      }),
  },
  {
    id: 'events-have-another-api-version',
    breaks: [
      ...clausesOf('GROUP-VERSION-01', 'events'),
      ...clausesOf('GROUP-SHARED-01', ['added', 'modified', 'deleted']),
    ],
    sentence: 'The objects of events have another apiVersion than was asked for.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object)) object.apiVersion = 'v0';
      }),
  },
  {
    id: 'lists-know-no-objects',
    breaks: clausesOf('GROUP-SHARED-01', 'listed'),
    sentence: 'Every list is empty.',
    defect: () =>
      onJson((body) => {
        if (Array.isArray(body.items)) body.items = [];
      }),
  },
  {
    id: 'groups-prefer-what-they-have-not',
    breaks: clausesOf('GROUP-PREFERRED-01'),
    sentence: 'The list of all groups names a preferred version that a group has not.',
    defect: () =>
      onJson(({ groups }, { path }) => {
        if (path !== '/apis' || !Array.isArray(groups)) return;
        for (const group of groups)
          if (isObject(group)) group.preferredVersion = { groupVersion: `${group.name}/v0`, version: 'v0' };
      }),
  },
  {
    id: 'autoscalers-lose-their-metrics',
    breaks: clausesOf('GROUP-ROUNDTRIP-02').filter((name) => !name.includes('/conditions/')),
    sentence: 'Whatever changes an autoscaler takes its metrics away.',
    defect: () =>
      onType('horizontalpodautoscalers', ['update', 'patch'], async (call, serve) =>
        rewritten(call, await serve(call), (object) => {
          const { metrics: _, ...spec } = isObject(object.spec) ? object.spec : {};
          return { ...object, spec };
        }),
      ),
  },
  {
    id: 'autoscalers-lose-their-conditions',
    breaks: clausesOf('GROUP-ROUNDTRIP-02', 'conditions'),
    sentence: 'Whatever changes an autoscaler or its status in autoscaling/v1 takes its conditions away.',
    defect: () =>
      onVerbs(['update', 'patch'], async (call, serve) => {
        const answer = await serve(call);
        const { resource, group, version } = call.exchange.info;
        if (resource !== 'horizontalpodautoscalers' || group !== 'autoscaling' || version !== 'v1') return answer;
        return rewritten(call, answer, (object) => {
          const { conditions: _, ...status } = isObject(object.status) ? object.status : {};
          return { ...object, status };
        });
      }),
  },
  {
    id: 'autoscalers-lose-what-is-zero',
    breaks: clausesOf('GROUP-ROUNDTRIP-02', 'at-its-least'),
    sentence: 'Whatever changes an autoscaler in autoscaling/v1 takes away each window of 0 seconds.',
    defect: () =>
      onType('horizontalpodautoscalers', ['update', 'patch'], async (call, serve) => {
        const answer = await serve(call);
        if (call.exchange.info.version !== 'v1') return answer;
        return rewritten(call, answer, (object) => {
          const changed = structuredClone(object);
          const { behavior } = isObject(changed.spec) ? changed.spec : {};
          for (const side of isObject(behavior) ? Object.values(behavior) : [])
            if (isObject(side) && side.stabilizationWindowSeconds === 0) delete side.stabilizationWindowSeconds;
          return changed;
        });
      }),
  },
  {
    id: 'bodies-of-other-versions-are-taken',
    breaks: clausesOf('GROUP-VERSION-02'),
    sentence: 'What is refused as no body of its path is answered as if it were done.',
    defect: () => onVerbs(['create', 'update', 'patch'], (call, serve) => passing(call, serve)),
  },
  {
    id: 'deprecated-custom-versions-do-the-other-way-round',
    breaks: clausesOf('GROUP-SHARED-03'),
    sentence:
      'A call to a deprecated version of a custom type is told refused where it was done, and done where it was refused.',
    defect: () => ({
      // The calls that are compared are marked, others wait for the type to be served.
      reply: (reply, { path, target }) =>
        /^\/apis\/relics\.[^/]+\/v1(alpha3|beta2)?\//.test(path) && target.includes('asked=')
          ? { ...reply, code: reply.code < 300 ? 404 : 200 }
          : reply,
    }),
  },
  {
    id: 'writes-in-beta-versions-overlook-metadata',
    breaks: clausesOf('GROUP-SHARED-02', ['annotations', 'stale']),
    sentence: 'A PUT in a beta version drops annotations and takes any resourceVersion.',
    defect: () =>
      onVerbs(['update'], (call, serve) =>
        serve(
          withBody(call, ({ metadata }) => {
            if (!isBeta(call) || !isObject(metadata)) return;
            delete metadata.annotations;
            delete metadata.resourceVersion;
          }),
        ),
      ),
  },
  {
    id: 'queries-of-beta-versions-are-overlooked',
    breaks: clausesOf('GROUP-SHARED-02', ['selector', 'dry-run']),
    sentence: 'Creations and lists of a beta version overlook dryRun and labelSelector.',
    defect: () =>
      asking(['create', 'list'], (query, call) => {
        if (!isBeta(call)) return;
        query.delete('dryRun');
        query.delete('labelSelector');
      }),
  },
  {
    id: 'beta-versions-overlook-strict',
    breaks: clausesOf('GROUP-SHARED-02', 'strict'),
    sentence: 'A write in a beta version of a custom type under Strict is done with a warning.',
    defect: () =>
      asking(['create', 'update', 'patch'], (query, call) => {
        if (isBeta(call) && query.get('fieldValidation') === 'Strict') query.set('fieldValidation', 'Warn');
      }),
  },
  {
    id: 'collections-of-beta-versions-stay',
    breaks: ['GROUP-SHARED-02/deletecollection'],
    sentence: 'Deleting a collection in a beta version is only tried.',
    defect: () =>
      asking(['deletecollection'], (query, call) => {
        if (isBeta(call)) query.set('dryRun', 'All');
      }),
  },
  {
    id: 'objects-have-a-uid-in-each-version',
    breaks: [...clausesOf('GROUP-ALIKE-01'), ...clausesOf('GROUP-ALIKE-02'), ...clausesOf('GROUP-ALIKE-04')],
    sentence: 'An object has another uid in each version in which it is shown.',
    defect: () => onShown((object, apiVersion) => ({ ...object, uid: `${object.uid}-${apiVersion}` })),
  },
  {
    id: 'replacements-overlook-resource-versions',
    breaks: clausesOf('GROUP-ALIKE-03', 'stale'),
    sentence: 'A PUT takes any resourceVersion, in whatever version it was read.',
    defect: () =>
      onVerbs(['update'], (call, serve) =>
        serve(
          withBody(call, ({ metadata }) => {
            if (isObject(metadata)) delete metadata.resourceVersion;
          }),
        ),
      ),
  },
  {
    id: 'replacements-are-always-stale',
    breaks: clausesOf('GROUP-ALIKE-03', ['fresh', 'cleared']),
    sentence: 'Every PUT of what has several versions is refused as one of a stale version.',
    defect: () =>
      refusingWhere(['update'], (call) =>
        isShared(call) ? conflict(call.endpoint.type, call.exchange.info.name, 'it has changed') : undefined,
      ),
  },
  {
    id: 'names-are-never-taken',
    breaks: clausesOf('GROUP-ALIKE-03', 'taken'),
    sentence: 'A POST under a name in use is answered as if it had made an object.',
    defect: () => onVerbs(['create'], (call, serve) => (isShared(call) ? passing(call, serve) : serve(call))),
  },
  {
    id: 'deletions-of-shared-objects-are-only-tried',
    breaks: clausesOf('GROUP-ALIKE-03', ['removed', 'collection', 'held']),
    sentence: 'Whatever deletes objects of several versions is answered and not done.',
    defect: () =>
      asking(['delete', 'deletecollection'], (query, call) => {
        if (isShared(call)) query.set('dryRun', 'All');
      }),
  },
  {
    id: 'deletions-overlook-uids',
    breaks: clausesOf('GROUP-ALIKE-03', 'uid'),
    sentence: 'A DELETE is done whatever uid it asks for.',
    defect: () =>
      onVerbs(['delete'], (call, serve) =>
        serve(
          withBody(call, (options) => {
            delete options.preconditions;
          }),
        ),
      ),
  },
  {
    id: 'dry-runs-across-versions-are-real',
    breaks: clausesOf('GROUP-ALIKE-03', 'dry-run'),
    sentence: 'A patch of an object of several versions is done though it is a dry run.',
    defect: () =>
      asking(['patch'], (query, call) => {
        if (isShared(call)) query.delete('dryRun');
      }),
  },
  {
    id: 'applies-across-versions-never-conflict',
    breaks: clausesOf('GROUP-ALIKE-03', 'manager'),
    sentence: 'An apply takes the fields of others without being told to.',
    defect: () => onApplies((call, serve) => serve(withQuery(call, (query) => query.set('force', 'true')))),
  },
  {
    id: 'one-key-switches-on-all-there-is',
    breaks: clausesOf('GROUP-RUNTIME-07'),
    sentence: 'A key of --runtime-config that switches on an alpha or beta version switches on all of them.',
    defect: () => ({
      start: reading('runtime-config', (value) => (/alpha|beta/.test(value) ? `${value},api/all=true` : value)),
    }),
  },
  {
    id: 'older-leases-are-never-renewed',
    breaks: ['GROUP-ALIKE-04/leases'],
    sentence: 'The beta version of leases does not show when they were renewed.',
    defect: () =>
      onSpec(/^\/apis\/coordination[^/]*\/v1beta1\//, (spec) => {
        delete spec.renewTime;
      }),
  },
  {
    id: 'keys-switch-off-all-beta-versions',
    breaks: clausesOf('GROUP-RUNTIME-09', 'beta'),
    sentence: 'A key of --runtime-config that switches something off switches every beta version off.',
    defect: () => ({
      start: reading('runtime-config', (value) => (value.includes('=false') ? `${value},api/beta=false` : value)),
    }),
  },
  {
    id: 'keys-switch-off-workloads',
    breaks: clausesOf('GROUP-RUNTIME-09', 'elsewhere'),
    sentence: 'A key of --runtime-config that switches something off switches workloads off.',
    defect: () => ({
      start: reading('runtime-config', (value) => (value.includes('=false') ? `${value},apps/v1=false` : value)),
    }),
  },
  {
    id: 'keys-of-resources-switch-off-their-version',
    breaks: ['GROUP-RUNTIME-09/resource/stable', 'GROUP-RUNTIME-03'],
    sentence: 'A key of three parts switches the whole version off.',
    defect: () => ({
      start: reading('runtime-config', (value) => value.replace(/([^,=/]+\/[^,=/]+)\/[^,=/]+=false/g, '$1=false')),
    }),
  },
  {
    id: 'keys-of-beta-versions-switch-off-the-stable-one',
    breaks: ['GROUP-RUNTIME-09/version/stable'],
    sentence: 'A key that switches a beta version off switches the stable version of batch off, too.',
    defect: () => ({
      start: reading('runtime-config', (value) =>
        /(^|,)batch\/v1beta1=false/.test(value) ? `${value},batch/v1=false` : value,
      ),
    }),
  },
  {
    id: 'labels-go-with-the-stored-version',
    breaks: clausesOf('GROUP-ADVANCE-02', ['shown', 'listed', 'written', ...ALIKE_READS, 'cached']),
    sentence: 'Objects of a custom type have other labels each time that another version is stored.',
    defect: () => {
      const moves = new Map<string, number>();
      const seen = onShown((metadata, apiVersion) => {
        const count = moves.get(apiVersion.split('/')[0] ?? '');
        return count === undefined ? metadata : { ...metadata, labels: { moves: `${count}` } };
      });
      const watched = onType('customresourcedefinitions', ['patch'], (call, serve) => {
        const group = call.exchange.info.name.slice(call.exchange.info.name.indexOf('.') + 1);
        moves.set(group, (moves.get(group) ?? 0) + 1);
        return serve(call);
      });
      return { ...seen, ...watched };
    },
  },
  {
    id: 'lists-name-one-version-once-another-is-stored',
    breaks: clausesOf('GROUP-ADVANCE-02', [
      ...['list', 'everywhere', 'chunks', 'labels', 'fields'],
      ...['list-yaml', 'table', 'cached'],
    ]),
    sentence: 'Once another version of a custom type is stored, lists show each of its objects as one of v1.',
    defect: () => {
      const moved = new Set<string>();
      const one = (object: unknown) => {
        if (!isObject(object)) return;
        const [group = '', version] = String(object.apiVersion).split('/');
        if (version !== undefined && moved.has(group)) object.apiVersion = `${group}/v1`;
      };
      const seen = onValues((body) => {
        for (const item of Array.isArray(body.items) ? body.items : []) one(item);
        for (const row of Array.isArray(body.rows) ? body.rows : []) if (isObject(row)) one(row.object);
      });
      const watched = onType('customresourcedefinitions', ['patch'], (call, serve) => {
        moved.add(call.exchange.info.name.slice(call.exchange.info.name.indexOf('.') + 1));
        return serve(call);
      });
      return { ...seen, ...watched };
    },
  },
  {
    id: 'deletions-fail-once-another-version-is-stored',
    breaks: clausesOf('GROUP-ADVANCE-02', 'deleted'),
    sentence: 'Once another version of a custom type is stored, its objects cannot be deleted.',
    defect: () => {
      const moved = new Set<string>();
      return onVerbs(['patch', 'delete', 'deletecollection'], (call, serve) => {
        const { resource, name, group, verb } = call.exchange.info;
        if (resource === 'customresourcedefinitions') moved.add(name.slice(name.indexOf('.') + 1));
        else if (verb !== 'patch' && moved.has(group))
          throw conflict({ group, resource }, name, 'it is stored otherwise');
        return serve(call);
      });
    },
  },
  {
    id: 'answers-beside-json-say-another-version',
    breaks: clausesOf('GROUP-VERSION-01', ['yaml', 'protobuf']),
    sentence: 'What is answered in YAML or Protobuf has the apiVersion v0.',
    defect: () =>
      onReplies((reply) => {
        const type = String(reply.headers['content-type']);
        if (type.startsWith('application/yaml'))
          return {
            ...reply,
            body: Buffer.from(
              Buffer.from(reply.body)
                .toString('utf8')
                .replace(/^apiVersion: .*$/m, 'apiVersion: v0'),
            ),
          };
        if (!type.includes('protobuf') || reply.body.length < 8) return reply;
        // The envelope begins with the text of apiVersion: four bytes, its tag, its length, a tag and a length again.
        const body = Buffer.from(reply.body);
        const end = body.indexOf('v1', 6);
        if (end > 0) body.write('v0', end);
        return { ...reply, body };
      }),
  },
  {
    id: 'deprecated-words-are-not-heeded',
    breaks: clausesOf('GROUP-FIELDS-01'),
    sentence:
      'A volume that says Recycle becomes one that is retained, and the address of a load balancer, the revision of a repository, sources of volumes that were retired and serviceAccount of a pod are passed over.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], (call, serve) =>
        serve(
          withText(call, (text) =>
            text
              .replaceAll('"Recycle"', '"Retain"')
              .replaceAll('"192.0.2.7"', '"192.0.2.8"')
              .replaceAll('"revision":"main"', '"revision":"other"')
              .replaceAll(new RegExp(`"(${RETIRED_VOLUMES.join('|')})":`, 'gi'), '"other":')
              .replaceAll(/"serviceAccount":"[a-z-]+",/g, '')
              .replaceAll(/,"serviceAccount":"[a-z-]+"/g, ''),
          ),
        ),
      ),
  },
  {
    id: 'replacements-across-versions-are-only-tried',
    breaks: clausesOf('GROUP-ROUNDTRIP-01', 'taken-away'),
    sentence: 'A PUT of an object of several versions is answered and not done.',
    defect: () =>
      asking(['update'], (query, call) => {
        if (isShared(call)) query.set('dryRun', 'All');
      }),
  },
  {
    id: 'newer-autoscalers-show-no-metrics',
    breaks: clausesOf('GROUP-ROUNDTRIP-03'),
    sentence: 'autoscaling/v2 shows no metrics.',
    defect: () =>
      onSpec(/^\/apis\/autoscaling\/v2\//, (spec) => {
        delete spec.metrics;
      }),
  },
  {
    id: 'records-name-versions-without-group',
    breaks: clausesOf('GROUP-VERSION-01', 'managed'),
    sentence: 'Records of who wrote what name the version v0.',
    defect: () =>
      onShown((metadata) => {
        const records = Array.isArray(metadata.managedFields) ? metadata.managedFields.filter(isObject) : [];
        return { ...metadata, managedFields: records.map((each) => ({ ...each, apiVersion: 'v0' })) };
      }, []),
  },
];
