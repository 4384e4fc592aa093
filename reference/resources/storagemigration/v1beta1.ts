/** The rewriting of what is stored of a resource, in storagemigration/v1beta1. Transcribed from release 1.36. */
export const storageMigrations: string = `
GroupResource
  group 1 string! required
  resource 2 string! required
StorageVersionMigration kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 StorageVersionMigrationSpec!
  status 3 StorageVersionMigrationStatus!
StorageVersionMigrationSpec
  resource 1 GroupResource! required
StorageVersionMigrationStatus
  conditions 1 []meta.v1.Condition map(type) merge(type)
  resourceVersion 2 string
`;

/** The same in storagemigration/v1alpha1. Release 1.34 was the last with it. */
export const storageMigrationsV1alpha1: string = `
GroupVersionResource
  group 1 string
  version 2 string
  resource 3 string
MigrationCondition
  type 1 string! required
  status 2 string! required
  lastUpdateTime 3 time!
  reason 4 string
  message 5 string
StorageVersionMigration kind
  metadata 1 meta.v1.ObjectMeta!
  spec 2 StorageVersionMigrationSpec!
  status 3 StorageVersionMigrationStatus!
StorageVersionMigrationSpec
  resource 1 GroupVersionResource! required
  continueToken 2 string
StorageVersionMigrationStatus
  conditions 1 []MigrationCondition map(type) merge(type)
  resourceVersion 2 string
`;
