import type { FlagTable } from '../flags.ts';

export const LEARN_FLAGS = {
  port: { value: 'N', help: 'port of the page on loopback; a free one unless told' },
  dialect: { value: 'NAME', help: 'kubernetes or cluster, to begin with' },
  stories: { value: 'DIR', help: 'stories of your own, in place of those that there are' },
  export: { value: 'DIR', help: 'write the page into a folder, for any web server or a disk, and end' },
} as const satisfies FlagTable;
