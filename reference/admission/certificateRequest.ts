/**
 * The common name that a certificate signing request asks for.
 *
 * @param request base64 of PEM, as the API carries it
 * @returns undefined when it cannot be read
 */
export async function requestedCommonName(request: string): Promise<string | undefined> {
  // Loaded when first needed: few servers ever see such a request.
  await import('reflect-metadata');
  const { Pkcs10CertificateRequest } = await import('@peculiar/x509');
  try {
    const parsed = new Pkcs10CertificateRequest(Buffer.from(request, 'base64').toString());
    return parsed.subjectName.getField('CN')[0] ?? '';
  } catch {
    return undefined;
  }
}
