import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  configKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  fullyQualifiedName,
  labelValue,
  type NameRule,
  objectName,
  pathSegment,
  portName,
  qualifiedName,
} from './nameRules.ts';

const accepts = (rule: NameRule, ...names: string[]) => {
  for (const name of names) assert.deepEqual(rule(name), [], name);
};
const refuses = (rule: NameRule, fault: RegExp, ...names: string[]) => {
  for (const name of names) assert.match(rule(name).join('; '), fault, name);
};

test('labels are one part of a domain name', () => {
  accepts(dns1123Label, 'a', '0a', 'a-b', 'x'.repeat(63));
  refuses(dns1123Label, /^must not contain dots$/, 'a.b');
  refuses(dns1123Label, /^a lowercase RFC 1123 label must consist/, 'A', '-a', 'a_b', '');
  refuses(dns1123Label, /^must be no more than 63 characters$/, 'x'.repeat(64));
  refuses(dns1035Label, /^a DNS-1035 label must consist/, '0a', 'a.b');
});

test('subdomains are parts joined by dots', () => {
  accepts(dns1123Subdomain, 'a.b-c.0', 'a');
  refuses(dns1123Subdomain, /^a lowercase RFC 1123 subdomain must consist/, 'a..b', '.a', 'a:b', 'a ', 'a\n');
  refuses(dns1123Subdomain, /^must be no more than 253 characters$/, 'x'.repeat(254));
  assert.deepEqual(fullyQualifiedName('a.b.c'), []);
  assert.deepEqual(fullyQualifiedName('a.b'), ['should be a domain with at least three segments separated by dots']);
});

test('a path segment is anything without a slash, a percent sign or dots alone', () => {
  assert.deepEqual(pathSegment('system:x Y', false), []);
  assert.deepEqual(pathSegment('..', false), ["may not be '..'"]);
  assert.deepEqual(pathSegment('..', true), []);
  assert.deepEqual(pathSegment('a/b%', false), ["may not contain '/'", "may not contain '%'"]);
});

test('qualified names have a domain in front, or none', () => {
  accepts(qualifiedName, 'a', 'A_b.c', 'example.com/x', 'x'.repeat(63));
  refuses(qualifiedName, /^prefix part must be non-empty$/, '/x');
  refuses(qualifiedName, /^prefix part a lowercase RFC 1123 subdomain/, 'Example/x');
  refuses(qualifiedName, /^name part must be non-empty; name part must consist/, 'a/');
  refuses(qualifiedName, /^name part must be no more than 63 bytes$/, 'x'.repeat(64));
  refuses(qualifiedName, /^a valid label key must consist .* with an optional DNS subdomain prefix/, 'a/b/c');
});

test('values of labels, keys of data and names of ports', () => {
  accepts(labelValue, '', 'a', 'A_1.b');
  refuses(labelValue, /^a valid label must be an empty string or consist/, 'a b', '-a');
  accepts(configKey, 'a.b', '.a', '_');
  refuses(configKey, /^must not be '\.\.'$/, '..');
  refuses(configKey, /^must not start with '\.\.'$/, '..a');
  refuses(configKey, /^a valid config key must consist/, 'a/b', '');
  accepts(portName, 'http', 'a-1');
  refuses(portName, /must contain at least one letter/, '123');
});

test('what follows a prefix may complete its trailing dash', () => {
  const rule = objectName(dns1123Label);
  assert.deepEqual(rule('a-', true), []);
  assert.notDeepEqual(rule('a-', false), []);
  assert.notDeepEqual(rule('A-', true), []);
});

// A rule that tried every way of cutting such a name up would not end.
test('long names are judged too', () => {
  for (const rule of [dns1123Subdomain, dns1123Label, qualifiedName, labelValue])
    assert.notDeepEqual(rule(`${'a'.repeat(1_000_000)}!`), []);
});
