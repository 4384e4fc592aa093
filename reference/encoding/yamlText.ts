import { CORE_SCHEMA, defineScalarTag, dump, NOT_RESOLVED, SCALAR_STYLE, type ScalarLayout } from 'js-yaml';
import type { Json } from '../api/json.ts';
import { resolvePlain } from './yamlScalar.ts';

const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}([Tt ][ \t]*\d{1,2}:\d{2}:\d{2}|$)/;
const SEXAGESIMAL = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether text that stands plain in YAML would be read as something else than this text. */
function ambiguous(text: string): boolean {
  if (TIMESTAMP.test(text) || SEXAGESIMAL.test(text)) return true;
  try {
    return typeof resolvePlain(text) !== 'string';
  } catch {
    return true;
  }
}

/** Text that is no text when plain stands in double quotes; several lines stand as a block. */
function chooseStyle(layout: ScalarLayout): void {
  const { value, tag } = layout.node;
  if (tag !== 'tag:yaml.org,2002:str') return;
  const allows = (style: number) => (layout.allowedStylesMask & (1 << style)) !== 0;
  if (ambiguous(value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
  else if (value.includes('\n') && !layout.isKey && allows(SCALAR_STYLE.LITERAL_BLOCK)) {
    layout.style = SCALAR_STYLE.LITERAL_BLOCK;
  } else if (allows(SCALAR_STYLE.PLAIN)) layout.style = SCALAR_STYLE.PLAIN;
  else layout.style = allows(SCALAR_STYLE.SINGLE_QUOTED) ? SCALAR_STYLE.SINGLE_QUOTED : SCALAR_STYLE.DOUBLE_QUOTED;
}

/** Integers, those beyond the exact range of doubles too. */
const integerTag = defineScalarTag<number | bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  resolve: (text) => (/^-?[0-9]+$/.test(text) ? BigInt(text) : NOT_RESOLVED),
  identify: (value: unknown) => typeof value === 'bigint' || Number.isInteger(value),
  represent: String,
});
const schema = CORE_SCHEMA.withTags(integerTag);

/** YAML text of a value: names sorted, items of lists level with their name (1/media-types-and-negotiation/2). */
export function yamlText(value: Json): string {
  return dump(value, {
    schema,
    skipInvalid: true,
    noRefs: true,
    sortKeys: true,
    seqNoIndent: true,
    lineWidth: -1,
    scalarStyleRules: [chooseStyle],
  });
}
