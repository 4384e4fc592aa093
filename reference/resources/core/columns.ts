import { isObject, type JsonObject } from '../../api/json.ts';
import { objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, named, wide } from '../columns/column.ts';
import { labelsText } from '../columns/labels.ts';
import { replicaColumns, spec } from '../workloads/columns.ts';
import { containerColumns } from '../workloads/podTemplates.ts';

const size = (object: ApiObject, field: string): number => Object.keys(objectOf(object[field])).length;

/** Amounts used of amounts allowed, of resources whose name begins with `limits`, or of the others. */
function quotaText(quota: ApiObject, limits: boolean): string {
  const { hard, used } = objectOf(quota.status);
  return Object.keys(objectOf(hard))
    .sort()
    .filter((name) => name.startsWith('limits') === limits)
    .map((name) => `${name}: ${textOf(objectOf(used)[name]) || '0'}/${textOf(objectOf(hard)[name])}`)
    .join(', ');
}

const condition = (object: ApiObject): JsonObject =>
  objectsOf(object.conditions).find((one) => one.type === 'Healthy') ?? {};
const HEALTH: Readonly<Record<string, string>> = { True: 'Healthy', False: 'Unhealthy' };

export const componentStatusColumns = named(
  column('Status', 'Whether the component is well.', (object) => HEALTH[textOf(condition(object).status)] ?? 'Unknown'),
  column('Message', 'What the component says.', (object) => textOf(condition(object).message)),
  column('Error', 'What is wrong with the component.', (object) => textOf(condition(object).error)),
);

export const configMapColumns = named(
  column(
    'Data',
    "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.",
    (object) => size(object, 'data') + size(object, 'binaryData'),
  ),
  AGE,
);

export const namespaceColumns = named(
  column('Status', 'The status of the namespace', (object) => textOf(objectOf(object.status).phase)),
  AGE,
);

export const podTemplateColumns = named(
  ...containerColumns((object) => object.template as JsonObject | undefined, 0),
  column('Pod Labels', 'Labels of the pods that are made.', (object) => {
    const template = object.template;
    return labelsText(isObject(template) ? objectOf(template.metadata).labels : undefined);
  }),
);

export const resourceQuotaColumns = named(
  column('Request', 'What may be requested, and is.', (object) => quotaText(object, false)),
  column('Limit', 'What limits may add up to, and do.', (object) => quotaText(object, true)),
  AGE,
);

export const secretColumns = named(
  column(
    'Type',
    'Used to facilitate programmatic handling of secret data. More info: https://kubernetes.io/docs/concepts/configuration/secret/#secret-types',
    (object) => textOf(object.type),
  ),
  column(
    'Data',
    "Data contains the secret data. Each key must consist of alphanumeric characters, '-', '_' or '.'. The serialized form of the secret data is a base64 encoded string, representing the arbitrary (possibly non-string) data value here. Described in https://tools.ietf.org/html/rfc4648#section-4",
    (object) => size(object, 'data'),
  ),
  AGE,
);

export const serviceAccountColumns = named(AGE);

/** Columns of replication controllers, whose selector is a plain map. */
export const replicationControllerColumns = replicaColumns(
  wide('Selector', 'Labels of the pods that are counted.', (object) => labelsText(spec(object).selector)),
);
