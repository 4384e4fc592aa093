import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Commands, TargetFile } from '../target/target.ts';
import { UnfitCommand } from './launch.ts';
import { launcherOf } from './launcher.ts';

const COMMANDS: Commands = { restarts: false, rewrites: false, keeps: false, releases: [] };

it('a command that has no place for a folder or a release starts no server that is to have one', async () => {
  const target = { mode: 'launch', commands: COMMANDS } as TargetFile['target'];
  const launcher = launcherOf({ target, serve: ['false'] } as unknown as TargetFile, undefined);
  await assert.rejects(launcher.start({ flags: [], data: '/touchstone/absent' }), UnfitCommand);
  await assert.rejects(launcher.start({ flags: [], release: '1.20' }), UnfitCommand);
});
