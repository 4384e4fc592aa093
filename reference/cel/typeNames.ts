import { type DeclaredType, DYN } from './declaredType.ts';

const PLAIN: Readonly<Record<string, DeclaredType>> = {
  bool: { kind: 'bool' },
  int: { kind: 'int' },
  uint: { kind: 'uint' },
  double: { kind: 'double' },
  string: { kind: 'string' },
  bytes: { kind: 'bytes' },
  'google.protobuf.Timestamp': { kind: 'timestamp' },
  'google.protobuf.Duration': { kind: 'duration' },
};

/** The type that a variable has which holds what a checked expression comes to; `dyn` for types of a scope's own. */
export function typeOfName(name: string): DeclaredType {
  const plain = PLAIN[name];
  if (plain) return plain;
  const [, outer, inner = ''] = /^(list|optional)<(.+)>$/.exec(name) ?? [];
  if (outer === 'list') return { kind: 'list', items: typeOfName(inner) };
  if (outer === 'optional') return { kind: 'optional', value: typeOfName(inner) };
  const values = /^map<string, (.+)>$/.exec(name)?.[1];
  return values === undefined ? DYN : { kind: 'map', values: typeOfName(values) };
}
