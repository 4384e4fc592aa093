import { exactly } from './range.ts';

/** What reading a variable or a field costs, and what any operation costs at least. */
export const STEP = exactly(1);
/** What making a list costs, and a map. */
export const LIST = exactly(10);
export const MAP = exactly(30);
