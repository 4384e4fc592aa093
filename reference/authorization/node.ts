import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type {
  Attributes,
  AuthorizationResult,
  Authorizer,
  ResolvedRules,
  ResourceAttributes,
  RuleResolver,
} from '../contracts/authorizer.ts';
import { nodeOf, type PolicyRule } from '../contracts/authorizer.ts';
import { ruleAllows, ruleOf } from '../contracts/rbacRules.ts';
import { COMPONENTS } from './defaults/components.ts';
import { expandRule } from './defaults/notation.ts';
import type { NodeGraph } from './nodeGraph.ts';

/** Yes, or no opinion with the reason why not. */
type Answer = true | string;

/** Decides about one resource; what it does not answer itself is left to the fixed rules of nodes. */
type Decider = (asked: ResourceAttributes, node: string) => Answer;

const rulesByDialect = new WeakMap<Dialect, readonly PolicyRule[]>();

/** What nodes may do whatever their name is. */
function fixedRules(dialect: Dialect): readonly PolicyRule[] {
  let rules = rulesByDialect.get(dialect);
  if (!rules) {
    rules = (COMPONENTS['system:node']?.rules ?? []).map((short) => ruleOf(expandRule(short, dialect)));
    rulesByDialect.set(dialect, rules);
  }
  return rules;
}

/** Requests of node agents (2/node-authorization): what has to do with their own node, and nothing else. */
export class NodeAuthorizer implements Authorizer, RuleResolver {
  readonly name: string;
  readonly #graph: NodeGraph;
  readonly #dialect: Dialect;
  readonly #deciders: ReadonlyMap<string, Decider>;

  /** @param withSelectors whether reads of nodes and pods are narrowed too (gate AuthorizeNodeWithSelectors) */
  constructor(graph: NodeGraph, dialect: Dialect, withSelectors: boolean, name = 'node') {
    this.#graph = graph;
    this.name = name;
    this.#dialect = dialect;
    const storage = groupName(dialect, 'storage');
    const resources = groupName(dialect, 'resource');
    const leaseNamespace = dialect.nodeLeaseNamespace;
    this.#deciders = new Map<string, Decider>([
      ['/secrets', (asked, node) => this.#readRelated(asked, node)],
      ['/configmaps', (asked, node) => this.#readRelated(asked, node)],
      ['/persistentvolumeclaims', (asked, node) => this.#claim(asked, node)],
      ['/persistentvolumes', (asked, node) => this.#getRelated(asked, node)],
      [`${resources}/resourceclaims`, (asked, node) => this.#getRelated(asked, node)],
      [`${storage}/volumeattachments`, (asked, node) => this.#getRelated(asked, node)],
      ['/serviceaccounts', (asked, node) => this.#token(asked, node)],
      [`${groupName(dialect, 'coordination')}/leases`, (asked, node) => decideLease(asked, node, leaseNamespace)],
      [`${storage}/csinodes`, decideCsiNode],
      [`${resources}/resourceslices`, (asked, node) => this.#slice(asked, node)],
      ...(withSelectors
        ? ([
            ['/nodes', decideNode],
            ['/pods', (asked, node) => this.#pod(asked, node)],
          ] as [string, Decider][])
        : []),
    ]);
  }

  authorize(asked: Attributes): AuthorizationResult {
    const node = nodeOf(asked.user);
    if (node === undefined) return this.#verdict('');
    if (node === '') return this.#verdict(`unknown node for user ${JSON.stringify(asked.user.username)}`);
    const decide = asked.isResource ? this.#deciders.get(`${asked.group}/${asked.resource}`) : undefined;
    if (asked.isResource && decide) return this.#verdict(decide(asked, node));
    return this.#verdict(fixedRules(this.#dialect).some((rule) => ruleAllows(rule, asked)) ? true : '');
  }

  /** A node's rights hang on its pods: they cannot be told as rules. */
  rulesFor(user: Attributes['user']): ResolvedRules {
    const isNode = nodeOf(user) !== undefined;
    return {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: isNode,
      error: isNode ? 'node authorizer does not support user rule resolution' : '',
    };
  }

  #verdict(answer: Answer): AuthorizationResult {
    return answer === true
      ? { decision: 'allow', reason: '', by: this.name }
      : { decision: 'noOpinion', reason: answer, by: this.name };
  }

  #related({ resource, namespace, name }: ResourceAttributes, node: string): Answer {
    if (name === '') return 'No Object name found';
    return this.#graph.related(node, resource, namespace, name)
      ? true
      : `no relationship found between node '${node}' and this object`;
  }
  #getRelated(asked: ResourceAttributes, node: string): Answer {
    if (asked.verb !== 'get') return 'can only get individual resources of this type';
    if (asked.subresource !== '') return 'cannot get subresource';
    return this.#related(asked, node);
  }
  #readRelated(asked: ResourceAttributes, node: string): Answer {
    if (!['get', 'list', 'watch'].includes(asked.verb)) return 'can only read resources of this type';
    if (asked.subresource !== '') return 'cannot read subresource';
    if (asked.namespace === '') return 'can only read namespaced object of this type';
    return this.#related(asked, node);
  }
  #claim(asked: ResourceAttributes, node: string): Answer {
    if (asked.subresource !== 'status') return this.#getRelated(asked, node);
    if (asked.verb !== 'update' && asked.verb !== 'patch') return 'can only update status of this type';
    return this.#related(asked, node);
  }
  #token(asked: ResourceAttributes, node: string): Answer {
    if (asked.verb !== 'create' || asked.name === '') {
      return 'can only create tokens for individual service accounts';
    }
    if (asked.subresource !== 'token') return 'can only create token subresource of service account';
    return this.#related(asked, node);
  }
  #pod(asked: ResourceAttributes, node: string): Answer {
    const { verb, subresource } = asked;
    if (subresource === 'status') return verb === 'update' || verb === 'patch' ? true : '';
    if (subresource === 'eviction') return verb === 'create' ? true : '';
    if (subresource !== '') return '';
    if (verb === 'get') return this.#getRelated(asked, node);
    if (verb === 'list' || verb === 'watch') {
      if (selectsNode(asked, node)) return true;
      return asked.name === ''
        ? 'can only list/watch pods with spec.nodeName field selector'
        : this.#related(asked, node);
    }
    // Which pods a node may create and delete is for the admission plugin NodeRestriction to say.
    return verb === 'create' || verb === 'delete' ? true : '';
  }
  #slice(asked: ResourceAttributes, node: string): Answer {
    if (asked.subresource !== '') return 'cannot authorize ResourceSlice subresources';
    switch (asked.verb) {
      case 'create':
        return true;
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return this.#related(asked, node);
      case 'list':
      case 'watch':
      case 'deletecollection':
        return selectsNode(asked, node)
          ? true
          : 'can only list/watch/deletecollection resourceslices with nodeName field selector';
      default:
        return 'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection';
    }
  }
}

function selectsNode({ fieldSelector }: ResourceAttributes, node: string): boolean {
  return (fieldSelector ?? []).some(
    ({ key, operator, values }) =>
      key === 'spec.nodeName' && operator === 'In' && values.length === 1 && values[0] === node,
  );
}

const OWN_VERBS = ['get', 'create', 'update', 'patch', 'delete'];

function decideLease(asked: ResourceAttributes, node: string, leaseNamespace: string): Answer {
  if (!OWN_VERBS.includes(asked.verb)) return 'can only get, create, update, patch, or delete a node lease';
  if (asked.namespace !== leaseNamespace) {
    return `can only access leases in the ${JSON.stringify(leaseNamespace)} system namespace`;
  }
  return asked.verb === 'create' || asked.name === node
    ? true
    : 'can only access node lease with the same name as the requesting node';
}

function decideCsiNode(asked: ResourceAttributes, node: string): Answer {
  if (!OWN_VERBS.includes(asked.verb)) return 'can only get, create, update, patch, or delete a CSINode';
  if (asked.subresource !== '') return 'cannot authorize CSINode subresources';
  return asked.verb === 'create' || asked.name === node
    ? true
    : 'can only access CSINode with the same name as the requesting node';
}

/** A node reads its own object only; which one it writes is for the admission plugin NodeRestriction to say. */
function decideNode({ verb, subresource, name }: ResourceAttributes, node: string): Answer {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? true : '';
  if (subresource !== '') return '';
  if (verb === 'create' || verb === 'update' || verb === 'patch') return true;
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return '';
  if (name === node) return true;
  return name === ''
    ? `node '${node}' cannot read all nodes, only its own Node object`
    : `node '${node}' cannot read '${name}', only its own Node object`;
}
