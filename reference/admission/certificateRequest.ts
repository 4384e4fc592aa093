/** What a certificate signing request says of whom it is for. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

/**
 * The subject that a certificate signing request asks for.
 *
 * @param request base64 of PEM, as the API carries it
 * @returns undefined when it cannot be read
 */
export async function requestedSubject(request: string): Promise<RequestedSubject | undefined> {
  const pem = Buffer.from(request, 'base64').toString();
  const block = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/.exec(pem)?.[2];
  if (block === undefined) return undefined;
  // Loaded when first needed: few servers ever see such a request.
  const { AsnConvert } = await import('@peculiar/asn1-schema');
  const { CertificationRequest } = await import('@peculiar/asn1-csr');
  try {
    const { subject } = AsnConvert.parse(Buffer.from(block, 'base64'), CertificationRequest).certificationRequestInfo;
    const attributes = subject.flatMap((part) => [...part]);
    const valuesOf = (type: string) => attributes.filter((one) => one.type === type).map(({ value }) => `${value}`);
    return { commonName: valuesOf(COMMON_NAME)[0] ?? '', organizations: valuesOf(ORGANIZATION) };
  } catch {
    return undefined;
  }
}
