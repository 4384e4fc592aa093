import type { Row } from '../../covering/covering.ts';
import type { Json } from '../../harness/json.ts';
import { defining } from '../areas/objects.ts';
import type { Step } from '../step.ts';
import { collectionOf, type SequenceType } from '../types.ts';
import { PATCHED } from './manner.ts';
import { granting, type Right } from './rights.ts';
import { preparing } from './states.ts';
import { writing } from './writing.ts';

/** Writes with flaws, by those who may not even write what is right. */
export function refusing(type: SequenceType, rows: readonly Row[]): Step[] {
  const name = '{id}-r';
  const rightOf = ({ verb = '', who = '' }: Row): Right => ({
    who,
    verb: PATCHED.has(verb) ? 'patch' : verb,
    place: type.plural,
  });
  const plain = { sub: 'none', form: 'json', accept: 'plain', dryRun: 'none', fields: 'none', version: 'none' };
  const asked = rows.map((row): Step => {
    const { verb = '', flaw = '' } = row;
    const said = ['typed', 'kind', 'elsewhere', 'renamed'].includes(flaw) ? flaw : 'change';
    const [step] = writing(type, {
      ...plain,
      ...row,
      content: said,
      stranger: flaw === 'stranger' ? 'top' : 'none',
      ...(flaw === 'stranger' ? { fields: 'Strict' } : flaw === 'fields' ? { fields: 'Loose' } : {}),
      dryRun: flaw === 'dryRun' ? 'Some' : 'none',
      accept: flaw === 'accept' ? 'none' : 'plain',
      manager: 'named',
      force: verb === 'apply' ? 'yes' : 'no',
      version: flaw === 'stale' ? 'stale' : 'none',
    }).steps(flaw === 'absent' ? '{id}-none' : name, 'old');
    const { body, ...rest } = step as Step;
    if (flaw === 'no-object') return { ...rest, body: 'x', unseen: true };
    if (flaw === 'garbled') return { ...rest, headers: typed(rest, 'application/json'), text: '{"a":', unseen: true };
    const headers = flaw === 'form' ? { ...rest.headers, 'content-type': 'application/x-none' } : rest.headers;
    return { ...rest, ...(headers ? { headers } : {}), body: body as Json, unseen: true };
  });
  const item = `${collectionOf(type)}/${name}`;
  return [
    ...defining(type),
    ...granting(type, rows.map(rightOf)),
    ...preparing(type, name, 'old', { state: 'there', version: 'stale' }),
    ...asked,
    { as: 'admin', method: 'GET', path: item },
  ];
}
/** Headers of a step with a content type where it has none. */
const typed = ({ headers }: Step, type: string): Record<string, string> => ({
  'content-type': type,
  ...headers,
});
