import { clausesOf, FAMILIES } from '../../fixtures/ledger/index.ts';
import type { JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { badRequest, methodNotSupported } from '../../reference/api/status.ts';
import type { StatusAnswer } from '../../reference/contracts/answer.ts';
import type { VerbTable } from '../../reference/contracts/call.ts';
import type { Seams } from '../../reference/seams.ts';
import { handedOn, onReplies, onVerbs, withQuery } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { bodyOf, withMetadata } from '../oneType.ts';
import { answering } from '../writes.ts';

const SUCCESS: StatusAnswer = {
  kind: 'status',
  code: 200,
  status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
};

type Around = Parameters<typeof onVerbs>[1];

/** As `onVerbs` for the two families that the specification describes in full. */
function onFamilies(names: readonly (keyof VerbTable)[], around: Around): Seams {
  return onVerbs(names, (call, serve) =>
    (FAMILIES as readonly string[]).includes(call.endpoint.type.resource) ? around(call, serve) : serve(call),
  );
}

/** Answers that show what is not stored. */
const embellished: Around = async (call, serve) => {
  const answer = await serve(call);
  if (answer.kind !== 'entry') return answer;
  const { code, endpoint, entry } = answer;
  return { kind: 'object', code, endpoint, object: withMetadata(entry.object, { labels: { unlike: 'stored' } }) };
};

/** An object of one of the families without what it would be given where it is left out. */
function withoutDefaults(object: ApiObject): ApiObject {
  const { subjects, webhooks } = object as { subjects?: JsonObject[]; webhooks?: JsonObject[] };
  return {
    ...object,
    ...(subjects ? { subjects: subjects.map(({ apiGroup: _, ...subject }) => subject) } : {}),
    ...(webhooks
      ? { webhooks: webhooks.map(({ failurePolicy: _, matchPolicy: __, timeoutSeconds: ___, ...webhook }) => webhook) }
      : {}),
  };
}

/** Operations of the two families that are not what they should be. */
export const FAMILY_OPERATIONS: readonly Mutant[] = [
  {
    id: 'deletecollection-ignores-its-selection',
    breaks: clausesOf('OP-DELETECOLLECTION-01', ['neither', 'labelselector', 'sets', 'fieldselector', 'limit']),
    sentence:
      'deletecollection takes no notice of fieldSelector, limit and continue, and of labels only whether there are any.',
    defect: () =>
      onVerbs(['deletecollection'], (call, serve) =>
        serve(
          withQuery(call, (query) => {
            for (const name of ['fieldSelector', 'limit', 'continue']) query.delete(name);
            const labels = query.get('labelSelector') ?? '';
            query.set('labelSelector', labels.replace(/part(=[a-z]+| in \(none\))/, 'part'));
          }),
        ),
      ),
  },
  {
    id: 'deletecollection-leaves-what-lacks-the-label',
    breaks: clausesOf('OP-DELETECOLLECTION-01', 'forms'),
    sentence: 'A selector of deletecollection that leaves out values leaves out what lacks the label too.',
    defect: () =>
      onVerbs(['deletecollection'], (call, serve) =>
        serve(
          withQuery(call, (query) => {
            const labels = query.get('labelSelector') ?? '';
            query.set('labelSelector', labels.replace(/([\w-]+)(!=| notin )/g, '$1,$1$2'));
          }),
        ),
      ),
  },
  {
    id: 'deletecollection-goes-by-names-alone',
    breaks: clausesOf('OP-DELETECOLLECTION-01', 'several'),
    sentence:
      'A deletecollection with a fieldSelector of names takes no notice of the tier that its labelSelector gives.',
    defect: () =>
      onVerbs(['deletecollection'], (call, serve) =>
        serve(
          withQuery(call, (query) => {
            if (!query.has('fieldSelector')) return;
            const labels = query.get('labelSelector') ?? '';
            query.set('labelSelector', labels.replace(/tier(!?=\w+| in \([^)]*\))/g, 'tier'));
          }),
        ),
      ),
  },
  {
    id: 'deletecollection-takes-no-parameters',
    breaks: clausesOf('OP-DELETECOLLECTION-02'),
    sentence: 'deletecollection is refused with anything but selectors and chunks.',
    defect: () =>
      onVerbs(['deletecollection'], async (call, serve) => {
        const { query } = call.exchange.request;
        const known = ['labelSelector', 'fieldSelector', 'limit', 'continue'];
        const body = await call.exchange.request.body();
        if (body.length > 0 || query.names().some((name) => !known.includes(name))) throw badRequest('not here');
        return serve(call);
      }),
  },
  {
    id: 'pretty-is-another-object',
    breaks: ['OP-GET-01'],
    sentence: 'A get with pretty answers the object with other labels.',
    defect: () =>
      onFamilies(['get'], (call, serve) =>
        call.exchange.request.query.has('pretty') ? embellished(call, serve) : serve(call),
      ),
  },
  {
    id: 'watches-cannot-be-declined',
    breaks: ['OP-LIST-01', 'VERB-HTTP-01'],
    sentence: 'A list that says watch=false is refused.',
    defect: () =>
      onVerbs(['list'], async (call, serve) => {
        if (call.exchange.request.query.get('watch') === 'false') throw badRequest('it says watch');
        return serve(call);
      }),
  },
  {
    id: 'lists-are-called-list',
    breaks: ['OP-LIST-01', ...clausesOf('LIST-KIND-01', 'some')],
    sentence: 'Every list is of the kind List.',
    defect: () =>
      onReplies((reply) => {
        const text = Buffer.from(reply.body).toString('utf8');
        const named = /"kind":"[A-Za-z0-9]+List"/;
        return named.test(text) ? { ...reply, body: Buffer.from(text.replace(named, '"kind":"List"')) } : reply;
      }),
  },
  {
    id: 'bad-limit-passed-over',
    breaks: ['OP-LIST-03'],
    sentence: 'A limit that is no number is passed over.',
    defect: () =>
      onFamilies(['list'], (call, serve) =>
        serve(
          withQuery(call, (query) => {
            if (!/^\d+$/.test(query.get('limit') ?? '')) query.delete('limit');
          }),
        ),
      ),
  },
  {
    id: 'families-are-not-watched',
    breaks: ['OP-WATCH-01'],
    sentence: 'The two families cannot be watched.',
    defect: () =>
      onFamilies(['watch'], async ({ endpoint }) => {
        throw methodNotSupported(endpoint.type, 'watch');
      }),
  },
  {
    id: 'short-watch-is-empty',
    breaks: ['OP-WATCH-02'],
    sentence: 'A watch with timeoutSeconds ends in time, without an event.',
    defect: () =>
      onFamilies(['watch'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'watch' || !call.exchange.request.query.has('timeoutSeconds')) return answer;
        return { ...answer, open: (sink) => answer.open({ ...handedOn(sink), event: () => true }) };
      }),
  },
  {
    id: 'writes-answer-what-is-not-stored',
    breaks: ['OP-CREATE-01', 'OP-UPDATE-01', 'OP-PATCH-01'],
    sentence: 'Writes answer the object with labels that it does not have.',
    defect: () => onFamilies(['create', 'update', 'patch'], embellished),
  },
  {
    id: 'writes-answer-without-defaults',
    breaks: (['OP-CREATE-01', 'OP-UPDATE-01', 'OP-PATCH-01'] as const).flatMap((id) => clausesOf(id, 'defaults')),
    sentence: 'Writes answer the object without defaults, with which it is stored.',
    defect: () =>
      onFamilies(['create', 'update', 'patch'], async (call, serve) => answering(await serve(call), withoutDefaults)),
  },
  {
    id: 'nothing-is-created',
    breaks: ['OP-CREATE-02'],
    sentence: 'A create without a body is answered as done.',
    defect: () =>
      onFamilies(['create'], async (call, serve) => ((await bodyOf(call)) === undefined ? SUCCESS : serve(call))),
  },
  {
    id: 'delete-takes-no-options',
    breaks: ['OP-DELETE-01'],
    sentence: 'A delete with a body is refused.',
    defect: () =>
      onFamilies(['delete'], async (call, serve) => {
        if ((await bodyOf(call)) !== undefined) throw badRequest('a delete has no body');
        return serve(call);
      }),
  },
  {
    id: 'collection-stays',
    breaks: ['OP-DELETECOLLECTION-01'],
    sentence: 'deletecollection is answered as done and deletes nothing.',
    defect: () => onFamilies(['deletecollection'], async () => SUCCESS),
  },
  {
    id: 'dry-run-deletes-collection',
    breaks: ['OP-DELETECOLLECTION-02'],
    sentence: 'A deletecollection with dryRun=All deletes.',
    defect: () =>
      onFamilies(['deletecollection'], (call, serve) => serve(withQuery(call, (query) => query.delete('dryRun')))),
  },
  {
    id: 'unauthenticated-is-forbidden',
    breaks: ['OP-UNAUTHENTICATED-01'],
    sentence: 'Who cannot be authenticated is answered 403.',
    defect: () => onReplies((reply) => (reply.code === 401 ? { ...reply, code: 403 } : reply)),
  },
  {
    id: 'list-ignores-label-selector',
    breaks: ['OP-LIST-02'],
    sentence: 'A list answers all objects, whatever its label selector.',
    defect: () => onVerbs(['list'], (call, serve) => serve(withQuery(call, (query) => query.delete('labelSelector')))),
  },
];
