import type { Json, JsonObject } from '../../api/json.ts';
import { listOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { Column } from '../../contracts/resourceType.ts';
import { AGE, type ApiObject, boolean, column, integer, NAME, named } from '../columns/column.ts';
import { NONE, UNSET } from '../columns/labels.ts';

const spec = (object: ApiObject): JsonObject => objectOf(object.spec);
const flag =
  (field: string, absent = false) =>
  (object: ApiObject) => {
    const value = spec(object)[field];
    return typeof value === 'boolean' ? value : absent;
  };

/** What marks the class that claims without one get; the annotation may have any domain. */
const DEFAULT_CLASS = /^storageclass\.(beta\.)?[^/]+\/is-default-class$/;

function classNameText({ metadata }: ApiObject): string {
  const marks = Object.entries(metadata.annotations ?? {});
  const isDefault = marks.some(([name, value]) => DEFAULT_CLASS.test(name) && value === 'true');
  return `${metadata.name ?? ''}${isDefault ? ' (default)' : ''}`;
}

function audiencesText(requests: Json | undefined): string {
  return listOf(requests).length === 0
    ? UNSET
    : objectsOf(requests)
        .map((request) => textOf(request.audience))
        .join(',');
}

export const storageClassColumns: readonly Column[] = [
  { ...NAME, cell: classNameText },
  column('Provisioner', 'Who makes volumes of the class.', (object) => textOf(object.provisioner)),
  column('ReclaimPolicy', 'What becomes of volumes.', (object) => textOf(object.reclaimPolicy) || 'Delete'),
  column('VolumeBindingMode', 'When volumes are bound.', (object) => textOf(object.volumeBindingMode) || 'Immediate'),
  column('AllowVolumeExpansion', 'Whether volumes can grow.', (object) => object.allowVolumeExpansion === true),
  AGE,
];

export const csiDriverColumns = named(
  column('AttachRequired', 'Whether volumes must be attached.', flag('attachRequired', true), boolean),
  column('PodInfoOnMount', 'Whether the driver is told of the pod.', flag('podInfoOnMount'), boolean),
  column('StorageCapacity', 'Whether the driver tells its capacity.', flag('storageCapacity'), boolean),
  column('TokenRequests', 'Audiences of the tokens that the driver gets.', (object) =>
    audiencesText(spec(object).tokenRequests),
  ),
  column('RequiresRepublish', 'Whether mounts are renewed.', flag('requiresRepublish'), boolean),
  column(
    'Modes',
    'Lifecycles of volumes that the driver knows.',
    (object) => textsOf(spec(object).volumeLifecycleModes).join(',') || NONE,
  ),
  AGE,
);

export const csiNodeColumns = named(
  column('Drivers', 'Number of drivers on the node.', (object) => listOf(spec(object).drivers).length, integer),
  AGE,
);

export const volumeAttachmentColumns = named(
  column('Attacher', 'Who attaches the volume.', (object) => textOf(spec(object).attacher), { format: 'name' }),
  column('PV', 'The volume.', (object) => textOf(objectOf(spec(object).source).persistentVolumeName)),
  column('Node', 'Where it is attached.', (object) => textOf(spec(object).nodeName)),
  column('Attached', 'Whether it is.', (object) => objectOf(object.status).attached === true, boolean),
  AGE,
);

export const volumeAttributesClassColumns = named(
  column('DriverName', 'Who knows the attributes.', (object) => textOf(object.driverName)),
  AGE,
);
