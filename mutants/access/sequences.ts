import type { Mutant } from '../mutant.ts';
import { called, onRefusal } from '../onAuthentication.ts';
import { allowed, onChain, onMember, withVerb } from '../onAuthorizers.ts';
import { unchecked } from '../rbac/escalation.ts';
import { alsoWhere } from '../rbac/onRbac.ts';

/** What is wrong in some of the requests that REQUEST-SEQUENCE-04 crosses. */
export const SEQUENCES: readonly Mutant[] = [
  {
    id: 'lists-are-watched-in-a-namespace',
    breaks: ['REQUEST-SEQUENCE-04/rights'],
    sentence: 'Who may list objects of a namespace may watch them.',
    defect: () =>
      alsoWhere((asked) =>
        asked.isResource && asked.verb === 'watch' && asked.namespace !== '' ? [withVerb(asked, 'list')] : [],
      ),
  },
  {
    id: 'paths-are-granted-with-a-slash-behind-them',
    breaks: ['REQUEST-SEQUENCE-04/paths'],
    sentence: 'A right to a path is one to the same path with a slash behind it.',
    defect: () =>
      alsoWhere((asked) =>
        !asked.isResource && asked.path.endsWith('/') ? [{ ...asked, path: asked.path.slice(0, -1) }] : [],
      ),
  },
  {
    id: 'dry-runs-give-anything',
    breaks: ['REQUEST-SEQUENCE-04/giving'],
    sentence: 'A dry run of a role or binding is not held against what its writer holds.',
    defect: () =>
      unchecked(
        ['create', 'update', 'patch'],
        ({ exchange, endpoint }) =>
          endpoint.type.group.startsWith('rbac.') && exchange.request.query.all('dryRun').length > 0,
      ),
  },
  {
    id: 'keys-of-extra-are-not-told-apart',
    breaks: ['REQUEST-SEQUENCE-04/acting'],
    sentence: 'Who may give somebody extra of one key may give it of any.',
    defect: () =>
      onChain(async (asked, ask) => {
        const verdict = await ask(asked);
        if (verdict.decision === 'allow' || !asked.isResource || asked.resource !== 'userextras') return verdict;
        const keys = ['scopes', 'scope', 'other'].map((subresource) => ask({ ...asked, subresource }));
        return (await Promise.all(keys)).some(({ decision }) => decision === 'allow') ? allowed('any') : verdict;
      }),
  },
  {
    id: 'health-is-told-whatever-token-is-shown',
    breaks: ['REQUEST-SEQUENCE-04/credentials'],
    sentence: 'Who asks for health with a token that is none is taken for nobody in particular, and answered.',
    defect: () => onRefusal(({ path }) => (path.startsWith('/healthz') ? called('anybody') : undefined)),
  },
  {
    id: 'who-is-called-like-a-node-is-one',
    breaks: ['REQUEST-SEQUENCE-04/nodes'],
    sentence: 'Who is called like a node is one, in whichever groups.',
    defect: () =>
      onMember('node', (asked, ask) => {
        const { user } = asked;
        if (!user.username.startsWith('system:node:')) return ask(asked);
        return ask({ ...asked, user: { ...user, groups: [...user.groups, 'system:nodes'] } });
      }),
  },
];
