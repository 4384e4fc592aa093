import type { Json } from '../../api/json.ts';
import { numberOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { AGE, column, named } from '../columns/column.ts';
import { firstFew, UNSET } from '../columns/labels.ts';

const MOST_SHOWN = 3;

function slicePortsText(ports: Json | undefined): string {
  const found = objectsOf(ports).map((port) => (port.port === undefined ? '*' : String(numberOf(port.port))));
  return found.length === 0 ? UNSET : firstFew(found, MOST_SHOWN);
}

export const endpointSliceColumns = named(
  column('AddressType', 'Kind of the addresses.', (object) => textOf(object.addressType)),
  column('Ports', 'Ports of every endpoint.', (object) => slicePortsText(object.ports as Json | undefined)),
  column('Endpoints', 'Addresses that answer.', (object) => {
    const found = objectsOf(object.endpoints as Json | undefined).flatMap((one) => textsOf(one.addresses));
    return found.length === 0 ? UNSET : firstFew(found, MOST_SHOWN);
  }),
  AGE,
);
