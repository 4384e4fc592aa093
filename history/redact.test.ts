import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REDACTED, Redactor, withoutSecrets } from './redact.ts';

const redactor = new Redactor(['s3cret-token', 'ab']);

describe('redaction', () => {
  it('takes out what it learned later, and a copy learns for itself', () => {
    const copy = redactor.copy();
    copy.learn(['later-secret']);
    assert.equal(copy.text('s3cret-token later-secret'), `${REDACTED} ${REDACTED}`);
    assert.equal(redactor.text('later-secret'), 'later-secret');
  });
  it('takes credentials out of headers and keeps their scheme', () => {
    const headers = redactor.headers({ authorization: 'Bearer anything', cookie: 'a=b', accept: 'application/json' });
    assert.deepEqual(headers, { authorization: `Bearer ${REDACTED}`, cookie: REDACTED, accept: 'application/json' });
  });
  it('takes tokens out of a query, where a blank before them is encoded', () => {
    const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl';
    for (const blank of ['%20', '+', '=']) {
      assert.equal(
        redactor.text(`/api?authorization=Bearer${blank}${token}&a=b`),
        `/api?authorization=Bearer${blank}${REDACTED}&a=b`,
      );
    }
  });
  it('takes the content of secrets and tokens out of bodies, at any depth', () => {
    const body = {
      kind: 'List',
      items: [{ kind: 'Secret', metadata: { name: 'a' }, data: { k: 'dg==' } }],
      status: { token: 't' },
    };
    const clean = JSON.parse(redactor.body(JSON.stringify(body)));
    assert.deepEqual(clean.items[0], { kind: 'Secret', metadata: { name: 'a' }, data: { k: REDACTED } });
    assert.equal(clean.status.token, REDACTED);
  });
  it('knows Secrets that do not say so: items of a list, patches, and the copy in an annotation', () => {
    const list = { kind: 'SecretList', items: [{ metadata: { name: 'a' }, data: { k: 'dg==' }, type: 'Opaque' }] };
    assert.deepEqual(JSON.parse(redactor.body(JSON.stringify(list))).items, [
      { metadata: { name: 'a' }, data: { k: REDACTED }, type: 'Opaque' },
    ]);
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': '{"kind":"Secret","data":{"k":"dg=="}}',
      note: 'n',
    };
    const secret = { kind: 'Secret', metadata: { annotations }, stringData: 'odd' };
    assert.deepEqual(JSON.parse(redactor.body(JSON.stringify(secret))), {
      kind: 'Secret',
      metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': REDACTED, note: 'n' } },
      stringData: REDACTED,
    });
    const hiding = { hide: () => '-', secret: true };
    assert.deepEqual(withoutSecrets({ data: { k: 'v', gone: null }, metadata: { labels: { a: 'b' } } }, hiding), {
      data: { k: '-', gone: null },
      metadata: { labels: { a: 'b' } },
    });
    const table = {
      kind: 'Table',
      rows: [{ cells: ['a'], object: { kind: 'PartialObjectMetadata', data: { k: 'v' } } }],
    };
    assert.match(JSON.stringify(withoutSecrets(table, hiding)), /"k":"-"/);
    const operations = [
      { op: 'replace', path: '/data/k', value: 'v' },
      { op: 'replace', path: '', value: { data: {} } },
      { op: 'add', path: '/metadata/labels/a', value: 'b' },
    ];
    assert.deepEqual(
      (withoutSecrets(operations, hiding) as typeof operations).map(({ value }) => value),
      ['-', '-', 'b'],
    );
  });
  it('takes known secrets, signed tokens and private keys out of any text', () => {
    assert.equal(redactor.text('x s3cret-token y'), `x ${REDACTED} y`);
    assert.equal(redactor.text('eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln'), REDACTED);
    assert.equal(redactor.text('-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----'), REDACTED);
  });
  it('leaves alone what is no secret, byte for byte', () => {
    const text = '{ "kind": "ConfigMap",  "data": {"token-id": "ab"} }';
    assert.equal(redactor.body(text), text);
  });
  it('does not run into depth', () => {
    const deep = `${'{"token":'.repeat(5000)}1${'}'.repeat(5000)}`;
    assert.match(redactor.body(deep), /redacted/);
  });
});
