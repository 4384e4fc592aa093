import type { Row } from '../../covering/covering.ts';
import { PARTIAL, TABLE } from '../areas/crossed.ts';
import { PATCH } from '../areas/objects.ts';
import type { Step } from '../step.ts';

const ACCEPT: Readonly<Record<string, string>> = {
  yaml: 'application/yaml',
  cbor: 'application/cbor',
  protobuf: 'application/vnd.{vendor}.protobuf',
  // What there is not is passed over, and what is wanted less as well.
  second: 'application/x-none, application/yaml',
  weighed: 'application/json;q=0.5,application/yaml;q=0.9',
  table: TABLE,
  'table-second': `application/x-none, ${TABLE}`,
  none: 'application/x-none',
};
/** The Accept of a row. */
export const acceptOf = ({ accept = '' }: Row, partial = 'PartialObjectMetadata'): Record<string, string> => {
  const type = accept.startsWith('partial')
    ? PARTIAL(partial).replace('application/json', ACCEPT[accept.slice('partial-'.length)] ?? 'application/json')
    : ACCEPT[accept];
  return type === undefined ? {} : { accept: type };
};
/** The form in which a row writes. */
export const formed = ({ form, options }: Row): Pick<Step, 'form'> => {
  const written = form ?? options;
  return written === 'yaml' || written === 'cbor' || written === 'protobuf' ? { form: written } : {};
};
/** A path with those parameters that there are. */
export const withQuery = (path: string, parts: readonly (string | false)[]): string => {
  const all = parts.filter((part) => part !== false);
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
};
/** Who writes is called so in the records of ownership. */
export const AGENT = { 'user-agent': 'tool/1.2 (x)' };

/** Verbs that are a PATCH. */
export const PATCHED: ReadonlySet<string> = new Set(['json', 'merge', 'strategic', 'apply']);
/** The content type of a patch. */
export const patchType = ({ verb = '', form }: Row): Record<string, string> => {
  if (verb === 'apply' && form === 'cbor') return { 'content-type': 'application/apply-patch+cbor' };
  return PATCHED.has(verb) ? { 'content-type': PATCH[verb as keyof typeof PATCH] } : {};
};
