import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Random } from '../random.ts';
import type { Store } from '../storage/store.ts';
import type { Admission } from './admission.ts';
import { admissionChain } from './chain.ts';
import { claimResize } from './claimResize.ts';
import { defaultIngressClass, defaultStorageClass } from './defaultClasses.ts';
import { defaultTolerations } from './defaultTolerations.ts';
import { namespaceLifecycle } from './namespaceLifecycle.ts';
import { nodeRestriction } from './nodeRestriction.ts';
import { nodeTaint } from './nodeTaint.ts';
import { podPriority } from './podPriority.ts';
import { priorityClasses, systemPriorities } from './priorityClasses.ts';
import { serviceAccount } from './serviceAccount.ts';
import { storageProtection } from './storageProtection.ts';

export interface AdmissionRooms {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly random: Random;
}

/** A plugin that the flags can turn on and off by its name. */
interface Plugin {
  readonly name: string;
  readonly byDefault: boolean;
  readonly make: (rooms: AdmissionRooms) => Admission;
}

/** In the order in which they run. */
const PLUGINS: readonly Plugin[] = [
  { name: 'NamespaceLifecycle', byDefault: true, make: ({ store, dialect }) => namespaceLifecycle(store, dialect) },
  { name: 'ServiceAccount', byDefault: true, make: serviceAccount },
  { name: 'NodeRestriction', byDefault: false, make: nodeRestriction },
  { name: 'TaintNodesByCondition', byDefault: true, make: nodeTaint },
  { name: 'Priority', byDefault: true, make: podPriority },
  { name: 'Priority', byDefault: true, make: priorityClasses },
  { name: 'DefaultTolerationSeconds', byDefault: true, make: ({ dialect }) => defaultTolerations(dialect) },
  { name: 'DefaultStorageClass', byDefault: true, make: defaultStorageClass },
  { name: 'StorageObjectInUseProtection', byDefault: true, make: storageProtection },
  { name: 'PersistentVolumeClaimResize', byDefault: true, make: claimResize },
  { name: 'DefaultIngressClass', byDefault: true, make: defaultIngressClass },
];

/**
 * The chain that the flags ask for: default plugins and those enabled, less those disabled, then what no flag can
 * turn off.
 */
export function createAdmission(
  asked: { readonly enable: readonly string[]; readonly disable: readonly string[] },
  rooms: AdmissionRooms,
  always: readonly Admission[],
): Admission {
  const chosen = PLUGINS.filter(
    ({ name, byDefault }) => (byDefault || asked.enable.includes(name)) && !asked.disable.includes(name),
  );
  return admissionChain([...chosen.map(({ make }) => make(rooms)), systemPriorities(rooms.dialect), ...always]);
}
