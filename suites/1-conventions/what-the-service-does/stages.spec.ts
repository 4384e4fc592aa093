import { check, configMaps, match, must, named } from '../../harness/index.ts';
import { install } from '../validatingwebhookconfiguration/installed.ts';

check(
  'REQUEST-STAGES-02.1',
  'somebody without rights and somebody with a wrong token create → no webhook hears of it',
  ['REQUEST-STAGES-02'],
  async ({ admin, stranger, someone, services }) => {
    const [hook] = await install(admin, services, {});
    const mallory = someone('mallory', { token: 'touchstone-nobody-knows-this-token' });
    must('the stranger may not', await stranger.create(configMaps, named('a')), match.status(403));
    must('mallory is nobody', await mallory.create(configMaps, named('a')), match.status(401));
    must('the webhook was not called', hook?.reviews, match.size(0));
    must('an admin creates', await admin.create(configMaps, named('a')), match.created);
    must('now it was', hook?.reviews, match.size(1));
  },
);
