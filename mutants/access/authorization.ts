import { forbidden } from '../../reference/api/status.ts';
import type { Attributes } from '../../reference/contracts/authorizer.ts';
import { refusingWhere } from '../asking.ts';
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
    breaks: ['AUTHZ-ATTRIBUTE-02'],
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
  {
    id: 'impersonation-of-any-name',
    breaks: ['AUTHZ-IMPERSONATE-01'],
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
