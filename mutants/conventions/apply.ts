import { clausesOf, UPDATES } from '../../fixtures/ledger/index.ts';
import { isObject, type Json, type JsonObject } from '../../reference/api/json.ts';
import { asJson, type ManagedFieldsEntry } from '../../reference/api/object.ts';
import { ApiError, badRequest, notFound } from '../../reference/api/status.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { everyField } from '../../reference/fields/compare.ts';
import { statedFields } from '../../reference/fields/configFields.ts';
import { OwnershipConflict } from '../../reference/fields/conflicts.ts';
import {
  difference,
  type FieldSet,
  intersection,
  isEmpty,
  NO_FIELDS,
  node,
  union,
} from '../../reference/fields/fieldSet.ts';
import { decodeEntries, type Owner } from '../../reference/fields/managers.ts';
import { NEVER_OWNED } from '../../reference/fields/neverOwned.ts';
import { bare } from '../../reference/fields/ownership.ts';
import type { Seams } from '../../reference/seams.ts';
import { isApply, onApplies, onVerbs, withBody, withQuery } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { storedOf } from '../oneType.ts';
import { type ApplyAsked, forcing, onApply, onUpdate, ownerIn, reowned, withOwners, without } from '../onOwnership.ts';
import { anyWrite, passing, withMembers } from '../writes.ts';

/** Lets the applier have forgotten some of what it applied last. */
function forgetting(remembered: (fields: FieldSet) => FieldSet) {
  return onApply((asked, serve) =>
    serve({
      ...asked,
      live: reowned(asked.live, (owners) => {
        const mine = ownerIn(owners, asked);
        return [...owners.values()].map((each) =>
          each === mine ? { ...each, fields: remembered(each.fields) } : each,
        );
      }),
    }),
  );
}

/** A set without items of lists that stand within items of lists. */
function withoutNested(set: FieldSet, within = false): FieldSet {
  if (!set.below) return set;
  const left = [...set.below].flatMap(([step, below]) => {
    const isItem = !step.startsWith('f:');
    return isItem && within ? [] : [[step, withoutNested(below, within || isItem)] as const];
  });
  return node(set.owned, new Map(left.filter(([, below]) => !isEmpty(below))));
}

/** The paths of the fields in a conflict, such as `.spec.word`. */
const conflictsOf = ({ details }: OwnershipConflict): string[] =>
  (details?.causes ?? []).map(({ field }) => String(field));

/** Whether the field at a path has no more than a zero: an empty text, list or map, 0 or false. */
function isZero(object: object, path: string): boolean {
  const value = path
    .split('.')
    .slice(1)
    .reduce<unknown>((within, name) => (isObject(within) ? within[name] : undefined), object);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function statedIn({ config, applier, context }: ApplyAsked): FieldSet {
  const schema = context.schemaOf(applier.apiVersion);
  return schema ? difference(statedFields(schema, config), NEVER_OWNED) : NO_FIELDS;
}

function allIn({ applier, context }: ApplyAsked, object: NonNullable<ApplyAsked['live']>): FieldSet {
  const schema = context.schemaOf(applier.apiVersion);
  if (!schema) return NO_FIELDS;
  const all = everyField(schema, asJson(bare(object)));
  return node(false, difference(all, NEVER_OWNED).below);
}

/** The configuration with the live values of its fields. */
function preferring(live: Json | undefined, config: Json): Json {
  if (live === undefined) return config;
  if (!isObject(config) || !isObject(live)) return live;
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, preferring(live[name], value)]));
}

/** Serves another body than the one that is applied. */
const mending = (mend: (body: JsonObject, call: Call) => void) =>
  onApplies((call, serve) => serve(withBody(call, (body) => mend(body, call))));

function metadataOf(body: JsonObject): JsonObject {
  return (body.metadata ?? {}) as JsonObject;
}

const BLANK: ManagedFieldsEntry[] = [{}];

const isClearing = (entries: readonly ManagedFieldsEntry[] | undefined) =>
  entries?.length === 1 && Object.keys(entries[0] as object).length === 0;

function recorded<Kept extends { metadata: { managedFields?: ManagedFieldsEntry[] | undefined } }>(
  object: Kept,
  when: (entries: readonly ManagedFieldsEntry[] | undefined) => boolean,
  entries: ManagedFieldsEntry[] | undefined,
): Kept {
  const { managedFields, ...metadata } = object.metadata;
  if (!when(managedFields)) return object;
  return { ...object, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

/** Takes a field that its applier gives up from some of those who own it as well. */
const givingUpTakesFrom = (loses: (owner: Owner, applier: Owner | undefined) => boolean): Seams =>
  onApply((asked, serve) =>
    serve({
      ...asked,
      live: reowned(asked.live, (owners) => {
        const mine = ownerIn(owners, asked);
        const dropped = difference(mine?.fields ?? NO_FIELDS, statedIn(asked));
        return [...owners.values()].map((each) =>
          loses(each, mine) ? { ...each, fields: difference(each.fields, dropped) } : each,
        );
      }),
    }),
  );

/** Takes the live value of a field that others of these own for another value. */
const conflictingByLiveValues = (counts: (owner: Owner) => boolean): Seams =>
  onApply((asked, serve) => {
    const made = serve({ ...asked, applier: { ...asked.applier, force: true } });
    if (asked.applier.force) return made;
    let others: FieldSet = NO_FIELDS;
    reowned(asked.live, (owners) => {
      const mine = ownerIn(owners, asked);
      for (const owner of owners.values()) if (owner !== mine && counts(owner)) others = union(others, owner.fields);
      return owners.values();
    });
    const owner = {
      ...asked.applier,
      operation: 'Apply',
      subresource: '',
      time: undefined,
      fields: NO_FIELDS,
    } as const;
    const fields = intersection(statedIn(asked), others);
    if (!isEmpty(fields)) throw new OwnershipConflict([{ owner, fields }], made.trace);
    return serve(asked);
  });

function comingBack(): Seams {
  return {
    ownership: ({ apply, update }) => {
      const lost = new Map<string, ManagedFieldsEntry[]>();
      return {
        *update(live, next, ...rest) {
          const made = yield* update(live, next, ...rest);
          const { uid = '', managedFields } = live?.metadata ?? {};
          if (managedFields && !made.metadata.managedFields) lost.set(uid, managedFields);
          return made;
        },
        apply: (live, ...rest) => {
          const managedFields = live?.metadata.managedFields ?? lost.get(live?.metadata.uid ?? '');
          return apply(live && { ...live, metadata: { ...live.metadata, managedFields } }, ...rest);
        },
      };
    },
  };
}

/** Server-side apply: what it takes, what its merge keeps, changes and removes, whom it asks and what it records. */
export const APPLY: readonly Mutant[] = [
  anyWrite(
    'stale-version-overlooked-apply',
    'APPLY-BODY-04',
    ['apply'],
    () => 'A version that has passed is overlooked in an apply.',
    (call, serve) => serve(withMembers(call, ['metadata'], (metadata) => delete metadata.resourceVersion)),
  ),
  anyWrite(
    'name-of-manager-overlooked',
    'APPLY-MANAGER-03',
    UPDATES,
    (write) => `fieldManager is overlooked in ${write}.`,
    (call, serve) => serve(withQuery(call, (query) => query.delete('fieldManager'))),
  ),
  anyWrite(
    'user-agent-names-nobody',
    'APPLY-MANAGER-04',
    UPDATES,
    (write) => `${write} without fieldManager is recorded under one name for all.`,
    (call, serve) =>
      serve(
        withQuery(call, (query) => {
          if (!query.has('fieldManager')) query.set('fieldManager', 'unknown');
        }),
      ),
  ),
  {
    id: 'applies-without-name-pass',
    breaks: clausesOf('APPLY-MANAGER-01'),
    sentence: 'An apply without fieldManager takes its name from the User-Agent.',
    defect: () =>
      onApplies((call, serve) =>
        serve(
          withQuery(call, (query) => {
            if (!query.has('fieldManager')) query.set('fieldManager', 'unknown');
          }),
        ),
      ),
  },
  {
    id: 'applies-share-one-name',
    breaks: clausesOf('APPLY-MANAGER-02'),
    sentence: 'Applies are recorded under one name for all.',
    defect: () => onApplies((call, serve) => serve(withQuery(call, (query) => query.set('fieldManager', 'all')))),
  },
  {
    id: 'applies-create-nothing',
    breaks: clausesOf('APPLY-CREATE-01'),
    sentence: 'An apply on a missing object is answered 404, and creates nothing.',
    defect: () =>
      onApplies(async (call, serve) => {
        if (await storedOf(call)) return serve(call);
        throw notFound(call.endpoint.type, call.exchange.info.name);
      }),
  },
  {
    id: 'applier-owns-defaults',
    breaks: ['APPLY-CREATE-02'],
    sentence: 'Who creates by an apply owns the defaults too.',
    defect: () =>
      onApply((asked, serve) => {
        const made = serve(asked);
        if (asked.live) return made;
        return withOwners(made, (owners) =>
          [...owners.values()].map((owner) => ({ ...owner, fields: allIn(asked, made.object) })),
        );
      }),
  },
  {
    id: 'apply-replaces',
    breaks: ['APPLY-MERGE-01'],
    sentence: 'An apply leaves only what it states.',
    defect: () =>
      onApply((asked, serve) => {
        const { live } = asked;
        const made = serve({ ...asked, live: undefined });
        if (!live) return made;
        return { ...made, object: { ...made.object, metadata: { ...live.metadata, ...made.object.metadata } } };
      }),
  },
  {
    id: 'apply-prefers-what-is-there',
    breaks: ['APPLY-MERGE-02'],
    sentence: 'Where object and apply both have a value, that of the object stays.',
    defect: () =>
      onApply((asked, serve) =>
        serve(asked.live ? { ...asked, config: preferring(asJson(asked.live), asked.config) as JsonObject } : asked),
      ),
  },
  {
    id: 'apply-is-never-idle',
    breaks: ['APPLY-MERGE-03'],
    sentence: 'Every apply counts itself in an annotation, so that repeating it changes the object.',
    defect: () =>
      onApply((asked, serve) => {
        const made = serve(asked);
        const { annotations = {}, ...metadata } = made.object.metadata;
        const applies = String(Number(annotations.applies ?? 0) + 1);
        return {
          ...made,
          changed: true,
          object: { ...made.object, metadata: { ...metadata, annotations: { ...annotations, applies } } },
        };
      }),
  },
  {
    id: 'only-applied-fields-conflict',
    breaks: ['APPLY-CONFLICT-03', ...clausesOf('APPLY-CONFLICT-03')],
    sentence: 'An apply takes fields that were written otherwise without a conflict.',
    defect: () =>
      forcing((conflict) => conflict.details?.causes?.every(({ message }) => message?.includes(' using ')) ?? false),
  },
  {
    id: 'zero-values-meet-no-conflict',
    breaks: [...clausesOf('APPLY-CONFLICT-01', 'zero'), ...clausesOf('APPLY-CONFLICT-03', 'zero')],
    sentence: 'An apply that gives fields of others a value that is zero or empty is forced.',
    defect: () => forcing((conflict, { config }) => conflictsOf(conflict).every((field) => isZero(config, field))),
  },
  {
    id: 'live-zero-values-conflict-with-nothing',
    breaks: [...clausesOf('APPLY-CONFLICT-01', 'over-zero'), ...clausesOf('APPLY-CONFLICT-03', 'over-zero')],
    sentence: 'An apply over fields of others whose value is zero or empty is forced.',
    defect: () =>
      forcing(
        (conflict, { live }) => live !== undefined && conflictsOf(conflict).every((field) => isZero(live, field)),
      ),
  },
  {
    id: 'sharers-change-what-they-share',
    breaks: ['APPLY-SHARE-01'],
    sentence: 'Who applied an object before never conflicts.',
    defect: () =>
      forcing(
        (_, { live, applier }) =>
          live?.metadata.managedFields?.some(({ manager }) => manager === applier.manager) ?? false,
      ),
  },
  {
    id: 'live-values-conflict',
    breaks: ['APPLY-RESOLVE-02', ...clausesOf('APPLY-RESOLVE-02')],
    sentence: 'An apply of a field that another manager owns conflicts, even with the live value.',
    defect: () => conflictingByLiveValues(() => true),
  },
  {
    id: 'live-values-that-were-not-applied-conflict',
    breaks: clausesOf('APPLY-RESOLVE-02', UPDATES),
    sentence: 'An apply of a field that another manager wrote otherwise conflicts, even with the live value.',
    defect: () => conflictingByLiveValues(({ operation }) => operation === 'Update'),
  },
  {
    id: 'applier-owns-everything',
    breaks: ['APPLY-RESOLVE-01'],
    sentence: 'An applier owns every field of the object, those that it left out too.',
    defect: () =>
      onApply((asked, serve) => {
        const made = serve(asked);
        return withOwners(made, (owners) => {
          const mine = ownerIn(owners, asked);
          return [...owners.values()].map((each) =>
            each === mine ? { ...each, fields: allIn(asked, made.object) } : each,
          );
        });
      }),
  },
  {
    id: 'force-shares',
    breaks: ['APPLY-FORCE-01', ...clausesOf('APPLY-FORCE-01')],
    sentence: 'A forced apply leaves its fields to those who owned them, beside the applier.',
    defect: () =>
      onApply((asked, serve) => {
        const made = serve(asked);
        if (!asked.applier.force || !asked.live) return made;
        const before = new Map<string, FieldSet>();
        reowned(asked.live, (owners) => {
          for (const [key, { fields }] of owners) before.set(key, fields);
          return owners.values();
        });
        return withOwners(made, (owners) =>
          [...owners].map(([key, owner]) => ({ ...owner, fields: union(owner.fields, before.get(key) ?? NO_FIELDS) })),
        );
      }),
  },
  {
    id: 'giving-up-takes-from-all',
    breaks: ['APPLY-SHARE-02', ...clausesOf('APPLY-SHARE-02')],
    sentence: 'A field that one of its managers no longer applies is removed, whoever else owns it.',
    defect: () => givingUpTakesFrom((owner, mine) => owner !== mine),
  },
  {
    id: 'giving-up-takes-from-updaters',
    breaks: ['APPLY-SHARE-02', 'APPLY-REMOVE-03'],
    sentence: 'A field that its only applier no longer applies is removed, though somebody wrote it otherwise.',
    defect: () => givingUpTakesFrom(({ operation }) => operation !== 'Apply'),
  },
  {
    id: 'nothing-is-given-up',
    breaks: ['APPLY-SHARE-03'],
    sentence: 'A manager goes on owning what it no longer applies.',
    defect: () =>
      onApply((asked, serve) => {
        let last: FieldSet = NO_FIELDS;
        reowned(asked.live, (owners) => {
          last = ownerIn(owners, asked)?.fields ?? NO_FIELDS;
          return owners.values();
        });
        return withOwners(serve(asked), (owners) => {
          const mine = ownerIn(owners, asked);
          return [...owners.values()].map((each) =>
            each === mine ? { ...each, fields: union(each.fields, last) } : each,
          );
        });
      }),
  },
  {
    id: 'apply-never-removes',
    breaks: clausesOf('APPLY-REMOVE-01'),
    sentence: 'A field that nobody applies any more stays.',
    defect: () => forgetting(() => NO_FIELDS),
  },
  {
    id: 'slashed-keys-are-never-removed',
    breaks: clausesOf('APPLY-REMOVE-01'),
    sentence:
      'A label, an annotation or another entry of a map whose key has a slash stays when nobody applies it any more.',
    defect: () => forgetting((fields) => without(fields, (step) => step.startsWith('f:') && step.includes('/'))),
  },
  {
    id: 'items-are-never-removed',
    breaks: ['APPLY-REMOVE-03'],
    sentence: 'An item of a list that nobody applies any more stays.',
    defect: () => forgetting((fields) => without(fields, (step) => !step.startsWith('f:'))),
  },
  {
    id: 'items-within-items-are-never-removed',
    breaks: clausesOf('APPLY-REMOVE-03', 'nested'),
    sentence: 'An item of a list within an item of a list stays when nobody applies it any more.',
    defect: () => forgetting((fields) => withoutNested(fields)),
  },
  {
    id: 'defaults-do-not-come-back',
    breaks: ['APPLY-REMOVE-02'],
    sentence: 'timeoutSeconds of a webhook that nobody applies any more stays as it is.',
    defect: () => forgetting((fields) => without(fields, (step) => step === 'f:timeoutSeconds')),
  },
  {
    id: 'two-appliers-are-remembered',
    breaks: ['APPLY-SEQUENCE-01'],
    sentence: 'The third applier of an object takes the place of the first in its records.',
    defect: () =>
      onApply((asked, serve) =>
        withOwners(serve(asked), (owners) => {
          const others = [...owners.values()].filter(
            ({ operation, manager }) => operation === 'Apply' && manager !== asked.applier.manager,
          );
          return [...owners.values()].filter((each) => others.length < 2 || each !== others[0]);
        }),
      ),
  },
  {
    id: 'apply-removes-what-was-written',
    breaks: ['APPLY-REMOVE-04'],
    sentence: 'An applier removes what it wrote otherwise as well.',
    defect: () =>
      onApply((asked, serve) =>
        serve({
          ...asked,
          live: reowned(asked.live, (owners) =>
            [...owners.values()].map((each) =>
              each.manager === asked.applier.manager ? { ...each, operation: 'Apply' as const } : each,
            ),
          ),
        }),
      ),
  },
  {
    id: 'apply-always-forces',
    breaks: ['APPLY-CONFLICT-01', ...clausesOf('APPLY-CONFLICT-01')],
    sentence: 'An apply takes fields from other managers without a conflict.',
    defect: () => onApplies((call, serve) => serve(withQuery(call, (query) => query.set('force', 'true')))),
  },
  {
    id: 'apply-never-forces',
    breaks: ['APPLY-FORCE-03'],
    sentence: 'An apply with force conflicts as one without.',
    defect: () => onApplies((call, serve) => serve(withQuery(call, (query) => query.delete('force')))),
  },
  {
    id: 'force-is-force-whatever-it-says',
    breaks: clausesOf('APPLY-FORCE-04'),
    sentence: 'An apply with force=false is forced.',
    defect: () =>
      onApplies((call, serve) => serve(withQuery(call, (query) => query.has('force') && query.set('force', 'true')))),
  },
  {
    id: 'apply-never-creates',
    breaks: ['APPLY-CREATE-01'],
    sentence: 'An apply on a missing object is answered 404.',
    defect: () =>
      onApplies(async (call, serve) => {
        const answer = await serve(withQuery(call, (query) => query.set('dryRun', 'All')));
        if ('code' in answer && answer.code === 201) throw new ApiError(404, 'NotFound', 'not found');
        return serve(call);
      }),
  },
  {
    id: 'apply-reads-json-only',
    breaks: ['APPLY-BODY-01'],
    sentence: 'An apply in YAML is refused.',
    defect: () =>
      onApplies(async (call, serve) => {
        const bytes = await call.exchange.request.body();
        if (bytes[0] !== '{'.charCodeAt(0)) throw badRequest('not JSON');
        return serve(call);
      }),
  },
  {
    id: 'apply-overlooks-what-is-named',
    breaks: ['APPLY-BODY-02'],
    sentence: 'The path decides what an apply is for, whatever name the body has.',
    defect: () =>
      mending((body, call) => {
        metadataOf(body).name = call.exchange.info.name;
      }),
  },
  {
    id: 'apply-overlooks-managed-fields',
    breaks: clausesOf('APPLY-BODY-03').filter((clause) => !clause.includes('/cbor/')),
    sentence: 'managedFields in the body of an apply are dropped.',
    defect: () =>
      mending((body) => {
        delete metadataOf(body).managedFields;
      }),
  },
  {
    id: 'cbor-apply-overlooks-managed-fields',
    breaks: clausesOf('APPLY-BODY-03', 'cbor'),
    sentence: 'managedFields in the body of an apply in CBOR are overlooked.',
    defect: () =>
      onApplies((call, serve) =>
        String(call.exchange.request.headers['content-type']).includes('cbor')
          ? passing(call, serve, ({ message }) => message.includes('managedFields'))
          : serve(call),
      ),
  },
  {
    id: 'apply-overlooks-versions',
    breaks: ['APPLY-BODY-04'],
    sentence: 'An apply with a stale resourceVersion is stored.',
    defect: () =>
      mending((body) => {
        delete metadataOf(body).resourceVersion;
      }),
  },
  {
    id: 'apply-needs-no-manager',
    breaks: ['APPLY-MANAGER-01'],
    sentence: 'An apply without fieldManager is stored under a manager called unknown.',
    defect: () =>
      onApplies((call, serve) =>
        serve(
          withQuery(call, (query) => {
            if (!query.get('fieldManager')) query.set('fieldManager', 'unknown');
          }),
        ),
      ),
  },
  {
    id: 'only-applies-have-a-manager',
    breaks: ['APPLY-MANAGER-03'],
    sentence: 'Writes other than applies are recorded after their User-Agent, whatever fieldManager says.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], (call, serve) =>
        serve(isApply(call) ? call : withQuery(call, (query) => query.delete('fieldManager'))),
      ),
  },
  {
    id: 'apply-needs-update',
    breaks: ['APPLY-PERMISSION-01', ...clausesOf('APPLY-PERMISSION-01')],
    sentence: 'Who may patch but not update may not apply.',
    defect: () => ({
      authorizer: (authorizer) => ({
        ...authorizer,
        name: authorizer.name,
        authorize: async (asked) => {
          const verdict = await authorizer.authorize(asked);
          if (!asked.isResource || asked.verb !== 'patch' || verdict.decision !== 'allow') return verdict;
          return authorizer.authorize({ ...asked, verb: 'update' });
        },
      }),
    }),
  },
  {
    id: 'apply-creates-for-anyone',
    breaks: ['APPLY-PERMISSION-02', ...clausesOf('APPLY-PERMISSION-02')],
    sentence: 'Who may patch may create by an apply.',
    defect: () =>
      onApplies((call, serve) => {
        const all = { name: 'all', authorize: () => ({ decision: 'allow', reason: '', by: 'all' }) as const };
        return serve({ ...call, services: { ...call.services, authorizer: all } });
      }),
  },
  {
    id: 'update-suffices-to-create-by-apply',
    breaks: ['APPLY-PERMISSION-02', ...clausesOf('APPLY-PERMISSION-02')],
    sentence: 'Who may patch and update may create by an apply.',
    defect: () =>
      onApplies((call, serve) => {
        const { authorizer } = call.services;
        const generous: typeof authorizer = {
          ...authorizer,
          name: authorizer.name,
          authorize: async (asked) => {
            const verdict = await authorizer.authorize(asked);
            if (!asked.isResource || asked.verb !== 'create' || verdict.decision === 'allow') return verdict;
            return authorizer.authorize({ ...asked, verb: 'update' });
          },
        };
        return serve({ ...call, services: { ...call.services, authorizer: generous } });
      }),
  },
  {
    id: 'applies-are-recorded-as-updates',
    breaks: ['APPLY-MANAGER-02'],
    sentence: 'An apply leaves a record as any other write does.',
    defect: () =>
      onApply((asked, serve) =>
        withOwners(serve(asked), (owners) => [...owners.values()].map((each) => ({ ...each, operation: 'Update' }))),
      ),
  },
  {
    id: 'updates-share',
    breaks: ['APPLY-UPDATE-01', ...clausesOf('APPLY-UPDATE-01')],
    sentence: 'A field that a PUT or patch changes stays with those who owned it, beside the writer.',
    defect: () =>
      onUpdate((asked, serve) => {
        const known = decodeEntries(asked.live?.metadata.managedFields);
        return reowned(serve(asked), (owners) => new Map([...owners, ...known]).values());
      }),
  },
  {
    id: 'updates-share-with-their-own-apply',
    breaks: clausesOf('APPLY-UPDATE-03'),
    sentence: 'What a PUT or patch changes stays in the record of an apply of the same name.',
    defect: () =>
      onUpdate((asked, serve) => {
        const { manager } = asked.writer;
        const applied = [...decodeEntries(asked.live?.metadata.managedFields)].filter(
          ([, owner]) => owner.operation === 'Apply' && owner.manager === manager,
        );
        return reowned(serve(asked), (owners) => new Map([...owners, ...applied]).values());
      }),
  },
  {
    id: 'updates-take-everything',
    breaks: ['APPLY-UPDATE-02'],
    sentence: 'Who writes by PUT or patch owns the whole object.',
    defect: () => onUpdate((asked, serve) => serve({ ...asked, live: undefined })),
  },
  {
    id: 'subresources-share-a-record',
    breaks: ['APPLY-SUBRESOURCE-01'],
    sentence: 'What is written through a subresource is recorded as if through the object.',
    defect: () => onUpdate((asked, serve) => serve({ ...asked, context: { ...asked.context, subresource: '' } })),
  },
  {
    id: 'records-cannot-be-cleared',
    breaks: ['APPLY-CLEAR-01', ...clausesOf('APPLY-CLEAR-01')],
    sentence: 'A list of one empty entry leaves the records as they are.',
    defect: () => onUpdate((asked, serve) => serve({ ...asked, next: recorded(asked.next, isClearing, undefined) })),
  },
  {
    id: 'empty-list-clears',
    breaks: ['APPLY-CLEAR-02'],
    sentence: 'An empty list clears the records.',
    defect: () =>
      onUpdate((asked, serve) =>
        serve({ ...asked, next: recorded(asked.next, (entries) => entries?.length === 0, BLANK) }),
      ),
  },
  {
    id: 'empty-entries-clear',
    breaks: ['APPLY-CLEAR-05'],
    sentence: 'Any number of empty entries clears the records.',
    defect: () =>
      onUpdate((asked, serve) =>
        serve({
          ...asked,
          next: recorded(
            asked.next,
            (entries) =>
              (entries?.length ?? 0) > 1 && entries?.every((each) => Object.keys(each).length === 0) === true,
            BLANK,
          ),
        }),
      ),
  },
  {
    id: 'clearing-leaves-no-owner',
    breaks: ['APPLY-CLEAR-03', ...clausesOf('APPLY-CLEAR-03')],
    sentence: 'Nobody owns what a request changes beside clearing the records.',
    defect: () => onUpdate((asked, serve) => serve({ ...asked, context: { ...asked.context, follow: 'service' } })),
  },
  {
    id: 'cleared-records-come-back',
    breaks: ['APPLY-CLEAR-04'],
    sentence: 'The first apply after the records were cleared finds them again.',
    defect: () => comingBack(),
  },
  {
    id: 'idle-managers-stay',
    breaks: ['APPLY-HANDOVER-01'],
    sentence: 'A manager that owns nothing any more keeps an empty record.',
    defect: () =>
      onUpdate((asked, serve) => {
        const idle = [...decodeEntries(asked.live?.metadata.managedFields)].map(
          ([key, owner]) => [key, { ...owner, fields: NO_FIELDS }] as const,
        );
        return reowned(serve(asked), (owners) => new Map([...idle, ...owners]).values());
      }),
  },
];
