import { nearest } from '../collections/nearest.ts';
import { BadFlagValue, type Flag, parseBoolean } from './flag.ts';
import { FLAGS, type FlagName, type FlagValues } from './flagTable.ts';

/**
 * Flags of the real server that mean nothing here: accepted, so that a script need not change, and named in one
 * line at start. Those in the first list stand alone; the others take a value.
 */
const BARE = `
  allow-privileged aggregator-reject-forwarding-redirects
  contention-profiling
  enable-aggregator-routing enable-garbage-collector
  enable-logs-handler enable-priority-and-fairness permit-address-sharing
  permit-port-sharing profiling shutdown-send-retry-after shutdown-watch-termination-grace watch-cache log-flush-immediately alsologtostderr logtostderr
  skip-headers skip-log-headers one-output log-json-split-stream log-text-split-stream
`;
const VALUED = `
  admission-control-config-file advertise-address allow-metric-labels allow-metric-labels-manifest
  apiserver-count cloud-config cloud-provider
  cloud-provider-gce-l7lb-src-cidrs cors-allowed-origins coordinated-leadership-lease-duration
  coordinated-leadership-renew-deadline coordinated-leadership-retry-period debug-socket-path
  default-not-ready-toleration-seconds default-unreachable-toleration-seconds
  default-watch-cache-size delete-collection-workers disabled-metrics egress-selector-config-file
  emulated-version emulation-forward-compatible endpoint-reconciler-type
  etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-servers-overrides
  external-hostname goaway-chance http2-max-streams-per-connection
  kubelet-certificate-authority kubelet-client-certificate
  kubelet-client-key kubelet-port kubelet-preferred-address-types kubelet-read-only-port kubelet-timeout
  kubernetes-service-node-port lease-reuse-duration-seconds log-flush-frequency logging-format log-dir log-file
  log-file-max-size log-json-info-buffer-size log-text-info-buffer-size max-connection-bytes-per-sec
  min-compatibility-version peer-advertise-ip peer-advertise-port peer-ca-file proxy-client-cert-file
  proxy-client-key-file requestheader-allowed-names requestheader-client-ca-file
  requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
  requestheader-username-headers service-cluster-ip-range service-node-port-range
  service-account-signing-endpoint storage-backend storage-initialization-timeout storage-media-type
  stderrthreshold strict-transport-security-directives tls-cipher-suites tls-curve-preferences
  tls-sni-cert-key tracing-config-file vmodule v watch-cache-sizes
`;

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Name to whether the bare name is enough. */
const INERT_FLAGS: ReadonlyMap<string, { readonly bare: boolean }> = new Map([
  ...words(BARE).map((name): [string, { bare: boolean }] => [name, { bare: true }]),
  ...words(VALUED).map((name): [string, { bare: boolean }] => [name, { bare: false }]),
]);

/** Those of them that the real server has deprecated: whoever uses one is told (3/command-line-feature-gate-and-metric-rules/t1.4). */
const DEPRECATED_FLAGS: ReadonlySet<string> = new Set(['apiserver-count', 'cloud-config', 'cloud-provider']);

export interface ParsedFlags {
  readonly flags: FlagValues;
  /** Names that the command line gave, whatever their values. */
  readonly given: ReadonlySet<FlagName>;
  /** What the person at the terminal should know; one line each. */
  readonly notes: readonly string[];
}

/**
 * Reads a command line: `--flag value`, `--flag=value`, and the bare `--flag` for truth values.
 *
 * @param argv the words behind the command
 * @returns the values, or every error found, one sentence each
 */
export function parseFlags(argv: readonly string[]): ParsedFlags | { readonly errors: readonly string[] } {
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(FLAGS)) values[name] = flag.initial;
  const given = new Set<FlagName>();
  const inert = new Set<string>();
  const errors: string[] = [];

  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (!isOption(word)) {
      errors.push(unexpectedWord(word, argv[i - 1]));
      continue;
    }
    const body = word.replace(/^--?/, '');
    const equals = body.indexOf('=');
    const name = (equals < 0 ? body : body.slice(0, equals)).replaceAll('_', '-');
    const flag = Object.hasOwn(FLAGS, name) ? (FLAGS[name as FlagName] as unknown as Flag<unknown>) : undefined;
    const ignored = INERT_FLAGS.get(name);
    if (!flag && !ignored) {
      errors.push(unknownFlag(name));
      // What stands behind it is most likely its value, and nothing to complain of by itself.
      if (equals < 0 && i + 1 < argv.length && !isOption(argv[i + 1] as string)) i++;
      continue;
    }
    let value: string | undefined = equals < 0 ? undefined : body.slice(equals + 1);
    if (value === undefined) {
      if (flag?.bare || ignored?.bare) value = 'true';
      else if (i + 1 < argv.length) value = argv[++i] as string;
      else {
        errors.push(`--${name} needs a value`);
        continue;
      }
    }
    if (!flag) {
      inert.add(name);
      continue;
    }
    try {
      values[name] = flag.read(value, values[name], given.has(name as FlagName));
      given.add(name as FlagName);
    } catch (error) {
      if (!(error instanceof BadFlagValue)) throw error;
      errors.push(`invalid value ${JSON.stringify(value)} for --${name}: ${error.message}`);
    }
  }
  if (errors.length > 0) return { errors };
  const notes = [...inert]
    .filter((name) => DEPRECATED_FLAGS.has(name))
    .map((name) => `--${name} is deprecated and will be removed in a later release`);
  if (inert.size > 0) notes.push(`accepted without effect here: ${[...inert].map((name) => `--${name}`).join(' ')}`);
  return { flags: values as unknown as FlagValues, given, notes };
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-' && word !== '--';
}

/** @param before the word in front of it */
function unexpectedWord(word: string, before: string | undefined): string {
  const option = before !== undefined && isOption(before) && !before.includes('=') ? before : undefined;
  const meant = option !== undefined && parseBoolean(word) !== undefined ? `; did you mean ${option}=${word}?` : '';
  return `unexpected word ${JSON.stringify(word)}: every option begins with --${meant}`;
}

function unknownFlag(name: string): string {
  const close = nearest(name, [...Object.keys(FLAGS), ...INERT_FLAGS.keys()]);
  return `unknown flag --${name}${close === undefined ? '' : `; did you mean --${close}?`}`;
}
