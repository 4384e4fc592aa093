import type { Exchange } from '../harness/index.ts';
import { match } from '../harness/index.ts';

/** A code, an agent, a quoted text, perhaps a date: RFC 7234, section 5.5. */
const FORM = /^\d{3} [\x21\x23-\x7e]+ "(?:[^"\\]|\\.)*"(?: "[^"]*")?$/;
type Answered = Pick<Exchange, 'header'>;

/** Every value of the header, as a list that a matcher looks at. */
function warnings(expected: match.Matcher<unknown>): match.Matcher<Answered> {
  return {
    allows: `Warning headers that are ${expected.allows}`,
    differences: (answer) => expected.differences(answer.header('warning'), 'header warning'),
  };
}

/** There is one, and each has the form; none says what another says. */
export const warned = warnings({
  allows: 'at least one, each a code, an agent and a quoted text, and no text twice',
  differences: (found, path) => {
    const all = Array.isArray(found) ? found : [];
    const fine = all.length > 0 && new Set(all).size === all.length && all.every((each) => FORM.test(String(each)));
    return fine ? [] : [{ path, want: 'warnings of that form', got: JSON.stringify(all), gotType: 'array' }];
  },
});
export const notWarned = warnings(match.size(0));

/** What a quoted text says. */
const unquoted = (text: string) => text.replace(/\\(.)/g, '$1');

/** One says these words, whatever had to be escaped of them. */
export function saying(words: string): match.Matcher<Answered> {
  return warnings({
    allows: `one that says ${words}`,
    differences: (found, path) => {
      const texts = (Array.isArray(found) ? found : []).map((each) => unquoted(String(each)));
      const said = texts.some((each) => each.includes(words));
      return said ? [] : [{ path, want: words, got: JSON.stringify(texts), gotType: 'array' }];
    },
  });
}
