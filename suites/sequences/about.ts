import type { RequirementId } from '../../fixtures/ledger/index.ts';
import { isRecord } from '../harness/json.ts';
import { decidedBy, type Place } from './deciding.ts';
import { OTHERWISE } from './normal.ts';
import type { Step } from './step.ts';

/** What a request says, and how two servers differ after it. */
interface Asked {
  readonly verb: 'create' | 'read' | 'list' | 'watch' | 'update' | 'json' | 'merge' | 'strategic' | 'apply' | 'delete';
  /** Whether it goes to a subresource. */
  readonly sub: boolean;
  readonly query: URLSearchParams;
  readonly form: string;
  readonly accept: string;
  readonly step: Step;
  readonly body: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What is different: `status`, `metadata.labels`, …; of one of several objects without which of them it is. */
  readonly where: string;
  /** Whether an object was shown at one version in two ways. */
  readonly otherwise: boolean;
  /** The last request before, where what differs was told to a watch or listed. */
  readonly cause: Asked | undefined;
  /** Whether it shows in what is stored, listed or told, and not in the answer. */
  readonly kept: boolean;
  readonly events: boolean;
  /** Whether the target shows fewer, of what is counted. */
  readonly fewer: boolean;
  /** Codes of the reference and of the target, where they differ. */
  readonly wanted: number;
  readonly got: number;
  /** Whether the object had been deleted and waits for finalizers. */
  readonly leaving: boolean;
}

type Row = readonly [(asked: Asked) => boolean, ...(readonly RequirementId[])];
type Test = (asked: Asked) => boolean;

const both =
  (...tests: readonly Test[]): Test =>
  (asked) =>
    tests.every((test) => test(asked));
const verb =
  (...verbs: readonly Asked['verb'][]): Test =>
  (asked) =>
    verbs.includes(asked.verb);
const says =
  (name: string, value?: string): Test =>
  ({ query }) =>
    value === undefined ? query.has(name) : query.get(name) === value;
const has =
  (text: string): Test =>
  ({ body }) =>
    body.includes(text);
const at =
  (pattern: RegExp): Test =>
  ({ where }) =>
    pattern.test(where);
const not =
  (test: Test): Test =>
  (asked) =>
    !test(asked);
const any =
  (...tests: readonly Test[]): Test =>
  (asked) =>
    tests.some((test) => test(asked));
const form =
  (name: string): Test =>
  (asked) =>
    asked.form.includes(name);
const accept =
  (name: string): Test =>
  (asked) =>
    asked.accept.includes(name);
const encoding =
  (text: string): Test =>
  ({ step }) =>
    step.headers?.['accept-encoding']?.includes(text) === true;
const kept: Test = (asked) => asked.kept;
const events: Test = (asked) => asked.events;
const code =
  (...codes: readonly number[]): Test =>
  ({ wanted, got }) =>
    codes.includes(wanted) || codes.includes(got);

const write = verb('create', 'update', 'json', 'merge', 'strategic', 'apply', 'delete');
const patch = verb('json', 'merge', 'strategic');
const otherwise: Test = (asked) => asked.otherwise;
/** Whether what one refuses the other takes. */
const taken: Test = ({ wanted, got }) => wanted >= 400 && got < 300 && got > 0;
const refusedAsked: Test = ({ wanted, got }) => wanted < 300 && wanted > 0 && got >= 400;
const of =
  (plural: string): Test =>
  ({ step }) =>
    step.path.includes(`/${plural}`);
const hooks = of('validatingwebhookconfigurations');
const bindings = of('clusterrolebindings');
const text =
  (pattern: RegExp): Test =>
  ({ body }) =>
    pattern.test(body);
/** Whether the last request before was so: of what is told to a watch, or listed. */
const after =
  (test: Test): Test =>
  ({ cause }) =>
    cause !== undefined && test(cause);
const dry: Test = (asked) => asked.query.get('dryRun') === 'All' || asked.body.includes('"dryRun":["All"]');
const wrongTry: Test = (asked) =>
  (asked.query.has('dryRun') && !['All', ''].includes(asked.query.get('dryRun') ?? '')) ||
  asked.body.includes('"dryRun":["Some"]');
const strange = has('stranger');
const strict = says('fieldValidation', 'Strict');
const versioned = any(({ metadata }) => 'resourceVersion' in metadata, has('/metadata/resourceVersion'));
const someone: Test = ({ step }) => step.as !== 'admin';
const forbidden = both(someone, code(403));
/** Whether a request says something of a member of metadata. */
const metadata =
  (name: string): Test =>
  (asked) =>
    name in asked.metadata || asked.body.includes(`/metadata/${name}`);

/** Paths of what nobody serves. */
const WRONG_PLACE = /\/v9\/|none\.example|ss(\/|\?|$)/;
const pathOf = ({ path }: Step): string => path.split('?')[0] ?? '';

/** What matters in a request, and the requirements about it. All that fit are named. */
const ROWS: readonly Row[] = [
  // Dry run
  [wrongTry, 'DRYRUN-VALUE-03'],
  [both(dry, kept), 'DRYRUN-EFFECT-01'],
  [both(dry, kept, (asked) => asked.leaving), 'DRYRUN-EFFECT-02'],
  [both(dry, verb('create')), 'DRYRUN-CREATE-01'],
  [both(dry, has('generateName')), 'DRYRUN-GENERATED-01'],
  [both(dry, verb('update')), 'DRYRUN-UPDATE-01'],
  [both(dry, verb('json', 'merge', 'strategic', 'apply')), 'DRYRUN-PATCH-01'],
  [both(dry, verb('apply')), 'DRYRUN-APPLY-01'],
  [both(dry, verb('delete')), 'DRYRUN-DELETE-01'],
  [both(dry, verb('delete'), ({ query, step }) => query.has('dryRun') && step.body !== undefined), 'DRYRUN-DELETE-02'],
  [both(dry, ({ wanted }) => wanted >= 400), 'DRYRUN-STAGES-01'],
  [both(dry, ({ wanted, got }) => wanted < 400 && got >= 400), 'DRYRUN-VALUE-01'],
  [both(dry, forbidden), 'DRYRUN-AUTHORIZATION-01'],
  // Fields
  [both(strict, strange, verb('create', 'update')), 'FIELDS-STRICT-01'],
  [both(strict, strange, patch), 'FIELDS-STRICT-02'],
  [both(strict, strange, ({ body }) => body.split('stranger').length > 2), 'FIELDS-STRICT-03'],
  [both(strict, strange, verb('apply')), 'FIELDS-APPLY-01', 'FIELDS-STRICT-02'],
  [both(says('fieldValidation'), strange, form('yaml')), 'FIELDS-YAML-01'],
  [both(says('fieldValidation'), strange, form('cbor')), 'FIELDS-CBOR-01'],
  [both(says('fieldValidation', 'Ignore'), strange), 'FIELDS-IGNORE-01'],
  [both(says('fieldValidation', 'Warn'), strange), 'FIELDS-WARN-01'],
  [both(strange, not(says('fieldValidation'))), 'FIELDS-UNKNOWN-01'],
  [at(/^named/), 'FIELDS-STRICT-03', 'FIELDS-WARN-01'],
  [both(strange, at(/^warnings/)), 'FIELDS-WARN-01'],
  // Webhook configurations
  [both(hooks, at(/^(items\.)?webhooks/)), 'VWC-OBJECT-01', 'VWC-OBJECT-02'],
  [both(hooks, at(/failurePolicy$/)), 'VWC-FAILURE-01'],
  [both(hooks, at(/matchPolicy$/)), 'VWC-MATCH-01'],
  [both(hooks, at(/timeoutSeconds$/)), 'VWC-TIMEOUT-01'],
  [both(hooks, at(/Selector/)), 'VWC-SELECTOR-01'],
  [both(hooks, at(/scope$/)), 'VWC-RULES-07'],
  [both(hooks, at(/\.port$/)), 'VWC-SERVICE-03'],
  [both(hooks, at(/\.path$/)), 'VWC-SERVICE-02'],
  [both(hooks, at(/rules|admissionReviewVersions/)), 'VWC-RULES-01'],
  [both(hooks, at(/matchConditions/)), 'VWC-CONDITIONS-02'],
  [
    both(
      hooks,
      taken,
      text(/"name":"b?"|"name":"a\.seq.*"name":"a\.seq|"(webhooks|value)":\[\{(?!"name")/),
      not(has('matchConditions')),
    ),
    'VWC-NAME-01',
  ],
  [both(hooks, taken, text(/"admissionReviewVersions":\[("v2")?\]/)), 'VWC-VERSIONS-01'],
  [both(hooks, taken, not(text(/"admissionReviewVersions"/))), 'VWC-VERSIONS-01'],
  [both(hooks, refusedAsked, text(/"v2","v1"/)), 'VWC-VERSIONS-02'],
  [
    both(hooks, taken, any(text(/"clientConfig":\{\}|"url":"[^"]*","service"/), not(text(/clientConfig/)))),
    'VWC-CLIENT-01',
  ],
  [both(hooks, has('caBundle')), 'VWC-CABUNDLE-01'],
  [both(hooks, taken, text(/"service":\{"name(space)?":"."\}/)), 'VWC-SERVICE-01'],
  [both(hooks, has('"port"')), 'VWC-SERVICE-03'],
  [both(hooks, has('"path":"/p"')), 'VWC-SERVICE-02'],
  [both(hooks, taken, text(/"url":"(?!https:\/\/hook\.invalid\/x")/)), 'VWC-URL-02'],
  [both(hooks, refusedAsked, has('10.0.0.1')), 'VWC-URL-01'],
  [both(hooks, taken, any(text(/"sideEffects":"(Some|Unknown|none)"/), not(has('sideEffects')))), 'VWC-SIDEEFFECTS-01'],
  [both(hooks, refusedAsked, has('NoneOnDryRun')), 'VWC-SIDEEFFECTS-01'],
  [both(hooks, has('"failurePolicy"')), 'VWC-FAILURE-01'],
  [both(hooks, has('"matchPolicy"')), 'VWC-MATCH-01'],
  [both(hooks, has('Selector"')), 'VWC-SELECTOR-01'],
  [both(hooks, has('"timeoutSeconds"')), 'VWC-TIMEOUT-01'],
  [both(hooks, text(/"api(Groups|Versions)":\["\w+","\*"|"api(Groups|Versions)":\["\*",/)), 'VWC-RULES-02'],
  [both(hooks, text(/"operations":\[("CREATE","\*"|"PATCH"|"create"|"CONNECT"|"\*")/)), 'VWC-RULES-03'],
  [both(hooks, refusedAsked, text(/"resources":\["(\*|things\/|none)/)), 'VWC-RULES-04'],
  [both(hooks, taken, text(/"resources":\[[^\]]*\*/)), 'VWC-RULES-05', 'VWC-RULES-06', 'VWC-RULES-08'],
  [both(hooks, has('"scope"')), 'VWC-RULES-07'],
  [both(hooks, has('"c63"')), 'VWC-CONDITIONS-01'],
  [both(hooks, has('matchConditions'), not(has('"c63"'))), 'VWC-CONDITIONS-03', 'VWC-CONDITIONS-04'],
  // Cluster role bindings
  [both(bindings, has('-other"'), has('roleRef')), 'CRB-ROLEREF-05'],
  [both(bindings, at(/apiGroup$/)), 'CRB-SUBJECTS-05'],
  [both(bindings, taken, has('subjects')), 'CRB-SUBJECTS-01'],
  [both(bindings, any(at(/^(items\.)?subjects/), refusedAsked), has('subjects')), 'CRB-SUBJECTS-02', 'CRB-SUBJECTS-03'],
  // What is of the wrong type, and what cannot be
  [both(verb('update'), kept, ({ wanted }) => wanted >= 400), 'UPDATE-INVALID-01'],
  // Where
  [both(write, metadata('namespace')), 'NAME-SCOPE-02'],
  [both(verb('apply'), metadata('namespace')), 'APPLY-BODY-02'],
  [both(write, metadata('name'), has('{id}-other')), 'NAME-PATH-01'],
  [both(write, has('"kind":"Other"')), 'META-TYPE-02'],
  [both(verb('create'), text(/"kind":"\w+List"/)), 'VERB-SINGLE-01'],
  // Paths
  [both(({ step }) => WRONG_PLACE.test(step.path), code(404, 405)), 'URL-UNKNOWN-01'],
  [both(({ step }) => /\/(other|status)(\?|$)/.test(step.path), taken), 'URL-SUBRESOURCE-01'],
  [both(of('{id}-m'), taken), 'URL-ALL-02', 'DISCOVERY-SCOPE-01', 'URL-CORE-01', 'URL-GROUP-01'],
  [both(of('namespaces/{ns}/cluster'), taken), 'DISCOVERY-SCOPE-01', 'URL-GROUP-01'],
  [both(taken, ({ verb: asked, step }) => asked === 'create' && step.path.includes('{id}')), 'VERB-SINGLE-02'],
  [both(taken, ({ step }) => ['PUT', 'PATCH'].includes(step.method) && isCollection(pathOf(step))), 'VERB-SINGLE-02'],
  // Encodings
  [both(write, form('yaml'), not(strange)), 'YAML-REQUEST-01'],
  [both(form('cbor'), verb('apply')), 'CBOR-APPLY-01'],
  [both(form('cbor'), not(verb('apply'))), 'CBOR-ITEM-01'],
  [form('protobuf'), 'PROTOBUF-REQUEST-01'],
  [both(any(form('yaml'), form('cbor'), form('protobuf')), accept('/')), 'NEGOTIATE-CONTENT-02'],
  [accept('as=Table'), 'TABLE-SHAPE-01'],
  [both(accept('as=Table'), verb('list', 'watch')), 'TABLE-CONSISTENT-01'],
  [at(/content-encoding/), 'GZIP-ACCEPT-01'],
  [both(at(/content-encoding/), encoding('q=0')), 'GZIP-ACCEPT-02'],
  [accept('yaml'), 'YAML-RESPONSE-01'],
  [accept('cbor'), 'CBOR-ITEM-01'],
  [accept('protobuf'), 'PROTOBUF-RESPONSE-01'],
  [both(accept('protobuf'), at(/^(kind|apiVersion)$/)), 'PROTOBUF-ENVELOPE-01'],
  [both(accept('protobuf'), of('{id}.seq.example')), 'PROTOBUF-CUSTOM-01', 'NEGOTIATE-ACCEPT-02'],
  [both(accept('x-none'), ({ wanted }) => wanted === 406), 'NEGOTIATE-ACCEPT-02'],
  [
    both(
      accept('x-none'),
      not(({ wanted }) => wanted === 406),
    ),
    'NEGOTIATE-ACCEPT-03',
  ],
  [accept(';q='), 'NEGOTIATE-ACCEPT-04'],
  [both(accept('/'), any(code(406), at(/^header content-type|^kind$/))), 'NEGOTIATE-ACCEPT-01'],
  [both(accept('as=Partial')), 'NEGOTIATE-ACCEPT-01'],
  [at(/^columns/), 'TABLE-DEFAULT-01'],
  // Rights
  [both(someone, code(401, 403), ({ wanted, got }) => wanted >= 400 && got >= 400), 'REQUEST-STAGES-01'],
  [
    any(code(401), ({ step }) => typeof step.as === 'object' && 'token' in step.as),
    'ERROR-UNAUTHENTICATED-01',
    'OP-UNAUTHENTICATED-01',
  ],
  [forbidden, 'ERROR-FORBIDDEN-01', 'RBAC-RULE-01'],
  [both(forbidden, (asked) => asked.sub), 'RBAC-RULE-02'],
  [both(forbidden, verb('apply'), ({ wanted }) => wanted === 403), 'APPLY-PERMISSION-02', 'APPLY-PERMISSION-01'],
  [both(forbidden, patch), 'PATCH-TYPE-03'],
  // Versions
  [both(versioned, verb('update')), 'UPDATE-VERSION-02'],
  [both(versioned, verb('update'), ({ got }) => got >= 400), 'UPDATE-VERSION-01'],
  [both(versioned, verb('json', 'merge', 'strategic', 'apply')), 'UPDATE-VERSION-05'],
  [both(versioned, verb('apply')), 'APPLY-BODY-04'],
  [both(versioned, write, (asked) => asked.leaving), 'UPDATE-VERSION-06'],
  // Reading
  [both(verb('list'), says('resourceVersionMatch', 'Exact'), says('resourceVersion')), 'LIST-RV-10', 'LIST-RV-20'],
  [both(verb('list'), says('resourceVersionMatch', 'Exact'), says('resourceVersion'), says('limit')), 'LIST-RV-11'],
  [both(verb('list'), says('resourceVersionMatch', 'Exact'), not(says('resourceVersion'))), 'LIST-RV-09'],
  [both(verb('list'), says('resourceVersionMatch', 'NotOlderThan'), says('resourceVersion')), 'LIST-RV-14'],
  [both(verb('list'), says('resourceVersionMatch', 'NotOlderThan'), not(says('resourceVersion'))), 'LIST-RV-12'],
  [both(verb('list'), any(says('limit'), says('continue'))), 'CHUNK-LIMIT-01', 'CHUNK-WALK-01'],
  [at(/remainingItemCount/), 'CHUNK-REMAINING-01'],
  [both(verb('list'), says('labelSelector', 'more')), 'META-LABELS-01', 'OP-LIST-02'],
  [both(verb('list'), says('fieldSelector')), 'OP-LIST-02'],
  [both(verb('read'), says('resourceVersion')), 'GET-RV-03'],
  [both(verb('list'), at(/^(items|rows)$/)), 'LIST-KIND-01'],
  [both(verb('list'), at(/^(kind|apiVersion)$/)), 'LIST-KIND-01'],
  [both(verb('list'), says('resourceVersion', '0'), not(says('resourceVersionMatch'))), 'LIST-RV-02'],
  [both(verb('list'), says('resourceVersion', '0'), says('resourceVersionMatch', 'NotOlderThan')), 'LIST-RV-13'],
  [both(verb('list'), says('resourceVersion', '0'), says('resourceVersionMatch', 'Exact')), 'LIST-RV-09'],
  [both(verb('list'), says('resourceVersion'), not(says('resourceVersionMatch')), not(says('limit'))), 'LIST-RV-03'],
  [both(verb('list'), says('limit'), says('resourceVersion', '0')), 'CHUNK-LIMIT-03', 'LIST-RV-04'],
  [both(verb('list'), says('continue'), says('resourceVersion')), 'LIST-RV-08'],
  [
    both(verb('list'), says('continue'), not(says('resourceVersion'))),
    'LIST-RV-06',
    'CHUNK-SNAPSHOT-01',
    'CHUNK-SNAPSHOT-02',
  ],
  [at(/^gathered/), 'CHUNK-WALK-01', 'CHUNK-SNAPSHOT-02'],
  [both(at(/^gathered/), any(says('labelSelector'), says('fieldSelector'))), 'CHUNK-WALK-02'],
  [both(says('limit'), accept('as=Table')), 'TABLE-CONSISTENT-01'],
  [both(verb('read'), at(/^(metadata\.(name|namespace)|kind)$/)), 'GET-ITEM-01'],
  [both(verb('read'), otherwise), 'GET-ITEM-01'],
  // Watching
  [both(events, says('watch'), not(says('resourceVersion')), not(says('sendInitialEvents'))), 'WATCH-RV-01'],
  [both(events, says('resourceVersion', '0')), 'WATCH-RV-02'],
  [both(events, says('allowWatchBookmarks', 'false')), 'WATCH-BOOKMARK-01'],
  [both(events, says('sendInitialEvents'), says('resourceVersion')), 'STREAM-INITIAL-05'],
  [both(events, at(/^events\.object/)), 'WATCH-ADDED-01', 'WATCH-MODIFIED-01'],
  [both(events, at(/managers|managedFields/)), 'META-MANAGED-01'],
  [both(events, at(/labels/)), 'META-LABELS-01'],
  [both(events, at(/annotations/)), 'META-ANNOTATIONS-01'],
  [both(events, at(/resourceVersion/)), 'META-VERSION-01'],
  [both(events, after(dry)), 'DRYRUN-EFFECT-01'],
  [both(events, after(verb('delete'))), 'WATCH-DELETED-01', 'WATCH-DELETED-02'],
  [both(events, after(verb('create'))), 'WATCH-ADDED-01', 'WATCH-RELIABLE-01'],
  [
    both(events, after(both(write, not(verb('create', 'delete'))))),
    'WATCH-MODIFIED-01',
    'WATCH-RELIABLE-01',
    'WATCH-QUIET-01',
  ],
  [both(events, at(/length$/), ({ fewer }) => fewer), 'WATCH-RELIABLE-01'],
  [both(events, at(/length$/), ({ fewer }) => !fewer), 'WATCH-UNIQUE-01', 'WATCH-QUIET-01'],
  [both(events, says('sendInitialEvents')), 'STREAM-INITIAL-01'],
  [both(events, says('sendInitialEvents'), says('allowWatchBookmarks')), 'STREAM-INITIAL-02'],
  [both(verb('watch'), says('sendInitialEvents'), not(says('resourceVersionMatch'))), 'STREAM-INITIAL-03'],
  [both(events, says('allowWatchBookmarks'), not(says('sendInitialEvents'))), 'WATCH-BOOKMARK-01'],
  [both(events, says('resourceVersion')), 'WATCH-RV-03', 'WATCH-RESUME-01', 'WATCH-RESUME-02'],
  [both(events, any(says('fieldSelector'), says('labelSelector', 'more'))), 'WATCH-FILTER-01'],
  [
    both(events, at(/\.type$|length$/), any(says('labelSelector', 'more'), says('fieldSelector'))),
    ...(['WATCH-FILTER-02', 'WATCH-FILTER-03'] as const),
  ],
  // Deleting
  [both(verb('delete'), has('preconditions')), 'DELETE-OPTIONS-01'],
  [both(verb('delete'), any(says('propagationPolicy'), has('propagationPolicy'))), 'DELETE-OPTIONS-02', 'OP-DELETE-01'],
  [
    both(
      verb('delete'),
      any(says('propagationPolicy', 'Never'), says('gracePeriodSeconds', 'soon'), has('"Never"'), has('"soon"')),
    ),
    'DELETE-OPTIONS-03',
  ],
  [both(verb('delete'), ({ step }) => step.body !== undefined), 'OP-DELETE-01'],
  [both(verb('delete'), says('labelSelector')), 'OP-DELETECOLLECTION-01'],
  [both(verb('delete'), any(says('labelSelector'), says('fieldSelector')), dry), 'OP-DELETECOLLECTION-02'],
  [both(verb('delete'), says('fieldSelector'), not(dry)), 'OP-DELETECOLLECTION-01'],
  [both(verb('delete'), any(says('limit'), says('pretty'), says('timeoutSeconds'))), 'OP-DELETECOLLECTION-02'],
  [both(verb('delete'), says('labelSelector'), at(/finalizers|deletionTimestamp/)), 'DELETE-COLLECTION-01'],
  // Metadata
  [both(otherwise, write, verb('create')), 'OP-CREATE-01'],
  [both(otherwise, write, verb('update')), 'OP-UPDATE-01'],
  [both(otherwise, write, verb('json', 'merge', 'strategic', 'apply')), 'OP-PATCH-01'],
  [both(otherwise, at(/managedFields\.\d+\.time/)), 'APPLY-TIME-01', 'META-MANAGED-02'],
  [both(otherwise, at(/managedFields/), write), 'META-MANAGED-01'],
  [both(otherwise, at(/labels/)), 'META-LABELS-01'],
  [both(otherwise, at(/annotations/)), 'META-ANNOTATIONS-01'],
  [
    both(at(/^metadata\.resourceVersion/), not(otherwise), write),
    'META-VERSION-01',
    'META-VERSION-02',
    'PATCH-RESULT-03',
  ],
  [both(at(/uid$/), verb('create')), 'META-UID-01', 'NAME-REUSE-01'],
  [both(at(/uid$/), not(verb('create'))), 'META-UID-01', 'PATCH-RESULT-02'],
  [both(at(/creationTimestamp/)), 'META-CREATED-01'],
  [both(at(/deletionTimestamp/)), 'META-DELETION-01'],
  [both(at(/deletionTimestamp/), (asked) => asked.leaving), 'DELETE-PHASE-03'],
  [both(metadata('annotations'), at(/annotations/)), 'META-ANNOTATIONS-01'],
  [both(metadata('finalizers'), (asked) => asked.leaving), 'DELETE-FINALIZER-01'],
  [metadata('managedFields'), 'APPLY-CLEAR-01', 'APPLY-CLEAR-02'],
  [both(metadata('managedFields'), verb('apply')), 'APPLY-BODY-03'],
  [
    both(
      metadata('finalizers'),
      not((asked) => asked.leaving),
    ),
    'META-FINALIZERS-01',
  ],
  [both(metadata('finalizers'), (asked) => asked.leaving), 'DELETE-FINALIZER-02', 'DELETE-FINALIZER-03'],
  [both(metadata('creationTimestamp'), write), 'META-CREATED-01'],
  [both(metadata('deletionTimestamp'), write), 'META-DELETION-01'],
  [has('generateName'), 'META-GENERATE-01'],
  [both(at(/^metadata\.managers/), ({ query }) => query.has('fieldManager'), not(verb('apply'))), 'APPLY-MANAGER-03'],
  [both(at(/^metadata\.managers/), ({ query }) => !query.has('fieldManager'), not(verb('apply'))), 'APPLY-MANAGER-04'],
  [both(at(/^metadata\.managers/), not(verb('apply'))), 'APPLY-UPDATE-01', 'META-MANAGED-01'],
  [both(at(/^metadata\.managers/), verb('apply')), 'APPLY-MANAGER-02'],
  [both(at(/^metadata\.managers/), (asked) => asked.sub), 'APPLY-SUBRESOURCE-01'],
  // Parts that several apply
  [
    both(verb('apply'), at(/labels|managers/), not(says('force'))),
    'APPLY-REMOVE-01',
    'APPLY-REMOVE-03',
    'APPLY-SHARE-02',
  ],
  [
    both(verb('apply'), any(has('"whole"'), has('"ref"'), has('"plain"'), has('"deep"'))),
    'MERGE-ATOMIC-01',
    'MERGE-ATOMIC-02',
  ],
  [both(verb('apply'), has('"whole"')), 'MERGE-GRANULAR-02'],
  [both(verb('apply'), has('"map"')), 'MERGE-GRANULAR-01'],
  [both(verb('apply'), has('"ref"')), 'MERGE-STRUCT-02'],
  [both(verb('apply'), has('"struct"')), 'MERGE-STRUCT-01'],
  [both(verb('apply'), has('"tags"')), 'MERGE-SET-01', 'MERGE-SET-03', 'MERGE-ORDER-01'],
  [both(verb('apply'), has('"items"')), 'MERGE-MAP-01', 'MERGE-ORDER-01'],
  [both(verb('apply'), has('"ports"')), 'MERGE-MAP-03', 'MERGE-MAP-04'],
  [both(verb('apply'), has('"size"')), 'APPLY-REMOVE-02'],
  [both(verb('apply'), has('"subjects"')), 'MERGE-ATOMIC-01', 'CRB-SUBJECTS-02'],
  [both(verb('apply'), has('"rules"')), 'MERGE-ATOMIC-01'],
  [both(verb('apply'), hooks), 'VWC-OBJECT-02', 'MERGE-STRATEGY-01', 'VWC-RULES-01', 'VWC-CONDITIONS-02'],
  // What the requests themselves do
  [both(verb('apply'), not(says('fieldManager')), code(400, 422)), 'APPLY-MANAGER-01'],
  [both(verb('apply'), says('force'), not(code(403))), 'APPLY-FORCE-01'],
  [both(verb('apply'), code(409), not(versioned)), 'APPLY-CONFLICT-01'],
  [both(verb('apply'), code(201)), 'APPLY-CREATE-01'],
  [both(patch, ({ wanted }) => wanted === 404), 'PATCH-TYPE-02'],
  [both(verb('create'), ({ wanted }) => wanted === 409), 'NAME-UNIQUE-01'],
  [both(verb('strategic'), ({ wanted }) => wanted === 415), 'STRATEGIC-CUSTOM-01'],
  [both(verb('json'), text(/~[01]|finalizers\/./)), 'JSONPATCH-POINTER-01'],
  [both(verb('json'), any(has('"op":"copy"'), has('"op":"move"'))), 'JSONPATCH-OPERATION-01'],
  [both(verb('json'), has('"op":"test"'), not(versioned)), 'JSONPATCH-TEST-01'],
  [both(write, (asked) => asked.sub, at(/^(spec|metadata\.labels)/)), 'URL-SUBRESOURCE-01'],
];

/**
 * The requirements that a difference is about. The step is one out of which all has been taken that does not matter
 * (`simplest`), so that what it still says is what they are about.
 * @param before the steps that led to it
 */
export function requirementsOf(place: Place, before: readonly Step[]): readonly RequirementId[] {
  const asked = read(place, before);
  const named = ROWS.flatMap(([fits, ...ids]) => (fits(asked) ? ids : []));
  const plain = PLAIN.find(([fits]) => fits(asked));
  const about = named.length > 0 ? named : (plain?.slice(1) as RequirementId[] | undefined);
  const decided = decidedBy(place);
  return [...new Set([...(about ?? []), ...(decided === undefined || about !== undefined ? [] : [decided])])];
}

/** Of a request in which nothing else matters. */
const PLAIN: readonly Row[] = [
  [both(patch, taken, not(code(404, 409))), 'FIELDS-TYPE-01', 'PATCH-RESULT-01'],
  [both(write, taken, not(code(404, 409))), 'FIELDS-TYPE-01'],
  [both(verb('list'), at(/length$/)), 'LIST-RV-01', 'URL-ALL-01', 'OP-LIST-01'],
  [both(verb('apply'), at(/^metadata\.(labels|annotations)|^data|^spec/)), 'APPLY-MERGE-02', 'APPLY-REMOVE-01'],
  [verb('apply'), 'APPLY-MERGE-01'],
  [verb('json'), 'JSONPATCH-OPERATION-01'],
  [verb('merge'), 'MERGEPATCH-RULE-01'],
  [verb('strategic'), 'STRATEGIC-MERGE-01'],
  [both(verb('update'), code(409)), 'UPDATE-VERSION-02'],
  [verb('update'), 'UPDATE-REPLACE-01'],
  [both(verb('delete'), (asked) => asked.leaving), 'DELETE-PHASE-03'],
  [both(verb('delete'), code(404)), 'DELETE-MISSING-01'],
  [verb('delete'), 'DELETE-PHASE-01', 'DELETE-PHASE-02'],
  [both(events, at(/\.type$/)), 'WATCH-ADDED-01', 'WATCH-MODIFIED-01', 'WATCH-DELETED-01'],
  [events, 'WATCH-RELIABLE-01', 'WATCH-RV-01'],
];

const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function read(place: Place, before: readonly Step[]): Asked {
  const { step, difference } = place;
  const [path = '', search = ''] = step.path.split('?');
  const type = step.headers?.['content-type'] ?? '';
  const body = JSON.stringify(step.body ?? '');
  const query = new URLSearchParams(search);
  // A selector that says more than which objects are of the sequence.
  if (query.get('labelSelector')?.includes(',')) query.set('labelSelector', 'more');
  const status = difference.path === 'status';
  const shown = [difference.first, difference.second].map(String).find((each) => each.startsWith(OTHERWISE));
  const where = difference.path.replace(/^(items|rows|gathered|events)\.\d+\./, '$1.');
  // What was done before shows in what is read of it.
  const at = step.method === 'GET' ? before.findLastIndex(({ method }) => CHANGING.has(method)) : -1;
  const last = before[at];
  return {
    verb: verbOf(step, path, query),
    sub: /\/(status|scale)$/.test(path),
    query,
    form: step.form ?? (/cbor|yaml/.test(type) && !type.includes('apply') ? type : ''),
    accept: step.headers?.accept ?? '',
    step,
    body,
    metadata: isRecord(step.body) && isRecord(step.body.metadata) ? step.body.metadata : {},
    where: shown === undefined ? where : shown.slice(OTHERWISE.length),
    otherwise: shown !== undefined,
    cause: last && read({ step: last, difference }, before.slice(0, at)),
    kept: difference.what === 'object' || difference.what === 'collection',
    events: difference.what === 'events',
    fewer: Number(difference.second) < Number(difference.first),
    wanted: status ? Number(difference.first) : 0,
    got: status ? Number(difference.second) : 0,
    leaving: before.some((other) => other.method === 'DELETE' && path.startsWith(other.path)),
  };
}

function verbOf({ method, headers = {} }: Step, path: string, query: URLSearchParams): Asked['verb'] {
  if (query.get('watch') === 'true') return 'watch';
  if (method === 'GET') return query.has('labelSelector') || query.has('limit') || isCollection(path) ? 'list' : 'read';
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'DELETE') return 'delete';
  const type = headers['content-type'] ?? '';
  if (type.includes('json-patch')) return 'json';
  if (type.includes('strategic')) return 'strategic';
  return type.includes('apply') ? 'apply' : 'merge';
}

const isCollection = (path: string): boolean =>
  /^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+)?\/[^/]+$/.test(path);
