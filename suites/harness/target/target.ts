import { readFileSync } from 'node:fs';
import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import type { TargetIdentity } from '../../../reports/events.ts';
import type { ExecPlugin } from '../credentials/execPlugin.ts';

/** Where `touchstone run` tells the workers whom they test. */
export const TARGET_FILE = 'TOUCHSTONE_TARGET_FILE';

/** How an actor proves who it is. None of the members: anonymous. */
export interface Identity {
  /** A plugin that gives token or certificate, when there are none yet and when those that there are have ended. */
  readonly exec?: ExecPlugin | undefined;
  /** Until when those of the plugin are good: milliseconds since the epoch; absent where it does not say. */
  readonly expires?: number | undefined;
  readonly token?: string | undefined;
  /** PEM. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** The user name the target knows it by, as far as it told us. */
  readonly user?: string | undefined;
  /** Whom it acts as: what it shows is then the credentials of whoever may do that. */
  readonly acts?:
    | {
        readonly user?: string | undefined;
        readonly uid?: string | undefined;
        readonly groups?: readonly string[] | undefined;
        readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
      }
    | undefined;
}

/** The port of an embedded target for what no client of an API server may do: setting its clock ahead. */
export interface Control {
  readonly base: string;
  readonly token: string;
}

/** What can be done with the target beside asking it, and with the commands that start it beside starting it with flags. */
export interface Commands {
  /** It was running already, and is ended and started again with other flags. */
  readonly restarts: boolean;
  /** It was running already, and follows a file of ours. */
  readonly rewrites: boolean;
  /** It keeps its objects in a folder that it is told. */
  readonly keeps: boolean;
  /** Releases that it can be; the last is the one that it is unless told. */
  readonly releases: readonly string[];
}

/** What the administrator of a run may do, as access reviews tell. */
export interface Rights {
  /** It may do everything. */
  readonly all: boolean;
  /** What it may not do of all that checks do, such as `create namespaces`; empty where nobody could tell. */
  readonly missing: readonly string[];
  /** Those of them without which hardly a check can look at anything. */
  readonly essential: readonly string[];
}

/**
 * A server under test: all that checks may know of it. `identities` has at least `admin`, who may do everything
 * the checks ask for; `plain`, when there, is somebody with no rights of their own.
 */
export interface Target {
  readonly base: string;
  readonly mode: TargetIdentity['mode'];
  readonly dialect: Dialect;
  /** `1.32`; empty when the target does not say. */
  readonly release: string;
  readonly version: Readonly<Record<string, string>>;
  /** PEM of the authority that signed the server's certificate; the system's when absent. */
  readonly ca?: string | undefined;
  /** Do not verify the server's certificate. */
  readonly insecure?: boolean;
  /** Milliseconds for which an answer is waited for; twenty seconds when absent. */
  readonly patience?: number | undefined;
  /** What the administrator may do, as far as the target says; absent where it does not. */
  readonly rights?: Rights | undefined;
  readonly identities: Readonly<Record<string, Identity>>;
  readonly capabilities: TargetIdentity['capabilities'];
  readonly control?: Control | undefined;
  /** Absent where no command was given, and of the embedded one. */
  readonly commands?: Commands | undefined;
  /** Name or address at which it finds this machine; absent when it runs here. */
  readonly callbackHost?: string | undefined;
  /** `group/version/plural` of all that discovery claims, the core group written as `v1/plural`. */
  readonly served: readonly string[];
}

/** What the run as a whole decided, for every worker alike. */
export interface RunSettings {
  /** Short and unique: names and labels of everything the run creates carry it. */
  readonly id: string;
  readonly seed: string;
  readonly strict: boolean;
  /** Folder for what a check keeps for its reader, beside the reports. */
  readonly output?: string;
  /** Folder to keep `history-*.ndjson` in; no history when absent. */
  readonly history?: string;
  /** Only what checks come to is kept, and not what they send and hear: of many variants that would be a lot. */
  readonly verdictsOnly?: boolean;
}
export interface TargetFile {
  readonly target: Target;
  readonly run: RunSettings;
  /** Program and arguments that start the target once more; flags are added to them. */
  readonly serve?: readonly string[] | undefined;
  /** How several such servers are started in one process. */
  readonly hosted?: Hosted | undefined;
  /** How a target that was running already is started again. */
  readonly restart?: Restart | undefined;
  /** The file by which a target that was running already is configured. */
  readonly rewritten?: Rewritten | undefined;
}

/** A file of a target that was running already, which checks write anew. */
export interface Rewritten {
  /** That of `--authentication-config`, on this machine. */
  readonly path: string;
  /** What was in it before the run. */
  readonly original: string;
}

export interface Restart {
  /** Ends the server and starts it again; see docs/judging-from-outside.md. */
  readonly command: string;
  /** A file that is there while the server does not run as it was found. */
  readonly mark: string;
}

/** A program that starts several servers, and the flags of each. */
export interface Hosted {
  readonly command: readonly string[];
  readonly flags: readonly string[];
  /** Where such a program is reached that all workers share; absent where each has one of its own. */
  readonly at?: string;
}

/** Reads the file that {@link TARGET_FILE} names. Throws one clear sentence when there is none. */
export function loadTargetFile(path: string | undefined = process.env[TARGET_FILE]): TargetFile {
  if (!path) throw new Error(`No target: start the checks with "npx touchstone run", which sets ${TARGET_FILE}.`);
  return JSON.parse(readFileSync(path, 'utf8')) as TargetFile;
}
