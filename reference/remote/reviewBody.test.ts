import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isUnreadable, readReviewBody } from './reviewBody.ts';

it('answers are read as JSON or YAML', () => {
  assert.deepEqual(readReviewBody(' {"kind":"A","size":1}'), { kind: 'A', size: 1 });
  assert.deepEqual(readReviewBody('kind: A\nsize: 1\n'), { kind: 'A', size: 1 });
});

it('answers that are no object are refused in the words of the service', () => {
  const type =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  for (const [body, found] of [
    ['scripted', 'string'],
    ['5', 'number'],
    ['true', 'bool'],
    ['[1]', 'array'],
  ]) {
    assert.throws(() => readReviewBody(body as string), {
      message: `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${type}`,
    });
  }
  assert.throws(() => readReviewBody('{"a"'), {
    message: "couldn't get version/kind; json parse error: unexpected end of JSON input",
  });
  assert.throws(() => readReviewBody('a: [b'), isUnreadable);
});
