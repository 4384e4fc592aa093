import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from '../fieldPath.ts';
import { cidrFaults, cidrWarnings, ipFaults, ipWarnings } from './addressFaults.ts';
import { contains, formatCidr, parseCidr } from './cidr.ts';
import { canonicalIp, type IpAddress, parseIp } from './ipAddress.ts';

const PATH = FieldPath.of('spec', 'ip');

test('addresses are read in all their spellings and written in one', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['10.0.0.1', '10.0.0.1'],
    ['010.0.0.1', '10.0.0.1'],
    ['10.0.0.256', undefined],
    ['10.0.0', undefined],
    ['', undefined],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['1:2:3:4:5:6:7:8:9', undefined],
    ['1::2::3', undefined],
    ['::1.2.3.4.5', undefined],
    ['1.2.3.4::', undefined],
    ['fe80::1%eth0', undefined],
  ];
  for (const [text, canonical] of rows) {
    const ip = parseIp(text);
    assert.equal(ip && canonicalIp(ip), canonical, text);
  }
});

test('a range holds the addresses that share its front', () => {
  const range = parseCidr('10.1.2.3/24');
  assert.ok(range);
  assert.equal(formatCidr(range), '10.1.2.0/24');
  assert.equal(contains(range, parseIp('10.1.2.255') as IpAddress), true);
  assert.equal(contains(range, parseIp('10.1.3.0') as IpAddress), false);
  assert.equal(contains(range, parseIp('::1') as IpAddress), false);
  assert.equal(parseCidr('10.0.0.0/33'), undefined);
  assert.equal(parseCidr('10.0.0.0'), undefined);
  assert.equal(formatCidr(parseCidr('2001:db8::/32') as never), '2001:db8::/32');
});

test('ambiguous spellings are refused from the release on that refuses them, unless they were there before', () => {
  const ip = (text: string, release: number, old?: string[]) =>
    ipFaults(text, PATH, { release, ...(old ? { old } : {}) }).map(({ message }) => message);
  assert.deepEqual(ip('1.2.3', 32), [
    'Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ]);
  assert.deepEqual(ip('01.2.3.4', 32), []);
  assert.deepEqual(ip('01.2.3.4', 36), ['Invalid value: "01.2.3.4": must not have leading 0s']);
  assert.deepEqual(ip('::ffff:1.2.3.4', 36), [
    'Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
  ]);
  assert.deepEqual(ip('01.2.3.4', 36, ['01.2.3.4']), []);

  const cidr = (text: string, release: number) =>
    cidrFaults(text, PATH, { release }).map(({ message }) => message.split('": ')[1]);
  assert.deepEqual(cidr('10.0.0.1/24', 36), ['must not have bits set beyond the prefix length']);
  assert.deepEqual(cidr('10.0.0.1/24', 32), []);
  assert.deepEqual(cidr('10.0.0.0/024', 36), ['must not have leading 0s in IP or prefix length']);
  assert.deepEqual(cidr('::ffff:10.0.0.0/104', 36), ['must not have an IPv4-mapped IPv6 address']);
  assert.deepEqual(cidr('x', 32), ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']);
});

test('spellings that are taken but not preferred earn a warning', () => {
  assert.deepEqual(ipWarnings('10.0.0.1', PATH), []);
  assert.deepEqual(ipWarnings('10.0.0.01', PATH), [
    'spec.ip: non-standard IP address "10.0.0.01" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
  ]);
  assert.deepEqual(ipWarnings('1:0::1', PATH), [
    'spec.ip: IPv6 address "1:0::1" should be in RFC 5952 canonical format ("1::1")',
  ]);
  assert.deepEqual(cidrWarnings('10.0.0.1/24', PATH), [
    'spec.ip: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
  ]);
  assert.deepEqual(cidrWarnings('10.0.0.0/24', PATH), []);
});
