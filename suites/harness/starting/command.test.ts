import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filled, withoutReplaced } from './command.ts';

describe('a command that starts a target', () => {
  it('is filled with flags that a shell takes as they are, in their place or at the end', () => {
    assert.equal(filled('run {flags} --last', { flags: ['--a=b c', "--d='"] }), `run '--a=b c' '--d='\\''' --last`);
    assert.equal(filled('run', { flags: ['--a'] }), `run '--a'`);
    assert.equal(filled('run', { flags: [] }), 'run');
  });
  it('is filled with the folder and the release where it asks for them', () => {
    const command = 'etcd --data-dir {data}; server-{release} {flags}';
    assert.equal(filled(command, { data: '/d', release: '1.30', flags: [] }), 'etcd --data-dir /d; server-1.30 ');
    assert.equal(filled(command, { release: '1.30' }), 'etcd --data-dir {data}; server-1.30 {flags}');
  });
  it('loses those of its own flags that others take the place of', () => {
    const command = `systemctl stop it; server --v=2 --authorization-mode=Node,RBAC --token-auth-file='a b' {flags} &`;
    assert.equal(
      withoutReplaced(command, ['--authorization-config=/x', '--token-auth-file=/y']).replace(/ +/g, ' '),
      'systemctl stop it; server --v=2 {flags} &',
    );
    assert.equal(withoutReplaced(command, ['--mode=x']), command);
  });
});
