import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../reference/api/json.ts';
import { candidate, NAME } from '../objects.ts';
import { FuzzServer } from '../server.ts';
import { bentBytes, pick, rarely } from '../values.ts';
import { formsOf, written } from './forms.ts';
import { onFork, type Surface } from './surface.ts';

const PATCHES = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
];
const DEPTHS = [10, 200, 1_200, 20_000];
/** Texts that are small and stand for much. */
const HEAVY: readonly ((depth: number) => string)[] = [
  (depth) => '['.repeat(depth) + ']'.repeat(depth),
  (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  (depth) => `[${'1e9999,'.repeat(depth)}1]`,
  (depth) => `{${'"a":1,'.repeat(depth)}"a":2}`,
  (depth) =>
    `a: &a [x,x]\n${Array.from({ length: Math.min(depth, 500) }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`},*${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}`,
  (depth) => `${'- '.repeat(depth)}a`,
  (depth) =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"o","labels":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`,
  (depth) => `- {op: copy, from: "", path: /data}\n`.repeat(Math.min(depth, 1_000)),
  (depth) => `"${'\\ud800'.repeat(depth)}"`,
];

/** Bytes of bodies, in every form. */
export const bodies: Surface = {
  name: 'bodies',
  about:
    'bodies in JSON, YAML, CBOR and Protobuf with bytes changed, and small ones that stand for much: a 4xx or taken',
  start: () => FuzzServer.start(['--feature-gates=CBORServingAndStorage=true']),
  run: (draw, base) =>
    onFork(base, async (server) => {
      const { stored, object, item } = candidate(draw, server);
      const forms = formsOf(stored);
      const form = pick(draw, forms);
      const plain = rarely(draw, 8)
        ? Buffer.from(pick(draw, HEAVY)(pick(draw, DEPTHS)))
        : bytesOf(() => written(form, object, stored));
      if (plain === undefined) return;
      const bent = rarely(draw, 3) ? plain : bentBytes(draw, plain);
      const packed = rarely(draw, 10);
      const headers = { 'content-type': form, ...(packed ? { 'content-encoding': 'gzip' } : {}) };
      const body = packed ? gzipSync(bent) : bent;
      const made = await server.send({ method: 'POST', target: stored.collection, headers, body });
      if (made.code === 201 && !isNamed(server.json(await server.send({ method: 'GET', target: item })))) return;
      await server.send({ method: 'PUT', target: item, headers, body });
      const patch = { ...headers, 'content-type': pick(draw, PATCHES) };
      await server.send({ method: 'PATCH', target: `${item}?fieldManager=f`, headers: patch, body });
      await server.send({ method: 'DELETE', target: item, headers, body });
    }),
};

const isNamed = (object: JsonObject): boolean => (object.metadata as JsonObject | undefined)?.name === NAME;

/** Values that a form cannot say are sent in others. */
function bytesOf(write: () => Uint8Array): Uint8Array | undefined {
  try {
    return write();
  } catch {
    return undefined;
  }
}
