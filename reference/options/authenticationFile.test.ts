import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { createAuthentication } from '../authentication/create.ts';
import { SeededRandom } from '../random.ts';
import { MemoryStore } from '../storage/memory.ts';
import { requestWith } from '../testing/authenticationFixture.ts';
import { VirtualClock } from '../time.ts';
import { readOptions } from './loadOptions.ts';

const configuration = (more: object = {}) =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1beta1', kind: 'AuthenticationConfiguration', ...more });
const load = (text: string, ...flags: readonly string[]) =>
  readOptions(['--authentication-config=f', ...flags], { read: () => text });
const GATE = '--feature-gates=StructuredAuthenticationConfiguration=false';

function options(text: string, ...flags: readonly string[]) {
  const loaded = load(text, ...flags);
  assert.ok('options' in loaded, JSON.stringify(loaded));
  return loaded.options.authentication;
}

describe('the file of authentication', () => {
  it('is refused where its gate is off', () => {
    const loaded = load(configuration(), GATE);
    assert.ok('errors' in loaded);
    assert.match(loaded.errors.join('\n'), /--authentication-config needs the feature gate Structured/);
    assert.ok('options' in readOptions([GATE]), 'the gate alone is no fault');
  });
  it('decides of anonymous access at the start and again when it changes, and leaves it to the flag when silent', async () => {
    const only = { enabled: true, conditions: [{ path: '/livez' }] };
    const start = options(configuration({ anonymous: only }));
    const clock = new VirtualClock();
    const dependencies = { store: new MemoryStore({ clock }), clock, dialect: kubernetes, follow: 'spec' as const };
    const authentication = createAuthentication(start, { ...dependencies, keySource: new SeededRandom(1) });
    const enters = async (path: string) =>
      (await authentication.authenticator.authenticate(requestWith({}, [], path))) !== undefined;
    assert.deepEqual([await enters('/livez'), await enters('/api')], [true, false]);
    const again = (more: object) => authentication.replace(start.file?.parse(configuration(more)) ?? start);
    await again({ anonymous: { enabled: false } });
    assert.deepEqual([await enters('/livez'), await enters('/api')], [false, false]);
    await again({});
    assert.deepEqual([await enters('/livez'), await enters('/api')], [true, true]);
  });
  it('may say nothing of anonymous access beside the flag that does', () => {
    assert.equal(options(configuration(), '--anonymous-auth=false').anonymous.enabled, false);
    const both = load(configuration({ anonymous: { enabled: true } }), '--anonymous-auth=false');
    assert.ok('errors' in both);
    assert.match(both.errors.join('\n'), /exclude each other/);
  });
});
