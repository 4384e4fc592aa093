import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, type Kind, match, must, named } from '../../harness/index.ts';
import { budgets, ingresses } from './kinds.ts';

const of = (kind: Kind, version: string): Kind => ({ ...kind, version, specified: true, least: () => ({}) });

for (const [before, after, kind, spec] of [
  ['1.21', '1.22', ingresses, { backend: { serviceName: 'a', servicePort: 80 } }],
  ['1.24', '1.25', budgets, { minAvailable: 1 }],
] as const) {
  check(
    `the author writes a ${kind.kind} at ${before} in the version that ${after} removes → it is there after the upgrade`,
    ['REMOVED-PERSISTED-01'],
    async ({ start, space }) => {
      const directory = mkdtempSync(join(tmpdir(), 'touchstone-upgrade-'));
      try {
        const namespace = `${space.prefix}-kept`;
        const first = await start({ flags: [`--release=${before}`, `--data-dir=${directory}`] });
        const admin = first.as('admin');
        const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
        await admin.prepare(() => admin.request('POST', '/api/v1/namespaces', { body }));
        const written = await admin.in(namespace).given(of(kind, 'v1beta1'), { ...named('a'), spec });
        await first.stop();
        const second = await start({ flags: [`--release=${after}`, `--data-dir=${directory}`] });
        must('the next release starts on it', second, match.starts);
        const reader = second.as('admin').in(namespace);
        const seen = await reader.get(of(kind, 'v1'), 'a');
        must('the object is there', seen, match.status(200), match.field('metadata.uid', String(written.metadata.uid)));
        must('the removed version is not', await reader.get(of(kind, 'v1beta1'), 'a'), match.status(404));
        await second.stop();
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  );
}
