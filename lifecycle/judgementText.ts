import { type LifecycleFinding, RULES } from './finding.ts';
import type { ApiHistory } from './history.ts';
import type { LifecycleReport } from './judge.ts';

/** What `lifecycle check` says to a person. */
export function judgementText(history: ApiHistory, { findings, excepted, idle }: LifecycleReport): string {
  return [
    ...findings.flatMap((finding) => [...cardOf(finding), '']),
    ...excepted.map(({ finding, reason }) => `excepted: rule ${finding.rule}, ${finding.element}: ${reason}`),
    ...idle.map(({ rule, element }) => `an exception that excuses nothing: rule ${rule}, ${element}`),
    `${scopeOf(history)}: ${verdictOf(findings)}`,
  ].join('\n');
}

function cardOf({ rule, element, message, remedy }: LifecycleFinding): string[] {
  const { title, from } = RULES[rule];
  return [`✗ rule ${rule}  ${element}`, `  ${message}`, `  To make it right: ${remedy}`, `  ${title} (${from}).`];
}

function scopeOf({ releases, tracks, commandLine, behaviors, gates, metrics }: ApiHistory): string {
  const counted: readonly [number, string][] = [
    [tracks.filter(({ what }) => what === 'API group').length, 'API group'],
    [tracks.filter(({ what }) => what === 'configuration').length, 'configuration'],
    [commandLine.length, 'command-line element'],
    [behaviors.length, 'behavior'],
    [gates.length, 'gate'],
    [metrics.length, 'metric'],
  ];
  const parts = counted.filter(([number]) => number > 0).map(([number, what]) => many(number, what));
  return `${parts.join(', ') || 'nothing'} over ${many(releases.length, 'release')}`;
}

function verdictOf(findings: readonly LifecycleFinding[]): string {
  return findings.length === 0 ? 'the policy is kept' : `${many(findings.length, 'finding')}`;
}

function many(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** The same for programs: one JSON document. */
export function judgementJson({ findings, excepted, idle }: LifecycleReport): string {
  const plain = ({ rule, element, releases, message, remedy }: LifecycleFinding) => ({
    rule,
    statement: RULES[rule].from,
    element,
    releases: releases.map(({ name }) => name),
    message,
    remedy,
  });
  const document = {
    conformant: findings.length === 0,
    findings: findings.map(plain),
    excepted: excepted.map(({ finding, reason }) => ({ ...plain(finding), reason })),
    idleExceptions: idle.map(({ rule, element }) => ({ rule, element })),
  };
  return JSON.stringify(document, null, 2);
}
