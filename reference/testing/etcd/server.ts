import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from '../../options/loadOptions.ts';
import { createReference, type Reference, type ReferenceExtras } from '../../reference.ts';
import { collect, inProcessRequest } from '../../transport/inProcess.ts';

/** A server in this process, and requests to it. */
export interface TestServer {
  readonly reference: Reference;
  /** Sends a request, with a body as JSON unless `type` says otherwise; answers code and body. */
  send(method: string, target: string, body?: unknown, type?: string): Promise<Heard>;
  /** Begins a watch; events come in as they are. */
  watch(target: string): Promise<TestWatch>;
  close(): Promise<void>;
}
export interface Heard {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what tests look into
  readonly body: any;
}
export interface TestWatch {
  /** Events until now, as `TYPE name version`. */
  events(): string[];
  stop(): void;
}

/** Starts a server where everybody, without credentials, is anonymous; `flags` say what they may do. */
export async function startServer(flags: readonly string[], extras: ReferenceExtras = {}): Promise<TestServer> {
  const loaded = readOptions(flags);
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const authentication = { ...loaded.options.authentication, anonymous: { enabled: true, paths: undefined } };
  const reference = await createReference({ ...loaded.options, authentication }, extras);
  return {
    reference,
    async send(method, target, body, type = 'application/json') {
      const headers = { 'content-type': type };
      const request = body === undefined ? { method, target } : { method, target, headers, body: JSON.stringify(body) };
      const reply = await reference.handler(inProcessRequest(request));
      assert.equal(reply.kind, 'whole');
      const text = reply.kind === 'whole' ? Buffer.from(reply.body).toString('utf8') : '';
      return { code: reply.code, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    async watch(target) {
      const reply = await reference.handler(inProcessRequest({ target }));
      assert.equal(reply.kind, 'stream');
      const stream = collect(reply as Parameters<typeof collect>[0]);
      return {
        events: () =>
          stream
            .text()
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => {
              const { type, object } = JSON.parse(line);
              return `${type} ${object.metadata?.name ?? object.message} ${object.metadata?.resourceVersion ?? ''}`;
            }),
        stop: () => stream.stop(),
      };
    },
    close: () => reference.close(),
  };
}

/** Resolves with what `look` answers once that is something; fails with the last that it said after a long while. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
  assert.fail(`${what}: it never came`);
}
