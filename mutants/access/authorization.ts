import {
  type Acting,
  API_VERBS,
  type ApiVerb,
  clausesOf,
  MANNERS,
  type Manner,
  METHODS_OF_PATHS,
  type QUESTIONS_ABOUT_ONESELF,
  SAID_IN_BODIES,
  type SaidInBody,
  STATUS_VERBS,
  VERB_TYPES,
} from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { IncomingRequest } from '../../reference/api/request.ts';
import { forbidden } from '../../reference/api/status.ts';
import type { Attributes } from '../../reference/contracts/authorizer.ts';
import { CallContext } from '../../reference/ports/node/context.ts';
import type { Seams } from '../../reference/seams.ts';
import { coding, refusingWhere } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import {
  allowed,
  asVerb,
  onChain,
  onMember,
  onVerdict,
  unopinionated,
  withAuthorizers,
  withVerb,
} from '../onAuthorizers.ts';
import { nearlyGranted } from '../rbac/escalation.ts';

type AskedToAct = Attributes & { readonly isResource: true };

/** A question about whom somebody acts as is answered yes where this says so, though no rule does. */
const acting = (passes: (asked: AskedToAct, before: AskedToAct | undefined) => boolean): Seams => {
  let before: AskedToAct | undefined;
  return onChain(async (asked, ask) => {
    if (!asked.isResource || asked.verb !== 'impersonate') return ask(asked);
    const [last, verdict] = [before, await ask(asked)];
    before = asked;
    return verdict.decision === 'allow' || !passes(asked, last) ? verdict : allowed('any');
  });
};
const isActing = (asked: Attributes): boolean => asked.isResource && asked.verb === 'impersonate';
/** Part of the same request: the same actor was asked about just before. */
const follows = (asked: AskedToAct, last: AskedToAct | undefined): last is AskedToAct =>
  last?.user.username === asked.user.username;

/** Whoever asks is whom they want to act as. */
function isThemselves({ resource, namespace, name, user }: AskedToAct): boolean {
  const who = resource === 'serviceaccounts' ? `system:serviceaccount:${namespace}:${name}` : name;
  return ['users', 'serviceaccounts'].includes(resource) && who === user.username;
}

/** What is overlooked of whom somebody acts as, by the clauses that it breaks. */
const OVERLOOKED: Readonly<Record<Exclude<Acting, 'other-user'>, { tell: string; defect: () => Seams }>> = {
  group: {
    tell: 'Who may act as a user may put it into any group.',
    defect: () => acting(({ resource }) => resource === 'groups'),
  },
  extra: {
    tell: 'Who may act as a user may give it any extra.',
    defect: () => acting(({ resource }) => resource === 'userextras'),
  },
  account: {
    tell: 'A service account is a user whom whoever may act as users may act as.',
    defect: () => acting(({ resource }) => resource === 'serviceaccounts'),
  },
  'second-group': {
    tell: 'Of several groups only the first is looked at.',
    defect: () =>
      acting((asked, last) => asked.resource === 'groups' && follows(asked, last) && last.resource === 'groups'),
  },
  'second-value': {
    tell: 'Of several values of an extra key only the first is looked at.',
    defect: () =>
      acting(
        (asked, last) =>
          asked.resource === 'userextras' && follows(asked, last) && last.subresource === asked.subresource,
      ),
  },
  'other-key': {
    tell: 'A value of an extra key may be given to every key.',
    defect: () => acting(({ resource, name }) => resource === 'userextras' && name === 'reading'),
  },
  'second-key': {
    tell: 'Of several extra keys only the first is looked at.',
    defect: () =>
      acting(
        (asked, last) => asked.resource === 'userextras' && follows(asked, last) && last.resource === 'userextras',
      ),
  },
  'other-group-of-api': {
    tell: 'A right to act as users of whatever API group is one to act as users.',
    defect: () => nearlyGranted('impersonate', 'other-group', isActing),
  },
  'other-verb': {
    tell: 'Who may read users may act as them.',
    defect: () => nearlyGranted('impersonate', 'other-verb', isActing),
  },
  'own-group': {
    tell: 'Whoever acts as somebody may put them into each group that they are in themselves.',
    defect: () => acting(({ resource, name, user }) => resource === 'groups' && user.groups.includes(name)),
  },
  'own-extra': {
    tell: 'Whoever acts as somebody may give them each value of extra that they have themselves.',
    defect: () =>
      acting(
        ({ resource, subresource, name, user }) =>
          resource === 'userextras' && (user.extra[subresource] ?? []).includes(name),
      ),
  },
  themselves: {
    tell: 'Everybody may act as who they are.',
    defect: () => acting((asked) => isThemselves(asked)),
  },
  star: {
    tell: 'A name with a star at its end is a pattern for those whom somebody may act as.',
    defect: () => acting(({ resource, name }) => resource === 'users' && name === 'ada'),
  },
};

/** What each verb is taken for. */
const NEIGHBOURS: Readonly<Record<ApiVerb, ApiVerb>> = {
  create: 'update',
  update: 'create',
  patch: 'update',
  get: 'list',
  list: 'get',
  watch: 'list',
  delete: 'deletecollection',
  deletecollection: 'delete',
};
/** Types that a verb is looked at on alone, beside config maps. */
const isApart = (resource: string): boolean =>
  ['clusterroles', 'leases', 'secrets'].includes(resource) || resource.endsWith('-things');

const LEAST_LOOKED_AT: readonly string[] = ['podtemplates', 'priorityclasses'];

/** Whether a request is in a manner. */
const IN_MANNER: Readonly<Record<Manner, (request: IncomingRequest) => boolean>> = {
  table: ({ headers }) => String(headers.accept).includes('as=Table'),
  metadata: ({ headers }) => String(headers.accept).includes('as=PartialObjectMetadata'),
  yaml: ({ headers }) => String(headers.accept) === 'application/yaml',
  'yaml-body': ({ headers }) => String(headers['content-type']) === 'application/yaml',
  'dry-run': ({ query }) => query.get('dryRun') === 'All',
  pages: ({ query }) => query.has('limit'),
  everywhere: ({ path }) => path === '/api/v1/configmaps',
  head: ({ method }) => method === 'HEAD',
  forced: ({ query }) => query.has('force'),
  absent: ({ path }) => path.endsWith('/absent'),
  'plain-text': ({ headers }) => String(headers.accept).startsWith('text/plain'),
  continued: ({ query }) => query.has('continue'),
  versions: ({ query }) => query.has('resourceVersion') && !query.has('limit') && !query.has('sendInitialEvents'),
  streamed: ({ query }) => query.has('sendInitialEvents'),
  selected: ({ query, method }) => method === 'GET' && (query.has('fieldSelector') || query.has('labelSelector')),
  swept: ({ query }) => query.has('gracePeriodSeconds') || query.has('propagationPolicy'),
};

/** What the body of a request says of itself. */
async function saidIn(request: IncomingRequest | undefined): Promise<JsonObject> {
  try {
    const said: unknown = JSON.parse(Buffer.from((await request?.body()) ?? '').toString());
    return isObject(said) ? said : {};
  } catch {
    return {};
  }
}
/** What is asked, with one thing as the body says it. */
function asSaid(said: SaidInBody, asked: AskedToAct, { kind, apiVersion = '', metadata }: JsonObject): Attributes {
  const { name, namespace } = isObject(metadata) ? metadata : {};
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
  if (said === 'type') {
    if (typeof kind !== 'string') return asked;
    const group = String(apiVersion).includes('/') ? (String(apiVersion).split('/')[0] ?? '') : '';
    return { ...asked, group, resource: `${kind.toLowerCase()}s` };
  }
  if (said === 'namespace') return { ...asked, namespace: text(namespace, asked.namespace) };
  const verb = {
    'name-of-what-is-created': 'create',
    'name-of-what-is-put': 'update',
    'name-of-what-is-patched': 'patch',
  };
  return asked.verb === verb[said] ? { ...asked, name: text(name, asked.name) } : asked;
}

/** Where a watch is asked for otherwise than by `watch=true` it is authorized as a list, in such requests. */
function otherSpellings(isMeant: (request: IncomingRequest) => boolean): Seams {
  const current = new CallContext<IncomingRequest>();
  return {
    handler: (handler) => (request) => current.run(request, () => handler(request)),
    ...onChain((asked, ask) => {
      const request = current.get();
      const spelled = request && isMeant(request) ? (request.query.get('watch') ?? 'true') : 'true';
      return ask(asked.isResource && asked.verb === 'watch' && spelled !== 'true' ? withVerb(asked, 'list') : asked);
    }),
  };
}

/** What questions about oneself are created as. */
const ABOUT_ONESELF: Readonly<Record<(typeof QUESTIONS_ABOUT_ONESELF)[number], string>> = {
  who: 'selfsubjectreviews',
  access: 'selfsubjectaccessreviews',
  rules: 'selfsubjectrulesreviews',
};

/** Decisions that follow what they must not follow, or pass over what they must heed. */
export const AUTHORIZATION: readonly Mutant[] = [
  {
    id: 'deny-becomes-no-opinion',
    breaks: ['AUTHZ-CHAIN-01'],
    sentence: 'Where an authorizer denies, the next one is asked all the same.',
    defect: () =>
      onVerdict(undefined, (verdict) =>
        verdict.decision === 'deny' ? { ...verdict, decision: 'noOpinion' } : verdict,
      ),
  },
  {
    id: 'no-opinion-denies',
    breaks: ['AUTHZ-CHAIN-02'],
    sentence: 'An authorizer without an opinion denies, so that no later one is asked.',
    defect: () => ({
      eachAuthorizer: (member) =>
        member.name === 'masters'
          ? member
          : {
              name: member.name,
              authorize: async (asked) => {
                const verdict = await member.authorize(asked);
                return verdict.decision === 'noOpinion' ? { ...verdict, decision: 'deny' } : verdict;
              },
            },
    }),
  },
  {
    id: 'authorizers-asked-backwards',
    breaks: ['AUTHZ-CHAIN-01', 'AUTHZCONF-FILE-01'],
    sentence: 'Authorizers are asked from the last to the first.',
    defect: () => ({ start: withAuthorizers((authorizers) => authorizers.toReversed()) }),
  },
  {
    id: 'reading-is-one-verb',
    breaks: ['AUTHZ-ATTRIBUTE-01'],
    sentence: 'Who may get may list too.',
    defect: () => asVerb('list', 'get'),
  },
  {
    id: 'paths-ignore-the-method',
    breaks: clausesOf('AUTHZ-ATTRIBUTE-02', METHODS_OF_PATHS),
    sentence: 'Who may get a path may send it any method.',
    defect: () => onChain((asked, ask) => ask(asked.isResource ? asked : withVerb(asked, 'get'))),
  },
  {
    id: 'believes-remote-user-headers',
    breaks: ['AUTHZ-ATTRIBUTE-03'],
    sentence: 'Anybody is who the headers X-Remote-User and X-Remote-Group say.',
    defect: () => ({
      authenticator: (authenticator) => ({
        name: authenticator.name,
        authenticate: async (request) => {
          const { 'x-remote-user': username, 'x-remote-group': group } = request.headers;
          if (typeof username !== 'string' || typeof group !== 'string') return authenticator.authenticate(request);
          return { user: { username, uid: '', groups: [group, 'system:authenticated'], extra: {} } };
        },
      }),
    }),
  },
  {
    id: 'deleting-many-is-deleting-one',
    breaks: ['AUTHZ-VERB-01'],
    sentence: 'Who may delete one object may delete the collection.',
    defect: () => asVerb('deletecollection', 'delete'),
  },
  {
    id: 'watching-is-listing',
    breaks: ['AUTHZ-VERB-01'],
    sentence: 'A watch is authorized as a list.',
    defect: () => asVerb('watch', 'list'),
  },
  ...API_VERBS.map(
    (verb): Mutant => ({
      id: `${verb}-of-other-types-is-${NEIGHBOURS[verb]}`,
      breaks: clausesOf('AUTHZ-VERB-01', verb, VERB_TYPES),
      sentence: `On other types than config maps what is ${verb} is authorized as ${NEIGHBOURS[verb]}.`,
      defect: () =>
        onChain((asked, ask) =>
          ask(
            asked.isResource && asked.verb === verb && isApart(asked.resource)
              ? withVerb(asked, NEIGHBOURS[verb])
              : asked,
          ),
        ),
    }),
  ),
  ...API_VERBS.map(
    (verb): Mutant => ({
      id: `${verb}-of-the-least-looked-at-is-${NEIGHBOURS[verb]}`,
      breaks: [`AUTHZ-VERB-01/${verb}/every-type`],
      sentence: `On types that no other check looks at, what is ${verb} is authorized as ${NEIGHBOURS[verb]}.`,
      defect: () =>
        onChain((asked, ask) =>
          ask(
            asked.isResource && asked.verb === verb && LEAST_LOOKED_AT.includes(asked.resource)
              ? withVerb(asked, NEIGHBOURS[verb])
              : asked,
          ),
        ),
    }),
  ),
  ...STATUS_VERBS.map(
    (verb): Mutant => ({
      id: `${verb}-of-a-status-is-${NEIGHBOURS[verb]}`,
      breaks: [`AUTHZ-VERB-01/${verb}/status`],
      sentence: `What is ${verb} of a status is authorized as ${NEIGHBOURS[verb]} of it.`,
      defect: () =>
        onChain((asked, ask) =>
          ask(
            asked.isResource && asked.verb === verb && asked.subresource === 'status'
              ? withVerb(asked, NEIGHBOURS[verb])
              : asked,
          ),
        ),
    }),
  ),
  ...MANNERS.map(
    (manner): Mutant => ({
      id: `refusals-are-forgotten-${manner}`,
      breaks: [`AUTHZ-ATTRIBUTE-03/${manner}`],
      sentence: `Where a request is in the manner ${manner}, what is refused is answered 200.`,
      defect: () => coding((reply, request) => (reply.code === 403 && IN_MANNER[manner](request) ? 200 : reply.code)),
    }),
  ),
  ...SAID_IN_BODIES.map(
    (said): Mutant => ({
      id: `bodies-are-authorized-by-their-${said}`,
      breaks: [`AUTHZ-ATTRIBUTE-03/body/${said}`],
      sentence: `What a body says is authorized and not what the path does: the ${said.replaceAll('-', ' ')}.`,
      defect: () => {
        const current = new CallContext<IncomingRequest>();
        return {
          handler: (handler) => (request) => {
            const reading = request.body.bind(request);
            let body: Promise<Uint8Array> | undefined;
            Object.defineProperty(request, 'body', {
              value: () => {
                body ??= reading();
                return body;
              },
            });
            return current.run(request, () => handler(request));
          },
          ...onChain(async (asked, ask) => {
            if (!asked.isResource || !['create', 'update', 'patch'].includes(asked.verb)) return ask(asked);
            return ask(asSaid(said, asked, await saidIn(current.get())));
          }),
        };
      },
    }),
  ),
  {
    id: 'anonymous-deletions-are-unauthenticated',
    breaks: ['AUTHZ-DEFAULT-01'],
    sentence: 'A DELETE without credentials is answered 401 where there are anonymous users.',
    defect: () =>
      coding((reply, { method, headers }) =>
        reply.code === 403 && method === 'DELETE' && headers.authorization === undefined ? 401 : reply.code,
      ),
  },
  {
    id: 'flags-of-webhooks-beside-the-file',
    breaks: ['AUTHZ-MODE-05'],
    sentence: 'Flags of a webhook beside --authorization-config are overlooked.',
    defect: () => ({
      start: {
        flags: (argv) =>
          argv.some((word) => word.startsWith('--authorization-config'))
            ? argv.filter((word) => !word.startsWith('--authorization-webhook-'))
            : argv,
      },
    }),
  },
  {
    id: 'watching-by-another-spelling-is-listing',
    breaks: ['AUTHZ-VERB-01', 'AUTHZ-VERB-01/spelled/acted-as'],
    sentence: 'A watch that is asked for by watch=1 is authorized as a list, and served as a watch.',
    defect: () => otherSpellings(() => true),
  },
  {
    id: 'watching-oneself-by-another-spelling-is-listing',
    breaks: ['AUTHZ-VERB-01/spelled/by-oneself'],
    sentence: 'A watch by watch=1 of who acts as nobody else is authorized as a list, and served as a watch.',
    defect: () => otherSpellings(({ headers }) => headers['impersonate-user'] === undefined),
  },
  ...Object.entries(ABOUT_ONESELF).map(
    ([question, resource]): Mutant => ({
      id: `${resource}-are-not-authorized`,
      breaks: [
        ...clausesOf('AUTHZ-MODE-02', 'about-oneself', question),
        ...clausesOf('AUTHZ-DEFAULT-01', 'about-oneself', question),
      ],
      sentence: `Anybody may create ${resource}, without asking authorizers.`,
      defect: () =>
        onChain((asked, ask) =>
          asked.isResource && asked.resource === resource ? Promise.resolve(allowed('any')) : ask(asked),
        ),
    }),
  ),
  {
    id: 'verbs-of-paths-in-any-case',
    breaks: ['AUTHZ-ATTRIBUTE-02/upper-case'],
    sentence: 'A rule for GET of a path grants get.',
    defect: () =>
      onMember('rbac', async (asked, ask) => {
        const verdict = await ask(asked);
        return asked.isResource || verdict.decision === 'allow'
          ? verdict
          : ask(withVerb(asked, asked.verb.toUpperCase()));
      }),
  },
  ...(Object.keys(OVERLOOKED) as (keyof typeof OVERLOOKED)[]).map(
    (name): Mutant => ({
      id: `acting-as-${name}`,
      breaks: [`AUTHZ-IMPERSONATE-01/${name}`],
      sentence: OVERLOOKED[name].tell,
      defect: OVERLOOKED[name].defect,
    }),
  ),
  {
    id: 'acting-under-ones-own-name',
    breaks: clausesOf('AUTHZ-IMPERSONATE-01', 'oneself', 'name'),
    sentence: 'Everybody may act under their own name, account or not.',
    defect: () => acting((asked) => isThemselves(asked)),
  },
  {
    id: 'acting-under-ones-own-name-with-anything',
    breaks: clausesOf('AUTHZ-IMPERSONATE-01', 'oneself', ['group-of-theirs', 'any-group', 'masters', 'any-extra']),
    sentence: 'Whoever acts under their own name may name any group and any extra beside it.',
    defect: () =>
      acting(
        (asked, last) =>
          ['groups', 'userextras'].includes(asked.resource) && follows(asked, last) && isThemselves(last),
      ),
  },
  {
    id: 'acting-as-accounts-of-every-namespace',
    breaks: ['AUTHZ-IMPERSONATE-01/other-namespace'],
    sentence: 'Who may act as an account of one namespace may act as those of that name in all.',
    defect: () => acting(({ resource, name }) => resource === 'serviceaccounts' && name === 'one'),
  },
  {
    id: 'nobody-may-act',
    breaks: ['AUTHZ-IMPERSONATE-01/granted'],
    sentence: 'The verb impersonate helps nobody but masters.',
    defect: () =>
      onChain(async (asked, ask) =>
        isActing(asked) && !asked.user.groups.includes('system:masters') ? unopinionated('any') : ask(asked),
      ),
  },
  {
    id: 'impersonation-of-any-name',
    breaks: ['AUTHZ-IMPERSONATE-01', 'AUTHZ-IMPERSONATE-01/other-user'],
    sentence: 'Who may impersonate one name may impersonate every name.',
    defect: () =>
      onChain(async (asked, ask) => {
        if (!asked.isResource || asked.verb !== 'impersonate') return ask(asked);
        return allowed('any');
      }),
  },
  {
    id: 'impersonators-keep-their-rights',
    breaks: ['AUTHZ-IMPERSONATE-02'],
    sentence: 'Whoever impersonates may also do what they may themselves.',
    defect: () => ({
      authorizer: (chain) => {
        const actors = new Map<string, Attributes['user']>();
        return {
          name: chain.name,
          authorize: async (asked) => {
            const verdict = await chain.authorize(asked);
            if (asked.isResource && asked.verb === 'impersonate') actors.set(asked.name, asked.user);
            const actor = actors.get(asked.user.username);
            return verdict.decision === 'allow' || !actor ? verdict : chain.authorize({ ...asked, user: actor });
          },
        };
      },
    }),
  },
  {
    id: 'always-allow-has-no-opinion',
    breaks: ['AUTHZ-MODE-01'],
    sentence: 'AlwaysAllow allows reading alone.',
    defect: () =>
      onMember('alwaysallow', async (asked, ask) =>
        ['get', 'list', 'watch'].includes(asked.verb) ? ask(asked) : unopinionated('alwaysallow'),
      ),
  },
  {
    id: 'always-deny-lets-read',
    breaks: ['AUTHZ-MODE-02'],
    sentence: 'AlwaysDeny allows paths outside the API.',
    defect: () => onMember('alwaysdeny', async (asked, ask) => (asked.isResource ? ask(asked) : allowed('alwaysdeny'))),
  },
  {
    id: 'abac-ignores-readonly',
    breaks: ['AUTHZ-MODE-03'],
    sentence: 'A record of the ABAC file that is for reading only allows writing.',
    defect: () => ({
      start: withAuthorizers((authorizers) =>
        authorizers.map((one) =>
          one.type === 'ABAC' ? { ...one, policy: one.policy.map((record) => ({ ...record, readonly: false })) } : one,
        ),
      ),
    }),
  },
  {
    id: 'webhook-mode-does-not-wait',
    breaks: ['AUTHZ-MODE-04'],
    sentence: 'Mode Webhook allows at once and asks for the record only.',
    defect: () =>
      onMember('default', async (asked, ask) => {
        void ask(asked);
        return allowed('default');
      }),
  },
  {
    id: 'configuration-file-wins-over-modes',
    breaks: ['AUTHZ-MODE-05'],
    sentence: 'Where modes and a configuration file are given, the modes are passed over.',
    defect: () => ({
      start: {
        flags: (argv) =>
          argv.some((flag) => flag.startsWith('--authorization-config='))
            ? argv.filter((flag) => !flag.startsWith('--authorization-mode='))
            : argv,
      },
    }),
  },
  {
    id: 'unknown-modes-are-passed-over',
    breaks: ['AUTHZ-MODE-05'],
    sentence: 'A mode that nobody knows is passed over.',
    defect: () => ({
      start: { flags: (argv) => argv.map((flag) => flag.replace(/^(--authorization-mode=RBAC),Touchstone$/, '$1')) },
    }),
  },
  {
    id: 'masters-by-their-first-group',
    breaks: ['AUTHZ-MASTERS-01'],
    sentence: 'Who is in system:masters behind another group is none of them.',
    defect: () =>
      onMember('masters', async (asked, ask) =>
        asked.user.groups[0] === 'system:masters' ? ask(asked) : unopinionated('masters'),
      ),
  },
  {
    id: 'watch-of-what-is-called-so-is-get',
    breaks: clausesOf('AUTHZ-VERB-01', 'watch'),
    sentence: 'A watch of one object by a selector of its name is authorized as get.',
    defect: () =>
      onChain((asked, ask) => {
        const one = asked.isResource && asked.fieldSelector?.some(({ key }) => key === 'metadata.name');
        return ask(one && asked.verb === 'watch' ? withVerb(asked, 'get') : asked);
      }),
  },
  ...(['json', 'apply'] as const).map(
    (patch): Mutant => ({
      id: `${patch}-patches-are-updates`,
      breaks: clausesOf('AUTHZ-VERB-01', 'patch'),
      sentence: `A PATCH of type ${patch} is authorized as an update.`,
      defect: () => {
        const current = new CallContext<IncomingRequest>();
        return {
          handler: (handler) => (request) => current.run(request, () => handler(request)),
          ...onChain((asked, ask) => {
            const is = String(current.get()?.headers['content-type']).includes(`/${patch}-patch`);
            return ask(is && asked.isResource && asked.verb === 'patch' ? withVerb(asked, 'update') : asked);
          }),
        };
      },
    }),
  ),
  {
    id: 'collections-of-all-namespaces-are-those-of-default',
    breaks: ['AUTHZ-ATTRIBUTE-01'],
    sentence: 'What is asked of all namespaces is authorized as if it were asked of the namespace default.',
    defect: () =>
      onMember('attributes', (asked, ask) =>
        ask(asked.isResource && asked.namespace === '' ? { ...asked, namespace: 'default' } : asked),
      ),
  },
  {
    id: 'always-deny-leaves-discovery-open',
    breaks: ['AUTHZ-MODE-02'],
    sentence: 'Under AlwaysDeny everybody reads discovery.',
    defect: () =>
      onMember('alwaysdeny', async (asked, ask) =>
        !asked.isResource && asked.path.startsWith('/apis') ? allowed('alwaysdeny') : ask(asked),
      ),
  },
  {
    id: 'masters-write-no-roles',
    breaks: ['AUTHZ-MASTERS-01'],
    sentence: 'Members of system:masters may not create cluster roles.',
    defect: () =>
      refusingWhere(['create'], ({ endpoint: { type }, exchange: { user } }) =>
        type.resource === 'clusterroles' && user.groups.includes('system:masters')
          ? forbidden(type, '', 'roles are for others to write')
          : undefined,
      ),
  },
];
