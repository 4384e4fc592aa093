/** What a certificate signing request says of whom it is for. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/**
 * The subject that a certificate signing request asks for.
 *
 * @param request base64 of PEM, as the API carries it
 * @returns undefined when it cannot be read
 */
export async function requestedSubject(request: string): Promise<RequestedSubject | undefined> {
  // Loaded when first needed: few servers ever see such a request.
  await import('reflect-metadata');
  const { Pkcs10CertificateRequest } = await import('@peculiar/x509');
  try {
    const { subjectName } = new Pkcs10CertificateRequest(Buffer.from(request, 'base64').toString());
    return { commonName: subjectName.getField('CN')[0] ?? '', organizations: subjectName.getField('O') };
  } catch {
    return undefined;
  }
}
