import type { GroupRules } from '../builtinType.ts';
import { csiDriverRules, csiNodeRules } from './drivers.ts';
import { storageClassRules } from './storageClass.ts';
import { attributesClassRules, storageCapacityRules, volumeAttachmentRules } from './volumeAttachment.ts';

/** Rules of the storage group. */
export const storageRules: GroupRules = {
  csidrivers: csiDriverRules,
  csinodes: csiNodeRules,
  csistoragecapacities: storageCapacityRules,
  storageclasses: storageClassRules,
  volumeattachments: volumeAttachmentRules,
  volumeattributesclasses: attributesClassRules,
};
