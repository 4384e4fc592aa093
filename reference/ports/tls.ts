/** Judging the certificate of a server that is called. */
export { checkServerIdentity, type PeerCertificate } from './node/tls.ts';
