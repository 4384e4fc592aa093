import fc from 'fast-check';
import { type Command, KEYS, type Step, value } from '../command.ts';

interface JsonPatch extends Step {
  readonly operations: readonly object[];
}

const path = fc.constantFrom(...KEYS).map((key) => `/data/${key}`);
/**
 * Operations that go together. A replace and a copy have an addition before them: the real service takes those of what
 * is absent, which is left to checks of its own.
 */
const operations = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'test'), path, value }).map((one) => [one]),
  fc.record({ op: fc.constant('remove'), path }).map((one) => [one]),
  fc.record({ op: fc.constant('move'), from: path, path }).map((one) => [one]),
  fc.tuple(path, value, value).map(([at, first, second]) => [
    { op: 'add', path: at, value: first },
    { op: 'replace', path: at, value: second },
  ]),
  fc.tuple(path, path, value).map(([from, to, first]) => [
    { op: 'add', path: from, value: first },
    { op: 'copy', from, path: to },
  ]),
);

/** Sends a JSON patch for data, of which any operation may fail and then all of them do (RFC 6902). */
export const jsonPatch: Command<JsonPatch> = {
  do: 'json patch',
  chosen: fc.record({
    operations: fc.array(operations, { minLength: 1, maxLength: 3 }).map((groups): object[] => groups.flat()),
  }),
  anyRefusal: true,
  ask: ({ operations }) => ({
    method: 'PATCH',
    to: 'object',
    contentType: 'application/json-patch+json',
    body: operations,
  }),
  words: ({ client, name, operations }) => `${client} patches ${name} by ${JSON.stringify(operations)}`,
};
