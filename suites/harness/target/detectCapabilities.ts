import { capabilities as known } from '../../../fixtures/ledger/index.ts';
import type { CapabilityFinding } from '../../../reports/events.ts';
import { isLoopback } from '../client/loopback.ts';
import { isRecord } from '../json.ts';
import type { Capability } from './capabilities.ts';
import { deprecatedEndpoints } from './deprecatedEndpoints.ts';
import type { Prober } from './probe.ts';
import { selfReview, servesSelfReviews, userIn } from './selfReview.ts';
import type { Identity, Target } from './target.ts';

/** A target before its capabilities are known. */
export type Found = Omit<Target, 'capabilities'>;
type Seen = Omit<CapabilityFinding, 'name'>;

const yes = (because: string): Seen => ({ present: true, because });
const no = (because: string): Seen => ({ present: false, because });
/** Only the built-in reference has a port for what no client of an API server may do. */
const ofControl = ({ control }: Found): Seen =>
  control === undefined ? no('only the built-in reference has a control port') : yes('it has a control port');

/** Whether checks get servers with flags of their own: a target that we start, or start again. */
const isStarted = ({ mode, commands }: Found): boolean => mode !== 'url' || commands?.restarts === true;

/** What would let us judge what is off on a target. */
const STARTED_SO = '; --restart-command or --launch lets us start it with them on';

/** How each capability is found out, by probes that change nothing. */
const PROBES: Readonly<Record<Capability, (prober: Prober, target: Found) => Seen | Promise<Seen>>> = {
  launch: (_, target) => {
    if (target.mode !== 'url') return yes('we start the target ourselves');
    if (isStarted(target)) return yes('--restart-command starts the target again');
    return no(
      'the target was running already; --restart-command or --launch lets us start it with the flags and files of each check',
    );
  },
  restart: (_, { mode, commands }) => {
    if (mode === 'embedded') return yes('the embedded target can keep its objects in a directory');
    if (mode === 'launch') {
      return commands?.keeps
        ? yes('the command of --launch takes a folder for what it keeps')
        : no('{data} in the command of --launch would let it keep its objects');
    }
    return commands?.restarts
      ? yes('--restart-command starts the target again')
      : no('--restart-command would let us start it again');
  },
  releases: (_, { mode, commands }) => {
    if (mode === 'embedded') return yes('the embedded target can be any release');
    const releases = mode === 'launch' ? (commands?.releases ?? []) : [];
    return releases.length > 0
      ? yes(`the command of --launch starts ${releases.join(', ')}`)
      : no('{release} in the command of --launch, with --releases, would let it be another release');
  },
  'authentication-file': (_, target) => {
    if (isStarted(target)) return yes('checks of it get a server with a file of theirs');
    if (target.commands?.rewrites !== true)
      return no(
        '--authentication-config names no file; it, --restart-command or --launch would let us change what it says',
      );
    if (!isLoopback(new URL(target.base).hostname) && target.callbackHost === undefined)
      return no('the target runs elsewhere, and --callback-host does not say how it reaches issuers on this machine');
    return yes('--authentication-config names the file that the target reads');
  },
  'virtual-clock': (_, target) => ofControl(target),
  'store-access': (_, target) => ofControl(target),
  'plain-identity': plainIdentity,
  'anonymous-access': async (prober) => {
    const { status } = await prober.get({}, '/apis');
    return { present: status !== 401 && status !== 0, because: `a request without credentials was answered ${status}` };
  },
  'client-certificate': (_, target) =>
    isStarted(target)
      ? yes('checks of it get a server that trusts an authority of ours')
      : served(target, `certificates.${target.dialect.apiDomain}/v1/certificatesigningrequests/approval`),
  'service-account-tokens': (_, target) => served(target, 'v1/serviceaccounts/token'),
  'bootstrap-tokens': (_, target) =>
    yes(
      isStarted(target)
        ? 'checks of them get a server with them on'
        : 'checks of them store one, and look whether it is taken',
    ),
  impersonation,
  rbac: async (prober, target) => {
    const seen = served(target, `rbac.authorization.${target.dialect.apiDomain}/v1/clusterrolebindings`);
    if (!seen.present) return seen;
    const { plain } = target.identities;
    const may = plain ? await mayDoAll(prober, target, plain) : undefined;
    return may ? no('an identity without rights may do everything') : seen;
  },
  'node-authorizer': (prober, target) =>
    isStarted(target)
      ? yes('checks of it get a server with it on, and certificates of nodes')
      : authorizedNodes(prober, target),
  nodes: (prober, target) =>
    isStarted(target)
      ? yes('checks of it get a server with both on, and certificates of nodes')
      : restrictedNodes(prober, target),
  controllers,
  'custom-types': (_, target) => {
    const plural = `/customresourcedefinitions`;
    const found = target.served.find((each) => each.endsWith(plural));
    return found ? yes(`discovery names ${found}`) : no('discovery names no definitions of custom types');
  },
  'webhook-reachable': (_, { mode, base, callbackHost }) => {
    if (mode !== 'url' || isLoopback(new URL(base).hostname)) return yes('the target runs on this machine');
    if (callbackHost !== undefined) return yes(`the target is said to reach this machine as ${callbackHost}`);
    return no('the target runs elsewhere, and --callback-host does not say how it reaches this machine');
  },
  services: (_, { mode }) =>
    mode === 'embedded'
      ? yes('the embedded target is told where services are')
      : no('whether it reaches services of ours cannot be seen from outside'),
  pods: (_, target) => served(target, 'v1/pods'),
  cbor: async (prober, { identities, mode }) => {
    if (mode === 'embedded') return yes('checks of it get a server with the gate on');
    const answer = await prober.send(identities.admin ?? {}, 'GET', '/api/v1/namespaces?limit=1', {
      accept: 'application/cbor',
    });
    const is = answer.type.startsWith('application/cbor');
    return {
      present: is,
      because: `a request for CBOR was answered ${answer.status} with ${answer.type || 'no type'}`,
    };
  },
  metrics: async (prober, { identities }) => {
    const { status } = await prober.get(identities.admin ?? {}, '/metrics');
    return { present: status === 200, because: `/metrics was answered ${status}` };
  },
  'audit-log': (_, target) => {
    if (target.mode !== 'url' || (isStarted(target) && isLoopback(new URL(target.base).hostname)))
      return yes('checks of it get a server that writes one');
    return no('its audit log is read only where it is started by --launch, or on this machine by --restart-command');
  },
  'deprecated-endpoint': (_, target) => {
    const [found] = deprecatedEndpoints(target);
    return found === undefined ? no('discovery names none') : yes(`discovery names ${found.served}`);
  },
};

/** Every capability of the ledger with what was seen of it. */
export async function detectCapabilities(prober: Prober, target: Found): Promise<CapabilityFinding[]> {
  const names = Object.keys(known) as Capability[];
  return Promise.all(names.map(async (name) => ({ name, ...(await PROBES[name](prober, target)) })));
}

function served(target: Found, what: string): Seen {
  return target.served.includes(what) ? yes(`discovery names ${what}`) : no(`discovery does not name ${what}`);
}

export async function plainIdentity(prober: Prober, target: Found): Promise<Seen> {
  const { plain } = target.identities;
  if (!plain) return no('no second identity was given (--plain-token or --plain-context)');
  const [answer, may] = await Promise.all([prober.get(plain, '/version'), mayDoAll(prober, target, plain)]);
  if (answer.status === 401) return no('the second identity was refused with 401');
  if (may === true) return no('the second identity may do everything');
  if (plain.user === undefined) return no('the user name of the second identity could not be learned');
  return yes(`the second identity is ${plain.user}, who may not do everything`);
}

/** A node that there is not, which is acted as to see what the target does with nodes. */
const PROBED_NODE = 'system:node:touchstone-probe';

/** Nodes of a target that runs already are acted as. That the Node authorizer is on is seen from a review. */
async function authorizedNodes(prober: Prober, target: Found): Promise<Seen> {
  const acts = await impersonation(prober, target);
  if (!acts.present) return no(`nodes can only be acted as, and ${acts.because}`);
  const admin = target.identities.admin ?? {};
  const version = `authorization.${target.dialect.apiDomain}/v1`;
  const answer = await prober.post(admin, `/apis/${version}/subjectaccessreviews`, {
    apiVersion: version,
    kind: 'SubjectAccessReview',
    spec: { user: PROBED_NODE, groups: ['system:nodes'], resourceAttributes: { verb: 'list', resource: 'services' } },
  });
  const status = isRecord(answer.json) ? answer.json.status : undefined;
  if (!isRecord(status) || status.allowed !== true)
    return no(`a node may not read services: the Node authorizer is off${STARTED_SO}`);
  return yes('nodes are acted as, and the Node authorizer is on');
}

/** That NodeRestriction is on is seen from a trial in which a node writes to another one. */
async function restrictedNodes(prober: Prober, target: Found): Promise<Seen> {
  const authorized = await authorizedNodes(prober, target);
  if (!authorized.present) return authorized;
  const admin = target.identities.admin ?? {};
  const headers = { 'impersonate-user': PROBED_NODE, 'impersonate-group': 'system:nodes' };
  const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'touchstone-probed' } };
  const tried = await prober.send(admin, 'POST', '/api/v1/nodes?dryRun=All', headers, body);
  return tried.status === 403
    ? yes('nodes are acted as; the Node authorizer and NodeRestriction are on')
    : no(`a node that registers another one was answered ${tried.status}: NodeRestriction is off${STARTED_SO}`);
}

/** A user that there is not. */
const NOBODY = { 'impersonate-user': 'touchstone-nobody' };

async function impersonation(prober: Prober, target: Found): Promise<Seen> {
  const admin = target.identities.admin ?? {};
  const { path, body } = selfReview(target.dialect);
  const answer = await prober.send(admin, 'POST', path, NOBODY, body);
  const became = servesSelfReviews(target)
    ? userIn(answer) === NOBODY['impersonate-user']
    : await losesRights(prober, target, admin);
  return became
    ? yes('acting as another user was possible')
    : no(`acting as another user was answered ${answer.status}`);
}

/** Whether who may do everything may no longer where they act as nobody: who they are then cannot be asked. */
async function losesRights(prober: Prober, target: Found, admin: Identity): Promise<boolean> {
  const may = await mayDoAll(prober, target, admin);
  return may === true && (await mayDoAll(prober, target, admin, NOBODY)) === false;
}

/** Controllers leave a trace: every namespace has a service account `default` soon after it came to be. */
async function controllers(prober: Prober, { identities }: Found): Promise<Seen> {
  const answer = await prober.get(identities.admin ?? {}, '/api/v1/namespaces/default/serviceaccounts/default');
  return answer.status === 200
    ? yes('the namespace default has its service account')
    : no(`the service account that controllers make in the namespace default was answered ${answer.status}`);
}

/** Whether an access review grants every verb on everything; `undefined` when none answers. */
async function mayDoAll(
  prober: Prober,
  target: Found,
  identity: Identity,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean | undefined> {
  const version = `authorization.${target.dialect.apiDomain}/v1`;
  const answer = await prober.send(identity, 'POST', `/apis/${version}/selfsubjectaccessreviews`, headers, {
    apiVersion: version,
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb: '*', group: '*', resource: '*' } },
  });
  const status = isRecord(answer.json) ? answer.json.status : undefined;
  return isRecord(status) && typeof status.allowed === 'boolean' ? status.allowed : undefined;
}
