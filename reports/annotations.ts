/** As a runner of tests has it: what is said of a check in words. */
export interface Annotation {
  readonly type: string;
  readonly description?: string;
}

/** Types of the annotations that a check declares; statically, so that a reporter knows them whatever happens. */
export const CHECK = 'check';
/** A requirement that it names. */
export const REQUIREMENT = 'requirement';
/** A clause of a requirement. */
export const CLAUSE = 'clause';
export const NEED = 'need';
/** `file:line` where the check is written. */
export const PLACE = 'place';
/** A flag that the server of a check is started with. */
export const FLAG = 'flag';
/** Id of the check whose setup the server is started with. */
export const SETUP = 'setup';
/** An object of the target that has one name for all, which checks take turns at. */
export const SHARED = 'shared';
/** Said of a check that works all the time, for much longer than others: a process runs one of them at a time. */
export const LABORIOUS = 'laborious';
/** Name of the mutant that a check is put to. */
export const VARIANT = 'variant';
/** A requirement or clause that a mutant breaks and the check is about: left out where each has been caught before. */
export const AIM = 'aim';
/** Number of requirements that a mutant is caught by before the rest of its checks is left out. */
export const ENOUGH = 'enough';
/** A requirement, clause or area, where not every one counts towards that number. */
export const COUNTED = 'counted';
/** Milliseconds that a check took, said when it is over: it may have begun before the runner came to it. */
export const TOOK = 'took';
