import { objectOf, textOf } from '../../api/parts.ts';
import { AGE, column, named } from '../columns/column.ts';

export const leaseColumns = named(
  column(
    'Holder',
    'holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.',
    (object) => textOf(objectOf(object.spec).holderIdentity),
  ),
  AGE,
);
