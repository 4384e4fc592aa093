import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isRecord } from '../json.ts';
import { PluginFailed } from './execPlugin.ts';

/** What a plugin gave: a token, a certificate with its key, or both (2/exec-credential-object/b1). */
export interface ExecCredential {
  readonly token?: string | undefined;
  /** PEM; intermediate certificates may follow the leaf. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** Milliseconds since the epoch; absent where the credential does not say. */
  readonly expires?: number | undefined;
}

/** Characters that a header can carry. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads what a plugin wrote.
 *
 * @param apiVersion that it was asked in, and has to answer in (2/exec-credential-object/p1).
 * @throws PluginFailed that says what is wrong, and never what was written.
 */
export function readExecCredential(output: string, apiVersion: string): ExecCredential {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    throw new PluginFailed('it wrote no JSON');
  }
  if (!isRecord(value) || value.kind !== 'ExecCredential') throw new PluginFailed('it wrote no ExecCredential');
  if (value.apiVersion !== apiVersion) {
    const said = typeof value.apiVersion === 'string' ? value.apiVersion : 'no version';
    throw new PluginFailed(`it answered in ${said} where ${apiVersion} is configured`);
  }
  const { status } = value;
  if (!isRecord(status)) throw new PluginFailed('its ExecCredential has no status');
  const token = text(status, 'token');
  const certificate = text(status, 'clientCertificateData');
  const key = text(status, 'clientKeyData');
  if ((certificate === '') !== (key === '')) {
    throw new PluginFailed('clientCertificateData and clientKeyData are only of use together, and it gave one of them');
  }
  if (token === '' && certificate === '') throw new PluginFailed('it gave neither a token nor a certificate');
  if (token !== '' && !HEADER_TEXT.test(token)) throw new PluginFailed('its token cannot stand in a header');
  if (certificate !== '') checkPair(certificate, key);
  const expires = readExpiration(text(status, 'expirationTimestamp'));
  return {
    ...(token === '' ? {} : { token }),
    ...(certificate === '' ? {} : { certificate, key }),
    ...(expires === undefined ? {} : { expires }),
  };
}

function text(from: Readonly<Record<string, unknown>>, name: string): string {
  const value = from[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new PluginFailed(`its ${name} is no text`);
  return value;
}

function checkPair(certificate: string, key: string): void {
  let matches: boolean;
  try {
    // Of a chain this is the first certificate: the one that the key belongs to.
    matches = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    throw new PluginFailed('its client certificate or key is no PEM');
  }
  if (!matches) throw new PluginFailed('its client key is not that of the client certificate');
}

function readExpiration(written: string): number | undefined {
  if (written === '') return undefined;
  const instant = INSTANT.test(written) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(instant)) throw new PluginFailed('its expirationTimestamp is no RFC 3339 time');
  return instant;
}
