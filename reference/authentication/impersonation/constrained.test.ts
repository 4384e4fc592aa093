import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALICE, impersonationFixture } from '../../testing/impersonationFixture.ts';

const GROUP = 'authentication.k8s.io:';
const ON_LIST = 'impersonate-on:user-info:list team/ pods';
const BOB = `impersonate:user-info ${GROUP}users bob`;
const LEGACY_BOB = 'impersonate users bob';

describe('constrained impersonation', () => {
  it('takes what the request is for and whom it acts as, and tells the verb', async () => {
    const fixture = impersonationFixture();
    fixture.allow(ON_LIST, BOB);
    const { acting } = await fixture.act({ user: 'bob' });
    assert.deepEqual(acting, {
      user: { username: 'bob', uid: '', groups: ['system:authenticated'], extra: {} },
      constraint: 'impersonate:user-info',
    });
    assert.deepEqual(fixture.asked(), [ON_LIST, BOB]);
    assert.deepEqual(fixture.heard, ['user-info allowed', 'user-info allowed', 'let through by user-info']);
  });

  it('asks for each part: the name, the uid, groups, extra', async () => {
    const fixture = impersonationFixture();
    const parts = [
      BOB,
      `impersonate:user-info ${GROUP}uids u-1`,
      `impersonate:user-info ${GROUP}groups ops`,
      `impersonate:user-info ${GROUP}userextras/acme.io/team red`,
    ];
    const headers = { user: 'bob', group: ['ops'], uid: 'u-1', 'extra-acme.io%2fteam': 'red' };
    fixture.allow(ON_LIST, ...parts);
    const { acting } = await fixture.act(headers);
    assert.deepEqual(acting?.user, {
      username: 'bob',
      uid: 'u-1',
      groups: ['ops', 'system:authenticated'],
      extra: { 'acme.io/team': ['red'] },
    });
    assert.deepEqual(fixture.asked(), [ON_LIST, ...parts]);
    for (const part of parts) {
      const missing = impersonationFixture();
      missing.allow(ON_LIST, ...parts.filter((one) => one !== part));
      assert.equal((await missing.act(headers)).refusal?.code, 403, part);
    }
  });

  it('falls back to the verb impersonate, which is for every request and tells no verb', async () => {
    const fixture = impersonationFixture();
    fixture.allow(LEGACY_BOB);
    const { acting } = await fixture.act({ user: 'bob' });
    assert.deepEqual([acting?.user.username, acting?.constraint], ['bob', undefined]);
    assert.deepEqual(fixture.asked(), [ON_LIST, LEGACY_BOB]);
  });

  it('answers the first refusal', async () => {
    const fixture = impersonationFixture();
    const on = (await fixture.act({ user: 'bob' })).refusal;
    assert.match(
      on?.message ?? '',
      /^pods is forbidden: User "alice" cannot impersonate-on:user-info:list resource "pods"/,
    );
    assert.deepEqual(on?.details, { kind: 'pods' });
    fixture.allow(ON_LIST);
    const whom = (await fixture.act({ user: 'bob' })).refusal;
    assert.deepEqual(whom?.details, { name: 'bob', group: 'authentication.k8s.io', kind: 'users' });
    assert.equal(fixture.heard.at(-1), 'let nobody through');
  });

  it('starts with the mode that let the user through last, whose refusal is the answer then', async () => {
    const fixture = impersonationFixture();
    fixture.allow(LEGACY_BOB);
    await fixture.act({ user: 'bob' });
    fixture.asked();
    assert.deepEqual((await fixture.act({ user: 'eve' })).refusal?.details, { name: 'eve', kind: 'users' });
    assert.deepEqual(fixture.asked(), ['impersonate users eve', ON_LIST]);
    await fixture.act({ user: 'bob' }, { ...ALICE, username: 'another' });
    assert.equal(fixture.asked()[0], ON_LIST);
  });

  it('tells why an authorizer failed', async () => {
    const fixture = impersonationFixture();
    fixture.fail('the hook is away');
    assert.match((await fixture.act({ user: 'bob' })).refusal?.message ?? '', /: the hook is away$/);
  });

  it('keeps what it permitted for ten seconds, by user and by request, and nothing of the verb impersonate', async () => {
    const fixture = impersonationFixture();
    fixture.allow(ON_LIST, BOB);
    await fixture.act({ user: 'bob' });
    fixture.forbid(ON_LIST, BOB);
    fixture.clock.advance(9_999);
    fixture.asked();
    assert.ok((await fixture.act({ user: 'bob' })).acting);
    assert.deepEqual(fixture.asked(), []);
    fixture.clock.advance(1);
    assert.ok((await fixture.act({ user: 'bob' })).refusal);
    fixture.allow(LEGACY_BOB);
    assert.ok((await fixture.act({ user: 'bob' })).acting);
    fixture.forbid(LEGACY_BOB);
    assert.ok((await fixture.act({ user: 'bob' })).refusal);
  });

  it('asks once for many groups or extra values, and then for each', async () => {
    const fixture = impersonationFixture();
    const group = ['a', 'b', 'c', 'd'];
    const every = `impersonate:user-info ${GROUP}groups *`;
    fixture.allow(ON_LIST, BOB, every);
    assert.ok((await fixture.act({ user: 'bob', group })).acting);
    assert.deepEqual(fixture.asked(), [ON_LIST, BOB, every]);
    fixture.forbid(every);
    await fixture.act({ user: 'bob', group: [...group, 'e'] });
    assert.deepEqual(fixture.asked().slice(2, 4), [every, `impersonate:user-info ${GROUP}groups a`]);
    await fixture.act({ user: 'bob', 'extra-acme.io%2fteam': group });
    assert.equal(fixture.asked()[2], `impersonate:user-info ${GROUP}userextras/* *`);
  });

  it('lets nobody take on system:masters, an empty group or extra that is not behind a domain', async () => {
    const refused: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ group: 'system:masters' }, /impersonating the system:masters group is not allowed$/],
      [{ group: '' }, /impersonating the empty string group is not allowed$/],
      [{ 'extra-scopes': 'view' }, /extra\.key: Invalid value: "scopes": must be a domain-prefixed path/],
      [{ 'extra-acme.io%2fteam': '' }, /impersonating the empty string value in extra is not allowed$/],
    ];
    for (const [more, why] of refused) {
      const fixture = impersonationFixture();
      fixture.allow(ON_LIST, BOB);
      assert.match((await fixture.act({ user: 'bob', ...more })).refusal?.message ?? '', why);
      assert.equal(fixture.asked().at(2), LEGACY_BOB);
    }
  });

  it('takes a service account by its name alone', async () => {
    const fixture = impersonationFixture();
    const user = 'system:serviceaccount:team:robot';
    const on = 'impersonate-on:serviceaccount:list team/ pods';
    fixture.allow(on, `impersonate:serviceaccount team/ ${GROUP}serviceaccounts robot`);
    const { acting } = await fixture.act({ user });
    assert.equal(acting?.constraint, 'impersonate:serviceaccount');
    assert.deepEqual(acting.user.groups, [
      'system:serviceaccounts',
      'system:serviceaccounts:team',
      'system:authenticated',
    ]);
    assert.equal(fixture.asked()[0], on);
    assert.ok((await fixture.act({ user, group: 'ops' })).refusal);
    assert.deepEqual(fixture.asked(), ['impersonate team/ serviceaccounts robot']);
  });

  it('takes a node by its name alone, and it has the groups of a node', async () => {
    const fixture = impersonationFixture();
    const user = 'system:node:n1';
    fixture.allow('impersonate-on:arbitrary-node:list team/ pods', `impersonate:arbitrary-node ${GROUP}nodes n1`);
    const { acting } = await fixture.act({ user });
    assert.equal(acting?.constraint, 'impersonate:arbitrary-node');
    assert.deepEqual(acting.user.groups, ['system:nodes', 'system:authenticated']);
    fixture.asked();
    await fixture.act({ user, group: 'system:nodes' });
    assert.deepEqual(fixture.asked(), ['impersonate users system:node:n1']);
    await fixture.act({ user: 'system:node:No_Name' });
    assert.equal(fixture.asked()[0], ON_LIST);
  });

  it('lets an account act as the node that it runs on, asking the same for every node', async () => {
    const fixture = impersonationFixture();
    const agent = (node: string) => ({
      ...ALICE,
      username: 'system:serviceaccount:team:agent',
      extra: { 'authentication.kubernetes.io/node-name': [node], 'authentication.kubernetes.io/credential-id': [node] },
    });
    const on = 'impersonate-on:associated-node:list team/ pods';
    fixture.allow(on, `impersonate:associated-node ${GROUP}nodes *`);
    const { acting } = await fixture.act({ user: 'system:node:n1' }, agent('n1'));
    assert.deepEqual(
      [acting?.user.username, acting?.user.groups, acting?.constraint],
      ['system:node:n1', ['system:nodes', 'system:authenticated'], 'impersonate:associated-node'],
    );
    const keys = ['authentication.kubernetes.io/credential-id', 'authentication.kubernetes.io/node-name'];
    for (const { user } of fixture.questions()) {
      assert.deepEqual(user.extra, { 'authentication.kubernetes.io/associated-node-keys': keys });
    }
    const elsewhere = await fixture.act({ user: 'system:node:n2' }, agent('n2'));
    assert.equal(elsewhere.acting?.user.username, 'system:node:n2');
    assert.deepEqual(fixture.asked(), []);
    await fixture.act({ user: 'system:node:n2' }, agent('n1'));
    assert.equal(fixture.asked()[0], 'impersonate-on:arbitrary-node:list team/ pods');
    assert.ok((await fixture.act({ user: 'system:node:n1' }, { ...agent('n1'), username: 'alice' })).refusal);
  });

  it('refuses headers without a user name, and heeds no empty ones', async () => {
    const fixture = impersonationFixture();
    const { refusal } = await fixture.act({ group: 'ops', 'extra-a%2fb': ['x', 'y'] });
    assert.equal(refusal?.code, 400);
    assert.equal(
      refusal.message,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"ops"}, ' +
        'Extra:map[string][]string{"a/b":[]string{"x", "y"}}} without impersonating a user name',
    );
    assert.deepEqual(await fixture.act({ user: '' }), { acting: undefined });
    assert.deepEqual(fixture.asked(), []);
  });
});

describe('unconstrained impersonation', () => {
  it('asks for the verb impersonate alone', async () => {
    const fixture = impersonationFixture('unconstrained');
    fixture.allow(LEGACY_BOB, 'impersonate groups ops', `impersonate ${GROUP}userextras/scopes view`);
    const { acting } = await fixture.act({ user: 'bob', group: 'ops', 'extra-scopes': 'view' });
    assert.deepEqual(acting?.user.groups, ['ops', 'system:authenticated']);
    assert.equal(acting.constraint, undefined);
    assert.equal(fixture.asked().length, 3);
    assert.deepEqual((await fixture.act({ user: 'eve' })).refusal?.details, { name: 'eve', kind: 'users' });
    assert.equal((await fixture.act({ group: 'ops' })).refusal?.code, 500);
  });
});
