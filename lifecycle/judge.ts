import { type LifecycleFinding, RULES, type RuleName } from './finding.ts';
import type { ApiHistory, Exception } from './history.ts';
import { advance } from './rules/advance.ts';
import { apiLifetime } from './rules/apiLifetime.ts';
import { behaviors } from './rules/behaviors.ts';
import { commandLine } from './rules/commandLine.ts';
import { elements } from './rules/elements.ts';
import { gates } from './rules/gates.ts';
import { metrics } from './rules/metrics.ts';
import { successors } from './rules/successors.ts';

/** What the policy says of a history. */
export interface LifecycleReport {
  /** What breaks a rule, in the order of the rules. */
  readonly findings: readonly LifecycleFinding[];
  /** What breaks a rule and was announced as an exception in the notes of the release that breaks it. */
  readonly excepted: readonly { readonly finding: LifecycleFinding; readonly reason: string }[];
  /** Exceptions that excuse nothing: what they name does not break that rule. */
  readonly idle: readonly Exception[];
}

/**
 * Holds a history of releases against the deprecation policy (document 3).
 * In: a history. Out: every finding, once. Pure: it asks neither for today's date nor for anything else.
 */
export function judge(history: ApiHistory): LifecycleReport {
  const { releases, tracks, exceptions } = history;
  const all = [
    ...tracks.flatMap((track) => [
      ...elements(track),
      ...successors(track),
      ...apiLifetime(track, releases),
      ...advance(track),
    ]),
    ...history.commandLine.flatMap((each) => commandLine(each, releases)),
    ...history.behaviors.flatMap((each) => behaviors(each, releases)),
    ...history.gates.flatMap((each) => gates(each, releases)),
    ...history.metrics.flatMap((each) => metrics(each, releases)),
  ].sort((one, other) => ORDER.indexOf(one.rule) - ORDER.indexOf(other.rule));
  const excuseOf = (finding: LifecycleFinding) =>
    exceptions.find((each) => names(each, finding) && isAnnounced(each, finding));
  return {
    findings: all.filter((finding) => !excuseOf(finding)),
    excepted: all.flatMap((finding) => {
      const excuse = excuseOf(finding);
      return excuse ? [{ finding, reason: excuse.reason }] : [];
    }),
    idle: exceptions.filter((each) => !all.some((finding) => names(each, finding))),
  };
}

// Keys that are numbers come first in an object, and their order here is that of the document.
const ORDER = (Object.keys(RULES) as RuleName[]).sort((one, other) =>
  one.localeCompare(other, 'en', { numeric: true }),
);

function names({ rule, element }: Exception, finding: LifecycleFinding): boolean {
  return rule === finding.rule && element === finding.element;
}

/** Relevant are the notes of the release in which the rule was broken: the last that the finding is about. */
function isAnnounced({ announced }: Exception, { releases }: LifecycleFinding): boolean {
  const last = releases.at(-1);
  return last !== undefined && announced.includes(last);
}
