import { openServer, type ReferenceOptions, type ReferenceServer } from './server.ts';

export type { StateChange } from './changes.ts';
export type { RecordedRequest, ToldDecision } from './history.ts';
export type { ClientNodeOptions } from './kubeconfig.ts';
export type { Actor, Address, Kubeconfig, ListenOptions, ReferenceOptions, ReferenceServer } from './server.ts';

/**
 * Makes a server in this process, which has its first objects and listens nowhere.
 * @throws Error with a sentence for each option that cannot be
 */
export function createReference(options: ReferenceOptions = {}): Promise<ReferenceServer> {
  return openServer(options, true);
}
