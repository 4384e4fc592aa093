/** The part of the library that is used here; it brings no types of its own. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on an open file; false when somebody else has it. */
  export function tryLock(descriptor: number): boolean;
}
