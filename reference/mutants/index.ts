import { ACCESS } from './access.ts';
import { APPLYING } from './applying.ts';
import { AUTHENTICATION_FILE } from './authenticationFile.ts';
import { AUTHORIZATION_CONFIG } from './authorizationConfig.ts';
import { AUTHORIZING } from './authorizing.ts';
import { BINDING_FIELDS } from './bindingFields.ts';
import { BOOTSTRAP_TOKENS } from './bootstrapTokens.ts';
import { CHUNKING } from './chunking.ts';
import { DEFAULT_ROLES } from './defaultRoles.ts';
import { DELETING } from './deleting.ts';
import { DEPRECATING } from './deprecating.ts';
import { DRY_RUNNING } from './dryRunning.ts';
import { ENCODING } from './encoding.ts';
import { FAMILY_OPERATIONS } from './families.ts';
import { FIELD_CHECKING } from './fieldChecking.ts';
import { GRANTING } from './granting.ts';
import { IDENTITY } from './identity.ts';
import { ID_TOKENS } from './idTokens.ts';
import { MARKERS } from './markers.ts';
import { MERGING } from './merging.ts';
import type { Mutant } from './mutant.ts';
import { NAMING } from './naming.ts';
import { NODES } from './nodes.ts';
import { OLDER_RELEASES } from './olderReleases.ts';
import { PATCHING } from './patching.ts';
import { READING } from './reading.ts';
import { RECORDING } from './recording.ts';
import { REPLACEMENTS } from './replacements.ts';
import { REVIEWING } from './reviewing.ts';
import { ROUTING } from './routing.ts';
import { STARTING_UP } from './startingUp.ts';
import { STORING } from './storing.ts';
import { TOKEN_REVIEWS } from './tokenReviews.ts';
import { VERSIONS } from './versions.ts';
import { WATCHING } from './watching.ts';
import { WEBHOOK_CALLS } from './webhookCalls.ts';
import { WEBHOOK_FIELDS } from './webhookFields.ts';
import { WELLBEING } from './wellbeing.ts';

/** All mutants, in the order of the specification's sections. */
export const MUTANTS: readonly Mutant[] = [
  ...NAMING,
  ...DELETING,
  ...BINDING_FIELDS,
  ...FAMILY_OPERATIONS,
  ...WEBHOOK_FIELDS,
  ...WEBHOOK_CALLS,
  ...PATCHING,
  ...MARKERS,
  ...APPLYING,
  ...MERGING,
  ...RECORDING,
  ...DRY_RUNNING,
  ...FIELD_CHECKING,
  ...ROUTING,
  ...ENCODING,
  ...READING,
  ...VERSIONS,
  ...CHUNKING,
  ...WATCHING,
  ...ACCESS,
  ...AUTHORIZING,
  ...AUTHORIZATION_CONFIG,
  ...GRANTING,
  ...DEFAULT_ROLES,
  ...REVIEWING,
  ...NODES,
  ...WELLBEING,
  ...IDENTITY,
  ...ID_TOKENS,
  ...AUTHENTICATION_FILE,
  ...TOKEN_REVIEWS,
  ...BOOTSTRAP_TOKENS,
  ...STARTING_UP,
  ...STORING,
  ...REPLACEMENTS,
  ...DEPRECATING,
  ...OLDER_RELEASES,
];

export function findMutant(id: string): Mutant | undefined {
  return MUTANTS.find((mutant) => mutant.id === id);
}
