import fc from 'fast-check';
import { type Command, KEYS, type Step, value } from '../command.ts';

interface JsonPatch extends Step {
  readonly operations: readonly object[];
}

const path = fc.constantFrom(...KEYS).map((key) => `/data/${key}`);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value }),
  fc.record({ op: fc.constant('remove'), path }),
  fc.record({ op: fc.constantFrom('copy', 'move'), from: path, path }),
);

/** Sends a JSON patch for data, of which any operation may fail and then all of them do (RFC 6902). */
export const jsonPatch: Command<JsonPatch> = {
  do: 'json patch',
  chosen: fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 3 }) }),
  anyRefusal: true,
  ask: ({ operations }) => ({
    method: 'PATCH',
    to: 'object',
    contentType: 'application/json-patch+json',
    body: operations,
  }),
  words: ({ client, name, operations }) => `${client} patches ${name} by ${JSON.stringify(operations)}`,
};
