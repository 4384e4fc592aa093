import type { Row } from '../../covering/covering.ts';
import type { JsonObject } from '../../harness/json.ts';
import { type Contents, memberOf, ODD_TEXTS } from './contents.ts';
import { HOLD, MORE } from './states.ts';

/** A finalizer that objects do not have from the start. */
export const THIRD = 'touchstone.example/third';

/** What a row of writes says, whatever it is written by. */
export interface Said {
  /** Labels, annotations and finalizers that are set; null where one is taken away. */
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
  readonly finalizers?: readonly string[];
  /** Other metadata. */
  readonly metadata: JsonObject;
  /** Of the contents: which of them; none where they stay. */
  readonly contents?: 'other' | 'wrong';
}
/** All stays as it is. */
export const NOTHING: Said = { labels: {}, annotations: {}, metadata: {} };
/** By the word for the content of a row. */
export const SAID: Readonly<Record<string, Said>> = {
  change: { ...NOTHING, labels: { z: '2' }, annotations: { more: '2' }, contents: 'other' },
  same: NOTHING,
  removal: { ...NOTHING, labels: { y: null }, annotations: { note: null } },
  empty: { ...NOTHING, labels: { z: '' }, annotations: { more: '' } },
  hollow: { ...NOTHING, metadata: { annotations: {} } },
  nulls: { ...NOTHING, metadata: { annotations: null } },
  odd: { ...NOTHING, annotations: ODD_TEXTS },
  reordered: { ...NOTHING, finalizers: [MORE, HOLD] },
  added: { ...NOTHING, finalizers: [HOLD, MORE, THIRD] },
  'first-off': { ...NOTHING, finalizers: [MORE] },
  'last-off': { ...NOTHING, finalizers: [HOLD] },
  freed: { ...NOTHING, finalizers: [] },
  born: { ...NOTHING, metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } },
  dying: { ...NOTHING, metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } },
  cleared: { ...NOTHING, metadata: { managedFields: [{}] } },
  typed: { ...NOTHING, contents: 'wrong' },
  renamed: { ...NOTHING, metadata: { name: '{id}-other' } },
};
/** A kind that no type has. */
export const OTHER_KIND = 'Other';

/** The contents that a row names; undefined where they stay. */
export function chosenOf(contents: Contents, said: Said, { content = '', stranger }: Row): JsonObject | undefined {
  if (stranger === 'inner') return contents.inner;
  if (content === 'fixed') return contents.fixed;
  return memberOf(contents, content) ?? (said.contents === undefined ? undefined : contents[said.contents]);
}

/** The version that a row names, kept of an answer before. */
export const versionOf = ({ version }: Row, keep: string): JsonObject =>
  version === 'none' ? {} : { resourceVersion: `<<${keep}.metadata.resourceVersion>>` };

/** Fields that no schema knows: those within the metadata, and those beside it. */
export const strangersOf = ({ stranger }: Row): { readonly metadata: JsonObject; readonly rest: JsonObject } => ({
  metadata: stranger === 'metadata' || stranger === 'several' ? { stranger: '1' } : {},
  rest: stranger === 'top' ? { stranger: '1' } : stranger === 'several' ? { strangerMore: { deep: '1' } } : {},
});
