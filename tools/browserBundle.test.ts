import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from 'esbuild';
// @ts-expect-error: a script without types; it answers the script and the paths of what went into it
import { engineBundle } from './browserBundle.mjs';

const ROOT = join(import.meta.dirname, '..');
const HALVES = join(ROOT, 'reference/ports');

/** What a module exports, but for types. */
async function exportsOf(path: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [path],
    bundle: true,
    packages: 'external',
    platform: 'neutral',
    external: ['node:*'],
    format: 'esm',
    outdir: 'unwritten',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)[0]?.exports.sort() ?? [];
}

describe('the engine for browsers', () => {
  it('has nothing of Node, of sockets, of disks or of etcd in it', async () => {
    const { inputs } = (await engineBundle('learn/engine/worker.ts')) as {
      inputs: Record<string, { imports: { path: string; external?: boolean }[] }>;
    };
    const own = Object.keys(inputs);
    assert.ok(own.includes('reference/reference.ts'));
    const unfit = /^reference\/(ports\/node|transport\/listener|storage\/(durable|etcd\/openEtcd))|undici|grpc/;
    assert.deepEqual(
      own.filter((path) => unfit.test(path)),
      [],
    );
    const outside = Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ path, external }) => external && path.startsWith('node:')),
    );
    assert.deepEqual(outside, []);
  });

  it('has a half of each port, with all that the half for Node has', async () => {
    const ports = readdirSync(join(HALVES, 'node')).filter((name) => !name.endsWith('.test.ts'));
    for (const name of ports) {
      const port = await exportsOf(join(HALVES, 'node', name));
      const browser = await exportsOf(join(HALVES, 'browser', name));
      const missing = port.filter((one) => !browser.includes(one));
      assert.deepEqual(missing, [], `reference/ports/browser/${name}`);
    }
  });
});
