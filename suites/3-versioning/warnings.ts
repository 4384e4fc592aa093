import { type Exchange, type match, warningsIn } from '../harness/index.ts';

type Answered = Pick<Exchange, 'header'>;

/** The warnings of an answer, as a list that a matcher looks at. */
function warnings(expected: match.Matcher<unknown>): match.Matcher<Answered> {
  return {
    allows: `Warning headers that are ${expected.allows}`,
    differences: (answer) => expected.differences(warningsIn(answer.header('warning')), 'header warning'),
  };
}
const foundIn = (found: unknown) => (Array.isArray(found) ? (found as ReturnType<typeof warningsIn>) : []);
const shown = (found: unknown) => JSON.stringify(foundIn(found).map(({ written }) => written));

/** There is one, and each has the form; none says what another says. */
export const warned = warnings({
  allows: 'at least one, each a code, an agent and a quoted text (RFC 7234, section 5.5), and no text twice',
  differences: (found, path) => {
    const texts = foundIn(found).map(({ text }) => text);
    const fine = texts.length > 0 && new Set(texts).size === texts.length && !texts.includes(undefined);
    return fine ? [] : [{ path, want: 'warnings of that form', got: shown(found), gotType: 'array' }];
  },
});
/** None speaks of what is deprecated or old, or of a version; of other matters a server may warn. */
export const notWarned = warnings({
  allows: 'none of a version',
  differences: (found, path) => {
    const fine = foundIn(found).every(({ text }) => text !== undefined && !OF_A_VERSION.test(text));
    return fine ? [] : [{ path, want: 'no warning of a version', got: shown(found), gotType: 'array' }];
  },
});
const OF_A_VERSION = /deprecat|obsolete|outdated|\bold(er)?\b|\bv\d+((alpha|beta)\d+)?\b/i;

/** One says these words, whatever had to be escaped of them. */
export function saying(words: string): match.Matcher<Answered> {
  return warnings({
    allows: `one that says ${words}`,
    differences: (found, path) => {
      const said = foundIn(found).some(({ text }) => text?.includes(words));
      return said ? [] : [{ path, want: words, got: shown(found), gotType: 'array' }];
    },
  });
}
