import type { Vector } from './vectors.ts';

/** Sections of the specification's vectors that are about what the service's language does not have. */
const SECTIONS: Readonly<Record<string, string>> = {
  block_ext: 'cel.block is what optimizers write, not authors',
  encoders_ext: 'the service has no base64 functions',
  math_ext: 'the service has no math functions',
  proto2: 'messages of Protobuf',
  proto2_ext: 'messages of Protobuf',
  proto3: 'messages of Protobuf',
  dynamic: 'messages of Protobuf',
  enums: 'messages of Protobuf',
  wrappers: 'messages of Protobuf',
};
const MESSAGES = /TestAllTypes|conformance\.proto|google\.protobuf\.(?!Timestamp|Duration)/;
const MORE: readonly [RegExp, string][] = [
  [/`/, 'quoted names of fields'],
  [/\btuple\(|\bfn\(/, 'functions and types that the vector itself declares'],
];

/** Why a vector says nothing about this language; undefined when it does. */
export function outside({ section, test }: Vector): string | undefined {
  const own = SECTIONS[section];
  if (own !== undefined) return own;
  const { expr, container, disableCheck } = test;
  if (disableCheck === true) return 'expressions are always checked';
  if (container !== undefined || MESSAGES.test(JSON.stringify({ ...test, value: null }))) return 'messages of Protobuf';
  return section.startsWith('parse') ? undefined : MORE.find(([pattern]) => pattern.test(String(expr)))?.[1];
}
