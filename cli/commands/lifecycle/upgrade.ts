import { assess, isBroken, type Upgrade } from '../../../lifecycle/upgrade/assess.ts';
import { readManifests } from '../../../lifecycle/upgrade/manifests.ts';
import { type UpgradeReport, upgradeAnnotations, upgradeJson, upgradeText } from '../../../lifecycle/upgrade/text.ts';
import { EXIT } from '../../../reports/outcome.ts';
import { plainText } from '../../../reports/plainText.ts';
import { namedDialect } from '../../dialectFlag.ts';
import { choice, readFlags } from '../../flags.ts';
import { UsageError } from '../../usageError.ts';
import { UPGRADE_FLAGS } from './flags.ts';
import { sourceFiles } from './sourceFiles.ts';

const FORMS: Readonly<Record<string, (report: UpgradeReport) => string>> = {
  text: (report) => plainText(upgradeText(report), 'many lines'),
  json: upgradeJson,
  annotations: upgradeAnnotations,
};

/**
 * `touchstone lifecycle upgrade --from 1.21 --to 1.25 MANIFESTS…`: what of them the new release serves no more.
 * @returns 1 when something is not served, 64 when something else could not be read, 0 when all is well.
 *   Throws UsageError.
 */
export function upgrade(argv: readonly string[]): number {
  const { flags, words } = readFlags(argv, UPGRADE_FLAGS);
  const step: Upgrade = { from: minorOf('from', flags.from), to: minorOf('to', flags.to) };
  if (step.from > step.to) throw new UsageError('--from is a later release than --to; this is about upgrades.');
  const form = choice('output', flags.output ?? 'text', Object.keys(FORMS));
  if (words.length === 0) {
    throw new UsageError(
      'Name files or folders with manifests, or - for standard input: … --from 1.21 --to 1.25 FILE.',
    );
  }
  const dialect = namedDialect(flags.dialect);
  const manifests = readManifests(sourceFiles(words));
  const assessments = manifests.objects.flatMap((manifest) => assess(manifest, step, dialect) ?? []);
  console.log(FORMS[form]?.({ upgrade: step, manifests, assessments }));
  if (assessments.some(isBroken)) return EXIT.notConformant;
  return manifests.unread.length > 0 ? EXIT.usage : EXIT.conformant;
}

function minorOf(name: string, text: string | undefined): number {
  if (text === undefined) throw new UsageError(`--${name} is needed: --${name} 1.25.`);
  const [, minor] = /^v?1\.(\d{1,3})(?:\.\d+)?$/.exec(text) ?? [];
  if (minor === undefined) throw new UsageError(`--${name} takes a release such as 1.25, not ${JSON.stringify(text)}.`);
  return Number(minor);
}
