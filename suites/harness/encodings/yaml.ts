import { dump } from 'js-yaml';

/** A text in JSON that reads as a number. One that is beyond a double the library takes for a text, and others do not. */
const NUMBER_IN_QUOTES = /"[-+]?(?:\.\d+|\d+(?:\.\d*)?)e[-+]?\d+"/i;

/** A value as YAML in blocks, as people write it; members that are undefined are left out, as in JSON. */
export function yamlText(value: object): string {
  const json = JSON.stringify(value);
  return dump(JSON.parse(json), { noRefs: true, lineWidth: -1, forceQuotes: NUMBER_IN_QUOTES.test(json) });
}
