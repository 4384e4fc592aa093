import { check, inconclusive, match, must, secondsFromNow, secrets, should } from '../../harness/index.ts';
import { given, inSeconds, newToken } from '../bootstrap-token-secret/bootstrapTokens.ts';
import { known, refusedSoon } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';

check(
  'a bootstrap token reaches its expiration → it is taken before and refused after, and one without stays good',
  ['BOOTSTRAP-EXPIRY-01'],
  async ({ admin, someone }) => {
    const [short, long] = [newToken(), newToken()];
    const end = secondsFromNow(4);
    await given(admin, long);
    await given(admin, short, { data: { expiration: inSeconds(4) } });
    const brief = someone('node', { token: short.text });
    const before = await whoAmI(brief);
    if (secondsFromNow(0) >= end) inconclusive('the token had expired before the server answered');
    must('it is taken before', before, match.status(201));
    must('it is refused after', await refusedSoon(brief));
    must('one without expiration is taken', await known(someone('other-node', { token: long.text })));
  },
);

check(
  'a bootstrap token comes that has expired already → it is refused',
  ['BOOTSTRAP-EXPIRY-01'],
  async ({ admin, someone }) => {
    const token = newToken();
    await given(admin, token, { data: { expiration: inSeconds(-3_600) } });
    must('expired', await refusedSoon(someone('node', { token: token.text })));
  },
);

check(
  'a bootstrap token expires → its secret is removed, and that of a valid one is not',
  ['BOOTSTRAP-CLEANER-01'],
  async ({ admin, dialect }) => {
    const [short, long] = [newToken(), newToken()];
    await given(admin, long, { data: { expiration: inSeconds(3_600) } });
    await given(admin, short, { data: { expiration: inSeconds(2) } });
    const at = admin.in(dialect.systemNamespace);
    must(
      'the expired one is gone',
      await should(() => at.get(secrets, short.name), match.status(404), { within: 30_000 }),
    );
    must('the valid one is there', await at.get(secrets, long.name), match.status(200));
  },
);
