import { Environment } from '@marcbachmann/cel-js';
import { registerAddresses } from './libraries/addresses.ts';
import { registerAuthorizer } from './libraries/authorizer.ts';
import { registerConversions } from './libraries/conversions.ts';
import { registerFormats } from './libraries/formats.ts';
import { registerLists } from './libraries/lists.ts';
import { registerMacros } from './libraries/macros.ts';
import { registerOptionals } from './libraries/optionals.ts';
import { registerQuantities } from './libraries/quantities.ts';
import { registerSemver } from './libraries/semver.ts';
import { registerStrings } from './libraries/strings.ts';
import { registerStructs } from './libraries/structs.ts';
import { registerTimes } from './libraries/times.ts';
import { registerUrls } from './libraries/urls.ts';

const LIBRARIES = [
  registerConversions,
  registerStrings,
  registerTimes,
  registerOptionals,
  registerLists,
  registerMacros,
  registerQuantities,
  registerAddresses,
  registerUrls,
  registerSemver,
  registerFormats,
  registerAuthorizer,
  registerStructs,
];

let shared: Environment | undefined;

/** A fresh environment with the extension libraries of the service, to which types and variables can be added. */
export function createEnvironment(): Environment {
  shared ??= declareLibraries(new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false }));
  return shared.clone();
}

function declareLibraries(environment: Environment): Environment {
  for (const register of LIBRARIES) register(environment);
  return environment;
}
