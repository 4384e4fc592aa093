import { check, inconclusive, match, must, secondsFromNow, secrets, should, unsupported } from '../../harness/index.ts';
import { given, inSeconds, newToken } from '../bootstrap-token-secret/bootstrapTokens.ts';
import { known, refusedSoon } from '../known.ts';
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
    for (const { expiration, token } of tokens) await given(admin, token, { data: { expiration } });
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
    // What a target that was running already does not do is no failure: nobody says that its cleaner runs.
    if (target.mode === 'url' && ends.every(({ differences }) => differences.length > 0))
      unsupported(
        'no secret of an expired token was removed: the token cleaner is off; --restart-command or --launch lets us start the target with it on',
      );
    for (const [index, seen] of ends.entries()) must(`the expired one ${expired[index]?.[0]} is gone`, seen);
    must('the valid one is there', await at.get(secrets, long.name), match.status(200));
  },
);
