import type { LifecycleFinding, RuleName } from '../finding.ts';
import type { Lifetime, Release } from '../history.ts';
import { passed, passedText, type Span, spanText } from '../spans.ts';

/**
 * Something has to work for a time after the release that announced its end.
 * In: what it is, its announced and its actual end, the time, and the rule. Out: at most one finding; none where it is
 * there still, or where no time is asked for.
 */
export function outliving(
  { name, announced, removed }: { name: string; announced: Release | undefined; removed: Release | undefined },
  span: Span,
  rule: RuleName,
  releases: readonly Release[],
): LifecycleFinding[] {
  if (!removed || (span.months === 0 && span.releases === 0)) return [];
  if (!announced) {
    const due = passed(releases, removed, span);
    return [
      {
        rule,
        element: name,
        releases: [removed],
        message: `${name} was removed in ${removed.name} and never deprecated before.`,
        remedy: `Deprecate it, in ${removed.name} at the earliest, and keep it for ${spanText(span)}: until ${passedText(due, removed)}.`,
      },
    ];
  }
  const due = passed(releases, announced, span);
  if (due.release && removed.place >= due.release.place) return [];
  return [
    {
      rule,
      element: name,
      releases: [announced, removed],
      message: `${name} was deprecated in ${announced.name} and removed in ${removed.name}, before ${spanText(span)} had passed.`,
      remedy: `Keep it until ${passedText(due, announced)}, which is the first that may be without it.`,
    },
  ];
}

/** The same, for what has a deprecation and a removal of its own. */
export function outlivesDeprecation(
  life: Lifetime,
  span: Span,
  rule: RuleName,
  releases: readonly Release[],
): LifecycleFinding[] {
  return outliving({ name: life.name, announced: life.deprecated, removed: life.removed }, span, rule, releases);
}
