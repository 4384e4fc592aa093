import type { ApiGroup, BuiltinType } from '../builtinType.ts';
import {
  csiDriverColumns,
  csiNodeColumns,
  storageClassColumns,
  volumeAttachmentColumns,
  volumeAttributesClassColumns,
} from './columns.ts';
import { csiDriverRules, csiNodeRules } from './drivers.ts';
import { storageClassRules } from './storageClass.ts';
import { storageV1 } from './v1.ts';
import { attributesClassRules, storageCapacityRules, volumeAttachmentRules } from './volumeAttachment.ts';

const csiDrivers: BuiltinType = {
  resource: 'csidrivers CSIDriver cluster *',
  unconditionalUpdate: false,
  deleteReturnsObject: true,
  columns: csiDriverColumns,
  rules: csiDriverRules,
};

const csiNodes: BuiltinType = {
  resource: 'csinodes CSINode cluster *',
  unconditionalUpdate: false,
  deleteReturnsObject: true,
  columns: csiNodeColumns,
  rules: csiNodeRules,
};

const csiStorageCapacities: BuiltinType = {
  resource: 'csistoragecapacities CSIStorageCapacity namespaced *',
  unconditionalUpdate: false,
  rules: storageCapacityRules,
};

const storageClasses: BuiltinType = {
  resource: 'storageclasses StorageClass cluster * short=sc',
  deleteReturnsObject: true,
  columns: storageClassColumns,
  rules: storageClassRules,
};

const volumeAttachments: BuiltinType = {
  resource: 'volumeattachments VolumeAttachment cluster *',
  subresources: ['status status get,patch,update'],
  unconditionalUpdate: false,
  deleteReturnsObject: true,
  columns: volumeAttachmentColumns,
  rules: volumeAttachmentRules,
};

const volumeAttributesClasses: BuiltinType = {
  resource: 'volumeattributesclasses VolumeAttributesClass cluster * short=vac',
  deleteReturnsObject: true,
  columns: volumeAttributesClassColumns,
  rules: attributesClassRules,
};

/** Where volumes come from. */
export const storageGroup: ApiGroup = {
  name: 'storage.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: storageV1,
    v1beta1: storageV1,
    v1alpha1: storageV1,
  },
  types: [csiDrivers, csiNodes, csiStorageCapacities, storageClasses, volumeAttachments, volumeAttributesClasses],
};
