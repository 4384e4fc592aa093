/** Priority classes of the service itself: name, value, description. */
export const SYSTEM_PRIORITIES: readonly (readonly [name: string, value: number, description: string])[] = [
  [
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ],
  [
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
];
