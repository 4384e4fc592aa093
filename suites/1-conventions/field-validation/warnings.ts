import { type Exchange, warningsIn } from '../../harness/index.ts';

type Warned = Pick<Exchange, 'header'>;

/**
 * The entries of the Warning headers of an answer, which a server may put into one or several.
 * @param sound the answer to a write of that kind without offence: what it warns of as well is another matter
 */
export function warningsOf(answer: Warned, sound?: Warned): string[] {
  const others = new Set(sound ? warningsIn(sound.header('warning')).map(textOf) : []);
  return warningsIn(answer.header('warning')).flatMap((warning) =>
    others.has(textOf(warning)) ? [] : [warning.written],
  );
}

/** The entries that name something. */
export function warningsNaming(answer: Warned, name: string): string[] {
  return warningsOf(answer).filter((entry) => entry.includes(name));
}

const textOf = ({ text, written }: ReturnType<typeof warningsIn>[number]): string => text ?? written;
