import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { badRequest } from '../api/status.ts';
import type { AdmissionAttributes } from '../contracts/admission.ts';
import { type WritingFixture, writingFixture } from '../testing/writingFixture.ts';

let fixture: WritingFixture;
const seen: AdmissionAttributes[] = [];
before(async () => {
  fixture = await writingFixture({
    admission: [
      {
        name: 'watcher',
        validate(attributes) {
          if (attributes.operation !== 'CONNECT') return;
          seen.push(attributes);
          if (attributes.object?.container === 'closed') throw badRequest('closed');
        },
      },
    ],
  });
  const spec = { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
  assert.equal((await fixture.send('POST', '/api/v1/namespaces/default/pods', { body })).status, 201);
});
after(() => fixture.controllers.stop());

const pod = '/api/v1/namespaces/default/pods/p';

test('every method of a connection is admitted as CONNECT, with the options of its query', async () => {
  for (const method of ['GET', 'POST']) {
    seen.length = 0;
    const { status, body } = await fixture.send(method, `${pod}/exec?command=ls&command=-l&stdin=true&tty=false`);
    assert.deepEqual([status, body.message], [400, 'pod p does not have a host assigned']);
    const [attributes] = seen as [AdmissionAttributes];
    assert.deepEqual(attributes.object, {
      kind: 'PodExecOptions',
      apiVersion: 'v1',
      stdin: true,
      command: ['ls', '-l'],
    });
    assert.deepEqual([attributes.name, attributes.oldObject, attributes.options], ['p', undefined, undefined]);
  }
});

test('what admission refuses is not connected, and a log is no matter of admission', async () => {
  assert.equal((await fixture.send('POST', `${pod}/attach?container=closed`)).body.message, 'closed');
  seen.length = 0;
  assert.equal((await fixture.send('GET', `${pod}/log`)).status, 400);
  assert.equal((await fixture.send('POST', '/api/v1/namespaces/default/pods/none/portforward?ports=80')).status, 404);
  assert.deepEqual(
    seen.map(({ object }) => object?.ports),
    [[80]],
  );
  assert.equal((await fixture.send('DELETE', `${pod}/proxy/some/path`)).body.message, 'address not allowed');
  assert.equal(seen.at(-1)?.object?.path, '/some/path');
});
