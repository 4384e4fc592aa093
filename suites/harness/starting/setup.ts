import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { ReleaseName } from '../../../fixtures/releases/removedVersion.ts';
import type { Services } from '../services/services.ts';
import type { Identity } from '../target/target.ts';

/**
 * How a server is started for checks: its flags, the files that they name, and who may then speak to it.
 *
 * A file is named by its key, and `{key}` stands for its path in the flags and in the other files:
 * `{ flags: ['--authentication-config={authn.json}'], files: { 'authn.json': { apiVersion: … } } }`.
 * Text is written as it is, anything else as JSON, which is YAML too.
 */
export interface Setup {
  readonly flags?: readonly string[];
  readonly files?: Readonly<Record<string, string | object>>;
  /** Folders, empty at first and named like files: what the server leaves there it finds when it is started again. */
  readonly folders?: readonly string[];
  /** Where it keeps its objects from one start to the next: one of `folders`, or a path. */
  readonly data?: string;
  /** The release that it has to be. */
  readonly release?: ReleaseName;
  /** The minor number of the first release that reads its files; an earlier one makes the check unsupported. */
  readonly since?: number;
  /** PEM of the authority behind the server's certificate, where the flags say which certificate that is. */
  readonly ca?: string;
  /** Flags that must not be given; where the command that starts the target brings one, the check is unsupported. */
  readonly without?: readonly string[];
  /** In a process of its own: the check kills it. */
  readonly apart?: boolean;
  /** The check tells it to end, and looks at it then. */
  readonly ended?: boolean;
  /** Why a server that refuses it is not at fault, where the text does not show what it holds: a clause. */
  readonly unshown?: string;
  /** Credentials that are known once it is in force, by which a server is seen to follow a file that it reads anew. */
  readonly inForce?: Identity;
  /** Credentials that the flags make known to the server, such as those of a token file of their own. */
  readonly identities?: Readonly<Record<string, Identity>>;
}

/** A setup that needs to know where the servers of the harness listen, or how the target names its groups. */
export type SetupOf = (services: Services, dialect: Dialect) => Setup | Promise<Setup>;
