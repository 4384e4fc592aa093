export type { PeerCertificate } from '../node/tls.ts';

/** No handshake ever asks: a tab makes no TLS connections of its own. */
export function checkServerIdentity(): Error {
  return new Error('a tab of a browser makes no TLS connections of its own');
}
