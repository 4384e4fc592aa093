import type { GroupRules } from '../ruleSet.ts';
import { attributesClassRules, storageCapacityRules, volumeAttachmentRules } from './attachments.ts';
import { csiDriverRules, csiNodeRules } from './drivers.ts';
import { storageClassRules } from './storageClass.ts';

/** Rules of the storage group. */
export const storageRules: GroupRules = {
  csidrivers: csiDriverRules,
  csinodes: csiNodeRules,
  csistoragecapacities: storageCapacityRules,
  storageclasses: storageClassRules,
  volumeattachments: volumeAttachmentRules,
  volumeattributesclasses: attributesClassRules,
};
