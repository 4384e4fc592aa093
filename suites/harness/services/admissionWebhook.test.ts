import assert from 'node:assert/strict';
import { it } from 'node:test';
import { beginRequest } from '../client/requestsBegun.ts';
import { allow, deny, Hook } from './admissionWebhook.ts';
import type { ServiceRequest } from './tlsServer.ts';

it('keeps one review of a stored object that a server asks about again during a request, and every other', () => {
  const hook = new Hook('https://localhost/hook-1');
  const ask = (operation: string, name: string, resourceVersion?: string) => {
    const oldObject = resourceVersion === undefined ? null : { metadata: { name, resourceVersion } };
    const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', request: { operation, name, oldObject } });
    return hook.answer({ body } as ServiceRequest);
  };
  const told = () => hook.reviews.splice(0).map(({ request }) => `${request.operation} ${request.name}`);
  beginRequest();
  ask('UPDATE', 'a', '1');
  ask('UPDATE', 'a', '2');
  assert.deepEqual(told(), ['UPDATE a']);
  beginRequest();
  ask('UPDATE', 'a', '3');
  beginRequest();
  ask('UPDATE', 'a', '4');
  ask('UPDATE', 'a', '4');
  assert.deepEqual(told(), ['UPDATE a', 'UPDATE a', 'UPDATE a'], 'of another request, and of the same state');
  hook.does(deny);
  beginRequest();
  ask('UPDATE', 'a', '4');
  ask('UPDATE', 'a', '4');
  assert.deepEqual(told(), ['UPDATE a'], 'of the same state where it is refused');
  hook.does(allow);
  beginRequest();
  ask('DELETE', 'a', '5');
  ask('DELETE', 'b', '6');
  ask('CREATE', 'c');
  ask('CREATE', 'c');
  assert.deepEqual(told(), ['DELETE a', 'DELETE b', 'CREATE c', 'CREATE c']);
});
