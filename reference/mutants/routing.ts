import { isObject, type JsonObject } from '../api/json.ts';
import type { Seams } from '../seams.ts';
import { onVerbs, withBody, withQuery } from './alter.ts';
import { coding, onJson } from './asking.ts';
import type { Mutant } from './mutant.ts';

/** Alters what discovery says of each resource type. */
function onResources(change: (resource: JsonObject) => void): Seams {
  return onJson(({ resources }) => {
    for (const each of Array.isArray(resources) ? resources : []) if (isObject(each)) change(each);
  });
}
/** Items behind a namespace, and what lies behind them. */
const PART_OF_ITEM = /^\/apis?\/.*\/namespaces\/[^/]+\/[^/]+\/[^/]+\/[^/]+$/;

/** Paths, verbs and discovery that lead elsewhere than they say. */
export const ROUTING: readonly Mutant[] = [
  {
    id: 'discovery-lists-no-verbs',
    breaks: ['DISCOVERY-RESOURCE-01'],
    sentence: 'Discovery lists no verbs.',
    seams: onResources((resource) => {
      resource.verbs = [];
    }),
  },
  {
    id: 'discovery-names-are-capital',
    breaks: ['DISCOVERY-NAME-01'],
    sentence: 'Discovery writes the names of types in capital letters.',
    seams: onResources((resource) => {
      resource.name = String(resource.name).toUpperCase();
    }),
  },
  {
    id: 'discovery-turns-scopes-round',
    breaks: ['DISCOVERY-SCOPE-01'],
    sentence: 'Discovery calls namespaced what is not, and the reverse.',
    seams: onResources((resource) => {
      resource.namespaced = !resource.namespaced;
    }),
  },
  {
    id: 'discovery-claims-too-much',
    breaks: ['DISCOVERY-CLAIM-01'],
    sentence: 'Discovery names a type that is not served.',
    seams: onJson(({ resources }) => {
      const phantom = { name: 'phantoms', singularName: '', namespaced: false, kind: 'Phantom', verbs: ['list'] };
      if (Array.isArray(resources)) resources.push(phantom);
    }),
  },
  {
    id: 'unlisted-verbs-succeed',
    breaks: ['DISCOVERY-CLAIM-02', 'VERB-SINGLE-02', 'VIRTUAL-TYPE-01'],
    sentence: 'A verb that is not served is answered 200.',
    seams: coding(({ code }) => (code === 405 ? 200 : code)),
  },
  {
    id: 'one-group-has-another-domain',
    breaks: ['DIALECT-NAME-01'],
    sentence: 'One of the groups of the service ends in another domain than the others.',
    seams: onJson(({ groups }) => {
      for (const group of Array.isArray(groups) ? groups : []) {
        if (isObject(group) && String(group.name).startsWith('admissionregistration.'))
          group.name = 'admissionregistration.x';
      }
    }),
  },
  {
    id: 'delete-does-nothing',
    breaks: ['VERB-HTTP-01'],
    sentence: 'A DELETE is answered as if it had deleted.',
    seams: onVerbs(['delete'], (call, serve) => serve(withQuery(call, (query) => query.set('dryRun', 'All')))),
  },
  {
    id: 'lists-are-created-in-part',
    breaks: ['VERB-SINGLE-01'],
    sentence: 'A POST of a list creates its first object.',
    seams: onVerbs(['create'], (call, serve) =>
      serve(
        withBody(call, (body) => {
          const [first] = Array.isArray(body.items) ? body.items : [];
          if (isObject(first)) Object.assign(body, first);
        }),
      ),
    ),
  },
  {
    id: 'put-says-created',
    breaks: ['VERB-PUT-01'],
    sentence: 'A PUT of an object that exists is answered 201.',
    seams: coding(({ code }, { method }) => (method === 'PUT' && code === 200 ? 201 : code)),
  },
  {
    id: 'core-objects-name-a-group',
    breaks: ['URL-CORE-01'],
    sentence: 'Objects of the core group have the apiVersion core/v1.',
    seams: onJson((body) => {
      if (body.apiVersion === 'v1') body.apiVersion = 'core/v1';
    }),
  },
  {
    id: 'grouped-objects-name-no-group',
    breaks: ['URL-GROUP-01'],
    sentence: 'Objects of named groups have the version alone as their apiVersion.',
    seams: onJson((body) => {
      body.apiVersion = String(body.apiVersion ?? '').replace(/^.*\//, '');
    }),
  },
  {
    id: 'all-namespaces-is-the-first',
    breaks: ['URL-ALL-01'],
    sentence: 'A list over all namespaces shows the objects of one.',
    seams: onVerbs(['list'], async (call, serve) => {
      const answer = await serve(call);
      if (answer.kind !== 'list' || call.exchange.info.namespace !== '') return answer;
      const first = answer.entries[0]?.object.metadata.namespace;
      return { ...answer, entries: answer.entries.filter(({ object }) => object.metadata.namespace === first) };
    }),
  },
  {
    id: 'namespace-may-be-left-out',
    breaks: ['URL-ALL-02'],
    sentence: 'The path of a namespaced object without its namespace is answered 200.',
    seams: coding(({ code }, { path }) => (/^\/api\/v1\/[^/]+\/[^/]+$/.test(path) && code >= 404 ? 200 : code)),
  },
  {
    id: 'unknown-subresources-are-served',
    breaks: ['URL-SUBRESOURCE-01'],
    sentence: 'A subresource that nobody knows is answered 200.',
    seams: coding(({ code }, { path }) => (PART_OF_ITEM.test(path) && code === 404 ? 200 : code)),
  },
  {
    id: 'namespaces-lie-in-themselves',
    breaks: ['URL-NAMESPACE-01'],
    sentence: 'A namespace has itself as its namespace.',
    seams: onJson((body) => {
      if (body.kind === 'Namespace' && isObject(body.metadata)) body.metadata.namespace = body.metadata.name ?? '';
    }),
  },
  {
    id: 'unknown-paths-are-empty',
    breaks: ['URL-UNKNOWN-01'],
    sentence: 'A path of which nobody knows anything is answered 200.',
    seams: coding(({ code }) => (code === 404 ? 200 : code)),
  },
];
