import { IntegerError, readInt64 } from '../api/integer.ts';
import { labelValue as labelValueFaults, qualifiedName as qualifiedNameFaults } from '../api/nameRules.ts';
import { remembered } from '../collections/remembered.ts';
import { allOf, type LabelOperator, type LabelRequirement, type LabelSelector } from './labelRequirement.ts';

/** Text that is no selector. The message is the one that clients of the service know. */
export class SelectorSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SelectorSyntaxError';
  }
}

/**
 * Reads the text form of a label selector: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2`. Empty text selects
 * everything.
 * @throws SelectorSyntaxError
 */
export const parseLabelSelector: (text: string) => LabelSelector = remembered((text) => {
  const requirements = new Parser(scan(text)).parse();
  return allOf(requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)));
});

interface Token {
  readonly kind: 'identifier' | 'symbol' | 'error' | 'end';
  readonly text: string;
}

const SPACE = ' \t\r\n';
const SPECIAL = '=!(),><';
const SYMBOLS = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const END: Token = { kind: 'end', text: '' };

/** Cuts the text into tokens; a zero character ends it. */
function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length && text[at] !== '\0') {
    const character = text[at] as string;
    if (SPACE.includes(character)) {
      at++;
    } else if (SPECIAL.includes(character)) {
      const start = at;
      let symbol = '';
      // The longest symbol counts: characters are taken while they might still become one.
      while (at < text.length && SPECIAL.includes(text[at] as string)) {
        const longer = text.slice(start, at + 1);
        if (SYMBOLS.has(longer)) symbol = longer;
        else if (symbol) break;
        at++;
      }
      tokens.push(
        symbol
          ? { kind: 'symbol', text: symbol }
          : { kind: 'error', text: `error expected: keyword found '${text.slice(start, at)}'` },
      );
    } else {
      const start = at;
      while (
        at < text.length &&
        text[at] !== '\0' &&
        !SPECIAL.includes(text[at] as string) &&
        !SPACE.includes(text[at] as string)
      )
        at++;
      tokens.push({ kind: 'identifier', text: text.slice(start, at) });
    }
  }
  tokens.push(END);
  return tokens;
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['in', 'In'],
  ['=', 'In'],
  ['==', 'In'],
  ['>', 'Gt'],
  ['<', 'Lt'],
  ['notin', 'NotIn'],
  ['!=', 'NotIn'],
]);
const OPERATOR_NAMES = 'in, notin, =, ==, !=, gt, lt';

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const first = this.#look();
      if (first.kind === 'end') return requirements;
      if (!begins(first))
        throw new SelectorSyntaxError(`found '${first.text}', expected: !, identifier, or 'end of string'`);
      try {
        requirements.push(this.#requirement());
      } catch (error) {
        if (error instanceof SelectorSyntaxError)
          throw new SelectorSyntaxError(`unable to parse requirement: ${error.message}`);
        throw error;
      }
      const next = this.#take();
      if (next.kind === 'end') return requirements;
      if (!is(next, ',')) throw new SelectorSyntaxError(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#look();
      if (!begins(after)) throw new SelectorSyntaxError(`found '${after.text}', expected: identifier after ','`);
    }
  }

  #requirement(): LabelRequirement {
    const absent = is(this.#look(), '!');
    if (absent) this.#take();
    const key = this.#take();
    if (key.kind !== 'identifier') throw new SelectorSyntaxError(`found '${key.text}', expected: identifier`);
    const faults = qualifiedNameFaults(key.text);
    if (faults.length > 0)
      throw new SelectorSyntaxError(`<nil>: Invalid value: ${JSON.stringify(key.text)}: ${faults.join('; ')}`);
    if (absent) return { key: key.text, operator: 'DoesNotExist', values: [] };
    const next = this.#look();
    if (next.kind === 'end' || is(next, ',')) return { key: key.text, operator: 'Exists', values: [] };
    const symbol = this.#take();
    const operator = symbol.kind === 'error' ? undefined : OPERATORS.get(symbol.text);
    if (operator === undefined) throw new SelectorSyntaxError(`found '${symbol.text}', expected: ${OPERATOR_NAMES}`);
    const values = symbol.kind === 'identifier' ? this.#values() : [this.#value()];
    return checked({ key: key.text, operator, values });
  }

  /** The value behind `=`; none stands for the empty one. */
  #value(): string {
    const next = this.#look();
    if (next.kind === 'end' || is(next, ',')) return '';
    const token = this.#take();
    if (token.kind !== 'identifier') throw new SelectorSyntaxError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** The values behind `in` and `notin`, each once, sorted; gaps stand for the empty one. */
  #values(): string[] {
    const open = this.#take();
    if (!is(open, '(')) throw new SelectorSyntaxError(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    const first = this.#look();
    if (is(first, ')')) values.add('');
    else if (first.kind !== 'identifier' && !is(first, ',')) {
      throw new SelectorSyntaxError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    while (!is(this.#look(), ')')) this.#listItem(values);
    this.#take();
    return [...values].sort();
  }

  #listItem(values: Set<string>): void {
    const token = this.#take();
    const next = this.#look();
    if (token.kind === 'identifier') {
      values.add(token.text);
      if (!is(next, ',') && !is(next, ')')) throw new SelectorSyntaxError(`found '${next.text}', expected: ',' or ')'`);
    } else if (is(token, ',')) {
      if (values.size === 0 || is(next, ',') || is(next, ')')) values.add('');
    } else throw new SelectorSyntaxError(`found '${token.text}', expected: ',', or identifier`);
  }

  #look(): Token {
    return this.#tokens[this.#at] ?? END;
  }
  #take(): Token {
    const token = this.#look();
    this.#at++;
    return token;
  }
}

function is(token: Token, symbol: string): boolean {
  return token.kind === 'symbol' && token.text === symbol;
}
function begins(token: Token): boolean {
  return token.kind === 'identifier' || is(token, '!');
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const faults: string[] = [];
  if (operator === 'Gt' || operator === 'Lt') {
    if (!isInteger(values[0] as string)) {
      faults.push(
        `values[0]: Invalid value: ${JSON.stringify(values[0])}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
  }
  for (const [index, value] of values.entries()) {
    const found = labelValueFaults(value);
    if (found.length > 0)
      faults.push(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${found.join('; ')}`);
  }
  if (faults.length > 0)
    throw new SelectorSyntaxError(faults.length === 1 ? (faults[0] as string) : `[${faults.join(', ')}]`);
  return requirement;
}

function isInteger(text: string): boolean {
  try {
    readInt64(text);
    return true;
  } catch (error) {
    if (error instanceof IntegerError) return false;
    throw error;
  }
}
