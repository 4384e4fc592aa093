import { createHash } from 'node:crypto';
import {
  type Capability,
  isRequirementId,
  ledger,
  type NoAnswerKind,
  type Requirement,
  requirementIds,
  requirementOf,
  type StatementFacts,
  type StatementKey,
  statementFacts,
  statements,
} from '../../fixtures/ledger/index.ts';
import type { Level, RequirementFacts } from '../../reports/events.ts';

export { type ClauseName, clausesOf, type RequirementId } from '../../fixtures/ledger/index.ts';

function known(ids: readonly string[]): Requirement[] {
  return ids
    .map(requirementOf)
    .filter(isRequirementId)
    .map((id) => ledger[id]);
}

/** The strictest level among requirements; MUST when the ledger knows none of them. */
export function levelOf(ids: readonly string[]): Level {
  const levels = known(ids).map(({ level }) => level);
  if (levels.length === 0 || levels.includes('MUST')) return 'MUST';
  return levels.includes('SHOULD') ? 'SHOULD' : 'MAY';
}

/** What the requirements ask of a target, each once: a check of them asks for the same. */
export function needsOf(ids: readonly string[]): Capability[] {
  return [...new Set(known(ids).flatMap(({ needs }) => needs))];
}

/** What is no answer elsewhere, and is evidence in a check of these requirements; each once. */
export function judgesOf(ids: readonly string[]): NoAnswerKind[] {
  return [...new Set(known(ids).flatMap(({ judges }) => judges))];
}

/** The profiles that requirements belong to, each once. */
export function profilesOf(ids: readonly string[]): string[] {
  return [...new Set(known(ids).map(({ profile }) => profile))];
}

/** The ledger as reports tell it. A requirement that a unit test gives the evidence for is no business of a run. */
export function requirementFacts(): RequirementFacts[] {
  return requirementIds
    .map((id): Requirement => ledger[id])
    .filter(({ checkedBy }) => checkedBy === 'suite')
    .map(({ id, level, statement, from, profile, clauses }) => ({
      id,
      level,
      sentence: statement,
      statements: from,
      profile,
      ...(clauses.length === 0 ? {} : { clauses: clauses.map((clause) => `${id}/${clause}`) }),
    }));
}

/** The statements that those requirements come from, each once. */
export function factsOfStatements(facts: readonly RequirementFacts[]): StatementFacts[] {
  const keys = new Set(facts.flatMap(({ statements: from }) => from));
  return (Object.keys(statements) as StatementKey[]).filter((key) => keys.has(key)).map(statementFacts);
}

/** The statements behind some requirements, each once. */
export function statementsOf(ids: readonly string[]): StatementFacts[] {
  return [...new Set(known(ids).flatMap(({ from }) => from))].map(statementFacts);
}

/** Tells two ledgers apart in a report. */
export function ledgerDigest(): string {
  const text = JSON.stringify(requirementIds.map((id) => ledger[id]));
  return `sha256:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
