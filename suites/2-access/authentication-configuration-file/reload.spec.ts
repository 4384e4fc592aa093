import { PARTS_OF_AUTHENTICATORS } from '../../../fixtures/ledger/index.ts';
import type { Exchange, Issuer, Matcher } from '../../harness/index.ts';
import {
  authority,
  type Claims,
  check,
  clause,
  clausesOf,
  issuer,
  Metrics,
  match,
  must,
  SECOND,
  type SetupOf,
  secondsFromNow,
  should,
} from '../../harness/index.ts';
import { ADA, CLIENT } from '../idTokens.ts';
import { calls, inGroups, known, knownBefore, refused, refusedSoon, refusedWhateverIsAsked } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';
import { authenticator, configuration, FILE, withFile } from './configuration.ts';

/** A server with an authenticator for the issuer `before`. */
const before: SetupOf = async (services, dialect) => {
  const from = await services.get(issuer);
  const content = configuration(dialect, [authenticator(from, 'before')]);
  return withFile(content, { token: await from.token({ claims: { ...ADA, iss: from.tenant('before') } }) });
};

/** A server may look at its files every now and then, and not at once. */
const RELOAD = { within: 90 * SECOND };
/** Milliseconds that a check may take which waits for that twice. */
const PATIENT = 3 * RELOAD.within;
/** Seconds. */
const DAY = 24 * 60 * 60;
const GAUGE = 'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds';

check(
  'AUTHNCONF-FILE-03.1',
  'the file is changed under a running server → its new authenticators and rules decide',
  ['AUTHNCONF-FILE-03', ...clausesOf('AUTHNCONF-FILE-07', ['rules', 'mappings', 'audiences', 'back'])],
  { orElse: ['authentication-file'] },
  async ({ start, services, dialect }, info) => {
    info.setTimeout(PATIENT);
    const server = await start(before);
    const from = await services.get(issuer);
    const of = async (name: string, more = {}) =>
      server.as('ada', { token: await from.token({ claims: { ...ADA, iss: from.tenant(name), ...more } }) });
    const ofBefore = await of('before');
    must('the issuer of the file is taken', await known(ofBefore, calls('before:ada')));
    const rules = { claimValidationRules: [{ claim: 'hd', requiredValue: 'example.com' }] };
    server.write(FILE, configuration(dialect, [authenticator(from, 'after', rules)]));
    const ofAfter = await of('after', { hd: 'example.com' });
    must('the new one is', await should(() => whoAmI(ofAfter), calls('after:ada'), RELOAD));
    must('its rules decide', await whoAmI(await of('after')), refused);
    must('the old one is not any longer', await refusedSoon(ofBefore));
    await refusedWhateverIsAsked(ofBefore);
    // The issuer stays, and all else that is said of it changes.
    const changed = {
      issuer: { audiences: ['another'] },
      claimMappings: { username: { claim: 'nick', prefix: 'again:' } },
      claimValidationRules: [{ claim: 'plan', requiredValue: 'gold' }],
    };
    const sound = { nick: 'queen', plan: 'gold', aud: 'another' };
    server.write(FILE, configuration(dialect, [authenticator(from, 'after', changed)]));
    const again = await of('after', sound);
    await clause('AUTHNCONF-FILE-07/mappings', async () => {
      must('the second change is taken up', await should(() => whoAmI(again), calls('again:queen'), RELOAD));
    });
    await clause('AUTHNCONF-FILE-07/rules', async () => {
      must('its rule decides', await whoAmI(await of('after', { ...sound, plan: 'silver' })), refused);
      must('the former does not', await whoAmI(await of('after', { ...sound, hd: 'none' })), match.created);
    });
    await clause('AUTHNCONF-FILE-07/audiences', async () => {
      must('the other audience is taken', await whoAmI(again), match.created);
      must('the former audience is none', await whoAmI(await of('after', { ...sound, aud: CLIENT })), refused);
    });
    await clause('AUTHNCONF-FILE-07/back', async () => {
      server.write(FILE, configuration(dialect, [authenticator(from, 'before')]));
      must('as it was at first', await should(() => whoAmI(ofBefore), calls('before:ada'), RELOAD));
      must('what was in between is not', await refusedSoon(again));
    });
  },
);

check(
  'AUTHNCONF-FILE-04.1',
  'the file is changed, and changed again → the gauge of the last reload moves on, a time of these days in seconds',
  ['AUTHNCONF-FILE-04', ...clausesOf('AUTHNCONF-FILE-08')],
  { orElse: ['authentication-file'] },
  async ({ start, services, dialect }, info) => {
    info.setTimeout(PATIENT);
    const server = await start(before);
    const admin = server.as('admin');
    const from = await services.get(issuer);
    const gauge = async () => {
      const { text } = await admin.request('GET', '/metrics', { words: 'admin reads the gauge of the last reload' });
      // Its labels are not in the text; where there are some, a failed reload is none.
      const told = new Metrics(text).samples(GAUGE);
      const loaded = told.filter(({ labels }) => !/failure|error/.test(Object.values(labels).join(' ')));
      return Math.max(0, ...loaded.map(({ value }) => value));
    };
    const first = await gauge();
    server.write(FILE, configuration(dialect, [authenticator(from, 'after')]));
    const ada = server.as('ada', { token: await from.token({ claims: { ...ADA, iss: from.tenant('after') } }) });
    const begun = performance.now();
    must('the changed file is taken up', await should(() => whoAmI(ada), calls('after:ada'), RELOAD));
    // Another change may take some times as long as this one, or some seconds.
    const took = performance.now() - begun;
    const patience = { within: 5 * SECOND + 3 * took };
    const later = match.valueMatcher('a later time than before', (value) => Number(value) > first);
    must('the gauge has moved on', await should(gauge, later, RELOAD));
    await clause('AUTHNCONF-FILE-08/seconds', async () => {
      const [now, seen] = [secondsFromNow(0), await gauge()];
      // Clocks differ: by less than a day.
      must('it is a time of these days', Math.abs(seen - now) < DAY, match.equal(true));
    });
    await clause('AUTHNCONF-FILE-08/each', async () => {
      const second = await gauge();
      const again = match.valueMatcher('a later time than of the change before', (value) => Number(value) > second);
      // A gauge of whole seconds may stand still for one: the file is changed until it has moved, and left alone for
      // as long as a change takes, since a server may wait until it rests.
      let changes = 0;
      const moved = async () => {
        server.write(FILE, configuration(dialect, [authenticator(from, `again-${++changes}`)]));
        return (await should(gauge, again, { within: 2 * SECOND + 1.5 * took })).subject;
      };
      must('it moves on with another change', await should(moved, again, patience));
    });
  },
);

check(
  'AUTHNCONF-FILE-05.1',
  'the file is changed into one that is not valid → what was valid last stays in use, until there is another',
  ['AUTHNCONF-FILE-05', 'AUTHNCONF-FILE-07/after-invalid'],
  { orElse: ['authentication-file'] },
  async ({ start, services, dialect }, info) => {
    info.setTimeout(PATIENT);
    const server = await start(before);
    const from = await services.get(issuer);
    const of = async (name: string) =>
      server.as('ada', { token: await from.token({ claims: { ...ADA, iss: from.tenant(name) } }) });
    server.write(FILE, configuration(dialect, [authenticator(from, 'after')]));
    const after = await of('after');
    const begun = performance.now();
    must('a good one is taken up', await should(() => whoAmI(after), calls('after:ada'), RELOAD));
    const reload = performance.now() - begun;
    server.write(FILE, configuration(dialect, [authenticator(from, 'broken', { claimMappings: { username: {} } })]));
    // Nothing tells that the faulty file was looked at: the server gets twice the time in which it took up a good one.
    const broken = await of('broken');
    const seen = await should(() => whoAmI(broken), match.created, { within: 2 * reload + SECOND / 2 });
    must('the faulty one is not taken up', seen.subject, refused);
    must('the last valid one stays', await whoAmI(after), calls('after:ada'));
    await clause('AUTHNCONF-FILE-07/after-invalid', async () => {
      server.write(FILE, configuration(dialect, [authenticator(from, 'mended')]));
      const mended = await of('mended');
      must('the next good one is taken up', await should(() => whoAmI(mended), calls('mended:ada'), RELOAD));
      must('the one before is not in use any longer', await refusedSoon(after));
    });
  },
);

type Part = (typeof PARTS_OF_AUTHENTICATORS)[number];
type Said = Readonly<Record<Part, string>>;

/** The authenticators of a file of which one part after another changes. */
const partly = (from: Issuer, said: Said): readonly object[] => [
  authenticator(from, 'first', {
    claimMappings: {
      username: { claim: 'sub', prefix: said.prefix },
      groups: { claim: 'teams', prefix: said.groups },
      uid: { claim: said.uid },
      extra: [{ key: 'example.com/tenant', valueExpression: said.extra }],
    },
    claimValidationRules: [{ claim: 'plan', requiredValue: said['claim-rules'] }],
    userValidationRules: [{ expression: `!('${said['user-rules']}' in user.groups)` }],
  }),
  authenticator(from, 'second', {
    issuer: { audiences: [said['second-audiences']] },
    claimMappings: { username: { claim: 'sub', prefix: said.second } },
  }),
  authenticator(from, 'third', { issuer: { discoveryURL: `${from.url}/documents/${said.discovery}` } }),
  authenticator(from, 'fourth', { issuer: { certificateAuthority: said.authority } }),
];

/** What a token of the first issuer says. */
const OF_FIRST = { teams: ['red'], id: '7', no: '8', one: 'acme', two: 'corp', plan: 'gold' };
/** Of each part, what the file says of it first and then, as long as each other, and what is seen of that by which token. */
const CHANGES_OF_PARTS: Readonly<
  Record<
    Exclude<Part, Reaching>,
    readonly [first: string, then: string, name: string, claims: Claims, seen: Matcher<Exchange>]
  >
> = {
  prefix: ['a:', 'b:', 'first', OF_FIRST, calls('b:ada')],
  groups: ['g:', 'h:', 'first', OF_FIRST, inGroups('h:red')],
  uid: ['id', 'no', 'first', OF_FIRST, match.field('status.userInfo.uid', '8')],
  extra: [
    'claims.one',
    'claims.two',
    'first',
    OF_FIRST,
    match.field(['status', 'userInfo', 'extra', 'example.com/tenant'], ['corp']),
  ],
  'claim-rules': ['gold', 'iron', 'first', { ...OF_FIRST, plan: 'iron' }, match.created],
  'user-rules': ['none', 'h:ro', 'first', { ...OF_FIRST, plan: 'iron', teams: ['ro'] }, refused],
  second: ['x:', 'y:', 'second', {}, calls('y:ada')],
  'second-audiences': [CLIENT, CLIENT.toUpperCase(), 'second', { aud: CLIENT.toUpperCase() }, match.created],
};
/**
 * By which a server reaches an issuer. While it does not reach one it may keep to the file before, so each of these
 * changes under a server of its own, where nothing else is to be taken up before.
 */
type Reaching = (typeof REACHING)[number];
const REACHING = ['discovery', 'authority'] as const;
/** What the file says of the others at first, and by which each issuer is found. */
function saidFirst(from: Issuer): Said {
  from.publish('/documents/here', from.tenant('third'));
  const first = Object.entries(CHANGES_OF_PARTS).map(([part, [said]]) => [part, said]);
  return { ...Object.fromEntries(first), discovery: 'here', authority: from.ca };
}

check(
  'AUTHNCONF-FILE-07.1',
  'the file changes in one part at a time, and stays as long as it was → each change is taken up',
  clausesOf('AUTHNCONF-FILE-07', Object.keys(CHANGES_OF_PARTS)),
  { orElse: ['authentication-file'] },
  async ({ start, services, dialect }, info) => {
    info.setTimeout(PARTS_OF_AUTHENTICATORS.length * RELOAD.within);
    const from = await services.get(issuer);
    const token = (name: string, claims: Claims) =>
      from.token({ claims: { ...ADA, iss: from.tenant(name), ...claims } });
    let said = saidFirst(from);
    const server = await start(
      withFile(configuration(dialect, partly(from, said)), { token: await token('first', OF_FIRST) }),
    );
    const by = async (name: string, claims: Claims) => server.as('ada', { token: await token(name, claims) });
    must('the first issuer is taken', await known(await by('first', OF_FIRST), calls('a:ada')));
    must('so is the second', await known(await by('second', {}), calls('x:ada')));
    // A server that looks every now and then may have looked by chance just after the first change, not after the second.
    let slowest = 0;
    const parts = Object.keys(CHANGES_OF_PARTS) as Exclude<Part, Reaching>[];
    for (const [index, part] of parts.entries()) {
      await clause(`AUTHNCONF-FILE-07/${part}`, async () => {
        const [, then, name, claims, seen] = CHANGES_OF_PARTS[part];
        const actor = await by(name, claims);
        if (seen === refused) await knownBefore(actor);
        said = { ...said, [part]: then };
        server.write(FILE, configuration(dialect, partly(from, said)));
        const begun = performance.now();
        const within = index < 2 ? RELOAD.within : Math.min(RELOAD.within, 5 * SECOND + 3 * slowest);
        const sighting = await should(() => whoAmI(actor), seen, { within });
        if (sighting.differences.length === 0) slowest = Math.max(slowest, performance.now() - begun);
        must(`another ${part} is taken up`, sighting);
      });
    }
  },
);

for (const part of REACHING) {
  check(
    `AUTHNCONF-FILE-07.2/${part}`,
    `the ${part} of an issuer that is not found becomes the one by which it is, and nothing else changes → its tokens are taken`,
    [`AUTHNCONF-FILE-07/${part}`],
    ['launch'],
    async ({ start, services, dialect }, info) => {
      info.setTimeout(PATIENT);
      const from = await services.get(issuer);
      const another = (await services.get(authority, 'another')).pem;
      const sound = saidFirst(from);
      const faulty = { ...sound, ...{ discovery: { discovery: 'none' }, authority: { authority: another } }[part] };
      const server = await start(withFile(configuration(dialect, partly(from, faulty))));
      const by = async (name: string, claims: Claims = {}) =>
        server.as('ada', { token: await from.token({ claims: { ...ADA, iss: from.tenant(name), ...claims } }) });
      must('another issuer is taken', await known(await by('first', OF_FIRST), calls('a:ada')));
      const name = { discovery: 'third', authority: 'fourth' }[part];
      const ada = await by(name);
      must('this one is not found', await whoAmI(ada), refused);
      server.write(FILE, configuration(dialect, partly(from, sound)));
      must(`another ${part} is taken up`, await should(() => whoAmI(ada), calls(`${name}:ada`), RELOAD));
    },
  );
}
