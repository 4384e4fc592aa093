/** Whether a host name or an address means this machine and can be reached from nowhere else. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.');
}
