/** The describing vocabulary: `import * as match`, so that a check reads `match.status(409)`. */

export { both, either } from './matching/alternatives.ts';
export {
  asCreated,
  body,
  created,
  error,
  field,
  header,
  itemNames,
  mediaType,
  nameInUse,
  names,
  noAnswerInTime,
  refusal,
  status,
  success,
} from './matching/answers.ts';
export { event, eventField, removal } from './matching/events.ts';
export { type Expectation, type Matcher, valueMatcher } from './matching/matcher.ts';
export {
  aBoolean,
  absent,
  aDelay,
  alike,
  anArray,
  anObject,
  aPositiveInteger,
  aString,
  aTimestamp,
  at,
  containing,
  empty,
  equal,
  every,
  including,
  not,
  oneOf,
  present,
  sameItems,
  size,
  startingWith,
  text,
} from './matching/values.ts';
export { refusesToStart, starts } from './starting/started.ts';
