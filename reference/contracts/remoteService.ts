/** A remote service and how to show oneself to it. */
export interface RemoteService {
  readonly url: string;
  /** PEM; undefined: the authorities that the machine trusts. */
  readonly ca: string | undefined;
  readonly serverName: string | undefined;
  /** The server's certificate is not looked at. */
  readonly insecure: boolean;
  /** PEM. */
  readonly clientCertificate: { readonly certificate: string; readonly key: string } | undefined;
  readonly token: string | undefined;
}
