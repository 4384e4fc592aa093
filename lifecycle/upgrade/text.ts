import { type Assessment, isBroken, type Upgrade, type UpgradeEffect } from './assess.ts';
import type { Manifests, Unread } from './manifests.ts';

/** All that `lifecycle upgrade` found. */
export interface UpgradeReport {
  readonly upgrade: Upgrade;
  readonly manifests: Manifests;
  readonly assessments: readonly Assessment[];
}

const MARKS: Readonly<Record<UpgradeEffect, string>> = {
  stops: '✗',
  'stopped before': '✗',
  'not there yet': '✗',
  off: '!',
  warns: '!',
  stays: '✓',
};

/** What it says to a person. */
export function upgradeText(report: UpgradeReport): string {
  const { manifests, assessments } = report;
  const told = assessments.filter(({ fate }) => fate !== 'stays');
  return [...told.flatMap(cardOf), ...manifests.unread.flatMap(unreadText), ...summary(report)].join('\n');
}

function cardOf(assessment: Assessment): string[] {
  const { manifest, fate, concerns } = assessment;
  const { file, apiVersion, kind, name } = manifest;
  return [
    `${MARKS[fate]} ${file}:${manifest.lineOf('/apiVersion')}  ${apiVersion} ${kind}${name === '' ? '' : ` ${name}`}`,
    `    ${sentenceOf(assessment)}`,
    ...concerns.map(({ pointer, text }) => `    line ${manifest.lineOf(pointer)}: ${text}`),
    '',
  ];
}

/** What happens to it, and what to use instead, as a sentence. */
export function sentenceOf({ fate, release, replacement, elsewhere }: Assessment): string {
  const what: Readonly<Record<UpgradeEffect, string>> = {
    stops: `Not served from 1.${release} on`,
    'stopped before': `Not served since 1.${release}, before this upgrade`,
    'not there yet': `Served from 1.${release} on only`,
    off: 'Served only where it is switched on with --runtime-config',
    warns: `Deprecated since 1.${release}, and still served`,
    stays: 'Served',
  };
  if (replacement) {
    return `${what[fate]}: use ${replacement.apiVersion} ${replacement.kind}, which is there since 1.${replacement.since}.`;
  }
  if (elsewhere) return `${what[fate]}: use ${elsewhere}.`;
  return `${what[fate]}${fate === 'stops' || fate === 'stopped before' ? ', and no version replaces it' : ''}.`;
}

function unreadText({ file, line, reason }: Unread): string[] {
  return [`? ${file}:${line}`, `    ${reason}`, ''];
}

function summary({ upgrade, manifests, assessments }: UpgradeReport): string[] {
  const broken = assessments.filter(isBroken).length;
  const warned = assessments.filter(({ fate }) => fate === 'warns' || fate === 'off').length;
  const others = manifests.objects.length - assessments.length;
  const parts = [`${broken} not served`, `${warned} to look at`, `${assessments.length - broken - warned} fine`];
  if (others > 0) parts.push(`${others} of types that no release decides on`);
  if (manifests.unread.length > 0) parts.push(`${manifests.unread.length} unread`);
  if (manifests.passedOver > 0) parts.push(`${manifests.passedOver} no objects`);
  return [`From 1.${upgrade.from} to 1.${upgrade.to}: ${parts.join(', ')}`];
}

/** The same for programs: one JSON document. */
export function upgradeJson({ upgrade, manifests, assessments }: UpgradeReport): string {
  const document = {
    from: `1.${upgrade.from}`,
    to: `1.${upgrade.to}`,
    ready: !assessments.some(isBroken) && manifests.unread.length === 0,
    objects: assessments.map((assessment) => {
      const { manifest, fate, release, replacement, elsewhere, concerns } = assessment;
      const { file, apiVersion, kind, name } = manifest;
      return {
        file,
        line: manifest.lineOf('/apiVersion'),
        apiVersion,
        kind,
        name,
        fate,
        release: release === undefined ? undefined : `1.${release}`,
        replacement: replacement && { ...replacement, since: `1.${replacement.since}` },
        elsewhere,
        changes: concerns.map(({ pointer, text }) => ({ line: manifest.lineOf(pointer), pointer, text })),
      };
    }),
    unread: manifests.unread,
    otherTypes: manifests.objects.length - assessments.length,
  };
  return JSON.stringify(document, null, 2);
}

/** The same as annotations that a forge shows beside the lines of a change. */
export function upgradeAnnotations({ manifests, assessments }: UpgradeReport): string {
  const told = assessments.filter(({ fate }) => fate !== 'stays');
  return [
    ...told.flatMap((assessment) => {
      const { manifest, concerns } = assessment;
      const level = isBroken(assessment) ? 'error' : 'warning';
      const about = `${manifest.apiVersion} ${manifest.kind}`;
      return [
        annotation(level, manifest.file, manifest.lineOf('/apiVersion'), `${about}: ${sentenceOf(assessment)}`),
        ...concerns.map(({ pointer, text }) => annotation('notice', manifest.file, manifest.lineOf(pointer), text)),
      ];
    }),
    ...manifests.unread.map(({ file, line, reason }) => annotation('error', file, line, reason)),
  ].join('\n');
}

function annotation(level: 'error' | 'warning' | 'notice', file: string, line: number, text: string): string {
  return `::${level} file=${escaped(file).replaceAll(':', '%3A').replaceAll(',', '%2C')},line=${line}::${escaped(text)}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
