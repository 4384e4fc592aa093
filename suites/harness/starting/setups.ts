import { type Annotation, SETUP } from '../../../reports/annotations.ts';
import type { Setup, SetupOf } from './setup.ts';

/** Setups of the checks that this process has loaded: an annotation can carry a name, but no function. */
const setups = new Map<string, Setup | SetupOf>();

/** Keeps a setup. @param name unique among all checks. */
export function keepSetup(name: string, setup: Setup | SetupOf): void {
  setups.set(name, setup);
}
/** The setup that a running check was declared with. */
export function setupOf(annotations: readonly Annotation[]): Setup | SetupOf | undefined {
  const name = annotations.find(({ type }) => type === SETUP)?.description;
  return name === undefined ? undefined : setups.get(name);
}
