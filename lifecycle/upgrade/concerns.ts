import { isDeepStrictEqual } from 'node:util';
import type { GroupVersion, OlderDefault, Value, VersionDifference } from '../../fixtures/releases/removedVersion.ts';
import { isRecord } from './manifests.ts';

/** A place in an object that a path leads to. */
interface Place {
  /** As a JSON pointer. */
  readonly pointer: string;
  /** As people write it: `webhooks[0].failurePolicy`. */
  readonly path: string;
  /** What is there; `undefined` where nothing is. */
  readonly value: unknown;
}

/**
 * The places that a path leads to.
 * In: an object and a path, in which `[]` stands for each item: `spec.rules[].host`. Out: one place for each item of
 * the lists on the way, also where nothing is there; none where a list on the way is not there or is empty.
 */
function placesOf(object: unknown, path: string): Place[] {
  let places: Place[] = [{ pointer: '', path: '', value: object }];
  for (const part of path.split('.')) {
    const name = part.replace(/\[\]$/, '');
    places = places.map((place) => member(place, name));
    if (part.endsWith('[]')) places = places.flatMap(items);
  }
  return places;
}

function member({ pointer, path, value }: Place, name: string): Place {
  const there = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { pointer: `${pointer}/${name}`, path: path === '' ? name : `${path}.${name}`, value: there ?? undefined };
}

function items({ pointer, path, value }: Place): Place[] {
  if (!Array.isArray(value)) return [];
  return value.map((item, index) => ({ pointer: `${pointer}/${index}`, path: `${path}[${index}]`, value: item }));
}

/** Something in a manifest that a change of version concerns. */
export interface Concern {
  /** Where, as a JSON pointer; empty for the object as a whole. */
  readonly pointer: string;
  /** What to know or do, as a clause that begins with the place. */
  readonly text: string;
}

type Of<Name extends VersionDifference['change']> = Extract<VersionDifference, { readonly change: Name }>;
type Looks = {
  readonly [Name in VersionDifference['change']]: (object: unknown, change: Of<Name>, context: Context) => Concern[];
};
interface Context {
  readonly from: GroupVersion;
  /** All changes of the step, among which a field may have got another name. */
  readonly changes: readonly VersionDifference[];
}

/**
 * What the changes between a version and its replacement mean for one object: only what it has, and what it leaves to
 * a default that is another or that is missing where it must be given.
 */
export function concernsOf(object: unknown, changes: readonly VersionDifference[], from: GroupVersion): Concern[] {
  return changes.flatMap((change) => {
    const look = LOOKS[change.change] as (object: unknown, change: VersionDifference, context: Context) => Concern[];
    return look(object, change, { from, changes });
  });
}

const LOOKS: Looks = {
  default: (object, { field, to, from }, context) =>
    absent(object, field, context).flatMap((place) => {
      const old = from && olderDefault(from, context.from);
      if (from && old === undefined) return [];
      const was = old === undefined ? '' : `, and was ${shown(old.value)}`;
      return [concern(place, `is not given: its default is ${shown(to)}${was}`)];
    }),
  'zero-kept': (object, { field }, context) =>
    present(object, field, context)
      .filter(({ value }) => value === 0)
      .map((place) => concern(place, 'is 0, which is kept and no longer taken for unset')),
  renamed: (object, { from, to, where }) =>
    given(object, from)
      .filter(({ value }) => where === undefined || typeof value === where)
      .map((place) => concern(place, `is called ${to}`)),
  removed: (object, { field, instead }) =>
    given(object, field).map((place) => concern(place, instead ? `is gone: use ${instead}` : 'is gone')),
  'read-only': (object, { field, insteadOf }) =>
    given(object, field).map((place) => concern(place, `shows what was ${insteadOf}, and a writer may not give it`)),
  required: (object, { field, on }, context) =>
    absent(object, field, context).map((place) =>
      concern(place, `has to be given${on === 'create' ? ' when it is created' : ''}`),
    ),
  immutable: (object, { field }, context) =>
    present(object, field, context).map((place) => concern(place, 'cannot be changed once the object exists')),
  unique: (object, { field, by }, context) =>
    repeated(present(object, field, context), by).map((place) =>
      concern(place, by ? `has the ${by} of another item, and each may stand only once` : 'stands twice'),
    ),
  values: (object, { field, only }, context) =>
    present(object, field, context)
      .filter(({ value }) => only === 'known' || !only.includes(String(value)))
      .map((place) =>
        only === 'known'
          ? concern(place, `is ${shown(place.value)}: only known values are taken`)
          : concern(place, `is ${shown(place.value)}, and may be ${only.join(', ')} only`),
      ),
  forbidden: (object, { field, value }) =>
    given(object, field)
      .filter((place) => place.value === value || String(place.value).endsWith(`/${value}`))
      .map((place) => concern(place, `is ${shown(place.value)}, with which nothing can be created`)),
  format: (object, { field, is }, context) =>
    present(object, field, context).map((place) => concern(place, FORMATS[is])),
  meaning: (object, { field, when, from, to }, context) =>
    present(object, field, context)
      .filter(({ value }) => isEmptyMap(when) && isRecord(value) && Object.keys(value).length === 0)
      .map((place) => concern(place, `is empty: that ${to}, and ${from.replace(/^selects/, 'selected')} before`)),
  component: (_, { removed }) => [{ pointer: '', text: `${removed} goes with it` }],
};

const FORMATS: Readonly<Record<Of<'format'>['is'], string>> = {
  'structural-schema': 'has to be a structural schema',
  'certificate-pem': 'has to be PEM with CERTIFICATE blocks only',
};

function concern({ pointer, path }: Place, text: string): Concern {
  return { pointer, text: `${path} ${text}` };
}

function given(object: unknown, field: string): Place[] {
  return placesOf(object, field).filter(({ value }) => value !== undefined);
}

/** The places of a field by the name that it has in the old version, where the step renames it or moves it. */
function oldPlaces(object: unknown, field: string, { changes }: Context): Place[] {
  const names = changes.flatMap((change) => {
    if (change.change === 'renamed' && change.to === field) return [change.from];
    return change.change === 'removed' && change.instead === field ? [change.field] : [];
  });
  return names.flatMap((name) => placesOf(object, name));
}

function present(object: unknown, field: string, context: Context): Place[] {
  return [...placesOf(object, field), ...oldPlaces(object, field, context)].filter(({ value }) => value !== undefined);
}

function absent(object: unknown, field: string, context: Context): Place[] {
  if (oldPlaces(object, field, context).some(({ value }) => value !== undefined)) return [];
  return placesOf(object, field).filter((place) => place.value === undefined && isMeant(object, place));
}

/** Parameters of a rolling update matter only where that is the type of the strategy. */
function isMeant(object: unknown, { path }: Place): boolean {
  const strategy = /^(.*)\.rollingUpdate\.\w+$/.exec(path)?.[1];
  const [type] = strategy === undefined ? [] : placesOf(object, `${strategy}.type`);
  return type?.value === undefined || type.value === 'RollingUpdate';
}

function repeated(places: readonly Place[], by: string | undefined): Place[] {
  const keys = places.map(({ value }) => (by === undefined ? value : isRecord(value) ? value[by] : undefined));
  return places.filter((_, place) => {
    const key = keys[place];
    return key !== undefined && keys.findIndex((each) => isDeepStrictEqual(each, key)) < place;
  });
}

/** What the default was in this very version; `undefined` where the table tells it of others only. */
function olderDefault(defaults: readonly OlderDefault[], { group, version }: GroupVersion): OlderDefault | undefined {
  return defaults.find(
    (each) => !each.in || each.in.some((one) => one.version === version && isDeepStrictEqual(one.group, group)),
  );
}

function isEmptyMap(value: Value): boolean {
  return typeof value === 'object' && value.empty;
}

function shown(value: unknown): string {
  if (value === 'unset') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
