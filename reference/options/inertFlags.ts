/**
 * Flags of the real server that mean nothing here: accepted, so that a script need not change, and named in one
 * line at start. Those in the first list stand alone; the others take a value.
 */
const BARE = `
  allow-privileged aggregator-reject-forwarding-redirects
  contention-profiling
  disable-http2-serving enable-aggregator-routing enable-garbage-collector
  enable-logs-handler enable-priority-and-fairness permit-address-sharing
  permit-port-sharing profiling shutdown-send-retry-after shutdown-watch-termination-grace watch-cache log-flush-immediately alsologtostderr logtostderr
  skip-headers skip-log-headers one-output log-json-split-stream log-text-split-stream
`;
const VALUED = `
  admission-control-config-file advertise-address allow-metric-labels allow-metric-labels-manifest
  apiserver-count cert-dir cloud-config cloud-provider
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
export const INERT_FLAGS: ReadonlyMap<string, { readonly bare: boolean }> = new Map([
  ...words(BARE).map((name): [string, { bare: boolean }] => [name, { bare: true }]),
  ...words(VALUED).map((name): [string, { bare: boolean }] => [name, { bare: false }]),
]);

/** Those of them that the real server has deprecated: whoever uses one is told (3/command-line-feature-gate-and-metric-rules/t1.4). */
export const DEPRECATED_FLAGS: ReadonlySet<string> = new Set(['apiserver-count', 'cloud-config', 'cloud-provider']);
