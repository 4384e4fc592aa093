import type { Crossing, Row, Together } from '../../covering/covering.ts';

/** A type whose versions are crossed with all that is asked of them. */
export interface CrossedVersionsOf {
  readonly name: string;
  /** How many versions of it there are, two at least. */
  readonly versions: number;
  /** Whether it has a number that may be changed, a status that may be written, and a scale. */
  readonly counts: boolean;
  readonly reports: boolean;
  readonly scales: boolean;
  /** Whether it has Protobuf and strategic merge patches. */
  readonly builtIn: boolean;
}

const PATCHES = ['json', 'merge', 'strategic', 'apply'];
const STATUS = ['status-update', 'status-json', 'status-merge', 'status-apply'];
const SCALE = ['scale-update', 'scale-merge'];
const REMOVALS = ['delete', 'deletecollection'];
/** Ways to see an object in a version; each is a clause of GROUP-ALIKE-02 or stands near one. */
export const CROSSED_READS = [
  ...['list', 'everywhere', 'chunks', 'labels', 'fields', 'yaml', 'list-yaml', 'table'],
  ...['partial', 'everywhere-table', 'everywhere-yaml', 'everywhere-partial', 'protobuf'],
] as const;

/** The combinations of what is written in one version of a type and done and seen in others: tables, as of all crossings. */
export function versionsCrossed(types: readonly CrossedVersionsOf[]): Crossing {
  const without = (holds: (type: CrossedVersionsOf) => boolean): readonly string[] =>
    types.filter((type) => !holds(type)).map(({ name }) => name);
  const unfit = (part: Readonly<Record<string, readonly string[]>>, holds: (type: CrossedVersionsOf) => boolean) => {
    const names = without(holds);
    return names.length === 0 ? [] : [{ ...part, type: names }];
  };
  const some = (holds: (type: CrossedVersionsOf) => boolean, values: readonly string[]) =>
    types.some(holds) ? values : [];
  const never: readonly Together[] = [
    ...unfit({ acted: ['between'] }, ({ versions }) => versions > 2),
    ...unfit({ act: STATUS }, ({ reports }) => reports),
    ...unfit({ act: SCALE }, ({ scales }) => scales),
    ...unfit({ change: ['count'], act: ['update', ...PATCHES] }, ({ counts }) => counts),
    ...unfit({ act: ['strategic'] }, ({ builtIn }) => builtIn),
    ...unfit({ form: ['protobuf'] }, ({ builtIn }) => builtIn),
    ...unfit({ accept: ['protobuf'] }, ({ builtIn }) => builtIn),
    // A PUT takes its version from what it replaces.
    { act: ['update', 'status-update'], version: ['none'] },
    // Patches have one form, and what is sent in Protobuf is what was read so.
    { act: [...PATCHES, ...STATUS.slice(1), 'scale-merge'], form: ['yaml', 'protobuf'] },
    { act: [...SCALE, ...STATUS], form: ['yaml', 'protobuf'] },
    { form: ['protobuf'], change: ['label', 'note', 'removal', 'hold', 'count'] },
    { form: ['protobuf'], stranger: ['Strict', 'Warn', 'Ignore'] },
    { form: ['protobuf'], version: ['none'] },
    // Through a subresource goes what is its own.
    { act: [...STATUS, ...SCALE], change: ['label', 'note', 'removal', 'hold', 'nothing'] },
    { act: [...STATUS, ...SCALE], stranger: ['Strict', 'Warn', 'Ignore'] },
    { act: SCALE, version: ['current', 'stale'] },
    { act: SCALE, accept: ['protobuf'] },
    { act: REMOVALS, change: ['label', 'note', 'removal', 'hold', 'count'] },
    { act: REMOVALS, stranger: ['Strict', 'Warn', 'Ignore'] },
    { act: REMOVALS, accept: ['yaml', 'protobuf'] },
    { act: REMOVALS, form: ['protobuf'] },
    { act: ['deletecollection'], version: ['current', 'stale'] },
    // An apply takes away nothing of what others gave, and what becomes of its unknown fields is open unless refused.
    { act: ['apply'], change: ['removal'] },
    { act: ['apply'], stranger: ['Warn', 'Ignore'] },
    { change: ['nothing'], stranger: ['Strict', 'Warn', 'Ignore'] },
  ];
  return {
    dimensions: {
      type: types.map(({ name }) => name),
      written: ['older', 'newer'],
      acted: ['older', 'newer', ...some(({ versions }) => versions > 2, ['between'])],
      act: [
        ...['update', 'json', 'merge'],
        ...some(({ builtIn }) => builtIn, ['strategic']),
        'apply',
        ...some(({ reports }) => reports, STATUS),
        ...some(({ scales }) => scales, SCALE),
        ...REMOVALS,
      ],
      made: ['post', 'yaml', 'apply'],
      dryRun: ['none', 'All'],
      form: ['json', 'yaml', ...some(({ builtIn }) => builtIn, ['protobuf'])],
      accept: ['plain', 'yaml', ...some(({ builtIn }) => builtIn, ['protobuf'])],
      version: ['none', 'current', 'stale'],
      change: ['label', 'note', 'removal', 'hold', 'count', 'nothing'],
      state: ['free', 'held'],
      stranger: ['none', 'Strict', 'Warn', 'Ignore'],
    },
    never,
    ends: [
      {
        at: { version: ['stale'] },
        with: [['type'], ['act', 'acted'], ['act', 'dryRun'], ['written', 'dryRun'], ['form']],
      },
      { at: { stranger: ['Strict'] }, with: [['type'], ['act', 'acted'], ['act', 'dryRun'], ['form']] },
    ],
    deeply: [
      ['type', 'written', 'acted'],
      ['written', 'acted', 'act'],
      ['acted', 'act', 'dryRun'],
      ['written', 'act', 'dryRun'],
    ],
  };
}

/** Rows with a way of reading for each: what is written in either version is read in every way. */
export function withReads(rows: readonly Row[], builtIn: (type: string) => boolean): readonly Row[] {
  const taken = new Map<string, number>();
  return rows.map((row) => {
    const reads = CROSSED_READS.filter((read) => read !== 'protobuf' || builtIn(row.type ?? ''));
    const key = `${row.written} ${reads.length}`;
    const place = taken.get(key) ?? 0;
    taken.set(key, place + 1);
    return { ...row, read: reads[place % reads.length] as string };
  });
}

/** Whether a row is refused: it is of an older state, or strict about what it says too much. */
export const isRefused = ({ version, stranger }: Row): boolean => version === 'stale' || stranger === 'Strict';
