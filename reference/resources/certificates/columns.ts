import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { shortSpan } from '../columns/age.ts';
import { AGE, type ApiObject, column, named } from '../columns/column.ts';
import { NONE } from '../columns/labels.ts';

function signingState(request: ApiObject): string {
  const status = objectOf(request.status);
  const has = (type: string): boolean => objectsOf(status.conditions).some((one) => one.type === type);
  const states = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
  if (has('Failed')) states.push('Failed');
  if (textOf(status.certificate) !== '') states.push('Issued');
  return states.join(',');
}

export const certificateSigningRequestColumns = named(
  AGE,
  column('SignerName', 'Who is asked to sign.', (object) => textOf(objectOf(object.spec).signerName)),
  column('Requestor', 'Who asks.', (object) => textOf(objectOf(object.spec).username)),
  column('RequestedDuration', 'How long the certificate is to last.', (object) => {
    const seconds = numberOf(objectOf(object.spec).expirationSeconds);
    return seconds === undefined ? NONE : shortSpan(seconds * 1000);
  }),
  column('Condition', 'What was decided.', signingState),
);
