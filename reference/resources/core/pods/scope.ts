import type { RuleContext } from '../../builtinType.ts';

/** What the rules of a pod's spec depend on besides the spec. */
export interface PodScope extends Pick<RuleContext, 'release'> {
  /** Domain of the service's own labels and annotations. */
  readonly labelDomain: string;
  /** True for pods themselves, false for templates. */
  readonly isPod: boolean;
  /** Name of the pod, where there is one. */
  readonly podName?: string;
  /** Addresses that the object had before; they are not looked at again. */
  readonly oldAddresses?: readonly string[];
}

/** What the containers of a pod share. */
export interface ContainerScope extends PodScope {
  /** Volumes that are sound, by name. */
  readonly volumes: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly claimNames: ReadonlySet<string>;
  readonly graceSeconds: number | undefined;
  readonly restartPolicy: string;
  /** Whether the pod shares the users of its node. */
  readonly hostUsers: boolean;
}

/** Releases in which rules came to be. */
export const SINCE = {
  /** Containers may sleep for no time at all; searches in DNS may have underscores; resize policies. */
  zeroSleep: 33,
  underscoreSearch: 33,
  resize: 33,
  /** Pods as a whole may have resources. */
  podResources: 34,
  /** Keys of labels for spreading become part of the selector. */
  spreadBySelector: 34,
  /** Each container may say how it is started again. */
  containerRestart: 35,
} as const;
