export { checkServerIdentity, type PeerCertificate } from 'node:tls';
