import { check, configMaps, match, must } from '../../harness/index.ts';
import { warningsNaming } from './warnings.ts';

const UNKNOWN = { metadata: { name: 'doc' }, data: { a: '1' }, touchstoneUnknown: 'x' };

check(
  'FIELDS-APPLY-01.1',
  'the author applies an unknown field → it is as fieldValidation asks',
  ['FIELDS-APPLY-01'],
  async ({ author }) => {
    const applying = (fieldValidation?: string) => author.apply(configMaps, UNKNOWN, { fieldValidation });
    must('Strict refuses', await applying('Strict'), match.status(400));
    must('nothing is stored', await author.get(configMaps, 'doc'), match.status(404));
    const warned = await applying('Warn');
    const without = match.field('touchstoneUnknown', match.absent);
    must('Warn drops it', warned, match.created, match.field('data', { a: '1' }), without);
    must('and warns', warningsNaming(warned, 'touchstoneUnknown'), match.size(1));
    const ignored = await applying('Ignore');
    must('Ignore drops it', ignored, match.status(200), without);
    must('and is silent', warningsNaming(ignored, 'touchstoneUnknown'), match.empty);
    const usual = await applying();
    must('none is as Warn', usual, match.status(200), without);
    must('with a warning', warningsNaming(usual, 'touchstoneUnknown'), match.size(1));
  },
);
