import { ACCESS } from './access.ts';
import { ANSWERS } from './answers.ts';
import { ERRORS } from './errors.ts';
import { LATER } from './later.ts';
import { OBJECTS } from './objects.ts';
import { OTHERS } from './others.ts';
import { READING } from './reading.ts';
import type { Twin } from './twin.ts';
import { WRITING } from './writing.ts';

/** All choices that the reference can make otherwise; what is said comes before how it is written. */
export const TWINS: readonly Twin[] = [
  ...ERRORS,
  ...OBJECTS,
  ...ACCESS,
  ...OTHERS,
  ...READING,
  ...LATER,
  ...ANSWERS,
  ...WRITING,
];
