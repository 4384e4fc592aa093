import { Optional } from '@marcbachmann/cel-js';

/** An optional value that is there. */
export function some(value: unknown): unknown {
  return Optional.of(value);
}
/** An optional value that is not. */
export function none(): unknown {
  return Optional.none();
}
