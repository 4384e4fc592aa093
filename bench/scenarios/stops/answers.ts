import type { LoadRequest } from '../../load.ts';
import { CONFIG_MAPS } from '../scenario.ts';
import { full, HELD_MAPS, list, MANY_MAPS, PODS, pod, post, remove, type Stop, type Stops } from './stop.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const as = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`;

/** Every encoding and form of an answer by the name that a row gives it. */
const FORMS: Readonly<
  Record<string, Pick<LoadRequest, 'accept'> & { readonly query?: string; readonly one?: string }>
> = {
  'in YAML': { accept: 'application/yaml' },
  'in CBOR': { accept: 'application/cbor' },
  'in Protobuf': { accept: PROTOBUF },
  indented: { accept: 'application/json', query: 'pretty=true' },
  'as a table': { accept: as('Table'), query: 'includeObject=Object' },
  'as a table in YAML': { accept: 'application/yaml;as=Table;v=v1;g=meta.k8s.io' },
  'as metadata': { accept: as('PartialObjectMetadataList'), one: as('PartialObjectMetadata') },
  'as metadata in Protobuf': {
    accept: `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`,
    one: `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
  },
};

const rows = (what: (accept: string | undefined, query: string) => Stop, of: string) =>
  Object.entries(FORMS).map(
    ([name, { accept, one, query }]) =>
      [
        `${of} ${name}`,
        () => what(of === 'a list of 10,000' ? accept : (one ?? accept), query ? `?${query}` : ''),
      ] as const,
  );

/** Answers with a large object and with many objects. */
export const ANSWERS: Stops = {
  'a get of a large object': () => ({
    after: [post(CONFIG_MAPS, full('got'))],
    request: { method: 'GET', path: `${CONFIG_MAPS}/got` },
  }),
  ...Object.fromEntries(
    rows(
      (accept, query) => ({ request: { method: 'GET', path: `${CONFIG_MAPS}/got${query}`, accept: accept as string } }),
      'a get of a large object',
    ),
  ),
  'a pod of many containers in Protobuf': () => ({
    after: [post(PODS, pod('shown', { containers: list((at) => ({ name: `c${at}`, image: 'i' })) }))],
    request: { method: 'GET', path: `${PODS}/shown`, accept: PROTOBUF },
  }),
  'a pod of many containers indented': () => ({
    request: { method: 'GET', path: `${PODS}/shown?pretty=true` },
  }),
  'a pod of many containers in YAML': () => ({
    request: { method: 'GET', path: `${PODS}/shown`, accept: 'application/yaml' },
  }),
  'a pod of many containers as a table': () => ({
    request: { method: 'GET', path: `${PODS}/shown`, accept: as('Table') },
    last: [remove(`${PODS}/shown`)],
  }),
  'a list of 10,000': () => ({ request: { method: 'GET', path: MANY_MAPS } }),
  ...Object.fromEntries(
    rows(
      (accept, query) => ({ request: { method: 'GET', path: MANY_MAPS + query, accept: accept as string } }),
      'a list of 10,000',
    ),
  ),
  'a list of 10,000 filtered to none': () => ({
    request: { method: 'GET', path: `${MANY_MAPS}?labelSelector=app%3Dnone` },
  }),
  'a list of 10,000 held to a selector of 900 KB': () => ({
    request: {
      method: 'GET',
      path: `${MANY_MAPS}?labelSelector=app%20in%20(${(list((at) => `v${at}`, 900_000) as string[]).join()})`,
    },
  }),
  'a list of 10,000 held to a selector of many terms': () => ({
    request: {
      method: 'GET',
      path: `${MANY_MAPS}?labelSelector=${(list((at) => `app!=v${at}`, 900_000) as string[]).join()}`,
    },
  }),
  'a list of 10,000 held to a field selector of many terms': () => ({
    request: {
      method: 'GET',
      path: `${MANY_MAPS}?fieldSelector=${(list((at) => `metadata.name!=v${at}`, 900_000) as string[]).join()}`,
    },
  }),
  'the start of a watch with 10,000 initial events': () => ({
    request: {
      method: 'GET',
      path: `${MANY_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3`,
    },
  }),
  'such a start in Protobuf': () => ({
    request: {
      method: 'GET',
      path: `${MANY_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3`,
      accept: `${PROTOBUF};stream=watch`,
    },
  }),
  'such a start as tables': () => ({
    request: {
      method: 'GET',
      path: `${MANY_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=3`,
      accept: as('Table'),
    },
  }),
  'a deletion of 10,000 with finalizers': () => ({
    request: { method: 'DELETE', path: HELD_MAPS },
  }),
  'a deletion of 10,000': () => ({ request: { method: 'DELETE', path: MANY_MAPS } }),
};
