import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScenario, type Scenario } from './scenario.ts';

/** The scenarios of a folder, in the order of their files' names. Throws ScenarioFault. */
export function readScenarios(folder: string): readonly Scenario[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readScenario(file.replace(/\.yaml$/, ''), readFileSync(join(folder, file), 'utf8')));
}
