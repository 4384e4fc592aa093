import { X509Certificate } from 'node:crypto';
import type { Mutant } from '../mutant.ts';
import { called, onOptions, onRefusal, onUser } from '../onAuthentication.ts';

const AUTHENTICATED = 'system:authenticated';

/** Whom client certificates make (2/methods). */
export const CERTIFICATES: readonly Mutant[] = [
  {
    id: 'organizations-forgotten',
    breaks: ['CERT-SUBJECT-01'],
    sentence: 'The organizations of a client certificate are no groups.',
    defect: () =>
      onUser((user, { peerCertificate }) =>
        (peerCertificate?.chain.length ?? 0) > 0 ? called(user.username, [AUTHENTICATED]) : user,
      ),
  },
  {
    id: 'subjects-are-read-as-texts',
    breaks: ['CERT-SUBJECT-01', 'IDENTITY-OPAQUE-01/certificate/name', 'IDENTITY-OPAQUE-01/certificate/groups'],
    sentence: 'Signs in the subject of a client certificate stay behind the backslashes of its text.',
    defect: () => {
      const escaped = (text: string) => text.replace(/[+,;<>"\\]/g, '\\$&');
      return onUser((user, { peerCertificate }) =>
        (peerCertificate?.chain.length ?? 0) > 0
          ? { ...user, username: escaped(user.username), groups: user.groups.map(escaped) }
          : user,
      );
    },
  },
  {
    id: 'any-certificate-taken',
    breaks: ['CERT-TRUST-01'],
    sentence: 'A client certificate is taken whoever signed it and whenever it ended.',
    defect: () =>
      onRefusal(({ peerCertificate }) => {
        const [leaf] = peerCertificate?.chain ?? [];
        const name = leaf && /^CN=(.+)$/m.exec(new X509Certificate(leaf).subject)?.[1];
        return name ? called(name) : undefined;
      }),
  },
  {
    id: 'first-client-ca-only',
    breaks: ['CERT-TRUST-02'],
    sentence: 'Of the client CA file only the first certificate is trusted.',
    defect: () => ({
      start: {
        options: (options) => {
          const { clientCa } = options.authentication;
          return { ...options, authentication: { ...options.authentication, clientCa: clientCa?.slice(0, 1) } };
        },
      },
    }),
  },
  {
    id: 'last-client-ca-of-a-name',
    breaks: ['CERT-TRUST-02'],
    sentence: 'Of several client CAs of one subject the last is trusted.',
    defect: () => ({
      start: onOptions((options) => {
        const bySubject = new Map(options.clientCa?.map((pem) => [new X509Certificate(pem).subject, pem]));
        return { ...options, clientCa: options.clientCa && [...bySubject.values()] };
      }),
    }),
  },
];
