// Examples of violations, for docs/violations.md: npx touchstone violations docs/examples/violations.mjs

/** @type {import('../../proxy/violation.ts').Violations} */
export default {
  // A request that goes on changed.
  'dry-run-of-create-is-real': {
    statement: 'A POST of a ConfigMap with dryRun=All stores the object.',
    requirement: 'DRYRUN-CREATE-01',
    request(x) {
      if (x.is({ verb: 'create', resource: 'configmaps' })) x.request.query.delete('dryRun');
    },
  },

  // A request body that goes on changed.
  'put-overlooks-stale-version': {
    statement: 'A PUT that names an older resourceVersion than the stored one is taken.',
    requirement: 'UPDATE-VERSION-02',
    async request(x) {
      if (!x.is({ verb: 'update' })) return;
      const object = await x.request.object();
      if (object?.metadata) delete object.metadata.resourceVersion;
    },
  },

  // Another answer than that of the server behind.
  'refused-reads-find-nothing': {
    statement: 'Who may not read an object is told that there is none.',
    requirement: 'AUTHZ-DEFAULT-01',
    response(x) {
      if (!x.is({ verb: 'get', resource: '*' }) || x.response.status !== 403) return;
      x.refuse(404, 'NotFound', `${x.resource} "${x.name}" not found`);
    },
  },

  // Every object, wherever it is shown.
  'uid-is-not-shown': {
    statement: 'No object shows metadata.uid.',
    requirement: 'META-UID-01',
    object(object) {
      delete object.metadata?.uid;
    },
  },

  // Events of watches.
  'watch-drops-deletions': {
    statement: 'No watch tells of a deletion.',
    requirement: 'WATCH-DELETED-01',
    event(event) {
      return event.type === 'DELETED' ? null : undefined;
    },
  },

  // The server behind is asked beside, as somebody who may do everything.
  'delete-overlooks-finalizers': {
    statement: 'A DELETE removes an object at once, whatever finalizers it has.',
    requirement: 'DELETE-FINALIZER-01',
    async request(x) {
      if (!x.is({ verb: 'delete', resource: '*' })) return;
      const stored = await x.stored();
      if (stored?.metadata?.finalizers === undefined) return;
      await x.admin.send('PATCH', x.itemPath(), { metadata: { finalizers: null } });
    },
  },

  // Something that is remembered from one request to the next.
  'second-get-is-stale': {
    statement: 'A GET shows an object as it was when it was first read, whatever was written since.',
    requirement: 'META-VERSION-01',
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
