import { clausesOf } from '../../fixtures/ledger/index.ts';
import { ApiError } from '../../reference/api/status.ts';
import type { Answer } from '../../reference/contracts/answer.ts';
import type { Call } from '../../reference/contracts/call.ts';
import { objectKey } from '../../reference/contracts/storeKeys.ts';
import { onReplies, onVerbs, onWatchEvents, withQuery } from '../alter.ts';
import { asking, refusingWhere } from '../asking.ts';
import type { Mutant } from '../mutant.ts';

const parameter = (call: Call, name: string): string => call.exchange.request.query.get(name) ?? '';

const versionOf = (call: Call): string => parameter(call, 'resourceVersion');

const isNumber = (version: string): boolean => /^[1-9]\d*$/.test(version);

const matchOf = (call: Call): string => parameter(call, 'resourceVersionMatch');

/** Reads at versions that show the wrong moment, or answer what they should refuse. */
export const RESOURCE_VERSIONS: readonly Mutant[] = [
  {
    id: 'versions-differ-by-read',
    breaks: ['VERSION-OPAQUE-01'],
    sentence: 'Every read of an object shows a version of its own.',
    defect: () =>
      onVerbs(['get'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'entry') return answer;
        const { code, endpoint, entry } = answer;
        const metadata = { ...entry.object.metadata, resourceVersion: `${entry.modRevision}0` };
        return { kind: 'object', code, endpoint, object: { ...entry.object, metadata } };
      }),
  },
  {
    id: 'malformed-version-is-ignored',
    breaks: ['VERSION-MALFORMED-01'],
    sentence: 'A version that is no version is taken for none.',
    defect: () =>
      asking(['get', 'list', 'watch'], (query) => {
        if (/^\d*$/.test(query.get('resourceVersion') ?? '')) return;
        query.delete('resourceVersion');
        query.delete('resourceVersionMatch');
      }),
  },
  {
    id: 'get-answers-what-it-once-answered',
    breaks: ['GET-RV-01', 'STORE-LINEAR-01'],
    sentence: 'A get of an object goes on answering what the first get of it answered.',
    defect: () => {
      const remembered = new Map<string, Promise<Answer>>();
      return onVerbs(['get'], (call, serve) => {
        const { path } = call.exchange.info;
        const answer = remembered.get(path) ?? serve(call);
        answer.then(
          () => remembered.set(path, answer),
          () => {},
        );
        return answer;
      });
    },
  },
  {
    id: 'get-at-any-version-is-refused',
    breaks: ['GET-RV-02'],
    sentence: 'A get with resourceVersion=0 is answered 400.',
    defect: () =>
      refusingWhere(['get'], (call) =>
        versionOf(call) === '0' ? new ApiError(400, 'BadRequest', 'resourceVersion: Invalid value: "0"') : undefined,
      ),
  },
  ...(['namespace', 'type'] as const).map(
    (left): Mutant => ({
      id: `gets-at-any-version-overlook-the-${left}`,
      breaks: ['GET-RV-02'],
      sentence: `A get with resourceVersion=0 answers what was read last under that name, of whichever ${left}.`,
      defect: () => {
        const read = new Map<string, Answer>();
        return onVerbs(['get'], async (call, serve) => {
          const answer = await serve(call);
          const { resource, namespace, name } = call.exchange.info;
          const key = `${left === 'type' ? namespace : resource}/${name}`;
          if (versionOf(call) === '0') return read.get(key) ?? answer;
          read.set(key, answer);
          return answer;
        });
      },
    }),
  ),
  {
    id: 'lists-at-any-version-overlook-the-namespace',
    breaks: ['LIST-RV-02'],
    sentence: 'A list with resourceVersion=0 answers what was listed last of that type, in whichever namespace.',
    defect: () => {
      const listed = new Map<string, Answer>();
      return onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        const { query } = call.exchange.request;
        const key = `${call.exchange.info.resource}?${parameter(call, 'labelSelector')}`;
        if (versionOf(call) === '0') return listed.get(key) ?? answer;
        if (!query.has('continue') && !query.has('resourceVersion')) listed.set(key, answer);
        return answer;
      });
    },
  },
  {
    id: 'get-at-version-answers-the-one-before',
    breaks: ['GET-RV-03'],
    sentence: 'A get with a version answers the state before it.',
    defect: () =>
      onVerbs(['get'], async (call, serve) => {
        const version = versionOf(call);
        if (!isNumber(version)) return serve(call);
        const { endpoint, exchange, services } = call;
        const key = objectKey(
          endpoint.type,
          endpoint.type.namespaced ? exchange.info.namespace : '',
          exchange.info.name,
        );
        const { entries } = await services.store.range({ prefix: key, revision: Number(version) - 1, limit: 1 });
        const [entry] = entries;
        return entry ? { kind: 'entry', code: 200, endpoint, entry } : serve(call);
      }),
  },
  {
    id: 'future-version-is-ignored',
    breaks: [...clausesOf('GET-RV-04'), 'LIST-RV-17', ...clausesOf('LIST-RV-17'), 'WATCH-RV-04'],
    sentence: 'A version that has not come yet is taken for none.',
    defect: () =>
      onVerbs(['get', 'list', 'watch'], async (call, serve) => {
        const present = await call.services.store.revision();
        if (!isNumber(versionOf(call)) || Number(versionOf(call)) <= present) return serve(call);
        return serve(
          withQuery(call, (query) => {
            query.delete('resourceVersion');
            query.delete('resourceVersionMatch');
          }),
        );
      }),
  },
  {
    id: 'list-hides-the-newest',
    breaks: [...clausesOf('LIST-RV-01'), ...clausesOf('LIST-RV-04')],
    sentence: 'A list without a version does not show the last write to its collection.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || versionOf(call) !== '' || parameter(call, 'continue') !== '') return answer;
        const newest = Math.max(...answer.entries.map(({ modRevision }) => modRevision));
        return { ...answer, entries: answer.entries.filter(({ modRevision }) => modRevision !== newest) };
      }),
  },
  {
    id: 'list-at-any-version-shows-what-never-was',
    breaks: [...clausesOf('LIST-RV-02'), ...clausesOf('LIST-RV-13')],
    sentence: 'A list with resourceVersion=0 leaves out the oldest object, which is still there.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list' || versionOf(call) !== '0') return answer;
        const oldest = Math.min(...answer.entries.map(({ createRevision }) => createRevision));
        return { ...answer, entries: answer.entries.filter(({ createRevision }) => createRevision !== oldest) };
      }),
  },
  {
    id: 'list-not-older-is-older',
    breaks: [...clausesOf('LIST-RV-03'), ...clausesOf('LIST-RV-14'), ...clausesOf('LIST-RV-15')],
    sentence: 'A list that is to be no older than a version shows the state before it.',
    defect: () =>
      asking(['list'], (query, call) => {
        const exact = matchOf(call) === 'Exact' || (matchOf(call) === '' && query.has('limit'));
        if (exact || !isNumber(versionOf(call))) return;
        query.set('resourceVersion', String(Number(versionOf(call)) - 1));
        query.set('resourceVersionMatch', 'Exact');
      }),
  },
  {
    id: 'limited-list-at-version-answers-present',
    breaks: [...clausesOf('LIST-RV-05')],
    sentence: 'A list with a limit and a version answers the present state.',
    defect: () =>
      asking(['list'], (query, call) => {
        if (query.has('limit') && matchOf(call) === '') query.delete('resourceVersion');
      }),
  },
  {
    id: 'list-exact-answers-present',
    breaks: [...clausesOf('LIST-RV-10'), ...clausesOf('LIST-RV-11'), ...clausesOf('LIST-RV-20')],
    sentence: 'A list at exactly a version answers the present state.',
    defect: () =>
      asking(['list'], (query) => {
        if (query.get('resourceVersionMatch') !== 'Exact') return;
        query.delete('resourceVersionMatch');
        query.delete('resourceVersion');
      }),
  },
  {
    id: 'continue-at-any-version-is-refused',
    breaks: clausesOf('LIST-RV-07'),
    sentence: 'A list with a continue token and resourceVersion=0 is refused.',
    defect: () =>
      refusingWhere(['list'], (call) =>
        versionOf(call) === '0' && parameter(call, 'continue') !== ''
          ? new ApiError(400, 'BadRequest', 'resourceVersion is not allowed with continue')
          : undefined,
      ),
  },
  {
    id: 'expired-continue-at-any-version-begins-anew',
    breaks: clausesOf('LIST-RV-07', 'expired'),
    sentence: 'A list with resourceVersion=0 and a continue token that has expired answers a first chunk.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 410 || versionOf(call) !== '0') throw error;
          return serve(withQuery(call, (query) => query.delete('continue')));
        }
      }),
  },
  {
    id: 'continue-ignores-version',
    breaks: [...clausesOf('LIST-RV-08')],
    sentence: 'A version beside a continue token is ignored.',
    defect: () =>
      asking(['list'], (query) => {
        if (query.has('continue')) query.delete('resourceVersion');
      }),
  },
  {
    id: 'exact-without-version-is-ignored',
    breaks: [...clausesOf('LIST-RV-09')],
    sentence: 'A list at exactly no version, or at 0, answers the present state.',
    defect: () =>
      asking(['list'], (query, call) => {
        if (matchOf(call) === 'Exact' && !isNumber(versionOf(call))) query.delete('resourceVersionMatch');
      }),
  },
  {
    id: 'not-older-without-version-is-ignored',
    breaks: [...clausesOf('LIST-RV-12')],
    sentence: 'A list no older than no version answers the present state.',
    defect: () =>
      asking(['list'], (query, call) => {
        if (versionOf(call) === '') query.delete('resourceVersionMatch');
      }),
  },
  {
    id: 'first-chunks-are-remembered',
    breaks: clausesOf('LIST-RV-04'),
    sentence: 'A list with a limit and no version shows what it showed when it was first asked for.',
    defect: () => {
      const answers = new Map<string, Answer>();
      return onVerbs(['list'], async (call, serve) => {
        const { query, target } = call.exchange.request;
        if (!query.has('limit') || query.has('continue') || query.has('resourceVersion')) return serve(call);
        const answer = answers.get(target) ?? (await serve(call));
        answers.set(target, answer);
        return answer;
      });
    },
  },
  {
    id: 'unknown-match-is-a-fault',
    breaks: ['LIST-RV-16'],
    sentence: 'A resourceVersionMatch that nobody knows is answered 500.',
    defect: () =>
      refusingWhere(['list'], (call) =>
        ['', 'Exact', 'NotOlderThan'].includes(matchOf(call))
          ? undefined
          : new ApiError(500, 'InternalError', 'no such match'),
      ),
  },
  {
    id: 'expired-version-answers-present',
    breaks: ['LIST-RV-19', ...clausesOf('CHUNK-TOKEN-01')],
    sentence: 'A list at a version, or with a token, that is no longer kept answers the present state.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        try {
          return await serve(call);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 410) throw error;
          return serve(
            withQuery(call, (query) => {
              for (const name of ['resourceVersion', 'resourceVersionMatch', 'continue']) query.delete(name);
            }),
          );
        }
      }),
  },
  {
    id: 'history-of-three-minutes',
    breaks: ['WATCH-RV-06', 'CHUNK-TOKEN-02'],
    sentence: 'Versions and tokens of more than three minutes ago are answered 410.',
    defect: () => {
      const listedAt = new Map<string, number>();
      return onVerbs(['list', 'watch'], async (call, serve) => {
        const now = call.services.clock.now();
        const given = [versionOf(call), parameter(call, 'continue')].filter((text) => text !== '');
        if (given.some((text) => now - (listedAt.get(text) ?? now) > 3 * 60_000)) {
          throw new ApiError(410, 'Expired', 'it is too old');
        }
        const answer = await serve(call);
        const { resourceVersion, continue: token } = answer.kind === 'list' ? answer.metadata : {};
        for (const text of [resourceVersion, token]) if (text && !listedAt.has(text)) listedAt.set(text, now);
        return answer;
      });
    },
  },
  {
    id: 'watch-replays-from-version',
    breaks: [...clausesOf('WATCH-RV-03')],
    sentence: 'A watch from a version begins with the present state all the same.',
    defect: () =>
      onVerbs(['watch'], (call, serve) => serve(withQuery(call, (query) => query.delete('resourceVersion')))),
  },
  {
    id: 'watch-hides-errors',
    breaks: ['WATCH-RV-05'],
    sentence: 'A watch that cannot go on ends without saying why.',
    defect: () => onWatchEvents(() => (event) => (event.type === 'ERROR' ? [] : [event])),
  },
  {
    id: 'retry-after-has-a-unit',
    breaks: ['LIST-RV-18'],
    sentence: 'Retry-After is a length of time with its unit.',
    defect: () =>
      onReplies((reply) => {
        const after = reply.headers['retry-after'];
        return after === undefined ? reply : { ...reply, headers: { ...reply.headers, 'retry-after': `${after}s` } };
      }),
  },
];
