import type { ClauseName, RequirementId } from '../fixtures/ledger/index.ts';
import type { ServerOptions } from '../reference/contracts/serverOptions.ts';
import type { Files } from '../reference/ports/files.ts';
import type { Seams } from '../reference/seams.ts';

/**
 * A reference with one rule broken on purpose. The suites must notice: a mutant is killed when of each requirement
 * and each clause that it breaks a check fails against it.
 */
export interface Mutant {
  /** What is wrong, in kebab-case: `watch-drops-delete`. */
  readonly id: string;
  /** Requirements, or clauses of them. */
  readonly breaks: readonly (RequirementId | ClauseName)[];
  /** What the broken server does, as one sentence. */
  readonly sentence: string;
  /** Made anew for each server, several of which share a process: what a mutant remembers, it remembers in here. */
  readonly defect: () => Defect;
}

/** The seams of the server at which a mutant breaks it, and what it misreads before there is a server. */
export interface Defect extends Seams {
  readonly start?: Start;
}

/** Where a mutant misreads what it is started with. */
export interface Start {
  /** The command line before it is read. */
  readonly flags?: (argv: readonly string[]) => readonly string[];
  /** The files that flags name: one that leaves out what it may not accept starts where it should refuse. */
  readonly files?: (files: Files) => Files;
  /** What was read, before the server is made of it. */
  readonly options?: (options: ServerOptions) => ServerOptions;
}
