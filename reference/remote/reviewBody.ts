import { isObject, type JsonObject } from '../api/json.ts';
import { JsonSyntaxError, readJson } from '../codecs/json.ts';
import { readYaml, YamlSyntaxError } from '../codecs/yaml.ts';

/** What an answer has to hold at least, as messages name it. */
const TYPED = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * The object that a remote service answered with: what opens with a brace is JSON, anything else is YAML.
 *
 * @throws JsonSyntaxError, YamlSyntaxError in the words that clients of the service know
 */
export function readReviewBody(body: string): JsonObject {
  const value = body.trimStart().startsWith('{') ? readMarked(body) : readYaml(body).value;
  if (isObject(value)) return value;
  if (value === null) return {};
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw untyped(`json: cannot unmarshal ${found === 'bigint' ? 'number' : found} into Go value of type ${TYPED}`);
}

/** Whether an error of {@link readReviewBody} says that the answer cannot be read. */
export function isUnreadable(error: unknown): error is Error {
  return error instanceof JsonSyntaxError || error instanceof YamlSyntaxError;
}

function readMarked(body: string) {
  try {
    return readJson(body).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw untyped(error.message);
    throw error;
  }
}

function untyped(why: string): JsonSyntaxError {
  return new JsonSyntaxError(`couldn't get version/kind; json parse error: ${why}`);
}
