import { memberAt } from './placeholders.ts';
import type { FailedClaim, PlayedStep } from './played.ts';
import type { Scenario, ScenarioStep } from './scenario.ts';

/** Holds what happened against what a story says, in the order of its steps. */
export function failedClaims({ steps }: Scenario, played: readonly PlayedStep[]): FailedClaim[] {
  return steps.flatMap((step, index) => {
    const happened = played[index];
    return happened ? failedAt(step, happened).map((claim) => ({ step: index + 1, ...claim })) : [];
  });
}

function failedAt(
  step: ScenarioStep,
  { answer, judged, delivered, said = [] }: PlayedStep,
): Omit<FailedClaim, 'step'>[] {
  const { expect, holds, carries = {}, reads, lacks, says, told } = step;
  const failed: Omit<FailedClaim, 'step'>[] = [];
  const claim = (at: string, expected: unknown, found: unknown, kept = same(expected, found)) => {
    if (!kept) failed.push({ at, expected, found });
  };
  if (expect !== undefined) claim('status', expect, answer?.code);
  if (answer) {
    const body = parsed(answer.body);
    for (const [path, expected] of Object.entries(holds)) claim(path, expected, memberAt(body, path) ?? null);
    for (const [name, text] of Object.entries(carries)) {
      const found = answer.headers[name];
      claim(name, text, found ?? null, text === null ? found === undefined : (found?.includes(String(text)) ?? false));
    }
  }
  const text = answer?.body ?? judged?.text;
  if (text !== undefined) {
    if (reads !== undefined) claim('body', reads, text, text.includes(reads));
    if (lacks !== undefined) claim('body', `no ${lacks}`, text, !text.includes(lacks));
  }
  if (says !== undefined) {
    const isSaid = said.some((line) => line.includes(says));
    claim('said', says, said, isSaid);
  }
  const types = delivered.map(({ type }) => type);
  if (told) claim('told', told, types);
  return failed;
}

/** Values of JSON, compared without regard to the order of members. */
function same(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(memberOf(one, name), memberOf(other, name)))
  );
}

const memberOf = (value: object, name: string): unknown => Object.entries(value).find(([key]) => key === name)?.[1];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
