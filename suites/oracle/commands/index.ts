import type { Command, Step } from '../command.ts';
import { create } from './create.ts';
import { hold } from './hold.ts';
import { jsonPatch } from './jsonPatch.ts';
import { list } from './list.ts';
import { mergePatch } from './mergePatch.ts';
import { read } from './read.ts';
import { release } from './release.ts';
import { remove } from './remove.ts';
import { replace } from './replace.ts';
import { strategicPatch } from './strategicPatch.ts';

/** A command whose own steps are known to nobody but itself. */
function any<S extends Step>(command: Command<S>): Command {
  return command as unknown as Command;
}

/** All commands, each as likely as another. */
export const COMMANDS: readonly Command[] = [
  any(create),
  any(read),
  any(replace),
  any(mergePatch),
  any(strategicPatch),
  any(jsonPatch),
  any(hold),
  any(release),
  any(remove),
  any(list),
];

/** The command of a step. Throws where a written-down step names none. */
export function commandOf(step: Step): Command {
  const command = COMMANDS.find((each) => each.do === step.do);
  if (!command) throw new Error(`there is no command ${JSON.stringify(step.do)}`);
  return command;
}
