/*
 * What names must look like. Every rule takes a text and gives the faults that the service words; an empty list
 * means that the text is fine. Lengths are in bytes.
 */

export type NameRule = (name: string) => readonly string[];
/** A rule for metadata.name; `prefix` is true for a generateName, to which random letters will be added. */
export type ObjectNameRule = (name: string, prefix: boolean) => readonly string[];

const LABEL_FORM = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_FORM = `${LABEL_FORM}(\\.${LABEL_FORM})*`;
const DNS1035_FORM = '[a-z]([-a-z0-9]*[a-z0-9])?';
const WILDCARD_FORM = `\\*\\.${SUBDOMAIN_FORM}`;
const QUALIFIED_FORM = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE_FORM = `(${QUALIFIED_FORM})?`;
const CONFIG_KEY_FORM = '[-._a-zA-Z0-9]+';
const C_IDENTIFIER_FORM = '[A-Za-z_][A-Za-z0-9_]*';
const ENV_NAME_FORM = '[-._a-zA-Z][-._a-zA-Z0-9]*';

const whole = (form: string): RegExp => new RegExp(`^(?:${form})$`);
const LABEL = whole(LABEL_FORM);
const SUBDOMAIN = whole(SUBDOMAIN_FORM);
const DNS1035 = whole(DNS1035_FORM);
const WILDCARD = whole(WILDCARD_FORM);
const QUALIFIED = whole(QUALIFIED_FORM);
const VALUE = whole(VALUE_FORM);
const CONFIG_KEY = whole(CONFIG_KEY_FORM);
const C_IDENTIFIER = whole(C_IDENTIFIER_FORM);
const ENV_NAME = whole(ENV_NAME_FORM);

const LONGEST_LABEL = 63;
const LONGEST_SUBDOMAIN = 253;

/** How the service words a text that does not match: what it must be, examples, the expression. */
function mismatch(must: string, form: string, ...examples: string[]): string {
  if (examples.length === 0) return `${must} (regex used for validation is '${form}')`;
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${must} (e.g. ${list}regex used for validation is '${form}')`;
}

const LABEL_TEXT = mismatch(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL_FORM,
  'my-name',
  '123-abc',
);
const SUBDOMAIN_TEXT = mismatch(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_FORM,
  'example.com',
);
const DNS1035_TEXT = mismatch(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  DNS1035_FORM,
  'my-name',
  'abc-123',
);
const WILDCARD_TEXT = mismatch(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  WILDCARD_FORM,
  '*.example.com',
);
const QUALIFIED_TEXT = mismatch(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  QUALIFIED_FORM,
  'MyName',
  'my.name',
  '123-abc',
);
const VALUE_TEXT = mismatch(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  VALUE_FORM,
  'MyValue',
  'my_value',
  '12345',
);
const CONFIG_KEY_TEXT = mismatch(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  CONFIG_KEY_FORM,
  'key.name',
  'KEY_NAME',
  'key-name',
);
const C_IDENTIFIER_TEXT = mismatch(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  C_IDENTIFIER_FORM,
  'my_name',
  'MY_NAME',
  'MyName',
);
const ENV_NAME_TEXT = mismatch(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  ENV_NAME_FORM,
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
);

const bytes = (text: string): number => Buffer.byteLength(text);
const tooManyCharacters = (limit: number): string => `must be no more than ${limit} characters`;

/** A single part of a domain name. */
export const dns1123Label: NameRule = (name) => {
  const faults: string[] = [];
  if (bytes(name) > LONGEST_LABEL) faults.push(tooManyCharacters(LONGEST_LABEL));
  if (!LABEL.test(name)) faults.push(SUBDOMAIN.test(name) ? 'must not contain dots' : LABEL_TEXT);
  return faults;
};
/** Parts of a domain name, joined by dots. */
export const dns1123Subdomain: NameRule = (name) => {
  const faults: string[] = [];
  if (bytes(name) > LONGEST_SUBDOMAIN) faults.push(tooManyCharacters(LONGEST_SUBDOMAIN));
  if (!SUBDOMAIN.test(name)) faults.push(SUBDOMAIN_TEXT);
  return faults;
};
/** A part of a domain name that begins with a letter. */
export const dns1035Label: NameRule = (name) => {
  const faults: string[] = [];
  if (bytes(name) > LONGEST_LABEL) faults.push(tooManyCharacters(LONGEST_LABEL));
  if (!DNS1035.test(name)) faults.push(DNS1035_TEXT);
  return faults;
};
/** A domain of which the first part may be anything: `*.example.com`. */
export const wildcardSubdomain: NameRule = (name) => {
  const faults: string[] = [];
  if (bytes(name) > LONGEST_SUBDOMAIN) faults.push(tooManyCharacters(LONGEST_SUBDOMAIN));
  if (!WILDCARD.test(name)) faults.push(WILDCARD_TEXT);
  return faults;
};
/** Anything that is one segment of a path. */
export const pathSegment: ObjectNameRule = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((letter) => name.includes(letter)).map((letter) => `may not contain '${letter}'`);
};
/** A name with an optional domain in front: `example.com/name`. */
export const qualifiedName: NameRule = (name) => {
  const parts = name.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const faults: string[] = [];
  const [prefix] = parts;
  if (parts.length === 2) {
    if (!prefix) faults.push('prefix part must be non-empty');
    else faults.push(...dns1123Subdomain(prefix).map((fault) => `prefix part ${fault}`));
  }
  const last = parts.at(-1) ?? '';
  if (last === '') faults.push('name part must be non-empty');
  else if (bytes(last) > LONGEST_LABEL) faults.push(`name part must be no more than ${LONGEST_LABEL} bytes`);
  if (!QUALIFIED.test(last)) faults.push(`name part ${QUALIFIED_TEXT}`);
  return faults;
};
/** The value of a label; empty is fine. */
export const labelValue: NameRule = (value) => {
  const faults: string[] = [];
  if (bytes(value) > LONGEST_LABEL) faults.push(`must be no more than ${LONGEST_LABEL} bytes`);
  if (!VALUE.test(value)) faults.push(VALUE_TEXT);
  return faults;
};
/** A key of a config map or secret: a file name. */
export const configKey: NameRule = (key) => {
  const faults: string[] = [];
  if (bytes(key) > LONGEST_SUBDOMAIN) faults.push(tooManyCharacters(LONGEST_SUBDOMAIN));
  if (!CONFIG_KEY.test(key)) faults.push(CONFIG_KEY_TEXT);
  if (key === '.') faults.push("must not be '.'");
  else if (key === '..') faults.push("must not be '..'");
  else if (key.startsWith('..')) faults.push("must not start with '..'");
  return faults;
};
/** An identifier as programming languages have them. */
export const cIdentifier: NameRule = (name) => (C_IDENTIFIER.test(name) ? [] : [C_IDENTIFIER_TEXT]);
/** The name of an environment variable. */
export const environmentName: NameRule = (name) => {
  const faults: string[] = [];
  if (!ENV_NAME.test(name)) faults.push(ENV_NAME_TEXT);
  if (name === '.') faults.push("must not be '.'");
  else if (name === '..') faults.push("must not be '..'");
  else if (name.startsWith('..')) faults.push("must not start with '..'");
  return faults;
};
/** A port number. */
export function portNumber(port: number | bigint): readonly string[] {
  return port >= 1 && port <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}
/** The name of a port, as registries of services have them. */
export const portName: NameRule = (name) => {
  const faults: string[] = [];
  if (name.length > 15) faults.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) faults.push('must contain at least one letter (a-z)');
  if (name.includes('--')) faults.push('must not contain consecutive hyphens');
  if (name === '' || name.startsWith('-') || name.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
};
/** A domain of at least three parts. */
export function fullyQualifiedName(name: string): readonly string[] {
  const faults = dns1123Subdomain(name);
  if (faults.length > 0) return faults;
  return name.split('.').length < 3 ? ['should be a domain with at least three segments separated by dots'] : [];
}

/** A rule for metadata.name out of a rule for names: what follows a prefix may complete a trailing dash. */
export function objectName(rule: NameRule): ObjectNameRule {
  return (name, prefix) => rule(prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -1)}a` : name);
}
