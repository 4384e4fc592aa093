/** Types of the annotations that a check declares; statically, so that a reporter knows them whatever happens. */
export const REQUIREMENT = 'requirement';
export const NEED = 'need';
/** `file:line` where the check is written. */
export const PLACE = 'place';
/** A flag that the server of a check is started with. */
export const FLAG = 'flag';
