import { Environment } from '@marcbachmann/cel-js';
import { registerStrings } from './libraries/strings.ts';

let shared: Environment | undefined;

/** A fresh environment with the extension libraries of the service, to which types and variables can be added. */
export function createEnvironment(): Environment {
  shared ??= furnish(new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false }));
  return shared.clone();
}

function furnish(environment: Environment): Environment {
  for (const register of [registerStrings]) register(environment);
  return environment;
}
