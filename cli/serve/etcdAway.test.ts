import assert from 'node:assert/strict';
import { it } from 'node:test';
import { touchstone } from '../testing/command.ts';

it('serve that finds no etcd says where it looked, and ends', async () => {
  const { code, errors } = await touchstone(['serve', '--secure-port=0', '--etcd-servers=http://127.0.0.1:1']);
  assert.equal(code, 64);
  assert.equal(
    errors.trim(),
    'touchstone serve: --etcd-servers http://127.0.0.1:1: etcd cannot be reached: nothing listens there',
  );
});
