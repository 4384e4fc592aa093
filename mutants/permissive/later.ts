import type { Hook } from '../../reference/admission/webhooks/hook.ts';
import type { Attributes, AuthorizationResult } from '../../reference/contracts/authorizer.ts';
import type { VerbTable } from '../../reference/contracts/call.ts';
import type { Entry } from '../../reference/contracts/entry.ts';
import type { WholeReply } from '../../reference/contracts/reply.ts';
import { delegate, type StoreWrite } from '../../reference/contracts/store.ts';
import type { Seams } from '../../reference/seams.ts';
import type { Clock } from '../../reference/time.ts';
import { onReplies, onVerbs, withQuery } from '../alter.ts';
import { onChain } from '../onAuthorizers.ts';
import type { Twin } from './twin.ts';

/** How long what was read before still counts, in milliseconds. */
const WHILE = 200;
/** Weight of an object that is not kept. */
const LARGE = 100_000;

/** What a server sees a moment after it was stored. */
export const LATER: readonly Twin[] = [
  {
    id: 'rights-a-moment-later',
    by: ['2/rbac-behavior/1'],
    sentence: 'What was decided of a question holds for a fifth of a second, whatever is granted meanwhile.',
    side: 'b',
    choice: () => {
      const { recall, seams } = remembering<Promise<AuthorizationResult>>();
      return {
        ...seams,
        ...onChain((asked: Attributes, ask) => recall(JSON.stringify(asked), () => ask(asked))),
      };
    },
  },
  {
    id: 'webhooks-a-moment-later',
    by: ['1/validatingwebhookconfiguration/p1'],
    sentence: 'Which webhooks there are is looked up five times a second.',
    side: 'a',
    choice: () => {
      const { recall, seams } = remembering<readonly Hook[] | Promise<readonly Hook[]>>();
      return {
        ...seams,
        webhooks: (dependencies) => ({
          ...dependencies,
          index: { items: () => recall('', () => dependencies.index.items()) },
        }),
      };
    },
  },
  {
    id: 'tokens-a-moment-later',
    by: ['2/general/3'],
    sentence: 'Whose a bearer token is, or that it is nobody’s, holds for a fifth of a second.',
    side: 'a',
    choice: () => {
      const { recall, seams } = remembering<ReturnType<Authenticate>>();
      let kept = true;
      return {
        ...seams,
        start: {
          options: (options) => {
            // Who says that answers of the webhook are not kept has no other reading of it.
            kept = options.authentication.webhook?.cacheTtl !== 0;
            return options;
          },
        },
        authenticator: (authenticator) => ({
          name: authenticator.name,
          authenticate: (request) => {
            const token = request.headers.authorization;
            if (!kept || token === undefined || request.peerCertificate) return authenticator.authenticate(request);
            return recall(String(token), () => authenticator.authenticate(request));
          },
        }),
      };
    },
  },
  {
    id: 'discovery-a-moment-later',
    by: ['3/groups-and-paths/2'],
    sentence: 'Discovery tells for a fifth of a second what it told before.',
    side: 'a',
    choice: () => {
      const { recall, seams } = remembering<WholeReply>();
      return {
        ...seams,
        ...onReplies((reply, { method, path, headers }) => {
          if (
            method !== 'GET' ||
            !/^\/(api(\/[^/]+)?|apis(\/[^/]+){0,2})\/?$/.test(path) ||
            ![200, 404].includes(reply.code)
          )
            return reply;
          return recall([path, headers.accept, headers['accept-encoding']].join('\n'), () => reply);
        }),
      };
    },
  },
  {
    id: 'any-version-is-an-older-one',
    by: ['1/reading-resource-version-semantics/b1'],
    sentence: 'A list of any version is of what was there a fifth of a second ago.',
    side: 'b',
    choice: () => {
      let clock: Clock | undefined;
      /** When the changes of late were made; of those that are older than {@link WHILE}, the last. */
      const changes: { readonly at: number; readonly revision: number }[] = [];
      const seams = onVerbs(['list'], (call, serve) => {
        const { query } = call.exchange.request;
        if (query.get('resourceVersion') !== '0' || query.has('continue') || query.has('resourceVersionMatch'))
          return serve(call);
        const then = (clock?.now() ?? 0) - WHILE;
        while (changes[1] && changes[1].at <= then) changes.shift();
        const [last] = changes;
        if (!last || last.at > then || changes.length === 1) return serve(call);
        const older = withQuery(call, (asked) => {
          asked.set('resourceVersion', String(last.revision));
          asked.set('resourceVersionMatch', 'Exact');
        });
        // What is no longer kept is answered as it is now.
        return serve(older).catch(() => serve(call));
      });
      const noting: Seams = {
        store: (store) => ({
          ...delegate(store),
          commit: async (change) => {
            const result = await store.commit(change);
            const at = clock?.now() ?? 0;
            if (result.committed) changes.push({ at, revision: result.revision });
            while (changes[1] && changes[1].at <= at - WHILE) changes.shift();
            return result;
          },
        }),
      };
      return { ...seams, ...noting, ...keepingClock((own) => (clock = own)) };
    },
  },
  {
    id: 'patches-begin-with-a-former-state',
    by: ['1/validatingwebhookconfiguration/p1'],
    sentence: 'A patch is worked out on what was there a moment ago, and anew when that turns out to have passed.',
    side: 'b',
    choice: () => {
      let clock: Clock | undefined;
      const former = new Map<string, { readonly until: number; readonly entry: Entry }>();
      const now = () => clock?.now() ?? 0;
      const patching =
        (serve: VerbTable['patch']): VerbTable['patch'] =>
        async (call) => {
          const { request } = call.exchange;
          // The same request is worked on all along, which holds a place where its object is large.
          const read = request.body.bind(request);
          let body: Promise<Uint8Array> | undefined;
          Object.defineProperty(request, 'body', {
            value: () => {
              body ??= read();
              return body;
            },
          });
          // On condition of a version it is the present one that counts, and a dry run stores nothing that could fail.
          const isPlain = !request.query.has('dryRun');
          if (!isPlain || Buffer.from(await request.body()).includes('resourceVersion')) return serve(call);
          const { store } = call.services;
          const passed = { isTaken: false, isTried: false };
          const beginning = {
            ...delegate(store),
            get: (key: string) => {
              const before = former.get(key);
              if (passed.isTaken || !before || before.until <= now()) return store.get(key);
              passed.isTaken = true;
              return before.entry;
            },
            commit: (change: StoreWrite) => {
              passed.isTried = true;
              return store.commit(change);
            },
          };
          const answer = serve({ ...call, services: { ...call.services, store: beginning } });
          // What is refused or changes nothing is so for what is there.
          const isSettled = await answer.then(
            () => !passed.isTaken || passed.isTried,
            () => !passed.isTaken || passed.isTried,
          );
          return isSettled ? answer : serve(call);
        };
      return {
        verbs: (table) => ({ ...table, patch: patching(table.patch) }),
        ...keepingClock((own) => (clock = own)),
        store: (store) => ({
          ...delegate(store),
          commit: async (change) => {
            const before = change.expected > 0 && change.object !== null ? await store.get(change.key) : undefined;
            const result = await store.commit(change);
            // What is large takes long enough once.
            if (result.committed && before && before.weight < LARGE)
              former.set(change.key, { until: now() + WHILE, entry: before });
            else if (result.committed) former.delete(change.key);
            return result;
          },
        }),
      };
    },
  },
];

type Authenticate = Parameters<NonNullable<Seams['authenticator']>>[0]['authenticate'];

function keepingClock(keep: (clock: Clock) => void): Seams {
  return {
    clock: (own) => {
      keep(own);
      return own;
    },
  };
}

/** Gives again what was given to the same question a moment before. */
function remembering<T>() {
  let clock: Clock | undefined;
  const known = new Map<string, { readonly until: number; readonly answer: T }>();
  const recall = (question: string, ask: () => T): T => {
    const now = clock?.now() ?? 0;
    const before = known.get(question);
    if (before && now < before.until) return before.answer;
    const answer = ask();
    known.set(question, { until: now + WHILE, answer });
    return answer;
  };
  return { recall, seams: keepingClock((own) => (clock = own)) };
}
