import type { Json } from '../../../api/json.ts';
import { isObject } from '../../../api/json.ts';
import { objectOf, textOf, textsOf } from '../../../api/parts.ts';
import { AGE, type ApiObject, column, named, wide } from '../../columns/column.ts';
import { UNSET } from '../../columns/labels.ts';

const MODES: readonly [mode: string, letters: string][] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function modesText(modes: Json | undefined): string {
  const given = textsOf(modes);
  return MODES.filter(([mode]) => given.includes(mode))
    .map(([, letters]) => letters)
    .join(',');
}

/** The old way to name a class is an annotation, of any domain. */
const CLASS_ANNOTATION = /^volume\.beta\.[^/]+\/storage-class$/;

function classText(object: ApiObject): string {
  for (const [name, value] of Object.entries(object.metadata.annotations ?? {})) {
    if (CLASS_ANNOTATION.test(name)) return value;
  }
  return textOf(objectOf(object.spec).storageClassName);
}

function phaseText(object: ApiObject): string {
  return object.metadata.deletionTimestamp ? 'Terminating' : textOf(objectOf(object.status).phase);
}

const optional = (field: string) => (object: ApiObject) => textOf(objectOf(object.spec)[field]) || UNSET;

const storage = (capacity: Json | undefined): string => textOf(objectOf(capacity).storage);

export const volumeColumns = named(
  column('Capacity', 'How much the volume holds.', (object) => storage(objectOf(object.spec).capacity)),
  column('Access Modes', 'How the volume can be mounted.', (object) => modesText(objectOf(object.spec).accessModes)),
  column('Reclaim Policy', 'What becomes of the volume when its claim is gone.', (object) =>
    textOf(objectOf(object.spec).persistentVolumeReclaimPolicy),
  ),
  column('Status', 'Whether the volume is free, bound or failed.', phaseText),
  column('Claim', 'The claim that has the volume.', (object) => {
    const { claimRef } = objectOf(object.spec);
    return isObject(claimRef) ? `${textOf(claimRef.namespace)}/${textOf(claimRef.name)}` : '';
  }),
  column('StorageClass', 'The class of the volume.', classText),
  column('VolumeAttributesClass', 'The class of the attributes of the volume.', optional('volumeAttributesClassName')),
  column('Reason', 'Why the volume is in its state.', (object) => textOf(objectOf(object.status).reason)),
  AGE,
  wide('VolumeMode', 'Whether the volume is a file system or a block device.', optional('volumeMode')),
);

const bound = (claim: ApiObject): boolean => textOf(objectOf(claim.spec).volumeName) !== '';

export const claimColumns = named(
  column('Status', 'Whether the claim has a volume.', phaseText),
  column('Volume', 'The volume that the claim has.', (object) => textOf(objectOf(object.spec).volumeName)),
  column('Capacity', 'How much the volume holds.', (object) =>
    bound(object) ? storage(objectOf(object.status).capacity) : '',
  ),
  column('Access Modes', 'How the volume can be mounted.', (object) =>
    bound(object) ? modesText(objectOf(object.status).accessModes) : '',
  ),
  column('StorageClass', 'The class that is asked for.', classText),
  column('VolumeAttributesClass', 'The class of attributes that is asked for.', optional('volumeAttributesClassName')),
  AGE,
  wide('VolumeMode', 'Whether a file system or a block device is asked for.', optional('volumeMode')),
);
