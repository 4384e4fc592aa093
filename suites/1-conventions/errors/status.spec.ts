import { check, configMaps, match, must, named, ought } from '../../harness/index.ts';

const STATUS = ['kind', 'status', 'reason', 'message'].map((path) => match.field(path, match.aString));

check(
  'ERROR-STATUS-01.1',
  'the author meets errors of several kinds → each has a Status that says so',
  ['ERROR-STATUS-01'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('taken'));
    const errors = [
      await author.get(configMaps, 'missing'),
      await author.create(configMaps, named('taken')),
      await author.update(configMaps, { ...live, data: { a: 1 } }),
      await author.create(configMaps, {}),
    ];
    for (const error of errors) {
      ought(
        'its body is a Status',
        error,
        match.error,
        match.field('kind', 'Status'),
        match.field('code', error.status),
        ...STATUS,
      );
    }
  },
);

check(
  'ERROR-UNAUTHENTICATED-01.4',
  'nobody shows a token that is no good → 401 on every path',
  ['ERROR-UNAUTHENTICATED-01', 'IDENTITY-ANONYMOUS-02'],
  async ({ nobody }) => {
    const headers = { authorization: 'Bearer touchstone-no-such-token' };
    for (const path of [
      '/version',
      '/api',
      '/apis',
      '/api/v1/namespaces',
      '/healthz',
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/openid/v1/jwks',
      '/.well-known/openid-configuration',
      '/no/such/path',
    ]) {
      for (const method of ['GET', 'OPTIONS'])
        must('it is not taken as anonymous', await nobody.request(method, path, { headers }), match.status(401));
    }
  },
);

check(
  'ERROR-UNAUTHENTICATED-01.5',
  'nobody creates with a token that is no good → nothing is stored',
  ['ERROR-UNAUTHENTICATED-01'],
  async ({ author, nobody }) => {
    const headers = { authorization: 'Bearer touchstone-no-such-token' };
    const body = await author.fill(configMaps, named('sneaked'));
    must(
      'it is refused',
      await nobody.request('POST', await author.pathOf(configMaps), { headers, body }),
      match.status(401),
    );
    must('it had no effect', await author.get(configMaps, 'sneaked'), match.status(404));
  },
);

check(
  'ERROR-FORBIDDEN-01.2',
  'the stranger does what nobody granted → 403, and nothing happens',
  ['ERROR-FORBIDDEN-01', 'AUTHZ-DEFAULT-01', 'ERROR-STATUS-01'],
  async ({ author, stranger }) => {
    const live = await author.given(configMaps, named('kept'));
    const denied = await stranger.get(configMaps, 'kept');
    must('reading is denied', denied, match.status(403));
    ought('its body is a Status', denied, match.field('code', 403), ...STATUS);
    must('creating is denied', await stranger.create(configMaps, named('sneaked')), match.status(403));
    must('deleting is denied', await stranger.delete(configMaps, 'kept'), match.status(403));
    // Who may not is not told what there is.
    must('reading what is not there', await stranger.get(configMaps, 'absent'), match.status(403));
    must('deleting it', await stranger.delete(configMaps, 'absent'), match.status(403));
    const nowhere = stranger.in(`${stranger.space.prefix}-absent`);
    must('creating in a namespace that is not there', await nowhere.create(configMaps, named('a')), match.status(403));
    must('by an apply', await nowhere.apply(configMaps, named('a')), match.status(403));
    must('reading there', await nowhere.get(configMaps, 'a'), match.status(403));
    must('a list there', await nowhere.list(configMaps), match.status(403));
    must('nothing was created', await author.get(configMaps, 'sneaked'), match.status(404));
    must('nothing was deleted', await author.get(configMaps, 'kept'), match.body(live));
  },
);

const MALFORMED: Readonly<Record<string, string | Uint8Array>> = {
  'half a document': '{"a":',
  'a lone surrogate': '{"metadata":{"name":"\\ud800"}}',
  'bytes that are no text': new Uint8Array([0xff, 0xfe, 0x00, 0x80]),
  'a thousand brackets': '['.repeat(1000),
};
for (const [title, body] of Object.entries(MALFORMED)) {
  check(
    `ERROR-CRASH-01.1/${title}`,
    `the author sends ${title} → an error, and the next request is answered`,
    ['ERROR-CRASH-01'],
    async ({ author }) => {
      ought('it is refused', await author.request('POST', await author.pathOf(configMaps), { body }), match.error);
      ought('the service goes on', await author.create(configMaps, named('next')), match.created);
    },
  );
}
