import { check, configMaps, deny, match, must, named } from '../../harness/index.ts';
import { install, rule, told } from './installed.ts';

const dryRun = { dryRun: 'All' };

check(
  'WEBHOOK-DRYRUN-01.1',
  'the author makes a dry run that webhooks of None and NoneOnDryRun match → they are called and told of it',
  ['WEBHOOK-DRYRUN-01'],
  async ({ admin, author, services }) => {
    const [none, onDryRun] = await install(admin, services, {}, { sideEffects: 'NoneOnDryRun' });
    must('it goes on', await author.create(configMaps, named('a'), dryRun), match.created);
    must('both are told', [told(none, 'dryRun'), told(onDryRun, 'dryRun')], match.equal([[true], [true]]));
    must('nothing is stored', await author.get(configMaps, 'a'), match.status(404));
  },
);

check(
  'WEBHOOK-DRYRUN-01.2',
  'the author makes a dry run that a webhook of NoneOnDryRun denies → it fails',
  ['WEBHOOK-DRYRUN-01'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { sideEffects: 'NoneOnDryRun' });
    hook?.does(deny);
    must('it goes by the answer', await author.create(configMaps, named('a'), dryRun), match.error);
  },
);

check(
  'DRYRUN-ADMISSION-02.1',
  'the author tries each write as a dry run, and a webhook denies → each is refused as the real one is',
  ['DRYRUN-ADMISSION-02'],
  async ({ admin, author, services }) => {
    const [hook] = await install(admin, services, { rules: [rule('*')] });
    const live = await author.given(configMaps, named('a', { data: { a: '1' } }));
    hook?.does(deny);
    const changed = { ...live, data: { a: '2' } };
    for (const query of [dryRun, {}]) {
      must('create', await author.create(configMaps, named('b'), query), match.error);
      must('update', await author.update(configMaps, changed, query), match.error);
      must('patch', await author.patch(configMaps, 'a', 'merge', { data: { a: '2' } }, query), match.error);
      must('apply', await author.apply(configMaps, named('c', { data: { a: '2' } }), query), match.error);
      must('delete', await author.delete(configMaps, 'a', query), match.error);
    }
    must('the object is as it was', await author.get(configMaps, 'a'), match.body(live));
  },
);
