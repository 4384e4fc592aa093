import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { FORGERIES, type Issuer, issuer, WELL_KNOWN } from './issuer.ts';
import { Services } from './services.ts';

const claims = { sub: 'ada', aud: 'touchstone' };

async function withIssuer(use: (one: Issuer, services: Services) => Promise<void>): Promise<void> {
  const services = new Services();
  try {
    await use(await services.get(issuer), services);
  } finally {
    await services.close();
  }
}
/** Verifies as a careful verifier would: by what the issuer publishes now. */
async function verified(one: Issuer, token: string, algorithms = ['RS256']) {
  const { jwks_uri } = (await get(`${one.url}${WELL_KNOWN}`, one.ca)) as { jwks_uri: string };
  const keys = createLocalJWKSet((await get(jwks_uri, one.ca)) as JSONWebKeySet);
  return jwtVerify(token, keys, { algorithms, issuer: one.url, audience: 'touchstone' });
}

describe('an issuer of the harness', () => {
  it('publishes the keys that verify its tokens, for every algorithm that was asked for', () =>
    withIssuer(async (one) => {
      for (const algorithm of ['RS256', 'PS384', 'ES256', 'ES512']) {
        const token = await one.token({ claims, algorithm });
        assert.equal((await verified(one, token, [algorithm])).payload.sub, 'ada', algorithm);
      }
    }));
  it('stands for further issuers below its address, and answers what it is told to', () =>
    withIssuer(async (one) => {
      const document = (await get(`${one.tenant('a')}${WELL_KNOWN}`, one.ca)) as { issuer: string };
      assert.equal(document.issuer, one.tenant('a'));
      one.answer('/b', { body: { said: true } });
      assert.deepEqual(await get(one.tenant('b'), one.ca), { said: true });
    }));
  it('forgets a key that was rotated', () =>
    withIssuer(async (one) => {
      const before = await one.token({ claims });
      await one.rotate();
      await assert.rejects(verified(one, before));
      await verified(one, await one.token({ claims }));
    }));
  it('forges tokens that a careful verifier refuses, each', () =>
    withIssuer(async (one, services) => {
      const stranger = await services.get(issuer, 'stranger');
      for (const [what, forge] of Object.entries(FORGERIES)) {
        await assert.rejects(verified(one, await forge(one, claims, stranger)), `a token that ${what}`);
      }
    }));
  it('names the algorithm in the header that it signs by', () =>
    withIssuer(async (one) => {
      const { alg, kid } = decodeProtectedHeader(await one.token({ claims, algorithm: 'ES256', header: { kid: 'x' } }));
      assert.deepEqual({ alg, kid }, { alg: 'ES256', kid: 'x' });
    }));
});

function get(url: string, ca: string): Promise<object> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, async (response) => {
      resolve(JSON.parse((await response.toArray()).join('')));
    })
      .on('error', reject)
      .end();
  });
}
