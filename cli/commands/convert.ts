import { convertFile } from '../../lifecycle/convert/convertFile.ts';
import { objectsText } from '../../lifecycle/convert/objectsText.ts';
import { EXIT } from '../../reports/outcome.ts';
import { plainText } from '../../reports/plainText.ts';
import { namedDialect } from '../dialectFlag.ts';
import { choice, longNames, readFlags } from '../flags.ts';
import { inputName, readInput } from '../input.ts';
import { UsageError } from '../usageError.ts';
import { CONVERT_FLAGS } from './convertFlags.ts';

/**
 * `touchstone convert --output-version GROUP/VERSION -f FILE`: the objects in that version on standard output, and on
 * standard error what to look at.
 * @returns 0, 1 when nothing has that version, 64 when something could not be read. Throws UsageError.
 */
export function convert(argv: readonly string[]): number {
  const { flags, words } = readFlags(longNames(argv, { '-f': '--filename' }), CONVERT_FLAGS);
  const wanted = flags['output-version'];
  if (wanted === undefined) throw new UsageError('--output-version is needed: --output-version apps/v1.');
  const form = choice('output', flags.output ?? 'yaml', ['yaml', 'json']);
  const dialect = namedDialect(flags.dialect);
  const files = [...flags.filename, ...words];
  if (files.length === 0) throw new UsageError('Name what to convert: -f FILE, or -f - for standard input.');
  const results = files.map((file) => ({
    name: inputName(file),
    ...convertFile(readInput(file, 'file'), wanted, dialect),
  }));
  const objects = results.flatMap((each) => each.objects);
  if (objects.length > 0) process.stdout.write(objectsText(objects, form));
  for (const { name, notes, faults } of results) {
    for (const { line, text } of [...notes, ...faults]) console.error(plainText(`${name}:${line}: ${text}`));
  }
  if (results.some(({ faults }) => faults.length > 0)) return EXIT.usage;
  const there = results.some(({ converted }) => converted > 0) || objects.some((each) => each.apiVersion === wanted);
  return there ? EXIT.conformant : EXIT.notConformant;
}
