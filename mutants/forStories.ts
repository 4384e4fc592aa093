import { isObject } from '../reference/api/json.ts';
import { ApiError } from '../reference/api/status.ts';
import type { Seams } from '../reference/seams.ts';
import { onVerbs, withQuery } from './alter.ts';
import { onJson, onMetrics } from './asking.ts';
import type { Mutant } from './mutant.ts';
import { adding } from './startFlags.ts';

/** Writes pass that admission refuses with a message that says so. */
const admitting = (refusal: RegExp): Seams => ({
  admission: (chain) => ({
    ...chain,
    validate: async (attributes) => {
      try {
        await chain.validate(attributes);
      } catch (error) {
        if (!(error instanceof ApiError) || !refusal.test(error.message)) throw error;
      }
    },
  }),
});

/**
 * Servers that break what a story shows where no requirement is broken by it, since the text leaves it open, or where
 * the mutant of the requirement breaks it at a place that the story does not come to. No check has to notice them.
 */
export const STORY_MUTANTS: readonly Mutant[] = [
  {
    id: 'quotas-are-only-counted',
    breaks: [],
    sentence: 'What a quota has no room for is created all the same.',
    defect: () => admitting(/exceeded quota/),
  },
  {
    id: 'pod-security-is-only-a-label',
    breaks: [],
    sentence: 'Pods of every level are created, whatever level the label of the namespace enforces.',
    defect: () => admitting(/violates PodSecurity/),
  },
  {
    id: 'admission-changes-nothing',
    breaks: [],
    sentence: 'What admission changes of an object that is created is thrown away.',
    defect: () => ({
      admission: (chain) => ({
        ...chain,
        mutate: (attributes) => chain.mutate({ ...attributes, object: structuredClone(attributes.object) }),
      }),
    }),
  },
  {
    id: 'cbor-is-on-unasked',
    breaks: [],
    sentence: 'The alpha feature CBOR is on unless it is switched off.',
    defect: () => ({ start: adding('feature-gates', () => 'CBORServingAndStorage=true') }),
  },
  {
    id: 'metrics-change-their-names-at-once',
    breaks: [],
    sentence: 'A metric is gone as soon as there is another in its place.',
    defect: () => onMetrics((line) => (/^(# \w+ )?etcd_object_counts\b/.test(line) ? '' : line)),
  },
  {
    id: 'metrics-never-go',
    breaks: [],
    sentence: 'Metrics that were deprecated long ago are told as long as somebody asks for hidden ones.',
    defect: () => ({
      start: {
        flags: (argv) =>
          argv.map((word) =>
            word === '--release=1.26'
              ? '--release=1.25'
              : word === '--show-hidden-metrics-for-version=1.25'
                ? '--show-hidden-metrics-for-version=1.24'
                : word,
          ),
      },
    }),
  },
  {
    id: 'every-token-is-somebodys',
    breaks: [],
    sentence: 'A TokenReview says of every token that it is good.',
    defect: () =>
      onJson((body, { path }) => {
        if (path.endsWith('/tokenreviews') && isObject(body.status)) body.status.authenticated = true;
      }),
  },
  {
    id: 'a-status-is-part-of-its-object',
    breaks: [],
    sentence: 'A write to the status of an object writes all of the object.',
    defect: () =>
      onVerbs(['update', 'patch'], (call, serve) => {
        const { subresource } = call.endpoint;
        return serve(
          subresource?.name === 'status' ? { ...call, endpoint: { ...call.endpoint, subresource: undefined } } : call,
        );
      }),
  },
  {
    id: 'scales-are-not-stored',
    breaks: [],
    sentence: 'A write to a scale is answered as done, and changes nothing.',
    defect: () =>
      onVerbs(['update', 'patch'], (call, serve) =>
        serve(
          call.endpoint.subresource?.name === 'scale' ? withQuery(call, (query) => query.set('dryRun', 'All')) : call,
        ),
      ),
  },
  {
    id: 'stored-versions-are-forgotten',
    breaks: [],
    sentence: 'The status of a definition names only the version that objects are stored in from now on.',
    defect: () =>
      onJson(({ status }) => {
        if (isObject(status) && Array.isArray(status.storedVersions))
          status.storedVersions.splice(0, status.storedVersions.length - 1);
      }),
  },
];
