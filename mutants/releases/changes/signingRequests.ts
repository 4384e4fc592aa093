import { clausesOf } from '../../../fixtures/ledger/index.ts';
import { badRequest } from '../../../reference/api/status.ts';
import type { Seams } from '../../../reference/seams.ts';
import { onVerbs, withBody } from '../../alter.ts';
import type { Mutant } from '../../mutant.ts';
import { mending, passingRefusals, storedOf } from '../../oneType.ts';

interface Signing {
  spec?: { usages?: string[]; signerName?: string };
  status?: { conditions?: { type?: string; status?: string }[]; certificate?: string };
}

/** What is written to a subresource of a signing request, mended before it is looked at. */
function mendingStatus(mend: (status: NonNullable<Signing['status']>) => void): Seams {
  return onVerbs(['update', 'patch'], (call, serve) => {
    const { type, subresource } = call.endpoint;
    if (type.resource !== 'certificatesigningrequests' || !subresource) return serve(call);
    return serve(withBody(call, (body) => mend((body as Signing).status ?? {})));
  });
}

/** Signing requests that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const SIGNING_REQUEST_CHANGES: readonly Mutant[] = [
  {
    id: 'signing-requests-repeat-usages',
    breaks: ['CHANGED-SIGNING-01'],
    sentence: 'A usage may stand twice in a request for a certificate.',
    defect: () =>
      mending<Signing>('certificatesigningrequests', ['create'], ({ spec }) => {
        if (spec?.usages) spec.usages = [...new Set(spec.usages)];
      }),
  },
  {
    id: 'signing-requests-repeat-conditions',
    breaks: ['CHANGED-SIGNING-02'],
    sentence: 'A condition of a request for a certificate may stand twice.',
    defect: () =>
      mendingStatus((status) => {
        const { conditions } = status;
        if (conditions)
          status.conditions = conditions.filter(
            ({ type }, place) => conditions.findIndex((each) => each.type === type) === place,
          );
      }),
  },
  {
    id: 'signing-requests-take-every-kind-of-certificate',
    breaks: clausesOf('CHANGED-SIGNING-03', 'certificate', ['put', 'put-yaml', 'merge', 'strategic', 'apply']),
    sentence: 'The certificate of a request may stand in blocks of X509 CERTIFICATE or TRUSTED CERTIFICATE.',
    defect: () =>
      mendingStatus((status) => {
        const text = Buffer.from(status.certificate ?? '', 'base64').toString('latin1');
        const plain = text.replaceAll(/-----(BEGIN|END) (X509|TRUSTED) CERTIFICATE-----/g, '-----$1 CERTIFICATE-----');
        if (plain !== text) status.certificate = Buffer.from(plain, 'latin1').toString('base64');
      }),
  },
  {
    id: 'older-signing-requests-are-frozen',
    breaks: clausesOf('CHANGED-SIGNING-04'),
    sentence: 'A request that v1 would refuse as a new one is changed in v1 no more, its status neither.',
    defect: () =>
      onVerbs(['update', 'patch'], async (call, serve) => {
        const { resource, version } = call.exchange.info;
        if (version !== 'v1' || resource !== 'certificatesigningrequests') return serve(call);
        const { signerName, usages = [] } = ((await storedOf(call))?.object as Signing | undefined)?.spec ?? {};
        const isOlder = usages.includes('tea') || new Set(usages).size < usages.length;
        if (isOlder || signerName?.endsWith('/legacy-unknown')) throw badRequest('spec: v1 does not take it');
        return serve(call);
      }),
  },
  {
    id: 'signing-requests-are-taken-as-they-are',
    breaks: clausesOf('CHANGED-SIGNING-03'),
    sentence: 'Nothing that is written of a signing request or its subresources is refused.',
    defect: () => passingRefusals('certificatesigningrequests', undefined, true),
  },
];
