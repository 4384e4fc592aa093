import type { FlagTable } from '../flags.ts';
import { TARGET_FLAGS } from '../targetFlags.ts';

const { target, kubeconfig, context, token, ca, insecure, dialect } = TARGET_FLAGS;

export const PROXY_FLAGS = {
  target: { ...target, help: 'stand in front of the server at this address' },
  kubeconfig: { ...kubeconfig, help: 'stand in front of the server of a context of this file' },
  context,
  token,
  'token-file': TARGET_FLAGS['token-file'],
  'client-cert': TARGET_FLAGS['client-cert'],
  'client-key': TARGET_FLAGS['client-key'],
  ca,
  insecure,
  dialect: { ...dialect, help: 'of the built-in reference, where no other server is named' },
  violations: { value: 'FILE', help: 'violations of your own, as docs/violations.md tells' },
  violation: { value: 'NAME', help: 'the one to commit; several at once where it is repeated', many: true },
  listen: { value: '[HOST:]PORT', help: 'where to listen; 127.0.0.1:8080 unless told' },
  'tls-cert': { value: 'FILE', help: 'listen with this certificate; plain HTTP unless told' },
  'tls-key': { value: 'FILE', help: 'its key' },
  lend: { help: 'send requests that show no credentials with those of the flags' },
} as const satisfies FlagTable;
