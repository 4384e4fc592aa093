import { CHANGES, NODE_READS } from '../../fixtures/ledger/index.ts';
import type { User } from '../../reference/api/identity.ts';
import type { AdmissionAttributes } from '../../reference/contracts/admission.ts';
import type { Attributes } from '../../reference/contracts/authorizer.ts';
import type { Seams } from '../../reference/seams.ts';
import { onVerbs } from '../alter.ts';
import { coding } from '../asking.ts';
import type { Mutant, Start } from '../mutant.ts';
import { allowed, onMember, unopinionated } from '../onAuthorizers.ts';

const isNode = ({ user }: Attributes): boolean => user.groups.includes('system:nodes');

/** The Node authorizer allows something more. */
const nodesMay = (what: (asked: Attributes & { readonly isResource: true }) => boolean): Seams =>
  onMember('node', async (asked, ask) =>
    isNode(asked) && asked.isResource && what(asked) ? allowed('node') : ask(asked),
  );

/** The Node authorizer has no opinion on something. */
const nodesMayNot = (what: (asked: Attributes & { readonly isResource: true }) => boolean): Seams =>
  onMember('node', async (asked, ask) => (asked.isResource && what(asked) ? unopinionated('node') : ask(asked)));

/** The Node authorizer goes on allowing what it has allowed once. */
function remembering(what: (asked: Attributes & { readonly isResource: true }) => boolean): Seams {
  const read = new Set<string>();
  return onMember('node', async (asked, ask) => {
    const key = JSON.stringify(asked);
    if (read.has(key)) return allowed('node');
    const verdict = await ask(asked);
    if (verdict.decision === 'allow' && asked.isResource && what(asked)) read.add(key);
    return verdict;
  });
}

/** Starts with the plugin NodeRestriction on or off, whatever the flags say. */
const restriction = (on: boolean): Start => ({
  options: (options) => {
    const { enable, disable, ...rest } = options.admission;
    const name = 'NodeRestriction';
    const without = (list: readonly string[]) => list.filter((each) => each !== name);
    const admission = on
      ? { ...rest, enable: [...without(enable), name], disable: without(disable) }
      : { ...rest, enable: without(enable), disable };
    return { ...options, admission };
  },
});

/** Admission judges writes as if somebody else had sent them. */
const asWritten = (by: (user: User, attributes: AdmissionAttributes) => User): Seams => {
  const changed = (attributes: AdmissionAttributes): AdmissionAttributes => {
    const { request, info, user, warnings, audit, recorder, trace } = attributes.exchange;
    const other = by(user, attributes);
    if (other === user) return attributes;
    // What mutating plugins change in place is changed for both.
    return { ...attributes, exchange: { request, info, user: other, warnings, audit, recorder, trace } };
  };
  return {
    admission: (plugins) => ({
      name: plugins.name,
      mutate: (attributes) => plugins.mutate(changed(attributes)),
      validate: (attributes) => plugins.validate(changed(attributes)),
      stop: () => plugins.stop(),
    }),
  };
};
/** NodeRestriction leaves these writes of nodes alone. */
const unrestricted = (which: (attributes: AdmissionAttributes) => boolean): Seams =>
  asWritten((user, attributes) =>
    user.groups.includes('system:nodes') && which(attributes)
      ? { ...user, groups: user.groups.filter((each) => each !== 'system:nodes') }
      : user,
  );

/** Which way of changing a media type is. */
const BY_TYPE: Readonly<Record<string, (typeof CHANGES)[number]>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** After a request for a pod, or for a part of one, nodes read no secret of its namespace any more. */
function forgettingAfter(verb: 'create' | 'delete', part: string): Seams {
  const forgotten = new Set<string>();
  return {
    ...onVerbs([verb], (call, serve) => {
      const { resource, subresource = '', namespace = '' } = call.exchange.info;
      if (resource === 'pods' && subresource === part) forgotten.add(namespace);
      return serve(call);
    }),
    ...nodesMayNot(({ resource, namespace }) => resource === 'secrets' && forgotten.has(namespace)),
  };
}

/** Nodes that may more or less than what has to do with them. */
export const NODE: readonly Mutant[] = [
  {
    id: 'names-of-nodes-in-any-case',
    breaks: ['NODE-IDENTITY-01'],
    sentence: 'Who is named System:Node:x is a node like system:node:x.',
    defect: () =>
      onMember('node', (asked, ask) =>
        ask({
          ...asked,
          user: { ...asked.user, username: asked.user.username.replace(/^system:node:/i, 'system:node:') },
        }),
      ),
  },
  {
    id: 'names-of-nodes-by-their-first-label',
    breaks: ['NODE-IDENTITY-01'],
    sentence: 'Who is named system:node:a.example.org is the node a.',
    defect: () =>
      onMember('node', (asked, ask) => {
        const [username = ''] = asked.user.username.split('.');
        return ask({ ...asked, user: { ...asked.user, username } });
      }),
  },
  {
    id: 'the-name-of-a-node-is-enough',
    breaks: ['NODE-IDENTITY-01'],
    sentence: 'Who is named like a node has the rights of one, whatever the groups.',
    defect: () =>
      onMember('node', (asked, ask) =>
        ask({ ...asked, user: { ...asked.user, groups: [...asked.user.groups, 'system:nodes'] } }),
      ),
  },
  {
    id: 'nodes-read-no-services',
    breaks: ['NODE-READ-01'],
    sentence: 'A node may not watch services.',
    defect: () => nodesMayNot(({ resource, verb }) => resource === 'services' && verb === 'watch'),
  },
  ...NODE_READS.map((read): Mutant => {
    const [type, verb] = read.split('/');
    return {
      id: `nodes-may-not-${verb}-${type}`,
      breaks: [`NODE-READ-01/${read}`],
      sentence: `A node may not ${verb} ${type}.`,
      defect: () => nodesMayNot((asked) => asked.resource === type && asked.verb === verb),
    };
  }),
  {
    id: 'nodes-watch-every-config-map',
    breaks: ['NODE-READ-02'],
    sentence: 'A node may watch all config maps of a namespace.',
    defect: () => nodesMay(({ resource, verb }) => resource === 'configmaps' && verb === 'watch'),
  },
  {
    id: 'nodes-watch-every-pod',
    breaks: ['NODE-READ-04'],
    sentence: 'A node may watch all pods.',
    defect: () =>
      nodesMay(
        ({ resource, verb, fieldSelector }) => resource === 'pods' && verb === 'watch' && !fieldSelector?.length,
      ),
  },
  {
    id: 'nodes-do-not-watch-themselves',
    breaks: ['NODE-READ-04'],
    sentence: 'A node may not watch its own object.',
    defect: () => nodesMayNot(({ resource, verb }) => resource === 'nodes' && verb === 'watch'),
  },
  {
    id: 'registered-names-in-any-case',
    breaks: ['NODE-IDENTITY-01'],
    sentence: 'A node is known by its name in other letters too.',
    defect: () =>
      onMember('node', (asked, ask) =>
        ask({ ...asked, user: { ...asked.user, username: asked.user.username.toLowerCase() } }),
      ),
  },
  {
    id: 'nodes-tell-events-of-one-group',
    breaks: ['NODE-WRITE-01'],
    sentence: 'A node writes events of the core group, and none of the group events.',
    defect: () => nodesMayNot(({ resource, group }) => resource === 'events' && group !== ''),
  },
  {
    id: 'nodes-change-no-events',
    breaks: ['NODE-WRITE-01'],
    sentence: 'A node may create events and not patch them.',
    defect: () => nodesMayNot(({ resource, verb }) => resource === 'events' && verb === 'patch'),
  },
  {
    id: 'node-restriction-lets-unbound-pods-pass',
    breaks: ['NODE-WRITE-02'],
    sentence: 'A node may create pods that are bound to no node.',
    defect: () =>
      unrestricted(({ endpoint, operation, object }) => {
        const spec = object?.spec as { nodeName?: string } | undefined;
        return endpoint.type.resource === 'pods' && operation === 'CREATE' && !spec?.nodeName;
      }),
  },
  {
    id: 'node-restriction-lets-applies-of-status-pass',
    breaks: ['NODE-WRITE-02'],
    sentence: 'A node may apply the status of any pod.',
    defect: () =>
      unrestricted(
        ({ endpoint, exchange }) =>
          endpoint.type.resource === 'pods' &&
          endpoint.subresource !== undefined &&
          String(exchange.request.headers['content-type']).includes('apply-patch'),
      ),
  },
  {
    id: 'nodes-read-every-secret',
    breaks: ['NODE-READ-02'],
    sentence: 'A node may read any secret by its name.',
    defect: () => nodesMay(({ resource, verb, name }) => resource === 'secrets' && verb === 'get' && name !== ''),
  },
  {
    id: 'nodes-read-by-name-across-namespaces',
    breaks: ['NODE-READ-02'],
    sentence: 'What a node may read in one namespace it may read under that name in every one.',
    defect: () => {
      const namespaces = new Set<string>();
      return onMember('node', async (asked, ask) => {
        if (asked.isResource) namespaces.add(asked.namespace);
        const verdict = await ask(asked);
        if (!asked.isResource || asked.verb !== 'get' || verdict.decision === 'allow') return verdict;
        for (const namespace of namespaces) {
          if ((await ask({ ...asked, namespace })).decision === 'allow') return allowed('node');
        }
        return verdict;
      });
    },
  },
  {
    id: 'nodes-read-pods-by-any-selector',
    breaks: ['NODE-READ-04'],
    sentence: 'A node that lists pods by whatever selector of fields gets them.',
    defect: () =>
      nodesMay(
        ({ resource, verb, fieldSelector }) =>
          resource === 'pods' && verb === 'list' && (fieldSelector?.length ?? 0) > 0,
      ),
  },
  {
    id: 'nodes-without-the-gate-read-no-others',
    breaks: ['NODE-READ-04'],
    sentence: 'The gate of selectors is always on.',
    defect: () => ({
      start: { flags: (argv) => argv.filter((each) => !each.includes('AuthorizeNodeWithSelectors')) },
    }),
  },
  ...CHANGES.map(
    (way): Mutant => ({
      id: `nodes-change-nothing-by-${way}`,
      breaks: [`NODE-WRITE-01/nodes/${way}`, `NODE-WRITE-01/nodes/status/${way}`, `NODE-WRITE-01/pods/status/${way}`],
      sentence: `A change of a node or of a status by ${way} is answered 403.`,
      defect: () =>
        coding(({ code }, { method, path, headers }) =>
          (method === 'PUT' ? 'put' : BY_TYPE[String(headers['content-type'])]) === way &&
          /\/nodes\/[^/]+$|\/(nodes|pods)\/[^/]+\/status$/.test(path)
            ? 403
            : code,
        ),
    }),
  ),
  {
    id: 'pods-that-are-bound-later-give-nothing',
    breaks: ['NODE-READ-03/bound'],
    sentence: 'What a pod uses that is bound after it was made is not related to its node.',
    defect: () => forgettingAfter('create', 'binding'),
  },
  {
    id: 'pods-that-end-give-nothing',
    breaks: ['NODE-READ-03/ending'],
    sentence: 'What a pod uses that ends is no longer related to its node.',
    defect: () => forgettingAfter('delete', ''),
  },
  {
    id: 'nodes-make-no-mirror-pods',
    breaks: ['NODE-WRITE-01'],
    sentence: 'A node may not create pods at all.',
    defect: () => nodesMayNot(({ resource, verb }) => resource === 'pods' && verb === 'create'),
  },
  {
    id: 'nodes-read-no-volumes',
    breaks: ['NODE-READ-02'],
    sentence: 'A node may not read the volumes of its pods.',
    defect: () => nodesMayNot(({ resource }) => resource === 'persistentvolumes'),
  },
  {
    id: 'nodes-share-no-secrets',
    breaks: ['NODE-READ-03'],
    sentence: 'A secret that pods of one node use may be read by no other node.',
    defect: () => {
      const readers = new Map<string, string>();
      return onMember('node', async (asked, ask) => {
        const verdict = await ask(asked);
        if (verdict.decision !== 'allow' || !asked.isResource || asked.resource !== 'secrets') return verdict;
        const secret = `${asked.namespace}/${asked.name}`;
        const first = readers.get(secret) ?? asked.user.username;
        readers.set(secret, first);
        return first === asked.user.username ? verdict : unopinionated('node');
      });
    },
  },
  {
    id: 'nodes-remember-their-pods',
    breaks: ['NODE-READ-03'],
    sentence: 'What a node might read once it may read for good.',
    defect: () => remembering(() => true),
  },
  ...['secrets', 'configmaps', 'persistentvolumeclaims', 'persistentvolumes'].map(
    (type): Mutant => ({
      id: `nodes-remember-${type}`,
      breaks: ['NODE-READ-03/gone'],
      sentence: `Of ${type} a node may read for good what it might read once.`,
      defect: () => remembering(({ resource }) => resource === type),
    }),
  ),
  {
    id: 'nodes-read-other-nodes',
    breaks: ['NODE-READ-04'],
    sentence: 'A node may read all nodes and pods, whatever the gate says.',
    defect: () =>
      nodesMay(({ resource, verb }) => ['nodes', 'pods'].includes(resource) && ['get', 'list'].includes(verb)),
  },
  {
    id: 'nodes-tell-no-events',
    breaks: ['NODE-WRITE-01'],
    sentence: 'A node may not create events.',
    defect: () => nodesMayNot(({ resource }) => resource === 'events'),
  },
  {
    id: 'node-restriction-never-acts',
    breaks: ['NODE-WRITE-02', 'NODE-WRITE-03'],
    sentence: 'NodeRestriction does not act although it is enabled.',
    defect: () => ({ start: restriction(false) }),
  },
  {
    id: 'node-restriction-always-acts',
    breaks: ['NODE-WRITE-03'],
    sentence: 'NodeRestriction acts although nobody has enabled it.',
    defect: () => ({ start: restriction(true) }),
  },
  {
    id: 'nodes-ask-for-no-reviews',
    breaks: ['NODE-REVIEW-01'],
    sentence: 'A node may not have access reviewed.',
    defect: () => nodesMayNot(({ resource }) => resource === 'subjectaccessreviews'),
  },
  {
    id: 'node-restriction-minds-the-group-alone',
    breaks: ['NODE-OTHER-01'],
    sentence: 'NodeRestriction takes everybody in the group of nodes for a node.',
    defect: () =>
      asWritten((user) =>
        user.groups.includes('system:nodes') && !user.username.startsWith('system:node:')
          ? { ...user, username: `system:node:${user.username}` }
          : user,
      ),
  },
];
