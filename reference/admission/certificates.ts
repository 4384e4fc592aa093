import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { User } from '../api/identity.ts';
import { equalJson, type Json } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { objectOf, textOf } from '../api/parts.ts';
import { forbidden } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import type { Authorizer } from '../contracts/authorizer.ts';
import { requestedSubject } from './certificateRequest.ts';
import { onlyTypes } from './onlyTypes.ts';

interface Dependencies {
  readonly dialect: Dialect;
  readonly authorizer: Authorizer;
}

const RESOURCE = 'certificatesigningrequests';
const ADMINISTRATORS = 'system:masters';

/** Plugin CertificateApproval: who approves or denies a request must hold the verb `approve` on its signer. */
export function certificateApproval(dependencies: Dependencies): Admission {
  return {
    name: 'CertificateApproval',
    concerns: onlyTypes(groupName(dependencies.dialect, 'certificates'), RESOURCE),
    async validate(attributes) {
      if (!isUpdateOf('approval', attributes, dependencies.dialect)) return;
      await demand('approve', attributes, dependencies);
    },
  };
}

/** Plugin CertificateSigning: who sets the certificate or conditions of a request must hold the verb `sign`. */
export function certificateSigning(dependencies: Dependencies): Admission {
  return {
    name: 'CertificateSigning',
    concerns: onlyTypes(groupName(dependencies.dialect, 'certificates'), RESOURCE),
    async validate(attributes) {
      const { object, oldObject } = attributes;
      if (!isUpdateOf('status', attributes, dependencies.dialect) || !object || !oldObject) return;
      const [now, before] = [object, oldObject].map(({ status }) => objectOf(status));
      const same = (name: string): boolean =>
        equalJson((now?.[name] ?? null) as Json, (before?.[name] ?? null) as Json);
      if (!same('certificate') || !same('conditions')) await demand('sign', attributes, dependencies);
    },
  };
}

/** Plugin CertificateSubjectRestriction: nobody becomes an administrator by a certificate that clients ask for. */
export function certificateSubject({ dialect }: Dependencies): Admission {
  const signer = `${dialect.labelDomain}/${dialect.componentPrefix}apiserver-client`;
  return {
    name: 'CertificateSubjectRestriction',
    concerns: onlyTypes(groupName(dialect, 'certificates'), RESOURCE),
    async validate({ operation, endpoint, object, name }) {
      const { type, subresource } = endpoint;
      if (operation !== 'CREATE' || subresource || !object) return;
      if (type.group !== groupName(dialect, 'certificates') || type.resource !== RESOURCE) return;
      const { signerName, request } = objectOf(object.spec);
      if (signerName !== signer) return;
      const subject = await requestedSubject(textOf(request));
      if (!subject?.organizations.includes(ADMINISTRATORS)) return;
      throw forbidden(
        type,
        object.metadata.name ?? name,
        `use of ${signer} signer with ${ADMINISTRATORS} group is not allowed`,
      );
    },
  };
}

function isUpdateOf(part: string, { operation, endpoint }: AdmissionAttributes, dialect: Dialect): boolean {
  const { type, subresource } = endpoint;
  if (operation !== 'UPDATE' || subresource?.name !== part) return false;
  return type.group === groupName(dialect, 'certificates') && type.resource === RESOURCE;
}

async function demand(
  verb: 'approve' | 'sign',
  attributes: AdmissionAttributes,
  dependencies: Dependencies,
): Promise<void> {
  const { oldObject, endpoint, name, exchange } = attributes;
  const signer = textOf(objectOf((oldObject as ApiObject | undefined)?.spec).signerName);
  if (await mayUse(verb, signer, exchange.user, dependencies)) return;
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`;
  throw forbidden(endpoint.type, name, why);
}

/** By its name, or by that of all signers of its domain. */
async function mayUse(
  verb: string,
  signer: string,
  user: User,
  { dialect, authorizer }: Dependencies,
): Promise<boolean> {
  for (const name of [signer, `${signer.split('/')[0]}/*`]) {
    const { decision } = await authorizer.authorize({
      isResource: true,
      user,
      verb,
      group: groupName(dialect, 'certificates'),
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      name,
    });
    if (decision === 'allow') return true;
  }
  return false;
}
