import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { asJson } from '../api/object.ts';
import { everyField } from '../fields/compare.ts';
import { statedFields } from '../fields/configFields.ts';
import { OwnershipConflict } from '../fields/conflicts.ts';
import { difference, type FieldSet, intersection, isEmpty, NO_FIELDS, node, union } from '../fields/fieldSet.ts';
import { NEVER_OWNED } from '../fields/neverOwned.ts';
import { bare } from '../fields/ownership.ts';
import type { Mutant } from './mutant.ts';
import { type ApplyAsked, onApply, ownerIn, reowned, withOwners } from './onOwnership.ts';

/** Forces applies whose conflict is of a kind. */
const forcing = (when: (conflict: OwnershipConflict, asked: ApplyAsked) => boolean) =>
  onApply((asked, serve) => {
    try {
      return serve(asked);
    } catch (error) {
      if (!(error instanceof OwnershipConflict) || !when(error, asked)) throw error;
      return serve({ ...asked, applier: { ...asked.applier, force: true } });
    }
  });

/** What a merge keeps, changes, removes, and whom it asks. */
export const MERGING: readonly Mutant[] = [
  {
    id: 'applier-owns-defaults',
    breaks: ['APPLY-CREATE-02'],
    sentence: 'Who creates by an apply owns the defaults too.',
    seams: onApply((asked, serve) => {
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
    seams: onApply((asked, serve) => {
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
    seams: onApply((asked, serve) =>
      serve(asked.live ? { ...asked, config: preferring(asJson(asked.live), asked.config) as JsonObject } : asked),
    ),
  },
  {
    id: 'apply-is-never-idle',
    breaks: ['APPLY-MERGE-03'],
    sentence: 'Every apply counts itself in an annotation, so that repeating it changes the object.',
    seams: onApply((asked, serve) => {
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
    breaks: ['APPLY-CONFLICT-03'],
    sentence: 'An apply takes fields that were written otherwise without a conflict.',
    seams: forcing(
      (conflict) => conflict.details?.causes?.every(({ message }) => message?.includes(' using ')) ?? false,
    ),
  },
  {
    id: 'atomic-lists-change-hands',
    breaks: ['MERGE-ATOMIC-01', 'VWC-RULES-01'],
    sentence: 'An apply takes a list of another manager without a conflict.',
    seams: forcing(
      (conflict) =>
        conflict.details?.causes?.every(({ field }) => /(rules|admissionReviewVersions)$/.test(field ?? '')) ?? false,
    ),
  },
  {
    id: 'sharers-change-what-they-share',
    breaks: ['APPLY-SHARE-01'],
    sentence: 'Who applied an object before never conflicts.',
    seams: forcing(
      (_, { live, applier }) =>
        live?.metadata.managedFields?.some(({ manager }) => manager === applier.manager) ?? false,
    ),
  },
  {
    id: 'live-values-conflict',
    breaks: ['APPLY-RESOLVE-02'],
    sentence: 'An apply of a field that another manager owns conflicts, even with the live value.',
    seams: onApply((asked, serve) => {
      const made = serve({ ...asked, applier: { ...asked.applier, force: true } });
      if (asked.applier.force) return made;
      let others: FieldSet = NO_FIELDS;
      reowned(asked.live, (owners) => {
        const mine = ownerIn(owners, asked);
        for (const owner of owners.values()) if (owner !== mine) others = union(others, owner.fields);
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
    }),
  },
  {
    id: 'applier-owns-everything',
    breaks: ['APPLY-RESOLVE-01'],
    sentence: 'An applier owns every field of the object, those that it left out too.',
    seams: onApply((asked, serve) => {
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
    breaks: ['APPLY-FORCE-01'],
    sentence: 'A forced apply leaves its fields to those who owned them, beside the applier.',
    seams: onApply((asked, serve) => {
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
    breaks: ['APPLY-SHARE-02'],
    sentence: 'A field that one of its managers no longer applies is removed, whoever else owns it.',
    seams: onApply((asked, serve) =>
      serve({
        ...asked,
        live: reowned(asked.live, (owners) => {
          const mine = ownerIn(owners, asked);
          const dropped = difference(mine?.fields ?? NO_FIELDS, statedIn(asked));
          return [...owners.values()].map((each) =>
            each === mine ? each : { ...each, fields: difference(each.fields, dropped) },
          );
        }),
      }),
    ),
  },
  {
    id: 'nothing-is-given-up',
    breaks: ['APPLY-SHARE-03'],
    sentence: 'A manager goes on owning what it no longer applies.',
    seams: onApply((asked, serve) => {
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
    breaks: ['APPLY-REMOVE-01'],
    sentence: 'A field that nobody applies any more stays.',
    seams: forgetting(() => NO_FIELDS),
  },
  {
    id: 'items-are-never-removed',
    breaks: ['APPLY-REMOVE-03'],
    sentence: 'An item of a list that nobody applies any more stays.',
    seams: forgetting((fields) => without(fields, (step) => !step.startsWith('f:'))),
  },
  {
    id: 'defaults-do-not-come-back',
    breaks: ['APPLY-REMOVE-02'],
    sentence: 'timeoutSeconds of a webhook that nobody applies any more stays as it is.',
    seams: forgetting((fields) => without(fields, (step) => step === 'f:timeoutSeconds')),
  },
  {
    id: 'two-appliers-are-remembered',
    breaks: ['APPLY-SEQUENCE-01'],
    sentence: 'The third applier of an object takes the place of the first in its records.',
    seams: onApply((asked, serve) =>
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
    seams: onApply((asked, serve) =>
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
];

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

/** A set without some steps and all below them. */
function without(set: FieldSet, forgotten: (step: string) => boolean): FieldSet {
  if (!set.below) return set;
  const left = [...set.below].flatMap(([step, below]) =>
    forgotten(step) ? [] : [[step, without(below, forgotten)] as const],
  );
  return node(set.owned, new Map(left.filter(([, below]) => !isEmpty(below))));
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
