import { covering } from '../../covering/covering.ts';
import { Dice } from '../../covering/dice.ts';
import type { Query } from '../../harness/index.ts';

/** How a write is asked for, beside what it says: none of it changes what is refused, filled in or kept. */
export interface Manner {
  readonly words: string;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  /** How a whole object is written, where one is. */
  readonly form: 'json' | 'yaml';
}

const ACCEPT: Readonly<Record<string, string>> = {
  yaml: 'application/yaml',
  second: 'application/x-none, application/json',
  weighed: 'application/yaml;q=0.5, application/json',
};

/** Manners in which each two things that can be said come together. */
const MANNERS: readonly Manner[] = covering(
  {
    dimensions: {
      fields: ['none', 'Warn', 'Ignore'],
      accept: ['plain', 'yaml', 'second', 'weighed'],
      manager: ['none', 'other', 'agent'],
      form: ['json', 'yaml'],
      dryRun: ['none', 'All'],
    },
    never: [],
    ends: [],
    deeply: [['fields', 'form', 'dryRun']],
  },
  new Dice('manners'),
).map(({ fields, accept = '', manager, form, dryRun }) => ({
  words: Object.entries({ fields, accept, manager, form, dryRun })
    .filter(([, value]) => !['none', 'plain', 'json'].includes(value ?? ''))
    .map(([name, value]) => `${name} ${value}`)
    .join(', '),
  query: {
    ...(fields === 'none' ? {} : { fieldValidation: fields ?? '' }),
    ...(manager === 'other' ? { fieldManager: 'touchstone-other' } : {}),
    ...(dryRun === 'All' ? { dryRun: 'All' } : {}),
  },
  headers: {
    ...(ACCEPT[accept] === undefined ? {} : { accept: ACCEPT[accept] }),
    ...(manager === 'agent' ? { 'user-agent': 'tool/1.2 (x)' } : {}),
  },
  form: form === 'yaml' ? 'yaml' : 'json',
}));

/** The manner in which something is asked for, the same for the same words: others have others. */
export const mannerOf = (words: string): Manner => new Dice(words).of(MANNERS);
