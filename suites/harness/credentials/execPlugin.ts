/** When a plugin may ask a person: how a client configuration says it. */
export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** A program that gives credentials, as the user of a client configuration names it (2/methods/t1.7). */
export interface ExecPlugin {
  /** `client.authentication.<domain>/v1` or `/v1beta1`: what the plugin is asked in and has to answer in. */
  readonly apiVersion: string;
  /** A program on the path, or the path of one. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of ours. */
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: InteractiveMode;
  /** For whoever does not have the plugin. */
  readonly installHint?: string;
  /** What the plugin is told of the cluster; absent where it is told nothing. */
  readonly cluster?: ClusterInfo;
}
/** The cluster, as a plugin is told of it (2/exec-credential-object/b3). */
export interface ClusterInfo {
  readonly server: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: true;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
  /** Whatever the configuration of the cluster holds for plugins. */
  readonly config?: unknown;
}

/** The plugin gave no credentials that can be used. The message is one sentence, and holds nothing that is secret. */
export class PluginFailed extends Error {
  override readonly name = 'PluginFailed';
}
