/** What the parts of labels, annotations and finalizers must look like, with the texts that say so. */

const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const LONGEST_NAME = 63;
const LONGEST_SUBDOMAIN = 253;

const NAME_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Faults of a name with an optional DNS prefix, `example.com/name`; empty when it is one. */
export function qualifiedNameFaults(value: string): string[] {
  const faults: string[] = [];
  const parts = value.split('/', 3);
  let name = value;
  if (parts.length > 2) {
    return [`a valid label key ${NAME_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  if (parts.length === 2) {
    const prefix = parts[0] as string;
    name = parts[1] as string;
    if (!prefix) faults.push('prefix part must be non-empty');
    else {
      if (Buffer.byteLength(prefix) > LONGEST_SUBDOMAIN) {
        faults.push(`prefix part must be no more than ${LONGEST_SUBDOMAIN} bytes`);
      }
      if (!SUBDOMAIN.test(prefix)) faults.push(`prefix part ${SUBDOMAIN_TEXT}`);
    }
  }
  if (!name) faults.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > LONGEST_NAME) faults.push(`name part must be no more than ${LONGEST_NAME} bytes`);
  if (!NAME_PART.test(name)) faults.push(`name part ${NAME_TEXT}`);
  return faults;
}

/** Faults of the value of a label; empty when it is fine. */
export function labelValueFaults(value: string): string[] {
  const faults: string[] = [];
  if (Buffer.byteLength(value) > LONGEST_NAME) faults.push(`must be no more than ${LONGEST_NAME} bytes`);
  if (!LABEL_VALUE.test(value)) faults.push(VALUE_TEXT);
  return faults;
}
