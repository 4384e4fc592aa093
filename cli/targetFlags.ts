import type { FlagTable } from './flags.ts';

/** Flags that say whom to test; `run` and `doctor` share them. */
export const TARGET_FLAGS = {
  target: { value: 'URL', help: 'test the server at this address', oneOf: 'server' },
  kubeconfig: { value: 'FILE', help: 'test the server of a context of this file', oneOf: 'server' },
  context: { value: 'NAME', help: 'the context; the current one unless told' },
  launch: {
    value: 'CMD',
    help: 'start the server with this command, {flags} standing for its flags',
    oneOf: 'server',
  },
  'restart-command': {
    value: 'CMD',
    help: 'end the server of --target or --kubeconfig and start it again, {flags} standing for further flags',
  },
  'authentication-config': {
    value: 'FILE',
    help: 'the file of that name that the server of --target or --kubeconfig reads, which checks change for a while',
  },
  releases: {
    value: 'N.M,…',
    help: 'what {release} in the command of --launch stands for; the last one unless a check asks for another',
  },
  token: { value: 'TOKEN', help: 'bearer token of somebody who may do everything', secret: true, oneOf: 'token' },
  'token-file': { value: 'FILE', help: 'file with that token, in place of --token', oneOf: 'token' },
  'client-cert': { value: 'FILE', help: 'client certificate of somebody who may do everything' },
  'client-key': { value: 'FILE', help: 'its key' },
  'plain-token': {
    value: 'TOKEN',
    help: 'bearer token of somebody without rights of their own',
    secret: true,
    oneOf: 'plain token',
  },
  'plain-token-file': { value: 'FILE', help: 'file with that token, in place of --plain-token', oneOf: 'plain token' },
  'plain-context': { value: 'NAME', help: 'context of somebody without rights of their own' },
  ca: { value: 'FILE', help: "authority that signed the server's certificate; the system's unless told" },
  'callback-host': { value: 'HOST', help: 'name or address at which the target reaches this machine, for webhooks' },
  insecure: { help: "do not verify the server's certificate" },
  'request-timeout': { value: 'DURATION', help: 'how long an answer is waited for; 20s unless told' },
  dialect: { value: 'NAME', help: 'kubernetes or cluster; read from discovery unless told' },
} as const satisfies FlagTable;
