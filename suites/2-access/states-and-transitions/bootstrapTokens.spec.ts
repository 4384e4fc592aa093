import type { Actor } from '../../harness/index.ts';
import {
  check,
  inconclusive,
  match,
  must,
  named,
  secondsFromNow,
  secrets,
  should,
  unsupported,
} from '../../harness/index.ts';
import {
  type BootstrapToken,
  given,
  inSeconds,
  newToken,
  storedOrRefused,
} from '../bootstrap-token-secret/bootstrapTokens.ts';
import { known, refusedSoon } from '../known.ts';
import { CHANGING } from '../rbac-behavior/escalation.ts';
import { whoAmI } from '../whoAmI.ts';

check(
  'BOOTSTRAP-EXPIRY-01.1',
  'a bootstrap token reaches its expiration → it is taken before and refused after, and one without stays good',
  ['BOOTSTRAP-EXPIRY-01'],
  async ({ admin, someone }) => {
    const [short, held, long] = [newToken(), newToken(), newToken()];
    const life = 6;
    const end = secondsFromNow(life);
    await given(admin, long);
    // A token cleaner deletes the secret of the one, and cannot remove that of the other.
    await given(admin, held, { data: { expiration: inSeconds(life) }, held: true });
    await given(admin, short, { data: { expiration: inSeconds(life) } });
    const brief = someone('node', { token: short.text });
    // A server may see secrets a moment after they were stored.
    const { differences } = await should(() => whoAmI(brief), match.created, { within: (life - 2) * 1_000 });
    if (differences.length > 0 && secondsFromNow(0) >= end - 1) inconclusive('the token expired before it was seen');
    must('it is taken before', differences.length, match.equal(0));
    must('it is refused after', await refusedSoon(brief));
    must('so is one whose secret stays', await whoAmI(someone('held-node', { token: held.text })), match.status(401));
    must('one without expiration is taken', await known(someone('other-node', { token: long.text })));
  },
);

check(
  'BOOTSTRAP-EXPIRY-01.2',
  'bootstrap tokens come whose expiration is no RFC 3339 time → none is taken',
  ['BOOTSTRAP-EXPIRY-01'],
  async ({ admin, someone }) => {
    const times = ['yesterday', '1893456000', '2030-01-01', '2030-01-01 00:00:00', 'never'];
    const tokens = times.map((expiration) => ({ expiration, token: newToken() }));
    for (const { expiration, token } of tokens) await storedOrRefused(admin, token, { data: { expiration } });
    // When a later one is taken, the earlier ones have been seen.
    const later = newToken();
    await given(admin, later, { data: { expiration: inSeconds(3_600) } });
    must('one with a time is taken', await known(someone('node', { token: later.text })));
    for (const { expiration, token } of tokens)
      must(`"${expiration}" is no time`, await whoAmI(someone('eve', { token: token.text })), match.status(401));
  },
);

/** RFC 3339 has several ways to write a time of UTC: with parts of seconds, of any number of digits, and with its offset. */
const WRITTEN: Readonly<Record<string, (time: string) => string>> = {
  'whole seconds': (time) => time,
  'a tenth of a second': (time) => time.replace('Z', '.5Z'),
  'parts of a thousand': (time) => time.replace('Z', '.123Z'),
  'parts of a billion': (time) => time.replace('Z', '.123456789Z'),
  'an offset': (time) => time.replace('Z', '+00:00'),
};

check(
  'BOOTSTRAP-EXPIRY-01.3',
  'bootstrap tokens come that have expired already, and such that have not, in every way to write a time → the first are refused',
  ['BOOTSTRAP-EXPIRY-01'],
  async ({ admin, someone }) => {
    const tokens = Object.entries(WRITTEN).map(([how, write]) => ({
      ...{ how, past: newToken(), recent: newToken(), future: newToken() },
      write,
    }));
    for (const { past, recent, future, write } of tokens) {
      // A token cleaner cannot remove the secret of the second.
      await given(admin, past, { data: { expiration: write(inSeconds(-3_600)) } });
      await given(admin, recent, { data: { expiration: write(inSeconds(-2)) }, held: true });
      await given(admin, future, { data: { expiration: write(inSeconds(3_600)) } });
    }
    for (const { how, future } of tokens)
      must(`not expired, by ${how}`, await known(someone('other-node', { token: future.text })));
    for (const { how, past, recent } of tokens) {
      must(`expired, by ${how}`, await refusedSoon(someone('node', { token: past.text })));
      must(`just expired, by ${how}`, await refusedSoon(someone('node', { token: recent.text })));
    }
  },
);

const NO_CLEANER =
  'no secret of an expired token was removed: the token cleaner is off; a command that starts the target may start controllers with it on';

check(
  'BOOTSTRAP-CLEANER-01.1',
  'a bootstrap token expires → its secret is removed, and that of a valid one is not',
  ['BOOTSTRAP-CLEANER-01'],
  async ({ admin, dialect, target }) => {
    const [short, long] = [newToken(), newToken()];
    await given(admin, long, { data: { expiration: inSeconds(3_600) } });
    await given(admin, short, { data: { expiration: inSeconds(2) } });
    // What a token may be used for is no matter of whether it has expired.
    const [signing, unused] = [newToken(), newToken()];
    const expiration = inSeconds(2);
    await given(admin, signing, {
      data: { expiration, 'usage-bootstrap-authentication': undefined, 'usage-bootstrap-signing': 'true' },
    });
    await given(admin, unused, { data: { expiration, 'usage-bootstrap-authentication': 'false' } });
    const parted = newToken();
    await given(admin, parted, { data: { expiration: WRITTEN['parts of a thousand']?.(expiration) } });
    const at = admin.in(dialect.systemNamespace);
    const expired = Object.entries({
      'that authenticated': short,
      'that signed': signing,
      'without a use': unused,
      'in parts of seconds': parted,
    });
    const ends = await Promise.all(
      expired.map(([, { name }]) => should(() => at.get(secrets, name), match.status(404), { within: 30_000 })),
    );
    // What no flag of the server switches on, whoever started it may have left off.
    if (target.mode !== 'embedded' && ends.every(({ differences }) => differences.length > 0)) unsupported(NO_CLEANER);
    for (const [index, seen] of ends.entries()) must(`the expired one ${expired[index]?.[0]} is gone`, seen);
    must('the valid one is there', await at.get(secrets, long.name), match.status(200));
  },
);

type Way = keyof typeof CHANGING;
const WAYS: readonly Way[] = ['put', 'json', 'merge', 'strategic', 'apply'];
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** Stores a token that expires; where it is to be changed by an apply, by one too, which may then leave out what it had. */
async function madeFor(way: Way, admin: Actor, token: BootstrapToken, expiration: string): Promise<void> {
  if (way !== 'apply') return given(admin, token, { data: { expiration } });
  const texts = { 'token-id': token.id, 'token-secret': token.secret, expiration };
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, encoded(text)]));
  const type = `bootstrap.${admin.dialect.labelDomain}/token`;
  const at = admin.in(admin.dialect.systemNamespace);
  await at.prepare(() => at.apply(secrets, named(token.name, { type, data }), { force: true }));
}

/** Gives a token another expiration in one way, or none. */
async function changed(way: Way, admin: Actor, { name }: BootstrapToken, expiration?: string): Promise<void> {
  const at = admin.in(admin.dialect.systemNamespace);
  const live = (await at.prepare(() => at.get(secrets, name))).json as { type: string; data: Record<string, string> };
  const { expiration: _, ...others } = live.data;
  const told = expiration === undefined ? {} : { expiration: encoded(expiration) };
  const content =
    way === 'merge' || way === 'strategic'
      ? { data: { expiration: told.expiration ?? null } }
      : { ...(way === 'apply' ? { type: live.type } : {}), data: { ...others, ...told } };
  await at.prepare(() => CHANGING[way](at, secrets, live, name, content));
}

/** What becomes of the expiration of a token before it comes. */
const PUT_OFF: Readonly<Record<string, () => string | undefined>> = {
  'put off': () => inSeconds(3_600),
  'taken out': () => undefined,
};

check(
  'BOOTSTRAP-CLEANER-01.2',
  'the admin puts expirations of bootstrap tokens off, takes them out and brings them forward in every way → each secret is removed when the last one comes, and not at the first',
  ['BOOTSTRAP-CLEANER-01'],
  async ({ admin, dialect, target }) => {
    const at = admin.in(dialect.systemNamespace);
    const life = 8;
    const stays = WAYS.flatMap((way) => Object.keys(PUT_OFF).map((what) => ({ way, what, token: newToken() })));
    const goes = WAYS.map((way) => ({ way, token: newToken() }));
    const changes = await Promise.all([
      ...stays.map(async ({ way, what, token }) => {
        const end = secondsFromNow(life);
        await madeFor(way, admin, token, inSeconds(life));
        await changed(way, admin, token, PUT_OFF[what]?.());
        // One that expired meanwhile may be gone.
        return secondsFromNow(0) < end - 1 ? { way, what, token } : undefined;
      }),
      ...goes.map(async ({ way, token }) => {
        await madeFor(way, admin, token, inSeconds(3_600));
        await changed(way, admin, token, inSeconds(1));
        return undefined;
      }),
    ]);
    const inTime = changes.filter((each) => each !== undefined);
    if (inTime.length === 0) inconclusive('the tokens expired before they were changed');
    // It expires after all those would have that were changed.
    const last = newToken();
    await given(admin, last, { data: { expiration: inSeconds(life) } });
    const gone = ({ name }: BootstrapToken) =>
      should(() => at.get(secrets, name), match.status(404), { within: 30_000 });
    const end = await gone(last);
    if (target.mode !== 'embedded' && end.differences.length > 0) unsupported(NO_CLEANER);
    must('one that was left as it is is gone', end);
    for (const { way, token } of goes) must(`one that was brought forward by ${way} is gone`, await gone(token));
    for (const { way, what, token } of inTime)
      must(`one that was ${what} by ${way} is there`, await at.get(secrets, token.name), match.status(200));
  },
);
