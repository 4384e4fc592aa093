import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../api/json.ts';
import { readOptions } from '../options/loadOptions.ts';
import { createReference, type Reference } from '../reference.ts';
import type { StoreImage } from '../storage/storeImage.ts';
import { collect, inProcessRequest } from '../transport/inProcess.ts';

/** What a server of a release answered. */
export interface Heard {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly bytes: Uint8Array;
}

/** A server of one release, for tests; everybody may do everything. */
export interface ReleaseFixture {
  readonly reference: Reference;
  send(method: string, target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Heard>;
  /** Events of a watch until now, as JSON. */
  watch(target: string, during: () => Promise<void>): Promise<readonly JsonObject[]>;
  /** Resolves when a path is there. */
  settled(target: string): Promise<void>;
  /** Asks again until the answer is yes. */
  until(holds: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

/** How often the event loop turns while a controller does its work. */
const TURNS = 1_000;

/**
 * @param release `1.20`
 * @param flags further ones
 * @param image what the store begins with: that of a server before
 */
export async function releaseFixture(release: string, flags: readonly string[] = [], image?: StoreImage) {
  const loaded = readOptions([
    `--release=${release}`,
    '--seed=1',
    '--clock=virtual',
    '--authorization-mode=AlwaysAllow',
    ...flags,
  ]);
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const authentication = { ...loaded.options.authentication, anonymous: { enabled: true, paths: undefined } };
  const reference = await createReference({ ...loaded.options, authentication }, image ? { image } : {});
  const fixture: ReleaseFixture = {
    reference,
    async send(method, target, body, headers = {}) {
      const reply = await reference.handler(
        inProcessRequest({
          method,
          target,
          headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      );
      assert.equal(reply.kind, 'whole');
      const bytes = reply.kind === 'whole' ? reply.body : new Uint8Array();
      const { warning = [] } = reply.headers;
      const json = String(reply.headers['content-type']).startsWith('application/json');
      return {
        code: reply.code,
        body: json ? (JSON.parse(Buffer.from(bytes).toString()) as JsonObject) : {},
        warnings: typeof warning === 'string' ? [warning] : warning,
        headers: reply.headers,
        bytes,
      };
    },
    async watch(target, during) {
      const reply = await reference.handler(inProcessRequest({ target }));
      assert.equal(reply.kind, 'stream');
      if (reply.kind !== 'stream') return [];
      const stream = collect(reply);
      await during();
      stream.stop();
      return stream
        .text()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as JsonObject);
    },
    settled: (target) => fixture.until(async () => (await fixture.send('GET', target)).code !== 404),
    async until(holds) {
      for (let turn = 0; turn < TURNS; turn++) {
        if (await holds()) return;
        await nextTurn();
      }
      throw new Error('it never held');
    },
    close: () => reference.close(),
  };
  return fixture;
}
