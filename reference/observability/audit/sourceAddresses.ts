import type { IncomingRequest } from '../../api/request.ts';
import { isIP } from '../../ports/addresses.ts';

/**
 * Where a request came from: the addresses that proxies put into its headers, and the peer of the connection last, which
 * nobody can make up.
 */
export function sourceAddresses({ headers, remoteAddress }: IncomingRequest): readonly string[] {
  const addresses = text(headers['x-forwarded-for'])
    .split(',')
    .map((part) => part.trim())
    .filter((part) => isIP(part) !== 0);
  const real = text(headers['x-real-ip']).trim();
  if (isIP(real) !== 0 && !addresses.includes(real)) addresses.push(real);
  const peer = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (peer !== '' && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}

function text(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}
