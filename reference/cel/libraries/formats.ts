import type { Environment } from '@marcbachmann/cel-js';
import { Optional } from '@marcbachmann/cel-js';
import { hasFormat } from '../../api/formats.ts';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  labelValue,
  type NameRule,
  qualifiedName,
} from '../../api/nameRules.ts';
import { registerAll, registerNamespace, registerOpaque } from './register.ts';

/** A rule for texts that has a name. */
class FormatValue {
  readonly rule: NameRule;

  constructor(rule: NameRule) {
    this.rule = rule;
  }
}

/** What follows a prefix may complete a trailing dash. */
const prefixed =
  (rule: NameRule): NameRule =>
  (name) =>
    rule(name.endsWith('-') ? `${name.slice(0, -1)}a` : name);
const shaped =
  (format: string, words: string): NameRule =>
  (text) =>
    hasFormat(format, text) ? [] : [words];

const RULES: Readonly<Record<string, NameRule>> = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  qualifiedName,
  dns1123LabelPrefix: prefixed(dns1123Label),
  dns1123SubdomainPrefix: prefixed(dns1123Subdomain),
  dns1035LabelPrefix: prefixed(dns1035Label),
  labelValue,
  uri: shaped('uri', 'invalid URI'),
  uuid: shaped('uuid', 'does not match the UUID format'),
  byte: shaped('byte', 'invalid base64'),
  date: shaped('date', 'invalid date'),
  datetime: shaped('datetime', 'invalid datetime'),
};

const NAME = 'kubernetes.NamedFormat';

/** Named formats of texts: `format.dns1123Label().validate(name)`. */
export function registerFormats(environment: Environment): void {
  registerOpaque(environment, NAME, FormatValue);
  registerNamespace(environment, 'format', 'FormatNamespace');
  const values = new Map(Object.entries(RULES).map(([name, rule]) => [name, new FormatValue(rule)]));
  for (const [name, value] of values) registerAll(environment, { [`FormatNamespace.${name}(): ${NAME}`]: () => value });
  registerAll(environment, {
    [`FormatNamespace.named(string): optional<${NAME}>`]: (_: unknown, name: string) => Optional.of(values.get(name)),
    [`${NAME}.validate(string): optional<list<string>>`]: ({ rule }: FormatValue, text: string) => {
      const faults = rule(text);
      return faults.length === 0 ? Optional.none() : Optional.of([...faults]);
    },
  });
}
