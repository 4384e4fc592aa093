// Runs the suites against the reference over an etcd of its own, with the arguments of `touchstone run`; for the gate.
// Ends with the exit code of the run, or with 0 and a sentence where there is no etcd.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../cli/root.ts';
import { NO_ETCD, startEtcd } from '../reference/testing/etcd/members.ts';

if (NO_ETCD) console.log(`skipped: ${NO_ETCD}`);
else {
  const etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
  const args = ['run', '--storage', 'etcd', '--etcd-servers', etcd.servers.join(','), ...process.argv.slice(2)];
  const run = spawn(process.execPath, [join(ROOT, 'cli/launch.mjs'), ...args], { stdio: 'inherit' });
  const [code] = await once(run, 'exit');
  await etcd.stop();
  process.exitCode = code ?? 1;
}
