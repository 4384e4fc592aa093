import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentFault } from '../ports/files.ts';
import { readServiceAddresses } from './serviceAddresses.ts';

test('services are named with or without a port, and lead to a name or an address', () => {
  const text = 'tools/hook: 127.0.0.1:8443\ntools/hook:9443: "[::1]:1"\nother/hook: hooks.example.com:443\n';
  assert.deepEqual(
    [...readServiceAddresses(text)],
    [
      ['tools/hook', { host: '127.0.0.1', port: 8443 }],
      ['tools/hook:9443', { host: '::1', port: 1 }],
      ['other/hook', { host: 'hooks.example.com', port: 443 }],
    ],
  );
});

test('every entry that says something else is named', () => {
  const text = 'hook: 127.0.0.1:1\na/b: nowhere\na/c: 1\na/d: "::1:5"\na/e: host:0\na/f: ":5"\n';
  assert.throws(
    () => readServiceAddresses(text),
    (error: unknown) => {
      assert.ok(error instanceof ContentFault);
      assert.deepEqual(
        error.message.split('; ').map((part) => part.slice(0, part.indexOf(':'))),
        ['hook', 'a/b', 'a/c', 'a/d', 'a/e', 'a/f'],
      );
      return true;
    },
  );
});
