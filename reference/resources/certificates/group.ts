import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { certificateSigningRequestColumns } from './columns.ts';
import { certificateSigningRequestRules } from './signingRequest.ts';
import { clusterTrustBundleRules } from './trustBundle.ts';
import { certificatesV1 } from './v1.ts';
import { certificatesV1beta1, clusterTrustBundleFields } from './v1beta1.ts';

const certificateSigningRequests: BuiltinType = {
  resource: 'certificatesigningrequests CertificateSigningRequest cluster * short=csr',
  subresources: ['approval part get,patch,update', 'status status get,patch,update'],
  columns: certificateSigningRequestColumns,
  rules: certificateSigningRequestRules,
};

const clusterTrustBundles: BuiltinType = {
  resource: 'clustertrustbundles ClusterTrustBundle cluster * as=v1beta1',
  rules: clusterTrustBundleRules,
};

/** Certificates: requests for them, and bundles to trust. */
export const certificatesGroup: ApiGroup = {
  name: 'certificates.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: certificatesV1,
    v1beta1: revised(certificatesV1, certificatesV1beta1, clusterTrustBundleFields),
    v1alpha1: clusterTrustBundleFields,
  },
  types: [certificateSigningRequests, clusterTrustBundles],
};
