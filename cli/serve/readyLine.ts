import type { Running } from './running.ts';

/** What an embedded server tells its harness once it serves: where, who may come in, and where its clock is moved. */
export function readyLine({ base, files, ca, credentials, control }: Running): Readonly<Record<string, unknown>> {
  return {
    ready: true,
    base,
    kubeconfig: files?.kubeconfig,
    ca,
    identities: Object.fromEntries(credentials.map(({ name, token }) => [name, { token }])),
    ...(control ? { control: { base: control.base, token: control.token } } : {}),
  };
}
