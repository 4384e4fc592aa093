import { groupName } from '../../../fixtures/dialects/dialect.ts';
import { type Actor, isRecord } from '../../harness/index.ts';

const template = {
  metadata: { labels: { app: 'effect' } },
  spec: {
    containers: [{ name: 'c', image: 'registry.example/none' }],
    volumes: [{ name: 'own', ephemeral: { volumeClaimTemplate: { spec: claim() } } }],
    setHostnameAsFQDN: true,
  },
};
const selector = { matchLabels: template.metadata.labels };
const job = {
  template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
  completions: 1,
  completionMode: 'Indexed',
  suspend: true,
  ttlSecondsAfterFinished: 9,
};

function claim(): object {
  return { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } };
}

/** Objects with fields that once came with a feature: the group without the domain, its version, type and content. */
const OBJECTS: readonly (readonly [group: string, version: string, plural: string, kind: string, content: object])[] = [
  ['', 'v1', 'configmaps', 'ConfigMap', { immutable: true }],
  ['', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', { spec: claim() }],
  ['', 'v1', 'podtemplates', 'PodTemplate', { template }],
  [
    '',
    'v1',
    'services',
    'Service',
    { spec: { internalTrafficPolicy: 'Local', ports: [{ port: 80, appProtocol: 'http' }] } },
  ],
  ['batch', 'v1', 'jobs', 'Job', { spec: job }],
  [
    'batch',
    'v1',
    'cronjobs',
    'CronJob',
    { spec: { schedule: '0 0 1 1 *', timeZone: 'Etc/UTC', jobTemplate: { spec: job } } },
  ],
  [
    'apps',
    'v1',
    'statefulsets',
    'StatefulSet',
    {
      spec: {
        selector,
        template,
        serviceName: 'effect',
        minReadySeconds: 3,
        ordinals: { start: 2 },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      },
    },
  ],
  [
    'networking.',
    'v1',
    'networkpolicies',
    'NetworkPolicy',
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80, endPort: 90 }] }] } },
  ],
];

/** All members of a value, as paths, and not what they hold. */
function pathsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each, place) => pathsOf(each, `${at}.${place}`));
  if (!isRecord(value)) return [at];
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, `${at}.${name}`));
}

/** What is answered of objects with fields that once came with a feature, and which of their fields are shown. */
export async function gatedFields(actor: Actor): Promise<unknown> {
  const found = [];
  for (const [group, version, plural, kind, content] of OBJECTS) {
    const name = group.endsWith('.') ? groupName(actor.dialect, group.slice(0, -1)) : group;
    const apiVersion = name === '' ? version : `${name}/${version}`;
    const body = { apiVersion, kind, metadata: { name: 'touchstone-effect' }, ...content };
    const root = name === '' ? '/api/v1' : `/apis/${apiVersion}`;
    const path = `${root}/namespaces/default/${plural}?dryRun=All`;
    const { status, json } = await actor.request('POST', path, { body });
    const { metadata: _, ...shown } = isRecord(json) ? json : {};
    found.push([kind, status, status < 300 ? pathsOf(shown).sort() : []]);
  }
  return found;
}
