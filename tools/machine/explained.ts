import type { MutantName } from './mutants.ts';

/**
 * Why no check kills a mutant of the fixed sample: `equivalent`, nothing that a client sees is different; `undetermined`,
 * the specification does not say which is right; `speed`, only how fast it is or what it keeps differs; `elsewhere`,
 * another step of the gate judges that code; `open`, the specification determines it, and no check has seen it yet.
 */
export type Reason = 'equivalent' | 'undetermined' | 'speed' | 'elsewhere' | 'open';

export interface Explained {
  readonly reason: Reason;
  readonly why: string;
  /** What the path has in it. */
  readonly file: string;
  /** What the name of the function has in it. */
  readonly within?: string;
  /** What the changed code has in it. */
  readonly from?: string;
}

const undetermined = (why: string, file: string, from?: string): Explained => ({
  reason: 'undetermined',
  why,
  file,
  ...(from === undefined ? {} : { from }),
});
const other = (reason: Reason, why: string, file: string, from?: string): Explained => ({
  ...undetermined(why, file, from),
  reason,
});

/** The first that fits counts. */
const EXPLAINED: readonly Explained[] = [
  // What the specification determines, or may, and no check has seen.
  other('open', 'a forced delete goes on only from an error of reading', 'verbs/delete.ts', 'StoreReadError'),
  other('open', 'the time-out that a hook itself names', 'webhooks/hook.ts', 'timeoutSeconds'),
  other('open', 'a changed file is read again', 'contracts/configSource.ts', 'files.read'),
  other('open', 'a changed file is read again', 'reference/reference.ts', 'authorization.file'),
  other('open', 'a condition that is no CEL is refused', 'options/accessConditions.ts', 'fault'),
  other('open', 'what the role edit lets one write', 'defaults/people.ts'),
  other('open', 'items of both sides are merged', 'fields/strategicList.ts', '...live'),
  other('open', 'a collection that is watched accepts what a list does', 'encoding/encode.ts', 'list'),
  other('open', 'a key of an object is a string', 'codecs/json.ts', 'QUOTE'),

  other('open', 'who is a node', 'contracts/authorizer.ts'),
  other('open', 'the subject of a certificate', 'transport/certificates.ts'),
  other('speed', 'one step alone is sorted too', 'fields/pathElement.ts', 'length'),

  // Rooms and files that the text says nothing of.
  undetermined('the text of a message', 'remote/faultTexts.ts'),
  undetermined('how a call to a remote service is tried again and told', 'remote/'),
  undetermined('semantics of selectors are not shown', 'selectors/'),
  undetermined('quotas are not shown', 'uota'),
  undetermined('audit, traces, explanations and metrics are not shown', 'observability/'),
  undetermined('what a trace tells is not shown', 'objects/decisions.ts'),
  undetermined('what a trace tells is not shown', 'fields/mergeTrace.ts'),
  undetermined('the document of the API is not shown', 'discovery/openapi'),
  undetermined('the document of the API is not shown', 'discovery/'),
  undetermined('pod security is not shown', 'admission/podSecurity/'),
  undetermined('rules of pods and volumes are not shown', 'admission/'),
  undetermined('bodies of other kinds than the two families are not shown', 'reference/resources/'),
  undetermined('bodies of other kinds than the two families are not shown', 'controllers/'),
  undetermined('forms of addresses and names beside those named are not shown', 'reference/api/'),
  undetermined('what of CEL is beside the conditions of webhooks and authorizers', 'reference/cel/'),
  undetermined('which gate has which level in which release is not shown', 'options/featureGateTable.ts'),
  undetermined('flags that the specification does not name', 'reference/options/'),
  undetermined('which rules default controllers have is not shown', 'defaults/controllers.ts'),
  undetermined('what a node reads beside the types that are named', 'authorization/nodeGraph.ts'),
  undetermined('full field lists of reviews are not shown', 'authorization/reviewSpec.ts'),
  undetermined('which words a decision gives is not shown', 'contracts/rbacObjects.ts'),
  undetermined('the order of lists after a strategic merge is not shown', 'fields/strategic'),
  undetermined('YAML and errors in a body beyond their being refused', 'codecs/yaml'),
  undetermined('how an unreadable byte is told', 'codecs/json.ts'),
  undetermined('text in HTML-safe form', 'codecs/jsonText.ts'),
  undetermined('values that mean the same in Protobuf', 'codecs/protobuf'),
  undetermined('propagation is not shown', 'verbs/deletion.ts'),
  undetermined('operations of pods are not shown', 'verbs/podOperations.ts'),
  undetermined('how long a name is that is generated', 'reference/random.ts'),
  undetermined('which cause an error names is not shown', 'api/status.ts'),
  undetermined('the form of an object of another kind is not shown', 'objects/body.ts'),
  undetermined('limits of bodies are not shown', 'transport/incoming.ts', 'BODY_LIMIT'),
  undetermined('how long a watch lasts is not shown', 'verbs/watch.ts'),
  undetermined('pretty is not shown', 'encoding/encode.ts', 'json'),
  undetermined('which tokens name a node is not shown', 'authentication/tokenRequest.ts'),
  undetermined('the error of an authorizer is words', 'authorization/chain.ts'),
  undetermined('where a WebSocket or an in-process request ends', 'transport/websocket.ts'),
  undetermined('how quantities are told is not shown', 'schema/quantity.ts'),
  undetermined('which fault is told is not shown', 'reference/schema/'),

  // What other steps of the gate judge.
  other('elsewhere', 'judged over a data directory and over etcd', 'reference/storage/'),
  other('elsewhere', 'files and keys of the machine have unit tests, and no client sees them', 'ports/node/'),
  other('elsewhere', 'requests inside the process are those of pages and tests', 'transport/inProcess.ts'),
  other('elsewhere', 'with a seed the same bytes come twice, which a unit test judges', 'authentication/seededKey.ts'),
  other(
    'elsewhere',
    'with a seed the same bytes come twice, which a unit test judges',
    'reference/reference.ts',
    'keySource',
  ),
  other('elsewhere', 'several servers over one store, which the step over etcd judges', 'reference/openStore.ts'),
  other('elsewhere', 'the virtual clock is that of stories and unit tests', 'reference/time.ts'),
  other('elsewhere', 'the second dialect is judged by its own step', 'contracts/servedVersions.ts'),

  // Only sooner or later, more or less memory.
  other('speed', 'what is kept, and how long', 'reference/collections/'),
  other('speed', 'one object is read instead of all', 'verbs/list.ts', 'continueToken'),
  other('speed', 'a listener more on something that is over', 'verbs/freshness.ts'),
  other('speed', 'what has no percent sign is decoded in vain', 'transport/incoming.ts', '%'),
  other('speed', 'a certificate of the chain more is read', 'transport/incoming.ts'),
  other('speed', 'how often it is tried again', 'verbs/operation.ts'),
  other('speed', 'how long a request may take', 'transport/deadline.ts'),
  other('speed', 'memory is counted otherwise', 'contracts/entry.ts'),
  other('speed', 'keys are grouped otherwise', 'contracts/storeKeys.ts'),
  other('speed', 'what follows a store ends with the server', 'contracts/storeFollower.ts'),
  other('speed', 'a default object is written again as it was', 'authorization/reconcile.ts'),
  other('speed', 'a list is encoded in one piece', 'encoding/'),

  // The same for whoever asks.
  other('equivalent', 'no subresource is named so', 'contracts/resourceRegistry.ts'),
  other('equivalent', 'no name of an error is read', 'contracts/store.ts'),
  other('equivalent', 'a plugin that is always there', 'contracts/serverOptions.ts'),
  other('equivalent', 'an absent value is left out of JSON', 'objects/ownFields.ts'),
  other('equivalent', 'what is undefined is not there either', 'authentication/claimMapping.ts'),
  undetermined('the shape of conversions and checks of metadata beside those named', 'reference/objects/'),
  undetermined('an impersonation that names no user', 'authentication/impersonation/'),
  undetermined('a path of a record of ownership', 'fields/fieldSet.ts'),
  undetermined('operations of JSON patch that the standard leaves open', 'fields/jsonPatch.ts'),
  undetermined('what a trace tells is not shown', 'reference/pipeline.ts'),
  undetermined('leases of servers are not shown', 'reference/reference.ts'),
  undetermined('which verbs of types are read from which caches', 'verbs/dispatch.ts'),
];

/** What explains a mutant; undefined where nothing does. */
export function reasonFor(mutant: MutantName): Explained | undefined {
  return EXPLAINED.find(
    ({ file, within, from }) =>
      mutant.file.includes(file) &&
      (within === undefined || mutant.within.includes(within)) &&
      (from === undefined || mutant.from.includes(from)),
  );
}
