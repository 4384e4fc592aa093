// Examples of violations, for docs/violations.md: npx touchstone violations docs/examples/violations.mjs

/** @type {import('../../proxy/violation.ts').Violations} */
export default {
  // A request that goes on changed.
  'dry-run-of-create-is-real': {
    statement: 'A POST of a ConfigMap with dryRun=All stores the object.',
    requirement: 'DRYRUN',
    request(x) {
      if (x.is({ verb: 'create', resource: 'configmaps' })) x.request.query.delete('dryRun');
    },
  },

  // A request body that goes on changed.
  'put-overlooks-stale-version': {
    statement: 'A PUT that names an older resourceVersion than the stored one is taken.',
    requirement: 'UPDATE',
    async request(x) {
      if (!x.is({ verb: 'update' })) return;
      const object = await x.request.object();
      if (object?.metadata) delete object.metadata.resourceVersion;
    },
  },

  // An answer that the server behind is never asked for.
  'strangers-read-namespaces': {
    statement: 'Who may not list namespaces is shown none, instead of being refused.',
    requirement: 'AUTHZ',
    response(x) {
      if (!x.is({ verb: 'list', resource: 'namespaces' }) || x.response.status !== 403) return;
      x.answer(200, { kind: 'NamespaceList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] });
    },
  },

  // Every object, wherever it is shown.
  'generation-is-not-shown': {
    statement: 'No object shows metadata.generation.',
    requirement: 'META',
    object(object) {
      delete object.metadata?.generation;
    },
  },

  // Events of watches.
  'watch-drops-deletions': {
    statement: 'No watch tells of a deletion.',
    requirement: 'WATCH',
    event(event) {
      return event.type === 'DELETED' ? null : undefined;
    },
  },

  // What the server behind has stored, asked for as somebody who may do everything.
  'delete-of-finalized-object-answers-404': {
    statement: 'A DELETE of an object that waits for its finalizers is answered as if there were none.',
    requirement: 'DELETE',
    async request(x) {
      if (!x.is({ verb: 'delete', resource: '*' })) return;
      const stored = await x.stored();
      if (stored?.metadata?.deletionTimestamp) x.refuse(404, 'NotFound', `${x.resource} "${x.name}" not found`);
    },
  },

  // Something that is remembered from one request to the next.
  'second-get-is-stale': {
    statement: 'A GET shows an object as it was when it was first read, whatever was written since.',
    requirement: 'UPDATE',
    async response(x) {
      if (!x.is({ verb: 'get', resource: 'configmaps' }) || x.response.status !== 200) return;
      const before = x.memory.get(x.request.path);
      const object = await x.response.object();
      if (before === undefined) x.memory.set(x.request.path, structuredClone(object));
      else if (object) x.response.set(before);
    },
  },

  // Not one: what changes nothing has to slip.
  'changes-nothing': {
    statement: 'Answers have a header that nobody asked for, which is allowed.',
    requirement: 'DRYRUN-VALUE-03',
    response(x) {
      x.response.headers['x-passed'] = 'yes';
    },
  },
};
