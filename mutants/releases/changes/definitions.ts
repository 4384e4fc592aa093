import { isDeepStrictEqual } from 'node:util';
import { clausesOf } from '../../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../../reference/api/json.ts';
import type { ApiObject } from '../../../reference/api/object.ts';
import type { TypeVersion } from '../../../reference/contracts/resourceType.ts';
import { onVerbs, withText } from '../../alter.ts';
import { coding, onSpec } from '../../asking.ts';
import type { Mutant } from '../../mutant.ts';
import {
  filling,
  mending,
  mendingSpec,
  onChange,
  onType,
  passingRefusals,
  rewritten,
  type Spec,
} from '../../oneType.ts';
import { withMembers } from '../../writes.ts';

const hasStatus = ({ subresources }: TypeVersion): boolean => subresources.some(({ form }) => form === 'status');

/** Definitions of custom resources that behave as in the versions that were replaced (3/removed-api-versions-by-release). */
export const DEFINITION_CHANGES: readonly Mutant[] = [
  {
    id: 'definitions-are-namespaced-unasked',
    breaks: ['CHANGED-DEFINITION-01'],
    sentence: 'A definition without scope is of namespaced objects.',
    defect: () => filling('customresourcedefinitions', 'scope', () => 'Namespaced'),
  },
  {
    id: 'definitions-take-older-fields',
    breaks: ['CHANGED-DEFINITION-02'],
    sentence: 'What a definition of v1beta1 said for all versions is passed over, even where fields are checked.',
    defect: () =>
      mending<Spec>('customresourcedefinitions', ['create'], ({ spec }) => {
        for (const field of ['version', 'validation', 'subresources', 'additionalPrinterColumns']) delete spec?.[field];
      }),
  },
  {
    id: 'later-versions-of-definitions-have-the-columns-of-the-first',
    breaks: ['CHANGED-DEFINITION-02'],
    sentence: 'Each version of a definition has the printer columns of the first one.',
    defect: () =>
      mendingSpec('customresourcedefinitions', ({ versions }) => {
        const [first, ...others] = Array.isArray(versions) ? versions.filter(isObject) : [];
        for (const each of others)
          if (first?.additionalPrinterColumns) each.additionalPrinterColumns = first.additionalPrinterColumns;
      }),
  },
  {
    id: 'statuses-are-left-out-in-versions-beside-one-with-a-status',
    breaks: clausesOf('CHANGED-DEFINITION-02', 'without-a-status'),
    sentence: 'A version without a status leaves a status out, where another version of the type has one.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], (call, serve) => {
        const { type, version, subresource } = call.endpoint;
        const besideOne = !hasStatus(version) && [...type.versions.values()].some(hasStatus);
        if (subresource !== undefined || !besideOne) return serve(call);
        return serve(withMembers(call, [], (members) => void delete members.status));
      }),
  },
  {
    id: 'statuses-are-written-in-versions-beside-one-without-a-status',
    breaks: clausesOf('CHANGED-DEFINITION-02', 'with-a-status'),
    sentence: 'A status is a field as any other, where a version of the type has none apart.',
    defect: () =>
      onVerbs(['create', 'update', 'patch'], async (call, serve) => {
        const { type, version, subresource } = call.endpoint;
        const besideNone = hasStatus(version) && [...type.versions.values()].some((each) => !hasStatus(each));
        if (subresource !== undefined || !besideNone || !type.custom) return serve(call);
        let status: JsonObject[string] | undefined;
        const heard = withMembers(call, [], (members) => {
          status = members.status ?? status;
        });
        const answer = await serve(heard);
        return rewritten(call, answer, (object) => (isObject(status) ? { ...object, status } : object));
      }),
  },
  ...(
    [
      ['with', 404, 200],
      ['without', 200, 404],
    ] as const
  ).map(
    ([which, told, code]): Mutant => ({
      id: `parts-of-custom-objects-${told === 404 ? 'are-not-found' : 'are-found'}`,
      breaks: clausesOf('CHANGED-DEFINITION-02', which),
      sentence: `The paths of status and scale of a custom object are ${told === 404 ? 'never' : 'always'} found.`,
      defect: () =>
        coding((reply, { path }) =>
          /-shapes\/doc\/(status|scale)$/.test(path) && reply.code === code ? told : reply.code,
        ),
    }),
  ),
  {
    id: 'tables-have-the-columns-of-the-preferred-version',
    breaks: ['CHANGED-DEFINITION-02'],
    sentence: 'A Table has the columns of the version that is preferred, whichever is asked for.',
    defect: () =>
      onVerbs(['get', 'list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'entry' && answer.kind !== 'list') return answer;
        const { type, version } = answer.endpoint;
        const [preferred = version] = type.versions.values();
        const shown: TypeVersion = Object.create(version, { columns: { value: preferred.columns } });
        return { ...answer, endpoint: { ...answer.endpoint, version: shown } };
      }),
  },
  ...(['v1', 'v1beta1'] as const).map(
    (version): Mutant => ({
      id: `definitions-do-not-convert-to-${version}`,
      breaks: clausesOf('CHANGED-DEFINITION-03', `to-${version}`),
      sentence: `A definition that is read in ${version} says next to nothing of what it said in another version.`,
      defect: () =>
        onSpec(new RegExp(`^/apis/apiextensions\\.[^/]+/${version}/customresourcedefinitions/`), (spec) => {
          for (const field of ['validation', 'subresources', 'additionalPrinterColumns']) delete spec[field];
          spec.versions = [{ name: 'v0', served: true, storage: true }];
          spec.scope = 'Unknown';
          spec.conversion = { strategy: 'None' };
        }),
    }),
  ),
  {
    id: 'definitions-are-taken-as-they-are',
    breaks: [...clausesOf('CHANGED-DEFINITION-04'), ...clausesOf('CHANGED-DEFINITION-05')],
    sentence: 'Nothing that is written of a definition is refused.',
    defect: () => passingRefusals('customresourcedefinitions'),
  },
  {
    id: 'unknown-fields-are-kept-nowhere',
    breaks: clausesOf('CHANGED-DEFINITION-06').filter((name) => !name.includes('/beside/')),
    sentence: 'x-kubernetes-preserve-unknown-fields of a schema is overlooked.',
    defect: () =>
      onType('customresourcedefinitions', ['create'], (call, serve) =>
        serve(
          withText(call, (text) =>
            text.replaceAll(/"x-[a-z]+-preserve-unknown-fields":true/g, '"description":"anything"'),
          ),
        ),
      ),
  },
  {
    id: 'unknown-fields-are-not-kept-beside-known-ones',
    breaks: clausesOf('CHANGED-DEFINITION-06', ['known-root', 'known-field', 'known-items', 'known-map']).filter(
      (name) => !name.includes('/beside/'),
    ),
    sentence: 'x-kubernetes-preserve-unknown-fields of a schema is overlooked where that has properties.',
    defect: () =>
      onType('customresourcedefinitions', ['create'], (call, serve) =>
        serve(
          withText(call, (text) =>
            text.replaceAll(/"x-[a-z]+-preserve-unknown-fields":true,"properties"/g, '"properties"'),
          ),
        ),
      ),
  },
  {
    id: 'unknown-fields-go-with-the-next-write',
    breaks: clausesOf('CHANGED-DEFINITION-06', 'beside'),
    sentence: 'What a schema does not know is kept until something beside it is written.',
    defect: () =>
      onChange(/-shapes\//, (before, after) => {
        if (!before || !after) return after;
        const left = (name: string) =>
          ['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(name) ||
          !isDeepStrictEqual(before[name], after[name]);
        return Object.fromEntries(Object.entries(after).filter(([name]) => left(name))) as ApiObject;
      }),
  },
];
