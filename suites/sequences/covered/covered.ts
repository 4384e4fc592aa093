import { endsEarly, type Row } from '../../covering/covering.ts';
import { defining } from '../areas/objects.ts';
import type { Sequence, Step } from '../step.ts';
import type { SequenceType } from '../types.ts';
import { sharingParts } from './applying.ts';
import { isLegal } from './contents.ts';
import type { Asking } from './crossings/crossings.ts';
import { misplacing } from './misplaced.ts';
import { refusing } from './refusing.ts';
import { removing } from './removing.ts';
import { type Asked, granting } from './rights.ts';
import { crossingOf, type Drawing, type Facet, rowsAbout } from './rows.ts';
import { scopeOf } from './setting.ts';
import { listed, reading, watched } from './shown.ts';
import { isOld, preparing, sharing } from './states.ts';
import { writing } from './writing.ts';

/** Rows of writes that share two namespaces, and their definitions and rights; and rows of applies, of more requests each. */
const TOGETHER = 80;
const APPLIES_TOGETHER = 30;

/** Sequences in which a type meets its part of every combination that the crossings ask of all types. */
export function covered(type: SequenceType, facet: Facet, drawing: Drawing): readonly Sequence[] {
  const of = (asking: Asking) => rowsAbout(type, asking, drawing);
  const area = `covered/${type.plural}`;
  const some = (askings: readonly Asking[], steps: (...rows: (readonly Row[])[]) => readonly Step[]): Sequence[] => {
    const rows = askings.map(of);
    return rows.every(({ length }) => length === 0) ? [] : [{ area, steps: steps(...rows) }];
  };
  if (facet === 'shown') {
    return [
      ...some(['reads', 'watches'], (reads = [], watches = []) => watched(type, reads, watches)),
      ...some(['lists', 'sweeps'], (lists = [], sweeps = []) => listed(type, lists, sweeps)),
      ...some(['larges'], (rows = []) => reading(type, rows)),
      ...some(['misplaced'], (rows = []) => misplacing(type, rows)),
      ...some(['refusals'], (rows = []) => refusing(type, rows)),
    ];
  }
  const leavesAll = (asking: Asking) => (row: Row) =>
    /^(All|query|body|both)$/.test(row.dryRun ?? '') || endsEarly(row, crossingOf(asking, drawing));
  const changes = [
    ...of('writes').map((row) => ({ row, asked: writing(type, row), leaves: leavesAll('writes')(row) })),
    ...of('contents')
      .map(plainly)
      .map((row) => {
        return { row, asked: writing(type, row), leaves: row.dryRun === 'All' || !isLegal(row.content ?? '') };
      }),
    ...of('removals').map((row) => ({ row, asked: removing(type, row), leaves: leavesAll('removals')(row) })),
  ];
  return [
    ...partsOf(changes, TOGETHER).map((rows, at) => ({
      area,
      steps: changing(type, rows, at % 2 === 0 ? 'one' : 'all'),
    })),
    ...partsOf(of('applies'), APPLIES_TOGETHER).map((rows) => ({ area, steps: sharingParts(type, rows) })),
  ];
}

/** Some in parts of about the same size. */
function partsOf<T>(all: readonly T[], most: number): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / most);
  return Array.from({ length: count }, (_, part) => all.filter((_each, at) => at % count === part));
}

/** A row of contents in which nothing else is unusual. */
const plainly = (row: Row): Row => ({
  ...row,
  sub: 'none',
  accept: 'plain',
  stranger: 'none',
  manager: 'named',
  who: 'admin',
  force: row.verb === 'apply' ? 'yes' : 'no',
  version: row.verb === 'update' ? 'current' : 'none',
});

/** A row that writes or removes. */
interface Change {
  readonly row: Row;
  readonly asked: Asked;
  /** Whether it leaves everything as it is, so that others may be about the same object. */
  readonly leaves: boolean;
}

/** What rows find: an object of their own, or one for all that leave it as it is; all of it watched, and listed at the end. */
function changing(type: SequenceType, changes: readonly Change[], scope: string): readonly Step[] {
  const shared = new Map<string, Row>();
  const asked = changes.map(({ row, asked, leaves }, at) => {
    if (!leaves || asked.before !== undefined) {
      const [name, keep] = [`{id}-${at}`, `k${at}`];
      return [...preparing(type, name, keep, row), ...asked.steps(name, keep)];
    }
    const { state = '' } = row;
    shared.set(state, row);
    return asked.steps(`{id}-${state}`, isOld(row) ? `old-${state}` : `k-${state}`);
  });
  const owned: Step = { as: 'admin', method: 'GET', path: `${scopeOf(type, { scope })}?labelSelector=seq%3D{id}` };
  return [
    ...defining(type),
    ...granting(
      type,
      changes.map(({ asked }) => asked.right),
    ),
    { ...owned, path: `${owned.path}&watch=true`, open: true },
    ...[...shared.keys()].flatMap((state) => sharing(type, state)),
    ...asked.flat(),
    owned,
  ];
}
