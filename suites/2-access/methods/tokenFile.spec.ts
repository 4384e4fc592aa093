import {
  check,
  clause,
  clausesOf,
  issuer,
  MINUTE,
  match,
  must,
  SECOND,
  type Setup,
  should,
} from '../../harness/index.ts';
import {
  authenticator,
  configuration,
  FILE,
  SINCE,
  withFile,
} from '../authentication-configuration-file/configuration.ts';
import { ADA as CLAIMS } from '../idTokens.ts';
import { calls, inGroups, known, notInGroup } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';

const ADMIN = { token: 'admin-of-the-token-file' };
const ADA = { token: 'ada-of-the-token-file' };
/** Of the same name, with another uid and other groups. */
const OTHER_ROW = { token: 'second-of-the-token-file' };
const BEN = { token: 'ben-of-the-token-file' };
/** Another one of the same user. */
const BEN_TOO = { token: 'second-of-ben-of-the-token-file' };
const NAMED = { token: 'named-of-the-token-file' };
const LAST = { token: 'last-of-the-token-file' };
/** As lines of comment begin elsewhere. */
const HASH = { token: '#hash-of-the-token-file' };
/** Of lines that end as those of the standard of CSV do. */
const ENDED = { token: 'ended-of-the-token-file' };
const SHORT = { token: 'short-of-the-token-file' };
/** Whose name, uid and groups begin as those of the service do. */
const SAM = { token: 'sam-of-the-token-file' };
const EVE = { token: 'eve-of-the-token-file' };
/** Of a column that is there and says nothing. */
const WITHOUT_UID = { token: 'without-a-uid-in-the-token-file' };
/** As many rows as that some stand behind whatever is read of a file at a time. */
const MANY = Array.from({ length: 400 }, (_, at) => `row-${at}-of-the-token-file,row-${at},row-uid-${at},many`);
const ROWS = [
  `${ADMIN.token},admin,admin-uid,system:masters`,
  `${ADA.token},ada,ada-uid,"staff,operators"`,
  `${BEN.token},"ben","ben-uid"`,
  `${BEN_TOO.token},"ben","ben-uid"`,
  `${OTHER_ROW.token},ada,ada-second-uid,"guests"`,
  `${SAM.token},system:touchstone,system:7,"system:monitoring,system:nodes"`,
];

/** A server with these rows in its file of static tokens, the first of which is the admin's. */
const rows = (all: readonly string[], end = '\n'): Setup => ({
  flags: ['--token-auth-file={tokens.csv}'],
  files: { 'tokens.csv': `${all.join('\n')}${end}` },
  identities: { admin: ADMIN },
});
/** Columns with signs that mean something in CSV, and a last line that has no end. */
const CSV = [
  `${NAMED.token},"Lovelace, Ada, ""the"" first","a,""b""",staff`,
  `${HASH.token},hash,hash-uid,staff`,
  `${ENDED.token},ended,ended-uid,staff\r`,
  `${SHORT.token},short,short-uid\r`,
  `${LAST.token},last,"last,uid","staff,operators"`,
];
const setup = rows([...ROWS, `${WITHOUT_UID.token},nobody-in-particular,`, ...MANY, ...CSV], '');

check(
  'TOKENFILE-COLUMNS-01.1',
  'ada, ada by another row and ben show tokens of the file → name, uid and groups as they stand in the row',
  ['TOKENFILE-COLUMNS-01'],
  { setup },
  async ({ someone }) => {
    const uid = (text: match.Expectation) => match.field('status.userInfo.uid', text);
    const ada = await known(someone('ada', ADA), calls('ada'), uid('ada-uid'), inGroups('staff', 'operators'));
    must('four columns give the groups too', ada);
    const second = await known(
      someone('second', OTHER_ROW),
      calls('ada'),
      uid('ada-second-uid'),
      inGroups('guests'),
      notInGroup('staff'),
    );
    must('another row of her name gives what stands in it', second);
    for (const token of [BEN, BEN_TOO]) {
      const ben = await known(someone('ben', token), calls('ben'), uid('ben-uid'), notInGroup('staff'));
      must('three columns give a user without groups', ben);
    }
    const own = [calls('system:touchstone'), uid('system:7'), inGroups('system:monitoring', 'system:nodes')];
    must('what is as of the service is as it stands', await known(someone('sam', SAM), ...own));
    const hash = await known(someone('hash', HASH), calls('hash'), uid('hash-uid'), inGroups('staff'));
    must('a token may begin as a comment does elsewhere', hash);
    const without = await known(someone('without', WITHOUT_UID), calls('nobody-in-particular'), uid(match.empty));
    must('a uid may be nothing', without);
    for (const at of [0, 127, 255, 256, 399]) {
      const one = someone('one', { token: `row-${at}-of-the-token-file` });
      must(`row ${at} of many counts`, await known(one, calls(`row-${at}`), uid(`row-uid-${at}`), inGroups('many')));
    }
  },
);

check(
  'TOKENFILE-COLUMNS-04.1',
  'columns of the file hold commas and doubled quotes, and its last line has no end → names, uids and groups as meant',
  clausesOf('TOKENFILE-COLUMNS-04'),
  { setup },
  async ({ someone }) => {
    const named = must('the first is known', await known(someone('named', NAMED)));
    const [name, uid, groups] = ['username', 'uid', 'groups'].map((member) => `status.userInfo.${member}`) as [
      string,
      string,
      string,
    ];
    await clause('TOKENFILE-COLUMNS-04/quotes', async () => {
      must('quotes are in the name', named, match.field(name, match.text('"the" first', /"the" first$/)));
      must('and in the uid', named, match.field(uid, match.text('"b"', /"b"$/)));
    });
    await clause('TOKENFILE-COLUMNS-04/commas', async () => {
      must('commas are in the name', named, match.field(name, match.startingWith('Lovelace, Ada, ')));
      must('and in the uid', named, match.field(uid, match.startingWith('a,')));
    });
    await clause('TOKENFILE-COLUMNS-04/one-group', async () => {
      must('it is the one', named, match.field(groups, match.sameItems(['staff', 'system:authenticated'])));
    });
    await clause('TOKENFILE-COLUMNS-04/line-ends', async () => {
      const group = match.field(groups, match.sameItems(['staff', 'system:authenticated']));
      must('a carriage return is part of no group', await known(someone('ended', ENDED), calls('ended'), group));
      must('and of no uid', await known(someone('short', SHORT), calls('short'), match.field(uid, 'short-uid')));
    });
    await clause('TOKENFILE-COLUMNS-04/last-line', async () => {
      const said = [calls('last'), match.field(uid, 'last,uid'), inGroups('staff', 'operators')];
      must('the last is known', await known(someone('last', LAST), ...said));
    });
  },
);

check(
  'TOKENFILE-COLUMNS-02.1',
  'the file of static tokens has a line of two columns → the server does not start',
  ['TOKENFILE-COLUMNS-02'],
  ['launch'],
  async ({ start }) => {
    const server = await start(rows([...ROWS, `${EVE.token},eve`]));
    must('a user without a uid is refused', server, match.refusesToStart);
  },
);

check(
  'TOKENFILE-COLUMNS-03.1',
  'the file of static tokens has a line without a user name → the server does not start, or the token is answered 401',
  ['TOKENFILE-COLUMNS-03'],
  ['launch'],
  async ({ start }) => {
    const server = await start(rows([...ROWS, `${EVE.token},,eve-uid,"system:masters"`]));
    if (server.failure !== undefined) {
      must('nobody is refused', server, match.refusesToStart);
      return;
    }
    must('nobody is known by it', await whoAmI(server.as('eve', EVE)), match.status(401));
  },
);

check(
  'TOKENFILE-RESTART-01.1',
  'a token is added to the file of a running server → it is taken only by a server that is started afterwards',
  ['TOKENFILE-RESTART-01'],
  ['launch'],
  async ({ start, services, dialect }) => {
    const from = await services.get(issuer);
    const watched = withFile(configuration(dialect, [authenticator(from, 'before')]));
    const also = ({ flags = [], files = {}, ...others }: Setup): Setup => ({
      ...others,
      flags: [...flags, ...(watched.flags ?? [])],
      files: { ...files, ...watched.files },
      since: SINCE,
    });
    const more = rows([...ROWS, `${EVE.token},eve,eve-uid`]);
    const before = await start(also(setup));
    must('the tokens of the file are taken', await known(before.as('ada', ADA)));
    before.write('tokens.csv', more.files?.['tokens.csv'] ?? '');
    // Nothing tells that a server has not looked at this file, but a file that it has to look at can: when that is
    // taken up, there was time for the other.
    before.write(FILE, configuration(dialect, [authenticator(from, 'after')]));
    const token = await from.token({ claims: { ...CLAIMS, iss: from.tenant('after') } });
    const fence = before.as('fence', { token });
    await should(() => whoAmI(fence), match.created, { within: 90 * SECOND });
    const meanwhile = await whoAmI(before.as('eve', EVE));
    must('the new one is not', meanwhile, match.status(401));
    await before.stop();
    must('after a restart it is', await known((await start(more)).as('eve', EVE), calls('eve')));
  },
);

const long = rows(ROWS);

check(
  'TOKENFILE-EXPIRY-01.1',
  'ada shows her static token a month later → it is still taken',
  ['TOKENFILE-EXPIRY-01'],
  { setup: long },
  async ({ someone, clock }) => {
    const ada = someone('ada', ADA);
    must('it is taken', await known(ada));
    await clock.advance(30 * 24 * 60 * MINUTE);
    must('it never expires', await whoAmI(ada), match.created, calls('ada'));
  },
);
