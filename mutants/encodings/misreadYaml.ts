import { YAML_DOCUMENTS, YAML_FORMS, type YamlDocument, type YamlForm } from '../../fixtures/ledger/index.ts';
import { onVerbs, withText } from '../alter.ts';
import type { Mutant } from '../mutant.ts';

interface Misread {
  readonly words: string;
  readonly from: RegExp;
  readonly to: string;
}
/** How each form is misread: what stands there, and what it is taken for. */
const MISREAD: Readonly<Record<YamlForm, Misread>> = {
  literal: { words: 'Literal blocks are folded', from: /: \|$/gm, to: ': >' },
  folded: { words: 'Folded blocks are literal', from: /: >$/gm, to: ': |' },
  plain: { words: 'A hash within a word begins a comment', from: /(\w)#(\w)/g, to: '$1 #$2' },
  'single-quoted': { words: 'Two single quotes within quotes are a dash', from: /''/g, to: '-' },
  'double-quoted': { words: 'An escaped tab is a blank', from: /\\t/g, to: ' ' },
  'texts-like-others': { words: 'Quotes around a digit mean nothing', from: /"(\d)"/g, to: '$1' },
  flow: { words: 'An empty list in brackets is null', from: /\[\]/g, to: 'null' },
  blocks: { words: 'A list within a list is text', from: /- (- \w)/g, to: '$1' },
  aliases: { words: 'An alias is its own name', from: /\*(\w+)/g, to: '"$1"' },
  comments: { words: 'What is behind a number is part of it', from: /: (\d #.*)$/gm, to: ': "$1"' },
  tags: { words: 'The tag of a text means nothing', from: /!!str /g, to: '' },
  numbers: { words: 'A number with a plus is text', from: /: (\+\d)$/gm, to: ': "$1"' },
};
/** How each document is misread. */
const MISREAD_DOCUMENTS: Readonly<Record<YamlDocument, Misread>> = {
  crlf: { words: 'A line that ends with CR LF is followed by an empty one', from: /\r\n/g, to: '\n\n' },
  braces: { words: 'What begins with a brace has no words without quotes', from: /^\{apiVersion/, to: '{"apiVersion' },
  'braces-later': { words: 'A brace behind a comment is text', from: /^(#.*\r\n\r\n)\{/, to: '$1text {' },
  markers: { words: 'A marker is text', from: /^---$/m, to: 'text' },
  'byte-order-mark': { words: 'A byte order mark is text', from: /^\ufeff/, to: 'text\n' },
};
const WAYS = {
  post: { verb: 'create', type: 'application/yaml', words: 'a POST' },
  put: { verb: 'update', type: 'application/yaml', words: 'a PUT' },
  apply: { verb: 'patch', type: 'application/apply-patch+yaml', words: 'an apply' },
} as const;

function misread(name: YamlForm | YamlDocument, way: keyof typeof WAYS, { words, from, to }: Misread): Mutant {
  const { verb, type } = WAYS[way];
  return {
    id: `yaml-is-misread-${name}-by-${way}`,
    breaks: [`YAML-TEXT-01/${way}/${name}`],
    sentence: `${words} in the body of ${WAYS[way].words}.`,
    defect: () =>
      onVerbs([verb], (call, serve) => {
        const sent = String(call.exchange.request.headers['content-type']);
        return serve(sent.startsWith(type) ? withText(call, (text) => text.replace(from, to)) : call);
      }),
  };
}

/** Forms of YAML that are taken for others. */
export const MISREAD_YAML: readonly Mutant[] = [
  ...YAML_FORMS.flatMap((form) => (['post', 'apply'] as const).map((way) => misread(form, way, MISREAD[form]))),
  ...YAML_DOCUMENTS.flatMap((document) =>
    (['post', 'put', 'apply'] as const).map((way) => misread(document, way, MISREAD_DOCUMENTS[document])),
  ),
];
