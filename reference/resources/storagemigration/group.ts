import type { ApiGroup, BuiltinType } from '../builtinType.ts';
import { deprecatedMigrations } from './conversion.ts';
import { storageMigrations, storageMigrationsV1alpha1 } from './v1beta1.ts';

const storageVersionMigrations: BuiltinType = {
  resource: 'storageversionmigrations StorageVersionMigration cluster *',
  subresources: ['status status get,patch,update'],
  deprecated: deprecatedMigrations,
};

/** The rewriting of what is stored. */
export const storagemigrationGroup: ApiGroup = {
  name: 'storagemigration.{domain}',
  storedVersion: 'v1alpha1',
  fields: {
    v1beta1: storageMigrations,
    v1alpha1: storageMigrationsV1alpha1,
  },
  types: [storageVersionMigrations],
};
